"""Simulations: the same seed gives the same results, seats rotate, and stopping loses no finished game."""

import multiprocessing
from collections import Counter
from typing import Any

import pytest

from grandtour.arena import play, simulation
from grandtour.arena.simulation import Plan, Simulation, make_plan, play_game
from grandtour.arena.tally import Tally
from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.players import Player

SHORT = {"turn_limit": 10}
GAMES = 20


def short_plan(players: str = "random,random", games: int = 2 * GAMES + 5, seed: int = 7) -> Plan:
    return make_plan("round-trip", players.split(","), games, seed, SHORT)


def run(plan: Plan, jobs: int = 1) -> Tally:
    simulated = Simulation(plan, jobs)
    simulated.run(lambda _: None)
    return simulated.tally


class Lowest(Player):
    """Makes the legal move with the lowest number, after rolling its dice `waste` times for nothing."""

    name = "lowest"
    label = "Takes the first move"
    waste = 0

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        for _ in range(self.waste):
            dice.below(6)
        return state.legal(seat)[0]


class Wasteful(Lowest):
    waste = 5


def let_play(monkeypatch: pytest.MonkeyPatch, **players: type[Player]) -> None:
    """Register players under these names for simulations in this process."""
    for module in (play, simulation):
        monkeypatch.setattr(module, "make", lambda name, deadline: players[name]())


@pytest.mark.parametrize("players", ["random,random", "normal,random", "random,random,random"])
def test_the_same_seed_gives_the_same_results_with_any_number_of_jobs(players: str) -> None:
    plan = short_plan(players)
    alone = run(plan)
    assert vars(run(plan, jobs=2)) == vars(alone)
    assert alone.games == plan.games


def test_another_seed_gives_different_games() -> None:
    assert [play_game(short_plan(seed=1), index) for index in range(5)] != [
        play_game(short_plan(seed=2), index) for index in range(5)
    ]


def test_the_games_of_a_run_differ() -> None:
    games = [play_game(short_plan(), index) for index in range(20)]
    assert len(set(games)) > 10


def test_the_fast_path_for_random_players_gives_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = short_plan("random,random,random")
    quick = [play_game(plan, index) for index in range(10)]
    monkeypatch.setattr(play, "RANDOM", "nobody")
    assert [play_game(plan, index) for index in range(10)] == quick


def test_players_rotate_through_the_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    sat: Counter[tuple[str, int]] = Counter()

    class Noted(Lowest):
        def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
            self.seats.add(seat)
            return super().choose(game, state, seat, dice)

        def __init__(self) -> None:
            self.seats: set[int] = set()

    made: list[tuple[str, Noted]] = []

    def make_noted(name: str, deadline: float) -> Noted:
        made.append((name, Noted()))
        return made[-1][1]

    monkeypatch.setattr(play, "make", make_noted)
    plan = Plan("round-trip", {**short_plan().options}, ("a", "b", "c"), 9, 7)
    for index in range(9):
        made.clear()
        play_game(plan, index)
        sat.update((name, seat) for name, player in made for seat in player.seats)
    assert sat == {(name, seat): 3 for name in "abc" for seat in range(3)}


def test_players_dice_are_separate_from_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    let_play(monkeypatch, lowest=Lowest, wasteful=Wasteful)
    for index in range(3):
        assert play_game(short_plan("lowest,wasteful"), index) == play_game(short_plan("lowest,lowest"), index)


def test_an_illegal_move_of_a_built_in_player_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat(Lowest):
        def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
            return game.moves.size - 1

    let_play(monkeypatch, lowest=Lowest, cheat=Cheat)
    with pytest.raises(RuntimeError, match="the player cheat made an illegal move"):
        run(short_plan("lowest,cheat"))


@pytest.mark.parametrize(
    ("game", "players", "options", "reason"),
    [
        ("round-trip", ["random"], {}, "Round Trip Italy is for 2 to 4 players, not 1."),
        ("round-trip", ["random"] * 5, {}, "Round Trip Italy is for 2 to 4 players, not 5."),
        ("round-trip", ["random", "wizard"], {}, "There is no player 'wizard' here: the players are "),
        ("monopoly", ["random"] * 2, {}, "There is no game 'monopoly' here: the games are "),
        ("round-trip", ["random"] * 2, {"turn_limit": 7}, "The option turn_limit cannot be 7: it is one of "),
        ("round-trip", ["random"] * 2, {"wind": "high"}, "There is no option 'wind' here: the options are "),
    ],
)
def test_an_impossible_plan_is_refused(game: str, players: list[str], options: Any, reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        make_plan(game, players, 10, 7, options)
    assert refused.value.reason.startswith(reason)


class Stop:
    """Presses Ctrl-C after a number of games."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.done = 0

    def __call__(self, more: int) -> None:
        self.done += more
        if self.done >= self.after:
            raise KeyboardInterrupt


def test_stopping_keeps_every_finished_game() -> None:
    plan = short_plan(games=1000)
    simulated = Simulation(plan)
    with pytest.raises(KeyboardInterrupt):
        simulated.run(Stop(after=GAMES + 3))
    expected = Tally(2)
    expected.add_all(play_game(plan, index) for index in range(GAMES + 3))
    assert vars(simulated.tally) == vars(expected)


def test_stopping_ends_the_worker_processes() -> None:
    simulated = Simulation(short_plan(games=100_000), jobs=2)
    stop = Stop(after=1)
    with pytest.raises(KeyboardInterrupt):
        simulated.run(stop)
    assert simulated.tally.games == stop.done
    assert multiprocessing.active_children() == []
