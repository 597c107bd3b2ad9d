"""The board of Itchy Feet: whole games by mouse, keyboard and touch; trades, reactions, events, the discards."""

import random
import re
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from typing import Any, Self

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import Visits
from tests.browser.keys import Keys
from tests.browser.narrow import HIGH, WIDE, assert_nothing_cut_off, visit_on_phone
from tests.browser.player import Press
from tests.browser.positions import Place, prefer, reach
from tests.server.client import Api, Client

EVERYTHING = {
    "events": True,
    "special_items": True,
    "forbidden_items": True,
    "postcards": True,
    "characters": True,
}
READY = "[data-testid=final], [data-testid=board]:not([data-sending]) [data-usable]:enabled:visible"
"""Matches when the page waits for this player, or the game is over."""


def against_bots(api: Api, bots: int = 1, **options: Any) -> Place:
    """A short game of one person and bots; the person begins."""
    options = {"turn_limit": 10, "start": "1", **options}
    opened = api.open("me", *["normal"] * bots, game="itchy-feet", options=options)
    return Place(opened["table"], opened["seat"], opened["secret"])


def two_players(api: Api, **options: Any) -> tuple[Place, Place]:
    """Ada and Bruno; Ada begins."""
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    body = {"game": "itchy-feet", "seats": seats, "options": {"start": "1", **options}}
    opened = api.post("/api/tables", body)
    bruno = api.sit(opened["table"], "Bruno")
    ada = Place(opened["table"], opened["seat"], opened["secret"])
    return ada, Place(opened["table"], bruno["seat"], bruno["secret"])


def all_draw(api: Api, *places: Place, rounds: int = 1) -> None:
    """Everybody draws, in turn."""
    with ExitStack() as stack:
        clients = [stack.enter_context(api.join(place.table, place.secret)) for place in places]
        for _ in range(rounds):
            for client in clients:
                while {"do": "draw"} not in client.moves():
                    client.receive()
                assert client.move({"do": "draw"})["type"] == "ack"


class Traveller:
    """A player who does only what the page highlights."""

    def __init__(self, page: Page, press: Press = Locator.click, seed: int = 1) -> None:
        self.page = page
        self.press = press
        self.done: set[str] = set()
        self.refusal = page.get_by_test_id("refusal")
        self.hand = page.get_by_test_id("card")
        self.tray = page.get_by_test_id("tray")
        self._board = page.get_by_test_id("board")
        self._dice = random.Random(seed)

    def __getitem__(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def card(self, name: str) -> Locator:
        """A card of the backpack that is not chosen."""
        return self.page.locator(f'[data-testid=card][data-card="{name}"][aria-pressed=false]').first

    def cards(self) -> list[str]:
        return [held.get_attribute("data-card") or "" for held in self.hand.all()]

    def ask(self, name: str) -> Locator:
        return self.page.locator(f'[data-testid=ask][data-card="{name}"]')

    def usable(self, testid: str) -> Locator:
        return self.page.locator(f"[data-testid={testid}][data-usable]:visible")

    def wait(self) -> Self:
        self.page.locator(READY).first.wait_for()
        return self

    def over(self) -> bool:
        return self["final"].is_visible()

    def play(self, look: Callable[[str], None] = lambda where: None, moves: int | None = None) -> None:
        """Play to the end, or this many moves. `look` is called once in every kind of situation."""
        for _ in count() if moves is None else range(moves):
            if self.wait().over():
                return
            moment = self._board.get_attribute("data-moment")
            self._move(look)
            later = f"[data-testid=board]:not([data-moment='{moment}'])"
            self.page.locator(f"[data-testid=final], {later}").first.wait_for()
            assert not self.refusal.is_visible(), f"offered, and refused: {self.refusal.inner_text()}"

    def _move(self, look: Callable[[str], None]) -> None:
        if self["chooser"].is_visible():
            look("choosing a card")
            self._do("choice" if self.usable("choice").count() else "stop")
        elif self["allow"].is_visible():
            look("being asked for a reaction")
            self._do("react" if self["react"].is_visible() else "allow")
        elif self["decline"].is_visible():
            look("an offer")
            self._answer(look)
        elif self["pay"].is_visible():
            look("discarding")
            self._pay()
        elif self["who"].is_visible():
            self._do_one(self.page.locator("[data-testid^=who-][data-usable]"), "redraw")
        else:
            look("the turn")
            self._act(look)

    def _act(self, look: Callable[[str], None]) -> None:
        if self.usable("travel").count():
            self._do("travel")
            if self["travel-0"].is_visible():
                self._do("travel-0")
            return
        special = self.page.locator("[data-testid=card][data-usable]")
        if special.count() and self._dice.random() < 0.7:
            self.press(special.first)
            look("a special item")
            self._do("play")
            return
        verbs = ["draw", "draw", "recycle", "steal", "trade", "get-rid", "smuggle", "steal-country", "pass"]
        verb = self._dice.choice([one for one in verbs if self.usable(one).count()])
        self._do(verb)
        if verb == "steal-country":
            self.press(self.page.locator("[data-piece][data-testid^=steal-]").first)
        if self["who"].is_visible():
            look("with whom")
            self._do_one(self.page.locator("[data-testid^=who-][data-usable]"), "who")
        if verb == "trade":
            self.press(self.page.locator("[data-testid=card][aria-pressed=false]").first)
            self.press(self["ask"].first)
            look("the tray")
            self._do("propose")

    def _answer(self, look: Callable[[str], None]) -> None:
        if self.usable("accept").count():
            self._do("accept")
        elif self.usable("counter").count() and "counter" not in self.done:
            self._do("counter")
            look("a counter-offer")
            self._do("propose")
        else:
            self._do("decline")

    def _pay(self) -> None:
        while not self.usable("pay").count():
            self.press(self.page.locator("[data-testid=card][data-usable][aria-pressed=false]").first)
        self._do("pay")

    def _do(self, testid: str) -> None:
        self._do_one(self.usable(testid), testid)

    def _do_one(self, some: Locator, name: str) -> None:
        self.press(self._dice.choice(some.all()))
        self.done.add(name)


def assert_score_shown(page: Page, players: int) -> None:
    final = page.get_by_test_id("final")
    expect(final.get_by_role("heading", level=2)).to_contain_text("win")
    expect(final.get_by_role("listitem")).to_have_count(players)
    expect(final).to_contain_text("Countries")


def test_a_whole_game_by_mouse(visit: Visits) -> None:
    page = visit("/")
    page.get_by_test_id("invite-itchy-feet").click()
    set_up = page.get_by_test_id("set-up")
    set_up.get_by_label("Your name").fill("Ada")
    set_up.locator("fieldset").get_by_text("3", exact=True).click()
    set_up.get_by_label("Seat 2").select_option("bot:normal")
    set_up.get_by_label("Seat 3").select_option("bot:normal")
    set_up.get_by_text("Options").click()
    for extension in ("Events", "Special items", "Forbidden items", "Postcards", "Characters"):
        set_up.get_by_label(extension).select_option(label="yes")
    set_up.get_by_label("Turn limit").select_option("10")
    page.get_by_test_id("open-table").click()

    player = Traveller(page)
    player.play()
    assert_score_shown(page, 3)
    assert {"draw", "pay"} & player.done


def test_a_whole_game_by_keyboard(visit: Visits, api: Api) -> None:
    """In a small window, where the backpack lies above what scrolls."""
    page = visit(against_bots(api, bots=2).link, size=(WIDE, HIGH))
    player = Traveller(page, Keys(page).press, seed=3).wait()
    page.keyboard.press("Tab")
    expect(player["skip"]).to_be_focused()
    page.keyboard.press("Enter")
    expect(player.page.locator("[data-anchor=prompt]")).to_be_focused()
    player.play()
    assert_score_shown(page, 3)
    assert {"trade", "who"} <= player.done


def late(api: Api, bots: int) -> Place:
    """A seat at a table with everything in play, and a turn or two left."""

    def last_turns(client: Client) -> bool:
        return not client.over() and client.now["view"]["round"] > 8

    calm = prefer("draw", "discard", "hand-on", "allow", "decline", "pass")
    return reach(api, lambda: against_bots(api, bots, **EVERYTHING), last_turns, calm)


def test_first_and_last_turns_by_touch_on_a_phone(visit: Visits, api: Api) -> None:
    seen: set[str] = set()
    page = visit_on_phone(visit, against_bots(api, bots=3, **EVERYTHING).link)
    page.evaluate(
        """() => {
            const boxes = (window.boxes = new Set());
            const look = () => {
                const card = document.querySelector('[data-testid=destination]');
                const box = card?.getBoundingClientRect();
                if (box) boxes.add(`${Math.round(box.height)} high at ${Math.round(box.top + scrollY)}`);
                requestAnimationFrame(look);
            };
            look();
        }"""
    )

    def look(where: str) -> None:
        if where not in seen:
            seen.add(where)
            assert_nothing_cut_off(page, where)

    Traveller(page, Locator.tap, seed=5).play(look, moves=8)
    assert "the turn" in seen
    boxes = page.evaluate("[...window.boxes]")
    assert len(boxes) == 1, f"the countries do not stay where they are: {boxes}"
    page = visit_on_phone(visit, late(api, bots=3).link)
    Traveller(page, Locator.tap, seed=5).play(look)
    assert_score_shown(page, 4)
    assert_nothing_cut_off(page, "the end")


def test_countries_grow_with_the_screen(visit: Visits, api: Api) -> None:
    place = against_bots(api)
    wide = []
    for size in ((1280, 800), (1920, 1080)):
        page = visit(place.link, size=size)
        expect(page.get_by_test_id("destination")).to_be_in_viewport(ratio=1)
        box = page.get_by_test_id("destination").bounding_box()
        assert box is not None
        wide.append(box["width"])
    assert wide[1] > 1.3 * wide[0], f"a country is {wide[1]} pixels wide on a large screen, {wide[0]} on a small one"


def test_six_players_fit_on_a_phone(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, against_bots(api, bots=5, **EVERYTHING).link)
    player = Traveller(page, Locator.tap).wait()
    assert_nothing_cut_off(page, "six players")
    for held in player.hand.all():
        expect(held).to_be_in_viewport(ratio=0.99)
    player["trade"].tap()
    assert_nothing_cut_off(page, "six players, trading with one of five")
    player["who-3"].tap()
    player.hand.first.tap()
    player["ask"].first.tap()
    assert_nothing_cut_off(page, "the tray")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    for needs in ("partner-needs", "own-needs"):
        expect(player[needs], f"scrolled down, {needs} are out of sight").to_be_in_viewport(ratio=1)
    player["put-away"].tap()
    player["discard-pile"].tap()
    expect(player["discards"]).to_be_visible()
    assert_nothing_cut_off(page, "the drawer of discards")


def test_a_trade_is_offered_countered_and_accepted(visit: Visits, api: Api) -> None:
    for_ada, for_bruno = two_players(api)
    ada, bruno = Traveller(visit(for_ada.link)).wait(), Traveller(visit(for_bruno.link))
    expect(bruno.hand).to_have_count(4)
    hers, his = ada.cards(), bruno.cards()
    ada["trade"].click()
    expect(ada["prompt"]).to_contain_text("Choose what to give Bruno")
    expect(ada["partner-needs"], "what the partner travels for is out of sight").to_be_in_viewport(ratio=1)
    expect(ada["own-needs"], "what one travels for oneself is out of sight").to_be_in_viewport(ratio=1)
    mine = next(card for card in hers if card != "Passport")
    ada.card(mine).drag_to(ada["tray-give"])
    expect(ada["tray-give"]).to_contain_text(mine)
    ada.ask("Passport").click()
    ada["propose"].click()

    expect(ada.tray, "Bruno may be away, and not thinking at all").to_contain_text("Waiting for Bruno")
    expect(bruno.tray).to_contain_text("Ada gives")
    expect(bruno["prompt"]).to_contain_text("Accept, decline or counter")
    bruno["counter"].click()
    # The offer is turned round on the tray, so one card more is all there is to do.
    expect(bruno["tray-give"]).to_contain_text("Passport")
    expect(bruno["tray-want"]).to_contain_text(mine)
    bruno.ask("Passport").click()
    bruno["propose"].click()

    expect(ada["tray-give"]).to_contain_text(mine)
    ada.usable("accept").click()
    expect(ada["log"]).to_contain_text(re.compile("trades? "))
    expect(ada["log"]).to_contain_text("as a bonus")
    bruno.wait()
    assert Counter(bruno.cards()) == Counter(his) + Counter([mine])
    expect(ada.hand).to_have_count(len(hers))


def test_a_whole_hand_can_be_traded_and_fits_on_the_tray(visit: Visits, api: Api) -> None:
    for_ada, for_bruno = two_players(api)
    all_draw(api, for_ada, for_bruno, rounds=3)
    ada, bruno = (
        Traveller(visit(for_ada.link)).wait(),
        Traveller(visit_on_phone(visit, for_bruno.link), Locator.tap),
    )
    expect(bruno.hand).to_have_count(7)
    hers, his = ada.cards(), bruno.cards()
    ada["trade"].click()
    for card in hers:
        ada.card(card).click()
    for card in his:
        ada.ask(card).click()
    within(ada["tray"], ada["on-tray"], 14)
    ada["propose"].click()

    expect(bruno["prompt"]).to_contain_text("Accept, decline or counter")
    assert_nothing_cut_off(bruno.page, "an offer of a whole hand for a whole hand")
    bruno["counter"].tap()
    within(bruno["tray"], bruno["on-tray"], 14)
    assert_nothing_cut_off(bruno.page, "the same as a counter-offer")
    bruno["propose"].tap()
    ada.usable("accept").click()
    expect(ada["log"]).to_contain_text(re.compile("trades? "))
    for card, many in Counter(hers).items():
        expect(bruno.page.locator(f'[data-testid=card][data-card="{card}"]')).to_have_count(many)


def within(tray: Locator, cards: Locator, many: int) -> None:
    """Fails unless this many cards are on the tray, each fully within its edges."""
    expect(cards).to_have_count(many)
    edge = tray.bounding_box()
    assert edge
    for card in cards.all():
        box = card.bounding_box()
        assert box
        right, bottom = box["x"] + box["width"], box["y"] + box["height"]
        assert edge["x"] <= box["x"] <= right <= edge["x"] + edge["width"], f"{box} leaves {edge}"
        assert edge["y"] <= box["y"] <= bottom <= edge["y"] + edge["height"], f"{box} leaves {edge}"


def test_bluffing_is_allowed_and_an_illegal_trade_is_refused_with_its_rule(visit: Visits, api: Api) -> None:
    for_ada, for_bruno = two_players(api)
    ada, bruno = Traveller(visit(for_ada.link)).wait(), Traveller(visit(for_bruno.link))
    lacking = next(card for card in ("Camera", "Swimsuit", "Phrasebook", "Sunscreen") if card not in ada.cards())
    ada["trade"].click()
    ada.page.get_by_role("tab", name="Bluff").click()
    ada.page.locator(f'[data-testid=bluff][data-card="{lacking}"]').click()
    ada.page.get_by_role("tab", name="Ask for").click()
    ada.ask("Passport").click()
    ada["propose"].click()
    expect(ada.refusal).to_contain_text("IF-34")
    # What lies on the tray already stays there, and the bluff can be offered alone.
    ada.page.keyboard.press("Escape")
    expect(ada["tray-give"]).to_contain_text(lacking)
    ada["propose"].click()
    expect(bruno["prompt"]).to_contain_text(lacking)
    bruno["decline"].click()
    expect(ada["log"]).to_contain_text("Bruno declines")


def test_a_disabled_button_says_why(visit: Visits, api: Api) -> None:
    player = Traveller(visit(against_bots(api).link)).wait()
    player["recycle"].click()
    expect(player.refusal).to_be_visible()
    player.refusal.get_by_role("button", name="Why").click()
    expect(player["rulebook-drawer"].locator("[data-rule=IF-25], [data-rule=IF-26]").first).to_be_visible()

    player["rulebook-drawer"].get_by_role("button", name="Close").click()
    player["trade"].click()
    player["propose"].click()
    expect(player.refusal).to_contain_text("Say what you would give, or what you want")
    expect(player["log"]).not_to_contain_text("trade")


def test_a_reaction_has_a_countdown_that_can_be_stopped(visit: Visits, api: Api) -> None:
    for_ada, for_bruno = two_players(api, special_items=True)
    all_draw(api, for_ada, for_bruno)
    ada, bruno = Traveller(visit(for_ada.link)).wait(), Traveller(visit(for_bruno.link))
    ada["steal"].click()
    ada.hand.first.click()
    ada["pay"].click()
    expect(bruno["reaction"]).to_contain_text("Ada is about to steal")
    expect(bruno["reaction"]).to_contain_text("It happens in")
    bruno["hold"].click()
    expect(bruno["reaction"]).to_contain_text("Take your time")
    expect(ada["reaction"]).to_contain_text("Waiting for an answer")
    bruno["allow"].click()
    expect(ada["log"]).to_contain_text("You steal")


def test_an_action_happens_if_nobody_reacts_in_time(visit: Visits, api: Api) -> None:
    for_ada, for_bruno = two_players(api, special_items=True)
    all_draw(api, for_ada, for_bruno)
    page = visit("/about", alone=True)
    page.clock.install()
    page.goto(for_bruno.link)
    ada, bruno = Traveller(visit(for_ada.link)).wait(), Traveller(page)
    ada["steal"].click()
    ada.hand.first.click()
    ada["pay"].click()
    expect(bruno["reaction"]).to_contain_text("It happens in")
    page.clock.run_for(13_000)
    expect(ada["log"]).to_contain_text("You steal")


def test_events_fill_the_screen_and_stay_visible(visit: Visits, api: Api) -> None:
    for_ada, for_bruno = two_players(api, events=True)
    ada = Traveller(visit(for_ada.link, moving=True)).wait()
    with api.join(for_ada.table, for_ada.secret) as one, api.join(for_bruno.table, for_bruno.secret) as other:
        event = ""
        while not event:
            mover, fellow = (one, other) if one.moves() else (other, one)
            event = draw(mover)
            while fellow.now["n"] < mover.last:
                fellow.receive()
            if not event:
                expect(ada["board"]).to_have_attribute("data-moment", str(mover.last))
    expect(ada["moment"]).to_contain_text(event)
    expect(ada["moment"]).to_be_hidden()
    expect(ada["latest"]).to_contain_text(event)


def draw(client: Client) -> str:
    """Draw, or discard down to the limit. Returns the event that was drawn, if any."""
    wanted = ("draw", "discard", "hand-on")
    client.move(next(move for verb in wanted for move in client.moves() if move["do"] == verb))
    client.until(lambda: client.now["n"] == client.last)
    said = client.events[client.last]["events"]
    return next((str(one["card"]) for one in said if one["event"] == "event"), "")


def test_cards_explain_themselves_to_mouse_keys_and_fingers(visit: Visits, api: Api) -> None:
    place = against_bots(api)
    player = Traveller(visit(place.link)).wait()
    player.card("Passport").hover()
    expect(player["explain"]).to_contain_text("IF-5")
    player.page.mouse.move(2, 2)
    expect(player["explain"]).to_be_hidden()
    Keys(player.page).go(player.card("Passport"))
    expect(player["explain"]).to_contain_text("IF-5")

    finger = Traveller(visit_on_phone(visit, place.link), Locator.tap).wait()
    finger.card("Passport").dispatch_event("pointerdown", {"pointerType": "touch", "button": 0})
    expect(finger["explain"]).to_contain_text("IF-5")


def test_everyone_can_look_through_the_discards_at_any_time(visit: Visits, api: Api) -> None:
    for_ada, for_bruno = two_players(api)
    ada, bruno = Traveller(visit(for_ada.link)).wait(), Traveller(visit(for_bruno.link))
    paid = next(card for card in ada.cards() if card != "Passport")
    ada["steal"].click()
    ada.card(paid).click()
    ada["pay"].click()
    expect(ada["log"]).to_contain_text("You steal")
    ada["discard-pile"].click()
    expect(ada["discards"]).to_contain_text(paid)
    ada.page.keyboard.press("Escape")
    expect(ada["discards"]).to_be_hidden()
    bruno.page.keyboard.press("b")
    expect(bruno["discards"]).to_contain_text(paid)


def own_turn(visit: Visits, api: Api) -> Page:
    player = Traveller(visit(against_bots(api, bots=3, **EVERYTHING).link)).wait()
    player.hand.first.click()
    return player.page


def trade_on_the_tray(visit: Visits, api: Api) -> Page:
    player = Traveller(visit(against_bots(api, **EVERYTHING).link)).wait()
    player["trade"].click()
    player.hand.first.click()
    player["ask"].first.click()
    return player.page


def table_on_a_phone(visit: Visits, api: Api) -> Page:
    page = visit_on_phone(visit, against_bots(api, bots=3, **EVERYTHING).link)
    Traveller(page).wait()
    return page


def reaction_prompt(visit: Visits, api: Api) -> Page:
    for_ada, for_bruno = two_players(api, special_items=True)
    all_draw(api, for_ada, for_bruno)
    ada, bruno = Traveller(visit(for_ada.link)).wait(), Traveller(visit(for_bruno.link))
    ada["steal"].click()
    ada.hand.first.click()
    ada["pay"].click()
    bruno["hold"].click()
    return bruno.page


def open_discards(visit: Visits, api: Api) -> Page:
    page = own_turn(visit, api)
    page.get_by_test_id("discard-pile").click()
    return page


def bucket_list_table(visit: Visits, api: Api) -> Page:
    page = visit(against_bots(api, bots=2, variant="bucket-list").link)
    Traveller(page).wait()
    return page


@pytest.mark.parametrize(
    "show", [own_turn, trade_on_the_tray, table_on_a_phone, reaction_prompt, open_discards, bucket_list_table]
)
def test_accessibility(visit: Visits, api: Api, show: Callable[[Visits, Api], Page]) -> None:
    assert_accessible(show(visit, api))
