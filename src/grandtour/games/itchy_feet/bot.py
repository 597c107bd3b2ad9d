"""What a sensible player of Itchy Feet looks at.

It gives every hand a worth: how little is missing for the next country and the one after, postcards, special items,
what could be traded. Then it takes the action that raises it most, with an eye on rivals who are close to the centre.
It reads its own hand, what lies open and what its seat has come to know, never what was only imagined.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from grandtour.engine.dice import Dice
from grandtour.engine.state import State as Position
from grandtour.games.itchy_feet import actions, packs, table
from grandtour.games.itchy_feet.packs import IN_HAND, KINDS, N_ITEMS, count
from grandtour.games.itchy_feet.parts import COUNTRIES, KIND
from grandtour.games.itchy_feet.rules import MOVES, State

PASSPORT: Final = KIND["Passport"]
POSTCARD: Final = KIND["Postcard"]
FORBIDDEN: Final = KIND["Forbidden Item"]
CREDIT_CARD: Final = KIND["Mom's Credit Card"]

WIN: Final = 1000.0
HOME: Final = 30.0  # of travelling to the own country
COUNTRY: Final = 12.0  # of a country in Bucket List
LOOT: Final = 14.0  # ... of one that is stolen from a single rival; less so from one of many
READY: Final = 6.0  # of having what a country of Bucket List asks for
STAYS: Final = 0.6  # how likely a rival leaves the country on top where it is
ITEM: Final = 1.0
NEXT: Final = (9.0, 5.0, 2.2, 0.0)  # by how many items are missing
LATER: Final = (3.4, 2.0, 0.9, 0.0)
CENTRE: Final = 1.6  # how much more the centre counts than the own country
CARD: Final = 0.8  # of any card to pay and to trade with
WANTED: Final = 0.25  # ... more when a rival could use it
SPARE: Final = 0.35  # of a second copy
NO_PASSPORT: Final = 0.6
STRANDED: Final = 3.5  # of having no passport at all
CONTRABAND: Final = 1.5
COLLECTION: Final = (0.0, 0.5, 1.6, 4.5, WIN, WIN, WIN)
TRICKS: Final = {
    "Mousetrap": 1.0,
    "Local Guide": 1.6,
    "Trading Post": 1.2,
    "Poorly Drawn Map": 0.9,
    "Red-Eye Flight": 1.5,
    "Customs Bribe": 0.7,
    "Lost and Found": 2.0,
    "Passport Control": 1.6,
}
TRICK: Final = {KIND[name]: worth for name, worth in TRICKS.items()}
MARGIN: Final = 0.3  # what a trade must bring at least
RIVALRY: Final = 0.6  # how much of a rival's gain is one's own loss
WORTH_AN_OFFER: Final = 0.25


class Offer(NamedTuple):
    """A card for a card, and what may be expected of asking."""

    worth: float
    partner: int
    give: int
    want: int


def choose(position: Position, seat: int, dice: Dice) -> int:
    """A sensible move."""
    assert isinstance(position, State)
    legal = [move for move in position.legal(seat) if MOVES.verb(move).name not in ("quiet", "ask-me")]
    if len(legal) == 1:
        return legal[0]
    return Thought(position, seat).choose(legal)


class Thought:
    """One look at a position."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.me = seat
        self.hand = _counts(state.hand[seat])
        self.others = [other for other in range(state.seats) if other != seat]
        self.known = {other: _counts(state.known[state.seats * seat + other]) for other in self.others}
        self.unseen = self._unseen()
        self.first, self.second = self._goals(seat)
        self.rivals = {other: self._goals(other)[0] for other in self.others}
        self.wanted = {item for items in self.rivals.values() for item in items}
        self.coming = self._coming()
        self.now = self.worth(self.hand)

    def _unseen(self) -> list[int]:
        """The cards that this seat has not seen: in other hands or in the draw pile."""
        state = self.state
        unseen = [int(count(state.in_play, kind) - count(state.discards, kind)) for kind in range(KINDS)]
        for kind in range(IN_HAND):
            unseen[kind] -= self.hand[kind] + sum(known[kind] for known in self.known.values())
        return unseen

    def _goals(self, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What the next country of a seat asks for, and the one after."""
        state = self.state
        if state.bucket:
            return (COUNTRIES[state.centre].items if state.centre >= 0 else ()), ()
        if state.visited >> seat & 1:
            return COUNTRIES[state.centre].items, ()
        return COUNTRIES[state.country[seat]].items, COUNTRIES[state.centre].items

    def _coming(self) -> list[tuple[int, ...]]:
        """In Bucket List: what the countries still face down ask for."""
        state = self.state
        if not state.bucket:
            return []
        return [c.items for number, c in enumerate(COUNTRIES) if state.owner[number] < 0 and number != state.centre]

    def worth(self, hand: list[int]) -> float:
        """What a hand is worth to this seat."""
        value = COLLECTION[hand[POSTCARD]]
        value += sum(worth for kind, worth in TRICK.items() if hand[kind])
        value += self._bucket_worth(hand) if self.state.bucket else self._goal_worth(hand)
        for item in range(N_ITEMS):
            if hand[item]:
                value += hand[item] * (CARD + (WANTED if item in self.wanted else 0.0))
        return value + CARD * max(0, hand[PASSPORT] - 1)

    def _goal_worth(self, hand: list[int]) -> float:
        credit = hand[CREDIT_CARD]
        missing = sum(1 for item in self.first if not hand[item])
        if missing and credit:
            missing -= 1
            credit = 0
        ahead = NEXT[missing]
        if self.second:
            left = [item for item in self.second if hand[item] > (item in self.first)]
            gaps = 3 - len(left)
            if gaps and credit:
                gaps -= 1
                credit = 0
            ahead += LATER[gaps]
        else:
            ahead *= CENTRE
        ahead += SPARE * sum(1 for item in self.first if hand[item] > 1) + 2.0 * credit
        return self._papers(hand, ahead)

    def _bucket_worth(self, hand: list[int]) -> float:
        """The country on top may be gone before the next turn, so what fits many countries counts too."""
        state = self.state
        stays = STAYS ** len(self.others)
        ready = 1.0 if any(hand[item] for item in self.first) else 0.0
        fitting = sum(1 for items in self.coming if any(hand[item] for item in items))
        covered = fitting / len(self.coming) if self.coming else ready
        if hand[CREDIT_CARD]:
            ready = covered = 1.0
        items = sum(hand[:N_ITEMS]) + hand[CREDIT_CARD]
        ahead = READY * (stays * ready + (1.0 - stays) * covered) + ITEM * items
        return self._papers(hand, ahead if state.centre >= 0 else 0.0)

    def _papers(self, hand: list[int], ahead: float) -> float:
        """Without a passport, or with forbidden luggage, what is ahead is further away."""
        if not hand[PASSPORT]:
            ahead = ahead * NO_PASSPORT - STRANDED
        if hand[FORBIDDEN]:
            ahead -= hand[FORBIDDEN] * CONTRABAND + 0.3 * ahead
        return ahead

    def change(self, gets: tuple[int, ...] = (), loses: tuple[int, ...] = ()) -> float:
        """How much the hand's worth changes."""
        hand = self.hand
        for kind in gets:
            hand[kind] += 1
        for kind in loses:
            hand[kind] -= 1
        value = self.worth(hand) - self.now
        for kind in gets:
            hand[kind] -= 1
        for kind in loses:
            hand[kind] += 1
        return value

    def cheapest(self, cards: int, gets: tuple[int, ...] = ()) -> tuple[float, tuple[int, ...]]:
        """The change when the least useful cards are given up, and which they are."""
        given: tuple[int, ...] = ()
        for _ in range(cards):
            held = [k for k in range(IN_HAND) if self.hand[k] > given.count(k) and k != FORBIDDEN]
            if not held:
                break
            given += (max(held, key=lambda kind: self.change(gets, (*given, kind))),)
        return self.change(gets, given), given

    def a_card(self, draws: int = 1) -> float:
        """What the best of so many unseen cards may be expected to bring."""
        gains = sorted(
            (self.change((kind,)) if kind < IN_HAND else -0.3, self.unseen[kind])
            for kind in range(KINDS)
            if self.unseen[kind] > 0
        )
        total = sum(many for _, many in gains)
        value, below = 0.0, 0
        for gain, many in gains:
            before, below = below, below + many
            value += gain * ((below / total) ** draws - (before / total) ** draws)
        if self.state.size[self.me] >= self.state.limit(self.me):
            value *= 0.6
        return value

    def choose(self, legal: list[int]) -> int:
        state = self.state
        named = {move: MOVES.name(move) for move in legal}
        match state.step:
            case table.ACT:
                return self._action(legal)
            case table.PAY | table.LIMIT:
                return self._discard(legal)
            case table.TAKE | table.LOOK | table.PICK:
                return max(legal, key=lambda m: self.change((KIND[named[m]["card"]],)) if "card" in named[m] else 0.0)
            case table.REACT:
                return legal[0] if len(legal) > 1 and self._worth_a_reaction() else legal[-1]
            case table.TRAY:
                return self._on_the_tray(legal)
            case table.ANSWER:
                return self._answer(legal)
            case table.REDRAW:
                return max(legal, key=lambda move: self._redrawn(named[move]["seat"]))
            case table.RETURN:
                return max(legal, key=lambda move: self._gain_of(KIND[named[move]["card"]]))
        return max(legal, key=lambda move: self._handed_on(KIND[named[move]["card"]]))

    def _gain_of(self, kind: int) -> float:
        return self.change((kind,)) if kind < IN_HAND else -1.0

    def _handed_on(self, kind: int) -> float:
        neighbour = (self.me + 1) % self.state.seats
        return self.change((), (kind,)) - RIVALRY * self._use(neighbour, kind)

    def _discard(self, legal: list[int]) -> int:
        discards = {move: KIND[MOVES.name(move)["card"]] for move in legal if "card" in MOVES.name(move)}
        best = max(discards, key=lambda move: self.change((), (discards[move],)))
        if self.state.purpose == actions.FOR_POST and self.state.step == table.PAY and len(discards) < len(legal):
            worth_it = self.change((), (discards[best],)) + 0.8 * self.a_card() > 0
            return best if worth_it else legal[-1]
        return best

    def _action(self, legal: list[int]) -> int:
        """The action that brings most; free things first."""
        values = {move: self._value(move) for move in legal}
        best = max(legal, key=lambda move: values[move])
        if values[best] >= COUNTRY / 2:
            return best
        offer = self._offer(self.state.offers)
        if offer is not None:
            trade = MOVES.first("trade") + offer.partner
            if trade in legal and offer.worth > 0:
                return trade
        return best

    def _value(self, move: int) -> float:
        named = MOVES.name(move)
        match named["do"]:
            case "draw":
                return self._draw()
            case "recycle":
                cost = 1 if self._is(table.SECOND_HANDER) else 2
                return max(self.cheapest(cost, (kind,))[0] for kind in self._discarded())
            case "steal":
                return self._steal(named["from"])
            case "get-rid":
                return self.cheapest(1)[0] + self.change((), (FORBIDDEN,)) if self.hand[FORBIDDEN] else -9.0
            case "travel" | "travel-on-credit" | "travel-with":
                return self._travel(named)
            case "steal-country":
                items = [i for i in COUNTRIES[_country(named["country"])].items if self.hand[i]]
                owner = self.state.owner[_country(named["country"])]
                ahead = int(self.state.countries(owner)) - int(self.state.countries(self.me))
                return LOOT / len(self.others) + ahead + self.change((), tuple(items[:2]))
            case "play":
                return self._special(KIND[named["card"]])
            case "smuggle":
                return HOME - self.others.index(named["to"]) + self._threat(named["to"])
        return -5.0

    def _is(self, character: int) -> bool:
        return bool(self.state.character[self.me] == character)

    def _discarded(self) -> list[int]:
        """What could be taken from the discard pile."""
        return [kind for kind in range(IN_HAND) if count(self.state.discards, kind)]

    def _draw(self) -> float:
        """What a draw may be expected to bring; a card that is known to be on top is what it is."""
        state = self.state
        if state.left:
            top = int(state.deck[state.left - 1])
            if top // table.WHO >> self.me & 1:
                return self._gain_of(top % table.WHO)
        if self._is(table.EARLY_BIRD):
            return self.a_card(2)
        return self.a_card()

    def _steal(self, victim: int) -> float:
        """The card is paid, then one comes by chance: a known one, or one like those unseen."""
        paid = self.cheapest(1)[1]
        known, size = self.known[victim], int(self.state.size[victim])
        if not paid or not size:
            return -9.0
        gain = sum(many * self.change((kind,), paid) for kind, many in enumerate(known) if many)
        hidden = size - sum(known)
        if hidden:
            seen = sum(self.unseen[:IN_HAND]) or 1
            gain += hidden * sum(
                many / seen * self.change((kind,), paid) for kind, many in enumerate(self.unseen[:IN_HAND]) if many
            )
        gain /= size
        if self._is(table.PICKPOCKET) and size > 1:
            gain += 0.8
        return gain + self._threat(victim) / (size + 1)

    def _threat(self, rival: int) -> float:
        """How close a rival is to winning, for all that is known."""
        known = self.known[rival]
        held = sum(1 for item in self.rivals[rival] if known[item])
        postcards = known[POSTCARD]
        close = (0.0, 0.5, 1.5, 4.0)[held] + (3.0 if postcards == 3 else 0.0)
        if self.state.bucket:
            return float(self.state.countries(rival)) * 0.3
        return close * (2.0 if self.state.visited >> rival & 1 else 0.6)

    def _travel(self, named: dict[str, str]) -> float:
        state = self.state
        if not state.bucket and state.visited >> self.me & 1:
            return WIN
        spent = -1.0 if named["do"] == "travel-on-credit" or named.get("card") == "Mom's Credit Card" else 0.0
        if state.bucket:
            item = KIND[named["card"]]
            return COUNTRY + self.change((), (item,)) * 0.2 + spent
        return HOME + spent

    def _special(self, kind: int) -> float:
        state = self.state
        own = self.change((), (kind,))
        if kind == packs.GUIDE:
            return self.a_card(4) + own
        if kind == packs.POST:
            lost, given = self.cheapest(2)
            return lost + own + (len(given) + 1) * 0.8 * self.a_card()
        if kind == packs.MAP:
            return max(self._redrawn(seat) for seat in range(state.seats) if not state.visited >> seat & 1) + own
        if kind == packs.RED_EYE:
            return HOME + 1 if self._two_actions_help() else -5.0
        if kind == packs.BRIBE:
            return HOME + 2
        return max((self.change((found,), (kind,)) for found in self._discarded()), default=-5.0)

    def _two_actions_help(self) -> bool:
        """A second action is best when the first brings the last thing needed, or the hand is getting full."""
        missing = sum(1 for item in self.first if not self.hand[item])
        if self.state.bucket or not missing:
            return True
        return missing == 1 or self.state.size[self.me] >= self.state.limit(self.me) - 1

    def _redrawn(self, seat: int) -> float:
        """What another country for a seat would change."""
        if seat != self.me:
            return self._threat(seat) - 0.5
        first = self.first
        visible = {int(self.state.centre), *(int(country) for country in self.state.country)}
        fresh = [country.items for number, country in enumerate(COUNTRIES) if number not in visible]
        value = 0.0
        for items in fresh:
            self.first = items
            value += self.worth(self.hand) - self.now
        self.first = first
        return value / len(fresh)

    def _worth_a_reaction(self) -> bool:
        state = self.state
        if state.purpose == actions.FOR_TRAVEL:
            if state.bucket:
                return bool(state.countries(state.turn) >= state.countries(self.me))
            return bool(state.visited >> state.turn & 1)
        worst = min(self.change((), (kind,)) for kind in range(IN_HAND) if self.hand[kind])
        return worst < -2.0 or self.hand[POSTCARD] > 1

    def _use(self, rival: int, kind: int) -> float:
        """What a card seems to be worth to a rival."""
        close = 1.0 + self._threat(rival)
        if kind in self.rivals[rival] and not self.known[rival][kind]:
            return 1.5 + close
        if kind == POSTCARD:
            return 0.5 + 2.0 * self.known[rival][POSTCARD]
        if kind == FORBIDDEN:
            return -2.0
        if kind == PASSPORT and not self.known[rival][PASSPORT]:
            return STRANDED
        return TRICK.get(kind, 2.0 if kind == CREDIT_CARD else CARD)

    def _keeps(self, rival: int, kind: int) -> float:
        """What giving a card away seems to cost a rival."""
        if kind == PASSPORT and self.known[rival][PASSPORT] < 2:
            return STRANDED
        if kind in self.rivals[rival] and self.known[rival][kind] < 2:
            return 2.5 + self._threat(rival)
        return self._use(rival, kind)

    def _chance(self, rival: int, kind: int) -> float:
        """How likely a rival holds a card."""
        if self.known[rival][kind]:
            return 1.0
        hidden = int(self.state.size[rival]) - sum(self.known[rival])
        all_unseen = sum(self.unseen)
        if not all_unseen or self.unseen[kind] <= 0:
            return 0.0
        return float(1.0 - (1.0 - self.unseen[kind] / all_unseen) ** hidden)

    def _offers(self, partners: list[int]) -> Iterator[Offer]:
        """Trades of a card for a card that help both, as far as one can tell."""
        bonus = 2.0 * self.a_card() if self._is(table.HAGGLER) else self.a_card()
        wants = [kind for kind in range(IN_HAND) if self.change((kind,)) > 0.8]
        gives = [kind for kind in range(IN_HAND) if self.hand[kind]]
        gains = {(give, want): self.change((want,), (give,)) for give in gives for want in wants if give != want}
        for partner in partners:
            if not self.state.size[partner]:
                continue
            for (give, want), gain in gains.items():
                if gain < MARGIN:
                    continue
                theirs = self._use(partner, give) - self._keeps(partner, want)
                if theirs <= 0.0:
                    continue
                likely = self._chance(partner, want) * min(1.0, theirs / 3.0)
                worth = likely * (gain + bonus - RIVALRY * theirs)
                yield Offer(worth * _mood(int(self.state.round), partner, give, want), partner, give, want)

    def _offer(self, place: int) -> Offer | None:
        """The best offer of this turn, or the next best after those already made."""
        if self.state.offers >= self.state.offer_limit:
            return None
        return self._ranked(self.others, place)

    def _ranked(self, partners: list[int], place: int) -> Offer | None:
        offers = sorted(self._offers(partners), reverse=True)
        return offers[place] if place < len(offers) and offers[place].worth > WORTH_AN_OFFER else None

    def _on_the_tray(self, legal: list[int]) -> int:
        """Put the planned cards on the tray, the wanted one first, then propose."""
        state = self.state
        plan = self._counter() if state.counters else self._ranked(self.others, state.offers - 1)
        move = MOVES.move("withdraw")
        if plan is not None:
            asked, put = _kinds(state.wants), _kinds(state.gives)
            if not asked and not put:
                move = MOVES.first("want") + plan.want
            elif asked == [plan.want] and not put:
                move = MOVES.first("give") + plan.give
            elif asked == [plan.want] and put == [plan.give]:
                move = MOVES.move("propose")
        return move if move in legal else MOVES.move("withdraw")

    def _counter(self) -> Offer | None:
        """The best offer to the one who spoke last."""
        return self._ranked([int(self.state.listener())], 0)

    def _answer(self, legal: list[int]) -> int:
        state = self.state
        accept, decline, counter = (MOVES.move(verb) for verb in ("accept", "decline", "counter"))
        rival = int(state.speaker)
        if accept in legal:
            gets = tuple(_kinds(state.gives))
            loses = tuple(_kinds(state.wants))
            theirs = sum(self._use(rival, kind) for kind in loses) - sum(self._keeps(rival, kind) for kind in gets)
            mine = self.change(gets, loses)
            if self.me == state.turn:
                mine += self.a_card()
            else:
                theirs += 0.8
            if mine > MARGIN + RIVALRY * max(0.0, theirs) * (0.5 if state.seats > 2 else 1.0):
                return accept
        if counter in legal and not (state.gives and state.wants) and self._ranked([rival], 0) is not None:
            return counter
        return decline


def _mood(*what: int) -> float:
    """A little variety from turn to turn, so that an offer once declined is not made for ever."""
    number = 0
    for part in what:
        number = (number * 31 + part + 7) * 2654435761 % 2**32
    return 0.7 + 0.6 * number / 2**32


def _counts(pack: int) -> list[int]:
    return [int(count(pack, kind)) for kind in range(IN_HAND)]


def _kinds(pack: int) -> list[int]:
    return [kind for kind in range(IN_HAND) for _ in range(count(pack, kind))]


def _country(name: str) -> int:
    return next(number for number, country in enumerate(COUNTRIES) if country.name == name)
