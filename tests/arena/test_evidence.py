"""How sure one may be: intervals hold the truth as often as they say, also for those who look again and again."""

from collections.abc import Callable
from random import Random

import pytest

from grandtour.arena.evidence import ALPHA, Bet, Interval, interval, sequence
from grandtour.arena.tally import wilson

Draw = Callable[[Random], float]


def coin(rate: float) -> Draw:
    return lambda random: float(random.random() < rate)


def two_games(random: Random) -> float:
    """A deal of two games with seats changed: mostly one each."""
    return random.choice((0.0, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0))


def held(find: Callable[[list[float]], Interval], draw: Draw, mean: float, deals: int, times: int) -> float:
    random = Random(7)
    hits = 0
    for _ in range(times):
        low, high = find([draw(random) for _ in range(deals)])
        hits += low <= mean <= high
    return hits / times


@pytest.mark.parametrize(
    ("draw", "mean"), [(coin(0.5), 0.5), (coin(0.95), 0.95), (two_games, 4 / 7)], ids=["even", "lopsided", "pairs"]
)
@pytest.mark.parametrize("deals", [12, 60])
def test_the_interval_holds_the_truth_nineteen_times_out_of_twenty(draw: Draw, mean: float, deals: int) -> None:
    assert held(interval, draw, mean, deals, times=2000) > 0.94


def test_common_deals_make_it_narrower_than_counting_games() -> None:
    random = Random(7)
    values = [two_games(random) for _ in range(100)]
    low, high = interval(values)
    single_low, single_high = wilson(2 * sum(values), 200)
    assert high - low < single_high - single_low


def test_where_a_deal_is_all_or_nothing_it_is_agresti_and_coulls() -> None:
    low, high = interval([1.0] * 8 + [0.0] * 2)
    assert (low, high) == pytest.approx((0.4794, 0.9541), abs=5e-4)


def test_whoever_wins_every_deal_is_still_not_certain_to() -> None:
    low, high = interval([1.0] * 20)
    assert 0.75 < low < 0.9
    assert high == 1


@pytest.mark.parametrize("find", [interval, sequence])
def test_no_deals_say_nothing(find: Callable[[list[float]], Interval]) -> None:
    assert find([]) == (0.0, 1.0)


@pytest.mark.parametrize("draw", [coin(0.5), lambda random: random.choice((0.0, 0.5, 1.0))], ids=["coin", "pairs"])
def test_equals_are_rarely_told_apart_though_one_looks_after_every_deal(draw: Draw) -> None:
    random = Random(7)
    wrong = 0
    for _ in range(300):
        bet = Bet(0.5, ALPHA)
        for _ in range(300):
            bet.see(draw(random))
            if bet.won:
                wrong += 1
                break
    assert wrong / 300 <= ALPHA


def test_the_stronger_one_is_found_out_in_the_end() -> None:
    random = Random(7)
    bet = Bet(0.5, ALPHA)
    deals = 0
    while not bet.won:
        bet.see(coin(0.7)(random))
        deals += 1
        assert deals < 1000
    assert bet.up > bet.down


def test_the_sequence_is_the_set_of_means_that_no_bet_was_won_against() -> None:
    random = Random(7)
    values = [two_games(random) for _ in range(80)]
    low, high = sequence(values)
    assert low < sum(values) / len(values) < high
    for fair, won in ((low - 0.01, True), (low + 0.01, False), (high - 0.01, False), (high + 0.01, True)):
        bet = Bet(fair, ALPHA)
        for value in values:
            bet.see(value)
        assert bet.won is won, f"a mean of {fair:.3f}"


def test_looking_at_all_times_costs_some_width() -> None:
    random = Random(7)
    values = [two_games(random) for _ in range(100)]
    assert sequence(values)[0] < interval(values)[0] < interval(values)[1] < sequence(values)[1]
