# compiled
"""Itchy Feet: which card is where, and who knows what. The rules are in `rules.py`.

`known[seats * viewer + holder]` is a pack: the cards that a viewer knows in another hand.
`unknown[seats * viewer + holder]` is what it can tell about the other cards there (`mechanics/hidden.py`). The viewer
after the last seat is the public: what it knows, everybody knows.

When a card leaves a hand unseen, the cards that a seat knew there are in one of two hands. They become its *lot*:
`lot[viewer]` is a pack of these cards, and `lotted[seats * viewer + holder]` says how many of a hand's unknown cards
may belong to the lot. This is exact as long as all cards of the lot come from one hand. If a second hand passes cards
on, both lots are merged, which loses some of what the seat knew. `known` and `unknown` do not depend on the lot,
because they decide who is asked for a reaction.
"""

from typing import Any, Final, Literal

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.events import event
from grandtour.engine.state import Result, shared
from grandtour.engine.state import State as Position
from grandtour.games.itchy_feet.mechanics.hidden import (
    FROM_LOT,
    FROM_PILE,
    after_forgetting,
    after_learning,
    after_reshuffle,
    after_unseen_gain,
    after_unseen_loss,
    cards,
    clues_from_hand,
    clues_from_pile,
)
from grandtour.games.itchy_feet.mechanics.packs import (
    FORBIDDEN,
    HIGHEST_OF,
    ONE,
    POSTCARD,
    count,
    fewer,
    present,
    total,
)
from grandtour.games.itchy_feet.parts import (
    CHARACTERS,
    HAND_LIMIT,
    IN_HAND,
    KINDS,
    MAX_SEATS,
    N_COUNTRIES,
    N_ITEMS,
    OVERPACKER_LIMIT,
    POSTCARDS_TO_WIN,
)
from grandtour.games.itchy_feet.view_types import Ending

ACT: Final = 0  # the turn's player chooses an action
PAY: Final = 1  # the turn's player discards for an action
TAKE: Final = 2  # the turn's player takes a card from the discard pile
REACT: Final = 3  # a player may play a reaction
PICK: Final = 4  # the Pickpocket takes one of two cards
TRAY: Final = 5  # an offer is put together
ANSWER: Final = 6  # an offer is answered
LOOK: Final = 7  # one of the Local Guide's four cards is taken
RETURN: Final = 8  # the other three are put back
REDRAW: Final = 9  # the Poorly Drawn Map replaces a country
MIX: Final = 10  # everybody chooses a card to pass on
LIMIT: Final = 11  # those with too many cards discard
OVER: Final = 12

BY_CENTRE: Final = 1
BY_POSTCARDS: Final = 2
BY_COUNTRIES: Final = 3  # Bucket List: the pile of countries is empty
BY_LIMIT: Final = 4
ENDINGS: Final[tuple[Ending | Literal[""], ...]] = ("", "centre", "postcards", "countries", "limit")
"""How a game ended; empty while it is running."""

LIMIT_WITHOUT_OVERPACKER: Final[i64] = HAND_LIMIT
SMUGGLER: Final[i64] = CHARACTERS.index("The Smuggler")
EARLY_BIRD: Final[i64] = CHARACTERS.index("The Early Bird")
SECOND_HANDER: Final[i64] = CHARACTERS.index("The Second-Hander")
PICKPOCKET: Final[i64] = CHARACTERS.index("The Pickpocket")
HAGGLER: Final[i64] = CHARACTERS.index("The Haggler")
OVERPACKER: Final[i64] = CHARACTERS.index("The Overpacker")

ITEM_BIT: Final = vec[i64]([1 << bit for bit in range(N_ITEMS * MAX_SEATS)])
"""A bit for each item and seat, in a set of what seats have declined to give."""
SEAT_ITEMS: Final = vec[i64]([(1 << N_ITEMS) - 1 << N_ITEMS * seat for seat in range(MAX_SEATS)])
"""All the bits of each seat."""
VIEWER_BITS: Final = 32
"""A card in the draw pile is stored as its kind plus this number times a set of the seats that know it."""


class Table(Position):
    """The table of Itchy Feet."""

    def __init__(self) -> None:
        super().__init__()
        self.bucket = False
        self.turn_limit: i64 = 60
        self.offer_limit: i64 = 3
        self.starter: i64 = 0
        self.turn: i64 = 0
        self.round: i64 = 1
        self.step: i64 = ACT
        self.after: i64 = 0  # how the turn continues when all hands are within their limits
        self.actions: i64 = 1
        self.acted = False  # whether the turn's player has acted this turn
        self.travelled = False
        self.smuggled = False
        self.flown = False
        self.offers: i64 = 0
        self.purpose: i64 = 0  # the action that a payment, a card to take or a reaction belongs to
        self.need: i64 = 0  # cards still to pay
        self.paid: i64 = 0  # the cards paid, as a pack
        self.target: i64 = -1  # who is stolen from, or which country
        self.subject: i64 = -1  # the item that the credit card replaces, or that pays for travel in Bucket List
        self.asked: i64 = -1  # who is asked for a reaction
        self.pair: i64 = 0  # what the Pickpocket sees, as a pack
        self.looked: i64 = 0  # how many cards on top of the draw pile are being looked at
        self.partner: i64 = -1
        self.speaker: i64 = -1  # whose offer it is
        self.gives: i64 = 0  # the cards that the speaker gives and wants, as packs
        self.wants: i64 = 0
        self.counters: i64 = 0
        self.refused: i64 = 0  # the items that each seat has declined to give since it last gained an unseen card
        self.refused_before: i64 = 0  # and before that; one bit per item, ten bits per seat
        self.quiet: i64 = 0  # who does not want to be asked for reactions: one bit per seat
        self.hushed: i64 = 0  # who has changed that this turn
        self.in_play: i64 = 0  # all cards of the game, as a pack
        self.discards: i64 = 0  # the discard pile, as a pack
        self.stock: i64 = 0  # the cards that were shuffled into the draw pile, as a pack
        self.deck = vec[i64]()
        self.left: i64 = 0  # the top of the draw pile is deck[left - 1]
        self.hand = vec[i64]()
        self.size = vec[i64]()
        self.known = vec[i64]()
        self.unknown = vec[i64]()
        self.lot = vec[i64]()
        self.lotted = vec[i64]()
        self.character = vec[i64]()  # each player's character, or -1
        self.country = vec[i64]()  # classic: the country in front of each player
        self.visited: i64 = 0  # classic: who has travelled there, one bit per seat
        self.centre: i64 = -1
        self.unused = vec[i64]()  # countries face down, the top one first
        self.spare: i64 = 0  # how many countries are unused
        self.unseen: i64 = 0  # how many of the top ones nobody has seen
        self.owner = vec[i64]()  # Bucket List: who has each country, or -1
        self.passport = vec[i64]()  # Bucket List: where each player's first passport is from
        self.chosen = vec[i64]()  # the card that each player has chosen for the Luggage Mix-Up, or -1
        self.winners: i64 = 0  # one bit per seat
        self.how: i64 = 0

    def result(self) -> Result | None:
        if self.step != OVER:
            return None
        return shared(self.winners, self.seats)

    def census(self) -> list[int]:
        cards = [int(count(self.discards, kind)) for kind in range(KINDS)]
        for seat in range(self.seats):
            for kind in range(KINDS):
                cards[kind] += count(self.hand[seat], kind)
        for place in range(self.left):
            cards[self.deck[place] % VIEWER_BITS] += 1
        countries = [int(self.unused[i]) for i in range(self.spare)] + [int(c) for c in self.country]
        countries += [c for c in range(N_COUNTRIES) if self.bucket and self.owner[c] >= 0]
        if self.centre >= 0:
            countries.append(self.centre)
        return cards + sorted(countries)

    def memory(self, seat: int) -> dict[str, Any]:
        n = self.seats
        known = [self.known[at] for at in range(n * (n + 1))]
        unknown = [self.unknown[at] for at in range(n * (n + 1))]
        return {
            "cards known": [(row[n * seat : n * (seat + 1)], row[n * n :]) for row in (known, unknown)],
            "own cards": [row[: n * n : n + 1] for row in (known, unknown)],  # always 0
            "refused": (self.refused, self.refused_before),
            "lot": (self.lot[seat], list(self.lotted[self.seats * seat : self.seats * (seat + 1)])),
            "countries not seen": self.unseen,
            "partner, target, payment": (self.partner, self.target, self.paid),
            "who changed their mind": self.hushed,
            "winners": self.winners,
        }

    def limit(self, seat: i64) -> i64:
        """How many cards a seat can have."""
        return OVERPACKER_LIMIT if self.character[seat] == OVERPACKER else LIMIT_WITHOUT_OVERPACKER

    def discardable(self, seat: i64) -> i64:
        """How many cards a seat could discard: all but the forbidden ones."""
        return self.size[seat] - count(self.hand[seat], FORBIDDEN)

    def above_limit(self, seat: i64) -> bool:
        """Whether a seat must discard."""
        return self.size[seat] > self.limit(seat) and self.discardable(seat) > 0

    def countries(self, seat: i64) -> i64:
        """How many countries a seat has travelled to, or has in front of it in Bucket List."""
        if not self.bucket:
            return (self.visited >> seat & 1) + (1 if self.how == BY_CENTRE and self.winners >> seat & 1 else 0)
        owned: i64 = 0
        for country in range(i64(N_COUNTRIES)):
            if self.owner[country] == seat:
                owned += 1
        return owned

    def end(self, winners: i64, how: i64) -> None:
        """End the game."""
        self.winners = winners
        self.how = how
        self.step = OVER
        if self.events is not None:
            seats = [int(seat) for seat in range(self.seats) if winners >> seat & 1]
            self.events.append(event("won", seats=seats, how=ENDINGS[how]))

    def most_countries(self) -> i64:
        """Who has the most countries: one bit per seat."""
        best: i64 = -1
        ahead: i64 = 0
        for seat in range(self.seats):
            owned = self.countries(seat)
            if owned > best:
                best = owned
                ahead = 0
            if owned == best:
                ahead |= i64(1) << seat
        return ahead

    def gain(self, seat: i64, kind: i64, who: i64) -> None:
        """Add a card to a hand. `who` has a bit for each viewer that knows the card, and clues for the others
        (`mechanics/hidden.py`).

        Four postcards win at once.
        """
        self.hand[seat] += ONE[kind]
        self.size[seat] += 1
        if self.refused | self.refused_before:
            if not who >> self.seats & 1:
                self._age_refusals(seat)
            elif kind < N_ITEMS:
                self._forget_refusal(seat, kind)
        for viewer in range(self.seats + 1):
            if viewer != seat:
                at = self.seats * viewer + seat
                if who >> viewer & 1:
                    self.known[at] += ONE[kind]
                else:
                    self.unknown[at] = after_unseen_gain(self.unknown[at], who, viewer)
                    if who >> FROM_LOT + viewer & 1:
                        self.lotted[at] += 1
        if kind == POSTCARD and count(self.hand[seat], POSTCARD) >= POSTCARDS_TO_WIN and self.step != OVER:
            self.end(i64(1) << seat, BY_POSTCARDS)

    def refuse(self, seat: i64, wanted: i64) -> None:
        """Remember that a seat has declined to give these cards."""
        for kind in range(i64(N_ITEMS)):
            if count(wanted, kind):
                self.refused |= ITEM_BIT[N_ITEMS * seat + kind]

    def _age_refusals(self, seat: i64) -> None:
        """A seat has gained a card that not everybody knows, so what it declined to give says less."""
        mine = SEAT_ITEMS[seat]
        self.refused_before = self.refused_before & ~mine | self.refused & mine
        self.refused &= ~mine

    def _forget_refusal(self, seat: i64, kind: i64) -> None:
        """Everybody has seen whether a seat holds this item."""
        bit = ITEM_BIT[N_ITEMS * seat + kind]
        self.refused &= ~bit
        self.refused_before &= ~bit

    def everyone(self) -> i64:
        """A bit for every viewer, including the public."""
        return (i64(2) << self.seats) - 1

    def lose(self, seat: i64, kind: i64) -> None:
        """Remove a card from a hand openly."""
        self.hand[seat] -= ONE[kind]
        self.size[seat] -= 1
        if self.refused | self.refused_before and kind < N_ITEMS:
            self._forget_refusal(seat, kind)
        for viewer in range(self.seats + 1):
            if viewer != seat:
                self._saw_leaving(self.seats * viewer + seat, kind)

    def _saw_leaving(self, at: i64, kind: i64) -> None:
        """Update what a viewer knows when it sees a card leave a hand."""
        if count(self.known[at], kind):
            self.known[at] -= ONE[kind]
        else:
            self._learn(at, kind)

    def _learn(self, at: i64, kind: i64) -> None:
        """Update a viewer's unknown cards when it learns what one of them is, or was."""
        before = cards(self.unknown[at])
        self.unknown[at] = after_learning(self.unknown[at], kind, count(self.stock, kind) > 0)
        viewer = at // self.seats
        if viewer == self.seats or not self.lotted[at]:
            return
        mine = count(self.lot[viewer], kind)
        if not mine and before > self.lotted[at] and not self._extra_places(viewer):
            return
        # The card may or may not belong to the lot, so any other unknown card of that hand may belong to it now.
        self.lotted[at] = before - 1
        if mine:
            self.lot[viewer] -= ONE[kind]
        if not self.lot[viewer]:
            for holder in range(self.seats):
                self.lotted[self.seats * viewer + holder] = 0

    def _extra_places(self, viewer: i64) -> i64:
        """How many more unknown cards may belong to a viewer's lot than the lot has cards."""
        places: i64 = 0
        for holder in range(self.seats):
            places += self.lotted[self.seats * viewer + holder]
        return places - total(self.lot[viewer])

    def learn_cards(self, viewer: i64, holder: i64, pack: i64) -> None:
        """Update what a viewer knows when it sees these cards in a hand."""
        at = self.seats * viewer + holder
        new = fewer(self.known[at], pack)
        if not new:
            return
        for kind in range(i64(IN_HAND)):
            if new & HIGHEST_OF[kind]:
                for _ in range(count(pack, kind) - count(self.known[at], kind)):
                    self.known[at] += ONE[kind]
                    self._learn(at, kind)

    def discard(self, seat: i64, kind: i64) -> None:
        """Move a card from a hand to the discard pile."""
        self.lose(seat, kind)
        self.discards += ONE[kind]

    def pass_unseen(self, giver: i64, taker: i64, kind: i64) -> i64:
        """Remove a card from a hand, seen by giver and taker only. Returns the argument `who` of `gain`."""
        who: i64 = 0
        for viewer in range(self.seats + 1):
            at = self.seats * viewer + giver
            known = self.known[at]
            if viewer == giver:
                who |= i64(1) << viewer
            elif viewer == taker or count(known, kind) == self.size[giver]:
                who |= i64(1) << viewer
                self._saw_leaving(at, kind)
            else:
                # It may have been any card, so one card fewer of each kind is certain.
                doubtful = present(known)
                row = after_forgetting(self.unknown[at], doubtful)
                self.known[at] = known - doubtful
                self.unknown[at] = after_unseen_loss(row)
                who |= clues_from_hand(row, viewer)
                if viewer < self.seats and (doubtful or self.lotted[at]):
                    self.lot[viewer] += doubtful
                    self.lotted[at] = cards(row) - 1
                    who |= i64(1) << FROM_LOT + viewer
        self.hand[giver] -= ONE[kind]
        self.size[giver] -= 1
        return who

    def show_hand(self, seat: i64) -> None:
        """Show a hand to everyone."""
        for viewer in range(self.seats + 1):
            if viewer != seat:
                self.learn_cards(viewer, seat, self.hand[seat])
                self.known[self.seats * viewer + seat] = self.hand[seat]
                self.unknown[self.seats * viewer + seat] = 0
        self.reveals += 1

    def can_draw(self) -> bool:
        return self.left > 0 or self.discards != 0

    def take_top_card(self) -> i64:
        """Take the top card of the draw pile, combined with the argument `who` of `gain`; -1 if there is none."""
        if not self.left:
            self.reshuffle()
            if not self.left:
                return -1
        card = self.deck[self.left - 1]
        who = self.remove_top_card()
        if card % VIEWER_BITS >= IN_HAND and who & FROM_PILE:
            self.stock -= ONE[card % VIEWER_BITS]
        self.reveals += 1
        return card | who * VIEWER_BITS

    def remove_top_card(self) -> i64:
        """Remove the top card of the draw pile. Returns what everyone can tell about it."""
        who = clues_from_pile(self.stock, self.everyone())
        self.left -= 1
        if not self.left:
            self.reshuffle()
            who -= FROM_PILE
        return who

    def reshuffle(self) -> None:
        """Shuffle the discard pile into a new draw pile, unless it is empty."""
        for kind in range(i64(KINDS)):
            for _ in range(count(self.discards, kind)):
                self.deck[self.left] = kind
                self.left += 1
        self.stock = self.discards
        self.discards = 0
        for at in range(i64(len(self.unknown))):
            self.unknown[at] = after_reshuffle(self.unknown[at])
        self.dice.shuffle(self.deck, 0, self.left)
        if self.events is not None and self.left:
            self.events.append(event("reshuffled", cards=int(self.left)))

    def next_country(self, old: i64) -> i64:
        """Take the top unused country, and put another (or none, -1) under the pile."""
        country = self.unused[0]
        for i in range(1, self.spare):
            self.unused[i - 1] = self.unused[i]
        if old < 0:
            self.spare -= 1
        else:
            self.unused[self.spare - 1] = old
        if self.unseen:
            self.unseen -= 1
        self.reveals += 1
        return country
