"""Totals over games, and Wilson intervals."""

import pytest

from grandtour.arena.tally import GameResultByPlayer, Tally, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (500, 1000, 0.4691, 0.5309)],
)
def test_the_interval_is_the_wilson_interval(wins: float, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


def test_without_games_the_interval_covers_everything() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_shared_win_counts_as_a_fraction() -> None:
    tally = Tally(2)
    tally.add_all([GameResultByPlayer(30, (1.0, 0.0), (4.0, 2.0)), GameResultByPlayer(50, (0.5, 0.5), (3.0, 3.0))])
    assert (tally.games, tally.moves, tally.shortest, tally.longest) == (2, 80, 30, 50)
    assert tally.wins == [1.5, 0.5]
    assert tally.scores == [7.0, 5.0]
