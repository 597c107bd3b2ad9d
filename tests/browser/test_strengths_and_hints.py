"""The strength of each bot, and hints."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.keys import Keys
from tests.browser.narrow import assert_hand_within_reach, assert_nothing_cut_off, visit_on_phone
from tests.browser.player import Player
from tests.browser.positions import against_bots
from tests.server.client import Api


def hinted(player: Player) -> str:
    """Wait for the hint. Returns its first suggestion."""
    first = player.button("hinted").first
    expect(first).to_be_visible()
    return first.locator(".words").inner_text()


def assert_lit(player: Player) -> None:
    """Fails unless the suggestion under the pointer is highlighted on the board."""
    lit = player.page.locator(".board [data-hinted]")
    for suggestion in player.button("hinted").all():
        suggestion.hover()
        city = suggestion.locator(".words").inner_text().removeprefix("Take a ticket from ")
        expect(lit).to_have_count(1)
        expect(lit).to_have_attribute("data-testid", f"pile-{city}")


def played(player: Player) -> None:
    """Fails unless the hinted move was made: the hint is gone, and nothing was refused."""
    expect(player.button("hint-panel")).to_be_hidden()
    expect(player.refusal).to_be_hidden()


def test_each_bot_gets_a_strength_when_a_table_is_opened(visit: Visits) -> None:
    page = visit("/")
    page.get_by_test_id("invite-round-trip").click()
    page.get_by_role("radio", name="3").check()
    offered = page.get_by_label("Seat 2").locator("option").all_inner_texts()
    assert offered == ["Me", "A friend", "Random bot", "Easy bot", "Normal bot", "Hard bot"]
    page.get_by_label("Seat 2").select_option("Hard bot")
    expect(page.get_by_test_id("set-up")).to_contain_text("Thinks ahead for about a second")
    page.get_by_label("Seat 3").select_option("Easy bot")
    page.get_by_test_id("open-table").click()
    players = page.get_by_test_id("players").locator("li")
    expect(players.nth(1)).to_contain_text("Hard bot")
    expect(players.nth(2)).to_contain_text("Easy bot")


def test_on_a_crowded_phone_a_press_shows_a_bots_strength(visit: Visits, api: Api) -> None:
    opened = api.open("me", *["easy"] * 4, game="itchy-feet")
    page = visit_on_phone(visit, f"/table/{opened['table']}")
    page.get_by_test_id("players").locator("li button").nth(1).tap()
    expect(page.get_by_role("dialog")).to_contain_text("Easy bot")


def test_play_now_uses_normal_bots_whose_strength_the_host_can_change(visit: Visits) -> None:
    page = visit("/")
    page.get_by_test_id("play-now-round-trip").click()
    players = page.get_by_test_id("players").locator("li")
    expect(players.nth(1)).to_contain_text("Normal bot")
    page.get_by_test_id("menu").click()
    page.get_by_test_id("strength-1").select_option("Hard")
    expect(players.nth(1)).to_contain_text("Hard bot")
    page.get_by_test_id("strength").select_option("Easy")
    expect(page.get_by_role("dialog")).to_contain_text("Plays sensibly, but makes mistakes")
    page.get_by_test_id("bot-for-me").click()
    expect(players.nth(0)).to_contain_text("Easy bot")


def test_a_hint_by_mouse(visit: Visits, api: Api) -> None:
    player = Player(visit(against_bots(api).link)).wait()
    player.button("hint").click()
    assert hinted(player)
    expect(player.button("why").first).to_contain_text("this goes for one more round trip.")
    assert_lit(player)
    told = player.log.locator("p").count()
    player.button("hinted").first.click()
    played(player)
    expect(player.log.locator("p")).not_to_have_count(told)


def test_a_hint_by_keyboard(visit: Visits, api: Api) -> None:
    player = Player(visit(against_bots(api).link)).wait()
    player.page.keyboard.press("i")
    said = hinted(player)
    expect(player.page.get_by_test_id("announcer")).to_contain_text(f"Hint: {said}")
    Keys(player.page).press(player.button("hinted").first)
    played(player)


def test_a_hint_fits_a_phone(visit: Visits, api: Api) -> None:
    page = visit_on_phone(visit, against_bots(api, bots=3).link)
    player = Player(page).wait()
    player.button("hint").tap()
    hinted(player)
    assert_nothing_cut_off(page, "the table with a hint")
    panel, prompt = player.button("hint-panel").bounding_box(), player.prompt.bounding_box()
    assert panel is not None
    assert prompt is not None
    assert panel["y"] + panel["height"] <= prompt["y"], "the hint lies over the prompt"
    player.button("hinted").first.tap()
    played(player)
    player.wait()
    assert_hand_within_reach(player)


def test_escape_closes_a_hint(visit: Visits, api: Api) -> None:
    player = Player(visit(against_bots(api).link)).wait()
    player.button("hint").click()
    hinted(player)
    player.page.keyboard.press("Escape")
    expect(player.button("hint-panel")).to_be_hidden()
    expect(player.page.locator(".board [data-hinted]")).to_have_count(0)


def test_the_players_own_move_clears_the_hint_but_chat_does_not(visit: Visits, api: Api) -> None:
    player = Player(visit(against_bots(api).link)).wait()
    player.button("hint").click()
    said = hinted(player)
    player.page.get_by_label("Say something to the table").fill("Let me think")
    player.page.get_by_role("button", name="Send").click()
    expect(player.log).to_contain_text("Let me think")
    assert hinted(player) == said
    player.move()
    expect(player.button("hint-panel")).to_be_hidden()


def test_no_hint_is_offered_if_the_host_switched_hints_off(visit: Visits) -> None:
    page: Page = visit("/")
    page.get_by_test_id("invite-round-trip").click()
    page.get_by_label("Seat 2").select_option("Random bot")
    page.get_by_test_id("hints").uncheck()
    page.get_by_test_id("open-table").click()
    player = Player(page).wait()
    expect(player.prompt).to_be_visible()
    expect(player.button("hint")).to_have_count(0)
