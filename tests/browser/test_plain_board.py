"""The plain board: a game without its own board is played by mouse, keyboard and touch, and replayed."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import Visits
from tests.browser.keys import Keys
from tests.browser.narrow import assert_nothing_cut_off, visit_on_phone
from tests.browser.serving import ServerProcess
from tests.server.client import Api

Press = Callable[[Locator], None]
GAME = "fruit-market"
WIDTHS = (360, 768, 1280, 1920)
# Read in one go, once the fonts are there: a line that changes its height moves every poster.
BOXES = """async posters => {
    await document.fonts.ready;
    return posters.map(poster => poster.getBoundingClientRect().toJSON());
}"""

NAMES_AND_COLOURS = """faces => faces.map(face =>
    [face.innerText.slice(0, 2), face.firstElementChild.style.getPropertyValue("--colour")])"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with three games that have no board of their own."""
    with ServerProcess(tmp_path_factory.mktemp("plain"), "tests.browser.plain_games") as server:
        yield server


@pytest.fixture(scope="module")
def api(server: ServerProcess) -> Api:
    return Api(server.url)


def seat_link(api: Api, *others: str, game: str = GAME) -> str:
    """The link to a seat at a table with these in the other seats."""
    opened = api.open("me", *others, game=game)
    return f"/table/{opened['table']}#seat={opened['seat']}.{opened['secret']}"


class PlainPlayer:
    """Plays by pressing what the page highlights: cards first, then one of the remaining moves."""

    def __init__(self, page: Page, press: Press = Locator.click) -> None:
        self.page = page
        self.press = press
        self.board = page.get_by_test_id("plain-board")
        self.final = page.get_by_test_id("final")
        self.moves = page.get_by_test_id("move")
        self.things = page.locator("[data-testid=plain-board] [data-usable]:not([data-testid=move])")
        self.picked = page.locator("[data-piece][aria-pressed=true]")
        self.done: set[str] = set()
        self._dice = random.Random(3)

    def wait(self) -> bool:
        """Wait until there is something to do. Returns False if the game is over."""
        self.page.locator("[data-usable]:enabled, [data-testid=final]").first.wait_for()
        return not self.final.is_visible()

    def play(self, look: Callable[[], None] = lambda: None) -> None:
        while self.wait():
            look()
            self.move(look)

    def move(self, look: Callable[[], None] = lambda: None) -> None:
        before = self.board.get_attribute("data-n")
        self.press(self._dice.choice(self.things.all()))
        if self.picked.count():
            look()
            move = self._dice.choice(self.moves.all())
            for one in self.moves.all():
                if one.get_attribute("data-do") in {"sell", "take"} - self.done:
                    move = one
            self.done.add(str(move.get_attribute("data-do")))
            self.press(move)
        else:
            self.done.add("at once")
        expect(self.board).not_to_have_attribute("data-n", before or "")
        expect(self.page.get_by_test_id("refusal")).to_be_hidden()


def test_pressing_a_place_moves_there(visit: Visits, api: Api) -> None:
    page = visit(seat_link(api, "normal"))
    someone = PlainPlayer(page)
    place = page.locator("[data-testid=place][data-usable]")
    while someone.wait() and not place.count():
        before = someone.board.get_attribute("data-n")
        page.locator("[data-testid=move][data-do=take]").first.click()
        expect(someone.board).not_to_have_attribute("data-n", before or "")
    name = place.get_attribute("data-place")
    place.click()
    expect(page.get_by_test_id("log")).to_contain_text(f"You ride to {name}")


def test_a_whole_game_by_mouse_and_its_replay(visit: Visits) -> None:
    page = visit("/")
    page.get_by_test_id(f"play-now-{GAME}").click()
    someone = PlainPlayer(page)
    someone.play()
    assert len(someone.done) > 2, f"hardly anything was done: {someone.done}"
    expect(someone.final.get_by_role("listitem")).to_have_count(3)

    page.get_by_test_id("replay").click()
    controls = page.get_by_test_id("replay-controls")
    before = someone.board.get_attribute("data-n")
    controls.get_by_role("button", name="One step forward").click()
    expect(someone.board).not_to_have_attribute("data-n", before or "")
    expect(page.get_by_test_id("card").first).to_be_disabled()
    expect(page.locator("[data-usable]")).to_have_count(0)


def test_a_whole_game_by_keyboard(visit: Visits, api: Api) -> None:
    page = visit(seat_link(api, "normal"))
    someone = PlainPlayer(page, Keys(page).press)
    someone.wait()
    before = someone.board.get_attribute("data-n")
    page.keyboard.press("1")
    expect(someone.board).not_to_have_attribute("data-n", before or "")
    someone.play()
    expect(someone.final.get_by_role("heading", level=2)).to_contain_text("win")


def test_a_whole_game_by_touch_on_a_phone(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, seat_link(api, "normal", "normal", "normal"))
    someone = PlainPlayer(page, Locator.tap)
    hand = page.locator("[data-anchor^=cards]:last-child [data-testid=card]")

    def look() -> None:
        assert_nothing_cut_off(page, page.get_by_test_id("prompt").inner_text())
        for card in hand.all():
            expect(card, "a card of the hand is not all on the screen").to_be_in_viewport(ratio=0.99)

    someone.play(look)
    assert_nothing_cut_off(page, "the end")


def test_picking_a_card_filters_the_moves_and_escape_undoes_it(visit: Visits, api: Api) -> None:
    page = visit(seat_link(api, "normal"))
    someone = PlainPlayer(page)
    someone.wait()
    card = page.get_by_role("region", name="Market").get_by_test_id("card").first
    name = card.get_attribute("data-card") or ""
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    for move in someone.moves.all():
        expect(move).to_contain_text(name)
    expect(page.locator("[data-testid=move][data-do=take]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(card).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[data-testid=move][data-do=pass]")).to_be_visible()


@pytest.mark.parametrize("phone", [False, True])
def test_the_plain_board_is_accessible(visit: Visits, api: Api, phone: bool) -> None:
    link = seat_link(api, "normal", "normal")
    page = visit_on_phone(visit, link) if phone else visit(link)
    someone = PlainPlayer(page)
    someone.wait()
    assert_accessible(page)
    someone.things.last.click()
    assert_accessible(page)


def test_a_hint_highlights_the_move(visit: Visits, api: Api) -> None:
    page = visit(seat_link(api, "normal"))
    PlainPlayer(page).wait()
    page.get_by_test_id("hint").click()
    expect(page.get_by_test_id("hinted").first).to_be_visible()
    expect(page.get_by_test_id("plain-board").locator("[data-hinted]").first).to_be_visible()


def test_a_card_that_no_move_uses_says_so(visit: Visits, api: Api) -> None:
    opened = api.open("me", "open", game=GAME)
    place = api.sit(opened["table"], "Bruno")
    page = visit(f"/table/{opened['table']}#seat={place['seat']}.{place['secret']}")
    page.get_by_test_id("card").first.click()
    expect(page.get_by_test_id("refusal")).to_contain_text("nothing for you to do")


def test_many_long_moves_do_not_hide_the_table(visit: Visits, api: Api) -> None:
    page = visit(seat_link(api, "normal", game="rock-pools"))
    page.set_viewport_size({"width": 1200, "height": 800})
    someone = PlainPlayer(page)
    someone.wait()
    pools = page.get_by_role("region", name="pool")
    expect(pools).to_have_count(3)

    def in_sight() -> bool:
        near = page.get_by_test_id("moves").bounding_box()
        boxes = [pool.bounding_box() for pool in pools.all()]
        return near is not None and all(box and box["y"] > 0 and box["y"] + box["height"] < near["y"] for box in boxes)

    assert in_sight(), "the moves hide the table"
    toggle = page.get_by_test_id("verb")
    toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    assert someone.moves.count() == 12
    assert in_sight(), "an opened list hides the table"


def test_no_two_kinds_of_card_have_the_same_colour(visit: Visits, api: Api) -> None:
    page = visit(seat_link(api, "normal", game="rock-pools"))
    PlainPlayer(page).wait()
    faces = page.locator("[data-testid=plain-board] .face:has(path)")
    colours = dict(faces.evaluate_all(NAMES_AND_COLOURS))
    assert len(set(colours.values())) == len(colours) >= 6, colours


def test_a_game_without_a_layout_can_be_played(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, seat_link(api, "normal", game="bare-market"))
    someone = PlainPlayer(page, Locator.tap)
    someone.wait()
    expect(page.get_by_test_id("values")).to_contain_text("Market")
    for _ in range(3):
        someone.wait()
        assert_nothing_cut_off(page, "plain values")
        before = someone.board.get_attribute("data-n")
        someone.moves.first.tap()
        expect(someone.board).not_to_have_attribute("data-n", before or "")
    someone.wait()
    assert_accessible(page)


@pytest.mark.parametrize("count", [1, 2, 5, 6, 7, 12])
def test_the_lobby_has_room_for_any_number_of_games(visit: Visits, api: Api, count: int) -> None:
    listed = api.get("/api/games")
    title = "The Transcontinental Express"
    games: list[dict[str, Any]] = [{**listed[-1], "name": f"game-{n}", "title": f"{title} {n}"} for n in range(count)]

    def answer(route: Route) -> None:
        route.fulfill(json=games)

    page = visit("/about")
    page.route("**/api/games", answer)
    page.goto("/")
    posters = page.locator("[data-testid^=lobby-poster-]")
    expect(posters).to_have_count(count)
    for wide in WIDTHS:
        page.set_viewport_size({"width": wide, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= wide, f"{count} games are wider than {wide}"
        boxes = posters.evaluate_all(BOXES)
        rows: dict[int, int] = {}
        for box in boxes:
            assert box["width"] >= 180, f"{count} posters on {wide} are too narrow: {box}"
            rows[round(box["y"])] = rows.get(round(box["y"]), 0) + 1
        fullest, last = max(rows.values()), list(rows.values())[-1]
        assert fullest - last < len(rows), f"{count} games on {wide} stand in rows of {list(rows.values())}"
