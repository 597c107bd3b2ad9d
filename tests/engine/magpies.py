"""Magpies, a small card game with every kind of hidden knowledge: hands, a deck, looking at cards and stealing them.

On your turn you draw a card, look at or steal a card of your left neighbour, peek at the top of the deck, or put a card
away face up. The player who holds the most cards after the last round wins. The classes below it have one mistake each,
which the conformance suite must find.
"""

from typing import Any, Self

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.events import Event, event
from grandtour.engine.game import Game
from grandtour.engine.options import Options, named_starter, starter
from grandtour.engine.refusal import Objection
from grandtour.engine.state import Result, State, shared
from grandtour.engine.vocabulary import Names, Vocabulary

TREASURES = ("ring", "spoon", "key", "coin", "bead")
KINDS = len(TREASURES)
COPIES = 4
ROUNDS = 6
MOVES = Vocabulary({"draw": {}, "look": {}, "steal": {}, "peek": {}, "put-away": {"card": Names(*TREASURES)}})
DRAW, LOOK, STEAL, PEEK, PUT_AWAY = (MOVES.first(verb) for verb in ("draw", "look", "steal", "peek", "put-away"))


class Magpies(State):
    """`known[KINDS * (seats * viewer + holder) + kind]`: what a viewer is certain of in another's hand."""

    def __init__(self) -> None:
        super().__init__()
        self.starter = 0
        self.turn = 0
        self.round = 1
        self.hand = vec[i64]()
        self.known = vec[i64]()
        self.deck = vec[i64]()
        self.left = 0  # the top of the deck is deck[left - 1]
        self.peeked = 0  # who knows the top card: one bit per seat
        self.away = vec[i64]()
        self.last = ""  # the last action, which everyone can see

    def set_up(self) -> None:
        """Finish the set-up, after all cards have been dealt."""

    def census(self) -> list[int]:
        held = [sum(self.hand[KINDS * seat + kind] for seat in range(self.seats)) for kind in range(KINDS)]
        deck = [self.deck[i] for i in range(self.left)]
        return [int(held[kind] + self.away[kind] + deck.count(kind)) for kind in range(KINDS)]

    def size(self, seat: int) -> int:
        return sum(self.cards(seat))

    def cards(self, seat: int) -> list[int]:
        return [int(self.hand[KINDS * seat + kind]) for kind in range(KINDS)]

    def recalls(self, viewer: int, holder: int) -> list[int]:
        at = KINDS * (self.seats * viewer + holder)
        return [int(self.known[at + kind]) for kind in range(KINDS)]

    def memory(self, seat: int) -> dict[str, Any]:
        return {"starter": self.starter}

    def waiting(self) -> list[int]:
        return [self.turn] if self.round <= ROUNDS else []

    def legal(self, seat: int) -> list[int]:
        if self.waiting() != [seat]:
            return []
        moves = [DRAW] if self.left else []
        if self.size((seat + 1) % self.seats):
            moves += [LOOK, STEAL]
        moves += [PEEK] if self.left else []
        return moves + [PUT_AWAY + kind for kind, held in enumerate(self.cards(seat)) if held]

    def play(self, seat: int, move: int) -> None:
        left = (seat + 1) % self.seats
        self.last = MOVES.verb(move).name
        if move == DRAW:
            self.draw(seat)
        elif move == LOOK:
            card = self.random_card(left)
            self.say("looked", {seat: {"card": TREASURES[card]}}, seat=seat, whom=left)
            self.learn(seat, left, card)
        elif move == STEAL:
            card = self.random_card(left)
            self.say("stole", {who: {"card": TREASURES[card]} for who in (seat, left)}, seat=seat, whom=left)
            self.steal(seat, left, card)
        elif move == PEEK:
            self.peeked |= 1 << seat
            self.say("peeked", {seat: {"card": TREASURES[self.deck[self.left - 1]]}}, seat=seat)
            self.reveals += 1
        else:
            card = move - PUT_AWAY
            self.take(seat, card, range(self.seats))
            self.away[card] += 1
            self.say("put-away", seat=seat, card=TREASURES[card])
        self.turn = left
        if self.round_is_over():
            self.round += 1

    def round_is_over(self) -> bool:
        return self.turn == self.starter

    def draw(self, seat: int) -> None:
        self.left -= 1
        card = int(self.deck[self.left])
        for viewer in range(self.seats):
            if self.peeked >> viewer & 1 and viewer != seat:
                self.known[KINDS * (self.seats * viewer + seat) + card] += 1
        self.peeked = 0
        self.hand[KINDS * seat + card] += 1
        self.say("drew", {seat: {"card": TREASURES[card]}}, seat=seat)
        self.reveals += 1

    def learn(self, viewer: int, holder: int, card: int) -> None:
        """A viewer has seen one card of a hand, which may be one that it knew already."""
        at = KINDS * (self.seats * viewer + holder) + card
        self.known[at] = max(self.known[at], 1)
        self.reveals += 1

    def steal(self, thief: int, victim: int, card: int) -> None:
        self.take(victim, card, (thief, victim))
        self.hand[KINDS * thief + card] += 1
        self.known[KINDS * (self.seats * victim + thief) + card] += 1
        self.reveals += 1

    def take(self, holder: int, card: int, watching: Any) -> None:
        """Remove a card from a hand. Players who do not see which card it is then know less about that hand."""
        for viewer in range(self.seats):
            at = KINDS * (self.seats * viewer + holder)
            for kind in range(KINDS):
                if self.known[at + kind] and (kind == card or viewer not in watching) and viewer != holder:
                    self.known[at + kind] -= 1
        self.hand[KINDS * holder + card] -= 1

    def random_card(self, holder: int) -> int:
        held = [kind for kind, count in enumerate(self.cards(holder)) for _ in range(count)]
        return held[self.dice.below(len(held))]

    def say(self, name: str, private: dict[int, dict[str, Any]] | None = None, **public: Any) -> None:
        if self.events is not None:
            self.events.append(event(name, private, **public))

    def imagine(self, seat: int, dice: Dice) -> "Magpies":
        copy = self.copy_with(dice)
        pool = [COPIES - own - int(away) for own, away in zip(self.cards(seat), self.away, strict=True)]
        for other in range(self.seats):
            for holder in range(self.seats):
                at = KINDS * (self.seats * other + holder)
                for kind in range(KINDS):
                    if other != seat:
                        copy.known[at + kind] = 0
                    else:
                        pool[kind] -= self.known[at + kind]
        top = int(self.deck[self.left - 1]) if self.peeked >> seat & 1 else -1
        copy.peeked = 1 << seat if top >= 0 else 0
        if top >= 0:
            pool[top] -= 1
        cards = vec[i64]([kind for kind in range(KINDS) for _ in range(pool[kind])])
        dice.shuffle(cards, 0, len(cards))
        rest = [int(card) for card in cards]
        for other in range(self.seats):
            if other != seat:
                hand = self.recalls(seat, other)
                for _ in range(self.size(other) - sum(hand)):
                    hand[rest.pop()] += 1
                for kind in range(KINDS):
                    copy.hand[KINDS * other + kind] = hand[kind]
        deck = [top, *rest] if top >= 0 else rest
        copy.deck = vec[i64](deck[::-1] + [0] * (len(self.deck) - len(deck)))
        return copy

    def result(self) -> Result | None:
        if self.waiting():
            return None
        sizes = [self.size(seat) for seat in range(self.seats)]
        return shared(sum(1 << seat for seat in range(self.seats) if sizes[seat] == max(sizes)), self.seats)


class MissingField(Magpies):
    """One field is missing from `fields`."""

    def fields(self) -> tuple[str, ...]:
        return tuple(name for name in super().fields() if name != "peeked")

    def copy_with(self, dice: Dice) -> Self:
        copy = super().copy_with(dice)
        copy.peeked = self.peeked
        return copy


class UncountedDraw(Magpies):
    """A draw does not count as a reveal."""

    def draw(self, seat: int) -> None:
        super().draw(seat)
        self.reveals -= 1


class ForgottenCard(Magpies):
    """A card that was looked at is not recorded."""

    def learn(self, viewer: int, holder: int, card: int) -> None:
        self.reveals += 1


class UnnoticedTheft(Magpies):
    """A third player's knowledge of a hand is not updated when a card is stolen from it, as long as it still fits."""

    def take(self, holder: int, card: int, watching: Any) -> None:
        before = {viewer: self.recalls(viewer, holder) for viewer in range(self.seats) if viewer not in watching}
        super().take(holder, card, watching)
        for viewer, memory in before.items():
            if sum(memory) <= self.size(holder):
                for kind in range(KINDS):
                    self.known[KINDS * (self.seats * viewer + holder) + kind] = memory[kind]


class RoundsFromSeatZero(Magpies):
    """A round is over when it is the first seat's turn, no matter who started."""

    def round_is_over(self) -> bool:
        return self.turn == 0


class LeakedBottomCard(Magpies):
    """Imagined worlds keep the true card at the bottom of the deck in a field that is never dealt again."""

    def __init__(self) -> None:
        super().__init__()
        self.bottom = 0

    def set_up(self) -> None:
        self.bottom = int(self.deck[0])


class TooMuchMemory(Magpies):
    """`memory` claims that everyone knows the top card."""

    def memory(self, seat: int) -> dict[str, Any]:
        return {**super().memory(seat), "the top card": int(self.deck[self.left - 1])}


class LeakedDrawnCard(Magpies):
    """Imagined worlds keep the true cards in the part of the deck list that has been drawn."""

    def imagine(self, seat: int, dice: Dice) -> "Magpies":
        copy = super().imagine(seat, dice)
        for place in range(self.left, len(self.deck)):
            copy.deck[place] = self.deck[place]
        return copy


def objection(state: State, seat: int, move: int) -> Objection | None:
    assert isinstance(state, Magpies)
    if state.waiting() != [seat]:
        return Objection("MP-1", "It is not your turn.")
    if move in (DRAW, PEEK) and not state.left:
        return Objection("MP-2", "The deck is empty.")
    if move in (LOOK, STEAL) and not state.size((seat + 1) % state.seats):
        return Objection("MP-3", "Your neighbour holds nothing.")
    if move >= PUT_AWAY and not state.cards(seat)[move - PUT_AWAY]:
        return Objection("MP-4", "You do not hold that card.")
    return None


def treasures(counts: list[int]) -> list[str]:
    return [TREASURES[kind] for kind, count in enumerate(counts) for _ in range(count)]


def view(state: State, seat: int | None) -> dict[str, Any]:
    assert isinstance(state, Magpies)
    shown: dict[str, Any] = {
        "turn": state.turn,
        "round": state.round,
        "deck": state.left,
        "last": state.last,
        "away": treasures([int(count) for count in state.away]),
        "sizes": [state.size(other) for other in range(state.seats)],
        "result": state.result(),
    }
    if seat is not None:
        shown["hand"] = treasures(state.cards(seat))
        shown["known"] = [treasures(state.recalls(seat, other)) for other in range(state.seats)]
        shown["top"] = TREASURES[state.deck[state.left - 1]] if state.peeked >> seat & 1 else None
    return shown


def describe(record: Event, names: list[str], seat: int | None) -> str:
    return f"{names[record['seat']]} {record['event']} {record.get('card', 'a card')}."


def new(kind: type[Magpies]) -> Any:
    def set_up(seats: int, options: Options, dice: Dice, events: list[Event] | None) -> State:
        state = kind()
        named = named_starter(options, seats)
        state.seats, state.dice = seats, dice
        state.starter = state.turn = int(dice.below(seats)) if named < 0 else named
        state.deck = vec[i64]([card for card in range(KINDS) for _ in range(COPIES)])
        dice.shuffle(state.deck, 0, len(state.deck))
        state.left = len(state.deck) - 2 * seats
        state.hand = vec[i64]([0] * (KINDS * seats))
        for i in range(2 * seats):
            state.hand[KINDS * (i // 2) + state.deck[state.left + i]] += 1
        state.known = vec[i64]([0] * (KINDS * seats * seats))
        state.away = vec[i64]([0] * KINDS)
        state.set_up()
        return state

    return set_up


def game(kind: type[Magpies]) -> Game:
    """Magpies by these rules."""
    return Game(
        name="magpies",
        title="Magpies",
        subtitle="",
        summary="",
        players=(2, 4),
        minutes=5,
        options=(starter(4),),
        moves=MOVES,
        rules={1: new(kind)},
        objection=objection,
        view=view,
        prompt=lambda state, seat: {"text": "Play.", "rules": []},
        describe=describe,
        describe_move=lambda state, named: " ".join(named.values()),
        final=lambda state: [{"seat": seat} for seat in range(state.seats)],
        choose=lambda state, seat, dice: state.legal(seat)[0],
        rulebook=lambda: "",
    )


MAGPIES = game(Magpies)
