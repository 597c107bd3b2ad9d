"""The bot plans, never peeks, and beats players who do not plan."""

from collections.abc import Callable

import pytest

from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.options import check_options
from grandtour.engine.vocabulary import Named
from grandtour.games.round_trip import GAME, search
from grandtour.games.round_trip.parts import PILES
from grandtour.games.round_trip.rules import DISCARD, LAY, MOVES, State
from grandtour.games.round_trip.strategy.hand_value import MAX_ROUNDS_LEFT, Hand
from grandtour.players.hard import Hard, searches
from tests.games.round_trip.positions import (
    FIVE,
    GRAND_TOUR,
    PAIR,
    TRIANGLE,
    TURINO_VENEZIA_ROMA_MILANO,
    Table,
)
from tests.rules import rule

Player = Callable[[State, int, Dice], int]

ALMOST_GRAND = GRAND_TOUR[:-1]  # lacks a ticket between Milano and Roma


def chosen(table: Table, seat: int = 0, dice: int = 0) -> Named:
    return MOVES.name(GAME.choose(table.state.imagine(seat, QuickDice(dice)), seat, QuickDice(dice)))


def normal(state: State, seat: int, dice: Dice) -> int:
    return GAME.choose(state.imagine(seat, dice), seat, dice)


def any_move(state: State, seat: int, dice: Dice) -> int:
    legal = state.legal(seat)
    return legal[dice.below(len(legal))]


def lays_when_it_can(state: State, seat: int, dice: Dice) -> int:
    legal = state.legal(seat)
    trips = [move for move in legal if LAY <= move < DISCARD]
    return (trips or legal)[dice.below(len(trips or legal))]


def winner(players: list[Player], seed: int) -> list[float]:
    """The result of a game between these players."""
    state = GAME.new(len(players), check_options(GAME.options, {}), QuickDice(seed))
    assert isinstance(state, State)
    dice = QuickDice(-1 - seed)
    while state.waiting():
        for seat in state.waiting():
            move = players[seat](state, seat, dice)
            assert move in state.legal(seat)
            state.play(seat, move)
    return state.result() or []


@rule("RT-4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_can_play_every_seat_to_the_end(seats: int) -> None:
    for seed in range(3):
        assert sum(winner([normal] * seats, seed)) == pytest.approx(1)


@rule("RT-4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_its_choice_does_not_depend_on_cards_it_cannot_see(seats: int) -> None:
    state = GAME.new(seats, check_options(GAME.options, {}), QuickDice(seats))
    assert isinstance(state, State)
    dice = QuickDice(7)
    while state.waiting():
        (seat,) = state.waiting()
        choices = {GAME.choose(state.imagine(seat, QuickDice(deal)), seat, QuickDice(1)) for deal in range(6)}
        assert len(choices) == 1, f"{[MOVES.name(move) for move in choices]} by cards it cannot see"
        state.play(seat, normal(state, seat, dice))


@pytest.mark.parametrize("opponent", [any_move, lays_when_it_can])
def test_it_wins_most_games_against_players_who_do_not_plan(opponent: Player) -> None:
    won = sum(
        winner([normal, opponent] if game % 2 else [opponent, normal], game)[(game + 1) % 2] for game in range(40)
    )
    assert won >= 30, f"it won only {won} of 40 games"


def test_it_makes_the_round_trip_that_wins() -> None:
    table = Table([[*GRAND_TOUR, "Milano-Venezia"], []])
    assert len(table.legal(0, "lay")) > 1
    assert sorted(chosen(table)["tickets"]) == sorted(GRAND_TOUR)
    made = {0: [["Napoli-Palermo"] * 2, TRIANGLE, TURINO_VENEZIA_ROMA_MILANO]}
    assert chosen(Table([[*FIVE, "Turino-Roma", "Milano-Roma"], []], made=made))["do"] == "lay"


def test_it_does_not_make_a_short_trip_when_a_grand_tour_is_near() -> None:
    table = Table([[*ALMOST_GRAND, "Milano-Napoli"], []])
    assert table.legal(0, "lay"), "it could lay Milano – Venezia – Napoli"
    assert chosen(table) == {"do": "end-turn"}


def test_it_makes_a_trip_of_tickets_it_does_not_need() -> None:
    table = Table([["Turino-Milano", "Milano-Turino"], []])
    assert chosen(table) == {"do": "lay", "tickets": ["Milano-Turino", "Turino-Milano"]}


def test_it_prefers_a_trip_that_earns_an_extra_turn() -> None:
    table = Table([["Milano-Venezia", "Milano-Venezia", "Venezia-Milano"], []])
    assert len(table.legal(0, "lay")) == 2
    assert chosen(table) == {"do": "lay", "tickets": PAIR}


def test_it_does_not_collect_tickets_for_a_length_it_has_made() -> None:
    hand = ["Milano-Venezia", "Venezia-Milano", "Turino-Roma", "Napoli-Palermo"]
    lacking = Table([hand, []])
    assert chosen(lacking)["do"] == "lay"
    done = Table([hand, []], made={0: [["Palermo-Turino"] * 2]})
    assert chosen(done) == {"do": "end-turn"}


def test_it_takes_from_the_pile_that_could_hold_what_it_needs() -> None:
    table = Table([ALMOST_GRAND, []], step="take", card=["Milano", "Palermo"])
    assert chosen(table) == {"do": "take", "pile": "Milano"}, "only Milano tickets join Milano and Roma"


def test_it_takes_the_ticket_it_remembers_under_a_pile() -> None:
    table = Table([[*ALMOST_GRAND[:-1], "Palermo-Napoli", "Milano-Turino", "Turino-Roma"], []], piles={"Turino": []})
    table.play(0, "discard", ticket="Turino-Roma")
    table.state.restore({"turn": 0, "step": 0, "card": sum(1 << PILES.index(city) for city in ("Turino", "Napoli"))})
    assert chosen(table) == {"do": "take", "pile": "Turino"}


def test_it_exchanges_for_a_ticket_it_knows_it_needs() -> None:
    hand = ["Venezia-Milano", *ALMOST_GRAND]
    table = Table([hand, ["Milano-Roma"], []], known={(0, 1): ["Milano-Roma"]})
    assert chosen(table) == {"do": "exchange", "ticket": "Venezia-Milano", "with": "left"}
    table.play(0, "exchange", ticket="Venezia-Milano", with_="left")
    assert sorted(chosen(table)["tickets"]) == sorted(GRAND_TOUR)


def test_it_discards_and_gives_what_it_needs_least() -> None:
    seven = [*ALMOST_GRAND, "Palermo-Napoli", "Palermo-Napoli"]
    made = {0: [["Turino-Milano"] * 2, ["Venezia-Milano", "Milano-Napoli", "Napoli-Venezia"]]}
    assert chosen(Table([seven, []], made=made))["ticket"] in ("Palermo-Napoli", "Napoli-Palermo")
    table = Table([["Turino-Roma"], [*GRAND_TOUR[:4], "Palermo-Napoli"], []], made={1: [["Turino-Milano"] * 2]})
    table.play(0, "exchange", ticket="Turino-Roma", with_="left")
    assert chosen(table, 1) == {"do": "give", "ticket": "Palermo-Napoli"}


def test_in_the_last_round_it_makes_any_trip_it_can() -> None:
    hand = [*PAIR, "Milano-Roma", "Napoli-Roma"]
    early, last = (Table([hand, []], round=round, turn_limit=60) for round in (1, 60))
    assert chosen(last) == {"do": "lay", "tickets": PAIR}
    hands = [Hand(0, 0, left) for left in (0, 1, MAX_ROUNDS_LEFT)]
    for held in hands:
        for kind in (0, 1, 2):
            held.add(kind)
    nothing, little, much = (held.value_of_keeping() for held in hands)
    assert nothing == 0.0, "what is in the hand when the game ends is worth something"
    assert little < much
    assert (search.bot_decides(early.state, 0), search.bot_decides(last.state, 0)) == (False, True)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hard_compares_its_moves_at_every_number_of_players(seats: int) -> None:
    state = Table([["Milano-Venezia", "Turino-Roma"], *[[]] * (seats - 1)], card=PILES[:4], step="take").state
    assert searches(GAME, state, 0)
    candidates = Hard("60").ponder(GAME, state, 0, QuickDice(1))
    assert {each.move for each in candidates} == set(state.legal(0))
    assert len(candidates) == 4
    assert min(each.visits for each in candidates) >= 7, "all are tried before the worse half is dropped"
    assert all(0.0 < each.value < 1.0 for each in candidates)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hard_does_not_give_away_the_last_ticket_of_a_grand_tour(seats: int) -> None:
    """The ranking considers only the seat's own race. In imagined worlds the other player then wins at once."""
    lacks_one = GRAND_TOUR[1:]
    hands = [[*lacks_one, "Venezia-Palermo"], ["Milano-Venezia", "Milano-Roma"], [], []][:seats]
    table = Table(hands, known={(1, 0): lacks_one})
    table.play(0, "exchange", ticket="Venezia-Palermo", with_="left")
    legal = table.state.legal(1)
    ranks = search.rank(table.state, 1, legal)
    ranked = MOVES.name(legal[ranks.index(max(ranks))])
    found = MOVES.name(Hard("60").choose(GAME, table.state, 1, QuickDice(1)))
    assert (ranked["ticket"], found["ticket"]) == ("Milano-Venezia", "Milano-Roma")


def test_the_search_recognizes_the_beginning_of_a_turn() -> None:
    state = GAME.new(2, check_options(GAME.options, {}), QuickDice(4))
    seat = state.waiting()[0]
    assert (search.turn_begins(state, seat), search.turn_begins(state, 1 - seat)) == (True, False)
    state.play(seat, state.legal(seat)[0])
    assert not search.turn_begins(state, seat)
