"""On a phone 360 pixels wide nothing is cut off, and the hand is within reach."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.narrow import assert_hand_within_reach, assert_nothing_cut_off, visit_on_phone
from tests.browser.player import Player
from tests.browser.positions import against_bots, can, closed_piles, finished, offer, until
from tests.server.client import Api


@pytest.mark.parametrize("path", ["/", "/rules", "/rules/round-trip", "/about", "/replay"])
def test_pages_fit_a_phone(visit: Visits, path: str) -> None:
    page = visit_on_phone(visit, path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert_nothing_cut_off(page, path)
    page.get_by_role("button", name="Menu").tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert_nothing_cut_off(page, f"{path} with its menu")


def test_setting_up_a_table_fits_a_phone(visit: Visits) -> None:
    page = visit_on_phone(visit, "/")
    page.get_by_test_id("invite-round-trip").tap()
    page.get_by_text("Options").tap()
    assert_nothing_cut_off(page, "the set-up")
    page.get_by_test_id("open-table").tap()
    expect(page.get_by_test_id("start")).to_be_visible()
    assert_nothing_cut_off(page, "the waiting room")


def test_a_newcomer_is_offered_a_guided_game_until_they_start_one(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, against_bots(api).link)
    offered = page.get_by_test_id("newcomer")
    assert_nothing_cut_off(page, "the first table")
    offered.get_by_text("guided game").tap()
    expect(page.get_by_test_id("guide-note")).to_be_visible()
    assert_nothing_cut_off(page, "the first note")
    page.goto(against_bots(api).link)
    expect(page.get_by_test_id("prompt")).to_be_visible()
    expect(offered).to_be_hidden()
    page.evaluate("localStorage.clear()")
    page.goto(against_bots(api).link)
    offered.get_by_role("button", name="I know this game").tap()
    expect(offered).to_be_hidden()


def test_taking_a_ticket_fits_a_phone(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, against_bots(api, bots=3).link)
    player = Player(page).wait()
    assert_nothing_cut_off(page, "the table, before taking")
    player.take(player.open_piles.first)
    player.wait()
    assert_nothing_cut_off(page, "the table, after taking")
    assert_hand_within_reach(player)
    for opens in ("open-log", "rulebook", "menu"):
        page.get_by_test_id(opens).tap()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert_nothing_cut_off(page, f"the table with its {opens}")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()


def test_the_board_keeps_its_size_and_place_on_a_phone(visit: Visits, api: Api) -> None:
    """Whatever is in hand and on the tray, and whatever the prompt says."""
    page = visit_on_phone(visit, against_bots(api, bots=2).link)
    player = Player(page)
    boxes = set()
    for _ in range(12):
        player.wait()
        box = page.locator(".around .middle").evaluate(
            "({ offsetWidth, offsetHeight, offsetTop }) => [offsetWidth, offsetHeight, offsetTop]"
        )
        boxes.add(tuple(box))
        bottom, top = page.evaluate(
            """() => [document.querySelector('.dock > *').getBoundingClientRect().bottom,
                document.querySelector('.phone-dock').getBoundingClientRect().top]"""
        )
        assert bottom <= top, f"the hand covers {bottom - top} pixels of a neighbour"
        player.move()
    assert len(boxes) == 1, f"width, height and top of the board were {boxes}"


def test_seven_tickets_fit_a_phone(visit: Visits, api: Api) -> None:
    place, _ = until(api, can("discard"))
    player = Player(visit_on_phone(visit, place.link)).wait()
    expect(player.hand).to_have_count(7)
    assert_nothing_cut_off(player.page, "seven tickets")
    assert_hand_within_reach(player)
    player.hand.first.tap()
    expect(player.button("discard")).to_be_visible()
    assert_nothing_cut_off(player.page, "seven tickets, one of them chosen")
    assert_hand_within_reach(player)


def test_an_exchange_fits_a_phone(visit: Visits, api: Api) -> None:
    giving, asking = until(api, can("give"), offer)
    bruno = Player(visit_on_phone(visit, giving.link)).wait()
    assert_nothing_cut_off(bruno.page, "being asked for a ticket")
    assert_hand_within_reach(bruno)
    page = visit_on_phone(visit, asking.link)
    expect(page.get_by_test_id("undo")).to_be_visible()
    assert_nothing_cut_off(page, "waiting for the partner's ticket")


def test_asking_a_neighbour_fits_a_phone(visit: Visits, api: Api) -> None:
    place, _ = until(api, can("exchange"))
    player = Player(visit_on_phone(visit, place.link)).wait()
    for held in player.hand.all():
        held.tap()
        assert_nothing_cut_off(player.page, "a ticket chosen for an exchange")
        held.tap()


def test_the_final_score_fits_a_phone(visit: Visits, api: Api) -> None:
    place = finished(api)[0]
    page = visit_on_phone(visit, place.link)
    expect(page.get_by_test_id("final")).to_be_visible()
    assert_nothing_cut_off(page, "the final score")
    dock = page.locator(".phone-dock")
    assert dock.evaluate("dock => getComputedStyle(dock).position") == "static", "the hand covers the result"
    page.get_by_text("Was the shuffle fair?").tap()
    assert_nothing_cut_off(page, "the final score and the seal")
    page.get_by_test_id("replay").tap()
    controls = page.get_by_test_id("replay-controls")
    expect(controls).to_be_visible()
    for _ in range(4):
        controls.get_by_role("button", name="One step forward").tap()
        assert_nothing_cut_off(page, "the replay")


def test_a_refusal_fits_a_phone(visit: Visits, api: Api) -> None:
    place, _ = until(api, closed_piles)
    player = Player(visit_on_phone(visit, place.link)).wait()
    player.page.locator("[data-testid^=pile-]:not([data-usable])").first.tap()
    expect(player.refusal).to_be_visible()
    assert_nothing_cut_off(player.page, "a refusal")
