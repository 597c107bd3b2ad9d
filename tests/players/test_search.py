"""The built-in players, mainly hard: fair, reproducible and strong."""

from dataclasses import replace
from typing import Any

import pytest

from grandtour import players
from grandtour.engine import catalogue
from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.game import Game, SearchHooks
from grandtour.engine.options import check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import Result, State
from grandtour.engine.vocabulary import Numbers, Vocabulary
from grandtour.games.round_trip.strategy.race import race
from grandtour.players import review
from grandtour.players.hard import Hard
from grandtour.players.search import Search
from tests.engine.tiny import PLACES, RENDEZVOUS


def with_hooks(game: Game, **changes: Any) -> Game:
    """The game with some fields replaced, and only these search hooks."""
    hooks = {name: changes.pop(name) for name in [*changes] if hasattr(SearchHooks, name)}
    return replace(game, search=SearchHooks(**hooks), **changes)


class Stones(State):
    """Players take turns taking one, two or three stones from a heap. Taking the last one wins."""

    heap = 0
    turn = 0

    def fields(self) -> tuple[str, ...]:
        return ("heap", "turn")

    def waiting(self) -> list[int]:
        return [self.turn] if self.heap else []

    def legal(self, seat: int) -> list[int]:
        return list(range(min(self.heap, 3))) if seat == self.turn else []

    def play(self, seat: int, move: int) -> None:
        self.heap -= move + 1
        self.turn = 1 - seat

    def imagine(self, seat: int, dice: Dice) -> "Stones":
        return heap_of(self.heap, self.turn, dice)

    def result(self) -> Result | None:
        return None if self.heap else [float(self.turn == 1), float(self.turn == 0)]


def heap_of(stones: int, turn: int = 0, dice: Dice | None = None) -> Stones:
    state = Stones()
    state.seats, state.heap, state.turn, state.dice = 2, stones, turn, dice or QuickDice(0)
    return state


def anything(state: State, seat: int, dice: Dice) -> int:
    legal = state.legal(seat)
    return legal[dice.below(len(legal))]


STONES = with_hooks(
    RENDEZVOUS,
    moves=Vocabulary({"take": {"stones": Numbers(1, 3)}}),
    rules={1: lambda seats, options, dice, events: heap_of(10, 0, dice)},
    choose=anything,
)


STONES_LINE = [0, 1, 1, 2, 0, 2, 1, 2, 0, 2]
ROUND_TRIP_LINE = [4, 2424, 1, 2424, 2, 31, 2424, 0, 2424, 2, 15, 2424, 2, 16, 2424, 3, 1465, 3, 2424, 4]
"""The moves of `hard` in the first turns of a match, by number."""


def table(game: Game, seats: int, seed: int = 1) -> State:
    state: State = game.new(seats, check_options(game.options, {}), QuickDice(seed))
    return state


def line(game: Game, state: State, player: str, decisions: int) -> list[int]:
    """The moves that a player makes when it plays every seat."""
    who = players.make(player)
    dice = QuickDice(5)
    moves: list[int] = []
    while state.waiting() and len(moves) < decisions:
        seat = state.waiting()[0]
        moves.append(who.choose(game, state, seat, dice))
        state.play(seat, moves[-1])
    return moves


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("stones", [1, 2, 3])
def test_it_takes_an_immediate_win(stones: int, seat: int) -> None:
    assert Hard("60").choose(STONES, heap_of(stones, seat), seat, QuickDice(1)) + 1 == stones


@pytest.mark.parametrize("stones", [5, 6, 7])
def test_it_foresees_the_opponents_reply(stones: int) -> None:
    best = Search(STONES).ponder(heap_of(stones), 0, QuickDice(1), 1500)[0]
    assert stones - (best.move + 1) == 4, "with four stones the player to move loses"
    assert best.value > 0.5


def test_visits_and_shares_add_up() -> None:
    candidates = Search(STONES).ponder(heap_of(7), 0, QuickDice(1), 200)
    visits = [candidate.visits for candidate in candidates]
    assert sum(visits) == 200
    assert sum(candidate.share for candidate in candidates) == pytest.approx(1)
    assert visits == sorted(visits, reverse=True)
    assert all(0 <= candidate.value <= 1 for candidate in candidates)


def test_the_same_dice_and_iterations_give_the_same_moves_compiled_or_not() -> None:
    assert line(STONES, heap_of(21), "hard:80", 30) == STONES_LINE
    game = catalogue.game("round-trip")
    assert line(game, table(game, 2), "hard:30", 20) == ROUND_TRIP_LINE


def test_it_cannot_see_simultaneous_choices() -> None:
    choices = set()
    for other in range(9):
        state = table(RENDEZVOUS, 3)
        state.play(1, other)
        choices.add(Hard("40").choose(RENDEZVOUS, state, 0, QuickDice(3)))
    assert len(choices) == 1, "its choice depends on what another seat chose in secret"


def test_it_expects_others_to_play_like_the_games_own_bot_where_that_decides() -> None:
    station = PLACES.index("Station")
    game = with_hooks(
        RENDEZVOUS, choose=lambda state, seat, dice: 3 * station, bot_decides=lambda state, seat: seat > 0
    )
    assert Hard("60").choose(game, table(game, 3), 0, QuickDice(3)) // 3 == station


def test_where_a_tree_is_no_help_the_games_own_bot_decides() -> None:
    asked: list[int] = []

    def think(state: State, seat: int, dice: Dice, effort: int) -> list[tuple[int, int]]:
        asked.append(effort)
        return [(5, 3), (2, 1)]

    decided = with_hooks(RENDEZVOUS, bot_decides=lambda state, seat: True)
    position = table(decided, 2)
    assert Hard("60").choose(decided, position, 0, QuickDice(3)) == decided.choose(position, 0, QuickDice(3))
    thorough = with_hooks(RENDEZVOUS, bot_decides=lambda state, seat: True, think=think)
    assert Hard("60").choose(thorough, table(thorough, 2), 0, QuickDice(3)) == 5
    candidates = Hard("60").ponder(thorough, table(thorough, 2), 0, QuickDice(3))
    assert [(one.move, one.visits, one.share) for one in candidates] == [(5, 3, 0.75), (2, 1, 0.25)]
    assert asked
    assert asked[0] > 1


def test_a_games_own_search_is_used_instead_of_a_tree() -> None:
    asked: list[tuple[int, float]] = []

    def own_search(
        state: State, seat: int, dice: Dice, trials: int, seconds: float, sees_all: bool
    ) -> list[tuple[int, int, float]]:
        asked.append((trials, seconds))
        return [(5, 30, 0.6), (2, 30, 0.5), (7, 20, 0.3)]

    game = with_hooks(RENDEZVOUS, own_search=own_search)
    candidates = Hard("60").ponder(game, table(game, 2), 0, QuickDice(3))
    assert [(one.move, one.visits, one.share, one.value) for one in candidates] == [
        (5, 30, 0.375, 0.6),
        (2, 30, 0.375, 0.5),
        (7, 20, 0.25, 0.3),
    ]
    assert Hard("250ms").choose(game, table(game, 2), 0, QuickDice(3)) == 5
    assert [seconds for _, seconds in asked] == [0, 0.25]
    assert asked[0][0] == 60


def test_it_imagines_many_different_worlds() -> None:
    dice = QuickDice(1)
    assert len({dice.below(SEEDS) for _ in range(1000)}) > 990, "it imagines the same few worlds again and again"


def test_the_confidence_of_the_games_own_bot_comes_from_many_imagined_worlds() -> None:
    """In two worlds out of three it chooses one move, in the third another."""
    decided = with_hooks(
        RENDEZVOUS,
        bot_decides=lambda state, seat: True,
        choose=lambda state, seat, dice: (5, 5, 2)[dice.below(3)],
        rank=lambda state, seat, moves: [float(move) for move in moves],
    )
    from_bot, looked, suggestions = review.ponder(Hard("60"), decided, table(decided, 2), 0, QuickDice(3))
    assert (from_bot, looked) == (True, review.VOTES)
    first, second, *others = suggestions
    assert (first.move, second.move) == (5, 2)
    assert first.share > second.share > 0
    assert first.share + second.share == pytest.approx(1)
    assert all(other.cost is not None and other.move not in (5, 2) for other in others)
    assert len(others) == review.MAX_OTHERS


def test_high_ranked_moves_are_tried_first_and_more_moves_with_more_iterations() -> None:
    liked = [4, 7, 2, 8, 0, 1, 3, 5, 6]
    game = with_hooks(RENDEZVOUS, rank=lambda state, seat, moves: [-float(liked.index(move)) for move in moves])
    state = table(game, 3)
    tried = []
    for iterations in (1, 2, 5, 10, 200):
        candidates = Search(game).ponder(state, 0, QuickDice(3), iterations)
        assert {candidate.move for candidate in candidates} == set(liked[: len(candidates)])
        tried.append(len(candidates))
    assert tried == [1, 2, 3, 4, 9]


def test_a_time_budget_allows_at_least_one_iteration() -> None:
    search = Search(STONES)
    assert search.ponder(heap_of(7), 0, QuickDice(1), 1_000_000, 1e-9)
    assert search.iterations == 1
    assert players.make("hard:1ms").choose(STONES, heap_of(7), 0, QuickDice(1)) in heap_of(7).legal(0)


def test_a_budget_is_a_number_of_iterations_or_of_milliseconds() -> None:
    by_number, by_time = players.make("hard:250"), players.make("hard:250ms")
    assert isinstance(by_number, Hard)
    assert isinstance(by_time, Hard)
    assert (by_number.iterations, by_number.seconds) == (250, 0)
    assert by_time.seconds == 0.25
    assert by_time.iterations > 1_000_000_000, "a quick game would be searched for less than the given time"
    assert players.make("greedy").name == "normal"


@pytest.mark.parametrize("name", ["hard:0", "hard:-3", "hard:lots", "hard:5s", "hard:12345678", "normal:4", "wizard"])
def test_an_unknown_player_or_budget_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        players.make(name)
    assert refusal.value.reason.endswith(".")


def test_a_better_hand_is_fewer_turns_from_the_grand_tour() -> None:
    turns = race().taking
    for hand in range(1 << 15):
        if hand.bit_count() == 6:
            for link in range(15):
                if hand >> link & 1:
                    assert turns[hand] <= turns[hand & ~(1 << link)] + 0.05, "one more ticket cannot hurt"
    assert turns[0] == max(turns[hand] for hand in range(1 << 15) if hand.bit_count() <= 6)
    assert sum(race().complete[hand] for hand in range(1 << 15) if hand.bit_count() == 6) == 60
