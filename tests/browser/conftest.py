"""A real server, a real Chromium, and people who visit the page and notice whatever goes wrong in it."""

import os
import re
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect, sync_playwright

from tests.browser.serving import ServerProcess, Wire
from tests.server.client import PATIENCE, House

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "test-results"
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("browser")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The server that all tests share, each at tables of its own."""
    server = ServerProcess(tmp_path_factory.mktemp("house"))
    yield House(server.url)
    complaints = server.stop()
    assert not complaints, f"the server complained: {complaints}"


@pytest.fixture
def wire(house: House) -> Iterator[Wire]:
    """A way to the server that can be cut."""
    wire = Wire(house.url)
    yield wire
    wire.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        missing = "THE BROWSER TESTS DO NOT RUN: there is no Chromium. Install it, or set CHROMIUM to where it is."
        if os.environ.get("CI", "").lower() in {"1", "true", "yes"}:
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=[*QUIET, "--disable-sync"])
        yield started
        started.close()


class Visits:
    """Opens the page for people, each in a browser of their own, and keeps what went wrong in any of them."""

    def __init__(self, browser: Browser, house: House) -> None:
        self._browser = browser
        self._house = house
        self._expected: list[str] = []
        self.pages: list[Page] = []
        self.complaints: list[str] = []

    def __call__(
        self,
        path: str = "/",
        *,
        size: tuple[int, int] = (1280, 800),
        touch: bool = False,
        dark: bool = False,
        moving: bool = False,
        by: Wire | None = None,
    ) -> Page:
        """A person opens an address. Less motion is asked for, unless the test is about motion."""
        context = self._browser.new_context(
            base_url=by.url if by else self._house.url,
            viewport={"width": size[0], "height": size[1]},
            has_touch=touch,
            is_mobile=touch,
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if moving else "reduce",
        )
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        self.pages.append(page)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._complain(f"an error was not caught: {error}"))
        page.on("requestfailed", self._request_failed)
        page.on("response", self._response)
        page.goto(path)
        return page

    def expect(self, words: str) -> None:
        """This test makes something go wrong: a complaint with these words is no surprise."""
        self._expected.append(words)

    def _complain(self, complaint: str) -> None:
        if not any(words in complaint for words in self._expected):
            self.complaints.append(complaint)

    def _console(self, message: ConsoleMessage) -> None:
        # A breach of the content security policy is written here too.
        if message.type in ("error", "warning"):
            self._complain(f"the console says: {message.text} ({message.location.get('url', '')})")

    def _request_failed(self, request: Request) -> None:
        # A request that the browser itself gave up, to go to another page or to save a file, did not fail.
        if request.failure != "net::ERR_ABORTED":
            self._complain(f"a request failed: {request.method} {request.url}: {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._complain(f"a request was refused: {response.request.method} {response.url}: {response.status}")


def settle(page: Page) -> None:
    """Wait until colours have arrived where they belong: even without motion it takes a few frames."""
    page.evaluate("async () => { while (document.getAnimations().length) await new Promise(requestAnimationFrame); }")


@pytest.fixture
def visit(browser: Browser, house: House, request: pytest.FixtureRequest) -> Iterator[Visits]:
    """Open the page: `visit("/about")`. In the end nothing may have gone wrong in any page that was opened."""
    visits = Visits(browser, house)
    yield visits
    if request.node.stash.get(FAILED, False) or visits.complaints:
        PICTURES.mkdir(exist_ok=True)
        name = re.sub(r"\W+", "-", request.node.name).strip("-")
        for number, page in enumerate(visits.pages, 1):
            page.screenshot(path=PICTURES / f"{name}-{number}.png")
    for page in visits.pages:
        page.context.close()
    assert not visits.complaints, "something went wrong in the page: " + "; ".join(visits.complaints)
