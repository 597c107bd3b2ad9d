"""The pictures of the rulebooks, drawn from the pieces of the boards."""

import pytest

from tests.browser.axe import everyone_can_use
from tests.browser.conftest import Visits
from tests.browser.narrow import nothing_is_cut_off

GAMES = ("round-trip", "ticket-to-ride-italy", "itchy-feet", "journey-istanbul", "word-traveler")


@pytest.mark.parametrize("game", GAMES)
def test_a_rulebook_begins_with_a_picture_and_has_more_where_they_belong(visit: Visits, game: str) -> None:
    page = visit(f"/rules/{game}", size=(360, 740))
    figures = page.get_by_test_id("figure")
    figures.first.wait_for()
    assert page.locator(".short [data-testid=figure]").count() == 1
    assert page.locator("[data-rule] [data-testid=figure]").count() >= 3
    for picture in page.locator("[data-testid=figure] > [role=img]").all():
        assert len(picture.get_attribute("aria-label") or "") > 20, "a picture is not described"
    nothing_is_cut_off(page, game)
    everyone_can_use(page, inside="[data-testid=figure]")
