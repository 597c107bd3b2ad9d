"""A real server, a real Chromium, and visitors to the page. A test fails if any page has an error."""

import os
import random
import re
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect, sync_playwright

from tests.browser.serving import ServerProcess, Wire
from tests.server.client import PATIENCE, Api

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "test-results"
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
CHROMIUM_FLAGS = (
    "--num-raster-threads=1",
    "--renderer-process-limit=1",
    "--in-process-gpu",
    "--default-tile-width=640",
    "--default-tile-height=400",
    "--js-flags=--no-opt --no-maglev",
    # Only the last such list counts, so it repeats what matters here of Playwright's own, and adds one more: with
    # RenderDocument, the renderer of a page is created again for the next one.
    "--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,MediaRouter,OptimizationHints,PaintHolding,RenderDocument",
)
"""A page opens faster with fewer processes and threads, and if the renderer is reused. Painting takes a sixth less time
with tiles of this size than with tiles larger than the window. No test runs a page long enough to gain from optimized
JavaScript what optimizing it costs."""
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
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The server that all tests share. Each opens its own tables."""
    with ServerProcess(tmp_path_factory.mktemp("api")) as server:
        yield server


@pytest.fixture(scope="session")
def api(server: ServerProcess) -> Api:
    return Api(server.url)


@pytest.fixture(autouse=True)
def fixed_deals(server: ServerProcess, request: pytest.FixtureRequest) -> None:
    """Make all deals depend only on the test, so that a test gives the same result in every run."""
    server.deal_for(request.node.nodeid)
    random.seed(request.node.nodeid)


@pytest.fixture
def wire(api: Api) -> Iterator[Wire]:
    """A connection to the server that can be cut."""
    wire = Wire(api.url)
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
        started = playwright.chromium.launch(executable_path=chromium, args=[*QUIET, *CHROMIUM_FLAGS, "--disable-sync"])
        yield started
        started.close()


class Window:
    """A person's own browser window. It is reused by later tests, because opening one takes longer than most tests."""

    def __init__(self, browser: Browser, server: str, touch: bool, keep: bool, installed: bool) -> None:
        self.server, self.touch, self.keep = server, touch, keep
        context = browser.new_context(
            base_url=server,
            has_touch=touch,
            is_mobile=touch,
            # A page that is cached by a service worker would hide what the server does.
            service_workers="allow" if installed else "block",
        )
        context.set_default_timeout(PATIENCE * 1000)
        self.page = context.new_page()
        self.complain: Callable[[str], None] | None = None
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self._say(f"an error was not caught: {error}"))
        self.page.on("requestfailed", self._request_failed)
        self.page.on("response", self._response)

    def clear(self) -> None:
        """Leave the table, and clear what the page has stored. A picture of the same site keeps the process warm."""
        self.complain = None
        self.page.unroute_all()
        self.page.mouse.move(0, 0)
        self.page.goto("/favicon.svg")
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.page.context.clear_cookies()

    def _say(self, complaint: str) -> None:
        if self.complain:
            self.complain(complaint)

    def _console(self, message: ConsoleMessage) -> None:
        # A breach of the content security policy is written here too.
        if message.type in ("error", "warning") and "blocked by Playwright" not in message.text:
            self._say(f"the console says: {message.text} ({message.location.get('url', '')})")

    def _request_failed(self, request: Request) -> None:
        # A request that the browser itself cancelled, to open another page or save a file, did not fail.
        if request.failure != "net::ERR_ABORTED":
            self._say(f"a request failed: {request.method} {request.url}: {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._say(f"a request was refused: {response.request.method} {response.url}: {response.status}")


class Windows:
    """A pool of windows that nobody is using."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._kept: list[Window] = []

    def lend(self, server: str, touch: bool, new: bool, installed: bool) -> Window:
        for window in [] if new else self._kept:
            if (window.server, window.touch) == (server, touch):
                self._kept.remove(window)
                return window
        return Window(self._browser, server, touch, not new, installed)

    def take_back(self, window: Window) -> None:
        if not window.keep:
            window.page.context.close()
        elif not window.page.is_closed():
            window.clear()
            self._kept.append(window)


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    return Windows(browser)


class Visits:
    """Opens the page for people, each in their own browser, and collects the errors of all pages."""

    def __init__(self, windows: Windows, api: Api) -> None:
        self._windows = windows
        self._api = api
        self._expected: list[str] = []
        self._opened: list[Window] = []
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
        installed: bool = False,
        alone: bool = False,
    ) -> Page:
        """A person opens an address. Less motion is asked for, unless the test is about motion.

        `alone` is for a test that needs an empty cache, or that adds something to the page that cannot be removed:
        scripts, a clock, listeners.
        """
        server = by.url if by else self._api.url
        window = self._windows.lend(server, touch, alone or installed or by is not None, installed)
        self._opened.append(window)
        window.complain = self._complain
        page = window.page
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(
            color_scheme="dark" if dark else "light", reduced_motion="no-preference" if moving else "reduce"
        )
        page.goto(path)
        return page

    @property
    def pages(self) -> list[Page]:
        return [window.page for window in self._opened]

    def leave(self) -> None:
        for window in self._opened:
            self._windows.take_back(window)

    def expect(self, words: str) -> None:
        """Expect an error with these words."""
        self._expected.append(words)

    def _complain(self, complaint: str) -> None:
        if not any(words in complaint for words in self._expected):
            self.complaints.append(complaint)


def settle(page: Page) -> None:
    """Wait until all animations have ended: even with reduced motion this takes a few frames."""
    page.evaluate("async () => { while (document.getAnimations().length) await new Promise(requestAnimationFrame); }")


def eventually(page: Page, holds: Callable[[], bool]) -> bool:
    """Whether a condition becomes true within the time that `expect` would wait."""
    until = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > until:
            return False
        page.wait_for_timeout(20)
    return True


@pytest.fixture
def visit(windows: Windows, api: Api, request: pytest.FixtureRequest) -> Iterator[Visits]:
    """Open the page: `visit("/about")`. The test fails if any opened page had an error."""
    visits = Visits(windows, api)
    yield visits
    if request.node.stash.get(FAILED, False) or visits.complaints:
        PICTURES.mkdir(exist_ok=True)
        name = re.sub(r"\W+", "-", request.node.name).strip("-")
        for number, page in enumerate(visits.pages, 1):
            page.screenshot(path=PICTURES / f"{name}-{number}.png")
    visits.leave()
    assert not visits.complaints, "errors in the page: " + "; ".join(visits.complaints)
