"""The hard player's search: it uses only what its seat may know, keeps to its budget, and is no worse than normal."""

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.games.ticket_to_ride_italy import GAME, search
from grandtour.games.ticket_to_ride_italy.parts import ROUTES
from grandtour.games.ticket_to_ride_italy.rules import MOVES, State
from grandtour.games.ticket_to_ride_italy.state import STEP_ACT
from grandtour.games.ticket_to_ride_italy.strategy.plan import Plan, Planner, ticket_gains
from grandtour.players.hard import Hard
from grandtour.players.search import Search
from tests.games.ticket_to_ride_italy.positions import ROW, Table, number

LINE = [9, 9, 401, 9, 9, 143, 72, 191]
"""The moves of `hard` at every seat, by their numbers, in the last turns of a match."""


def late(seats: int, seed: int, trains: int = 9) -> State:
    """A game between good players, advanced until a player has few trains left and is about to start a turn."""
    state = Table(seats, seed=seed).state
    dice = QuickDice(seed)
    while True:
        seat = state.waiting()[0]
        if min(state.trains) <= trains and state.step == STEP_ACT:
            return state
        state.play(seat, GAME.choose(state.imagine(seat, dice), seat, dice))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_it_makes_legal_moves_and_does_not_peek(seats: int) -> None:
    state = late(seats, seats, trains=6)
    seat = state.waiting()[0]
    choices = {Hard("12").choose(GAME, deal, seat, QuickDice(7)) for deal in (state, state.imagine(seat, QuickDice(1)))}
    assert len(choices) == 1, "its choice changes with cards it cannot see"
    assert choices <= set(state.legal(seat))


def test_the_same_dice_and_trials_give_the_same_moves_compiled_or_not() -> None:
    state = late(2, 4)
    dice = QuickDice(5)
    moves: list[int] = []
    while state.waiting():
        moves.append(Hard("16").choose(GAME, state, state.waiting()[0], dice))
        state.play(state.waiting()[0], moves[-1])
    assert moves == LINE


def test_it_tries_the_normal_bots_move_and_others() -> None:
    state = late(2, 4)
    seat = state.waiting()[0]
    candidates = search.turn_candidates(state, seat, QuickDice(1))
    assert candidates[0].moves == [GAME.choose(state, seat, QuickDice(1))]
    moves = [move for candidate in candidates for move in candidate.moves]
    assert len(moves) == len(candidates), "a turn begins with one move"
    assert len(set(moves)) == len(moves), "a move is tried twice"
    assert set(moves) <= set(state.legal(seat))


def test_it_tries_every_train_card_new_tickets_and_the_longest_routes() -> None:
    state = Table(hands={0: "5 red, 5 blue, 5 green, 5 white, 5 orange"}, row="red blue green white locomotive").state
    moves = [MOVES.name(candidate.moves[0]) for candidate in search.turn_candidates(state, 0, QuickDice(1))]
    drawn = {move["card"] for move in moves if move["do"] == "draw"}
    assert drawn == {"red", "blue", "green", "white", "locomotive", "deck"}
    assert {"ferry", "tickets"} <= {move["do"] for move in moves}
    lengths = {route.name: route.length for route in ROUTES}
    claimed = [lengths[move["route"]] for move in moves if move["do"] == "claim"]
    affordable = sorted(route.length for route in ROUTES if route.colour < 5 and route.length <= 5)
    assert sorted(claimed)[-search.MAX_CLAIMS :] == affordable[-search.MAX_CLAIMS :]


@pytest.mark.parametrize("first", [True, False])
def test_it_tries_every_choice_of_tickets(first: bool) -> None:
    table = Table(2) if first else Table(row=ROW)
    if not first:
        table.play(0, "tickets")
    state = table.state
    candidates = search.ticket_candidates(state, 0, QuickDice(1))
    assert {frozenset(candidate.moves) for candidate in candidates} == {
        frozenset(line) for line in lines(state) if line == sorted(line)
    }
    assert len(candidates) == (16 if first else 15)
    assert candidates[0].moves[0] == GAME.choose(state, 0, QuickDice(1))
    chosen = Hard("8").choose(GAME, state, 0, QuickDice(1))
    assert chosen in state.legal(0)


def lines(state: State) -> list[list[int]]:
    """Every order in which seat 0 can give tickets back and keep the others."""
    found: list[list[int]] = []
    for move in state.legal(0):
        after = state.clone()
        after.play(0, move)
        rest = [[]] if MOVES.name(move)["do"] == "keep" else lines(after)
        found += [[move, *line] for line in rest]
    return found


def test_the_normal_bot_decides_about_the_second_card_only() -> None:
    assert not search.bot_decides(Table(2).state, 0)
    table = Table(hands={0: "2 white"})
    assert not search.bot_decides(table.state, 0)
    table.play(0, "draw", card="white")
    assert search.bot_decides(table.state, 0)
    assert Hard("1").choose(GAME, table.state, 0, QuickDice(1)) == GAME.choose(table.state, 0, QuickDice(1))


def test_it_keeps_to_its_budget_and_tries_every_move_once() -> None:
    state = late(2, 4, trains=5)
    seat = state.waiting()[0]
    many = len(search.turn_candidates(state, seat, QuickDice(1)))
    for trials, seconds in ((1, 0.0), (1_000_000, 1e-9)):
        found = search.own_search(state, seat, QuickDice(1), trials, seconds)
        assert [worlds for _, worlds, _ in found] == [1] * many
    found = search.own_search(state, seat, QuickDice(1), 4 * many, 0.0)
    assert sum(worlds for _, worlds, _ in found) <= 4 * many
    assert all(0 < value < 1 for _, _, value in found)


def test_a_different_move_must_be_better_by_more_than_chance() -> None:
    def compared(*differences: float) -> bool:
        challenger = search.Candidate([0], Plan())
        for difference in differences:
            challenger.add(0.5 + difference, 0.5)
        return challenger.better()

    assert compared(0.1, 0.2, 0.1, 0.2)
    assert not compared(0.1, 0.2, 0.1), "three worlds are not enough"
    assert not compared(0.0, 0.0, 0.0, 0.0), "it is not better"
    assert not compared(-0.1, -0.2, -0.1, -0.2), "it is worse"
    assert not compared(0.4, -0.3, 0.3, -0.2), "it may be chance"


def test_a_player_follows_its_plan_until_it_is_built_or_blocked() -> None:
    def path() -> Plan:
        planned = Plan()
        planned.routes = Planner(state, 0, 300).next_path(ticket_gains(1 << number("Genova-Verona"), 0)).routes
        return planned

    state = Table(hands={0: "4 red, 4 blue, 4 green, 4 white, 4 orange"}, tickets={0: ["Foggia-Catania"]}).state
    routes = {int(route) for route in path().routes}
    player = search.SimulatedPlayer(path())
    claimed = set()
    for _ in routes:
        move = MOVES.name(player.choose(state, 0))
        if "route" in move:
            claimed.add(next(n for n, route in enumerate(ROUTES) if route.name == move["route"]))
            state.occupy(0, max(claimed))
    assert claimed
    assert claimed <= routes


def test_both_players_cannot_expect_to_win() -> None:
    """If imagined opponents held tickets that do not suit their routes, each of two players would seem far ahead."""
    chooser = Search(GAME)
    sums = []
    for seed in range(4):
        state = late(2, seed, trains=18)
        chances = [chooser.chance(state, seat, QuickDice(world)) for seat in range(2) for world in range(8)]
        sums.append(sum(chances) / 8)
    assert 0.7 < sum(sums) / len(sums) < 1.3
