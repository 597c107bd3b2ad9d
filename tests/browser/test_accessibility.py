"""axe-core finds nothing serious on any page, by day and by night."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import Visits
from tests.browser.narrow import visit_on_phone
from tests.browser.player import Player
from tests.browser.positions import against_bots, can, closed_piles, finished, hoard, offer, until
from tests.server.client import Api

Show = Callable[[Visits, Api], Page]


def lobby(visit: Visits, api: Api) -> Page:
    page = visit("/")
    expect(page.get_by_test_id("lobby-poster-round-trip")).to_be_visible()
    return page


def set_up(visit: Visits, api: Api) -> Page:
    page = lobby(visit, api)
    page.get_by_test_id("invite-round-trip").click()
    page.get_by_text("Options").click()
    return page


def waiting_room(visit: Visits, api: Api) -> Page:
    page = lobby(visit, api)
    page.get_by_test_id("invite-round-trip").click()
    page.get_by_test_id("open-table").click()
    expect(page.get_by_test_id("start")).to_be_visible()
    return page


def table(visit: Visits, api: Api) -> Page:
    place, _ = until(api, can("discard"))
    player = Player(visit(place.link)).wait()
    player.hand.first.click()
    return player.page


def table_on_a_phone(visit: Visits, api: Api) -> Page:
    place, _ = until(api, can("discard"))
    player = Player(visit_on_phone(visit, place.link)).wait()
    player.hand.first.tap()
    return player.page


def hint(visit: Visits, api: Api) -> Page:
    player = Player(visit(against_bots(api).link)).wait()
    player.button("hint").click()
    expect(player.page.get_by_test_id("hinted").first).to_be_visible()
    return player.page


def giving(visit: Visits, api: Api) -> Page:
    place, _ = until(api, can("give"), offer)
    return Player(visit(place.link)).wait().page


def refusal(visit: Visits, api: Api) -> Page:
    place, _ = until(api, closed_piles)
    player = Player(visit(place.link)).wait()
    player.page.locator("[data-testid^=pile-]:not([data-usable])").first.click()
    expect(player.refusal).to_be_visible()
    player.refusal.get_by_role("button", name="Why").click()
    expect(player.page.get_by_test_id("rulebook-drawer")).to_be_visible()
    return player.page


def final(visit: Visits, api: Api) -> Page:
    page = visit(finished(api)[0].link)
    page.get_by_text("Was the shuffle fair?").click()
    return page


def replay(visit: Visits, api: Api) -> Page:
    page = visit(f"/replay/{finished(api, hoard)[0].table}")
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.get_by_label("View as").select_option("Ada")
    page.get_by_test_id("find-moments").click()
    looked = re.compile("decisions(,| were checked)")
    expect(page.get_by_test_id("moments")).to_contain_text(looked)
    return page


def rulebook(visit: Visits, api: Api) -> Page:
    page = visit("/rules/round-trip")
    expect(page.locator("[data-rule=RT-1]")).to_be_visible()
    return page


def about(visit: Visits, api: Api) -> Page:
    return visit("/about")


@pytest.mark.parametrize(
    "show",
    [
        lobby,
        set_up,
        waiting_room,
        table,
        table_on_a_phone,
        hint,
        giving,
        refusal,
        final,
        replay,
        rulebook,
        about,
    ],
)
def test_accessibility(visit: Visits, api: Api, show: Show) -> None:
    assert_accessible(show(visit, api))
