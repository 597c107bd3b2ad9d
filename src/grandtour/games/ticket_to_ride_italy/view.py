"""What each seat may see of Ticket to Ride: Italy, and how moves and events read in words.

A view is built up from what is open to all and what is the seat's own; nothing is ever taken away from a fuller one.
What never changes (where cities lie, lengths, colours, values) is in `map.json` and not in the view.
"""

from collections.abc import Callable
from typing import Any, Final

from grandtour.engine.events import Event
from grandtour.engine.state import State as Position
from grandtour.engine.vocabulary import Named
from grandtour.games.ticket_to_ride_italy.board import BONUS, FIRST, GROUP, GROUPS, networks
from grandtour.games.ticket_to_ride_italy.deck import HAND, TICKETS, names
from grandtour.games.ticket_to_ride_italy.parts import (
    CARDS,
    COLOURS,
    FERRY_CARDS,
    FIRST_KEPT,
    FIRST_TICKETS,
    LATER_KEPT,
    PLACES,
    REGIONS,
    ROUTE_NUMBERS,
    ROUTES,
    TWICE,
)
from grandtour.games.ticket_to_ride_italy.parts import TICKETS as PRINTED
from grandtour.games.ticket_to_ride_italy.rules import MOVES, State
from grandtour.games.ticket_to_ride_italy.table import (
    KINDS,
    STEP_ACT,
    STEP_CHOOSE,
    STEP_KEEP,
    STEP_OVER,
    STEP_SECOND,
    card_name,
)

STEPS: Final = {
    STEP_CHOOSE: "choose",
    STEP_ACT: "act",
    STEP_SECOND: "second",
    STEP_KEEP: "keep",
    STEP_OVER: "over",
}

MASKS: Final = {region: (sum(1 << city for city in cities), region in TWICE) for region, cities in REGIONS.items()}
"""Of each region the set of its cities, and whether it counts twice when complete."""


def view(position: Position, seat: int | None) -> dict[str, Any]:
    """All that a seat may see, as JSON; None is an onlooker, who sees what lies open and no more."""
    state = _ours(position)
    takers = _takers(state)
    seen = {
        "turn": int(state.turn),
        "step": STEPS[state.step],
        "starter": int(state.starter),
        "row": [card_name(card) for card in state.row],
        "swept": [card_name(card) for card in state.swept],
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
    if seat is not None:
        seen["you"] = seat
        seen["hand"] = _counts(state.hand[KINDS * seat : KINDS * (seat + 1)])
        seen.update(_own_tickets(state, seat))
    return seen


def _player(state: State, seat: int, takers: list[int]) -> dict[str, Any]:
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


def _own_tickets(state: State, seat: int) -> dict[str, Any]:
    """A seat's tickets, those it chooses from, how many it must keep, and where those it gave back may be."""
    choosing = state.step == STEP_CHOOSE
    drawn = state.held[seat] if choosing else state.drawn if state.turn == seat else 0
    return {
        "tickets": [] if choosing else _tickets(state, seat, state.held[seat]),
        "drawn": [
            {**ticket, "back": bool(state.aside[seat] >> number & 1)} for number, ticket in _each(state, seat, drawn)
        ],
        "least": (FIRST_KEPT if choosing else LATER_KEPT) if drawn else 0,
        "returned": [
            {
                "ticket": PRINTED[number].name,
                "deck": bool(state.maybe[TICKETS * seat + number] & ((1 << TICKETS) - 1)),
                "seats": [
                    other for other in range(state.seats) if state.maybe[TICKETS * seat + number] >> (HAND + other) & 1
                ],
            }
            for number in names(state.returned[seat] & ~state.held[seat] & ~int(drawn))
        ],
    }


def _each(state: State, seat: int, tickets: int) -> list[tuple[int, dict[str, Any]]]:
    joined = _joined(state, seat, tickets)
    return [
        (number, {"ticket": PRINTED[number].name, "points": PRINTED[number].points, "met": bool(joined >> number & 1)})
        for number in names(tickets)
    ]


def _tickets(state: State, seat: int, tickets: int) -> list[dict[str, Any]]:
    return [ticket for _, ticket in _each(state, seat, tickets)]


def _joined(state: State, seat: int, tickets: int) -> int:
    """Those of some tickets whose ends a seat's networks join, as a set."""
    own = networks(state.reach, seat)
    return sum(
        1 << number
        for number in names(tickets)
        if any(
            any(network >> a & 1 for a in PRINTED[number].a) and any(network >> b & 1 for b in PRINTED[number].b)
            for network in own
        )
    )


def _networks(state: State, seat: int) -> list[dict[str, Any]]:
    """A seat's networks with the regions each brings together, the largest first."""
    found = []
    for network in networks(state.reach, seat):
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
    """Of each route, who might still claim it as far as the board goes: a bit a seat."""
    found = [0] * len(ROUTES)
    for seat in range(state.seats):
        for number in range(len(ROUTES)):
            group = GROUP[number]
            found[number] |= (state.open[GROUPS * seat + group] >> (number - FIRST[group]) & 1) << seat
    return found


def prompt(position: Position, seat: int | None) -> dict[str, Any]:
    """What the seat should do now, or whom it waits for, with the paragraphs that say more."""
    state = _ours(position)
    if state.step == STEP_OVER:
        return _prompt_at_the_end(state, seat)
    if state.step == STEP_CHOOSE:
        return _prompt_for_first_tickets(state, seat)
    last = "Your last turn: " if state.last > 0 else ""
    if seat != state.turn:
        doing = {STEP_SECOND: "is drawing train cards", STEP_KEEP: "is choosing tickets"}.get(state.step, "is to play")
        return _prompt(f"{_token(state.turn)} {doing}.", "TR-21")
    if state.step == STEP_SECOND:
        return _prompt("Draw your second train card.", "TR-23", "TR-25")
    if state.step == STEP_KEEP:
        drawn = len(names(state.drawn))
        if drawn == 1:
            return _prompt("Keep the one ticket that was left.", "TR-50")
        return _prompt(f"Keep at least one of the {drawn} tickets you drew.", "TR-49")
    return _prompt_to_act(state, int(state.turn), last)


def _prompt_to_act(state: State, seat: int, last: str) -> dict[str, Any]:
    """Only what is possible is named."""
    verbs = {MOVES.verb(move).name for move in state.legal(seat)}
    choices: list[str] = []
    rules: list[str] = []
    for verb, words, rule in (
        ("draw", "draw train cards", "TR-23"),
        ("ferry", "draw a ferry card", "TR-34"),
        ("claim", "claim a route", "TR-37"),
        ("sail", "claim a ferry", "TR-42"),
        ("tickets", "draw tickets", "TR-49"),
        ("pass", "pass, since nothing else is possible", "TR-22"),
    ):
        if verb in verbs:
            choices.append(words)
            rules.append(rule)
    text = _any(choices)
    return _prompt(f"{last}{text if last else _first_up(text)}.", *rules)


def _prompt_for_first_tickets(state: State, seat: int | None) -> dict[str, Any]:
    if seat is not None and not state.chosen >> seat & 1:
        return _prompt(f"Keep at least three of your {FIRST_TICKETS} tickets.", "TR-18")
    slow = [_token(other) for other in range(state.seats) if not state.chosen >> other & 1]
    return _prompt(f"{_all(slow)} {'is' if len(slow) == 1 else 'are'} choosing tickets.", "TR-19")


def _prompt_at_the_end(state: State, seat: int | None) -> dict[str, Any]:
    winners = [other for other in range(state.seats) if state.winners >> other & 1]
    who = ["you"] * (seat in winners) + [_token(other) for other in winners if other != seat]
    verb = "share the win" if len(winners) > 1 else "win" if seat in winners else "wins"
    points = int(state.score[winners[0]])
    return _prompt(
        f"The game is over: {_all(who)} {verb} with {_plural(points, 'point')}.",
        "TR-65" if len(winners) > 1 else "TR-64",
    )


def describe(event: Event, names: list[str], seat: int | None) -> str:
    """An event, as seen by a seat, in one sentence; "" when there is nothing to say."""
    return SENTENCES[event["event"]](event, names, seat)


def _dealt(event: Event, names: list[str], seat: int | None) -> str:
    text = f"Everyone is dealt four train cards and five tickets. {_who(event['starter'], names, seat, 'begin')}."
    if "cards" in event:
        text += f" You are dealt {_all(event['cards'])}."
    return text


def _filled(event: Event, names: list[str], seat: int | None) -> str:
    shuffled = "The discards are shuffled into a new deck. " if event["shuffled"] else ""
    if event["swept"]:
        row = _all([card for card in event["row"] if card])
        return f"{shuffled}Too many locomotives lay face up: all five cards are thrown away. Now there are {row}."
    if not event["turned"]:
        return shuffled.strip()
    verb = "is" if len(event["turned"]) == 1 else "are"
    return f"{shuffled}{_first_up(_all([_a(card) for card in event['turned']]))} {verb} turned up."


def _drew(event: Event, names: list[str], seat: int | None) -> str:
    who = _who(event["seat"], names, seat, "draw" if event["from"] == "deck" else "take")
    if event["from"] == "row":
        return f"{who} {_a(event['card'])} from the row."
    what = _a(event["card"]) if "card" in event else "a card"
    return f"{who} {what} from the deck."


def _ferry(event: Event, names: list[str], seat: int | None) -> str:
    return f"{_who(event['seat'], names, seat, 'take')} a ferry card and {_have(event, seat)} {event['held']}."


def _claimed(event: Event, names: list[str], seat: int | None) -> str:
    route = ROUTES[ROUTE_NUMBERS[event["route"]]]
    who = _who(event["seat"], names, seat, "claim")
    return f"{who} {route.words} with {_pay(event['pay'])} for {_plural(event['points'], 'point')}."


def _drew_tickets(event: Event, names: list[str], seat: int | None) -> str:
    text = f"{_who(event['seat'], names, seat, 'draw')} {_plural(event['count'], 'ticket')}"
    return f"{text}: {_all([_title(name) for name in event['tickets']])}." if "tickets" in event else f"{text}."


def _chose(event: Event, names: list[str], seat: int | None) -> str:
    return f"{_who(event['seat'], names, seat, 'have', 'has')} chosen."


def _kept(event: Event, names: list[str], seat: int | None) -> str:
    text = f"{_who(event['seat'], names, seat, 'keep')} {_plural(event['kept'], 'ticket')}"
    if "tickets" in event:
        text += f" ({_all([_title(name) for name in event['tickets']])})"
    if event["returned"]:
        own = "give" if event["seat"] == seat else "gives"
        text += f" and {own} {event['returned']} back"
    return text + "."


def _turn(event: Event, names: list[str], seat: int | None) -> str:
    if not event["last"]:
        return ""
    return f"{_who(event['seat'], names, seat, 'have', 'has')} one last turn."


def _last_round(event: Event, names: list[str], seat: int | None) -> str:
    trains = "no trains" if event["trains"] == 0 else _plural(event["trains"], "train")
    who = _who(event["seat"], names, seat, "have", "has")
    return f"{who} {trains} left: everyone has one more turn."


def _passed(event: Event, names: list[str], seat: int | None) -> str:
    return f"{_who(event['seat'], names, seat, 'can', 'can')} do nothing and {_verb('pass', event, seat)}."


def _tickets_shown(event: Event, names: list[str], seat: int | None) -> str:
    return "The game is over, and all tickets are shown."


def _won(event: Event, names: list[str], seat: int | None) -> str:
    winners = event["seats"]
    points = _plural(event["scores"][winners[0]], "point")
    if len(winners) == 1:
        tie = event["scores"].count(event["scores"][winners[0]]) > 1
        more = f", and with {_plural(event['met'][winners[0]], 'ticket')} met to break the tie" if tie else ""
        return f"{_who(winners[0], names, seat, 'win')} with {points}{more}!"
    who = ["you"] * (seat in winners) + [names[winner] for winner in winners if winner != seat]
    return f"{_first_up(_all(who))} share the win with {points}."


SENTENCES: Final[dict[str, Callable[[Event, list[str], int | None], str]]] = {
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


def describe_move(named: Named) -> str:
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


def final(position: Position) -> list[dict[str, Any]]:
    """How each seat's points came to be: routes, every ticket, every network's regions."""
    state = _ours(position)
    rows = []
    for seat in range(state.seats):
        own = [route for number, route in enumerate(ROUTES) if state.owner[number] == seat]
        lines: list[dict[str, Any]] = [
            {"label": f"{_plural(len(own), 'route')} claimed", "value": sum(route.points for route in own)}
        ]
        for ticket in _tickets(state, seat, state.held[seat]):
            words = f"{_title(ticket['ticket'])}, {'met' if ticket['met'] else 'missed'}"
            lines.append({"label": words, "value": ticket["points"] if ticket["met"] else -ticket["points"]})
        for network in _networks(state, seat):
            if network["points"]:
                label = f"{network['count']} regions in one network"
                lines.append({"label": label, "value": network["points"]})
        won = bool(state.winners >> seat & 1)
        rows.append({"seat": seat, "score": int(state.score[seat]), "won": won, "lines": lines})
    return rows


def _ours(position: Position) -> State:
    assert isinstance(position, State)
    return position


def _counts(counts: Any) -> dict[str, int]:
    """Cards by their names, without those that are none."""
    return {CARDS[card]: int(count) for card, count in enumerate(counts) if count}


def _token(seat: int) -> str:
    """Stands for a player's name in a prompt."""
    return f"{{seat:{seat}}}"


def _prompt(text: str, *rules: str) -> dict[str, Any]:
    return {"text": text, "rules": list(rules)}


def _who(actor: int, names: list[str], seat: int | None, verb: str, third: str | None = None) -> str:
    """Who does something: you take, or Ada takes."""
    return f"You {verb}" if actor == seat else f"{names[actor]} {third or verb + 's'}"


def _have(event: Event, seat: int | None) -> str:
    return "now hold" if event["seat"] == seat else "now holds"


def _verb(verb: str, event: Event, seat: int | None) -> str:
    return verb if event["seat"] == seat else f"{verb}es"


def _a(card: str) -> str:
    if card == "locomotive":
        return "a locomotive"
    return f"{'an' if card == 'orange' else 'a'} {card} card"


def _first_up(text: str) -> str:
    return text[0].upper() + text[1:]


def _pay(pay: dict[str, int]) -> str:
    """What is paid, in words."""
    words = []
    for card, count in pay.items():
        if not count:
            continue
        if card in COLOURS:
            words.append(f"{count} {card}")
        else:
            words.append(_plural(count, "ferry card" if card == "ferry" else card))
    return _all(words)


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _title(ticket: str) -> str:
    """A ticket's name in a sentence."""
    return ticket.replace("-", "–")


def _any(words: list[str]) -> str:
    return _listed(words, "or")


def _all(words: list[str]) -> str:
    return _listed(words, "and")


def _listed(words: list[str], link: str) -> str:
    return f"{', '.join(words[:-1])} {link} {words[-1]}" if len(words) > 1 else words[0]
