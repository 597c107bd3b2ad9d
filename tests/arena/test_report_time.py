"""How long a report takes."""

import pytest

from grandtour.arena.report.build import expected_time, in_reports
from grandtour.arena.simulation import make_plan


@pytest.mark.parametrize(
    ("seconds", "processes", "said"),
    [
        (0.001, 1, "1,000 games of random, random in one process: less than a minute."),
        (0.2, 2, "1,000 games of random, random in 2 processes: about 2 minutes."),
        (3.0, 2, "1,000 games of random, random in 2 processes: about 25 minutes."),
    ],
)
def test_it_is_said_beforehand(seconds: float, processes: int, said: str) -> None:
    plan = make_plan("round-trip", ["random", "random"], 1000, 1, {"turn_limit": 10})
    ticks = iter([10.0, 10.0 + seconds])
    assert expected_time(plan, processes, lambda: next(ticks)).startswith(said)


def test_hard_searches_less_unless_it_is_said_how_long() -> None:
    assert [in_reports(name) for name in ("hard", "hard:400", "hard:9ms", "normal")] == [
        "hard:50",
        "hard:400",
        "hard:9ms",
        "normal",
    ]
