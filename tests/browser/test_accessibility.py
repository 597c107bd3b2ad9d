"""axe-core finds nothing serious on any page, by day and by night."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, Visits, settle
from tests.browser.narrow import on_a_phone
from tests.browser.player import Player
from tests.browser.positions import against_bots, can, closed_piles, finished, hoard, offer, until
from tests.server.client import House

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
BAD = ("serious", "critical")
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe that night could break and day not."""
Show = Callable[[Visits, House], Page]


def lobby(visit: Visits, house: House) -> Page:
    page = visit("/")
    expect(page.get_by_test_id("lobby-poster-round-trip")).to_be_visible()
    return page


def set_up(visit: Visits, house: House) -> Page:
    page = lobby(visit, house)
    page.get_by_test_id("invite-round-trip").click()
    page.get_by_text("Options").click()
    return page


def waiting_room(visit: Visits, house: House) -> Page:
    page = lobby(visit, house)
    page.get_by_test_id("invite-round-trip").click()
    page.get_by_test_id("open-table").click()
    expect(page.get_by_test_id("start")).to_be_visible()
    return page


def table(visit: Visits, house: House) -> Page:
    place, _ = until(house, can("discard"))
    player = Player(visit(place.link)).wait()
    player.hand.first.click()
    return player.page


def table_on_a_phone(visit: Visits, house: House) -> Page:
    place, _ = until(house, can("discard"))
    player = Player(on_a_phone(visit, place.link)).wait()
    player.hand.first.tap()
    return player.page


def hint(visit: Visits, house: House) -> Page:
    player = Player(visit(against_bots(house).link)).wait()
    player.button("hint").click()
    expect(player.page.get_by_test_id("hinted").first).to_be_visible()
    return player.page


def giving(visit: Visits, house: House) -> Page:
    place, _ = until(house, can("give"), offer)
    return Player(visit(place.link)).wait().page


def refusal(visit: Visits, house: House) -> Page:
    place, _ = until(house, closed_piles)
    player = Player(visit(place.link)).wait()
    player.page.locator("[data-testid^=pile-]:not([data-usable])").first.click()
    expect(player.refusal).to_be_visible()
    player.refusal.get_by_role("button", name="Why").click()
    expect(player.page.get_by_test_id("rulebook-drawer")).to_be_visible()
    return player.page


def final(visit: Visits, house: House) -> Page:
    page = visit(finished(house)[0].link)
    page.get_by_text("Were the dice fair?").click()
    return page


def replay(visit: Visits, house: House) -> Page:
    page = visit(f"/replay/{finished(house, hoard)[0].table}")
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.get_by_label("Seen by").select_option(index=1)
    page.get_by_test_id("find-moments").click()
    looked = re.compile("decisions (were looked at|a hard bot found nothing)")
    expect(page.get_by_test_id("moments")).to_contain_text(looked)
    return page


def rulebook(visit: Visits, house: House) -> Page:
    page = visit("/rules/round-trip")
    expect(page.locator("[data-rule=RT-1]")).to_be_visible()
    return page


def about(visit: Visits, house: House) -> Page:
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
def test_everyone_can_use(visit: Visits, house: House, show: Show) -> None:
    page = show(visit, house)
    page.evaluate(AXE.read_text("utf-8") + "; undefined")
    settle(page)
    nothing_serious(page, {})
    page.emulate_media(color_scheme="dark")
    settle(page)
    nothing_serious(page, {"runOnly": {"type": "rule", "values": COLOURS}})


def nothing_serious(page: Page, options: dict[str, Any]) -> None:
    """Nothing of what axe finds is serious or worse."""
    options = {"resultTypes": ["violations"], **options}
    found: list[dict[str, Any]] = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    told = [
        f"{one['help']} ({one['id']}): {'; '.join(node['html'][:120] for node in one['nodes'][:3])}"
        for one in found
        if one["impact"] in BAD
    ]
    assert not told, " | ".join(told)
