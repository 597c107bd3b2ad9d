"""The base class for positions of kit games. A game subclasses it, declares what is on the table, and writes its
moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from grandtour.engine.dice import Dice
from grandtour.engine.events import Event, event
from grandtour.engine.kit import memory
from grandtour.engine.kit.moves import Moves
from grandtour.engine.kit.zones import (
    END,
    EVERYONE,
    NOBODY,
    OWNER,
    SPECTATOR,
    SPECTATORS,
    Cards,
    Count,
    Counts,
    Declared,
    Track,
    Zone,
    bit,
)
from grandtour.engine.options import START, Options, named_starter
from grandtour.engine.refusal import Objection
from grandtour.engine.state import ENGINE_FIELDS, Result, State


class Card(str):
    """The name of a card that was moved, and a bit mask of who saw it, as in `Cards`. `tell` shows it only to them."""

    __slots__ = ("known",)
    known: int

    def __new__(cls, name: str, known: int) -> Card:
        card = super().__new__(cls, name)
        card.known = known
        return card


class Position(State):
    """A position of a turn-based game.

    A game declares piles, rows, hands, counts and tracks as class attributes, writes a method and checks for each move
    (`@move`), and returns each player's points from `score`. `setup` may set further attributes: ints, strings, or
    lists of either, which everyone may see.

    What a seat remembers is never wrong, but incomplete: it remembers where cards are, not where they cannot be. After
    the discards are shuffled into a new deck, an imagined world may put some of them into a hand. After a player has
    discarded every card of a name, an imagined world may give that player another. `bench.exact_worlds` measures how
    much this matters; tracking it would slow down every kit game.

    turn, starter, round   whose turn it is, who began, and how many rounds have begun
    over                   whether the game has ended
    """

    TURN_RULE: ClassVar[str]
    """The paragraph that says whose turn it is."""
    END_RULE: ClassVar[str]
    """The paragraph that says when the game ends."""

    declared: ClassVar[tuple[Declared, ...]] = ()
    _zones: ClassVar[dict[str, Zone]] = {}
    moves: ClassVar[Moves]
    turn: int
    starter: int
    round: int
    over: bool

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        members = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
        cls.declared = tuple(value for value in members.values() if isinstance(value, Declared))
        cls._zones = {each.name: each for each in cls.declared if isinstance(each, Zone)}
        cls.moves = Moves(cls)
        for verb in cls.moves.verbs:
            if hasattr(Position, verb.play.__name__):
                raise TypeError(
                    f"{cls.__name__} cannot have a move {verb.play.__name__}: every position has a method for it"
                )

    def setup(self, options: Options) -> None:
        """Finish the set-up. Everything declared is in place, and cards have been dealt."""

    def score(self, seat: int) -> dict[str, int]:
        """A player's points, by what they are for. The highest total wins."""
        raise NotImplementedError

    def tie_break(self, seat: int) -> int:
        """Among players with the same score, the one with the highest tie-break wins."""
        return 0

    def deal(self, source: Cards, target: Cards) -> Card:
        """Move the top card."""
        return self._move(source, len(source) - 1, target)

    def put(self, card: str, source: Cards, target: Cards) -> Card:
        """Move a card by name. The player who moves it must be able to see it."""
        return self._move(source, source.names.index(card), target)

    def put_all(self, source: Cards, target: Cards, card: str | None = None) -> list[Card]:
        """Move all cards, or all with this name. Returns them sorted: their order in the source stays hidden."""
        return sorted(self.put(each, source, target) for each in source.names[:] if card in (None, each))

    def put_random(self, source: Cards, target: Cards) -> Card:
        """Move a card drawn at random, as from another player's hand."""
        return self._move(source, self.roll(len(source)), target)

    def shuffle(self, pile: Cards) -> None:
        """Shuffle a pile. Nobody knows the place of any card afterwards."""
        _shuffle(pile.names, self.dice)
        pile.known = [0] * len(pile)

    def roll(self, sides: int) -> int:
        """A number from 0 to `sides` - 1."""
        self.reveals += 1
        return self.dice.below(sides)

    def next_turn(self) -> None:
        """Pass the turn to the next player on the left."""
        self.turn = (self.turn + 1) % self.seats
        self.round += self.turn == self.starter

    def reveal(self, cards: Cards) -> None:
        """Show cards to everyone without moving them."""
        self.reveals += 1
        cards.known = [memory.recorded_viewers(cards, (2 << self.seats) - 1)] * len(cards)
        memory.arrange(cards)

    def end(self) -> None:
        """End the game and show all hands."""
        self.over = True
        for cards in self.places():
            if cards.zone.sees == OWNER:
                self.reveal(cards)
        self.tell("game-over", winners=self.winners())

    def tell(self, name: str, **values: Any) -> None:
        """Record an event. A card that was moved is named only to those who saw it, a list of cards to those who saw
        all of them, and everything else to everyone."""
        if self.events is None:
            return
        known = {key: _known(value) for key, value in values.items()}
        plain = {key: _plain(value) for key, value in values.items()}
        private = {}
        for seat in range(self.seats):
            mine = {key: plain[key] for key, mask in known.items() if not mask & SPECTATORS and mask & bit(seat)}
            if mine:
                private[seat] = mine
        self.events.append(
            event(name, private, **{key: plain[key] for key, mask in known.items() if mask & SPECTATORS})
        )

    @classmethod
    def new(cls, seats: int, options: Options, dice: Dice, events: list[Event] | None) -> Self:
        """The position at the start of a match."""
        state = cls()
        state.seats, state.dice, state.events = seats, dice, events
        state.starter = state.turn = 0
        state.round, state.over = 1, False
        for each in cls.declared:
            setattr(state, each.name, _at_start(each, seats))
        for cards in state.places():
            state.stock(cards, cards.zone.cards)
        deck = next((cards for cards in state.places() if cards.zone.cards), None)
        for cards in state.places():
            for _ in range(cards.zone.deal):
                assert deck is not None, f"{cards.zone.name} is dealt, but there is no pile with cards"
                state.deal(deck, cards)
        if START in options:
            named = named_starter(options, seats)
            state.starter = state.turn = dice.below(seats) if named < 0 else named
        state.setup(options)
        state.tell("begins", seat=state.turn)
        return state

    def stock(self, cards: Cards, names: dict[str, int]) -> None:
        """Add cards to a place during the set-up. A face-down place is shuffled."""
        cards.names += [name for name, copies in names.items() for _ in range(copies)]
        if cards.zone.ordered:
            if cards.zone.sees != EVERYONE:
                _shuffle(cards.names, self.dice)
        else:
            cards.names.sort()
        cards.known = [0] * len(cards.names)

    def waiting(self) -> list[int]:
        return [] if self.over else [self.turn]

    def legal(self, seat: int) -> list[int]:
        if seat not in self.waiting():
            return []
        return [
            number
            for number, (verb, _, values, seats) in enumerate(self.moves.choices)
            if seats <= self.seats and next(verb.check(self, seat, *values), None) is None
        ]

    def objection(self, seat: int, move: int) -> Objection | None:
        """The referee: why a seat may not make a move, or None."""
        if self.over:
            return Objection(self.END_RULE, "The game is over.")
        if seat not in self.waiting():
            return Objection(self.TURN_RULE, "It is not your turn.")
        verb, _, values, seats = self.moves.choices[move]
        if seats > self.seats:
            return Objection(verb.declaration.rule, "There is no such player.")
        found = next(verb.check(self, seat, *values), None)
        return None if found is None else Objection(*found)

    def play(self, seat: int, move: int) -> None:
        choice = self.moves.choices[move]
        choice.verb.play(self, seat, *choice.values)

    def result(self) -> Result | None:
        if not self.over:
            return None
        winners = self.winners()
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(self.seats)]

    def winners(self) -> list[int]:
        """Who would win if the game ended now."""
        ranks = [(sum(self.score(seat).values()), self.tie_break(seat)) for seat in range(self.seats)]
        return [seat for seat in range(self.seats) if ranks[seat] == max(ranks)]

    def copy_with(self, dice: Dice) -> Self:
        copy = type(self)()
        copy.seats, copy.version, copy.reveals, copy.dice = self.seats, self.version, self.reveals, dice
        for name in self.fields():
            setattr(copy, name, _copied(getattr(self, name)))
        return copy

    def imagine(self, seat: int, dice: Dice) -> Self:
        copy = self.copy_with(dice)
        hidden: list[tuple[Cards, list[int]]] = []
        pool: list[str] = []
        for cards in copy.places():
            unknown = [at for at in range(len(cards)) if not self.knows(seat, cards, at)]
            hidden.append((cards, unknown))
            pool += [cards.names[at] for at in unknown]
        pool.sort()
        _shuffle(pool, dice)
        everyone = (2 << self.seats) - 1
        for cards, unknown in hidden:
            cards.known = [everyone if known & SPECTATORS else known & bit(seat) for known in cards.known]
            for at in unknown:
                cards.names[at] = pool.pop()
            memory.arrange(cards)
        return copy

    def knows(self, viewer: int, cards: Cards, at: int) -> bool:
        """Whether a viewer knows the card in this place, because it may look there or has seen the card before."""
        return cards.open_to(viewer) or bool(cards.known[at] & bit(viewer))

    def memory(self, seat: int) -> dict[str, Any]:
        attributes = {name: getattr(self, name) for name in self.fields() if name not in self._zones}
        sees = bit(seat) | SPECTATORS
        known = []
        for cards in self.places():
            each = [
                (cards.names[at] if self.knows(seat, cards, at) else "", cards.known[at] & sees)
                for at in range(len(cards))
            ]
            # Sorted, because a known card's place in a hand would tell something about the hidden cards around it.
            known.append(each if cards.zone.ordered else sorted(each))
        return {**attributes, "cards": known}

    def places(self) -> Iterator[Cards]:
        """Every place for cards, in a fixed order."""
        for name, zone in self._zones.items():
            value = getattr(self, name)
            yield from value if zone.per_seat else (value,)

    def census(self) -> list[int]:
        names = sorted(name for cards in self.places() for name in cards)
        return [names.count(name) for name in dict.fromkeys(names)]

    def dump(self) -> dict[str, Any]:
        head = {"seats": int(self.seats), "version": int(self.version), "reveals": int(self.reveals)}
        values = {name: getattr(self, name) for name in self.fields() if name not in self._zones}
        body = {name: list(value) if isinstance(value, list) else value for name, value in values.items()}
        masks = [mask for cards in self.places() for mask in cards.known]
        cards = {
            "cards": [name for cards in self.places() for name in [*cards, END]],
            "known": [mask >> 1 for mask in masks],
            "public": [mask & 1 for mask in masks],
        }
        return {**head, **body, **cards, "dice": self.dice.dump()}

    def restore(self, data: dict[str, Any]) -> None:
        engine = {name: value for name, value in data.items() if name in ENGINE_FIELDS}
        super().restore(engine)
        for name, value in data.items():
            if name not in (*engine, "cards", "known", "public"):
                setattr(self, name, list(value) if isinstance(value, list) else value)
        for name, zone in self._zones.items():
            if name not in vars(self):
                setattr(self, name, _at_start(zone, self.seats))
        # Anything missing from `data` keeps its value.
        old = self.dump()
        names, known, public = (iter(data.get(name, old[name])) for name in ("cards", "known", "public"))
        for cards in self.places():
            cards.names = list(iter(names.__next__, END))
            cards.known = [next(known) << 1 | next(public) for _ in cards]

    def _move(self, source: Cards, at: int, target: Cards) -> Card:
        """Move one card, and keep track of who has seen it."""
        name = source.names[at]
        if EVERYONE in (source.zone.sees, target.zone.sees):
            known = (2 << self.seats) - 1
        else:
            known = sum(
                bit(viewer) for viewer in range(SPECTATOR, self.seats) if self._sees(viewer, source, at, target)
            )
        # Counted even if everyone knew the card already: the count must not depend on what others know.
        if source.zone.sees != EVERYONE and target.zone.sees != NOBODY:
            self.reveals += 1
        memory.remove(source, at, known)
        memory.add(target, name, known)
        return Card(name, known)

    def _sees(self, viewer: int, source: Cards, at: int, target: Cards) -> bool:
        """Whether a viewer knows which card is moved."""
        if source.open_to(viewer) or target.open_to(viewer):
            return True
        return self.knows(viewer, source, at) if source.zone.ordered else memory.is_sure(viewer, source)


def _shuffle(names: list[str], dice: Dice) -> None:
    for i in range(len(names) - 1, 0, -1):
        j = dice.below(i + 1)
        names[i], names[j] = names[j], names[i]


def _at_start(declared: Declared, seats: int) -> Any:
    """The initial value of something declared, before cards are dealt."""
    if isinstance(declared, Zone):
        return [Cards(declared, seat) for seat in range(seats)] if declared.per_seat else Cards(declared, None)
    assert isinstance(declared, Count | Counts | Track)
    return declared.start if isinstance(declared, Count) else [declared.start] * seats


def _copied(value: Any) -> Any:
    if isinstance(value, Cards):
        return value.copy()
    if isinstance(value, list):
        return [_copied(each) for each in value] if value and isinstance(value[0], Cards) else value[:]
    return value


def _known(value: Any) -> int:
    """A bit mask of who may know a value, as in `Cards`. What spectators know, everyone knows."""
    if isinstance(value, Card):
        return value.known
    known = -1
    for each in value if isinstance(value, list | tuple) else ():
        known &= _known(each)
    return known


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, str) else value
