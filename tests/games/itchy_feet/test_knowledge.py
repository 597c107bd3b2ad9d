"""Imagined positions keep what a seat has seen, and nothing that a seat knows is false."""

from collections import Counter
from collections.abc import Iterator

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.games.itchy_feet import GAME
from grandtour.games.itchy_feet.mechanics import hidden
from grandtour.games.itchy_feet.mechanics.packs import (
    CONTROL,
    MOUSETRAP,
    OTHERS,
    PASSPORT,
    count,
    listed,
    total,
    within,
)
from grandtour.games.itchy_feet.parts import CARDS, EVENTS, ITEMS
from grandtour.games.itchy_feet.rules import State
from grandtour.games.itchy_feet.state import VIEWER_BITS
from tests.games.itchy_feet.positions import ALL, JAPAN, Table, fresh
from tests.rules import rule


def lively_game(seats: int, seed: int, **options: object) -> Iterator[State]:
    """A game in which a lot happens: mostly random moves, and sometimes a good one."""
    state = fresh(seats, seed, turn_limit=10, **options)
    dice = QuickDice(seed + 1)
    yield state
    while state.waiting():
        seat = state.waiting()[dice.below(len(state.waiting()))]
        moves = state.legal(seat)
        if dice.below(3):
            move = GAME.choose(state.imagine(seat, dice), seat, dice)
            assert move in moves, f"{GAME.moves.name(move)} is not allowed in step {state.step}"
            moves = [move]
        state.play(seat, moves[dice.below(len(moves))])
        yield state


@rule("IF-40", "IF-43", "IF-47", "IF-72")
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("variant", ["classic", "bucket-list"])
def test_known_cards_are_there_and_everyone_knows_what_is_public(seats: int, variant: str) -> None:
    for seed in range(2):
        for state in lively_game(seats, seed, variant=variant, characters=variant == "classic", **ALL):
            for holder in range(seats):
                assert total(state.hand[holder]) == state.size[holder]
                public = state.known[seats * seats + holder]
                for viewer in range(seats):
                    if viewer != holder:
                        known = state.known[seats * viewer + holder]
                        assert within(known, state.hand[holder]), "a seat is certain of a card that is not there"
                        assert within(public, known), "a seat does not know what is public"
            pile = Counter(CARDS[state.deck[place] % VIEWER_BITS] for place in range(state.left))
            assert pile <= Counter(listed(state.stock)), "the pile holds what was never shuffled in"


@rule("IF-13")
def test_starting_hands_are_imagined_with_items_and_a_passport() -> None:
    extensions = {"special_items": True, "forbidden_items": True, "postcards": True}
    for seed in range(20):
        other = fresh(4, seed, **extensions).imagine(0, QuickDice(seed))
        for seat in range(1, 4):
            hand = listed(other.hand[seat])
            assert set(hand) <= {"Passport", *ITEMS}, f"no starting hand can hold {hand}"
    other = fresh(4, 0, variant="bucket-list", **extensions)
    hands = {card for seed in range(20) for card in listed(other.imagine(0, QuickDice(seed)).hand[1])}
    assert "Postcard" in hands, "in Bucket List starting hands are drawn from all cards"


@rule("IF-13", "IF-43")
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("variant", ["classic", "bucket-list"])
def test_limits_on_unknown_cards_hold_in_real_and_imagined_hands(seats: int, variant: str) -> None:
    imagined = astray = 0
    for state in lively_game(seats, seats, variant=variant, characters=variant == "classic", **ALL):
        for viewer in range(seats + 1):
            for holder in range(seats):
                if holder != viewer:
                    assert fits(state, state, viewer, holder), "a hand differs from what a seat knows about it"
        for kind in (MOUSETRAP, CONTROL):
            for holder in range(seats):
                assert state.could_hold(holder, kind) or not count(state.hand[holder], kind), "nobody asks the holder"
        for seat in range(seats):
            other = state.imagine(seat, QuickDice(imagined))
            imagined += 1
            astray += not all(fits(state, other, seat, holder) for holder in range(seats) if holder != seat)
    assert astray <= imagined / 500, f"{astray} of {imagined} imagined hands cannot be"


def fits(state: State, other: State, viewer: int, holder: int) -> bool:
    """Whether a hand in another position fits what a viewer can tell about it in this one."""
    at = state.seats * viewer + holder
    row, unknown = state.unknown[at], other.hand[holder] - state.known[at]
    return (
        total(unknown) == hidden.cards(row)
        and total(unknown & OTHERS) <= hidden.others(row)
        and count(unknown, PASSPORT) <= hidden.passports(row)
        and hidden.drawn(row) <= hidden.cards(row)
    )


def test_a_card_drawn_from_a_new_pile_is_one_that_was_shuffled_into_it() -> None:
    table = Table(["Passport"], ["Camera", "Camera"], ["Bug Spray"], pile=["Sunscreen"], discards=["Swimsuit"] * 3)
    table.play(0, "draw")
    table.play(1, "draw")
    for seed in range(20):
        hand = listed(table.state.imagine(0, QuickDice(seed)).hand[1])
        assert "Swimsuit" in hand, "there was nothing else to draw"


def test_an_imagined_position_keeps_no_cards_that_were_drawn_from_the_pile() -> None:
    table = Table(["Passport"], ["Camera"], draw=["Phrasebook", "Sunscreen"])
    table.play(0, "draw")
    table.play(1, "draw")
    other = table.state.imagine(2, QuickDice(0))
    assert not any(other.deck[place] for place in range(other.left, len(other.deck)))


def test_a_shown_hand_stays_in_every_imagined_position() -> None:
    table = Table(["Passport", "Swimsuit", "Mousetrap", *JAPAN], draw=["Bug Spray"], seats=3)
    for seat in (1, 2):
        table.play(seat, "quiet")
    table.play(0, "travel")
    drawn = set()
    for seed in range(20):
        hand = listed(table.state.imagine(1, QuickDice(seed)).hand[0])
        assert {"Passport", "Swimsuit", "Mousetrap"} <= set(hand)
        assert len(hand) == 4
        drawn |= set(hand) - {"Passport", "Swimsuit", "Mousetrap"}
    assert len(drawn) > 3, "the card drawn afterwards is not known"


def test_events_are_imagined_in_the_pile_and_known_passports_stay() -> None:
    state = fresh(4, 3, events=True)
    for seed in range(20):
        other = state.imagine(2, QuickDice(seed))
        for seat in range(4):
            hand = listed(other.hand[seat])
            assert not set(hand) & set(EVENTS)
            assert hand.count("Passport") == 1, "everyone saw each player take one"


def test_a_new_pile_holds_nothing_but_what_was_shuffled_into_it() -> None:
    table = Table(["Passport"], ["Camera", "Camera"], ["Bug Spray"], pile=["Sunscreen"], discards=["Swimsuit"] * 3)
    table.play(0, "draw")
    for seed in range(20):
        other = table.state.imagine(0, QuickDice(seed))
        assert [other.deck[place] for place in range(other.left)] == [table.state.deck[0]] * 3


def test_the_pair_of_the_pickpocket_is_imagined_again_by_the_others() -> None:
    hand = ["Swimsuit", "Sunscreen", "Bug Spray", "Phrasebook"]
    table = Table(["Camera", "Passport"], hand, roles=["The Pickpocket"] * 3)
    table.plays(0, "steal: 1", "discard: Camera")
    pairs = {table.state.imagine(1, QuickDice(seed)).pair for seed in range(30)}
    assert len(pairs) == 6, "to the victim it may be any two of the four"
    assert {table.state.imagine(0, QuickDice(seed)).pair for seed in range(5)} == {table.state.pair}


def test_what_others_choose_to_pass_on_is_imagined_again() -> None:
    table = Table(["Camera", "Passport"], ["Bug Spray", "Passport"], draw=["Luggage Mix-Up"], seats=2)
    table.play(0, "draw")
    table.play(0, "hand-on", card="Camera")
    assert len({table.state.imagine(1, QuickDice(seed)).chosen[0] for seed in range(30)}) > 2
    assert {table.state.imagine(0, QuickDice(seed)).chosen[0] for seed in range(5)} == {table.state.chosen[0]}


def test_only_unseen_unused_countries_are_shuffled() -> None:
    table = Table(["Poorly Drawn Map"])
    table.plays(0, "play: Poorly Drawn Map", "redraw: 1")
    tops = set()
    for seed in range(30):
        other = table.state.imagine(0, QuickDice(seed))
        tops.add(other.unused[0])
        assert other.unused[other.spare - 1] == table.state.unused[table.state.spare - 1]
    assert len(tops) > 4
