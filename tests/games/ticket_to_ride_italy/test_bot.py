"""The bot makes sensible moves."""

from collections.abc import Callable

import pytest

from bench.baselines import LongestRoute
from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.events import seen
from grandtour.games.ticket_to_ride_italy import GAME, search
from grandtour.games.ticket_to_ride_italy.bot import Evaluation, next_path
from grandtour.games.ticket_to_ride_italy.parts import ROUTES
from grandtour.games.ticket_to_ride_italy.rules import MOVES, State
from grandtour.games.ticket_to_ride_italy.strategy.plan import Planner, ticket_gains
from tests.games.ticket_to_ride_italy.positions import Table, number

NORTH = "Torino-Milano Milano-Bergamo Bergamo-Verona Verona-Venezia Venezia-Ravenna Ravenna-Ancona Ancona-Pescara"


def choice(state: State, seat: int = 0) -> dict[str, object]:
    """The bot's move, from what its seat may know."""
    return MOVES.name(GAME.choose(state.imagine(seat, QuickDice(5)), seat, QuickDice(6)))


def test_it_claims_the_last_route_of_a_ticket() -> None:
    state = Table(routes={0: "Milano-Parma"}, hands={0: "2 red, 2 blue"}, tickets={0: ["Milano-Ravenna"]}).state
    state.occupy(0, next(n for n, route in enumerate(ROUTES) if route.name == "R049"))
    assert choice(state) == {"do": "claim", "route": "R031", "locomotives": 0}


def test_it_draws_the_colour_it_lacks() -> None:
    state = Table(
        routes={0: "Milano-Parma Bologna-Ravenna", 1: "Verona-Bologna Parma-Firenze Parma-Pisa"},
        hands={0: "green"},
        tickets={0: ["Milano-Ravenna"]},
        trains={0: 9},
    ).state
    assert choice(state) == {"do": "draw", "card": "green"}


def test_it_pays_with_colours_it_does_not_need_and_saves_locomotives() -> None:
    state = Table(
        routes={0: "Cosenza-Salerno Salerno-Foggia"},
        hands={0: "2 purple, 2 white, 3 locomotive"},
        ferries={0: 1},
        tickets={0: ["Foggia-Catania"]},
    ).state
    assert choice(state) == {"do": "claim", "route": "R122", "locomotives": 0}
    Table(state=state).play(0, **choice(state))  # type: ignore[arg-type]
    Table(state=state).play(1, "ferry")
    assert choice(state) == {"do": "sail", "route": "R110", "pay": {"white": 2, "ferry": 1}}


def test_of_all_payments_for_a_route_it_considers_one_that_costs_it_least() -> None:
    state = Table(
        routes={0: "Cosenza-Salerno Salerno-Foggia", 1: "Milano-Parma"},
        hands={0: "4 purple, white, 3 red, 2 green, 4 locomotive"},
        ferries={0: 2},
        tickets={0: ["Foggia-Catania", "Torino-Agrigento"]},
    ).state
    evaluation = Evaluation(state, 0, state.legal_numbers(0), next_path(state, 0))
    payments: dict[str, list[int]] = {}
    for move in state.legal(0):
        name = MOVES.name(move)
        if name["do"] in ("claim", "sail"):
            payments.setdefault(str(name["route"]), []).append(move)
    assert max(map(len, payments.values())) > 10, "some ferry can be paid for in many ways"
    for place, route in enumerate(ROUTES):
        cheapest = evaluation.cheapest_claims[place]
        if route.name not in payments:
            assert cheapest == -1, f"{route.name} cannot be claimed"
        else:
            assert cheapest == min(payments[route.name], key=evaluation.cost), f"{route.name} can be paid for with less"


def test_it_keeps_tickets_that_fit_together() -> None:
    state = Table(
        hands={0: "5 green"}, ticket_deck=["Milano-Ravenna", "Genova-Verona", "Torino-Agrigento", "Siracusa-Sassari"]
    ).state
    state.restore({"trains": [20, 20]})
    Table(state=state).play(0, "tickets")
    while state.waiting() == [0]:
        Table(state=state).play(0, **choice(state))  # type: ignore[arg-type]
    kept = {ticket["ticket"] for ticket in GAME.view(state, 0)["tickets"]}
    assert kept
    assert kept <= {"Milano-Ravenna", "Genova-Verona"}


def test_it_completes_a_choice_of_tickets_that_a_person_began() -> None:
    state = Table(2).state
    for ticket in GAME.view(state, 0)["drawn"][:2]:
        Table(state=state).play(0, "return", ticket=ticket["ticket"])
    assert choice(state) == {"do": "keep"}


def test_it_draws_no_tickets_while_its_own_are_incomplete() -> None:
    state = Table(routes={0: NORTH}, tickets={0: ["Torino-Agrigento"]}).state
    assert choice(state) != {"do": "tickets"}


def test_it_draws_tickets_when_its_network_is_likely_to_complete_them() -> None:
    south = "Pescara-Roma Roma-Napoli Napoli-Salerno"
    wide = f"{NORTH} {south} Ravenna-Bologna Bologna-Firenze Firenze-Pisa Firenze-Perugia"
    state = Table(routes={0: wide}, tickets={0: ["Milano-Ravenna"]}, trains={0: 12}).state
    assert choice(state) == {"do": "tickets"}


def test_in_its_last_turn_it_makes_the_move_that_scores_most() -> None:
    """Seven spaces score 18. Bologna–Parma scores 2 and completes a ticket of 5 that would cost 5, 12 points in all."""
    tickets = {0: ["Milano-Ravenna"]}
    routes = {0: "Milano-Parma Bologna-Ravenna"}
    state = Table(routes=routes, tickets=tickets, hands={0: "2 red, 3 green"}, ferries={0: 2}, ticket_deck=[]).state
    state.restore({"last": 1})
    best = choice(state)
    assert best["do"] == "sail"
    assert next(route for route in ROUTES if route.name == best["route"]).length == 7
    without = Table(routes=routes, tickets=tickets, hands={0: "2 red, 3 green"}, ticket_deck=[]).state
    without.restore({"last": 1})
    assert choice(without)["route"] in ("R030", "R031")


def test_a_plan_stays_within_trains_and_time() -> None:
    state = Table(2, seed=3).state
    for trains, effort in [(45, 300), (20, 300), (45, 60)]:
        state.restore({"trains": [trains, trains]})
        wanted = 1 << number("Torino-Agrigento") | 1 << number("Milano-Ravenna")
        plan = Planner(state, 0, effort).plan(ticket_gains(wanted, 0))
        assert plan.trains <= trains
        assert plan.effort <= effort
        assert plan.trains == sum(ROUTES[route].length for route in plan.routes)


def test_a_plan_completes_the_tickets_that_it_lists() -> None:
    state = Table(routes={1: "Milano-Parma Torino-Milano"}).state
    wanted = [number(name) for name in ("Milano-Ravenna", "Genova-Verona", "Parma-Francia")]
    plan = Planner(state, 0, 300).plan(ticket_gains(sum(1 << ticket for ticket in wanted), 0))
    for route in plan.routes:
        assert state.owner[route] < 0
        state.occupy(0, route)
    met = [ticket for ticket in wanted if plan.tickets >> ticket & 1]
    assert met == wanted
    state.restore({"held": [sum(1 << ticket for ticket in met), 0]})
    assert state.tickets_met(0) == state.held[0]


def positions(seats: int, seed: int) -> list[State]:
    """Some positions of a game between bots in which a player has a choice."""
    state = Table(seats, seed=seed).state
    found: list[State] = []
    dice = QuickDice(seed)
    while state.waiting():
        seat = state.waiting()[0]
        if dice.below(9) == 0 and len(state.legal(seat)) > 1:
            found.append(state.clone())
        state.play(seat, GAME.choose(state.imagine(seat, dice), seat, dice))
    return found


@pytest.mark.parametrize("seats", [2, 4])
def test_the_bots_own_move_is_ranked_highest_for_a_search(seats: int) -> None:
    for state in positions(seats, 7):
        seat = state.waiting()[0]
        moves = state.legal(seat)
        ranks = search.rank(state, seat, moves)
        assert moves[ranks.index(max(ranks))] == GAME.choose(state, seat, QuickDice(1))
        assert search.rank(state, seat, moves[1:]) == ranks[1:], "a move's rank depends on the other moves"


def anything(state: State, seat: int, dice: Dice) -> int:
    moves = state.legal(seat)
    return moves[dice.below(len(moves))]


def wins(other: Callable[[State, int, Dice], int], seats: int, games: int) -> int:
    """How many games the bot wins, in different seats, against other players of one kind."""
    won = 0.0
    for seed in range(games):
        state = GAME.new(seats, {"start": "drawn"}, QuickDice(seed))
        assert isinstance(state, State)
        dice = QuickDice(seed + 100)
        own = seed % seats
        while state.waiting():
            seat = state.waiting()[0]
            wise = seat == own
            state.play(seat, GAME.choose(state.imagine(seat, dice), seat, dice) if wise else other(state, seat, dice))
        won += (state.result() or [])[own]
    return int(won)


def test_it_beats_the_random_player_in_every_seat() -> None:
    assert wins(anything, seats=3, games=3) == 3


def test_it_beats_a_player_who_only_claims_the_longest_route() -> None:
    plain = LongestRoute()
    assert wins(lambda state, seat, dice: plain.choose(GAME, state, seat, dice), seats=2, games=4) == 4


def test_its_moves_are_described_like_any_others() -> None:
    state = Table(hands={0: "2 white"}).state
    events = Table(state=state).play(0, **choice(state))  # type: ignore[arg-type]
    assert GAME.describe(seen(events[0], 1), ["Ada", "Bruno"], 1).startswith("Ada ")
