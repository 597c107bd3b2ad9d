"""The board of Word Traveler: planning a path with words, guessing the others' paths, the score."""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import Visits
from tests.browser.narrow import assert_nothing_cut_off, visit_on_phone
from tests.browser.positions import Place, prefer, reach
from tests.server.client import Api, Client

FINGER = 40
"""The minimum width and height of something to touch, in pixels."""
TO_DO = ", ".join(
    (
        *(f"[data-testid={testid}]" for testid in ("ready", "done", "go-on", "agree", "final")),
        "[data-space][data-usable]",
    )
)
"""Matches when the page waits for this player, or the game is over."""


def in_new_york(api: Api, bots: int = 1, **options: object) -> Place:
    """A person and bots in New York, without a clock; the person travels first."""
    settings = {"city": "New York", "timer": 0, "start": "1", **options}
    opened = api.open("me", *["normal"] * bots, game="word-traveler", options=settings)
    return Place(opened["table"], opened["seat"], opened["secret"])


class Traveler:
    """Plays by pressing what is highlighted, with `press`."""

    def __init__(self, page: Page, press: Callable[[Locator], None] = Locator.click) -> None:
        self.page = page
        self.press = press
        self.usable = page.locator("[data-space][data-usable]")
        self.words = page.locator("[data-testid=word][data-usable]")
        self.final = self.part("final")
        self.refusal = self.part("refusal")

    def part(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def space(self, name: str) -> Locator:
        return self.part(f"space-{name}")

    def aim(self, arrow: int) -> None:
        """Aim an arrow at the first target that the page offers."""
        self.press(self.part(f"arrow-{arrow}"))
        self.press(self.usable.first)

    def place(self, word: Locator) -> None:
        name = word.get_attribute("data-word")
        self.press(word)
        expect(self.page.locator(f".under [data-word={name}]")).to_have_count(1)

    def plan(self, arrows: int) -> None:
        for arrow in range(1, arrows + 1):
            self.aim(arrow)
            expect(self.part(f"arrow-{arrow}")).to_contain_text("to ")
            self.place(self.words.first)

    def be_done(self) -> None:
        self.press(self.part("done"))
        expect(self.part("done")).to_be_hidden()

    def guess(self) -> None:
        """Place every footprint where the page offers it, then go."""
        agree = self.part("agree")
        missing = self.page.locator(".guide .missing")
        for left in reversed(range(missing.count())):
            # Where the others can stay: elsewhere they would be removed again.
            self.press(self.page.locator("[data-space][data-usable]:not(.soft)").first)
            if left:
                expect(missing).to_have_count(left)
        # A bot that has held back its guesses may move a placed footprint. Then it agrees.
        expect(self.page.locator(".locals li:not(.yes)")).to_have_count(1)
        self.press(agree)
        expect(agree).to_be_hidden()

    def wait(self) -> "Traveler":
        self.page.locator(TO_DO).first.wait_for()
        return self

    def play(self, look: Callable[[str], None] = lambda where: None) -> None:
        """Play both days. `look` is called before every action."""
        while not self.wait().final.is_visible():
            if self.part("go-on").is_visible():
                look("the score sheet")
                # The next journey may follow at once; only the current sheet is gone.
                self.press(self.part("go-on"))
            elif self.part("ready").is_visible():
                look("getting ready")
                self.press(self.part("ready"))
                expect(self.part("ready")).to_be_hidden()
            elif self.part("done").is_visible():
                look("planning")
                self.plan(2)
                look("a plan")
                self.be_done()
            else:
                look("guessing")
                self.guess()
        look("the end")


def with_keys(page: Page) -> Callable[[Locator], None]:
    """Letters jump to a part of the page, arrows move over the city, and Enter presses."""

    def press(target: Locator) -> None:
        testid = target.get_attribute("data-testid") or ""
        if testid.startswith("space-"):
            page.keyboard.press("b")
            here = page.evaluate("document.activeElement.dataset.space")
            there = testid.removeprefix("space-")
            across, down = ord(there[0]) - ord(here[0]), int(there[1]) - int(here[1])
            for _ in range(abs(across)):
                page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
            for _ in range(abs(down)):
                page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
            expect(target).to_be_focused()
            page.keyboard.press("Enter")
        elif testid.startswith("arrow-"):
            page.keyboard.press(testid.removeprefix("arrow-"))
        elif testid == "word":
            page.keyboard.press("h")
            page.keyboard.press("Enter")
        else:
            page.keyboard.press({"ready": "d", "done": "d", "agree": "a", "go-on": "g"}[testid])

    return press


class Everyone:
    """Checks every kind of situation once: by day and, if its colours are new, by night."""

    def __init__(self, page: Page, nights: bool = True) -> None:
        self.page = page
        self.nights = nights
        self.looked: set[str] = set()

    def look(self, where: str) -> None:
        if where in self.looked:
            return
        self.looked.add(where)
        assert_accessible(self.page, self.nights)

    def saw_everything(self) -> bool:
        return self.looked == {"getting ready", "planning", "a plan", "guessing", "the score sheet", "the end"}


def test_a_whole_game_by_mouse_is_accessible(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api, bots=2, timer=480).link))
    everyone = Everyone(traveler.page)
    traveler.play(everyone.look)
    assert everyone.saw_everything()
    expect(traveler.final).to_contain_text("Golden souvenirs")
    expect(traveler.page.get_by_label("The end of the trip")).to_contain_text("You are all")


def test_a_whole_game_by_keyboard(visit: Visits, api: Api) -> None:
    page = visit(in_new_york(api, timer=480).link)
    Traveler(page, with_keys(page)).play()


def second_day(api: Api) -> Place:
    """A seat at a table whose first day is over."""

    def has_come(client: Client) -> bool:
        return bool(client.now["view"]["day"] == 2)

    open_table = partial(in_new_york, api, bots=2, timer=480)
    return reach(api, open_table, has_come, prefer("ready", "done", "agree"))


def test_the_second_day_is_accessible_on_a_phone(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, second_day(api).link)
    everyone = Everyone(page, nights=False)

    def look(where: str) -> None:
        assert_nothing_cut_off(page, where)
        everyone.look(where)

    Traveler(page, Locator.tap).play(look)
    assert everyone.saw_everything()


def test_on_a_phone_words_stay_in_reach_and_large_enough(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit_on_phone(visit, in_new_york(api).link), Locator.tap).wait()
    for word in traveler.words.all():
        expect(word).to_be_in_viewport(ratio=0.99)
    hand, city = (traveler.page.locator(part).bounding_box() for part in (".near.planning", ".city"))
    assert hand
    assert city
    assert hand["y"] - city["y"] > 0.6 * city["height"], "the words hide the place where the path begins"
    for turn in traveler.part("turn").all():
        box = turn.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= FINGER, f"too small for a finger: {box}"
    traveler.aim(1)
    for word in traveler.words.all():
        expect(word).to_be_in_viewport(ratio=0.99)


def test_on_a_phone_the_city_stays_visible_while_locals_read(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit_on_phone(visit, in_new_york(api, start="2").link), Locator.tap).wait()
    traveler.plan(1)
    traveler.be_done()
    traveler.wait()
    expect(traveler.part("clue-now"), "the words of the arrow are out of sight").to_be_in_viewport(ratio=0.99)
    traveler.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(traveler.page.get_by_label("Who agrees")).to_be_in_viewport()
    for corner in ("A1", "G1", "A7", "G7"):
        expect(traveler.space(corner)).to_be_in_viewport(ratio=0.99)
    traveler.guess()


def test_a_word_can_be_turned_over_and_dragged(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api).link)).wait()
    traveler.aim(1)
    word = traveler.words.first
    name = word.get_attribute("data-word")
    word.locator("xpath=..").get_by_test_id("turn").click()
    expect(word).to_contain_text(f"Not {name}")
    word.drag_to(traveler.part("arrow-2"))
    expect(traveler.page.get_by_label("Under arrow 2").locator(f"[data-word={name}]")).to_be_visible()
    expect(traveler.part("arrow-2")).to_contain_text(f"Not {name}")


def test_an_impossible_target_is_refused_at_its_picture(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api).link)).wait()
    traveler.space("A1").click()
    expect(traveler.refusal).to_contain_text("WT-")


def test_finishing_early_asks_before_leaving_out_an_arrow(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api).link)).wait()
    traveler.aim(1)
    traveler.part("done").click()
    expect(traveler.page.get_by_role("dialog")).to_contain_text("score nothing today")
    traveler.part("done-anyway").click()
    expect(traveler.part("log")).to_contain_text("You are done planning")


def test_only_its_owner_sees_the_path(visit: Visits, api: Api) -> None:
    place = in_new_york(api)
    traveler = Traveler(visit(place.link)).wait()
    expect(traveler.page.locator(".city .mark")).to_have_count(10)
    spectator = visit(f"/table/{place.table}")
    expect(spectator.get_by_test_id("space-A1")).to_be_visible()
    expect(spectator.locator(".city .mark")).to_have_count(0)


def test_a_picture_shows_its_name(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api).link)).wait()
    traveler.space("F4").hover()
    expect(traveler.page.locator(".tip")).to_contain_text("Subway Car")
    hidden = Traveler(visit(in_new_york(api, names="hidden").link)).wait()
    hidden.space("F4").hover()
    expect(hidden.page.locator(".tip")).to_contain_text("tunnel")
    expect(hidden.page.locator(".tip")).not_to_contain_text("Subway Car")


def test_everyone_sees_the_sand_timer(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api, timer=120).link)).wait()
    expect(traveler.page.locator(".city .mark")).to_have_count(0)
    expect(traveler.part("clock")).to_be_hidden()
    traveler.part("ready").click()
    expect(traveler.part("clock")).to_contain_text("1:5")
    expect(traveler.page.locator(".city .mark")).to_have_count(10)


def test_the_host_starts_the_timer_for_everyone(visit: Visits, api: Api) -> None:
    opened = api.open("me", "open", game="word-traveler", options={"timer": 120, "start": "1", "city": "New York"})
    taken = api.sit(opened["table"], "Ada")
    ada = Traveler(visit(Place(opened["table"], taken["seat"], taken["secret"]).link)).wait()
    host = Traveler(visit(Place(opened["table"], 0, opened["secret"]).link)).wait()
    expect(ada.part("hurry")).to_be_hidden()
    ada.part("ready").click()
    expect(host.page.get_by_label("Who is ready")).to_contain_text("Ada ready")
    ada.part("undo").click()
    expect(host.page.get_by_label("Who is ready")).not_to_contain_text("Ada ready")
    host.part("hurry").click()
    for one in (ada, host):
        expect(one.part("done")).to_be_visible()
    expect(ada.part("log")).to_contain_text("does not wait any longer")


def test_words_stay_in_the_order_they_were_placed(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api).link)).wait()
    traveler.aim(1)
    first, second = [traveler.words.nth(n).get_attribute("data-word") for n in (4, 1)]
    for word in (first, second):
        traveler.place(traveler.page.locator(f"[data-testid=word][data-word={word}]"))
    lying = traveler.page.get_by_label("Under arrow 1").get_by_test_id("word")
    assert [word.get_attribute("data-word") for word in lying.all()] == [first, second]
    expect(traveler.part("arrow-1")).to_contain_text(f"with {first}, {second}")


def test_aiming_an_arrow_again_shows_where_later_ones_lead(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api).link)).wait()
    for arrow, space in ((1, "F4"), (2, "F2"), (1, "E4")):
        traveler.part(f"arrow-{arrow}").click()
        traveler.space(space).click()
        expect(traveler.part(f"arrow-{arrow}")).to_contain_text("to ")
    expect(traveler.part("log")).to_contain_text("Arrow 2 keeps its direction and leads to Bike Courier now.")
    expect(traveler.part("arrow-2")).to_contain_text("north, to Bike Courier")


def test_prompt_and_marked_arrow_agree_with_the_next_press(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api).link)).wait()
    prompt, arrows = traveler.part("prompt"), [traveler.part(f"arrow-{number}") for number in (1, 2, 3)]
    expect(prompt).to_contain_text("Aim arrow 1")
    traveler.space("F4").click()
    expect(prompt).to_contain_text("Arrow 1: press words that lead to Subway Car")
    traveler.place(traveler.words.first)
    expect(prompt).to_contain_text("Aim arrow 2, add more words under arrow 1")
    traveler.place(traveler.words.first)
    expect(arrows[0]).to_contain_text("with ")
    traveler.space("F2").click()
    expect(arrows[1]).to_contain_text("to ")
    expect(prompt).to_contain_text("Arrow 2: press words")
    traveler.place(traveler.words.first)
    expect(prompt).to_contain_text("Aim arrow 3")
    traveler.space("F1").click()
    expect(arrows[2]).to_contain_text("to ")
    arrows[0].click()
    expect(prompt).to_contain_text("Arrow 1: press a picture to aim it again, or words to add")
    expect(traveler.refusal).to_be_hidden()


FACT = "It has more than 470 stations and runs day and night"


def asked_the_way(api: Api) -> Place:
    """A seat at a table where a bot is the traveler. A person and another bot are locals; nothing is placed yet."""

    def is_asked(client: Client) -> bool:
        view = client.now["view"]
        return view["step"] == "guess" and len(view["journey"]["arrows"]) > 1

    return reach(api, partial(in_new_york, api, bots=2, start="2"), is_asked, prefer("ready", "done"))


def test_bots_hold_back_their_guesses_until_the_player_guesses_or_asks(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(asked_the_way(api).link)).wait()
    missing = traveler.page.locator(".guide .missing")
    before = missing.count()
    traveler.press(traveler.usable.first)
    expect(missing).to_have_count(before - 1)
    locals_ = traveler.page.get_by_role("list", name="Who agrees")
    expect(locals_).to_contain_text("waits for your guesses")
    expect(traveler.part("log")).not_to_contain_text(re.compile(r"(Nellie|Marco) places footprint"))
    traveler.press(traveler.part("consult"))
    expect(missing).to_have_count(0)
    expect(traveler.part("log")).to_contain_text(re.compile(r"(Nellie|Marco) places footprint"))
    expect(traveler.part("consult")).to_have_count(0)


def test_a_single_player_plans_without_a_timer_by_default(visit: Visits) -> None:
    page = visit("/")
    page.get_by_test_id("invite-word-traveler").click()
    form = page.get_by_test_id("set-up")
    timer, seat = form.get_by_label("Sand timer"), form.get_by_label("Seat 2")
    form.get_by_text("Options", exact=True).click()
    expect(timer).to_have_value("240")
    seat.select_option("bot:normal")
    expect(timer).to_have_value("0")
    timer.select_option("120")
    seat.select_option("open")
    expect(timer).to_have_value("120")


def test_the_city_grows_with_the_screen(visit: Visits, api: Api) -> None:
    page = visit(in_new_york(api, bots=2).link)
    Traveler(page).wait()
    wide = []
    for size in ((1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        box = page.locator(".city").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1], "the city is larger than the screen"
        expect(page.get_by_text("on your secret map")).to_be_in_viewport(ratio=0.99)
        wide.append(box["width"])
    assert wide[1] > 1.5 * wide[0], f"a large screen shows a city of {wide[1]} pixels, a small one of {wide[0]}"


def test_a_tablet_held_upright_shows_the_whole_city_above_the_words(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api).link, size=(768, 1024), touch=True), Locator.tap).wait()
    traveler.plan(1)
    city = traveler.page.locator("[data-space]").last.bounding_box()
    words = traveler.page.locator(".near.planning").bounding_box()
    assert city
    assert words
    assert city["y"] + city["height"] <= words["y"], "the words cover the last row of the city"


def test_a_phone_shows_the_new_words_before_the_city(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, in_new_york(api, timer=240).link)
    expect(page.get_by_test_id("ready")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("list", name="Your words")).to_be_in_viewport(ratio=1)


def test_the_travel_guide_opens_during_a_journey_but_not_while_planning(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api, start="2").link)).wait()
    subway, fact = traveler.space("F4"), traveler.part("fact")
    subway.hover()
    expect(traveler.page.locator(".tip")).to_contain_text("Subway Car")
    assert FACT not in traveler.page.content()
    traveler.plan(1)
    traveler.be_done()
    traveler.wait()
    subway.hover()
    expect(fact).to_contain_text(FACT)
    traveler.page.mouse.move(0, 0)
    expect(fact).to_be_hidden()
    traveler.space("F5").focus()
    traveler.page.keyboard.press("ArrowUp")
    expect(fact).to_contain_text(FACT)
    expect(subway).to_have_accessible_description(re.compile(FACT))
    traveler.page.keyboard.press("Escape")
    expect(fact).to_be_hidden()
    traveler.page.keyboard.press("ArrowUp")
    expect(fact).to_be_visible()
    traveler.page.keyboard.press("Tab")
    expect(traveler.part("footprint-1"), "the guide does not hold the focus").to_be_focused()
    traveler.guess()
    expect(traveler.part("prompt")).to_contain_text("’s journey: see what it scored, then continue")
    expect(traveler.part("clock")).to_be_hidden()
    traveler.part("go-on").click()
    expect(traveler.part("prompt")).to_contain_text("Your journey: see what it scored, then continue")
    expect(traveler.part("sheet")).to_be_visible()
    subway.hover()
    expect(traveler.page.locator("div.tip")).to_contain_text("Subway Car")
    assert FACT not in traveler.page.content(), "the sheet is still read, but the day's planning has begun"


def test_the_guide_hides_names_until_the_end_if_the_table_does(visit: Visits, api: Api) -> None:
    traveler = Traveler(visit(in_new_york(api, start="2", names="hidden").link)).wait()
    traveler.plan(1)
    traveler.be_done()
    traveler.wait().space("F4").hover()
    expect(traveler.page.locator("div.tip")).to_be_visible()
    expect(traveler.part("fact")).to_be_hidden()


def test_on_a_phone_a_long_press_on_a_picture_opens_the_guide(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, in_new_york(api, start="2").link)
    traveler = Traveler(page, Locator.tap).wait()
    traveler.plan(1)
    traveler.be_done()
    traveler.wait()
    for space in ("A1", "G1", "F4", "A7", "G7"):
        tile = traveler.space(space)
        tile.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
        expect(traveler.part("fact")).to_be_visible()
        assert_nothing_cut_off(page, f"the guide at {space}")
        expect(traveler.part("fact")).to_be_in_viewport(ratio=0.99)
        tile.dispatch_event("pointerup", {"pointerType": "touch", "bubbles": True})
        tile.tap()


def test_the_player_aid_opens_with_one_press_and_fits_the_screen(visit: Visits, api: Api) -> None:
    place = in_new_york(api)
    traveler = Traveler(visit(place.link)).wait()
    traveler.page.keyboard.press("p")
    dialog = traveler.page.get_by_role("dialog", name="Player aid")
    expect(dialog).to_contain_text("At 2, 4, 7, 9, 11, 13 points.")
    traveler.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    phone = visit_on_phone(visit, place.link)
    phone.get_by_test_id("aid").tap()
    expect(phone.get_by_test_id("aid-card")).to_be_in_viewport(ratio=0.99)
    assert_nothing_cut_off(phone, "the player aid")
    Everyone(phone).look("the player aid")


class Company(NamedTuple):
    """Jayden travels, with one arrow to the east; Ada, to the left, and Bruno are the locals."""

    jayden: Traveler
    ada: Traveler
    bruno: Traveler


def planned_table(visit: Visits, api: Api, travelers: int = 1, **options: object) -> Company:
    """Three people in New York who have planned, the first `travelers` of them one arrow each."""
    settings = {"city": "New York", "timer": 0, "start": "1", **options}
    seats = [{"kind": "me", "name": "Jayden"}, {"kind": "open"}, {"kind": "open"}]
    opened = api.post("/api/tables", {"game": "word-traveler", "seats": seats, "options": settings})
    table = opened["table"]
    places = [Place(table, 0, opened["secret"])]
    for name in ("Ada", "Bruno"):
        taken = api.sit(table, name)
        places.append(Place(table, taken["seat"], taken["secret"]))
    for place in places:
        with api.join(table, place.secret) as client:
            if place.seat < travelers:
                client.move({"do": "aim", "arrow": 1, "space": "F4"})
                word = client.now["view"]["plan"]["hand"][0]["word"]
                client.move({"do": "place", "word": word, "arrow": 1})
            assert client.move({"do": "done"})["type"] == "ack"
    return Company(*(Traveler(visit(place.link)) for place in places))


def test_locals_see_who_moved_which_footprint(visit: Visits, api: Api) -> None:
    jayden, ada, bruno = planned_table(visit, api)
    ada.wait().space("E4").click()
    for local in (ada, bruno):
        expect(local.part("footprint-1")).to_contain_text("Comedy Club")
    expect(ada.part("footprint-1")).to_contain_text("You")
    expect(bruno.part("footprint-1")).to_contain_text("Ada")
    ada.part("sure-1").filter(has_text="Fairly sure").click()
    expect(bruno.part("footprint-1")).to_contain_text("Ada: fairly sure")
    ada.part("agree").click()
    expect(bruno.page.get_by_label("Who agrees")).to_contain_text("Ada agrees")

    bruno.space("F4").click()
    for local, who in ((ada, "Bruno"), (bruno, "You")):
        expect(local.part("footprint-1")).to_contain_text("Subway Car")
        expect(local.part("footprint-1")).to_contain_text(who)
        expect(local.page.get_by_label("Who agrees")).not_to_contain_text("agrees")
    expect(ada.page.get_by_role("log")).to_contain_text("Bruno moves footprint 1 to Subway Car.")
    expect(jayden.usable).to_have_count(0)
    expect(jayden.page.get_by_text("remain silent until the reveal").first).to_be_visible()
    expect(jayden.page.get_by_label("Say something to the table")).to_be_hidden()

    ada.part("agree").click()
    bruno.part("agree").click()
    for one in (jayden, ada, bruno):
        expect(one.part("sheet")).to_contain_text("1 of 1 stop correct")


def test_if_locals_disagree_the_left_neighbour_decides(visit: Visits, api: Api) -> None:
    jayden, ada, bruno = planned_table(visit, api)
    ada.wait().space("E4").click()
    expect(bruno.part("footprint-1")).to_contain_text("Comedy Club")
    bruno.space("F4").click()
    expect(ada.part("footprint-1")).to_contain_text("Subway Car")
    bruno.part("ask").click()
    expect(ada.page.get_by_test_id("prompt")).to_contain_text("You decide")
    expect(bruno.page.get_by_test_id("prompt")).to_contain_text("Ada decides")
    expect(bruno.usable).to_have_count(0)
    expect(bruno.part("agree")).to_be_hidden()
    ada.space("G4").click()
    expect(bruno.part("footprint-1")).to_contain_text("Stock Trader")
    ada.part("agree").click()
    for one in (jayden, ada, bruno):
        expect(one.part("sheet")).to_contain_text("0 of 1 stop correct")
        # What is shown holds the next step: nothing is asked until the player continues.
        expect(one.part("prompt")).to_contain_text("journey: see what it scored, then continue.")
        expect(one.part("done")).to_be_hidden()
        expect(one.part("hint")).to_be_hidden()
    # Ada and Bruno had planned nothing: their journeys end as they begin, and are shown one after another.
    for whose in ("Jayden’s", "Your", "Bruno’s"):
        expect(ada.part("prompt")).to_contain_text(f"{whose} journey")
        ada.part("go-on").click()
    expect(ada.part("prompt")).to_contain_text("Aim arrow 1")
    expect(ada.part("hint")).to_be_visible()
    expect(bruno.part("sheet")).to_be_visible()


def test_the_time_to_discuss_waits_until_every_local_has_read_the_journey_before(visit: Visits, api: Api) -> None:
    jayden, ada, bruno = planned_table(visit, api, travelers=2, discussion=300)
    expect(ada.part("clock")).to_be_visible()
    ada.wait().space("F4").click()
    ada.part("agree").click()
    bruno.part("agree").click()
    for one in (jayden, ada, bruno):
        expect(one.part("sheet")).to_be_visible()
        expect(one.part("clock")).to_be_hidden()
    bruno.part("go-on").click()
    expect(jayden.page.get_by_role("log")).to_contain_text("Bruno is ready.")
    expect(bruno.part("prompt")).to_contain_text("Where does Ada want to stop?")
    expect(bruno.part("clock")).to_be_hidden()
    expect(jayden.part("sheet")).to_be_visible()
    jayden.part("go-on").click()
    for local in (jayden, bruno):
        expect(local.part("clock")).to_be_visible()


def test_after_a_reload_nobody_waits_for_a_journey_that_is_no_longer_shown(visit: Visits, api: Api) -> None:
    jayden, ada, bruno = planned_table(visit, api, travelers=2, discussion=300)
    ada.wait().space("F4").click()
    ada.part("agree").click()
    bruno.part("agree").click()
    for local in (jayden, bruno):
        expect(local.part("sheet")).to_be_visible()
        local.page.reload()
        expect(local.part("sheet")).to_be_hidden()
    expect(bruno.part("clock")).to_be_visible()
