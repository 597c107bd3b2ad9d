"""The board of The Journey: Istanbul: whole games by mouse, keyboard and touch; talk, evenings, the planner."""

import random
from collections.abc import Callable
from contextlib import ExitStack
from typing import Self

from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import Visits
from tests.browser.keys import Keys
from tests.browser.narrow import assert_nothing_cut_off, visit_on_phone
from tests.browser.player import Press
from tests.browser.positions import MAX_TABLES, Place, over, prefer, reach
from tests.server.client import Api, Client, Message

READY = "[data-testid=final], [data-testid=tray].mine [data-usable]"
"""Matches when the page waits for this player, or the game is over."""

WATCHED = """() => {
  new MutationObserver(() => {
    if (window.ahead === undefined && document.querySelector('[data-testid=evening]'))
      window.ahead = document.querySelector('[data-testid=log]').textContent.includes('Evening of the');
  }).observe(document.body, { childList: true, subtree: true });
}"""
"""Records whether the log was ahead when an evening first became visible."""

LEAVES_ITS_DAY = """() => [...document.querySelectorAll('[data-testid=planner-day]')].some((day) =>
  [...day.querySelectorAll('*')].some((it) => it.getBoundingClientRect().right > day.getBoundingClientRect().right))"""

QUIET = ("stay", "end-looking", "decline")
"""Moves that change as little as possible."""

PREFERRED_VERBS = ("travel", "work", "pay", "leave")

SHORT = {
    **{f"do-{verb}": "y" for verb in ("travel", "work", "pay")},
    **{f"do-{verb}": "n" for verb in ("decline", "remain", "end-looking")},
    **{
        f"place-{name}": str(key)
        for key, name in enumerate(("Taksim", "Fatih", "Sultanahmet", "Üsküdar", "Kadıköy"), 1)
    },
    "do-leave": "2",
    "card": "n",
}
"""The single keys of the board."""


def against_bots(api: Api, bots: int = 1) -> Place:
    """A game of one person, who begins, and bots."""
    opened = api.open("me", *["normal"] * bots, game="journey-istanbul", options={"start": "1"})
    return Place(opened["table"], opened["seat"], opened["secret"])


def two_players(api: Api) -> tuple[Place, Place]:
    """Ada and Bruno; Ada begins."""
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    opened = api.post("/api/tables", {"game": "journey-istanbul", "seats": seats, "options": {"start": "1"}})
    bruno = api.sit(opened["table"], "Bruno")
    ada = Place(opened["table"], opened["seat"], opened["secret"])
    return ada, Place(opened["table"], bruno["seat"], bruno["secret"])


def in_debt(api: Api) -> list[Place]:
    """Ada, Bruno and Clara on the 2nd day: Ada is in Taksim, owes 1 000 TL there, and has nothing."""
    for _ in range(MAX_TABLES):
        seats = [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}]
        opened = api.post("/api/tables", {"game": "journey-istanbul", "seats": seats, "options": {"start": "1"}})
        sat = [opened, *(api.sit(opened["table"], name) for name in ("Bruno", "Clara"))]
        places = [Place(opened["table"], place["seat"], place["secret"]) for place in sat]
        with api.join(opened["table"]) as spectator:
            if spectator.now["view"]["players"][0]["obstacle"]["name"] == "Old debt" and _goes_broke(api, places):
                return places
    raise AssertionError(f"{MAX_TABLES} tables were opened, and at none of them Ada came into debt")


def _goes_broke(api: Api, places: list[Place]) -> bool:
    """Ada gives her money to Clara and goes to Taksim. Returns whether she is there and could pay."""
    ways: list[Message] = [{"do": "move", "to": "Sultanahmet"}, {"do": "move", "to": "Taksim"}]
    with ExitStack() as leaving:
        ada, *others = (leaving.enter_context(api.join(place.table, place.secret)) for place in places)
        for amount in (5000, 1000):
            ada.move({"do": "talk", "to": 2})
            ada.until(lambda: any(move["do"] == "give" for move in ada.moves()))
            ada.move({"do": "give", "amount": amount})
            ada.until(lambda: not any(move["do"] == "give" for move in ada.moves()))
        while ada.now["view"]["step"] != "pay":
            mover = next((one for one in (ada, *others) if one.seat in one.now["waiting"]), ada)
            wanted = [*(ways[:1] if mover is ada else []), *({"do": verb} for verb in QUIET)]
            choice = next((move for move in wanted if move in mover.moves()), None)
            if choice is None or ada.now["view"]["players"][0]["jail"]:
                return False
            if choice in ways:
                ways.remove(choice)
            mover.move(choice)
            for one in (ada, *others):
                while one.now["n"] < mover.last:
                    one.receive()
        return bool(ada.now["view"]["players"][0]["money"] == 0)


class Traveller:
    """A player who does only what the page highlights."""

    def __init__(self, page: Page, press: Press = Locator.click, seed: int = 1) -> None:
        self.page = page
        self.press = press
        self.refusal = page.get_by_test_id("refusal")
        self.places = page.locator("[data-testid^=place-][data-usable]")
        self.cards = page.locator("[data-testid=card][data-usable]")
        self.done: set[str] = set()
        self._dice = random.Random(seed)

    def __getitem__(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def wait(self) -> Self:
        self.page.locator(READY).first.wait_for(state="attached")
        return self

    def over(self) -> bool:
        return self["final"].is_visible()

    def play(self, look: Callable[[str], None] = lambda where: None) -> None:
        """Play the whole game. `look` is called once in every kind of situation."""
        while not self.wait().over():
            self.decide(lambda: self.move(look))
            assert not self.refusal.is_visible(), f"offered, and refused: {self.refusal.inner_text()}"

    def decide(self, act: Callable[[], None]) -> None:
        """Do it, and wait for the next decision. What others say meanwhile does not count."""
        decision = self["tray"].get_attribute("data-decision")
        act()
        later = f"[data-testid=tray]:not([data-decision='{decision}'])"
        self.page.locator(f"[data-testid=final], {later}").first.wait_for()

    def move(self, look: Callable[[str], None] = lambda where: None) -> None:
        if self["close-evening"].is_visible():
            look("the evening")
            self.press(self["close-evening"])
        if self.cards.count():
            look("looking")
            self._do(self._dice.choice(self.cards.all()), "look")
            return
        for verb in PREFERRED_VERBS:
            if self[f"do-{verb}"].locator("visible=true").count():
                look(verb)
                self._do(self[f"do-{verb}"].locator("visible=true").first, verb)
                return
        if self.places.count():
            look("moving")
            self._do(self._dice.choice(self.places.all()), "move")
        else:
            look("nothing but to go on")
            self._do(self.page.locator("[data-testid^=do-]:visible").first, "go on")

    def _do(self, target: Locator, verb: str) -> None:
        self.press(target)
        self.done.add(verb)


def assert_ending_shown(page: Page, players: int = 2) -> None:
    """The final page says who got out, and what the others lacked."""
    final = page.get_by_test_id("final")
    rows = final.get_by_role("listitem")
    expect(rows).to_have_count(players)
    for row in rows.all():
        expect(row).to_contain_text("Money left")
        text = row.inner_text()
        assert ("Travelled out" in text) != ("Still in Istanbul" in text), f"it says where one is: {text}"


def test_a_whole_game_by_mouse(visit: Visits, api: Api) -> None:
    player = Traveller(visit(against_bots(api).link))

    def look(where: str) -> None:
        assert not player.page.evaluate(LEAVES_ITS_DAY), f"{where}: what is written in the planner leaves its day"

    player.play(look)
    assert_ending_shown(player.page)
    assert {"move", "look"} <= player.done


def test_a_whole_game_by_keyboard(visit: Visits, api: Api) -> None:
    """Tab, arrows and Enter reach the places and the cards; single keys are quicker."""
    page = visit(against_bots(api).link)
    keys = Keys(page)
    player = Traveller(page, seed=2)
    first = player.wait().places.first
    player.decide(lambda: keys.press(first))
    looks = 0

    def by_key(target: Locator) -> None:
        nonlocal looks
        testid = target.get_attribute("data-testid") or ""
        if testid == "card":
            looks += 1
        if (testid == "card" and looks < 4) or testid not in SHORT:
            keys.press(target)
        else:
            page.keyboard.press(SHORT[testid])

    player.press = by_key
    player.play()
    assert_ending_shown(page)


def quiet(moves: list[Message]) -> Message:
    return prefer(*QUIET, "remain")(moves)


def on_day(api: Api, day: int, bots: int = 1) -> Place:
    """The seat of a person who did as little as possible until that day, and is to move."""

    def has_come(client: Client) -> bool:
        return not client.over() and client.now["view"]["day"] >= day

    return reach(api, lambda: against_bots(api, bots), has_come, quiet)


def test_first_and_last_days_by_touch_on_a_phone(visit: Visits, api: Api) -> None:
    looked: set[str] = set()
    page = visit_on_phone(visit, against_bots(api).link)

    def look(where: str) -> None:
        if where not in looked:
            looked.add(where)
            assert_nothing_cut_off(page, where)

    beginner = Traveller(page, Locator.tap, seed=3)
    for _ in range(6):
        beginner.wait().decide(lambda: beginner.move(look))
    page = visit_on_phone(visit, on_day(api, 16).link)
    Traveller(page, Locator.tap, seed=3).play(look)
    assert_nothing_cut_off(page, "the end")
    assert_ending_shown(page)


def test_five_travellers_fit_on_a_phone(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, against_bots(api, bots=4).link)
    player = Traveller(page, Locator.tap).wait()
    assert_nothing_cut_off(page, "the table")
    keys = Keys(page)
    keys.go(player["planner-day"].nth(6))
    keys.look()
    player["talk"].tap()
    player["talk-to"].first.tap()
    expect(player["point"].first).to_be_visible()
    assert_nothing_cut_off(page, "turning to somebody")
    player["point"].first.tap()
    expect(player["say-card"]).to_have_count(6)
    assert_nothing_cut_off(page, "saying what a card is")


def test_a_place_out_of_reach_is_refused_with_its_rule(visit: Visits, api: Api) -> None:
    player = Traveller(visit(against_bots(api).link)).wait()
    player["place-Fatih"].click()
    expect(player.refusal).to_contain_text("JI-23")


def tell(player: Traveller, card: int = 0) -> str:
    """Talk to the other player, point at the first card, and choose what to say about it."""
    player["talk"].click()
    player["talk-to"].first.click()
    player["point"].first.click()
    chosen = player["say-card"].nth(card)
    chosen.click()
    return chosen.get_attribute("data-card") or ""


def test_a_statement_is_sold(visit: Visits, api: Api) -> None:
    places = two_players(api)
    ada, bruno = (Traveller(visit(place.link)) for place in places)
    ada.wait()
    tell(ada)
    ada["sell"].first.click()
    expect(ada["talk-dialog"]).to_be_hidden()
    expect(ada["letters"]).to_contain_text("You offer to tell Bruno")
    expect(bruno["letters"]).to_contain_text("Ada would tell you")
    bruno["buy"].click()
    expect(bruno["letters"]).to_contain_text("Ada tells you")
    expect(bruno["players"]).to_contain_text("5\u202f000")
    expect(bruno["log"]).to_contain_text("You give Ada 1 000 TL for the information")
    expect(ada["letters"]).to_be_hidden()


def test_a_question_is_asked_and_answered(visit: Visits, api: Api) -> None:
    ada, bruno = (Traveller(visit(place.link)) for place in two_players(api))
    ada.wait()
    bruno["talk"].click()
    bruno["talk-to"].last.click()
    bruno["point"].first.click()
    bruno["ask"].nth(1).click()
    expect(bruno["letters"]).to_contain_text("You ask everybody")
    ada["answer"].click()
    ada["say-card"].first.click()
    ada["answer-send"].click()
    expect(ada["letters"]).to_contain_text("You offered to say that it is")
    expect(bruno["letters"]).to_contain_text("Ada would tell you, and has not looked at it")
    expect(bruno["players"]).not_to_contain_text("5\u202f000")
    bruno["accept"].click()
    expect(bruno["letters"]).to_contain_text("Ada tells you")
    expect(bruno["players"]).to_contain_text("5\u202f000")
    expect(ada["letters"]).to_be_hidden()


def test_a_lie_can_combine_anything_printed(visit: Visits, api: Api) -> None:
    ada, bruno = (Traveller(visit(place.link)) for place in two_players(api))
    ada.wait()
    tell(ada)
    ada["make"].click()
    ada["made-kind"].select_option("work")
    ada["made-place"].select_option("Kadıköy")
    ada["made-amount"].select_option("13000")
    ada["tell"].click()
    expect(ada["talk-dialog"]).to_be_hidden()
    expect(bruno["log"]).to_contain_text("is work in Kadıköy for 13 000 TL")


def test_a_planner_is_shown_as_its_owner_wrote_it(visit: Visits, api: Api) -> None:
    """Ada, on a phone, writes down something false, ticks a box and adds a note. Bruno sees it as her word."""
    places = two_players(api)
    ada = Traveller(visit_on_phone(visit, places[0].link), Locator.tap)
    bruno = Traveller(visit(places[1].link))
    ada.wait()
    day = ada.page.locator("[data-testid=planner-day]").nth(first_day(ada))
    day.tap()
    ada["edit-entry"].first.tap()
    ada["make"].tap()
    ada["made-kind"].select_option("police")
    ada["made-amount"].select_option("13000")
    assert_nothing_cut_off(ada.page, "writing in the planner")
    ada["enter"].tap()
    expect(ada["planner-entry"].first).to_contain_text("Your planner says")
    ada.page.get_by_label("Second raid").tap()
    expect(ada.page.get_by_label("Second raid")).to_be_checked()
    ada["day-note"].select_option("keep away")
    expect(ada["planner-dialog"]).to_contain_text("12 more times today")
    ada.page.keyboard.press("Escape")
    ada["talk"].tap()
    ada["talk-to"].first.tap()
    ada["show"].first.tap()
    expect(ada["talk-dialog"]).to_be_hidden()
    expect(bruno["letters"]).to_contain_text("marked as Ada’s word")
    expect(bruno["log"]).to_contain_text("a police raid with a fine of 13 000 TL")
    page = bruno.page.locator("[data-testid=planner-day]").nth(first_day(bruno))
    expect(page).to_contain_text("Ada says a police raid with a fine of 13\u202f000")
    expect(page).to_contain_text("Ada’s planner: Second raid, “keep away”")
    ada.page.reload()
    expect(day).to_contain_text("written down as a police raid")
    expect(day).to_contain_text("Second raid ticked. keep away")


def first_day(player: Traveller) -> int:
    """The first day of the first week that has a card, counted from 0."""
    card = player.page.locator("[data-testid=card]").first.get_attribute("data-square") or ""
    return int(card[0]) - 1


def test_a_known_card_can_be_looked_at_again_from_its_page(visit: Visits, api: Api) -> None:
    """Pressing a known card opens its page without using a look. The page offers to look again."""
    place, other = two_players(api)
    player = Traveller(visit(place.link)).wait()
    with api.join(other.table, other.secret) as bruno:
        player.decide(player["place-Sultanahmet"].click)
        square = player.cards.last.get_attribute("data-square")
        known = player.page.locator(f"[data-square='{square}']")
        known.click()
        for _ in range(2):
            bruno.until(lambda: {"do": "stay"} in bruno.moves())
            bruno.move({"do": "stay"})
    player.wait().decide(player["do-stay"].click)
    known.click()
    player["look-again"].click()
    again = player["log"].get_by_text(f"You look at card {(square or '')[-1]} of the {(square or '')[:3]} day")
    expect(again).to_have_count(2)


def test_the_final_page_without_a_winner_shows_only_who_made_it(visit: Visits, api: Api) -> None:
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "random"}]
    options = {"start": "1", "winner": "none"}

    def open_table() -> Place:
        opened = api.post("/api/tables", {"game": "journey-istanbul", "seats": seats, "options": options})
        return Place(opened["table"], opened["seat"], opened["secret"])

    page = visit(reach(api, open_table, over, quiet).link)
    rows = page.get_by_test_id("final").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("You")
    for row in rows.all():
        assert ("made the journey" in row.inner_text()) != ("did not make it" in row.inner_text())
        expect(row).not_to_contain_text("score")
        expect(row).not_to_contain_text("Money left")
    expect(page.get_by_test_id("players")).not_to_contain_text("TL")


def test_money_can_be_given_and_a_conversation_ended(visit: Visits, api: Api) -> None:
    ada, bruno = (Traveller(visit(place.link)) for place in two_players(api))
    ada.wait()
    ada["talk"].click()
    ada["talk-to"].first.click()
    ada["give"].nth(1).click()
    expect(ada["talk-dialog"]).to_be_hidden()
    expect(bruno["log"]).to_contain_text("Ada gives you 2 000 TL")
    ada["talk"].click()
    ada["talk-to"].first.click()
    expect(ada["point"].first).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(ada["talk-dialog"]).to_be_hidden()
    ada["talk"].click()
    expect(ada["talk-to"].first).to_be_visible()


def test_a_bot_answers_questions_and_buys_information(visit: Visits, api: Api) -> None:
    """By keys alone, from the first word to the last."""
    page = visit(against_bots(api, bots=2).link)
    keys = Keys(page)
    player = Traveller(page).wait()
    page.keyboard.press("t")
    expect(player["talk-to"].first).to_be_focused()
    keys.press(player["talk-to"].first)
    expect(player["point"].first).to_be_focused()
    keys.press(player["request"].first)
    expect(player["talk-dialog"]).to_be_hidden()
    expect(player["letters"]).to_contain_text("says no")
    keys.press(player["place-Üsküdar"])
    player.cards.nth(1).wait_for()
    # The turn ends with the look. The others soon come to the evening, which would end a talk: so it waits for the next
    # day. Of the cards of today nothing could be said then.
    keys.press(player.cards.last)
    expect(page.get_by_test_id("prompt")).to_contain_text("move to a neighbourhood")
    keys.press(player["close-evening"])
    page.keyboard.press("t")
    keys.press(player["talk-to"].first)
    known = page.locator("[data-testid=point]", has_text=":").first
    keys.press(known)
    keys.press(player["sell"].first)
    expect(player["talk-dialog"]).to_be_hidden()
    expect(player["log"]).to_contain_text("You offer to tell")
    bought = page.get_by_test_id("log").get_by_text("gives you 1 000 TL for the information")
    refused = page.get_by_test_id("log").get_by_text("not buy what you offered")
    expect(bought.or_(refused).first).to_be_visible()


def test_a_player_short_of_money_can_ask_for_it(visit: Visits, api: Api) -> None:
    places = two_players(api)
    ada, bruno = (Traveller(visit(place.link)) for place in places)
    ada.wait()
    ada["talk"].click()
    ada["talk-to"].first.click()
    ada["request"].nth(2).click()
    expect(bruno["letters"]).to_contain_text("Ada asks you for 3\u202f000")
    bruno["help"].click()
    expect(ada["log"]).to_contain_text("Bruno gives you 3 000 TL")
    expect(bruno["letters"]).to_be_hidden()


def test_a_public_request_for_money_must_be_answered_first(visit: Visits, api: Api) -> None:
    ada_s, bruno_s, clara_s = in_debt(api)
    ada, bruno = Traveller(visit(ada_s.link)), Traveller(visit_on_phone(visit, bruno_s.link), Locator.tap)
    ada["beg"].click()
    ada["ask-help"].last.click()
    expect(bruno["prompt"]).to_contain_text("Ada")
    expect(bruno["do-help"]).to_have_text("Give 1\u202f000\u00a0TL")
    expect(bruno["letters"], "what the tray asks is not asked a second time").to_be_hidden()
    assert_nothing_cut_off(bruno.page, "asked for money")
    bruno["do-deny"].tap()
    expect(bruno["do-deny"]).to_be_hidden()
    clara = Traveller(visit(clara_s.link))
    clara["do-help"].click()
    ada["do-pay"].click()
    expect(ada["log"]).to_contain_text("You pay 1 000 TL")


def test_the_evening_is_shown_and_can_be_read_again(visit: Visits, api: Api) -> None:
    player = Traveller(visit(against_bots(api).link, moving=True))
    for _ in range(40):
        if player["close-evening"].is_visible():
            break
        player.wait().decide(player.move)
    expect(player["evening"]).to_contain_text("Evening of the")
    player["close-evening"].click()
    expect(player["evening"]).to_be_hidden()
    player["last-evening"].click()
    expect(player["evening"]).to_be_visible()


def test_the_evening_does_not_cover_the_next_decision(visit: Visits, api: Api) -> None:
    place, other = two_players(api)
    ada = Traveller(visit(place.link)).wait()
    ada["do-stay"].click()
    with api.join(other.table, other.secret) as bruno:
        bruno.until(lambda: {"do": "stay"} in bruno.moves())
        bruno.move({"do": "stay"})
        bruno.until(lambda: bruno.now["view"]["day"] == 2 and bool(bruno.moves()))
    before = ada.page.locator(".city").first.bounding_box()
    expect(ada["evening"]).to_be_in_viewport(ratio=1)
    expect(ada["tray"]).to_be_in_viewport(ratio=1)
    ada.page.keyboard.press("Escape")
    expect(ada["evening"]).to_be_hidden()
    Keys(ada.page).press(ada["last-evening"])
    expect(ada["close-evening"]).to_be_focused()
    ada.page.keyboard.press("Tab")
    expect(ada["place-Taksim"]).to_be_focused()
    expect(ada["evening"], "going on behind it closes it").to_be_hidden()
    assert ada.page.locator(".city").first.bounding_box() == before, "the evening moves the board"
    # On a large screen, the evening covers only the city, and the focus stays on the sheet beside it.
    ada.page.set_viewport_size({"width": 1920, "height": 1080})
    Keys(ada.page).press(ada["last-evening"])
    ada.page.locator("[data-testid=card]").first.focus()
    Keys(ada.page).press(ada["close-evening"])
    expect(ada["evening"]).to_be_hidden()


def test_on_a_wide_screen_goals_and_planner_are_in_sight(visit: Visits, api: Api) -> None:
    page = visit(against_bots(api, bots=3).link, size=(1280, 800))
    player = Traveller(page).wait()
    days = player["planner-day"]
    for shown in (player["goal"].first, player["goal"].last, player["tray"], player["city-key"], days.first, days.last):
        expect(shown).to_be_in_viewport(ratio=1)
    city, goal = box_of(page.locator(".board .city")), box_of(player["goal"])
    assert goal["x"] >= city["x"] + city["width"], "the goals do not stand beside the map"
    expect(player["to-planner"]).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 700})
    player["to-planner"].click()
    expect(days.last).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1920, "height": 1080})
    for shown in (days.first, days.last, player["tray"]):
        expect(shown).to_be_in_viewport(ratio=1)
    expect(player["to-planner"]).to_be_hidden()
    city, tray = box_of(page.locator(".board .city")), box_of(player["tray"])
    assert 0 <= tray["y"] - city["y"] - city["height"] < 30, "there is empty room under the map"
    assert city["width"] > 600, "the map does not grow with the screen"
    for part in (player["tray"], page.locator(".board .sheet"), page.locator("section.planner")):
        box = box_of(part)
        assert 1080 - 50 < box["y"] + box["height"] <= 1080, "the board does not end where the screen does"


def box_of(part: Locator) -> FloatRect:
    box = part.first.bounding_box()
    assert box is not None
    return box


def test_the_signs_under_a_place_are_explained(visit: Visits, api: Api) -> None:
    player = Traveller(visit(against_bots(api, bots=3).link)).wait()
    expect(player["city-key"]).to_have_text("look at an event card draw a new one")
    signs = player["place-Taksim"].locator(".symbols")
    expect(signs).to_have_attribute("title", "Here you look at 2 event cards, then draw 2 new ones")


def test_the_log_shows_an_evening_only_after_the_board_does(visit: Visits, api: Api) -> None:
    place, other = two_players(api)
    ada = Traveller(visit(place.link, moving=True)).wait()
    ada.page.evaluate(WATCHED)
    ada["do-stay"].click()
    with api.join(other.table, other.secret) as bruno:
        bruno.until(lambda: {"do": "stay"} in bruno.moves())
        bruno.move({"do": "stay"})
        expect(ada["log"]).to_contain_text("Evening of the 1st day")
    assert ada.page.evaluate("window.ahead") is False, "the log told the evening before it was shown"


def test_the_planner_keeps_notes_and_seen_cards(visit: Visits, api: Api) -> None:
    place = against_bots(api)
    player = Traveller(visit(place.link)).wait()
    player["place-Üsküdar"].click()
    player.cards.first.click()
    expect(player["planner-day"].filter(has_text="000").first).to_be_visible()
    player["planner-day"].nth(3).click()
    for box in ("First raid", "Journey, Fatih"):
        player.page.get_by_label(box).check()
        expect(player["planner-day"].nth(3)).to_contain_text(f"{box} ticked")
    player["day-note"].select_option("go to Taksim")
    expect(player["planner-day"].nth(3)).to_contain_text("go to Taksim")
    player.page.keyboard.press("Escape")
    player["planner-notes"].fill("Taksim twice")
    player.page.reload()
    expect(player["planner-day"].nth(3)).to_contain_text("First raid ticked. Journey, Fatih ticked. go to Taksim")
    expect(player["planner-notes"]).to_have_value("Taksim twice")
    elsewhere = Traveller(visit(place.link))
    expect(elsewhere["planner-day"].nth(3)).to_contain_text("First raid ticked")


def test_istanbul_is_accessible(visit: Visits, api: Api) -> None:
    page = visit(on_day(api, 3, bots=3).link)
    player = Traveller(page).wait()
    assert_accessible(page)
    tell(player)
    assert_accessible(page, inside="dialog[open]")
    page.keyboard.press("Escape")
    player["planner-day"].nth(2).click()
    assert_accessible(page, inside="dialog[open]")
    page.keyboard.press("Escape")
    player["planner-day"].nth(first_day(player)).click()
    if player["edit-entry"].count():
        player["edit-entry"].first.click()
    assert_accessible(page, inside="dialog[open]")
