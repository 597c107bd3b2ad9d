"""Guided first games, from the lobby to the last note: every note points at the thing it is about."""

import contextlib
from collections.abc import Callable

import pytest
from playwright.sync_api import FloatRect, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from grandtour.server.tables.guide import guide
from tests.browser.axe import assert_accessible
from tests.browser.conftest import Visits, eventually
from tests.browser.narrow import assert_nothing_cut_off
from tests.browser.test_word_traveler import Traveler

Press = Callable[[Page], None]


def press(*testids: str) -> Press:
    def press_each(page: Page) -> None:
        for testid in testids:
            page.get_by_test_id(testid).first.click()

    return press_each


def piece(name: str) -> Press:
    return lambda page: page.locator(f'[data-anchor="{name}"]').first.click()


def lay(page: Page) -> None:
    for ticket in ("Venezia-Napoli", "Napoli-Venezia"):
        page.locator(f"[data-testid=ticket][data-ticket={ticket}]").click()
    page.get_by_test_id("lay").click()


def keep_three(page: Page) -> None:
    for number in (4, 3):
        page.get_by_test_id("offered").nth(number).click()
    page.get_by_test_id("keep").click()


def claim(page: Page) -> None:
    page.locator('[data-route="R092"]').focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("claim").first.click()


def draw(page: Page) -> None:
    page.locator("[data-anchor=deck]").click()


def finish_planning(page: Page) -> None:
    page.get_by_test_id("done").click()
    go_on = page.get_by_test_id("go-on")
    go_on.wait_for()
    # The partner's clues are behind the sheet, so the notes about them wait.
    expect(page.get_by_test_id("guide-note")).to_be_hidden()
    go_on.click()


def guess(page: Page) -> None:
    Traveler(page).guess()
    page.get_by_test_id("go-on").click()


def vineyard(page: Page) -> None:
    page.locator("[data-testid=plain-board] [data-usable]").filter(has_text="Vineyard").first.click()


def post(page: Page) -> None:
    page.get_by_test_id("move").filter(has_text="Post").click()


PRESSES: dict[str, dict[int, Press]] = {
    "round-trip": {
        2: press("pile-Venezia"),
        3: press("end-turn"),
        4: press("pile-Milano"),
        5: press("end-turn"),
        6: press("pile-Napoli"),
        7: lay,
    },
    "ticket-to-ride-italy": {1: keep_three, 3: claim, 4: draw, 5: draw},
    "itchy-feet": {3: piece("draw-pile"), 4: press("travel")},
    "journey-istanbul": {
        2: piece("place:Sultanahmet"),
        3: piece("square:2nd:1"),
        5: press("do-stay", "do-end-looking"),
        6: press("do-work"),
    },
    "word-traveler": {
        2: press("space-F4"),
        3: piece("word:Lively"),
        4: finish_planning,
        5: lambda page: Traveler(page).usable.first.click(),
        6: guess,
    },
    "postcards-home": {1: vineyard, 2: vineyard, 3: post},
}
"""How to do what a note asks for, by game and number of the note."""


def apart(one: FloatRect | None, other: FloatRect | None) -> bool:
    """Whether both are on the page, and neither covers the other."""
    if one is None or other is None:
        return False
    across = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    return across or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]


def assert_note_beside_its_target(page: Page, number: int) -> None:
    """The note is fully on the screen, and does not cover what it points at."""
    box_of, target_of = page.get_by_test_id("guide-note").bounding_box, page.get_by_test_id("guide-target").bounding_box
    # It follows its piece, which may still be moving.
    assert eventually(page, lambda: apart(box_of(), target_of())), f"note {number} covers what it points at"
    note, size = box_of(), page.viewport_size
    assert note, f"note {number} is not on the page"
    assert size
    right, bottom = note["x"] + note["width"], note["y"] + note["height"]
    inside = min(note["x"], note["y"]) >= 0 and right <= size["width"] and bottom <= size["height"]
    assert inside, f"note {number} is not whole on the screen"


def follow(page: Page, game: str, look: Callable[[int], None] = lambda number: None) -> list[int]:
    """Do what the notes ask for, one after another. Returns the numbers of the notes that appeared."""
    notes = guide(game).notes
    seen: list[int] = []
    while not seen or seen[-1] < len(notes):
        new = page.locator(f'[data-testid=guide-note][data-placed]:not([data-note="{seen[-1] if seen else 0}"])')
        # A bot may offer a trade in between.
        decline = page.get_by_test_id("decline")
        new.or_(decline).first.wait_for()
        if decline.count():
            with contextlib.suppress(PlaywrightTimeoutError):  # The offer may be gone by then.
                decline.click(timeout=2000)
            continue
        number = int(new.get_attribute("data-note") or 0)
        seen.append(number)
        assert_note_beside_its_target(page, number)
        look(number)
        if notes[number - 1].until is None:
            page.get_by_test_id("guide-next").click()
        else:
            PRESSES[game][number](page)
    expect(page.get_by_test_id("guide-note")).to_be_hidden()
    return seen


@pytest.mark.parametrize("game", PRESSES)
def test_a_guided_game_can_be_followed_to_its_last_note(visit: Visits, game: str) -> None:
    page = visit("/")
    page.get_by_test_id(f"guided-{game}").click()
    seen = follow(page, game)
    assert seen == list(range(1, len(guide(game).notes) + 1)), "some notes did not appear, or in the wrong order"
    page.reload()
    page.get_by_test_id("prompt").wait_for()
    expect(page.get_by_test_id("guide-note")).to_be_hidden()


def test_a_guided_game_is_accessible_on_a_phone_at_night(visit: Visits) -> None:
    page = visit("/", size=(360, 640), touch=True, dark=True)
    page.get_by_test_id("guided-journey-istanbul").click()
    # The goals are one below the other, and higher together than the note leaves room for.
    page.locator('[data-testid=guide-note][data-note="1"][data-placed]').wait_for()
    assert_note_beside_its_target(page, 1)
    page.goto("/")
    page.get_by_test_id("guided-itchy-feet").click()
    spoken = page.get_by_test_id("announcer")

    def look(number: int) -> None:
        assert_nothing_cut_off(page, f"at note {number}")
        if number == 1:
            expect(spoken).to_contain_text("Your first stop.")
            assert_accessible(page, inside="[data-testid=guide-note]")

    follow(page, "itchy-feet", look)


def test_a_guide_can_be_dismissed_for_good(visit: Visits) -> None:
    page = visit("/")
    note = page.get_by_test_id("guide-note")
    page.get_by_test_id("guided-round-trip").click()
    expect(note).to_contain_text("Be the first")
    page.keyboard.press("v")
    expect(note).to_contain_text("The selection card")
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    page.get_by_test_id("pile-Venezia").click()
    expect(page.get_by_test_id("end-turn")).to_be_visible()
    expect(note).to_be_hidden()


def test_a_newcomer_at_a_table_is_offered_a_guided_game(visit: Visits) -> None:
    page = visit("/")
    page.get_by_test_id("play-now-itchy-feet").click()
    page.get_by_test_id("newcomer").get_by_text("Play a guided game").click()
    expect(page.get_by_test_id("guide-note")).to_contain_text("Your first stop.")
