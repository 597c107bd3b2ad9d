"""Ticket to Ride: Italy on the page: whole games, and what is special about its board."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.axe import assert_accessible
from tests.browser.conftest import Visits, eventually, settle
from tests.browser.keys import Keys
from tests.browser.narrow import assert_nothing_cut_off, visit_on_phone
from tests.browser.player import Press
from tests.browser.positions import Place, over, reach
from tests.server.client import Api, Client, Message

GAME = "ticket-to-ride-italy"
TO_DO = "[data-testid=keep]:enabled, [data-usable]:not(:disabled), [data-testid=pass], [data-testid=final]"
DRAWS = "[data-testid^=row-][data-usable], [data-testid=deck][data-usable], [data-testid=ferry][data-usable]"

LONGEST = """(routes) => {
  const length = (route) => route.querySelectorAll('.space').length;
  return routes.reduce((best, route) => (length(route) > length(best) ? route : best)).dataset.route;
}"""


class Traveller:
    """A player who claims the longest possible route, or else draws cards. `press` uses mouse, touch or keyboard."""

    def __init__(self, page: Page, press: Press = Locator.click, seed: int = 1) -> None:
        self.page = page
        self.press = press
        self.prompt = page.get_by_test_id("prompt")
        self.refusal = page.get_by_test_id("refusal")
        self.final = page.get_by_test_id("final")
        self.log = page.get_by_test_id("log")
        self.routes = page.locator("[data-testid=route][data-usable]")
        self.dice = random.Random(seed)

    def get(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def wait(self) -> "Traveller":
        self.page.locator(TO_DO).first.wait_for(state="attached")
        return self

    def play(self, look: Callable[[], None] = lambda: None) -> None:
        while not self.wait().final.is_visible():
            look()
            self.move()
            assert not self.refusal.is_visible(), f"it was offered, and is refused: {self.refusal.inner_text()}"

    def move(self) -> None:
        board = self.page.locator(".board")
        before = board.get_attribute("data-n") or ""
        if self.get("keep").is_visible():
            self.press(self.get("keep"))
        elif self.routes.count() and self.dice.random() < 0.9:
            self.claim(self.longest())
        elif self.page.locator(DRAWS).count():
            self.press(self.dice.choice(self.page.locator(DRAWS).all()))
        else:
            self.press(self.get("pass"))
        expect(board, "nothing comes of a move").not_to_have_attribute("data-n", before)

    def longest(self) -> Locator:
        name = self.routes.evaluate_all(LONGEST)
        return self.page.locator(f"[data-route={name}]")

    def claim(self, route: Locator) -> None:
        name = route.get_attribute("data-route")
        self.choose(route)
        self.press(self.get("claim"))
        expect(self.page.locator(f"[data-route={name}] .train").first).to_be_attached()

    def choose(self, route: Locator) -> None:
        """Press one of its spaces, as people do who see it."""
        spaces = route.locator(".space")
        self.press(spaces.nth(spaces.count() // 2))


class ByKeys(Traveller):
    """Moves the focus to a claimable route and chooses it, without a pointer."""

    def __init__(self, page: Page) -> None:
        self.keys = Keys(page)
        super().__init__(page, self.keys.press)

    def claim(self, route: Locator) -> None:
        self.page.keyboard.press("n")
        here = self.page.locator("[data-route]:focus")
        expect(here).to_have_attribute("data-usable", "true")
        self.keys.look()
        name = here.get_attribute("data-route")
        self.page.keyboard.press("Enter")
        expect(self.get("claim")).to_be_focused()
        self.page.keyboard.press("Enter")
        expect(self.page.locator(f"[data-route={name}] .train").first).to_be_attached()


def against_bots(api: Api, bots: int = 1) -> Place:
    opened = api.open("me", *["normal"] * bots, game=GAME, options={"start": "1"})
    return Place(opened["table"], opened["seat"], opened["secret"])


def after_first_tickets(api: Api, wanted: Callable[[Client], bool] = lambda client: True, bots: int = 1) -> Place:
    """A seat to move, after the first tickets were chosen, in a position as wanted."""

    def here(client: Client) -> bool:
        return not client.over() and client.now["view"]["step"] == "act" and wanted(client)

    return reach(api, lambda: against_bots(api, bots), here, next_card)


def late(api: Api, bots: int = 1) -> Place:
    """A seat at a table where most trains lie on the map and only a few turns are left."""

    def few_trains(client: Client) -> bool:
        trains = [player["trains"] for player in client.now["view"]["players"]]
        return not client.over() and min(trains) <= 7

    return reach(api, lambda: against_bots(api, bots), few_trains, build)


def build(moves: list[Message]) -> Message:
    """Claim anything, or draw the cards for it."""
    claims = [move for move in moves if move["do"] in ("claim", "sail")]
    return random.choice(claims) if claims else next_card(moves)


def next_card(moves: list[Message]) -> Message:
    """Keep the tickets; locomotives first, then a ferry card, then what the deck brings."""
    order = [{"do": "keep"}, {"do": "draw", "card": "locomotive"}, {"do": "ferry"}, {"do": "draw", "card": "deck"}]
    return next((move for move in order if move in moves), moves[0])


def can_sail(client: Client) -> bool:
    """Some ferry can be paid for in many ways, with a ferry card and without."""
    fares = [move["pay"] for move in client.moves() if move["do"] == "sail"]
    return any("ferry" in fare for fare in fares) and any("ferry" not in fare for fare in fares)


def box_of(thing: Locator) -> dict[str, float]:
    box = thing.bounding_box()
    assert box is not None, f"{thing} is not on the page"
    return {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}


def assert_score_shown(page: Page, players: int) -> None:
    final = page.get_by_test_id("final")
    expect(final.get_by_role("heading", level=2)).to_contain_text("win")
    rows = final.get_by_role("listitem")
    expect(rows).to_have_count(players)
    for row in rows.all():
        expect(row).to_contain_text("claimed")
        assert_score_adds_up(row)


def assert_score_adds_up(row: Locator) -> None:
    """The lines of a player's final score add up to its total."""
    parts = [line.replace("−", "-") for line in row.locator("dd").all_inner_texts()]
    total = row.locator(".score").inner_text().replace("−", "-").removeprefix("score").strip()
    assert sum(map(int, parts)) == int(total), f"{' + '.join(parts)} is not {total}"


def test_a_whole_game_by_mouse(visit: Visits) -> None:
    page = visit("/")
    page.get_by_test_id(f"invite-{GAME}").click()
    set_up = page.get_by_test_id("set-up")
    set_up.get_by_label("Your name").fill("Ada")
    set_up.get_by_label("Seat 2").select_option("bot:normal")
    page.get_by_test_id("open-table").click()
    Traveller(page).play()
    assert_score_shown(page, 2)

    page.get_by_test_id("network-1").click()
    trains = page.locator("[data-route]:has(.train)")
    dimmed = page.locator("[data-route]:has(.dim .train)")
    assert 0 < dimmed.count() < trains.count(), "the map shows one network alone"

    page.get_by_test_id("map").hover()
    before = page.evaluate("scrollY")
    page.mouse.wheel(0, -60)
    page.wait_for_function("(before) => scrollY < before", arg=before)

    page.get_by_test_id("replay").click()
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    expect(trains).to_have_count(0)
    page.keyboard.press("End")
    expect(trains.first).to_be_attached()


def test_first_and_last_turns_by_keyboard(visit: Visits, api: Api) -> None:
    beginner = ByKeys(visit(against_bots(api).link)).wait()
    for _ in range(3):
        beginner.move()
        beginner.wait()
    for key, first in (("s", "find-words"), ("t", "draw-tickets"), ("c", "")):
        beginner.page.keyboard.press(key)
        expect(beginner.get(first) if first else beginner.page.get_by_label("Say something")).to_be_focused()
        beginner.page.keyboard.press("Escape")
    page = visit(late(api).link)
    ByKeys(page).play()
    assert_score_shown(page, 2)


def test_first_and_last_turns_by_touch_on_a_phone(visit: Visits, api: Api) -> None:
    beginner = Traveller(visit_on_phone(visit, against_bots(api, bots=2).link), Locator.tap).wait()
    for _ in range(3):
        assert_nothing_cut_off(beginner.page, beginner.prompt.inner_text())
        beginner.move()
        beginner.wait()
    player = Traveller(visit_on_phone(visit, late(api, bots=2).link), Locator.tap)
    seen: set[str] = set()

    def look() -> None:
        prompt = player.prompt.inner_text()
        if prompt not in seen:
            assert_nothing_cut_off(player.page, prompt)
        seen.add(prompt)

    player.play(look)
    assert_score_shown(player.page, 3)
    assert_nothing_cut_off(player.page, "the end")


def test_five_players_and_every_sheet_fit_on_a_phone(visit: Visits, api: Api) -> None:
    player = Traveller(visit_on_phone(visit, after_first_tickets(api, can_sail, bots=4).link), Locator.tap).wait()
    assert_nothing_cut_off(player.page, "five players")
    for opens in ("open-tickets", "open-regions", "find"):
        player.get(opens).tap()
        expect(player.page.get_by_role("dialog")).to_be_visible()
        assert_nothing_cut_off(player.page, opens)
        player.page.keyboard.press("Escape")
    player.choose(player.page.locator("[data-testid=route][data-usable]:has(.lane)").first)
    player.get("claim").tap(trial=True)
    assert_nothing_cut_off(player.page, "paying for a ferry")


def within(thing: Locator, frame: Locator) -> bool:
    """Fails unless an element is fully within a part of the page."""
    inner, outer = box_of(thing), box_of(frame)
    return (
        outer["x"] <= inner["x"]
        and outer["y"] <= inner["y"]
        and inner["x"] + inner["width"] <= outer["x"] + outer["width"]
        and inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    )


@pytest.mark.parametrize("size", [(360, 640), (740, 360)], ids=["upright", "on its side"])
def test_on_a_small_phone_the_map_shows_what_is_being_chosen(visit: Visits, api: Api, size: tuple[int, int]) -> None:
    player = Traveller(visit(against_bots(api, bots=4).link, size=size, touch=True), Locator.tap).wait()
    map = player.get("map")
    expect(map).to_be_in_viewport(ratio=0.9)
    expect(player.get("keep")).to_be_in_viewport(ratio=0.9)
    lit = player.page.locator(".cities .lit .city")
    unseen = [city for city in lit.all() if not within(city, map)]
    assert not unseen, f"{len(unseen)} of {lit.count()} cities of the offered tickets are not on the map"

    player.move()
    player.wait()
    for route in ("torino svizzera", "genova olbia", "siracusa messina"):
        player.page.keyboard.press("s")
        player.get("find-words").fill(route)
        player.page.keyboard.press("Enter")
        chosen = player.page.locator("path.ring")
        expect(player.get("route-card")).to_be_in_viewport(ratio=0.9)
        settle(player.page)
        assert within(chosen, map), f"{route} is chosen and not to be seen"
        assert not within(chosen, player.get("route-card")), f"{route} is under the card about it"
        player.page.keyboard.press("Escape")


def several_hints(visit: Visits, api: Api) -> Page:
    """A small phone with a hint of several moves: sometimes only one is worth suggesting."""
    for _ in range(10):
        page = visit(after_first_tickets(api, bots=4).link, size=(360, 640), touch=True)
        Traveller(page).wait()
        page.get_by_test_id("hint").tap()
        expect(page.locator("[data-testid=hinted]:visible")).to_have_count(1)
        if page.get_by_test_id("other-hint").is_visible():
            return page
    raise AssertionError("ten hints, and each names a single move")


def test_on_a_small_phone_hints_are_shown_one_at_a_time(visit: Visits, api: Api) -> None:
    page = several_hints(visit, api)
    other, hints = page.get_by_test_id("other-hint"), page.locator("[data-testid=hinted]:visible")
    expect(other).to_contain_text("1 of")
    seen = set()
    for _ in range(int(other.inner_text().split()[2].rstrip(","))):
        expect(hints).to_have_count(1)
        expect(page.locator(".board [data-hinted]").first).to_be_in_viewport(ratio=0.5)
        seen.add(hints.locator(".words").inner_text())
        other.tap()
    assert len(seen) > 1, f"nothing is shown but {seen}"
    expect(other).to_contain_text("1 of")
    assert_nothing_cut_off(page, "a hint")


def test_a_replay_on_a_phone_shows_the_map_despite_long_names(visit: Visits, api: Api) -> None:
    page = visit(f"/replay/{finished(api, 'Massimiliano Fumagalli').table}", size=(360, 640), touch=True)
    expect(page.get_by_test_id("replay-controls")).to_be_in_viewport(ratio=1)
    page.locator("[data-route=R086] .space").first.scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="One step forward"), "stepping on takes scrolling").to_be_in_viewport(
        ratio=1
    )


def test_tickets_can_be_returned_and_everyone_sees_who_still_chooses(visit: Visits, api: Api) -> None:
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    opened = api.post("/api/tables", {"game": GAME, "seats": seats, "options": {"start": "1"}})
    other = api.sit(opened["table"], "Bruno")
    ada = Traveller(visit(Place(opened["table"], opened["seat"], opened["secret"]).link)).wait()
    offered = ada.get("offered")
    expect(offered).to_have_count(5)
    back = [offered.nth(place).get_attribute("data-ticket") or "" for place in range(2)]
    for place in range(3):
        offered.nth(place).click()
    expect(ada.get("keep")).to_be_disabled()
    offered.nth(2).click()
    ada.get("keep").click()
    expect(ada.prompt).to_contain_text("Bruno is choosing")

    with api.join(opened["table"], other["secret"]) as bruno:
        bruno.move({"do": "keep"})
    expect(ada.get("ticket")).to_have_count(3)
    kept = {one.get_attribute("data-ticket") for one in ada.get("ticket").all()}
    assert not kept & set(back), "what was given back is not kept"
    expect(ada.log).to_contain_text("You keep 3 tickets")


def test_a_player_chooses_how_to_pay_for_a_ferry(visit: Visits, api: Api) -> None:
    player = Traveller(visit(after_first_tickets(api, can_sail).link)).wait()
    ferries = player.page.locator("[data-testid=route][data-usable]:has(.lane)")
    ways = player.page.get_by_role("group", name="How to pay")
    other = ways.get_by_role("button", name=re.compile("with .*ferry card"))
    for ferry in ferries.all():
        player.choose(ferry)
        expect(player.get("claim")).to_be_visible()
        if other.count():
            break
    words = other.first.locator(".out-of-sight").inner_text().removeprefix("with ")
    other.first.click()
    expect(other.first).to_have_attribute("aria-pressed", "true")
    player.get("claim").click()
    expect(player.log).to_contain_text(re.compile(f"You claim .* {re.escape(words.split(' and ')[-1])}"))


def test_a_route_says_why_it_cannot_be_claimed(visit: Visits, api: Api) -> None:
    player = Traveller(visit(after_first_tickets(api).link)).wait()
    player.choose(player.page.locator("[data-route=R036]"))
    card = player.get("route-card")
    expect(card).to_contain_text("7 spaces, 4 with a wave")
    expect(card).to_contain_text("18 points")
    expect(card).to_contain_text("too few")
    card.get_by_test_id("why-not").click()
    expect(player.refusal).to_contain_text("TR-37")
    player.page.keyboard.press("Escape")
    player.page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_a_route_is_found_by_its_cities(visit: Visits, api: Api) -> None:
    page = visit(after_first_tickets(api).link)
    Traveller(page).wait()
    page.keyboard.press("s")
    page.get_by_test_id("find-words").fill("napoli roma white")
    expect(page.get_by_test_id("found")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("route-card")).to_contain_text("Roma – Napoli")
    expect(page.locator("[data-route=R086]")).to_have_attribute("aria-pressed", "true")


def test_a_ticket_highlights_its_cities_and_regions_are_counted(visit: Visits, api: Api) -> None:
    page = visit(after_first_tickets(api).link)
    Traveller(page).wait()
    ticket = page.get_by_test_id("ticket").first
    ticket.click()
    expect(ticket).to_have_attribute("aria-pressed", "true")
    a, b = (ticket.get_attribute("data-ticket") or "").split("-")
    lit = set(page.locator(".cities text.lit").all_text_contents())
    zones = {"Svizzera", "Francia", "Austria", "Croazia", "Monaco"}
    assert {a, b} - zones == lit
    page.get_by_test_id("tab-regions").click()
    expect(page.get_by_test_id("bonus-0")).to_have_text("+0")


FILL = "space => getComputedStyle(space).fill"


def test_trains_are_distinguishable_from_routes_of_their_colour(visit: Visits, api: Api) -> None:
    player = Traveller(visit(after_first_tickets(api, lambda client: len(client.moves()) > 20).link)).wait()
    page = player.page
    other = page.locator("[data-testid=route]:not([data-usable]) .space:visible").first
    trains = page.locator(".train").count()
    before = other.evaluate(FILL)
    route = player.longest()
    name = route.get_attribute("data-route")
    player.claim(route)
    body = page.locator(f"[data-route={name}] .train .body").first
    assert body.evaluate("body => getComputedStyle(body).stroke") != "none", "a train has no outline"
    assert body.evaluate("body => body.nextElementSibling.getAttribute('fill')") == "url(#trains-bars)", "nor a mark"
    if not trains:
        assert other.evaluate(FILL) != before, "what is not claimed stays as bright as the trains"


def test_ticket_cities_are_ringed_and_a_route_names_the_ticket_it_helps(visit: Visits, api: Api) -> None:
    place = after_first_tickets(api, lambda client: any(not held["met"] for held in client.now["view"]["tickets"]))
    with api.join(place.table, place.secret) as client:
        held = client.now["view"]["tickets"]
        owners = client.now["view"]["owners"]
    player = Traveller(visit(place.link)).wait()
    page = player.page
    ringed = {ring.get_attribute("data-own") or "" for ring in page.locator("[data-own]").all()}
    ends = {end for one in held for end in one["ticket"].split("-")}
    assert {name.split("@")[0] for name in ringed} == ends
    undone = {end for one in held if not one["met"] for end in one["ticket"].split("-")}
    done = {ring.get_attribute("data-own") for ring in page.locator("[data-own][data-met]").all()}
    assert not done & undone, "a city with a ticket still to do looks done"

    ticket = next(one["ticket"] for one in held if not one["met"])
    here = ticket.split("-")[0]
    said = []
    for route in page.locator("[data-testid=route]").all():
        words = route.get_attribute("aria-label") or ""
        if here in words.split(",")[0].split("–") and route.get_attribute("data-route") not in owners:
            route.dispatch_event("click", {"detail": 0})
            expect(player.get("route-card")).to_contain_text(words.split("–")[0])
            helps = player.get("helps")
            said.append(helps.inner_text() if helps.count() else "")
            page.keyboard.press("Escape")
    assert any(ticket.replace("-", "–") in words for words in said), f"no route from {here} helps {ticket}: {said}"


HIDDEN_NAMES = """(name) => {
  const at = (text, index) => {
    const { x, y, width, height } = text.getExtentOfChar(index);
    return new DOMPoint(x + width / 2, y + height * 0.52).matrixTransform(text.getScreenCTM());
  };
  const lies = (shape, point) => shape.isPointInFill(point.matrixTransform(shape.getScreenCTM().inverse()));
  const shapes = [...document.querySelectorAll('.space, .train .body, .city')];
  const cities = [...document.querySelectorAll('.cities text')].map((text) => text.getBoundingClientRect());
  return [...document.querySelectorAll(name)].map((text) => ({
    name: text.textContent,
    hidden: Array.from(text.textContent, (_, index) => at(text, index)).some(
      (point) =>
        shapes.some((shape) => lies(shape, point)) ||
        cities.some(({ left, right, top, bottom }) =>
          left < point.x && point.x < right && top < point.y && point.y < bottom),
    ),
  }));
}"""


def clear_names(page: Page, kind: str) -> list[str]:
    """The names of this kind, once the map is at rest: it gets its size a moment after the page loads."""

    def hidden() -> list[str]:
        return [one["name"] for one in page.evaluate(HIDDEN_NAMES, kind) if one["hidden"]]

    assert eventually(page, lambda: not hidden()), f"letters of these lie under tracks or cities: {hidden()}"
    return [one["name"] for one in page.evaluate(HIDDEN_NAMES, kind)]


@pytest.mark.parametrize("size", [(1280, 720), (1280, 800), (1600, 1000)])
def test_every_region_name_is_readable(visit: Visits, api: Api, size: tuple[int, int]) -> None:
    page = visit(after_first_tickets(api).link, size=size)
    Traveller(page).wait()
    named = clear_names(page, ".land .name")
    assert len(named) == 17, f"named at first sight are only {named}"


def test_on_a_small_phone_names_do_not_touch(visit: Visits, api: Api) -> None:
    page = visit(after_first_tickets(api, bots=4).link, size=(360, 640), touch=True)
    Traveller(page).wait()
    assert len(clear_names(page, ".land .zone-name")) >= 3, "hardly any zone is named"
    map, cards = box_of(page.get_by_test_id("map")), box_of(page.get_by_test_id("deck"))
    assert map["y"] + map["height"] <= cards["y"], "the map does not end above the cards"


BLURRED_CITIES = """() => {
  const boxOf = (text) => {
    const { left, right } = text.getBoundingClientRect();
    const scale = text.getScreenCTM().a;
    const size = parseFloat(getComputedStyle(text).fontSize) * scale;
    const base = new DOMPoint(0, text.y.baseVal[0].value).matrixTransform(text.getScreenCTM()).y;
    return { name: text.textContent, size, left, right, top: base - size * 0.7, bottom: base };
  };
  const names = [...document.querySelectorAll('.cities text')].map(boxOf);
  const marks = [...document.querySelectorAll('.cities .city')].map((mark) => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    return { name: 'a mark', left: left + 1, right: right - 1, top: top + 1, bottom: bottom - 1 };
  });
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return names.flatMap((one, index) => [
    ...(one.size < 11 ? [`${one.name} is small`] : []),
    ...[...names.slice(index + 1), ...marks]
      .filter((other) => meet(one, other))
      .map(({ name }) => `${one.name} touches ${name}`),
  ]);
}"""


def cities_can_be_read(page: Page, step: str) -> None:
    """Waits until the map is at rest: it gets its size and lettering a moment after the page loads."""
    try:
        page.wait_for_function(f"() => !({BLURRED_CITIES})().length")
    except PlaywrightTimeoutError:
        pytest.fail(f"while {step}: {'; '.join(page.evaluate(BLURRED_CITIES))}", pytrace=False)


@pytest.mark.parametrize("size", [(360, 640), (360, 740), (1280, 720)])
def test_city_names_are_readable_at_every_zoom(visit: Visits, api: Api, size: tuple[int, int]) -> None:
    player = Traveller(visit(against_bots(api, bots=4).link, size=size)).wait()
    larger = player.page.get_by_role("button", name="Zoom in")
    for step in ("choosing tickets", "acting"):
        while True:
            cities_can_be_read(player.page, step)
            if larger.is_disabled():
                break
            larger.click()
        player.page.get_by_role("button", name="Show the whole map").click()
        if step == "choosing tickets":
            player.move()


def test_the_map_can_be_panned_and_zoomed(visit: Visits, api: Api) -> None:
    page = visit(after_first_tickets(api).link)
    Traveller(page).wait()
    space = page.locator("[data-route=R086] .space").first
    small = box_of(space)
    page.get_by_role("button", name="Zoom in").click()
    large = box_of(space)
    assert large["width"] > small["width"] * 1.3, "it is not shown larger"
    frame = box_of(page.get_by_test_id("map"))
    page.mouse.move(frame["x"] + 300, frame["y"] + 300)
    page.mouse.down()
    page.mouse.move(frame["x"] + 240, frame["y"] + 260, steps=4)
    page.mouse.up()
    assert box_of(space)["x"] == pytest.approx(large["x"] - 60, abs=3), "it does not go where it is drawn"
    expect(page.get_by_test_id("route-card")).to_be_hidden()
    page.get_by_role("button", name="Show the whole map").click()
    whole = pytest.approx(small["width"], abs=1)
    assert eventually(page, lambda: box_of(space)["width"] == whole), "not all of it is there again"


def test_the_map_can_be_pinched(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, after_first_tickets(api).link)
    Traveller(page).wait()
    space = page.locator("[data-route=R086] .space").first
    small = box_of(space)
    x, y = small["x"] + small["width"] / 2, small["y"] + small["height"] / 2
    spread(page, x, y, [20, 35, 50, 60])
    large = box_of(space)
    assert large["width"] == pytest.approx(small["width"] * 3, rel=0.1), "it does not grow as the fingers part"
    middle = large["x"] + large["width"] / 2, large["y"] + large["height"] / 2
    assert middle == pytest.approx((x, y), abs=1), "what is between the fingers does not stay there"
    expect(page.get_by_test_id("route-card"), "fingers that part choose nothing").to_be_hidden()
    spread(page, x, y, [60, 40, 20, 15])
    assert box_of(space)["width"] == pytest.approx(small["width"], rel=0.05), "not all of it is there again"


def spread(page: Page, x: float, y: float, apart: list[float]) -> None:
    """Two fingers on either side of a point move and are lifted."""
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *places: float) -> None:
        points = [{"x": place, "y": y, "id": number} for number, place in enumerate(places)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", x - apart[0], x + apart[0])
    for far in apart[1:]:
        touch("touchMove", x - far, x + far)
    touch("touchEnd")


WATCH = """(route) => {
  window.laid = [];
  new MutationObserver(() => {
    const count = route.querySelectorAll('.train').length;
    if (count !== window.laid.at(-1)) window.laid.push(count);
  }).observe(route, { subtree: true, childList: true });
}"""


def test_trains_are_laid_one_after_another(visit: Visits, api: Api) -> None:
    long = after_first_tickets(api, lambda client: any(move.get("locomotives") == 0 for move in client.moves()))
    player = Traveller(visit(long.link, moving=True)).wait()
    route = player.page.locator(f"[data-route={player.longest().get_attribute('data-route')}]")
    length = route.locator(".space").count()
    route.evaluate(WATCH)
    player.claim(route)
    expect(player.log).to_contain_text("You claim")
    expect(route.locator(".train")).to_have_count(length)
    assert player.page.evaluate("window.laid") == list(range(1, length + 1))


def choosing(visit: Visits, api: Api) -> Page:
    page = visit(against_bots(api).link)
    page.get_by_test_id("offered").first.click()
    return page


def paying(visit: Visits, api: Api) -> Page:
    player = Traveller(visit(after_first_tickets(api, can_sail).link)).wait()
    player.choose(player.page.locator("[data-testid=route][data-usable]:has(.lane)").first)
    expect(player.get("claim")).to_be_visible()
    return player.page


def on_the_phone(visit: Visits, api: Api) -> Page:
    player = Traveller(visit_on_phone(visit, after_first_tickets(api, can_sail).link), Locator.tap).wait()
    player.get("open-regions").tap()
    return player.page


def finding(visit: Visits, api: Api) -> Page:
    player = Traveller(visit(after_first_tickets(api, can_sail).link)).wait()
    player.get("tab-regions").click()
    player.get("find").click()
    return player.page


def finished(api: Api, name: str = "Ada") -> Place:
    """A seat at a table whose game is over."""

    def open_table() -> Place:
        seats = [{"kind": "me", "name": name}, {"kind": "bot", "bot": "normal"}]
        opened = api.post("/api/tables", {"game": GAME, "seats": seats, "options": {"start": "1"}})
        return Place(opened["table"], opened["seat"], opened["secret"])

    return reach(api, open_table, over, next_card)


def test_the_final_score_adds_up(visit: Visits, api: Api) -> None:
    page = visit(finished(api).link)
    assert_score_shown(page, 2)
    missed = page.get_by_test_id("final").get_by_role("listitem").filter(has_text="You").locator("dd")
    assert any(re.fullmatch(r"−\d+", value) for value in missed.all_inner_texts()), "what is lost has a minus sign"


def last_page(visit: Visits, api: Api) -> Page:
    page = visit(finished(api).link)
    page.get_by_test_id("network-1").click()
    expect(page.locator("[data-route]:has(.train)").first).to_be_attached()
    return page


def replayed(visit: Visits, api: Api) -> Page:
    page = visit(f"/replay/{finished(api).table}")
    page.get_by_test_id("replay-controls").get_by_role("slider").fill("70")
    expect(page.locator("[data-route]:has(.train)").first).to_be_attached()
    return page


@pytest.mark.parametrize("show", [choosing, paying, on_the_phone, finding, last_page, replayed])
def test_accessibility(visit: Visits, api: Api, show: Callable[[Visits, Api], Page]) -> None:
    drawn_otherwise = show in (choosing, last_page)
    assert_accessible(show(visit, api), outside="" if drawn_otherwise else "[data-testid=map]")
