# compiled
"""What each seat may see of Round Trip Italy, and the words for moves and events.

A view is built up from what is public and what belongs to the seat, never stripped down from a fuller one.
"""

from functools import cache
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine import words as say
from grandtour.engine.events import Event
from grandtour.engine.vocabulary import Named
from grandtour.games.round_trip.knowledge import HOLDERS_AT, MIXED_SIZE, OTHERS_AT
from grandtour.games.round_trip.parts import (
    CITIES,
    GRAND_TOUR,
    KINDS,
    N_LENGTHS,
    N_PILES,
    PER_PILE,
    PILE_SIZE,
    PILES,
    SELECTION_CARDS,
    TICKETS,
    TRIPS,
    Trip,
)
from grandtour.games.round_trip.referee import back, circle, title
from grandtour.games.round_trip.rules import MOVES, State, shown
from grandtour.games.round_trip.state import BY_FOUR, BY_GRAND_TOUR, STEP_ACT, STEP_GIVE, STEP_LAY, STEP_OVER, STEP_TAKE
from grandtour.games.round_trip.view_types import (
    Bottom,
    Circle,
    Mixed,
    Offer,
    PlayerView,
    Side,
    Step,
    View,
)
from grandtour.games.round_trip.view_types import Trip as TripView

STEPS: Final[dict[int, Step]] = {
    STEP_TAKE: "take",
    STEP_ACT: "act",
    STEP_LAY: "lay",
    STEP_GIVE: "give",
    STEP_OVER: "over",
}
NAMES: Final = tuple(ticket.name for ticket in TICKETS)
TITLES: Final = {name: title(name) for name in NAMES}
SIDES: Final[tuple[tuple[Side, Circle], ...]] = (("left", "black"), ("right", "grey"))


def view(state: State, seat: int | None) -> View:
    """Everything a seat may see, as JSON. A spectator (None) sees only what is public."""
    found: View = {
        "turn": int(state.turn),
        "step": STEPS[state.step],
        "round": int(state.round),
        "turn_limit": int(state.turn_limit),
        "extra": bool(state.extra),
        "starter": int(state.starter),
        "selection": {"cities": shown(state.card), "left": int(SELECTION_CARDS - state.turned)},
        "piles": [{"city": city, "count": int(state.count[pile])} for pile, city in enumerate(PILES)],
        "players": [_player(state, holder, seat) for holder in range(state.seats)],
        "offer": offer(state, seat),
        "result": state.result(),
    }
    if seat is None:
        return found
    found["you"] = seat
    found["hand"] = _tickets(state.hand, KINDS * seat)
    found["mixed"] = mixed(state, seat)
    found["bottoms"] = _bottoms(state, seat)
    found["neighbours"] = {
        side: {"seat": int(state.neighbour(seat, right)), "circle": colour}
        for right, (side, colour) in enumerate(SIDES)
        if state.neighbour(seat, right) >= 0
    }
    return found


def _player(state: State, holder: int, seat: int | None) -> PlayerView:
    """What a seat sees of a player."""
    return {
        "seat": holder,
        "tickets": int(state.tickets(holder)),
        "backs": {city: int(state.backs(holder, pile)) for pile, city in enumerate(PILES)},
        "trips": [laid_trip(trip) for trip in _trips(state, holder)],
        "known": [] if seat is None or seat == holder else _tickets(state.known, KINDS * (state.seats * seat + holder)),
    }


@cache
def laid_trip(trip: Trip) -> TripView:
    """A round trip on the table. Cached, because everyone sees the same."""
    return {
        "length": trip.length,
        "tickets": [NAMES[kind] for kind in trip.ring],
        "cities": _cities(trip),
        "extra": trip.extra_turn,
    }


def offer(state: State, seat: int | None) -> Offer | None:
    """The ticket on offer. Only its owner sees which one it is."""
    if state.step != STEP_GIVE:
        return None
    offered = TICKETS[state.offer].name
    offer: Offer = {
        "from": int(state.turn),
        "to": int(state.partner),
        "back": back(offered),
        "wanted": _wanted(state),
    }
    if seat == state.turn:
        offer["ticket"] = offered
    return offer


def _bottoms(state: State, seat: int) -> list[Bottom]:
    """The tickets in the piles that a seat knows, such as those it discarded, and how many lie above each."""
    found: list[Bottom] = []
    viewer: i64 = seat
    for pile in range(i64(N_PILES)):
        for above in range(state.count[pile]):
            place = PILE_SIZE * pile + (state.top[pile] + above) % PILE_SIZE
            if state.seen[place] >> viewer & 1:
                found.append({"pile": PILES[pile], "ticket": NAMES[state.pile[place]], "above": int(above)})
    return found


def mixed(state: State, seat: int) -> list[Mixed]:
    """Tickets that the seat knows to be in other hands, without knowing who holds which.

    `others` is the number of unknown tickets of the same pile among them. `holders` is how many of all these tickets
    each player has.
    """
    found: list[Mixed] = []
    for pile, city in enumerate(PILES):
        lot = MIXED_SIZE * (len(PILES) * seat + pile)
        tickets = [name for i in range(OTHERS_AT) for name in [NAMES[PER_PILE * pile + i]] * int(state.mixed[lot + i])]
        if tickets:
            holders = {str(other): int(state.mixed[lot + HOLDERS_AT + other]) for other in range(state.seats)}
            found.append(
                {
                    "pile": city,
                    "tickets": tickets,
                    "others": int(state.mixed[lot + OTHERS_AT]),
                    "holders": {other: count for other, count in holders.items() if count},
                }
            )
    return found


def prompt(state: State, seat: int | None) -> dict[str, Any]:
    """What the seat should do now, or whom it is waiting for, with the paragraphs that explain it. Most prompts are
    cached, so they must not be modified."""
    if state.step == STEP_OVER:
        return _prompt_at_the_end(state, seat)
    if state.step == STEP_GIVE:
        return _prompt_while_giving(state, seat)
    if seat != state.turn:
        return _prompt_to_wait(int(state.turn), int(state.step))
    if state.step == STEP_TAKE:
        filled = 0
        for pile in range(N_PILES):
            if state.count[pile]:
                filled |= 1 << pile
        return _prompt_to_take(int(state.card), int(state.card) & filled, bool(state.extra))
    return _prompt_to_act(MOVES.verbs_of(state.legal(int(state.turn))))


@cache
def _prompt_to_wait(turn: int, step: int) -> dict[str, Any]:
    doing = "may exchange tickets or make a round trip"
    if step == STEP_TAKE:
        doing = "is taking a ticket"
    elif step == STEP_LAY:
        doing = "may make a round trip"
    return say.prompt(f"{say.placeholder(turn)} {doing}.", "RT-20")


@cache
def _prompt_to_take(card: int, filled: int, extra: bool) -> dict[str, Any]:
    """`filled` are the piles on the card that have a ticket."""
    piles = say.join_or(shown(filled))
    rules = ["RT-21"] if filled == card else ["RT-21", "RT-23"]
    if extra:
        return say.prompt(f"An extra turn: take a ticket from {piles}.", *rules, "RT-42")
    return say.prompt(f"Take a ticket from {piles}.", *rules)


@cache
def _prompt_to_act(verbs: frozenset[str]) -> dict[str, Any]:
    """Name only what is possible."""
    choices = (
        ("exchange", "exchange a ticket", "RT-28"),
        ("lay", "make a round trip", "RT-38"),
        ("discard", "discard one of your seven tickets", "RT-45"),
        ("end-turn", "end your turn", "RT-20"),
    )
    text, rules = say.possible(set(verbs), choices)
    return say.prompt(f"{say.capitalize(text)}.", *rules)


def _prompt_while_giving(state: State, seat: int | None) -> dict[str, Any]:
    asking, partner, wanted = say.placeholder(state.turn), say.placeholder(state.partner), _wanted(state)
    if seat == state.partner:
        offered = back(TICKETS[state.offer].name)
        return say.prompt(f"{asking} offers you a {offered} ticket: choose a {wanted} ticket to give back.", "RT-36")
    whom = "you" if seat == state.turn else asking
    return say.prompt(f"{partner} is choosing a {wanted} ticket to give {whom}.", "RT-36")


def _prompt_at_the_end(state: State, seat: int | None) -> dict[str, Any]:
    winners = [other for other in range(state.seats) if state.winners >> other & 1]
    rule = {BY_FOUR: "RT-47", BY_GRAND_TOUR: "RT-48"}.get(state.how, "RT-50" if len(winners) == 1 else "RT-51")
    return say.prompt(f"The game is over: {say.win(winners, seat)}.", rule)


def describe(event: Event, names: list[str], seat: int | None) -> str:
    """One sentence for an event, as seen by a seat; "" if there is nothing to say."""
    return SENTENCES[event["event"]](event, names, seat)


def _turn(event: Event, names: list[str], seat: int | None) -> str:
    if not event["extra"]:
        return ""
    return f"{say.who(event['seat'], names, seat, 'take')} an extra turn: all the tickets came from different piles."


def _turned(event: Event, names: list[str], seat: int | None) -> str:
    text = f"{say.who(event['seat'], names, seat, 'turn')} over a selection card: {say.join_and(event['cities'])}"
    skipped = len(event["passed"])
    if skipped:
        text += f", after {'a card' if skipped == 1 else f'{skipped} cards'} whose piles are empty"
    return text + "."


def _shuffled(event: Event, names: list[str], seat: int | None) -> str:
    return "All the selection cards are shuffled into a new pile."


def _took(event: Event, names: list[str], seat: int | None) -> str:
    what = TITLES[event["ticket"]] if "ticket" in event else "a ticket"
    return f"{say.who(event['seat'], names, seat, 'take')} {what} from the {event['pile']} pile."


def _offered(event: Event, names: list[str], seat: int | None) -> str:
    what = TITLES[event["ticket"]] if "ticket" in event else f"a {event['back']} ticket"
    whom = say.whom(event["to"], names, seat)
    return f"{say.who(event['seat'], names, seat, 'offer')} {whom} {what} for a {event['wanted']} ticket."


def _exchanged(event: Event, names: list[str], seat: int | None) -> str:
    giver, partner = event["seat"], event["to"]
    gave, got = f"a {event['gave']} ticket", f"a {event['got']} ticket"
    if "gave_ticket" in event:
        gave, got = TITLES[event["gave_ticket"]], TITLES[event["got_ticket"]]
    if seat == partner:
        giver, partner, gave, got = partner, giver, got, gave
    return f"{say.who(giver, names, seat, 'give')} {names[partner]} {gave} for {got}."


def _laid(event: Event, names: list[str], seat: int | None) -> str:
    who = say.who(event["seat"], names, seat, "make")
    return f"{who} a round trip of length {event['length']}: {_route(event['cities'])}."


def _discarded(event: Event, names: list[str], seat: int | None) -> str:
    what = TITLES[event["ticket"]] if "ticket" in event else "a ticket"
    return f"{say.who(event['seat'], names, seat, 'put')} {what} under the {event['pile']} pile."


def _won(event: Event, names: list[str], seat: int | None) -> str:
    winners = event["seats"]
    if event["how"] == "four":
        return f"{say.who(winners[0], names, seat, 'win')} with round trips of length 2, 3, 4 and 5!"
    if event["how"] == "grand":
        return f"{say.who(winners[0], names, seat, 'win')} with a grand tour of all six cities!"
    if len(winners) == 1:
        return f"The last round is over. {say.who(winners[0], names, seat, 'win')}, ahead of everyone else."
    return f"The last round is over: {say.win(winners, seat, names)}."


SENTENCES: Final[dict[str, say.Sentence]] = {
    "turn": _turn,
    "turned": _turned,
    "shuffled": _shuffled,
    "took": _took,
    "offered": _offered,
    "exchanged": _exchanged,
    "laid": _laid,
    "discarded": _discarded,
    "won": _won,
}


def describe_move(state: State, named: Named) -> str:
    """A move in a few words, for a button or a hint."""
    ticket = title(named.get("ticket", ""))
    match named["do"]:
        case "take":
            return f"Take a ticket from {named['pile']}"
        case "exchange":
            side = named["with"]
            return f"Offer {ticket} to the {side} for a {circle(named['ticket'], side)} ticket"
        case "give":
            return f"Give {ticket}"
        case "lay":
            tickets = ", ".join(title(name) for name in named["tickets"])
            return f"Make a round trip of length {len(named['tickets'])}: {tickets}"
        case "discard":
            return f"Discard {ticket}"
    return "End your turn"


def final(state: State) -> list[dict[str, Any]]:
    """The final result of each seat. Its score is the number of its round trips; each of them is a line."""
    rows = []
    for seat in range(state.seats):
        trips = _trips(state, seat)
        lines: list[dict[str, Any]] = [
            {
                "label": "Grand tour" if trip.length == GRAND_TOUR else f"Round trip of length {trip.length}",
                "value": _route(_cities(trip)),
            }
            for trip in trips
        ]
        lines.append({"label": "Round trips", "value": len(trips)})
        lines.append({"label": "Tickets laid", "value": sum(trip.length for trip in trips)})
        won = bool(state.winners >> seat & 1)
        rows.append({"seat": seat, "score": len(trips), "won": won, "lines": lines})
    return rows


def _tickets(counts: vec[i64], first: i64) -> list[str]:
    """Tickets by name, from their counts in a list starting at `first`, sorted by the ring."""
    found: list[str] = []
    for kind in range(KINDS):
        for _ in range(counts[first + kind]):
            found.append(NAMES[kind])
    return found


def _trips(state: State, seat: int) -> list[Trip]:
    return [TRIPS[trip - 1] for trip in state.trips[N_LENGTHS * seat : N_LENGTHS * seat + N_LENGTHS] if trip]


def _cities(trip: Trip) -> list[str]:
    return [CITIES[city] for city in trip.cities]


def _wanted(state: State) -> str:
    """The city of the ticket that is asked for in exchange for the one on offer."""
    side = "right" if state.neighbour(state.turn, 1) == state.partner else "left"
    return circle(TICKETS[state.offer].name, side)


def _route(cities: list[str]) -> str:
    """The cities of a round trip, ending with the first."""
    return " – ".join([*cities, cities[0]])
