"""The search hooks of The Journey: Istanbul: the value of positions, and which moves are worth trying."""

import json
from importlib.resources import files
from math import inf

import numpy as np
import pytest

from bench.outlook import Dataset, chances, fit, mornings
from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.games.journey_istanbul.bot import quick
from grandtour.games.journey_istanbul.rules import State
from grandtour.games.journey_istanbul.search import N_FIGURES, bot_decides, evaluate, rank
from grandtour.players.search import Search
from tests.games.journey_istanbul.positions import Table

GAME = catalogue.game("journey-istanbul")


@pytest.mark.parametrize("winner", ["richest", "none"])
def test_an_evaluation_is_a_share_for_each_seat_and_leaves_the_position_unchanged(winner: str) -> None:
    dice = QuickDice(3)
    state = GAME.new(4, {"winner": winner, "start": "1"}, QuickDice(2))
    while state.waiting():
        before = state.dump()
        shares = evaluate(state)
        assert len(shares) == 4
        assert all(0.0 <= share <= 1.0 for share in shares)
        assert winner == "none" or sum(shares) < 1.0 + 1e-9, "only one can win"
        assert state.dump() == before
        seat = state.waiting()[0]
        state.play(seat, quick(state, seat, dice))
    assert evaluate(state) == state.result()


def test_a_finished_task_and_money_for_a_journey_improve_the_evaluation() -> None:
    places = ("Fatih", "Fatih", "Fatih")
    ready, rich, poor = evaluate(Table(*places, money=[14000, 14000, 2000], done=[0], on="3rd, week 2").state)
    assert ready > rich > poor
    late = evaluate(Table(*places, money=[2000, 2000, 2000], on="6th, week 3", winner="none").state)
    early = evaluate(Table(*places, money=[2000, 2000, 2000], on="1st, week 1", winner="none").state)
    assert sum(late) < sum(early)


def test_a_player_who_is_out_with_less_money_cannot_win() -> None:
    table = Table("out", "out", "Fatih", money=[3000, 5000, 9000], on="3rd, week 2")
    assert evaluate(table.state)[0] == 0.0


def ranked(state: State, seat: int) -> dict[str, float]:
    moves = state.legal(seat)
    names = [GAME.moves.name(move) for move in moves]
    return {
        f"{name['do']} {name.get('to', '')}".strip(): worth
        for name, worth in zip(names, rank(state, seat, moves), strict=True)
    }


def test_a_known_journey_ranks_first_and_talking_is_not_tried() -> None:
    raids = {"3rd": ["3rd-police-4000"], "4th": [], "5th": ["5th-police-1000"], "6th": []}
    table = Table("Sultanahmet", "Kadıköy", on="2nd, week 3", money=[12000, 6000], done=[0], sheet=raids)
    table.state.looked[5] = table.state.knows[5] = 1
    ranks = ranked(table.state, 0)
    assert max(ranks, key=lambda name: ranks[name]) == "move Fatih"
    assert {name for name, worth in ranks.items() if worth == -inf} == {"talk 1", "talk all", "write"}
    visited = Search(GAME).ponder(table.state, 0, QuickDice(1), 40)
    assert {GAME.moves.verb(candidate.move).name for candidate in visited} == {"move", "stay"}


def test_every_figure_has_a_named_weight() -> None:
    text = files("grandtour.games.journey_istanbul.strategy").joinpath("outlook.json").read_text("utf-8")
    weights = json.loads(text)
    assert list(weights["win"]) == list(weights["out"])
    assert len(weights["win"]) == N_FIGURES


def test_fitting_recovers_the_weights_that_generated_the_data() -> None:
    figures = np.random.default_rng(1).normal(size=(4000, 3, 2))
    there = np.ones((4000, 3), np.bool_)
    there[::2, 2] = False
    made_with = np.array([1.0, -0.5])
    came = chances(made_with, Dataset(figures, there, np.zeros((4000, 3))))
    assert came[0, 2] == 0.0, "a move that is not an option has no chance"
    assert fit(Dataset(figures, there, came)) == pytest.approx(made_with, abs=0.01)


def test_the_weights_are_fitted_on_the_mornings_of_whole_games() -> None:
    found, result = mornings(2, "none", 1)
    assert [state.day for state, _ in found] == list(range(1, len(found) + 1))
    assert all(len(morning.figures(1)) == N_FIGURES for _, morning in found)
    assert set(result) <= {0.0, 1.0}


def test_the_search_leaves_talking_and_looking_to_the_games_own_bot() -> None:
    table = Table("Sultanahmet", "Kadıköy", on="2nd, week 3")
    assert not bot_decides(table.state, 0)
    assert bot_decides(table.state, 1), "it is not its turn"
    table.play(0, "stay")
    assert bot_decides(table.state, 0), "looking"
    table.plays(1, "talk: 0", "point: 3rd, 1", "ask: 1000")
    table.turn(0)
    assert not bot_decides(table.state, 1)
