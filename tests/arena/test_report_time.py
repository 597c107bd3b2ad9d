"""The expected duration that is printed before a report."""

import pytest

from grandtour.arena.report.build import expected_time, report_player
from grandtour.arena.simulation import make_plan


@pytest.mark.parametrize(
    ("seconds", "processes", "said"),
    [
        (0.001, 1, "1,000 games of random, random in one process: less than a minute."),
        (0.2, 2, "1,000 games of random, random in 2 processes: about 2 minutes."),
        (3.0, 2, "1,000 games of random, random in 2 processes: about 25 minutes."),
    ],
)
def test_the_expected_time_is_printed_before_the_games(seconds: float, processes: int, said: str) -> None:
    plan = make_plan("round-trip", ["random", "random"], 1000, 1, {"turn_limit": 10})
    ticks = iter([10.0, 10.0 + seconds])
    assert expected_time(plan, processes, lambda: next(ticks)).startswith(said)


def test_hard_searches_less_unless_its_name_has_a_budget() -> None:
    assert [report_player(name) for name in ("hard", "hard:400", "hard:9ms", "normal")] == [
        "hard:50",
        "hard:400",
        "hard:9ms",
        "normal",
    ]
