"""Confidence intervals contain the true mean as often as promised, even when checked after every deal."""

from collections.abc import Callable
from random import Random

import pytest

from grandtour.arena.intervals import ALPHA, Bet, Interval, confidence_sequence, interval
from grandtour.arena.tally import wilson

Draw = Callable[[Random], float]


def coin(rate: float) -> Draw:
    return lambda random: float(random.random() < rate)


def two_games(random: Random) -> float:
    """A deal of two games with swapped seats: mostly one win each."""
    return random.choice((0.0, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0))


def coverage(find: Callable[[list[float]], Interval], draw: Draw, mean: float, deals: int, times: int) -> float:
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
def test_the_interval_contains_the_mean_nineteen_times_out_of_twenty(draw: Draw, mean: float, deals: int) -> None:
    assert coverage(interval, draw, mean, deals, times=2000) > 0.94


def test_counting_deals_gives_narrower_intervals_than_counting_games() -> None:
    random = Random(7)
    values = [two_games(random) for _ in range(100)]
    low, high = interval(values)
    single_low, single_high = wilson(2 * sum(values), 200)
    assert high - low < single_high - single_low


def test_for_all_or_nothing_deals_it_is_the_agresti_coull_interval() -> None:
    low, high = interval([1.0] * 8 + [0.0] * 2)
    assert (low, high) == pytest.approx((0.4794, 0.9541), abs=5e-4)


def test_winning_every_deal_is_still_no_certainty() -> None:
    low, high = interval([1.0] * 20)
    assert 0.75 < low < 0.9
    assert high == 1


@pytest.mark.parametrize("find", [interval, confidence_sequence])
def test_without_deals_the_interval_covers_everything(find: Callable[[list[float]], Interval]) -> None:
    assert find([]) == (0.0, 1.0)


@pytest.mark.parametrize("draw", [coin(0.5), lambda random: random.choice((0.0, 0.5, 1.0))], ids=["coin", "pairs"])
def test_equal_players_are_rarely_told_apart_even_when_checked_after_every_deal(draw: Draw) -> None:
    random = Random(7)
    wrong = 0
    for _ in range(300):
        bet = Bet(0.5, ALPHA)
        for _ in range(300):
            bet.update(draw(random))
            if bet.won:
                wrong += 1
                break
    assert wrong / 300 <= ALPHA


def test_the_stronger_player_is_detected_eventually() -> None:
    random = Random(7)
    bet = Bet(0.5, ALPHA)
    deals = 0
    while not bet.won:
        bet.update(coin(0.7)(random))
        deals += 1
        assert deals < 1000
    assert bet.up > bet.down


def test_the_sequence_contains_exactly_the_means_against_which_no_bet_was_won() -> None:
    random = Random(7)
    values = [two_games(random) for _ in range(80)]
    low, high = confidence_sequence(values)
    assert low < sum(values) / len(values) < high
    for fair, won in ((low - 0.01, True), (low + 0.01, False), (high - 0.01, False), (high + 0.01, True)):
        bet = Bet(fair, ALPHA)
        for value in values:
            bet.update(value)
        assert bet.won is won, f"a mean of {fair:.3f}"


def test_intervals_valid_at_any_time_are_wider() -> None:
    random = Random(7)
    values = [two_games(random) for _ in range(100)]
    assert confidence_sequence(values)[0] < interval(values)[0] < interval(values)[1] < confidence_sequence(values)[1]
