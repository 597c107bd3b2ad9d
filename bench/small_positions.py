"""Small positions of every game, with few enough hidden cards to list every deal, for `exact_worlds.py`.

Each position is built from a new game. All cards but a few are in this seat's own hand, known to it, face up or removed
from the game. All deals of a position are equally likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, permutations, product
from math import comb, prod
from typing import Any, NamedTuple

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.kit import memory
from grandtour.engine.kit.zones import Cards
from grandtour.engine.options import START, check_options
from grandtour.engine.state import State
from grandtour.games.itchy_feet.mechanics.hidden import CARD
from grandtour.games.itchy_feet.mechanics.packs import ONE, PASSPORT, count
from grandtour.games.itchy_feet.parts import CARDS, KIND
from grandtour.games.journey_istanbul.state import OF_DAY
from grandtour.games.postcards_home import COPIES as COPIES_OF_PLACE
from grandtour.games.postcards_home import PLACES
from grandtour.games.round_trip.parts import TICKET_NAMES
from grandtour.games.round_trip.state import COPIES
from grandtour.games.ticket_to_ride_italy import knowledge
from grandtour.games.ticket_to_ride_italy.rules import CLAIM, DRAW_TICKETS
from grandtour.games.word_traveler.parts import N_WORDS

ME = 0


def single_way(state: State, acting: int, move: int) -> float:
    return 1


def ways(held: int, known: int, used: int) -> int:
    """The number of ways to give away `used` cards of a kind, if those that the seat knows leave first."""
    beyond = int(used) - int(known)
    return comb(int(held) - int(known), beyond) if beyond > 0 else 1


class Small(NamedTuple):
    """A small position: all its deals, what is hidden in it, and how it continues."""

    game: Game
    what: str
    deals: list[State]
    world: Callable[[Any, int], Hashable]
    """The place of every card that the seat may not see: pairs of a place and the cards there."""
    moves: int
    """The number of moves that are made from it."""
    secret: frozenset[str] = frozenset()
    """The verbs that others do not see completely."""
    verbs: frozenset[str] | None = None
    """The verbs that may be used; None means all."""
    left_out: frozenset[str] = frozenset()
    """The verbs that others do not use: secret choices that would multiply the worlds and tell the seat nothing."""
    copies: Callable[[Any, int, int], float] = single_way
    """The number of ways to make a move with different cards of the same kind."""
    seat: int = ME


def fresh(name: str, seats: int, **options: object) -> tuple[Game, Any]:
    game = catalogue.game(name)
    start = {START: "1"} if any(option.name == START for option in game.options) else {}
    return game, game.new(seats, check_options(game.options, {**start, **options}), QuickDice(1))


def arrangements(cards: Sequence[int], groups: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to deal cards to groups of these sizes, without regard to the order within a group.

    Cards of the same kind count as different cards, so all ways are equally likely.
    """
    if len(groups) == 1:
        yield (tuple(sorted(cards)),)
        return
    for chosen in combinations(range(len(cards)), groups[0]):
        rest = [card for at, card in enumerate(cards) if at not in chosen]
        for others in arrangements(rest, groups[1:]):
            yield (tuple(sorted(cards[at] for at in chosen)), *others)


def round_trip_world(state: Any, me: int) -> Hashable:
    hands = [
        (("hand", seat), tuple(kind for kind in range(25) for _ in range(state.hand[25 * seat + kind])))
        for seat in range(state.seats)
        if seat != me
    ]
    piles = [
        (("pile", pile, n), (int(state.pile[16 * pile + (state.top[pile] + n) % 16]),))
        for pile in range(5)
        for n in range(state.count[pile])
    ]
    return (*hands, *piles)


def round_trip_copies(state: Any, acting: int, move: int) -> float:
    named = catalogue.game("round-trip").moves.name(move)
    tickets = [named["ticket"]] if "ticket" in named else named.get("tickets", [])
    used = Counter(TICKET_NAMES.number(ticket, "ticket") for ticket in tickets)
    offered = state.turn if named["do"] == "give" else state.neighbour(acting, int(named.get("with") == "right"))
    if named["do"] == "discard" or (named["do"] in ("exchange", "give") and offered != ME):
        return float(sum(int(state.hand[25 * acting + kind]) for kind in used))
    known = 25 * (state.seats * ME + acting)
    return prod(ways(state.hand[25 * acting + kind], state.known[known + kind], many) for kind, many in used.items())


def round_trip(known: bool) -> Small:
    """Three players. Some tickets of two neighbouring piles are hidden, in other hands and on top of the piles."""
    game, state = fresh("round-trip", 3)
    for i in range(80):
        state.seen[i] = 1 << ME
    hidden: list[list[int]] = []
    for pile in range(5):
        tickets = [5 * pile + i for i in range(5) for _ in range(COPIES[5 * pile + i])]
        own = tickets[::5][:2]
        for ticket in own:
            tickets.remove(ticket)
            state.hand[25 * ME + ticket] += 1
        if pile < 2:
            hidden.append(tickets[::3][:5])
            for ticket in hidden[-1]:
                tickets.remove(ticket)
            if known:
                # One more ticket in each other hand, which this seat has given away.
                for seat in (1, 2):
                    ticket = tickets.pop(seat)
                    state.hand[25 * seat + ticket] += 1
                    state.known[25 * (3 * ME + seat) + ticket] += 1
        size = len(tickets) + (2 if pile < 2 else 0)
        state.count[pile] = size
        for n, ticket in enumerate(tickets):
            state.pile[16 * pile + size - len(tickets) + n] = ticket
        for n in range(size - len(tickets)):
            state.seen[16 * pile + n] = 0
    # Of the five hidden tickets of a pile, one hand has two, the other one, and two lie on top of it.
    deals = []
    first = list(arrangements(hidden[0], (2, 1, 1, 1)))
    second = list(arrangements(hidden[1], (1, 2, 1, 1)))
    for ways in product(sorted(set(first)), sorted(set(second))):
        deal = state.clone()
        for pile, (one, two, top, next_one) in enumerate(ways):
            for ticket in one:
                deal.hand[25 + ticket] += 1
            for ticket in two:
                deal.hand[50 + ticket] += 1
            deal.pile[16 * pile] = top[0]
            deal.pile[16 * pile + 1] = next_one[0]
        weight = first.count(ways[0]) * second.count(ways[1])
        deals += [deal] * weight
    return Small(
        game,
        "tickets known in other hands" if known else "tickets in other hands and on top of two piles",
        deals,
        round_trip_world,
        moves=14,
        secret=frozenset({"exchange", "give", "discard"}),
        copies=round_trip_copies,
    )


def ticket_to_ride_world(state: Any, me: int) -> Hashable:
    others = [seat for seat in range(state.seats) if seat != me]
    hands = [
        (("hand", seat), tuple(kind for kind in range(9) for _ in range(state.hand[9 * seat + kind])))
        for seat in others
    ]
    held = [(("tickets", seat), tuple(t for t in range(56) if state.held[seat] >> t & 1)) for seat in others]
    queue = [(("slot", n), (int(state.queue[(state.top + n) % 56]),)) for n in range(state.left)]
    drawn = (("drawn",), tuple(t for t in range(56) if state.drawn >> t & 1))
    return (*hands, *held, *queue, drawn)


def ticket_to_ride_copies(state: Any, acting: int, move: int) -> float:
    if not CLAIM <= move < DRAW_TICKETS:
        return 1
    after = state.clone()
    after.play(acting, move)
    places = range(9 * acting, 9 * acting + 9)
    return prod(ways(state.hand[at], state.known[at], state.hand[at] - after.hand[at]) for at in places)


def take_all_tickets(state: Any) -> None:
    """Give all tickets to this seat, so that none is hidden."""
    state.chosen = (1 << state.seats) - 1
    state.step = 1
    state.left = 0
    for seat in range(state.seats):
        state.held[seat] = (1 << 56) - 1 if seat == ME else 0
    knowledge.dealt(state.maybe, state.seats, state.held, 0)


def train_cards(seats: int, again: bool) -> Small:
    """Empty hands and a small deck; with `again`, it is so small that the discards are soon reshuffled."""
    game, state = fresh("ticket-to-ride-italy", seats)
    take_all_tickets(state)
    cards = [0, 3, 2, 2, 2, 0, 0, 0, 1] if again else [0, 3, 2, 2, 2, 1, 0, 0, 2]
    for at in range(9 * seats):
        state.hand[at] = state.blind[at] = state.known[at] = state.spent[at] = 0
    for seat in range(seats):
        state.drew[seat] = 0
    for card in range(9):
        state.deck[card] = state.stock[card] = cards[card]
    state.decked = sum(cards)
    for place, card in enumerate([1, 2, 3, 1, 4]):
        state.row[place] = card
    return Small(
        game,
        f"{seats} players, a deck of {sum(cards)} train cards" + (", soon reshuffled" if again else ""),
        [state],
        ticket_to_ride_world,
        moves=20 if again else 16,
        verbs=frozenset({"draw", "claim", "sail"}),
        copies=ticket_to_ride_copies,
    )


def tickets(seats: int, held: int, left: int, choosing: bool) -> Small:
    """The other seats hold `held` tickets each, the deck has `left`, and this seat holds all the rest."""
    game, state = fresh("ticket-to-ride-italy", seats)
    take_all_tickets(state)
    others = [seat for seat in range(seats) if seat != ME]
    hidden = list(range(held * len(others) + left))
    for card in range(9):
        state.deck[card] = state.stock[card] = 0
    state.decked = 0
    for at in range(9 * seats):
        state.hand[at] = state.blind[at] = state.known[at] = state.spent[at] = 0
    for place in range(5):
        state.row[place] = place
    for seat in range(seats):
        state.drew[seat] = 0
    deals = []
    for way in arrangements(hidden, [held] * len(others) + [1] * left):
        deal = state.clone()
        for seat, some in zip(others, way, strict=False):
            deal.held[seat] = sum(1 << ticket for ticket in some)
        deal.held[ME] = (1 << 56) - 1 - sum(1 << ticket for ticket in hidden)
        deal.top = 0
        deal.left = left
        deal.queue = deal.queue[:]
        deal.maybe = deal.maybe[:]
        for slot in range(left):
            deal.queue[slot] = way[len(others) + slot][0]
        knowledge.dealt(deal.maybe, seats, deal.held, knowledge.slots(0, left))
        if choosing:
            deal.chosen = 0
            deal.step = 0
        deals.append(deal)
    return Small(
        game,
        f"{seats} players choose their first tickets" if choosing else f"{seats} players draw tickets",
        deals,
        ticket_to_ride_world,
        moves=14,
        secret=frozenset({"return"}),
        verbs=frozenset({"tickets", "return", "keep", "ferry", "draw"}),
    )


def itchy_feet_world(state: Any, me: int) -> Hashable:
    hands = [
        (("hand", seat), tuple(kind for kind in range(22) for _ in range(count(state.hand[seat], kind))))
        for seat in range(state.seats)
        if seat != me
    ]
    return (*hands, *((("pile", n), (int(state.deck[n] % 32),)) for n in range(state.left)))


def itchy_feet_copies(state: Any, acting: int, move: int) -> float:
    moves = catalogue.game("itchy-feet").moves
    named = moves.name(move)
    kind = KIND[named["card"]] if named["do"] in ("discard", "hand-on") else -1
    if kind >= 0:
        many, known = (count(pack, kind) for pack in (state.hand[acting], state.known[state.seats * ME + acting]))
        # What is handed on may be any card; of those discarded it is seen which kind they are.
        return int(many) if named["do"] == "hand-on" else ways(many, known, 1)
    # Of the cards that the Local Guide shows, events cannot be taken: how many choices there were is hidden too.
    return 1 / len([other for other in state.legal(acting) if moves.verb(other).name == named["do"]])


def itchy_feet(what: str, hands: list[list[str]], pile: list[str], late: list[str], moves: int = 12) -> Small:
    """A classic game that has just been dealt: hands have a passport and a few items. `late` cards are shuffled in
    afterwards."""
    seats = len(hands)
    names = {"events", "special_items", "forbidden_items", "postcards"}
    game, state = fresh("itchy-feet", seats, **dict.fromkeys(names, True))
    size = len(hands[ME])
    everything = [KIND[card] for hand in hands for card in hand] + [KIND[card] for card in pile + late]
    state.in_play = sum(int(ONE[kind]) for kind in everything) + seats * int(ONE[PASSPORT])
    state.stock = sum(int(ONE[kind]) for kind in everything)
    state.size = vec[i64]([size + 1] * seats)
    unknown = [at // seats != at % seats for at in range(seats * (seats + 1))]
    state.known = vec[i64]([int(ONE[PASSPORT]) * other for other in unknown])
    state.unknown = vec[i64]([size * CARD * other for other in unknown])
    state.left = len(pile + late)
    items = [KIND[card] for hand in hands[1:] for card in hand] + [KIND[card] for card in pile]
    deals = []
    for dealt in arrangements(items, [size] * (seats - 1) + [len(pile)]):
        for order in permutations([*dealt[-1], *(KIND[card] for card in late)]):
            deal = state.clone()
            for seat in range(seats):
                cards = [KIND[card] for card in hands[ME]] if seat == ME else dealt[seat - 1]
                deal.hand[seat] = int(ONE[PASSPORT]) + sum(int(ONE[kind]) for kind in cards)
            deal.deck = vec[i64]([*order, *[0] * (len(CARDS) + 44 - len(order))])
            deals.append(deal)
    return Small(
        game,
        what,
        deals,
        itchy_feet_world,
        moves=moves,
        secret=frozenset({"hand-on", "take", "return"}),
        verbs=frozenset(game.moves.verbs) - {"trade", "travel", "travel-on-credit"},
        copies=itchy_feet_copies,
    )


def istanbul_world(state: Any, me: int) -> Hashable:
    sheet = [(("square", slot), (int(card),)) for slot, card in enumerate(state.sheet) if card >= 0]
    stack = [(("deck", n), (int(state.deck[n]),)) for n in range(state.drawn, 36)]
    buried = [(("buried", row), (int(state.buried[row]),)) for row in range(6) if state.buried[row] >= 0]
    return (*sheet, *stack, *buried)


def istanbul(what: str, cards: list[int], dealt: int, moves: int = 25) -> Small:
    """A game set up with only these cards, by their days, of which `dealt` are dealt. All others are removed."""
    game, state = fresh("journey-istanbul", 3)
    used = [int(OF_DAY[6 * day + n]) for day, many in enumerate(cards) for n in range(many)]
    state.gone = sum(1 << card for card in range(36) if card not in used)
    for slot in range(30):
        state.sheet[slot] = -1
    for row in range(12):
        state.buried[row] = -1
    deals = []
    for order in permutations(used):
        deal = state.clone()
        deal.drawn = 36 - len(used)
        deal.deck = vec[i64]([*[-1] * deal.drawn, *order])
        for _ in range(dealt):
            deal._add(-1)
        deals.append(deal)
    quiet = {"move", "stay", "pay", "decline", "look", "end-looking", "leave", "remain", "travel", "work"}
    return Small(game, what, deals, istanbul_world, moves=moves, verbs=frozenset(quiet))


def word_traveler_world(state: Any, me: int) -> Hashable:
    others = [seat for seat in range(state.seats) if seat != me]
    hands = [
        (("hand", seat), tuple(sorted(int(word) for word in state.hand[10 * journey : 10 * journey + 10])))
        for seat in others
        for journey in (state.seats * state.day + seat,)
    ]
    return (*hands, *((("map", seat), (int(state.maps[seat]),)) for seat in others))


def word_traveler(day: int) -> Small:
    """Two players plan a day; all words but two are dealt or removed from the game."""
    planning = frozenset({"aim", "place", "take-back"})

    game, state = fresh("word-traveler", 2, city="Paris", timer=0)
    if day:
        # Nobody has planned anything: the first day is over at once, and all have seen the map cards.
        for seat in (0, 1):
            state.play(seat, game.moves.number({"do": "done"}))
    state.drawn = N_WORDS - 2
    first = 10 * (2 * day + 1)
    hidden = [int(word) for word in state.hand[first : first + 10]]
    hidden += [int(word) for word in state.deck[state.drawn :]]
    deals = []
    maps = range(1, 20) if not day else range(1, 2)
    for words in combinations(sorted(hidden), 10):
        for other in maps:
            deal = state.clone()
            deal.hand, deal.deck, deal.maps = deal.hand[:], deal.deck[:], deal.maps[:]
            for n, word in enumerate(words):
                deal.hand[first + n] = word
            for n, word in enumerate(word for word in hidden if word not in words):
                deal.deck[state.drawn + n] = word
            deal.maps[1], deal.maps[other] = state.maps[other], state.maps[1]
            deals.append(deal)
    return Small(
        game,
        f"two players plan day {day + 1}",
        deals,
        word_traveler_world,
        moves=12,
        verbs=None if day else planning,
        left_out=planning,
    )


def postcards_home_world(state: Any, me: int) -> Hashable:
    hands = [(("hand", seat), tuple(sorted(state.hand[seat]))) for seat in range(state.seats) if seat != me]
    return (*hands, *((("stack", n), (name,)) for n, name in enumerate(state.stack)))


def postcards_home() -> Small:
    """Three players; two cards in each other hand and the last three of the stack are hidden, the others posted."""
    game, state = fresh("postcards-home", 3)
    hidden = [0, 0, 1, 1, 2, 3, 4]
    own, rack, seen = [0, 2], [0, 1, 3, 4], [0, 2]
    used = Counter([*hidden, *own, *rack, *seen])
    posted = [PLACES[kind] for kind in range(len(PLACES)) for _ in range(COPIES_OF_PLACE - used[kind])]

    def lay(cards: Cards, kinds: Sequence[int], known: Sequence[int] = ()) -> None:
        cards.names, cards.known = [PLACES[kind] for kind in kinds], [0] * len(kinds)
        for kind in known:
            memory.add(cards, PLACES[kind], -1)

    lay(state.rack, rack)
    lay(state.hand[ME], own)
    state.postbox.names, state.postbox.known = posted, [0] * len(posted)
    deals: list[State] = []
    for first, second, *stack in arrangements(hidden, (2, 2, 1, 1, 1)):
        deal = state.clone()
        lay(deal.hand[1], first, seen[:1])
        lay(deal.hand[2], second, seen[1:])
        lay(deal.stack, [card for (card,) in stack])
        deals.append(deal)
    return Small(game, "three players and the end of the stack", deals, postcards_home_world, moves=9)


SMALL: dict[str, list[Callable[[], Small]]] = {
    "round-trip": [lambda: round_trip(False), lambda: round_trip(True)],
    "ticket-to-ride-italy": [
        lambda: train_cards(3, False),
        lambda: train_cards(3, True),
        lambda: tickets(3, 4, 1, choosing=True),
        lambda: tickets(2, 2, 5, choosing=False),
        lambda: tickets(3, 1, 4, choosing=False),
    ],
    "itchy-feet": [
        lambda: itchy_feet(
            "three players, special items and postcards",
            [["Camera"], ["Swimsuit"], ["Bug Spray"]],
            ["Swimsuit", "Sunscreen"],
            ["Postcard", "Mousetrap", "Local Guide"],
        ),
        lambda: itchy_feet(
            "three players and events",
            [["Camera"], ["Swimsuit"], ["Bug Spray"]],
            ["Swimsuit", "Sunscreen"],
            ["Postcard", "Luggage Mix-Up", "Lost Luggage"],
        ),
        lambda: itchy_feet(
            "three players, items alone",
            [["Camera", "Sunscreen"], ["Swimsuit", "Camera"], ["Bug Spray", "Rain Jacket"]],
            ["Swimsuit", "Sunscreen", "Camera"],
            [],
        ),
    ],
    "journey-istanbul": [
        lambda: istanbul("opening, six cards", [3, 2, 1, 0, 0, 0], dealt=4),
        lambda: istanbul("opening, seven cards", [3, 2, 2, 0, 0, 0], dealt=4),
        lambda: istanbul("opening, a full row", [6, 1, 0, 0, 0, 0], dealt=6),
    ],
    "word-traveler": [lambda: word_traveler(0), lambda: word_traveler(1)],
    "postcards-home": [postcards_home],
}
"""The small positions of each game."""
