"""Helpers for testing a game, in this project or in another package.

from grandtour.testing import Table, conformance_tests, rule

test_conformance = conformance_tests(GAME)

@rule("XX-7")
def test_an_empty_deck_cannot_be_drawn_from() -> None:
    table = Table(GAME, deck="")
    assert table.refused(0, "draw").rule == "XX-7"
"""

from grandtour.testing.golden import Golden, golden_tests, record_all
from grandtour.testing.suite import check_game, conformance_tests, rule
from grandtour.testing.table import Table

__all__ = ["Golden", "Table", "check_game", "conformance_tests", "golden_tests", "record_all", "rule"]
