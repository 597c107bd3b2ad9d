"""The players' clocks on the page: choosing them, showing them, running out, and continuing after a restart."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import Visits
from tests.browser.narrow import HIGH, WIDE, assert_nothing_cut_off
from tests.browser.player import Player
from tests.browser.positions import Place
from tests.browser.serving import ServerProcess, Wire
from tests.browser.test_people import with_passport
from tests.server.client import Api, Message
from tests.server.test_passports import passport

SECONDS_A_MOVE = 1.0
"""Nobody moves this quickly in a browser."""


def with_clocks(api: Api, time: Message) -> tuple[Place, Place]:
    """Two people with clocks. It is Ada's turn."""
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    options = {"turn_limit": 10, "start": "1"}
    opened = api.post("/api/tables", {"game": "round-trip", "seats": seats, "options": options, "time": time})
    sat = api.sit(opened["table"], "Bruno")
    return Place(opened["table"], 0, opened["secret"]), Place(opened["table"], 1, sat["secret"])


def log_of(page: Page) -> list[str]:
    return page.get_by_test_id("log").inner_text().splitlines()


def test_a_clock_that_runs_out_moves_then_hands_the_seat_to_a_bot_and_never_ends_the_match(
    visit: Visits, api: Api
) -> None:
    ada, bruno = with_clocks(api, {"kind": "move", "seconds": SECONDS_A_MOVE})
    page, other = Player(visit(ada.link)), Player(visit(bruno.link))
    expect(page.log).to_contain_text("Your time was up: a bot made this move.")
    expect(page.log).to_contain_text("Your time has run out twice in a row: a bot plays on for you.")
    expect(other.log).to_contain_text("Ada's time is up: a bot makes this move.")
    expect(other.log).to_contain_text("Ada's time has run out twice in a row: a bot plays on.")
    expect(page.final, "bots play on to the end").to_be_visible()
    late = [line for line in log_of(page.page) if "Your time was up" in line]
    assert len(late) == 2, "after two moves of the clock the seat is a bot's"


def test_correspondence_is_chosen_on_the_page_and_its_clocks_are_shown_in_days(visit: Visits) -> None:
    host = visit("/", size=(WIDE, HIGH))
    host.get_by_test_id("invite-round-trip").click()
    host.get_by_label("Your name").fill("Ada")
    host.get_by_test_id("clocks").select_option("hours or days for each move")
    host.get_by_test_id("per-move").select_option("2 days")
    host.get_by_test_id("open-table").click()
    expect(host.get_by_role("main")).to_contain_text("Clocks: 2 days for each move.")
    guest = visit(host.get_by_label("Send your friends this link").input_value())
    guest.get_by_label("Your name").fill("Bruno")
    guest.get_by_test_id("sit").click()

    clocks = [guest.get_by_test_id(f"clock-{seat}") for seat in (0, 1)]
    for clock in clocks:
        expect(clock).to_have_text(re.compile("^(2 d 0 h|1 d 23 h)$"))
        expect(clock).to_have_attribute("role", "timer")
    running = re.compile(": 1 day 23 hours left$")
    expect(guest.get_by_role("timer", name=running), "only the clock of the player to move runs").to_have_count(1)
    expect(host.get_by_role("timer", name=re.compile("^(Your time|Time of Bruno): "))).to_have_count(2)
    assert_accessible(host)
    assert_nothing_cut_off(host, "a table with clocks")
    host.goto("about:blank")
    status = guest.get_by_test_id("players").locator("li").first.locator(".status")
    expect(status).to_have_text("away")
    assert status.evaluate("one => one.scrollWidth <= one.clientWidth"), "it is not cut off"


def test_my_games_say_how_much_time_is_left(visit: Visits, api: Api) -> None:
    ada = passport(api)
    for seconds in (3 * 24 * 3600 - 60, 1800):  # in the first moment three days would be three, and then less
        wanted = {"kind": "move", "seconds": seconds}
        opened = api.open("me", "open", options={"start": "1"}, time=wanted, passport=ada["secret"])
        api.sit(opened["table"], "Bruno")
    api.open("me", "open", time={"kind": "match", "seconds": 600, "added": 5}, passport=ada["secret"])
    page = with_passport(visit, ada, "/games", size=(WIDE, HIGH))
    running = page.get_by_test_id("running").get_by_role("listitem")
    expect(running).to_contain_text(
        [re.compile(r"Your turn · Bruno\s+· (30:00|2\d:\d\d) left"), "2 d 23 h left", "nobody else yet · 10 min + 5 s"]
    )
    expect(running.get_by_role("timer", name="2 days 23 hours left")).to_be_visible()
    assert_accessible(page)
    assert_nothing_cut_off(page, "my games")


def test_clocks_continue_after_a_restart_and_still_run_out(visit: Visits, tmp_path: Path) -> None:
    first = ServerProcess(tmp_path)
    wire = Wire(first.url)
    try:
        ada, _ = with_clocks(Api(first.url), {"kind": "move", "seconds": 3 * SECONDS_A_MOVE})
        days, _ = with_clocks(Api(first.url), {"kind": "match", "seconds": 3600, "added": 0})
        page, slow = visit(ada.link, by=wire), visit(days.link, by=wire)
        expect(Player(slow).wait().page.get_by_test_id("clock-1")).to_have_text("1:00:00")
        visit.expect(wire.address)
        wire.cut()
        assert first.stop() == ""
        expect(slow.get_by_test_id("connection")).to_contain_text("Connection lost")
        with ServerProcess(tmp_path) as second:
            wire.lead_to(second.url)
            wire.mend()
            expect(slow.get_by_test_id("log")).to_contain_text("nobody's clock is charged for that time")
            expect(slow.get_by_test_id("clock-0")).to_have_text(re.compile(r"^5\d:\d\d$"))
            expect(slow.get_by_test_id("clock-1")).to_have_text("1:00:00")
            expect(Player(page).log).to_contain_text("Your time was up: a bot made this move.")
            for each in (page, slow):
                each.goto("about:blank")
    finally:
        wire.close()
