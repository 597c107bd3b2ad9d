"""Whole games against a bot, by mouse and by keyboard; first and last turns by touch on a phone."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visits
from tests.browser.keys import Keys
from tests.browser.narrow import assert_hand_within_reach, assert_nothing_cut_off, visit_on_phone
from tests.browser.player import Player
from tests.browser.positions import against_bots, late
from tests.server.client import Api


def assert_score_shown(page: Page) -> None:
    """The final page says who won, and how each player's score is made up."""
    final = page.get_by_test_id("final")
    expect(final.get_by_role("heading", level=2)).to_contain_text("win")
    rows = final.get_by_role("listitem")
    expect(rows).to_have_count(2)
    for row in rows.all():
        expect(row).to_contain_text("Round trips")
        expect(row).to_contain_text("Tickets laid")


HOW_IT_ENDED = {
    "with a grand tour of all six cities!": "with a grand tour",
    "with round trips of length 2, 3, 4 and 5!": "with all four round trips",
    "ahead of everyone else.": "after the last round",
}
"""What the log says of a win, and how the headline puts it."""


def assert_headline_says_how(page: Page) -> None:
    """A grand tour wins with fewer round trips than another player may have, so the score alone explains nothing."""
    log = page.get_by_test_id("log").inner_text()
    how = next((how for said, how in HOW_IT_ENDED.items() if said in log), "share the win")
    expect(page.get_by_test_id("final").get_by_role("heading", level=2)).to_contain_text(how)


def test_a_whole_game_by_mouse(visit: Visits) -> None:
    page = visit("/")
    page.get_by_test_id("invite-round-trip").click()
    set_up = page.get_by_test_id("set-up")
    set_up.get_by_label("Your name").fill("Ada")
    set_up.get_by_label("Seat 2").select_option("bot:normal")
    set_up.get_by_text("Options").click()
    set_up.get_by_label("Turn limit").select_option("10")
    page.get_by_test_id("open-table").click()

    player = Player(page)
    player.play()
    assert_score_shown(page)
    assert_headline_says_how(page)
    assert {"take", "end-turn"} <= player.done

    page.get_by_test_id("rematch").click()
    expect(player.final).to_be_hidden()
    player.wait()
    assert not player.over(), "a new game begins"


def test_a_whole_game_by_keyboard(visit: Visits) -> None:
    page = visit("/")
    keys = Keys(page)
    keys.press(page.get_by_test_id("invite-round-trip"))
    set_up = page.get_by_test_id("set-up")
    keys.go(set_up.get_by_label("Seat 2"))
    page.keyboard.type("Normal")
    keys.press(set_up.get_by_text("Options"))
    limit = set_up.get_by_label("Turn limit")
    keys.go(limit)
    page.keyboard.press("Home")
    expect(limit).to_have_value("10")
    keys.press(page.get_by_test_id("open-table"))

    player = Player(page, keys.press).wait()
    expect(page.locator("[data-anchor=prompt]")).to_be_focused()
    page.keyboard.press("j")
    expect(player.open_piles.first).to_be_focused()
    page.keyboard.press("Shift+j")
    expect(player.open_piles.last).to_be_focused()
    player.play()
    assert_score_shown(page)
    expect(player.final.get_by_role("heading", level=2)).to_be_focused()
    assert_headline_says_how(page)
    keys.press(page.get_by_test_id("replay"))
    expect(page.get_by_test_id("replay-controls")).to_be_visible()


def test_first_and_last_turns_by_touch_on_a_phone(visit: Visits, api: Api) -> None:
    beginner = Player(visit_on_phone(visit, against_bots(api).link), Locator.tap)

    def look(player: Player) -> None:
        assert_nothing_cut_off(player.page, player.prompt.inner_text())
        assert_hand_within_reach(player)

    for _ in range(4):
        look(beginner.wait())
        beginner.move()
    player = Player(visit_on_phone(visit, late(api).link), Locator.tap)
    player.play(lambda: look(player))
    assert_score_shown(player.page)
    assert_nothing_cut_off(player.page, "the end")
