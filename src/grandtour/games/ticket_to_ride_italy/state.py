# compiled
"""The fields of a position of Ticket to Ride: Italy, and how cards and tickets are dealt, refilled and shuffled.

Places, routes, tickets and cards are small ints (see `parts.py`); sets of them are ints with a bit each. Counts are
stored in flat lists: `hand[9 * seat + card]`. The deck of train cards is stored as counts, and a random card is chosen
when one is drawn, which is equivalent to a shuffled deck.
"""

from typing import TYPE_CHECKING, Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from grandtour.engine.events import event
from grandtour.engine.state import FastState as Position
from grandtour.games.ticket_to_ride_italy import knowledge, parts
from grandtour.games.ticket_to_ride_italy.knowledge import DRAWN, HAND
from grandtour.games.ticket_to_ride_italy.mechanics.board import BIT, LENGTH, ONE, size
from grandtour.games.ticket_to_ride_italy.parts import KINDS, LOCOMOTIVE, LOCOMOTIVE_LIMIT, N_ROUTES, N_TICKETS, ROW

if TYPE_CHECKING:
    from grandtour.engine.state import Shared

STEP_CHOOSE: Final = 0  # everyone chooses from the first tickets
STEP_ACT: Final = 1
STEP_SECOND: Final = 2  # one train card has been drawn
STEP_KEEP: Final = 3  # tickets have been drawn
STEP_OVER: Final = 4

MAX_TRIES: Final = 5


class Table(Position):
    """A position of Ticket to Ride: Italy, without its rules."""

    def __init__(self) -> None:
        super().__init__()
        self.starter: i64 = 0
        self.turn: i64 = 0
        self.step: i64 = STEP_CHOOSE
        self.passes: i64 = 0  # turns passed in a row
        self.last: i64 = -1  # turns left in the last round; -1 before it
        self.chosen: i64 = 0  # who has chosen the first tickets: one bit per seat
        self.trains = vec[i64]()
        self.score = vec[i64]()  # points for routes; at the end of the game, all points
        self.hand = vec[i64]()
        self.known = vec[i64]()  # cards of a hand that were taken face up and not yet spent
        self.blind = vec[i64]()  # cards that a seat drew unseen since the deck was shuffled
        self.drew = vec[i64]()  # how many cards these are
        self.spent = vec[i64]()  # cards that a seat has paid with since then and that nobody had seen it take
        self.stock = vec[i64]()  # the cards of the deck when it was shuffled, except those turned up since
        self.deck = vec[i64]()
        self.decked: i64 = 0  # how many cards are in the deck
        self.discards = vec[i64]()
        self.row = vec[i64]()  # the face-up cards; -1 for a gap
        self.swept = vec[i64]()  # cards discarded for too many locomotives when the row was last filled
        self.ferries = vec[i64]()
        self.owner = vec[i64]()  # the owner of each route; -1 while it is free
        self.open = vec[i64]()  # for each seat and group, the routes that the seat can still claim
        self.reach = vec[i64]()
        self.queue: Shared = vec[i64]()  # the deck of tickets, a ring of slots
        self.top: i64 = 0  # the slot of the top ticket
        self.left: i64 = 0  # how many tickets are in the deck
        self.held = vec[i64]()  # the tickets of each seat, as a set
        self.drawn: i64 = 0  # the tickets that the turn's player has to choose from
        self.aside = vec[i64]()  # the tickets that each seat is about to give back
        self.returned: Shared = vec[i64]()  # all tickets that each seat has given back
        self.maybe: Shared = vec[i64]()
        self.winners: i64 = 0

    def census(self) -> list[int]:
        cards = [int(self.deck[card] + self.discards[card]) for card in range(KINDS)]
        for card in self.row:
            if card >= 0:
                cards[card] += 1
        for i in range(len(self.hand)):
            cards[i % KINDS] += self.hand[i]
        trains = [int(trains) for trains in self.trains]
        for route in range(N_ROUTES):
            if self.owner[route] >= 0:
                trains[self.owner[route]] += LENGTH[route]
        tickets = [int(self.queue[(self.top + n) % N_TICKETS]) for n in range(self.left)]
        tickets += knowledge.tickets_in(self.drawn)
        for held in self.held:
            tickets += knowledge.tickets_in(held)
        return [*cards, *trains, *sorted(tickets)]

    def memory(self, seat: int) -> dict[str, Any]:
        return {
            "shuffled deck": [list(self.stock), list(self.drew), list(self.spent)],
            "cards drawn": list(self.blind[KINDS * seat : KINDS * (seat + 1)]),
            "places of tickets": list(self.maybe[N_TICKETS * seat : N_TICKETS * (seat + 1)]),
            "tickets given back": (self.aside[seat], self.returned[seat]),
            "top of the tickets": self.top,
            "who has chosen": self.chosen,
            "what owners can reach": [list(self.open), list(self.reach)],
            "winners": self.winners,
        }

    def draw_from_deck(self) -> i64:
        """Draw a random card from the deck."""
        at = self.dice.below(self.decked)
        card: i64 = 0
        while at >= self.deck[card]:
            at -= self.deck[card]
            card += 1
        self.deck[card] -= 1
        self.decked -= 1
        self.reveals += 1
        return card

    def fill(self) -> None:
        """Fill the row. Reshuffle when the deck is empty, and discard a row with too many locomotives."""
        if len(self.swept):
            self.swept = vec[i64]()
        turned: i64 = 0
        shuffled = False
        while True:
            for place in range(i64(ROW)):
                if self.row[place] < 0:
                    shuffled = self._reshuffle() or shuffled
                    if not self.decked:
                        break
                    card = self.draw_from_deck()
                    self.stock[card] -= 1
                    self.row[place] = card
                    turned |= ONE[place]
            shuffled = self._reshuffle() or shuffled
            if not self._must_discard_row():
                break
            for place in range(i64(ROW)):
                self.swept = append(self.swept, self.row[place])
                self.discards[self.row[place]] += 1
                self.row[place] = -1
        if self.events is not None and (turned or shuffled):
            row = [card_name(card) for card in self.row]
            new = [row[place] for place in range(ROW) if turned >> place & 1]
            swept = [card_name(card) for card in self.swept]
            self.events.append(event("filled", row=row, turned=new, swept=swept, shuffled=shuffled))

    def _reshuffle(self) -> bool:
        """Shuffle the discards into a new deck if the deck is empty. Returns whether that happened.

        Unknown cards drawn from earlier decks are remembered only as a sum. Tracking every deck separately would need a
        list of decks, and few games reach a third one.
        """
        if self.decked or not _total(self.discards):
            return False
        for card in range(i64(KINDS)):
            self.deck[card] = self.discards[card]
            self.stock[card] = self.discards[card]
            self.decked += self.discards[card]
            self.discards[card] = 0
        for i in range(KINDS * self.seats):
            self.blind[i] = 0
            self.spent[i] = 0
        for seat in range(self.seats):
            self.drew[seat] = 0
        return True

    def _must_discard_row(self) -> bool:
        """Whether the row is full and has at least three locomotives, and a row with fewer is possible."""
        locomotives: i64 = 0
        for place in range(i64(ROW)):
            if self.row[place] < 0:
                return False
            if self.row[place] == LOCOMOTIVE:
                locomotives += 1
        if locomotives < LOCOMOTIVE_LIMIT:
            return False
        others: i64 = 0
        thrown: i64 = 0
        for card in range(i64(KINDS)):
            thrown += self.discards[card]
            if card != LOCOMOTIVE:
                others += self.deck[card] + self.discards[card]
        # If the deck has just enough cards for the next row, the two rows would replace each other forever.
        if self.decked != ROW or thrown:
            others += ROW - locomotives
        return others >= LOCOMOTIVE_LIMIT

    def take_tickets(self, count: i64) -> i64:
        """Take tickets from the top of the deck."""
        tickets: i64 = 0
        for _ in range(count):
            tickets |= ONE[self.queue[self.top]]
            self.top = (self.top + 1) % N_TICKETS
        self.left -= count
        return tickets

    def put_tickets_under(self, tickets: i64) -> i64:
        """Shuffle tickets and put them under the deck. Returns their slots."""
        some = vec[i64](knowledge.tickets_in(tickets))
        count: i64 = len(some)
        self.dice.shuffle(some, 0, count)
        first = (self.top + self.left) % N_TICKETS
        self.queue = self.queue[:]
        for n in range(count):
            self.queue[(first + n) % N_TICKETS] = some[n]
        self.left += count
        return knowledge.slots(first, count)

    def redeal_cards(self, me: i64) -> None:
        """Deal the deck and the cards of other hands again, except those that everyone knows.

        A card that nobody has seen is *old* or *new*. The new ones were shuffled into the deck when it was last made
        from the open discards; they are still in the deck or were drawn from it since. The old ones were already in
        hands then. Everyone can count how many old and new cards each player has.
        """
        new = self.stock[:]
        old = self.deck[:]
        olds = vec[i64]([0] * self.seats)
        news = vec[i64]([0] * self.seats)
        for card in range(i64(KINDS)):
            new[card] -= self.blind[KINDS * me + card]
            old[card] -= new[card]
        hand = self.hand
        known = self.known
        blind = self.blind
        for seat in range(self.seats):
            if seat != me:
                news[seat] = self.drew[seat]
                total: i64 = -self.drew[seat]
                for card in range(i64(KINDS)):
                    at = KINDS * seat + card
                    unseen = hand[at] - known[at] + self.spent[at]
                    old[card] += unseen
                    total += unseen
                    hand[at] = known[at]
                    blind[at] = 0
                olds[seat] = total
        if not self._assign_spent_cards(me, old, new, olds, news, False):
            for _ in range(MAX_TRIES):
                if self._assign_spent_cards(me, old, new, olds, news, False):
                    break
            else:
                self._assign_spent_cards(me, old, new, olds, news, True)
        fresh = _cards(new)
        self.dice.shuffle(fresh, 0, len(fresh))
        cards = _cards(old)
        self.dice.shuffle(cards, 0, len(cards))
        deck = self.deck
        for card in range(i64(KINDS)):
            deck[card] = 0
        first: i64 = 0
        for n in range(self.decked):
            if n < len(fresh):
                deck[fresh[n]] += 1
            else:
                # A forced assignment may leave too few new cards for the deck.
                deck[cards[first]] += 1
                first += 1
        for n in range(self.decked, i64(len(fresh))):
            cards = append(cards, fresh[n])
        end: i64 = len(cards)
        blind = self.blind  # replaced where the cards were assigned
        for seat in range(self.seats):
            for _ in range(olds[seat]):
                hand[KINDS * seat + cards[first]] += 1
                first += 1
            for _ in range(news[seat]):
                end -= 1
                at = KINDS * seat + cards[end]
                hand[at] += 1
                blind[at] += 1

    def _assign_spent_cards(
        self, me: i64, old: vec[i64], new: vec[i64], olds: vec[i64], news: vec[i64], forced: bool
    ) -> bool:
        """Assign the cards that others have paid with, and that nobody had seen before, to the old or the new cards.

        This is decided at random for one card after another, with the probabilities of that card alone. Weighing all
        cards of all players together would be exact, but slow; `bench.exact_worlds` measures the difference. If the
        last cards fit nowhere, nothing changes and the result is False, unless `forced`.
        """
        total_old = _total(old)
        total_new = _total(new)
        mixed = total_old > 0
        paid = False
        spent = self.spent
        blind = self.blind
        for seat in range(self.seats):
            if seat == me:
                continue
            at = KINDS * seat
            for card in range(i64(KINDS)):
                count = spent[at + card]
                if count:
                    paid = True
                    if not mixed:
                        # The deck has never been reshuffled, so all cards are new.
                        new[card] -= count
                        news[seat] -= count
                        blind[at + card] += count
        if not paid or not mixed:
            return True
        old_left, new_left, olds_left, news_left = old[:], new[:], olds[:], news[:]
        blind = blind[:]
        for choice in range(i64(2)):
            for seat in range(self.seats):
                if seat == me:
                    continue
                open_seat = olds[seat] > 0 and news[seat] > 0
                at = KINDS * seat
                for card in range(i64(KINDS)):
                    count = spent[at + card]
                    # Players and cards without a choice, which are all old or all new, come first.
                    if not count or (choice == 0) == (open_seat and old[card] > 0 and new[card] > 0):
                        continue
                    for _ in range(count):
                        as_old = olds_left[seat] * old_left[card] * total_new
                        as_new = news_left[seat] * new_left[card] * total_old
                        if not as_old and not as_new:
                            as_old = olds_left[seat] * old_left[card]
                            as_new = news_left[seat] * new_left[card]
                        if not as_old and not as_new:
                            if not forced:
                                return False
                            as_old = old_left[card]
                            as_new = new_left[card]
                        if self.dice.below(as_old + as_new) < as_old:
                            old_left[card] -= 1
                            total_old -= 1
                            as_new = 0
                        else:
                            new_left[card] -= 1
                            total_new -= 1
                        if news_left[seat] and (as_new or not olds_left[seat]):
                            news_left[seat] -= 1
                            blind[at + card] += 1
                        else:
                            olds_left[seat] -= 1
        for card in range(i64(KINDS)):
            old[card] = old_left[card]
            new[card] = new_left[card]
        for seat in range(self.seats):
            olds[seat] = olds_left[seat]
            news[seat] = news_left[seat]
        self.blind = blind
        return True

    def redeal_tickets(self, me: i64, likely: knowledge.Likely | None) -> None:
        """Deal the tickets again to all places where a seat thinks they may be; other hands then hold likely ones, if
        that is given."""
        places = vec[i64]([DRAWN] * N_TICKETS)
        count = self.left
        slot = self.top
        for n in range(count):
            places[n] = slot
            slot += 1
            if slot == N_TICKETS:
                slot = 0
        held = self.held
        for seat in range(self.seats):
            for _ in range(size(held[seat])):
                places[count] = HAND + seat
                count += 1
            held[seat] = 0
        self.drawn = 0
        found = knowledge.redeal(self.maybe, me, places, self.dice)
        if likely is not None:
            knowledge.prefer(self.maybe, me, places, found, likely, self.dice)
        queue = vec[i64]([0] * N_TICKETS)
        everywhere: i64 = 0
        for n in range(i64(N_TICKETS)):
            place = places[n]
            everywhere |= ONE[place]
            if place < HAND:
                queue[place] = found[n]
            elif place < DRAWN:
                held[place - HAND] |= ONE[found[n]]
            else:
                self.drawn |= ONE[found[n]]
        self.queue = queue
        self.maybe = self.maybe[:]
        self.returned = self.returned[:]
        for seat in range(self.seats):
            if seat != me:
                self._forget_tickets(seat, everywhere)

    def _forget_tickets(self, seat: i64, everywhere: i64) -> None:
        """Remove what another seat knows about tickets, and which ones it is about to give back, unless everybody knows
        it."""
        mine = ONE[HAND + seat]
        own = self.held[seat]
        if seat == self.turn and self.drawn:
            mine |= ONE[DRAWN]
            own |= self.drawn
        maybe = self.maybe
        elsewhere = everywhere & ~mine
        first = N_TICKETS * seat
        for at in range(first, first + N_TICKETS):
            maybe[at] = elsewhere
        while own:
            bit = own & -own
            own ^= bit
            maybe[first + BIT[bit % 67]] = ONE[DRAWN if self.drawn & bit else HAND + seat]
        self.returned[seat] = 0
        self.aside[seat] = 0
        if self.step == STEP_CHOOSE and self.chosen >> seat & 1:
            rest = self.held[seat]
            for _ in range(self.dice.below(3)):
                bit = rest & -rest
                self.aside[seat] |= bit
                rest ^= bit


def _cards(counts: vec[i64]) -> vec[i64]:
    """A list of cards, given the number of each kind."""
    found = vec[i64]([0] * _total(counts))
    n: i64 = 0
    for card in range(i64(KINDS)):
        for _ in range(counts[card]):
            found[n] = card
            n += 1
    return found


def _total(cards: vec[i64]) -> i64:
    total: i64 = 0
    for count in cards:
        total += count
    return total


def ticket_names(tickets: i64) -> list[str]:
    """The names of a set of tickets."""
    return [parts.TICKETS[ticket].name for ticket in knowledge.tickets_in(tickets)]


def card_name(card: i64) -> str | None:
    """The name of a train card; None for a gap in the row."""
    return parts.CARDS[card] if card >= 0 else None
