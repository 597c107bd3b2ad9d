"""How many bytes the page transfers, and that it can be installed and used offline."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.server.client import Api

FIRST_PAGE = 105_000
"""Bytes for the lobby, fonts and all."""
BOARD = 90_000
"""Bytes more for any game's table, for somebody who has seen nothing but the lobby."""
HEAVIEST = {"word-traveler": {"city": "New York"}}
"""Options for the table that weighs most."""
LOADED = """() => Object.fromEntries(
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(one => !new URL(one.name).pathname.startsWith('/api/'))
        .map(one => [new URL(one.name).pathname, one.transferSize]))"""


def weight(page: Page) -> dict[str, int]:
    """What came over the wire for this page, file by file."""
    page.wait_for_load_state("networkidle")
    loaded: dict[str, int] = page.evaluate(LOADED)
    return loaded


def test_the_lobby_and_every_board_stay_small(visit: Visits, api: Api) -> None:
    page = visit("/", alone=True)
    expect(page.get_by_test_id("play-now-round-trip")).to_be_visible()
    first = weight(page)
    assert sum(first.values()) <= FIRST_PAGE, f"the lobby weighs {sum(first.values())} bytes: {first}"
    cache = page.context.new_cdp_session(page)
    heavy = {}
    for game in [game["name"] for game in api.get("/api/games")]:
        opened = api.open("me", "open", game=game, options=HEAVIEST.get(game, {}))
        api.sit(opened["table"], "Bruno")
        cache.send("Network.clearBrowserCache")
        page.goto(f"/table/{opened['table']}#seat=0.{opened['secret']}")
        expect(page.locator(".board")).to_be_visible()
        more = {name: size for name, size in weight(page).items() if name not in first}
        if sum(more.values()) > BOARD:
            heavy[game] = (sum(more.values()), {name: size for name, size in more.items() if size > 2000})
    assert not heavy, f"these boards are too heavy: {heavy}"


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
