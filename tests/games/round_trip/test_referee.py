"""The referee and the rules implement the same rulebook, so they agree on every move in every position."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.games.round_trip import GAME
from grandtour.games.round_trip.parts import PILES, TICKETS, TRIPS
from grandtour.games.round_trip.rules import MOVES, State
from grandtour.games.round_trip.state import STEP_GIVE
from tests.games.round_trip.positions import Table

ALL = [name for ticket in TICKETS for name in [ticket.name] * ticket.copies]


def agree_on_every_move(state: State) -> None:
    for seat in range(state.seats):
        legal = set(state.legal(seat))
        for move in range(MOVES.size):
            objection = GAME.objection(state, seat, move)
            assert (objection is None) == (move in legal), (
                f"seat {seat}, {MOVES.name(move)}: legal {move in legal}, the referee says {objection}"
            )


def test_rules_and_referee_agree_throughout_played_games() -> None:
    for seats in (2, 3, 4):
        state = GAME.new(seats, check_options(GAME.options, {}), QuickDice(seats))
        assert isinstance(state, State)
        dice = QuickDice(100 + seats)
        for number in range(90):
            (seat,) = state.waiting() or [0]
            if number % 9 == 0 or state.step == STEP_GIVE:
                agree_on_every_move(state)
            if state.result() is None:
                legal = state.legal(seat)
                state.play(seat, legal[dice.below(len(legal))])


@st.composite
def odd_positions(draw: st.DrawFn) -> Table:
    """Positions that few games reach: any hands, any round trips already made, some piles empty, any step."""
    shuffled = random.Random(draw(st.integers(0, 10**6))).sample(ALL, len(ALL))
    seats = draw(st.integers(2, 4))
    turn = draw(st.integers(0, seats - 1))
    hands = []
    for seat in range(seats):
        size = draw(st.integers(0, 7 if seat == turn else 6))
        hands.append([shuffled.pop() for _ in range(size)])
    table = Table(
        hands,
        turn=turn,
        start=str(draw(st.integers(1, seats))),
        step=draw(st.sampled_from(["take", "act", "lay"])),
        card=draw(st.lists(st.sampled_from(PILES), min_size=1, max_size=2, unique=True)),
        piles={city: [] for city in draw(st.lists(st.sampled_from(PILES), max_size=3, unique=True))},
    )
    lengths = draw(st.lists(st.sampled_from([0, 4, 8, 16, 32, 12, 56]), min_size=seats, max_size=seats))
    table.state.restore({"lengths": lengths})
    offers = table.legal(turn, "exchange")
    asks: bool = draw(st.booleans())
    if offers and asks:
        offer = draw(st.sampled_from(offers))
        table.play(turn, "exchange", ticket=offer["ticket"], with_=offer["with"])
    return table


@settings(max_examples=40, deadline=None, derandomize=True)
@given(odd_positions())
def test_rules_and_referee_agree_in_rare_positions(table: Table) -> None:
    agree_on_every_move(table.state)


def test_every_objection_names_a_paragraph_and_is_a_sentence() -> None:
    table = Table([["Milano-Venezia"], ["Turino-Roma"]])
    rulebook = GAME.rulebook()
    for move in range(0, MOVES.size, 7):
        objection = GAME.objection(table.state, 0, move)
        if objection is not None:
            assert f"**{objection.rule}**" in rulebook
            assert objection.reason[0].isupper()
            assert objection.reason.endswith(".")


def test_there_are_2319_round_trips() -> None:
    rings = {2: 10 * 3 + 5, 3: 10 * 2**3 + 10 * 2, 4: 15 * 2**4 + 30 * 2**2, 5: 12 * 2**5 + 60 * 2**3, 6: 60 * 2**4}
    assert {length: sum(trip.length == length for trip in TRIPS) for length in rings} == rings
