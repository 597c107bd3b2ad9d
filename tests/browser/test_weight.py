"""How many bytes the page transfers, and that it can be installed and used offline."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.server.client import Api

FIRST_PAGE = 110_000
"""Bytes for the lobby, fonts and all, headers too."""
BOARD = 90_000
"""Bytes more for any game's table, for somebody who has seen nothing but the lobby."""
CITIES = ("New York", "Paris", "London", "Tokyo")
"""Every city of Word Traveler has pictures of its own."""


class Wire:
    """Counts what comes to a page from the server, by address."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.came: dict[str, int] = {}
        self._asked: dict[str, str] = {}
        self.session = page.context.new_cdp_session(page)
        self.session.on("Network.requestWillBeSent", self._request)
        self.session.on("Network.loadingFinished", self._finished)
        self.session.send("Network.enable")

    def _request(self, sent: dict[str, Any]) -> None:
        self._asked[sent["requestId"]] = urlsplit(sent["request"]["url"]).path

    def _finished(self, done: dict[str, Any]) -> None:
        path = self._asked.get(done["requestId"], "")
        # How many tables there are to be listed does not depend on the page.
        if path and not path.startswith("/api/tables"):
            self.came[path] = self.came.get(path, 0) + done["encodedDataLength"]

    def weight(self) -> dict[str, int]:
        """What has come since this was last asked."""
        self.page.wait_for_load_state("networkidle")
        came, self.came = self.came, {}
        return came


def boards(api: Api) -> Iterator[tuple[str, dict[str, str]]]:
    """Every game, with the options that decide what its board loads."""
    for game in [game["name"] for game in api.get("/api/games")]:
        yield from [(game, {"city": city}) for city in CITIES] if game == "word-traveler" else [(game, {})]


def test_the_lobby_and_every_board_stay_small(visit: Visits, api: Api) -> None:
    page = visit("/about", alone=True)
    wire = Wire(page)
    wire.weight()
    heavy: dict[str, tuple[int, dict[str, int]]] = {}
    for game, options in boards(api):
        opened = api.open("me", "open", game=game, options=options)
        api.sit(opened["table"], "Bruno")
        wire.session.send("Network.clearBrowserCache")
        page.goto("/")
        expect(page.get_by_test_id("play-now-round-trip")).to_be_visible()
        page.evaluate("document.fonts.ready")
        first = wire.weight()
        assert first, "nothing was counted"
        if sum(first.values()) > FIRST_PAGE:
            heavy["lobby"] = (sum(first.values()), first)
        page.goto(f"/table/{opened['table']}#seat=0.{opened['secret']}")
        expect(page.locator(".board")).to_be_visible()
        more = wire.weight()
        assert sum(more.values()) > 20_000, f"the board of {game} was not counted: {more}"
        if sum(more.values()) > BOARD:
            heavy[game] = (sum(more.values()), {name: size for name, size in more.items() if size > 2000})
    assert not heavy, f"too heavy: {heavy}"


def test_rulebooks_can_be_read_offline(visit: Visits) -> None:
    visit.expect("a request failed")
    visit.expect("ERR_INTERNET_DISCONNECTED")
    page = visit("/", installed=True)
    page.evaluate(
        """async () => {
            await navigator.serviceWorker.register('/service-worker.js');
            await navigator.serviceWorker.ready;
        }"""
    )
    page.context.set_offline(True)
    page.goto("/rules/round-trip")
    expect(page.get_by_role("heading", name="Round Trip Italy").first).to_be_visible()
    page.goto("/rules/word-traveler")
    expect(page.locator("[data-rule=WT-23] .space svg").first, "the pictures are kept, too").to_be_visible(timeout=5000)
