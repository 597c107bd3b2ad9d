# compiled
"""What each seat may see of Ticket to Ride: Italy, and how moves and events read in words.

A view is built from what is public and what belongs to the seat; nothing is ever removed from a fuller one.
What never changes (where cities lie, lengths, colours, values) is in `map.json` and not in the view.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from grandtour.engine import words as say
from grandtour.engine.events import Event
from grandtour.engine.vocabulary import Named
from grandtour.games.ticket_to_ride_italy.board import BONUS, FIRST, GROUP, networks
from grandtour.games.ticket_to_ride_italy.knowledge import HAND, names
from grandtour.games.ticket_to_ride_italy.parts import (
    CARDS,
    COLOURS,
    FERRY_CARDS,
    FIRST_KEPT,
    FIRST_TICKETS,
    GROUPS,
    KINDS,
    LATER_KEPT,
    N_TICKETS,
    PLACES,
    REGIONS,
    ROUTE_NUMBERS,
    ROUTES,
    TICKETS,
    TWICE,
)
from grandtour.games.ticket_to_ride_italy.rules import MOVES, State
from grandtour.games.ticket_to_ride_italy.state import (
    STEP_ACT,
    STEP_CHOOSE,
    STEP_KEEP,
    STEP_OVER,
    STEP_SECOND,
    card_name,
)
from grandtour.games.ticket_to_ride_italy.view_types import (
    Counts,
    HeldTicket,
    Network,
    Player,
    Step,
    View,
)

STEPS: Final[dict[int, Step]] = {
    STEP_CHOOSE: "choose",
    STEP_ACT: "act",
    STEP_SECOND: "second",
    STEP_KEEP: "keep",
    STEP_OVER: "over",
}

MASKS: Final = {region: (sum(1 << city for city in cities), region in TWICE) for region, cities in REGIONS.items()}
"""Of each region the set of its cities, and whether it counts twice when complete."""
MAX_KEPT: Final = 4096
"""The size of the cache of networks in words."""


def view(state: State, seat: int | None) -> View:
    """Everything a seat may see, as JSON. A spectator (None) sees only what is public."""
    return _with_own(state, seat, _open(state))


def views(state: State, seats: Sequence[int | None]) -> list[View]:
    """The views of several seats, which share what is public."""
    seen = _open(state)
    return [_with_own(state, seat, seen) for seat in seats]


def _open(state: State) -> View:
    """What everybody sees."""
    takers = _takers(state)
    return {
        "turn": int(state.turn),
        "step": STEPS[state.step],
        "starter": int(state.starter),
        "row": [card_name(card) for card in state.row],
        "swept": [CARDS[card] for card in state.swept],
        "deck": int(state.decked),
        "discards": _counts(state.discards),
        "ferries": int(FERRY_CARDS - sum(state.ferries)),
        "ticket_deck": int(state.left),
        "owners": {route.name: int(state.owner[n]) for n, route in enumerate(ROUTES) if state.owner[n] >= 0},
        "closed": [route.name for n, route in enumerate(ROUTES) if state.owner[n] < 0 and not takers[n]],
        "last_round": int(state.last) if state.last >= 0 else None,
        "players": [_player(state, other, takers) for other in range(state.seats)],
        "result": state.result(),
    }


def _with_own(state: State, seat: int | None, seen: View) -> View:
    """What everybody sees, and what only this seat sees."""
    seen = seen.copy()
    if seat is not None:
        seen["you"] = seat
        seen["hand"] = _counts(state.hand[KINDS * seat : KINDS * (seat + 1)])
        _show_own_tickets(state, seat, seen)
    return seen


def _player(state: State, seat: int, takers: list[int]) -> Player:
    """What everybody sees of a player."""
    over = state.step == STEP_OVER
    hand = state.hand[KINDS * seat : KINDS * (seat + 1)]
    open_networks = _networks(state, seat)
    return {
        "seat": seat,
        "score": int(state.score[seat]),
        "trains": int(state.trains[seat]),
        "cards": int(sum(hand)),
        "known": _counts(state.known[KINDS * seat : KINDS * (seat + 1)]),
        "ferries": int(state.ferries[seat]),
        "tickets": len(names(state.held[seat])),
        "drawn": len(names(state.drawn)) if seat == state.turn else 0,
        "chosen": state.step != STEP_CHOOSE or bool(state.chosen >> seat & 1),
        "barred": [route.name for n, route in enumerate(ROUTES) if takers[n] and not takers[n] >> seat & 1],
        "networks": open_networks,
        "bonus": sum(network["points"] for network in open_networks),
        "shown": _tickets(state, seat, state.held[seat]) if over else None,
        "met": len(names(state.tickets_met(seat))) if over else None,
    }


def _show_own_tickets(state: State, seat: int, seen: View) -> None:
    """A seat's tickets, those it chooses from, how many it must keep, and where those it gave back may be."""
    choosing = state.step == STEP_CHOOSE
    drawn = state.held[seat] if choosing else state.drawn if state.turn == seat else 0
    seen["tickets"] = [] if choosing else _tickets(state, seat, state.held[seat])
    seen["drawn"] = [
        {**ticket, "back": bool(state.aside[seat] >> number & 1)} for number, ticket in _each(state, seat, drawn)
    ]
    seen["least"] = (FIRST_KEPT if choosing else LATER_KEPT) if drawn else 0
    seen["returned"] = [
        {
            "ticket": TICKETS[number].name,
            "deck": bool(state.maybe[N_TICKETS * seat + number] & ((1 << N_TICKETS) - 1)),
            "seats": [
                other for other in range(state.seats) if state.maybe[N_TICKETS * seat + number] >> (HAND + other) & 1
            ],
        }
        for number in names(state.returned[seat] & ~state.held[seat] & ~int(drawn))
    ]


def _each(state: State, seat: int, tickets: int) -> list[tuple[int, HeldTicket]]:
    joined = _joined(state, seat, tickets)
    return [
        (number, {"ticket": TICKETS[number].name, "points": TICKETS[number].points, "met": bool(joined >> number & 1)})
        for number in names(tickets)
    ]


def _tickets(state: State, seat: int, tickets: int) -> list[HeldTicket]:
    return [ticket for _, ticket in _each(state, seat, tickets)]


def _joined(state: State, seat: int, tickets: int) -> int:
    """Those of some tickets whose ends a seat's networks join, as a set."""
    own = networks(state.reach, seat)
    return sum(
        1 << number
        for number in names(tickets)
        if any(
            any(network >> a & 1 for a in TICKETS[number].a) and any(network >> b & 1 for b in TICKETS[number].b)
            for network in own
        )
    )


def _networks(state: State, seat: int) -> list[Network]:
    """A seat's networks with the regions each brings together, the largest first."""
    return _described(tuple(networks(state.reach, seat)))


@lru_cache(maxsize=MAX_KEPT)
def _described(sets: tuple[int, ...]) -> list[Network]:
    """Cached: networks seldom change, and are in every view."""
    found: list[Network] = []
    for network in sets:
        held = {}
        for region, (cities, twice) in MASKS.items():
            inside = network & cities
            if inside:
                held[region] = 2 if twice and inside == cities else 1
        count = sum(held.values())
        places = [PLACES[place] for place in range(len(PLACES)) if network >> place & 1]
        found.append({"places": places, "regions": held, "count": count, "points": int(BONUS[count])})
    return sorted(found, key=lambda network: (-network["count"], network["places"]))


def _takers(state: State) -> list[int]:
    """For each route, who could still claim it as far as the board is concerned: one bit per seat."""
    found = [0] * len(ROUTES)
    for seat in range(state.seats):
        for number in range(len(ROUTES)):
            group = GROUP[number]
            found[number] |= (state.open[GROUPS * seat + group] >> (number - FIRST[group]) & 1) << seat
    return found


def prompt(state: State, seat: int | None) -> dict[str, Any]:
    """What the seat should do now, or whom it is waiting for, with the paragraphs that explain it."""
    if state.step == STEP_OVER:
        return _prompt_at_the_end(state, seat)
    if state.step == STEP_CHOOSE:
        return _prompt_for_first_tickets(state, seat)
    last = "Your last turn: " if state.last > 0 else ""
    if seat != state.turn:
        doing = {STEP_SECOND: "is drawing train cards", STEP_KEEP: "is choosing tickets"}.get(state.step)
        turn = say.token(state.turn)
        return say.prompt(f"{turn} {doing}." if doing else f"It is {turn}'s turn.", "TR-21")
    if state.step == STEP_SECOND:
        return say.prompt("Draw your second train card.", "TR-23", "TR-25")
    if state.step == STEP_KEEP:
        drawn = len(names(state.drawn))
        if drawn == 1:
            return say.prompt("Keep the one ticket that was left.", "TR-50")
        return say.prompt(f"Keep at least one of the {drawn} tickets you drew.", "TR-49")
    return _prompt_to_act(state, int(state.turn), last)


def _prompt_to_act(state: State, seat: int, last: str) -> dict[str, Any]:
    """Name only what is possible, and briefly: on a phone the map needs the space."""
    verbs = {MOVES.verb(move).name for move in state.legal(seat)}
    both = verbs >= {"draw", "ferry"}
    choices = (
        ("draw", "draw cards" if both else "draw train cards", "TR-23"),
        ("ferry", "draw cards" if both else "draw a ferry card", "TR-34"),
        ("claim", "claim a route", "TR-37"),
        ("sail", "claim a route", "TR-42"),
        ("tickets", "draw tickets", "TR-49"),
        ("pass", "pass, since nothing else is possible", "TR-22"),
    )
    text, rules = say.possible(verbs, choices)
    return say.prompt(f"{last}{text if last else say.first_up(text)}.", *rules)


def _prompt_for_first_tickets(state: State, seat: int | None) -> dict[str, Any]:
    if seat is not None and not state.chosen >> seat & 1:
        return say.prompt(f"Keep at least three of your {FIRST_TICKETS} tickets.", "TR-18")
    slow = [say.token(other) for other in range(state.seats) if not state.chosen >> other & 1]
    return say.prompt(f"{say.all_of(slow)} {'is' if len(slow) == 1 else 'are'} choosing tickets.", "TR-19")


def _prompt_at_the_end(state: State, seat: int | None) -> dict[str, Any]:
    winners = [other for other in range(state.seats) if state.winners >> other & 1]
    points = say.plural(int(state.score[winners[0]]), "point")
    return say.prompt(
        f"The game is over: {say.win(winners, seat)} with {points}.",
        "TR-65" if len(winners) > 1 else "TR-64",
    )


def describe(event: Event, names: list[str], seat: int | None) -> str:
    """One sentence for an event, as seen by a seat; "" if there is nothing to say."""
    return SENTENCES[event["event"]](event, names, seat)


def _dealt(event: Event, names: list[str], seat: int | None) -> str:
    text = f"Everyone is dealt four train cards and five tickets. {say.who(event['starter'], names, seat, 'begin')}."
    if "cards" in event:
        text += f" You are dealt {say.all_of(event['cards'])}."
    return text


def _filled(event: Event, names: list[str], seat: int | None) -> str:
    shuffled = "The discards are shuffled into a new deck. " if event["shuffled"] else ""
    if event["swept"]:
        row = say.all_of([card for card in event["row"] if card])
        return f"{shuffled}Too many locomotives lay face up: all five are discarded. The new cards are {row}."
    if not event["turned"]:
        return shuffled.strip()
    verb = "is" if len(event["turned"]) == 1 else "are"
    return f"{shuffled}{say.first_up(say.all_of([_a(card) for card in event['turned']]))} {verb} turned up."


def _drew(event: Event, names: list[str], seat: int | None) -> str:
    who = say.who(event["seat"], names, seat, "draw" if event["from"] == "deck" else "take")
    if event["from"] == "row":
        return f"{who} {_a(event['card'])} from the row."
    what = _a(event["card"]) if "card" in event else "a card"
    return f"{who} {what} from the deck."


def _ferry(event: Event, names: list[str], seat: int | None) -> str:
    now = f"now {say.does(event['seat'], seat, 'hold')} {event['held']}"
    return f"{say.who(event['seat'], names, seat, 'take')} a ferry card and {now}."


def _claimed(event: Event, names: list[str], seat: int | None) -> str:
    route = ROUTES[ROUTE_NUMBERS[event["route"]]]
    who = say.who(event["seat"], names, seat, "claim")
    return f"{who} {route.words} with {_pay(event['pay'])} for {say.plural(event['points'], 'point')}."


def _drew_tickets(event: Event, names: list[str], seat: int | None) -> str:
    text = f"{say.who(event['seat'], names, seat, 'draw')} {say.plural(event['count'], 'ticket')}"
    return f"{text}: {say.all_of([_title(name) for name in event['tickets']])}." if "tickets" in event else f"{text}."


def _chose(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'have', 'has')} chosen."


def _kept(event: Event, names: list[str], seat: int | None) -> str:
    text = f"{say.who(event['seat'], names, seat, 'keep')} {say.plural(event['kept'], 'ticket')}"
    if "tickets" in event:
        text += f" ({say.all_of([_title(name) for name in event['tickets']])})"
    if event["returned"]:
        text += f" and {say.does(event['seat'], seat, 'give')} {event['returned']} back"
    return text + "."


def _turn(event: Event, names: list[str], seat: int | None) -> str:
    if not event["last"]:
        return ""
    return f"{say.who(event['seat'], names, seat, 'have', 'has')} one last turn."


def _last_round(event: Event, names: list[str], seat: int | None) -> str:
    trains = say.counted(event["trains"], "train")
    who = say.who(event["seat"], names, seat, "have", "has")
    return f"{who} {trains} left: everyone has one more turn."


def _passed(event: Event, names: list[str], seat: int | None) -> str:
    passes = say.does(event["seat"], seat, "pass", "passes")
    return f"{say.who(event['seat'], names, seat, 'can', 'can')} do nothing and {passes}."


def _tickets_shown(event: Event, names: list[str], seat: int | None) -> str:
    return "The game is over, and all tickets are shown."


def _won(event: Event, names: list[str], seat: int | None) -> str:
    winners = event["seats"]
    points = say.plural(event["scores"][winners[0]], "point")
    if len(winners) == 1:
        tie = event["scores"].count(event["scores"][winners[0]]) > 1
        more = f", breaking the tie with {say.plural(event['met'][winners[0]], 'completed ticket')}" if tie else ""
        return f"{say.who(winners[0], names, seat, 'win')} with {points}{more}!"
    return f"{say.first_up(say.win(winners, seat, names))} with {points}."


SENTENCES: Final[dict[str, say.Sentence]] = {
    "dealt": _dealt,
    "filled": _filled,
    "drew": _drew,
    "ferry": _ferry,
    "claimed": _claimed,
    "drew-tickets": _drew_tickets,
    "chose": _chose,
    "kept": _kept,
    "turn": _turn,
    "last-round": _last_round,
    "passed": _passed,
    "tickets-shown": _tickets_shown,
    "won": _won,
}


def describe_move(state: State, named: Named) -> str:
    """A move in a few words, for a button or a hint."""
    match named["do"]:
        case "draw":
            card = named["card"]
            return "Draw from the deck" if card == "deck" else f"Take {_a(card)} from the row"
        case "ferry":
            return "Draw a ferry card"
        case "claim":
            route = ROUTES[ROUTE_NUMBERS[named["route"]]]
            paid = {COLOURS[route.colour]: route.length - named["locomotives"], "locomotive": named["locomotives"]}
            return f"Claim {route.words} with {_pay(paid)}"
        case "sail":
            return f"Claim {ROUTES[ROUTE_NUMBERS[named['route']]].words} with {_pay(named['pay'])}"
        case "tickets":
            return "Draw tickets"
        case "return":
            return f"Give back {_title(named['ticket'])}"
        case "keep":
            return "Keep the others"
    return "Pass"


def final(state: State) -> list[dict[str, Any]]:
    """How each seat's points are made up: routes, every ticket, every network's regions."""
    rows = []
    for seat in range(state.seats):
        own = [route for number, route in enumerate(ROUTES) if state.owner[number] == seat]
        lines: list[dict[str, Any]] = [
            {"label": f"{say.plural(len(own), 'route')} claimed", "value": sum(route.points for route in own)}
        ]
        for ticket in _tickets(state, seat, state.held[seat]):
            label = f"{_title(ticket['ticket'])}, {'completed' if ticket['met'] else 'not completed'}"
            lines.append({"label": label, "value": ticket["points"] if ticket["met"] else -ticket["points"]})
        for network in _networks(state, seat):
            if network["points"]:
                label = f"{network['count']} regions in one network"
                lines.append({"label": label, "value": network["points"]})
        won = bool(state.winners >> seat & 1)
        rows.append({"seat": seat, "score": int(state.score[seat]), "won": won, "lines": lines})
    return rows


def _counts(counts: Any) -> Counts:
    """Cards by name, without kinds that are missing."""
    return {CARDS[card]: int(count) for card, count in enumerate(counts) if count}


def _a(card: str) -> str:
    if card == "locomotive":
        return "a locomotive"
    return f"{'an' if card == 'orange' else 'a'} {card} card"


def _pay(pay: dict[str, int]) -> str:
    """What is paid, in words."""
    paid = []
    for card, count in pay.items():
        if not count:
            continue
        if card in COLOURS:
            paid.append(f"{count} {card}")
        else:
            paid.append(say.plural(count, "ferry card" if card == "ferry" else card))
    return say.all_of(paid)


def _title(ticket: str) -> str:
    """A ticket's name in a sentence."""
    return ticket.replace("-", "–")
