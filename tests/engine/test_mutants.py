"""The conformance suite finds mistakes: a correct game passes, and each variant with a mistake fails clearly."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from grandtour.engine import kit, playout
from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.games.round_trip import rules
from grandtour.games.round_trip.view_types import View
from grandtour.testing import conformance as law
from grandtour.testing import knowledge
from grandtour.testing.conformance import Setup, positions, setups
from grandtour.testing.shapes import type_faults
from grandtour.testing.suite import POSITION_LAWS, check_game
from tests.engine.magpies import (
    MAGPIES,
    ForgottenCard,
    LeakedBottomCard,
    LeakedDrawnCard,
    Magpies,
    MissingField,
    RoundsFromSeatZero,
    TooMuchMemory,
    UncountedDraw,
    UnnoticedTheft,
    game,
)

UNFORESEEN = knowledge.what_a_move_reveals_is_counted_and_remembered


def test_a_correct_game_passes() -> None:
    check_game(MAGPIES)


MUTANTS: list[tuple[type[Magpies], Callable[[Setup, list[State]], object], str]] = [
    (MissingField, law.every_attribute_is_a_field, "does not name peeked"),
    (
        UncountedDraw,
        UNFORESEEN,
        "{'do': 'draw'} shows seat . what it could not foresee, and does not count as a reveal",
    ),
    (ForgottenCard, UNFORESEEN, "{'do': 'look'} tells seat .*, which it forgets at once"),
    (UnnoticedTheft, knowledge.nobody_is_certain_of_what_may_be_false, "after {'do': 'steal'} seat .* may be wrong"),
    (
        LeakedDrawnCard,
        knowledge.an_imagined_world_shows_nothing_hidden,
        r"a position in which deck\[(\d+)\] is . differently, in deck\[\1\]",
    ),
    (LeakedDrawnCard, knowledge.twins_are_imagined_alike, r"cannot tell .* differently, in deck\[\d+\]"),
    (
        LeakedBottomCard,
        knowledge.an_imagined_world_shows_nothing_hidden,
        "a position in which bottom is . differently, in bottom",
    ),
    (TooMuchMemory, knowledge.twins_are_imagined_alike, "remembers the top card, which it cannot know"),
]


def everywhere(find: Callable[[Setup, list[State]], object], mutant: Game) -> None:
    for setup in setups([mutant]):
        find(setup, positions(setup))


@pytest.mark.parametrize(
    ("mutant", "find", "finding"), MUTANTS, ids=[f"{mutant.__name__}-{find.__name__}" for mutant, find, _ in MUTANTS]
)
def test_a_game_with_one_mistake_is_caught(
    mutant: type[Magpies], find: Callable[[Setup, list[State]], object], finding: str
) -> None:
    assert find in POSITION_LAWS, "the law is not part of the suite"
    with pytest.raises(AssertionError, match=finding):
        everywhere(find, game(mutant))


class LastCard(kit.Position):
    """One turn: the player takes the fig in the row or the one in the deck. Then everything is shown."""

    row = kit.Row(deal=1)
    deck = kit.Pile(cards={"Fig": 2})
    hand = kit.Hand()

    @kit.move("Take", "take the card in the row", "LC-1")
    def take(self, seat: int) -> None:
        self.tell("took", seat=seat, card=self.put("Fig", self.row, self.hand[seat]))
        self.deal(self.deck, self.row)
        self.end()

    @kit.move("Draw", "draw a card", "LC-2")
    def draw(self, seat: int) -> None:
        self.tell("drew", seat=seat, card=self.deal(self.deck, self.hand[seat]))
        self.end()

    def score(self, seat: int) -> dict[str, int]:
        return {"Figs": len(self.hand[seat])}


class ToldCard(kit.Position):
    """A card is put back unseen, but an event names it to everyone."""

    deck = kit.Pile(cards={"Fig": 3, "Lemon": 3})
    hand = kit.Hand(deal=3)

    @kit.move("Put back a {card}", "put back a card", "TC-1", card=kit.Names("Fig", "Lemon"))
    def put_back(self, seat: int, card: str) -> None:
        self.put(card, self.hand[seat], self.deck)
        self.tell("returned", seat=seat, fruit=card)
        self.next_turn()

    def check_put_back(self, seat: int, card: str) -> kit.Check:
        if card not in self.hand[seat]:
            yield "TC-1", f"You have no {card}."

    def score(self, seat: int) -> dict[str, int]:
        return {}


def kit_game(position: type[kit.Position]) -> Game:
    return kit.make_game(
        __name__,
        position,
        title="Figs",
        summary="",
        players=(2, 2),
        minutes=1,
        sentences={},
        rulebook=lambda: "**LC-1** Play.",
    )


def test_two_moves_with_the_same_result_are_no_hidden_choice() -> None:
    setup = Setup(kit_game(LastCard), 2, (), 1)
    law.a_hidden_choice_is_not_told(setup, [setup.match().state])


def test_a_hidden_choice_that_is_told_is_caught() -> None:
    game = kit_game(ToldCard)
    start = [Setup(game, 2, (), seed).match().state for seed in range(5)]
    with pytest.raises(AssertionError, match="'put-back', 'card': 'Lemon'} is told"):
        law.a_hidden_choice_is_not_told(Setup(game, 2, (), 0), start)


def test_rounds_counted_from_the_wrong_seat_are_caught() -> None:
    assert law.rounds_begin_with_the_starting_player(MAGPIES) == 3, "of two, three and four players"
    with pytest.raises(AssertionError, match="round goes up with another seat when another seat begins"):
        law.rounds_begin_with_the_starting_player(game(RoundsFromSeatZero))


def test_a_view_that_does_not_match_its_type_is_caught() -> None:
    match = Setup("round-trip", 2, (), 1).match()
    view = match.game.view(match.state, 0)
    assert type_faults(view, View) is None, "the view matches its type"
    faults: dict[str, dict[str, Any]] = {
        r"it has \['deck'\]": {**view, "deck": []},
        "turn is 'Ada', not of type": {**view, "turn": "Ada"},
        "extra is 1, not of type": {**view, "extra": 1},
        "step is 'sleep', which is none of": {**view, "step": "sleep"},
        r"piles\[0\] lacks \['count'\]": {**view, "piles": [{"city": "Roma"}]},
        "offer must be null": {**view, "offer": {"from": 0}},
        "neighbours.* is 'up'": {**view, "neighbours": {"up": {"seat": 1, "circle": "grey"}}},
        "lacks .*'turn'": {"step": "act"},
    }
    for said, wrong in faults.items():
        assert re.search(said, type_faults(wrong, View) or "nothing"), f"not said: {said}"


@pytest.mark.skipif(not playout.__file__.endswith(".py"), reason="compiled rules cannot be patched")
def test_a_taken_ticket_that_imagined_worlds_still_hold_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A leak that Round Trip once had: three players, seed 5, slot 16 after the first ticket was taken."""
    setup = Setup("round-trip", 3, (), 5)
    start = setup.match().state
    later = [start, start.clone()]
    later[1].play(start.waiting()[0], start.legal(start.waiting()[0])[0])
    knowledge.twins_are_imagined_alike(setup, [start])
    knowledge.an_imagined_world_shows_nothing_hidden(setup, later)
    imagine = rules.State.imagine

    def leaky(state: rules.State, seat: int, dice: Dice) -> State:
        copy = imagine(state, seat, dice)
        for place in range(80):
            if (place % 16 - state.top[place // 16]) % 16 >= state.count[place // 16]:
                copy.pile[place] = state.pile[place]
        return copy

    monkeypatch.setattr(rules.State, "imagine", leaky)
    with pytest.raises(AssertionError, match=r"cannot tell from this one differently, in pile\[16\]"):
        knowledge.twins_are_imagined_alike(setup, [start])
    with pytest.raises(AssertionError, match=r"a position in which pile\[16\] is \d+ differently, in pile\[16\]"):
        knowledge.an_imagined_world_shows_nothing_hidden(setup, later)
