"""The plain board: a game that brings no board of its own is played by mouse, keys and finger, and watched again."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.axe import everyone_can_use
from tests.browser.conftest import Visits
from tests.browser.keys import Keys
from tests.browser.narrow import nothing_is_cut_off, on_a_phone
from tests.browser.serving import ServerProcess
from tests.server.client import Api

Press = Callable[[Locator], None]
GAME = "fruit-market"
WIDTHS = (360, 768, 1280, 1920)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One with two games that have no board of their own."""
    with ServerProcess(tmp_path_factory.mktemp("plain"), "tests.browser.plain_games") as server:
        yield server


@pytest.fixture(scope="module")
def api(server: ServerProcess) -> Api:
    return Api(server.url)


def a_seat(api: Api, *others: str, game: str = GAME) -> str:
    """The link to a seat at a table with these in the other seats."""
    opened = api.open("me", *others, game=game)
    return f"/table/{opened['table']}#seat={opened['seat']}.{opened['secret']}"


class Someone:
    """Plays by pressing what the page highlights: cards first, then one of the moves that are left."""

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
        """Until there is something to do; False when the game is over."""
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


def test_a_press_on_a_place_goes_there(visit: Visits, api: Api) -> None:
    page = visit(a_seat(api, "normal"))
    someone = Someone(page)
    place = page.locator("[data-testid=place][data-usable]")
    while someone.wait() and not place.count():
        before = someone.board.get_attribute("data-n")
        page.locator("[data-testid=move][data-do=take]").first.click()
        expect(someone.board).not_to_have_attribute("data-n", before or "")
    name = place.get_attribute("data-place")
    place.click()
    expect(page.get_by_test_id("log")).to_contain_text(f"You ride to {name}")


def test_a_whole_game_is_played_by_mouse_and_watched_again(visit: Visits) -> None:
    page = visit("/")
    page.get_by_test_id(f"play-now-{GAME}").click()
    someone = Someone(page)
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


def test_a_whole_game_is_played_with_keys_alone(visit: Visits, api: Api) -> None:
    page = visit(a_seat(api, "normal"))
    someone = Someone(page, Keys(page).press)
    someone.wait()
    before = someone.board.get_attribute("data-n")
    page.keyboard.press("1")
    expect(someone.board).not_to_have_attribute("data-n", before or "")
    someone.play()
    expect(someone.final.get_by_role("heading", level=2)).to_contain_text("win")


def test_a_whole_game_is_played_by_finger_on_a_phone_and_nothing_is_cut_off(visit: Visits, api: Api) -> None:
    page = on_a_phone(visit, a_seat(api, "normal", "normal", "normal"))
    someone = Someone(page, Locator.tap)
    hand = page.locator("[data-anchor^=cards]:last-child [data-testid=card]")

    def look() -> None:
        nothing_is_cut_off(page, page.get_by_test_id("prompt").inner_text())
        for card in hand.all():
            expect(card, "a card of the hand is not all on the screen").to_be_in_viewport(ratio=0.99)

    someone.play(look)
    nothing_is_cut_off(page, "the end")


def test_a_card_picked_leaves_the_moves_that_name_it_and_escape_puts_it_back(visit: Visits, api: Api) -> None:
    page = visit(a_seat(api, "normal"))
    someone = Someone(page)
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
def test_everyone_can_use_the_plain_board(visit: Visits, api: Api, phone: bool) -> None:
    link = a_seat(api, "normal", "normal")
    page = on_a_phone(visit, link) if phone else visit(link)
    someone = Someone(page)
    someone.wait()
    everyone_can_use(page)
    someone.things.last.click()
    everyone_can_use(page)


def test_a_hint_lights_the_move(visit: Visits, api: Api) -> None:
    page = visit(a_seat(api, "normal"))
    Someone(page).wait()
    page.get_by_test_id("hint").click()
    expect(page.get_by_test_id("hinted").first).to_be_visible()
    expect(page.get_by_test_id("plain-board").locator("[data-hinted]").first).to_be_visible()


def test_a_card_that_no_move_uses_says_so(visit: Visits, api: Api) -> None:
    opened = api.open("me", "open", game=GAME)
    place = api.sit(opened["table"], "Bruno")
    page = visit(f"/table/{opened['table']}#seat={place['seat']}.{place['secret']}")
    page.get_by_test_id("card").first.click()
    expect(page.get_by_test_id("refusal")).to_contain_text("nothing for you to do")


def test_a_view_without_a_layout_is_listed_and_played(visit: Visits, api: Api) -> None:
    page = on_a_phone(visit, a_seat(api, "normal", game="bare-market"))
    someone = Someone(page, Locator.tap)
    someone.wait()
    expect(page.get_by_test_id("values")).to_contain_text("Market")
    for _ in range(3):
        someone.wait()
        nothing_is_cut_off(page, "plain values")
        before = someone.board.get_attribute("data-n")
        someone.moves.first.tap()
        expect(someone.board).not_to_have_attribute("data-n", before or "")
    someone.wait()
    everyone_can_use(page)


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
        rows: dict[int, int] = {}
        for poster in posters.all():
            box = poster.bounding_box()
            assert box is not None
            assert box["width"] >= 180, f"{count} posters on {wide} are too narrow: {box}"
            rows[round(box["y"])] = rows.get(round(box["y"]), 0) + 1
        fullest, last = max(rows.values()), list(rows.values())[-1]
        assert fullest - last < len(rows), f"{count} games on {wide} stand in rows of {list(rows.values())}"
