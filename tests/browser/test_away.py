"""Absent players: everyone sees it, a bot moves for them, and another player has the host's rights."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.narrow import assert_nothing_cut_off, visit_on_phone
from tests.browser.player import Player
from tests.browser.positions import Place
from tests.server.client import Api

SINCE = re.compile(r"away since \d\d:\d\d")


def two_players(api: Api, patience: float, **options: object) -> tuple[Place, Place]:
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    wanted = {"game": "round-trip", "seats": seats, "options": {"turn_limit": 10, **options}, "patience": patience}
    opened = api.post("/api/tables", wanted)
    sat = api.sit(opened["table"], "Bruno")
    return Place(opened["table"], 0, opened["secret"]), Place(opened["table"], sat["seat"], sat["secret"])


def test_patience_is_chosen_when_a_table_is_opened(visit: Visits, api: Api) -> None:
    page = visit("/")
    page.get_by_test_id("invite-round-trip").click()
    patience = page.get_by_test_id("patience")
    expect(patience.locator("option:checked")).to_have_text("after 2 minutes")
    patience.select_option("after 5 minutes")
    page.get_by_test_id("open-table").click()
    page.wait_for_url("**/table/*")
    assert api.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}")["patience"] == 300


def test_the_others_see_who_is_away_and_when_a_bot_will_move(visit: Visits, api: Api) -> None:
    ada, bruno = two_players(api, 60, start="2")
    page = visit(ada.link)
    away = visit(bruno.link, alone=True)
    players = page.get_by_test_id("players").locator("li")
    expect(players.nth(1)).to_contain_text("thinking")
    away.context.close()
    expect(players.nth(1)).to_contain_text(SINCE)
    note = page.get_by_test_id("prompt-note")
    expect(note).to_contain_text(
        re.compile(r"Bruno has been away since \d\d:\d\d\. After 1 minute a bot makes the move")
    )

    page.get_by_test_id("menu").click()
    expect(page.get_by_role("dialog")).to_contain_text(SINCE)
    page.get_by_test_id("free-1").click()
    refused = page.get_by_role("dialog").get_by_role("alert")
    expect(refused).to_contain_text("Bruno may come back: the seat can be freed up in")


def test_a_bot_moves_for_an_absent_player_and_the_log_says_so(visit: Visits, api: Api) -> None:
    ada, bruno = two_players(api, 1, start="2")
    player = Player(visit(ada.link)).wait()
    expect(player.log).to_contain_text("Bruno is away: a bot makes this move.")
    expect(player.log).to_contain_text("Bruno takes a ticket from the")
    back = Player(visit(bruno.link))
    expect(back.log).to_contain_text("You were away: a bot made this move.")
    expect(player.page.get_by_test_id("players").locator("li").nth(1)).not_to_contain_text("away")


def test_absence_is_shown_on_a_phone(visit: Visits, api: Api) -> None:
    ada, _ = two_players(api, 120, start="2")
    page = visit_on_phone(visit, ada.link)
    expect(page.get_by_test_id("players").locator("li").nth(1)).to_contain_text("away")
    expect(page.get_by_test_id("prompt-note")).to_be_in_viewport(ratio=0.99)
    assert_nothing_cut_off(page, "the table while someone is away")


def test_the_next_player_can_start_if_the_host_is_away(visit: Visits, api: Api) -> None:
    opened = api.open("me", "open", "open", options={"turn_limit": 10})
    place = api.sit(opened["table"], "Bruno")
    with api.join(opened["table"], opened["secret"]):
        page = visit(Place(opened["table"], 1, place["secret"]).link)
        first, second = (page.locator("li", has_text=name) for name in ("Player 1", "Bruno"))
        expect(first).to_contain_text("host, here")
        expect(page.get_by_test_id("start")).to_have_count(0)
    expect(first).to_contain_text(SINCE)
    expect(second).to_contain_text("host, here")
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("players")).to_be_visible()
