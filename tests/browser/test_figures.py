"""The pictures of the rulebooks, drawn from the pieces of the boards."""

import pytest

from tests.browser.axe import assert_accessible
from tests.browser.conftest import ROOT, Visits
from tests.browser.narrow import assert_nothing_cut_off

GAMES = sorted(file.parent.name for file in (ROOT / "web" / "src" / "games").glob("*/figures.ts"))


@pytest.mark.parametrize("game", GAMES)
def test_a_rulebook_has_pictures(visit: Visits, game: str) -> None:
    page = visit(f"/rules/{game}", size=(360, 740))
    figures = page.get_by_test_id("figure")
    figures.first.wait_for()
    assert page.locator(".short [data-testid=figure]").count() == 1
    assert page.locator("[data-rule] [data-testid=figure]").count() >= 3
    for picture in page.locator("[data-testid=figure] > [role=img]").all():
        assert len(picture.get_attribute("aria-label") or "") > 20, "a picture is not described"
    assert_nothing_cut_off(page, game)
    assert_accessible(page, inside="[data-testid=figure]")
