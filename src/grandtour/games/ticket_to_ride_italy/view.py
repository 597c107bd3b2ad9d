# compiled
"""What each seat may see of Ticket to Ride: Italy, and the words for moves and events.

A view is built up from what is public and what belongs to the seat, never stripped down from a fuller one. What never
changes (where cities lie, lengths, colours, values) is in `map.json` and not in the view.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine import words as say
from grandtour.engine.events import Event
from grandtour.engine.state import unchanged
from grandtour.engine.vocabulary import Named
from grandtour.games.ticket_to_ride_italy.knowledge import HAND, tickets_in
from grandtour.games.ticket_to_ride_italy.mechanics.board import BONUS, FIRST, GROUP, met, networks, size
from grandtour.games.ticket_to_ride_italy.parts import (
    CARDS,
    COLOURS,
    DOUBLE_REGIONS,
    FERRY_CARDS,
    FIRST_KEPT,
    FIRST_TICKETS,
    GROUPS,
    KINDS,
    LATER_KEPT,
    N_PLACES,
    N_ROUTES,
    N_TICKETS,
    PLACES,
    REGIONS,
    ROUTE_NUMBERS,
    ROUTES,
    TICKETS,
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

REGION_CITIES: Final = {
    region: (sum(1 << city for city in cities), region in DOUBLE_REGIONS) for region, cities in REGIONS.items()
}
"""The set of each region's cities, and whether the region counts twice when complete."""
NETWORK_CACHE_SIZE: Final = 4096
"""The size of the cache of networks as views show them."""
SECOND_CARD_PROMPT: Final = say.prompt("Draw your second train card.", "TR-23", "TR-25")
ROUTE_NAMES: Final = [route.name for route in ROUTES]
ROUTE_WORDS: Final = [route.words for route in ROUTES]


class Board(NamedTuple):
    """The routes as a view names them: their owners, those closed to everybody, and those closed to each seat alone."""

    owners: dict[str, int]
    closed: list[str]
    barred: list[list[str]]


def view(state: State, seat: int | None) -> View:
    """Everything a seat may see, as JSON. A spectator (None) sees only what is public."""
    return _add_private(state, seat, _public_view(state, None, None), None, None)


def views(
    state: State, seats: Sequence[int | None], before: State | None = None, known: Sequence[View] = ()
) -> list[View]:
    """The views of several seats, which share what is public, and what has not changed since an earlier position."""
    ends = state.step == STEP_OVER or (before is not None and before.step == STEP_OVER)
    if before is None or ends or len(known) != len(seats) or not known:
        seen = _public_view(state, None, None)
        return [_add_private(state, seat, seen, None, None) for seat in seats]
    seen = _public_view(state, before, known[0])
    return [_add_private(state, seat, seen, before, known[number]) for number, seat in enumerate(seats)]


def _public_view(state: State, before: State | None, old: View | None) -> View:
    """What everybody sees. `old` is any view of the position before."""
    if before is None or old is None:
        board = _board(state)
        players = [_player(state, seat, board.barred[seat], None, None) for seat in range(state.seats)]
        row = [card_name(card) for card in state.row]
        swept = [CARDS[card] for card in state.swept]
        discards = _counts(state.discards, 0)
    else:
        board = _board_after(state, before, old)
        players = [_player(state, seat, board.barred[seat], before, was) for seat, was in enumerate(old["players"])]
        row = old["row"] if unchanged(state.row, before.row) else [card_name(card) for card in state.row]
        swept = old["swept"] if unchanged(state.swept, before.swept) else [CARDS[card] for card in state.swept]
        discards = old["discards"] if unchanged(state.discards, before.discards) else _counts(state.discards, 0)
    return {
        "turn": int(state.turn),
        "step": STEPS[state.step],
        "starter": int(state.starter),
        "row": row,
        "swept": swept,
        "deck": int(state.decked),
        "discards": discards,
        "ferries": int(FERRY_CARDS - _total(state.ferries, 0, state.seats)),
        "ticket_deck": int(state.left),
        "owners": board.owners,
        "closed": board.closed,
        "last_round": int(state.last) if state.last >= 0 else None,
        "players": players,
        "result": state.result(),
    }


def _add_private(state: State, seat: int | None, seen: View, before: State | None, old: View | None) -> View:
    """Add what only this seat sees to what everybody sees. `old` is the seat's view of the position before."""
    seen = seen.copy()
    if seat is not None:
        first = KINDS * seat
        seen["you"] = seat
        if before is not None and old is not None and unchanged(state.hand, before.hand, first, first + KINDS):
            seen["hand"] = old["hand"]
        else:
            seen["hand"] = _counts(state.hand, first)
        if before is not None and old is not None and _same_tickets(state, seat, before):
            seen["tickets"] = old["tickets"]
            seen["drawn"] = old["drawn"]
            seen["least"] = old["least"]
            seen["returned"] = old["returned"]
        else:
            _add_own_tickets(state, seat, seen)
    return seen


def _player(state: State, seat: int, barred: list[str], before: State | None, old: Player | None) -> Player:
    """What everybody sees of a player."""
    over = state.step == STEP_OVER
    first = KINDS * seat
    drawn = int(size(state.drawn)) if seat == state.turn else 0
    chosen = state.step != STEP_CHOOSE or bool(state.chosen >> seat & 1)
    known: Counts
    open_networks: list[Network]
    if before is None or old is None:
        known = _counts(state.known, first)
        open_networks = _networks(state, seat)
    else:
        same = unchanged(state.known, before.known, first, first + KINDS)
        known = old["known"] if same else _counts(state.known, first)
        open_networks = old["networks"] if _same_networks(state, seat, before) else _networks(state, seat)
        if (
            known is old["known"]
            and open_networks is old["networks"]
            and barred is old["barred"]
            and drawn == old["drawn"]
            and chosen == old["chosen"]
            and state.score[seat] == before.score[seat]
            and state.trains[seat] == before.trains[seat]
            and state.ferries[seat] == before.ferries[seat]
            and state.held[seat] == before.held[seat]
            and _total(state.hand, first, first + KINDS) == old["cards"]
        ):
            return old
    return {
        "seat": seat,
        "score": int(state.score[seat]),
        "trains": int(state.trains[seat]),
        "cards": int(_total(state.hand, first, first + KINDS)),
        "known": known,
        "ferries": int(state.ferries[seat]),
        "tickets": int(size(state.held[seat])),
        "drawn": drawn,
        "chosen": chosen,
        "barred": barred,
        "networks": open_networks,
        "bonus": sum([network["points"] for network in open_networks]),
        "shown": _tickets(state, seat, state.held[seat]) if over else None,
        "met": len(tickets_in(state.tickets_met(seat))) if over else None,
    }


def _same_networks(state: State, seat: int, before: State) -> bool:
    return unchanged(state.reach, before.reach, N_PLACES * seat, N_PLACES * (seat + 1))


def _same_tickets(state: State, seat: int, before: State) -> bool:
    """Whether nothing has changed that a seat sees of its own tickets."""
    return (
        (state.step == STEP_CHOOSE) == (before.step == STEP_CHOOSE)
        and (state.drawn if state.turn == seat else 0) == (before.drawn if before.turn == seat else 0)
        and state.held[seat] == before.held[seat]
        and state.aside[seat] == before.aside[seat]
        and state.returned[seat] == before.returned[seat]
        and unchanged(state.maybe, before.maybe, N_TICKETS * seat, N_TICKETS * (seat + 1))
        and _same_networks(state, seat, before)
    )


def _add_own_tickets(state: State, seat: int, seen: View) -> None:
    """A seat's tickets, those it chooses from, how many it must keep, and where those it gave back may be."""
    choosing = state.step == STEP_CHOOSE
    drawn = state.held[seat] if choosing else state.drawn if state.turn == seat else 0
    seen["tickets"] = [] if choosing else _tickets(state, seat, state.held[seat])
    choice = _numbered_tickets(state, seat, drawn)
    seen["drawn"] = [{**ticket, "back": bool(state.aside[seat] >> number & 1)} for number, ticket in choice]
    seen["least"] = (FIRST_KEPT if choosing else LATER_KEPT) if drawn else 0
    seen["returned"] = [
        {
            "ticket": TICKETS[number].name,
            "deck": bool(state.maybe[N_TICKETS * seat + number] & ((1 << N_TICKETS) - 1)),
            "seats": [
                other for other in range(state.seats) if state.maybe[N_TICKETS * seat + number] >> (HAND + other) & 1
            ],
        }
        for number in tickets_in(state.returned[seat] & ~state.held[seat] & ~int(drawn))
    ]


def _numbered_tickets(state: State, seat: int, tickets: int) -> list[tuple[int, HeldTicket]]:
    return [
        (
            number,
            {
                "ticket": TICKETS[number].name,
                "points": TICKETS[number].points,
                "met": bool(met(state.reach, seat, number)),
            },
        )
        for number in tickets_in(tickets)
    ]


def _tickets(state: State, seat: int, tickets: int) -> list[HeldTicket]:
    return [ticket for _, ticket in _numbered_tickets(state, seat, tickets)]


def _networks(state: State, seat: int) -> list[Network]:
    """A seat's networks with the regions that each connects, the largest first."""
    found = [_network_view(network) for network in networks(state.reach, seat)]
    return sorted(found, key=lambda network: (-network["count"], network["places"]))


@lru_cache(maxsize=NETWORK_CACHE_SIZE)
def _network_view(network: int) -> Network:
    """A network as a view shows it. Cached, because a claim changes only one of the networks in a view."""
    held = {}
    for region, (cities, twice) in REGION_CITIES.items():
        inside = network & cities
        if inside:
            held[region] = 2 if twice and inside == cities else 1
    count = sum(held.values())
    places: list[str] = []
    rest: i64 = network
    for place in range(i64(N_PLACES)):
        if rest >> place & 1:
            places.append(PLACES[place])
    return {"places": places, "regions": held, "count": count, "points": int(BONUS[count])}


def _board(state: State) -> Board:
    owners: dict[str, int] = {}
    closed: list[str] = []
    barred: list[list[str]] = [[] for _ in range(state.seats)]
    everyone = (i64(1) << state.seats) - 1
    for number in range(i64(N_ROUTES)):
        owner = state.owner[number]
        if owner >= 0:
            owners[ROUTE_NAMES[number]] = int(owner)
        group = GROUP[number]
        place = number - FIRST[group]
        takers: i64 = 0
        for seat in range(state.seats):
            takers |= (state.open[GROUPS * seat + group] >> place & 1) << seat
        if takers == everyone:
            continue
        if takers:
            for seat in range(state.seats):
                if not takers >> seat & 1:
                    barred[seat].append(ROUTE_NAMES[number])
        elif owner < 0:
            closed.append(ROUTE_NAMES[number])
    return Board(owners, closed, barred)


def _board_after(state: State, before: State, old: View) -> Board:
    """The same for a position that follows one whose view is known."""
    if unchanged(state.owner, before.owner) and unchanged(state.open, before.open):
        return Board(old["owners"], old["closed"], [player["barred"] for player in old["players"]])
    return _board(state)


def prompt(state: State, seat: int | None) -> dict[str, Any]:
    """What the seat should do now, or whom it is waiting for, with the paragraphs that explain it. Most prompts are
    cached, so they must not be modified."""
    if state.step == STEP_OVER:
        return _prompt_at_the_end(state, seat)
    if state.step == STEP_CHOOSE:
        return _prompt_for_first_tickets(state, seat)
    if seat != state.turn:
        return _prompt_to_wait(int(state.turn), int(state.step))
    if state.step == STEP_SECOND:
        return SECOND_CARD_PROMPT
    if state.step == STEP_KEEP:
        drawn = len(tickets_in(state.drawn))
        if drawn == 1:
            return say.prompt("Only one ticket was left: keep it.", "TR-50")
        return say.prompt(f"Keep at least one of the {drawn} tickets you drew.", "TR-49")
    return _prompt_to_act(MOVES.verbs_of(state.legal(int(state.turn))), state.last > 0)


@cache
def _prompt_to_wait(turn: int, step: int) -> dict[str, Any]:
    doing = {STEP_SECOND: "is drawing train cards", STEP_KEEP: "is choosing tickets"}.get(step)
    player = say.placeholder(turn)
    return say.prompt(f"{player} {doing}." if doing else f"It is {player}'s turn.", "TR-21")


@cache
def _prompt_to_act(verbs: frozenset[str], last: bool) -> dict[str, Any]:
    """Name only what is possible. The prompt is short because on a phone the map needs the space."""
    both = verbs >= {"draw", "ferry"}
    choices = (
        ("draw", "draw cards" if both else "draw train cards", "TR-23"),
        ("ferry", "draw cards" if both else "draw a ferry card", "TR-34"),
        ("claim", "claim a route", "TR-37"),
        ("sail", "claim a route", "TR-42"),
        ("tickets", "draw tickets", "TR-49"),
        ("pass", "pass, since nothing else is possible", "TR-22"),
    )
    text, rules = say.possible(set(verbs), choices)
    return say.prompt(f"Your last turn: {text}." if last else f"{say.capitalize(text)}.", *rules)


def _prompt_for_first_tickets(state: State, seat: int | None) -> dict[str, Any]:
    if seat is not None and not state.chosen >> seat & 1:
        return say.prompt(f"Keep at least 3 of your {FIRST_TICKETS} tickets.", "TR-18")
    slow = [say.placeholder(other) for other in range(state.seats) if not state.chosen >> other & 1]
    return say.prompt(f"{say.join_and(slow)} {'is' if len(slow) == 1 else 'are'} choosing tickets.", "TR-19")


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
        text += f" You are dealt {say.join_and([_with_article(card) for card in event['cards']])}."
    return text


def _filled(event: Event, names: list[str], seat: int | None) -> str:
    shuffled = "The discards are shuffled into a new deck. " if event["shuffled"] else ""
    if event["swept"]:
        row = say.join_and([card for card in event["row"] if card])
        return f"{shuffled}Too many locomotives lay face up: all five are discarded. The new cards are {row}."
    if not event["turned"]:
        return shuffled.strip()
    verb = "is" if len(event["turned"]) == 1 else "are"
    cards = say.capitalize(say.join_and([_with_article(card) for card in event["turned"]]))
    return f"{shuffled}{cards} {verb} turned up."


def _drew(event: Event, names: list[str], seat: int | None) -> str:
    who = say.who(event["seat"], names, seat, "draw" if event["from"] == "deck" else "take")
    if event["from"] == "row":
        return f"{who} {_with_article(event['card'])} from the row."
    what = _with_article(event["card"]) if "card" in event else "a card"
    return f"{who} {what} from the deck."


def _ferry(event: Event, names: list[str], seat: int | None) -> str:
    now = f"now {say.does(event['seat'], seat, 'hold')} {event['held']}"
    return f"{say.who(event['seat'], names, seat, 'take')} a ferry card and {now}."


def _claimed(event: Event, names: list[str], seat: int | None) -> str:
    route = ROUTE_WORDS[ROUTE_NUMBERS[event["route"]]]
    who = say.who(event["seat"], names, seat, "claim")
    return f"{who} {route} with {_payment_words(event['pay'])} for {say.plural(event['points'], 'point')}."


def _drew_tickets(event: Event, names: list[str], seat: int | None) -> str:
    text = f"{say.who(event['seat'], names, seat, 'draw')} {say.plural(event['count'], 'ticket')}"
    return f"{text}: {say.join_and([_title(name) for name in event['tickets']])}." if "tickets" in event else f"{text}."


def _chose(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'have', 'has')} chosen tickets."


def _kept(event: Event, names: list[str], seat: int | None) -> str:
    text = f"{say.who(event['seat'], names, seat, 'keep')} {say.plural(event['kept'], 'ticket')}"
    if "tickets" in event:
        text += f" ({say.join_and([_title(name) for name in event['tickets']])})"
    if event["returned"]:
        text += f" and {say.does(event['seat'], seat, 'give')} {event['returned']} back"
    return text + "."


def _turn(event: Event, names: list[str], seat: int | None) -> str:
    if not event["last"]:
        return ""
    return f"{say.who(event['seat'], names, seat, 'have', 'has')} one last turn."


def _last_round(event: Event, names: list[str], seat: int | None) -> str:
    trains = say.plural(event["trains"], "train", zero="no")
    who = say.who(event["seat"], names, seat, "have", "has")
    return f"{who} {trains} left: everyone has one more turn."


def _passed(event: Event, names: list[str], seat: int | None) -> str:
    passes = say.does(event["seat"], seat, "pass", "passes")
    return f"{say.who(event['seat'], names, seat, 'cannot', 'cannot')} do anything and {passes}."


def _tickets_shown(event: Event, names: list[str], seat: int | None) -> str:
    return "The game is over, and all tickets are shown."


def _won(event: Event, names: list[str], seat: int | None) -> str:
    winners = event["seats"]
    points = say.plural(event["scores"][winners[0]], "point")
    if len(winners) == 1:
        tie = event["scores"].count(event["scores"][winners[0]]) > 1
        more = f", breaking the tie with {say.plural(event['met'][winners[0]], 'completed ticket')}" if tie else ""
        return f"{say.who(winners[0], names, seat, 'win')} with {points}{more}!"
    return f"{say.capitalize(say.win(winners, seat, names))} with {points}."


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
            return "Draw from the deck" if card == "deck" else f"Take {_with_article(card)} from the row"
        case "ferry":
            return "Draw a ferry card"
        case "claim":
            route = ROUTES[ROUTE_NUMBERS[named["route"]]]
            paid = {COLOURS[route.colour]: route.length - named["locomotives"], "locomotive": named["locomotives"]}
            return f"Claim {route.words} with {_payment_words(paid)}"
        case "sail":
            return f"Claim {ROUTES[ROUTE_NUMBERS[named['route']]].words} with {_payment_words(named['pay'])}"
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


def _counts(counts: vec[i64], first: i64) -> Counts:
    """Counts of cards by name, read from a list starting at `first`. Cards that are missing are left out."""
    found: Counts = {}
    for card in range(KINDS):
        count = counts[first + card]
        if count:
            found[CARDS[card]] = int(count)
    return found


def _total(counts: vec[i64], first: i64, end: i64) -> i64:
    total: i64 = 0
    for place in range(first, end):
        total += counts[place]
    return total


def _with_article(card: str) -> str:
    if card == "locomotive":
        return "a locomotive"
    return f"{'an' if card == 'orange' else 'a'} {card} card"


def _payment_words(pay: dict[str, int]) -> str:
    """What is paid, in words."""
    paid = []
    for card, count in pay.items():
        if not count:
            continue
        if card in COLOURS:
            paid.append(f"{count} {card}")
        else:
            paid.append(say.plural(count, "ferry card" if card == "ferry" else card))
    return say.join_and(paid)


def _title(ticket: str) -> str:
    """A ticket's name in a sentence."""
    return ticket.replace("-", "–")
