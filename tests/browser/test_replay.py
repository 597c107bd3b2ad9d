"""A finished game is watched again, step by step, from the table or from a file."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.narrow import HIGH, WIDE, nothing_is_cut_off
from tests.browser.positions import finished, hoard
from tests.server.client import House


def steps(page: Page) -> tuple[int, int]:
    """The step that is shown, and how many there are."""
    count = page.get_by_test_id("replay-controls").locator("b").inner_text()
    at, _, last = count.partition(" / ")
    return int(at), int(last)


def at(page: Page, step: int) -> None:
    expect(page.get_by_test_id("replay-controls").locator("b")).to_have_text(f"{step} / {steps(page)[1]}")


def test_a_replay_is_stepped_through_with_buttons(visit: Visits, house: House) -> None:
    page = visit(f"/replay/{finished(house)[0].table}")
    controls = page.get_by_test_id("replay-controls")
    expect(controls).to_be_visible()
    last = steps(page)[1]
    log = page.get_by_test_id("log").locator("p")
    told = log.count()
    controls.get_by_role("button", name="One step on").click()
    at(page, 1)
    expect(log).not_to_have_count(told)
    controls.get_by_role("button", name="One step back").click()
    at(page, 0)
    expect(log).to_have_count(told)
    controls.get_by_role("button", name="To the end").click()
    at(page, last)
    expect(page.get_by_test_id("final")).to_be_visible()
    controls.get_by_role("button", name="To the start").click()
    at(page, 0)
    expect(page.get_by_test_id("final")).to_be_hidden()
    controls.get_by_role("slider").fill("3")
    at(page, 3)


def test_a_replay_is_stepped_through_with_arrow_keys(visit: Visits, house: House) -> None:
    page = visit(f"/replay/{finished(house)[0].table}")
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    last = steps(page)[1]
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)]:
        page.keyboard.press(key)
        at(page, step)


def test_a_replay_is_seen_with_the_eyes_of_any_seat(visit: Visits, house: House) -> None:
    page = visit(f"/replay/{finished(house)[0].table}")
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(page.get_by_test_id("ticket")).to_have_count(0)
    page.get_by_label("Seen by").select_option("Ada")
    expect(page.get_by_test_id("ticket")).to_have_count(1)
    page.get_by_label("Seen by").select_option("Bruno")
    expect(page.get_by_test_id("ticket")).to_have_count(0)


def test_the_moments_of_a_finished_game_are_found_and_lead_into_the_replay(visit: Visits, house: House) -> None:
    page = visit(finished(house, hoard)[0].link, size=(WIDE, HIGH))
    page.get_by_test_id("to-moments").click()
    found = page.get_by_test_id("moments")
    expect(found).to_contain_text("12 of 12 decisions were looked at")
    nothing_is_cut_off(page, "the moments")
    moment = found.get_by_test_id("moment").first
    expect(moment).to_contain_text("rather than")
    step = int(moment.locator(".step").inner_text().removeprefix("Step "))
    moment.click()
    at(page, step - 1)


def test_an_onlooker_is_asked_whose_moments_to_find(visit: Visits, house: House) -> None:
    page = visit(f"/replay/{finished(house)[0].table}")
    found = page.get_by_test_id("moments")
    expect(found).to_contain_text("Choose whose eyes to see with")
    page.get_by_label("Seen by").select_option("Bruno")
    expect(found).to_contain_text("knowing what Bruno knew")
    found.get_by_test_id("find-moments").click()
    expect(found).to_contain_text("decisions")


def test_a_game_is_saved_to_a_file_and_watched_from_it(visit: Visits, house: House, tmp_path: Path) -> None:
    place = finished(house, hoard)[0]
    page = visit(place.link)
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save the match").click()
    saved = tmp_path / saving.value.suggested_filename
    saving.value.save_as(saved)
    assert saved.suffix == ".tour"

    page.get_by_test_id("replay").click()
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    last = steps(page)[1]

    elsewhere = visit("/replay")
    elsewhere.get_by_test_id("tour-file").set_input_files(saved)
    expect(elsewhere.get_by_test_id("replay-controls")).to_be_visible()
    assert steps(elsewhere) == (0, last)
    elsewhere.keyboard.press("End")
    expect(elsewhere.get_by_test_id("final")).to_contain_text("Ada")
    elsewhere.get_by_label("Seen by").select_option("Ada")
    elsewhere.get_by_test_id("find-moments").click()
    expect(elsewhere.get_by_test_id("moments")).to_contain_text("decisions were looked at")


def test_a_file_that_is_no_game_is_refused_in_a_sentence(visit: Visits, tmp_path: Path) -> None:
    visit.expect("/api/replay")
    letter = tmp_path / "letter.tour"
    letter.write_text("Dear Ada, I am in Milano.\n")
    page = visit("/replay")
    page.get_by_test_id("tour-file").set_input_files(letter)
    expect(page.get_by_role("alert")).to_have_text("This is not a Grand Tour match: its first line does not say so.")
    expect(page.get_by_test_id("tour-file")).to_be_attached()
