"""A server with three additional games without their own boards.

Fruit Market declares a layout with every kind of section; Bare Market is the same game without one. Rock Pools is made
with the kit. The server is started with `-m`, so that the bots' processes also import this module and know the games.
"""

import sys
from dataclasses import replace
from typing import Any

from grandtour.engine import catalogue, kit, words
from grandtour.engine.dice import Dice
from grandtour.engine.events import Event, event
from grandtour.engine.game import Game
from grandtour.engine.options import Options
from grandtour.engine.refusal import Objection
from grandtour.engine.state import Result, State, shared
from grandtour.engine.vocabulary import Named, Names, Vocabulary

FRUITS = ("Lemon", "Fig", "Olive", "Grape", "Peach", "Artichoke")
ROAD = ("Farm", "Bridge", "Old mill", "Village", "Gate", "Square")
POOLS = ("North pool", "Middle pool", "South pool")
CREATURES = (
    *("Anemone", "Barnacle", "Crab", "Eel", "Goby", "Limpet"),
    *("Mussel", "Shrimp", "Starfish", "Urchin", "Winkle"),
)
MAX_ROUNDS = 9
COPIES, HAND, STALLS, FARE, MAX_TURNS = 5, 3, 3, 5, 30
DECK, MARKET, SOLD = -1, -2, -3
MOVES = Vocabulary(
    {
        "take": {"card": Names(*FRUITS), "from": Names("Market", "Deck")},
        "sell": {"card": Names(*FRUITS), "from": Names("Hand")},
        "swap": {"give": Names(*FRUITS), "for": Names(*FRUITS)},
        "draw": {"from": Names("Deck")},
        "ride": {"to": Names(*ROAD)},
        "pass": {},
    }
)
RULEBOOK = """# Fruit Market

Sell pairs of fruit and be the first at the square.

## Your turn

**FM-1** Do one thing: take a card from the market, draw one, swap one with the market, sell two alike,
or ride for five cards.

**FM-2** After selling or riding you move one place on. The first player to reach the square wins.
"""


class Market(State):
    """`lies` says of every card where it is: in the deck, at the market, sold, or in a seat's hand."""

    def __init__(self) -> None:
        super().__init__()
        self.lies: list[int] = []
        self.walked: list[int] = []
        self.turn = 0
        self.turns = 0

    def census(self) -> list[int]:
        return [len(self.lies)]

    def cards(self, place: int) -> list[int]:
        return [card % len(FRUITS) for card in range(len(self.lies)) if self.lies[card] == place]

    def waiting(self) -> list[int]:
        return [] if self.over() else [self.turn]

    def over(self) -> bool:
        return max(self.walked) == len(ROAD) - 1 or self.turns == MAX_TURNS

    def legal(self, seat: int) -> list[int]:
        if seat != self.turn or self.over():
            return []
        hand, market = self.cards(seat), self.cards(MARKET)
        found: list[Named] = [{"do": "pass"}]
        found += [{"do": "sell", "card": FRUITS[one], "from": "Hand"} for one in set(hand) if hand.count(one) > 1]
        found += [{"do": "swap", "give": FRUITS[mine], "for": FRUITS[one]} for mine in set(hand) for one in set(market)]
        if len(hand) >= FARE:
            found.append({"do": "ride", "to": ROAD[self.walked[seat] + 1]})
        if len(hand) < 7:
            found += [{"do": "take", "card": FRUITS[one], "from": "Market"} for one in set(market)]
            if DECK in self.lies:
                found.append({"do": "draw", "from": "Deck"})
        return sorted(MOVES.number(one) for one in found)

    def play(self, seat: int, move: int) -> None:
        named = MOVES.name(move)
        card = named.get("card")
        if named["do"] == "take":
            self.shift(FRUITS.index(named["card"]), MARKET, seat)
        elif named["do"] == "draw":
            card = FRUITS[self.deal(seat)]
        elif named["do"] == "sell":
            self.shift(FRUITS.index(named["card"]), seat, SOLD)
            self.shift(FRUITS.index(named["card"]), seat, SOLD)
            self.walked[seat] += 1
        elif named["do"] == "ride":
            for fruit in self.cards(seat)[:FARE]:
                self.shift(fruit, seat, SOLD)
            self.walked[seat] += 1
        elif named["do"] == "swap":
            self.shift(FRUITS.index(named["give"]), seat, MARKET)
            self.shift(FRUITS.index(named["for"]), MARKET, seat)
        while len(self.cards(MARKET)) < STALLS and DECK in self.lies:
            self.deal(MARKET)
        if self.events is not None:
            secret = {seat: {"card": card}} if named["do"] == "draw" else None
            public = named if secret else {**named, "card": card}
            self.events.append(event(named["do"], secret, seat=seat, **{k: v for k, v in public.items() if k != "do"}))
        self.turn = (self.turn + 1) % self.seats
        self.turns += 1
        self.reveals += 1

    def deal(self, to: int) -> int:
        hidden = [card for card, place in enumerate(self.lies) if place == DECK]
        card = hidden[self.dice.below(len(hidden))]
        self.lies[card] = to
        return card % len(FRUITS)

    def shift(self, fruit: int, source: int, to: int) -> None:
        card = next(c for c, place in enumerate(self.lies) if place == source and c % len(FRUITS) == fruit)
        self.lies[card] = to

    def imagine(self, seat: int, dice: Dice) -> "Market":
        copy = self.copy_with(dice)
        hidden = [card for card, place in enumerate(self.lies) if place not in (seat, MARKET, SOLD)]
        places = [self.lies[card] for card in hidden]
        for card in hidden:
            copy.lies[card] = places.pop(dice.below(len(places)))
        return copy

    def result(self) -> Result | None:
        if not self.over():
            return None
        most = max(self.walked)
        return shared(sum(1 << seat for seat in range(self.seats) if self.walked[seat] == most), self.seats)


def new(seats: int, options: Options, dice: Dice, events: list[Event] | None) -> State:
    state = Market()
    state.seats, state.dice = seats, dice
    state.lies = [DECK] * (len(FRUITS) * COPIES)
    state.walked = [0] * seats
    for place in (*range(seats), MARKET):
        for _ in range(STALLS if place == MARKET else HAND):
            state.deal(place)
    return state


def market(state: State) -> Market:
    assert isinstance(state, Market)
    return state


def objection(state: State, seat: int, move: int) -> Objection | None:
    return None if move in state.legal(seat) else Objection("FM-1", "You cannot do that now.")


def layout(state: State, seat: int | None) -> dict[str, Any]:
    now = market(state)
    sections: list[dict[str, Any]] = [
        {
            "kind": "track",
            "title": "Road",
            "owner": None,
            "places": list(ROAD),
            "tokens": [{"seat": one, "at": at} for one, at in enumerate(now.walked)],
        },
        cards("Market", None, [FRUITS[one] for one in now.cards(MARKET)]),
        {"kind": "pile", "title": "Deck", "owner": None, "count": now.lies.count(DECK), "top": None},
        {"kind": "count", "title": "Sold", "owner": None, "count": now.lies.count(SOLD)},
    ]
    for one in range(now.seats):
        sections.append({"kind": "count", "title": "Walked", "owner": one, "count": now.walked[one]})
        hand = now.cards(one)
        sections.append(cards("Hand", one, [FRUITS[card] if one == seat or now.over() else None for card in hand]))
    return {"layout": sections, "turn": None if now.over() else now.turn}


def cards(title: str, owner: int | None, names: list[str | None] | list[str]) -> dict[str, Any]:
    return {"kind": "cards", "title": title, "owner": owner, "count": len(names), "cards": names}


def bare(state: State, seat: int | None) -> dict[str, Any]:
    now = market(state)
    hand = [FRUITS[card] for card in now.cards(seat)] if seat is not None else []
    return {"turn": now.turn, "market": [FRUITS[one] for one in now.cards(MARKET)], "walked": now.walked, "hand": hand}


def ask(state: State, seat: int | None) -> dict[str, Any]:
    if not state.waiting():
        return words.prompt("The market is closed")
    if state.waiting() != [seat]:
        return words.prompt(f"{words.placeholder(state.waiting()[0])} goes to market")
    return words.prompt("Take, draw, swap or sell", "FM-1", "FM-2")


def tell(record: Event, names: list[str], seat: int | None) -> str:
    subject = words.who(record["seat"], names, seat, record["event"], "passes" if record["event"] == "pass" else "")
    return f"{subject}{_what(record)}."


def _what(record: Named) -> str:
    if "give" in record:
        return f" the {record['give']} for the {record['for']}"
    if record.get("from") == "Deck":
        return f" the {record['card']}" if "card" in record else " a card"
    templates = {"take": " the {card}", "sell": " two of {card}", "ride": " to {to}"}
    return templates.get(str(record.get("event", record.get("do"))), "").format(**record)


def final(state: State) -> list[dict[str, Any]]:
    now, result = market(state), state.result()
    assert result is not None
    return [
        {"seat": seat, "score": at, "won": result[seat] > 0, "lines": [{"label": "Places walked", "value": at}]}
        for seat, at in enumerate(now.walked)
    ]


def choose(state: State, seat: int, dice: Dice) -> int:
    """Sell what can be sold; else anything but to pass."""
    legal = state.legal(seat)
    selling = [move for move in legal if MOVES.verb(move).name == "sell"]
    others = [move for move in legal if MOVES.verb(move).name in ("take", "draw")] or legal
    return (selling or others)[dice.below(len(selling or others))]


def market_game(name: str, title: str, view: Any) -> Game:
    return Game(
        name=name,
        title=title,
        subtitle="",
        summary="Sell pairs of fruit and be the first at the square.",
        players=(2, 4),
        minutes=10,
        options=(),
        moves=MOVES,
        rules={1: new},
        objection=objection,
        view=view,
        prompt=ask,
        describe=tell,
        describe_move=lambda state, named: f"{named['do']}{_what(named)}",
        final=final,
        choose=choose,
        rulebook=lambda: RULEBOOK,
    )


class Pools(kit.Position):
    """Rock Pools: moves with long texts, so many that they would fill the page."""

    TURN_RULE = END_RULE = "RP-1"

    north = kit.Row("North pool", deal=1)
    middle = kit.Row("Middle pool", deal=1)
    south = kit.Row("South pool", deal=1)
    deck = kit.Pile(cards=dict.fromkeys(CREATURES, 1))
    hand = kit.Hand(deal=3)

    @kit.move("Drop {card} into the {pool}", "drop a card", "RP-1", card=kit.Names(*CREATURES), pool=kit.Names(*POOLS))
    def drop(self, seat: int, card: str, pool: str) -> None:
        self.put(card, self.hand[seat], self.pool(pool))
        self.next_turn()

    def check_drop(self, seat: int, card: str, pool: str) -> kit.Check:
        if card not in self.hand[seat]:
            yield "RP-1", f"You have no {card}."

    @kit.move("Look into the {pool}", "look into a pool", "RP-1", pool=kit.Names(*POOLS))
    def look(self, seat: int, pool: str) -> None:
        self.next_turn()
        if self.round > MAX_ROUNDS:
            self.end()

    def pool(self, name: str) -> kit.Cards:
        return (self.north, self.middle, self.south)[POOLS.index(name)]

    def score(self, seat: int) -> dict[str, int]:
        return {"Cards left": len(self.hand[seat])}


ROCK_POOLS = kit.make_game(
    __name__,
    Pools,
    title="Rock Pools",
    summary="",
    players=(2, 2),
    minutes=5,
    sentences={},
    rulebook=lambda: "# Rock Pools\n\n- Drop or look.\n\n## Rules\n\n**RP-1** Drop a card or look into a pool.\n",
)
ROCK_POOLS = replace(ROCK_POOLS, name="rock-pools", package=None)
catalogue.games()[ROCK_POOLS.name] = ROCK_POOLS

for added in (
    market_game("fruit-market", "Fruit Market", layout),
    market_game("bare-market", "Bare Market", bare),
):
    catalogue.games()[added.name] = added

if __name__ == "__main__":
    from tests.browser.start_server import start

    start(sys.argv[1])
