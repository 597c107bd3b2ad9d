"""Features for people who come back, each in their own browser: passport, my games, invitations, clocks, ratings, deals
of the day, and studying replays."""

import json
import re
import sqlite3
from contextlib import closing
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import Visits, eventually
from tests.browser.keys import Keys
from tests.browser.narrow import HIGH, WIDE, assert_nothing_cut_off
from tests.browser.player import Player
from tests.browser.positions import against_bots, finished
from tests.browser.serving import ServerProcess
from tests.server.client import Api, Message
from tests.server.test_passports import SHORT, finish, games, passport, play

PHONE = (WIDE, HIGH)


def with_passport(visit: Visits, made: Message, path: str, **how: Any) -> Page:
    """Open a page as somebody with this passport."""
    page = visit("/about", alone=True, **how)
    held = {"secret": made["secret"], **{key: made["me"][key] for key in ("id", "name", "picture")}}
    page.evaluate("(held) => localStorage.setItem('grandtour.passport', held)", json.dumps(held))
    page.goto(path)
    return page


def looked_at(page: Page) -> None:
    assert_accessible(page)
    assert_nothing_cut_off(page, page.url)


def test_a_passport_goes_to_another_device_and_is_forgotten(visit: Visits) -> None:
    phone = visit("/passport", size=PHONE, alone=True)
    keys = Keys(phone)
    phone.get_by_label("Name").fill("Zoe")
    keys.press(phone.get_by_role("button", name="Make my passport"))
    expect(phone.get_by_test_id("said")).to_have_text("Your passport is ready.")
    keys.press(phone.get_by_test_id("device-link"))
    link = phone.get_by_label("Link for the other device").input_value()
    keys.press(phone.get_by_test_id("show-code"))
    expect(phone.get_by_role("img", name="QR code of this link")).to_be_visible()
    looked_at(phone)

    laptop = visit("/passport", alone=True)
    # The page is open already, so only the part after the # changes.
    laptop.goto(link)
    laptop.get_by_test_id("use-link").click()
    expect(laptop.get_by_role("heading", name="Zoe")).to_be_visible()
    expect(laptop.get_by_role("link", name="Passport of Zoe")).to_be_visible()
    visit.expect("403")
    thief = visit(link, alone=True)
    thief.get_by_test_id("use-link").click()
    expect(thief.get_by_role("alert")).to_contain_text("This link has been used")
    expect(thief.get_by_role("button", name="Make my passport")).to_be_visible()

    phone.reload()
    keys.press(phone.get_by_test_id("sign-off").last)
    expect(phone.get_by_test_id("said")).to_contain_text("is signed out")
    laptop.reload()
    expect(laptop.get_by_role("alert")).to_contain_text("signed out")
    keys.press(phone.get_by_test_id("forget"))
    expect(phone.get_by_role("dialog")).to_contain_text("This cannot be undone.")
    keys.press(phone.get_by_test_id("forget-for-good"))
    expect(phone.get_by_test_id("said")).to_contain_text("You are forgotten")


def test_my_games_lists_turns_invitations_and_results(visit: Visits, api: Api) -> None:
    ada, bruno = passport(api), passport(api, "Bruno")
    over = api.open("me", "open", options=SHORT, passport=ada["secret"])
    place = api.sit(over["table"], "Bruno", passport=bruno["secret"])
    play(api, over["table"], over["secret"], place["secret"])
    api.until(lambda: bool(games(api, ada["secret"])["finished"]))
    waiting = api.open("me", "open", game="itchy-feet", passport=ada["secret"])
    api.open("me", "normal", options=SHORT | {"start": "1"}, passport=ada["secret"])
    invited = api.post(
        "/api/tables",
        {
            "game": "postcards-home",
            "seats": [{"kind": "me", "name": "Bruno"}, {"kind": "open"}],
            "passport": bruno["secret"],
        },
    )
    api.post(f"/api/tables/{invited['table']}/invite", {"passport": bruno["secret"], "to": ada["me"]["id"]})

    page = with_passport(visit, ada, "/games", size=PHONE)
    running = page.get_by_test_id("running").get_by_role("listitem")
    expect(running).to_have_count(2)
    expect(running.first, "tables where it is the holder's turn come first").to_contain_text("Your turn")
    expect(running.last).to_contain_text("Waiting for players")
    expect(page.get_by_role("region", name="Invitations")).to_contain_text("Bruno would like to play with you")
    expect(page.get_by_test_id("finished")).to_contain_text(
        re.compile("You (won|lost|shared the win)|Everyone shared the win")
    )
    looked_at(page)
    keys = Keys(page)
    keys.press(page.get_by_role("link", name=re.compile("Replay ?: Round Trip Italy")))
    expect(page).to_have_url(re.compile(f"/replay/{over['table']}"))
    page.go_back()
    keys.press(page.get_by_role("link", name="Sit down"))
    expect(page.get_by_test_id("invited-by")).to_have_text("Bruno invites you to a game of Postcards Home.")
    page.get_by_test_id("sit").click()
    expect(page.get_by_test_id("prompt")).to_be_visible()
    assert waiting["table"] not in page.url


def test_people_are_invited_by_code_and_by_the_devices_sheet(visit: Visits, api: Api) -> None:
    opened = api.post("/api/tables", {"game": "round-trip", "seats": [{"kind": "me", "name": "Ada"}, {"kind": "open"}]})
    page = visit("/about", size=PHONE, alone=True)
    page.add_init_script("navigator.share = async (what) => { window.shared = what; }")
    page.goto(f"/table/{opened['table']}#seat=0.{opened['secret']}")
    keys = Keys(page)
    keys.press(page.get_by_test_id("show-code"))
    expect(page.get_by_role("img", name="QR code of this link")).to_be_visible()
    keys.press(page.get_by_test_id("share"))
    link = page.get_by_label("Send your friends this link").input_value()
    assert page.evaluate("window.shared") == {
        "title": "Round Trip Italy",
        "text": "Ada invites you to a game of Round Trip Italy.",
        "url": link,
    }
    looked_at(page)
    guest = visit(link)
    expect(guest.get_by_test_id("invited-by")).to_have_text("Ada invites you to a game of Round Trip Italy.")


def test_a_quick_match_seats_two_people_together(visit: Visits) -> None:
    pages = [visit("/", size=PHONE, alone=True) for _ in range(2)]
    for page in pages:
        page.get_by_test_id("quick-round-trip").click()
        expect(page).to_have_url(re.compile("/table/"))
    assert pages[0].url == pages[1].url
    expect(pages[1].get_by_role("heading", name="Looking for other players")).to_be_visible()
    looked_at(pages[1])


def test_players_agree_on_a_pause_and_one_concedes(visit: Visits, api: Api) -> None:
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    time = {"kind": "match", "seconds": 600, "added": 5}
    opened = api.post(
        "/api/tables", {"game": "round-trip", "seats": seats, "options": SHORT | {"start": "1"}, "time": time}
    )
    place = api.sit(opened["table"], "Bruno")
    ada = visit(f"/table/{opened['table']}#seat=0.{opened['secret']}", size=PHONE)
    bruno = visit(f"/table/{opened['table']}#seat=1.{place['secret']}")
    expect(bruno.get_by_text("10:00").first).to_be_visible()
    ada.get_by_test_id("menu").click()
    ada.get_by_test_id("pause").click()
    expect(bruno.get_by_test_id("prompt-note")).to_have_text("Ada would like a pause.")
    bruno.get_by_test_id("pause-clocks").press("Enter")
    expect(ada.get_by_test_id("prompt-note")).to_have_text("The clocks are stopped.")
    ada.get_by_test_id("pause-clocks").press("Enter")
    expect(bruno.get_by_test_id("prompt-note")).to_be_hidden()

    bruno.get_by_test_id("menu").click()
    bruno.get_by_test_id("leave").press("Enter")
    question = bruno.get_by_role("group", name="Leave or concede?")
    expect(question).to_contain_text("you cannot come back, and the result says so")
    assert_accessible(bruno, night=False, inside="dialog[open]")
    bruno.get_by_test_id("concede").press("Enter")
    expect(bruno.get_by_test_id("log")).to_contain_text("You concede")
    finish(api, opened["table"], opened["secret"])
    expect(ada.get_by_test_id("conceded")).to_have_text("Bruno conceded: a bot played on.")
    expect(ada.get_by_test_id("left")).to_have_text("A bot played to the end for you.")
    headline = ada.get_by_test_id("final").get_by_role("heading", level=2).first
    expect(headline).to_have_text(re.compile("The bot that played for (you|Bruno) wins|share the win|is over"))


def test_spectators_talk_among_themselves_and_ask_for_a_seat(visit: Visits, api: Api) -> None:
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "bot"}]
    opened = api.post("/api/tables", {"game": "round-trip", "seats": seats, "options": SHORT, "ask": True})
    ada = visit(f"/table/{opened['table']}#seat=0.{opened['secret']}", size=PHONE)
    hers = passport(api, "Carla")
    carla = with_passport(visit, hers, f"/table/{opened['table']}", size=PHONE)
    ada.get_by_test_id("open-log").click()
    expect(ada.get_by_test_id("watching")).to_have_text("1 watching: Carla")
    carla.get_by_test_id("open-log").click()
    carla.get_by_label("Say something to the spectators").fill("She should take Milano")
    carla.get_by_role("button", name="Send").click()
    expect(carla.get_by_test_id("gallery")).to_contain_text("She should take Milano")
    expect(carla.get_by_test_id("mute"), "nobody mutes themselves").to_have_count(0)
    with api.join(opened["table"]) as other:
        other.ask("say", text="Or Roma")
    carla.get_by_test_id("mute").locator("summary").press("Enter")
    carla.get_by_role("checkbox", name="A spectator").press("Space")
    expect(carla.get_by_test_id("gallery")).not_to_contain_text("Or Roma")
    looked_at(carla)
    carla.keyboard.press("Escape")
    # What closes gives the focus back, and then the key would go elsewhere.
    expect(carla.locator("dialog[open]")).to_have_count(0)
    carla.get_by_test_id("ask-seat").press("Enter")
    expect(carla.get_by_test_id("ask-seat")).to_have_text("Asking the host…")
    ada.keyboard.press("Escape")
    expect(ada.get_by_role("main")).to_contain_text("Carla")
    looked_at(ada)
    ada.get_by_role("button", name="Yes, instead of").click()
    expect(carla.get_by_role("group", name="Your hand")).to_be_visible()
    with api.join(opened["table"], opened["secret"]) as client:
        assert not any(message["type"] == "gallery" for message in client.received)
    ada.get_by_test_id("open-log").click()
    expect(ada.get_by_test_id("log")).to_be_visible()
    expect(ada.get_by_text("She should take Milano")).to_have_count(0)
    with api.join(opened["table"], passport=hers["secret"]) as client:
        client.ask("bot", seat=client.seat, bot="random")
    finish(api, opened["table"], opened["secret"])
    expect(ada.get_by_test_id("gallery"), "when it is over, everyone may read it").to_contain_text(
        "She should take Milano"
    )


def test_a_rated_game_ends_with_a_rating_that_the_profile_shows(visit: Visits, api: Api) -> None:
    ada, bruno = passport(api), passport(api, "Bruno")
    wanted = {"game": "round-trip", "public": True, "rated": True, "options": SHORT | {"start": "1"}}
    table = api.post("/api/tables", {**wanted, "seats": [{"kind": "open"}, {"kind": "open"}]})["table"]
    page = with_passport(visit, ada, f"/table/{table}", size=PHONE)
    expect(page.get_by_text("A rated game: no hints, and no move is taken back.")).to_be_visible()
    with page.expect_response("**/sit"):
        page.get_by_test_id("sit").click()
    theirs = api.sit(table, passport=bruno["secret"])
    player = Player(page).wait()
    player.move()
    expect(page.get_by_test_id("hint")).to_have_count(0)
    expect(page.get_by_test_id("undo")).to_have_count(0)
    page.get_by_test_id("menu").click()
    page.get_by_test_id("bot-for-me").click()
    finish(api, table, theirs["secret"])
    numbers = page.get_by_test_id("statistics")
    expect(numbers).to_contain_text(re.compile(r"Your rating: \d+\.\d ± \d+\.\d"))
    expect(numbers).to_contain_text(
        re.compile(r"You play (like|a little better than|weaker than) an? (random|easy|normal|hard) bot")
    )
    expect(numbers.get_by_role("row").nth(1)).to_contain_text("round trips")
    looked_at(page)
    page.goto("/people/me")
    expect(page.get_by_role("region", name="Games")).to_contain_text(
        # A bot played it to the end.
        re.compile(r"Played once, not won yet\..*Rating \d+", re.DOTALL)
    )
    expect(page.get_by_role("region", name="Favourite opponents")).to_contain_text("Bruno")
    looked_at(page)


def test_a_deal_of_the_day_is_played_and_compared(visit: Visits, api: Api, server: ServerProcess) -> None:
    ada, bruno = passport(api), passport(api, "Bruno")
    page = with_passport(visit, ada, "/daily", size=PHONE)
    page.get_by_test_id("play-daily-round-trip").press("Enter")
    expect(page).to_have_url(re.compile("/table/"))
    mine = page.url.rsplit("/", 1)[1]
    Player(page).wait()
    expect(page.get_by_test_id("hint")).to_have_count(0)
    page.goto("/daily")
    expect(page.get_by_test_id("play-daily-round-trip")).to_have_text("Continue: Round Trip Italy")
    theirs = api.post("/api/games/round-trip/daily", {"passport": bruno["secret"]})["table"]
    for table, one, last in ((mine, ada, 0), (theirs, bruno, -1)):
        with api.join(table, passport=one["secret"]) as client:
            client.play(lambda moves, last=last: moves[last])  # type: ignore[misc]
    api.until(lambda: len(deal(api, ada)["results"]) == 2 and deal(api, ada)["par"] is not None)
    page.reload()
    shown = page.get_by_test_id("deal-round-trip")
    expect(shown).to_contain_text(re.compile(r"You: .*, rank [12] of 2\."))
    expect(shown).to_contain_text("Par: ")
    expect(shown).not_to_contain_text(re.compile(r"\b1 points"))
    expect(shown.get_by_role("link", name="Compare"), "others' matches are shown when the day is over").to_have_count(0)
    looked_at(page)
    move_deals_to_yesterday(server, "round-trip")
    page.get_by_test_id("yesterday").press("Enter")
    expect(shown).to_contain_text(re.compile(r"You: .*, rank [12] of 2\."))
    expect(shown.get_by_role("link", name="Compare with par")).to_be_visible()
    looked_at(page)
    shown.get_by_role("link", name="Compare with Bruno").press("Enter")
    expect(page).to_have_url(re.compile(f"/compare/{mine}/{theirs}$"))
    expect(page.get_by_text(re.compile("moves? (is|are) the same|differ from the first move"))).to_be_visible()
    expect(page.get_by_role("columnheader")).to_have_text(["Move", "Ada", "Bruno"])
    looked_at(page)
    page.locator("#parted a").first.press("Enter")
    expect(page).to_have_url(re.compile(rf"/replay/{mine}\?seat=0&step=\d+"))


def move_deals_to_yesterday(server: ServerProcess, game: str) -> None:
    """Change the played deals of this game to yesterday's."""
    with closing(sqlite3.connect(server.store)) as db, db:
        db.execute("UPDATE deals SET day = date(day, '-1 day') WHERE game = ?", (game,))


def deal(api: Api, one: Message) -> Message:
    found: list[Message] = api.post("/api/daily", {"passport": one["secret"]})
    return next(each for each in found if each["game"] == "round-trip")


def test_a_replay_has_a_curve_and_notes(visit: Visits, api: Api) -> None:
    ada = passport(api)
    opened = api.open("me", "random", options=SHORT, passport=ada["secret"])
    with api.join(opened["table"], opened["secret"]) as client:
        client.play(lambda moves: moves[0])
    page = with_passport(visit, ada, f"/replay/{opened['table']}?seat=0&step=2", size=PHONE)
    keys = Keys(page)
    curve = page.get_by_test_id("curve")
    keys.press(page.get_by_test_id("find-curve"))
    plot = curve.locator("svg").first
    expect(plot).to_be_visible(timeout=60_000)
    assert_accessible(page, inside="[data-testid=curve]")
    for turn in curve.get_by_test_id("turn").all()[:1]:
        step = re.search(r"Step (\d+)", turn.inner_text())
        assert step is not None
        keys.press(turn)
        expect(page).to_have_url(re.compile(rf"step={step[1]}$"))
    box = plot.bounding_box()
    assert box is not None
    plot.click(position={"x": 1, "y": box["height"] / 2})
    expect(page).to_have_url(re.compile(r"seat=0(&step=0)?$"))
    again = visit(page.url.removeprefix(api.url))
    expect(again.get_by_test_id("find-curve"), "it is stored with the match").to_have_count(0)

    page.goto(f"/replay/{opened['table']}?seat=0&step=3")
    notes = page.get_by_test_id("notes")
    page.get_by_test_id("note").fill("Milano was a mistake")
    page.get_by_test_id("note").press("Enter")
    expect(notes).to_contain_text("Milano was a mistake")
    looked_at(page)
    again.reload()
    expect(again.get_by_test_id("notes")).to_contain_text("Milano was a mistake")
    again.get_by_test_id("notes").get_by_role("button", name="Step 3").press("Enter")
    expect(again).to_have_url(re.compile("step=3$"))
    expect(again.get_by_test_id("note"), "only players write notes").to_have_count(0)
    keys.press(notes.get_by_role("button", name="Delete my note"))
    expect(notes).not_to_contain_text("Milano was a mistake")


def test_a_branch_is_played_alone_in_every_seat(visit: Visits, api: Api) -> None:
    table = finished(api)[0].table
    page = visit(f"/replay/{table}?seat=0&step=2")
    form = page.get_by_test_id("what-if")
    form.get_by_test_id("branch-against").select_option("me, too: I play every seat")
    form.get_by_test_id("branch").click()
    expect(page.get_by_test_id("branch-of")).to_contain_text("You play every seat")
    player = Player(page)
    seats = set()
    for _ in range(8):
        player.wait()
        seats.add(page.evaluate("JSON.parse(localStorage.getItem('grandtour.seats'))[0].seat"))
        player.move()
    assert seats == {0, 1}, "the board did not turn to the seat that was next"
    page.reload()
    player.wait().move()


def test_a_notice_is_shown_unless_somebody_looks_at_the_table(visit: Visits, api: Api) -> None:
    place = against_bots(api)
    page = visit("/", installed=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    [worker] = page.context.service_workers
    # A browser without a screen shows no notices, so what would be shown is noted.
    worker.evaluate(
        """() => {
          self.shown = [];
          registration.showNotification = async (title, more) => void self.shown.push([title, more.data.url]);
        }"""
    )
    session = page.context.new_cdp_session(page)
    registrations: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registrations.extend(one["registrationId"] for one in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    assert eventually(page, lambda: bool(registrations))

    def push(title: str, table: str) -> None:
        data = json.dumps({"title": title, "body": "", "url": f"/table/{table}", "tag": "grandtour"})
        wanted = {"origin": api.url, "registrationId": registrations[0], "data": data}
        session.send("ServiceWorker.deliverPushMessage", wanted)

    def shown() -> list[list[str]]:
        found: list[list[str]] = worker.evaluate("self.shown")
        return found

    push("Your turn", place.table)
    assert eventually(page, lambda: shown() == [["Your turn", f"/table/{place.table}"]])
    page.goto(place.link)
    Player(page).wait()
    push("Your turn again", place.table)
    push("Another table", "elsewhere")
    assert eventually(page, lambda: len(shown()) > 1)
    assert shown()[1:] == [["Another table", "/table/elsewhere"]], "there is no notice about a visible table"


def test_notices_are_turned_off_with_one_press(visit: Visits, api: Api) -> None:
    ada = passport(api)
    page = with_passport(visit, ada, "/about", size=PHONE)
    asked: list[Message] = []

    def answer(route: Route) -> None:
        """Pretend that this device gets notices, because no push service can be reached here."""
        wanted = json.loads(route.request.post_data or "{}")
        asked.append(wanted)
        on = wanted.get("on", True)
        route.fulfill(json={"on": on, "webhook": "", "key": None, "here": True, "devices": 2})

    page.route("**/api/passport/notices", answer)
    page.goto("/passport")
    panel = page.get_by_test_id("notices")
    expect(panel).to_contain_text("Notices are on for this device and 1 more.")
    Keys(page).press(page.get_by_test_id("notices-off"))
    expect(panel.get_by_role("status")).to_have_text("All notices are off.")
    assert asked[-1] == {"passport": ada["secret"], "on": False}
    expect(page.get_by_test_id("notices-on")).to_be_visible()
    assert_accessible(page, inside="[data-testid=notices]")
