"""Help to test a game, of this project or of another package.

from grandtour.testing import Table, conformance_tests, rule

test_conformance = conformance_tests(GAME)

@rule("XX-7")
def test_an_empty_deck_cannot_be_drawn_from() -> None:
    table = Table(GAME, deck="")
    assert table.refused(0, "draw").rule == "XX-7"
"""

from grandtour.testing.suite import check_game, conformance_tests, rule
from grandtour.testing.table import Table

__all__ = ["Table", "check_game", "conformance_tests", "rule"]
