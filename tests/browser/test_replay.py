"""Replays of finished games, from the table or from a file."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.narrow import HIGH, WIDE, assert_nothing_cut_off
from tests.browser.positions import finished, hoard
from tests.server.client import Api


def steps(page: Page) -> tuple[int, int]:
    """The step that is shown, and how many there are."""
    count = page.get_by_test_id("replay-controls").locator("b").inner_text()
    at, _, last = count.partition(" / ")
    return int(at), int(last)


def at(page: Page, step: int) -> None:
    expect(page.get_by_test_id("replay-controls").locator("b")).to_have_text(f"{step} / {steps(page)[1]}")


def test_a_replay_steps_with_buttons(visit: Visits, api: Api) -> None:
    page = visit(f"/replay/{finished(api)[0].table}")
    controls = page.get_by_test_id("replay-controls")
    expect(controls).to_be_visible()
    last = steps(page)[1]
    log = page.get_by_test_id("log").locator("p")
    told = log.count()
    controls.get_by_role("button", name="One step forward").click()
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


def test_a_replay_steps_with_arrow_keys(visit: Visits, api: Api) -> None:
    page = visit(f"/replay/{finished(api)[0].table}")
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    last = steps(page)[1]
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)]:
        page.keyboard.press(key)
        at(page, step)


def test_a_replay_can_be_seen_from_any_seat(visit: Visits, api: Api) -> None:
    page = visit(f"/replay/{finished(api)[0].table}")
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(page.get_by_test_id("ticket")).to_have_count(0)
    page.get_by_label("View as").select_option("Ada")
    expect(page.get_by_test_id("ticket")).to_have_count(1)
    page.get_by_label("View as").select_option("Bruno")
    expect(page.get_by_test_id("ticket")).to_have_count(0)


def test_turning_points_link_to_the_replay(visit: Visits, api: Api) -> None:
    page = visit(finished(api, hoard)[0].link, size=(WIDE, HIGH))
    page.get_by_test_id("to-moments").click()
    found = page.get_by_test_id("moments")
    expect(found).to_contain_text("12 of 12 decisions were checked")
    assert_nothing_cut_off(page, "the moments")
    moment = found.get_by_test_id("moment").first
    expect(moment).to_contain_text("instead of")
    step = int(moment.locator(".step").inner_text().removeprefix("Step "))
    moment.click()
    at(page, step - 1)


def test_a_spectator_chooses_whose_turning_points_to_see(visit: Visits, api: Api) -> None:
    page = visit(f"/replay/{finished(api)[0].table}")
    found = page.get_by_test_id("moments")
    expect(found).to_contain_text("Choose a player above")
    page.get_by_label("View as").select_option("Bruno")
    expect(found).to_contain_text("knowing only what Bruno knew")
    found.get_by_test_id("find-moments").click()
    expect(found).to_contain_text("decisions")

    nothing = {"seat": 0, "moments": [], "done": 0, "of": 0, "over": True}
    page.route("**/moments*", lambda route: route.fulfill(json=nothing))
    page.get_by_label("View as").select_option("Ada")
    found.get_by_test_id("find-moments").click()
    expect(found).to_contain_text("There is nothing to check")


def test_a_game_can_be_saved_and_replayed_from_its_file(visit: Visits, api: Api, tmp_path: Path) -> None:
    place = finished(api, hoard)[0]
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
    elsewhere.get_by_label("View as").select_option("Ada")
    elsewhere.get_by_test_id("find-moments").click()
    expect(elsewhere.get_by_test_id("moments")).to_contain_text("decisions were checked")


def test_a_link_opens_a_replay_at_a_step_and_seat(visit: Visits, api: Api) -> None:
    table = finished(api, hoard)[0].table
    page = visit(f"/replay/{table}?seat=1&step=3", size=(WIDE, HIGH))
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    at(page, 3)
    expect(page.get_by_label("View as")).to_have_value("1")
    assert_nothing_cut_off(page, "a replay")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(rf"/replay/{table}\?seat=1&step=4$"))
    page.get_by_test_id("copy-moment").click()
    expect(page.get_by_test_id("copy-moment")).to_have_accessible_name("Link copied")
    page.goto(f"/replay/{table}?seat=none&step=99999")
    expect(page.get_by_test_id("final")).to_be_visible()


def test_a_replay_can_show_all_hands(visit: Visits, api: Api) -> None:
    table = finished(api, hoard)[0].table
    page = visit(f"/replay/{table}?seat=none&step=6", size=(WIDE, HIGH))
    page.get_by_label("View as").select_option("all hands open")
    hands = page.get_by_test_id("open-hands")
    for name in ("Ada", "Bruno"):
        expect(hands.get_by_role("heading", name=name)).to_be_visible()
    expect(hands.get_by_role("heading", name="Tickets")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"\?seat=all&step=6$"))
    assert_nothing_cut_off(page, "a replay with all hands open")


def test_a_match_can_be_branched_from_its_replay(visit: Visits, api: Api) -> None:
    table = finished(api, hoard)[0].table
    moves = api.get(f"/api/tables/{table}/replay")["steps"]
    step = next(n for n in range(6, len(moves)) if moves[n + 1]["seat"] == 1)
    page = visit(f"/replay/{table}?seat=1&step={step}", size=(WIDE, HIGH))
    form = page.get_by_test_id("what-if")
    expect(form).to_contain_text(f"Play on from step {step}")
    expect(form.get_by_label("Play as")).to_have_value("1")
    assert_nothing_cut_off(page, "the question what if")
    form.get_by_label("Name of the branch").fill("Keep Milano")
    form.get_by_test_id("branch").click()
    expect(page).to_have_url(re.compile(r"/table/(?!" + table + ")"))
    expect(page.get_by_test_id("prompt")).to_be_visible()
    page.get_by_test_id("open-log").click()
    expect(page.get_by_test_id("branch-of")).to_contain_text("Keep Milano")
    page.get_by_test_id("branch-of").get_by_role("link").click()
    expect(page).to_have_url(re.compile(rf"/replay/{table}\?seat=1&step={step}$"))
    at(page, step)


DRAG_ON = """(files) => {
  const drag = () => document.querySelector('main').dispatchEvent(
    new DragEvent('dragover', { dataTransfer: files, bubbles: true, cancelable: true }),
  );
  drag();
  window.dragging = setInterval(drag, 50);
}"""
"""A browser repeats the event as long as something is dragged over the page."""


def test_a_file_can_be_dropped_on_the_page(visit: Visits, api: Api) -> None:
    _, text, _ = api.fetch("GET", f"/api/tables/{finished(api)[0].table}/tour")
    page = visit("/about")
    expect(page.get_by_role("heading").first).to_be_visible()
    dragged = page.evaluate_handle(
        "text => { const files = new DataTransfer(); files.items.add(new File([text], 'a.tour')); return files; }", text
    )
    page.evaluate(DRAG_ON, dragged)
    expect(page.get_by_text("Drop the .tour file")).to_be_visible()
    page.evaluate("clearInterval(window.dragging)")
    page.dispatch_event("main", "drop", {"dataTransfer": dragged})
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    expect(page.get_by_text("Drop the .tour file")).to_be_hidden()
    expect(page).to_have_url(re.compile("/replay$"))


def test_a_file_that_is_not_a_match_is_refused(visit: Visits, tmp_path: Path) -> None:
    visit.expect("/api/replay")
    letter = tmp_path / "letter.tour"
    letter.write_text("Dear Ada, I am in Milano.\n")
    page = visit("/replay")
    page.get_by_test_id("tour-file").set_input_files(letter)
    expect(page.get_by_role("alert")).to_have_text("This is not a Grand Tour match: its first line does not say so.")
    expect(page.get_by_test_id("tour-file")).to_be_attached()
