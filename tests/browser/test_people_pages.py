"""The pages for people who come back: anyone can use them, on a phone too."""

import json

from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import Visits
from tests.browser.narrow import HIGH, WIDE, assert_nothing_cut_off
from tests.browser.positions import finished
from tests.server.client import Api


def looked_at(page: Page) -> None:
    assert_accessible(page)
    assert_nothing_cut_off(page, page.url)


def test_anyone_can_use_the_pages_about_people(visit: Visits, api: Api) -> None:
    mine = api.post("/api/passports", {"name": "Ada", "picture": "fox", "device": "A phone"})
    table = finished(api)[0].table
    held = {"secret": mine["secret"], **{key: mine["me"][key] for key in ("id", "name", "picture")}}
    page = visit("/about", size=(WIDE, HIGH), alone=True)
    page.evaluate("(held) => localStorage.setItem('grandtour.passport', held)", json.dumps(held))

    page.goto("/passport")
    panel = page.get_by_test_id("notices")
    panel.get_by_text("Send notices to a webhook").click()
    panel.get_by_test_id("webhook").fill("https://127.0.0.1/")
    visit.expect("400")
    panel.get_by_role("button", name="Save").click()
    expect(panel.get_by_role("alert")).to_contain_text("on the internet")
    looked_at(page)

    page.goto("/daily")
    expect(page.get_by_test_id("deal-itchy-feet")).to_contain_text("Nobody has finished it yet")
    looked_at(page)
    page.get_by_test_id("yesterday").press("Enter")
    expect(page.get_by_test_id("deal-itchy-feet")).to_contain_text("Nobody has played it")

    page.goto("/people/me")
    page.get_by_test_id("make-public").press("Enter")
    expect(page.get_by_role("main").get_by_role("status")).to_contain_text("Everyone with the link")
    looked_at(page)

    page.goto(f"/compare/{table}/{table}")
    expect(page.get_by_test_id("compared")).to_be_visible()
    looked_at(page)

    page.goto(f"/replay/{table}?seat=none&step=3")
    page.get_by_test_id("open-room").press("Enter")
    together = page.get_by_test_id("together")
    expect(together).to_contain_text("You lead")
    assert_accessible(page, inside="[data-testid=together]")
    other = visit(page.url.removeprefix(api.url), size=(WIDE, HIGH), alone=True)
    expect(other.get_by_test_id("together")).to_contain_text("You follow Ada")
    expect(other.get_by_text("3 / ", exact=False).first).to_be_visible()
    other.get_by_test_id("break-free").press("Enter")
    expect(other.get_by_test_id("together")).to_contain_text("on your own")
