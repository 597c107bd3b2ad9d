"""A view of Ticket to Ride: Italy as text. The map, which is not in the view, comes from `parts.py`."""

from collections.abc import Iterable
from typing import Final

from grandtour.engine import text as write
from grandtour.engine import words as say
from grandtour.engine.text import Section
from grandtour.games.ticket_to_ride_italy.parts import (
    BONUS,
    COLOURS,
    DOUBLE_REGIONS,
    POINTS,
    REGIONS,
    ROUTE_NUMBERS,
    ROUTES,
    Route,
    place_name,
)
from grandtour.games.ticket_to_ride_italy.view_types import HeldTicket, Network, Player, Step, View

STEPS: Final[dict[Step, str]] = {
    "choose": "everyone is choosing tickets",
    "act": "to play",
    "second": "drawing a second card",
    "keep": "choosing tickets",
    "over": "the game is over",
}


def text(view: View, names: list[str], seat: int | None) -> list[Section]:
    """Everything in the view, and the map."""
    found = [Section("Table", _table(view, names, seat)), Section("Players", _players(view, names, seat))]
    if "hand" in view:
        found.append(Section("Your hand", [f"Cards: {write.amounts(view['hand'])}.", *_tickets(view, names, seat)]))
    claimed = [
        f"{write.player(owner, names, seat)}: "
        + write.listed(_route(name) for name, holder in view["owners"].items() if holder == owner)
        for owner in sorted(set(view["owners"].values()))
    ]
    return [
        *found,
        Section("Routes claimed", claimed, detail=True),
        Section("Networks", _networks(view, names, seat), detail=True),
        Section("Routes open, by length", _open(view), detail=True),
        Section("Routes that nobody can claim any more", _closed(view, names, seat), detail=True),
        Section("Regions and points", _printed(), detail=True),
    ]


def _table(view: View, names: list[str], seat: int | None) -> list[str]:
    row = write.listed(card or "a gap" for card in view["row"])
    lines = [
        f"Turn: {write.player(view['turn'], names, seat)} ({STEPS[view['step']]});"
        f" {write.player(view['starter'], names, seat)} began.",
        f"Face up: {row}.",
        f"Deck: {say.plural(view['deck'], 'card')}. Discards: {write.amounts(view['discards'])}.",
        f"Ferry cards left: {view['ferries']}. Tickets left: {view['ticket_deck']}.",
    ]
    if view["swept"]:
        lines.append(f"Discarded this turn: {write.bundle(view['swept'])}.")
    if view["last_round"] is not None:
        lines.append(f"Last round: {say.plural(view['last_round'], 'turn')} to go.")
    return lines + write.result(view["result"], names, seat)


def _players(view: View, names: list[str], seat: int | None) -> list[str]:
    lines = []
    for player in view["players"]:
        lines.append(f"{write.player(player['seat'], names, seat)}: {_holds(player)}")
        if player["shown"] is not None:
            lines.append(f"- Tickets: {write.listed(map(_ticket, player['shown']))}; {player['met']} completed.")
    return lines


def _holds(player: Player) -> str:
    parts = [
        say.plural(player["score"], "point"),
        say.plural(player["trains"], "train"),
        say.plural(player["cards"], "card") + (f" ({write.amounts(player['known'])} seen)" if player["known"] else ""),
        say.plural(player["tickets"], "ticket"),
    ]
    if player["ferries"]:
        parts.append(say.plural(player["ferries"], "ferry card"))
    if player["drawn"]:
        parts.append(f"{say.plural(player['drawn'], 'ticket')} drawn")
    if not player["chosen"]:
        parts.append("still choosing")
    if player["bonus"]:
        parts.append(f"{say.plural(player['bonus'], 'bonus point')} for regions so far")
    return ", ".join(parts) + "."


def _tickets(view: View, names: list[str], seat: int | None) -> list[str]:
    lines = [f"Tickets: {write.listed(map(_ticket, view.get('tickets', [])))}."]
    if view.get("drawn"):
        drawn = [f"{_ticket(ticket)}{' to be given back' if ticket['back'] else ''}" for ticket in view["drawn"]]
        lines.append(f"Choose from: {write.listed(drawn)}. Keep at least {view['least']}.")
    for ticket in view.get("returned", []):
        where = ["in the deck"] * ticket["deck"] + [f"with {say.whom(at, names, seat)}" for at in ticket["seats"]]
        lines.append(f"You gave back {_title(ticket['ticket'])}, which may be {say.join_or(where or ['anywhere'])}.")
    return lines


def _networks(view: View, names: list[str], seat: int | None) -> list[str]:
    return [
        f"{write.player(player['seat'], names, seat)}: {_network(network)}"
        for player in view["players"]
        for network in player["networks"]
    ]


def _network(network: Network) -> str:
    regions = write.listed(name if count == 1 else f"{name} twice" for name, count in network["regions"].items())
    joined = write.listed(place.replace("@", " at ") for place in network["places"])
    points = say.plural(network["points"], "point")
    return f"{joined}. Regions: {network['count']} ({regions}), {points}."


def _open(view: View) -> list[str]:
    """The routes that can still be claimed, with length and colour. Parallel tracks are listed together."""
    left = [route for route in ROUTES if route.name not in view["owners"] and route.name not in view["closed"]]
    lines = []
    for length in sorted({route.length for route in left}):
        pairs: dict[str, list[Route]] = {}
        for route in left:
            if route.length == length:
                pairs.setdefault(route.words, []).append(route)
        tracks = (f"{words} {length} {' or '.join(map(_colour, routes))}" for words, routes in sorted(pairs.items()))
        lines.append(f"{say.plural(length, 'train')} ({say.plural(POINTS[length], 'point')}): {'; '.join(tracks)}.")
    return lines


def _closed(view: View, names: list[str], seat: int | None) -> list[str]:
    lines = [f"Closed: {_routes(view['closed'])}."] if view["closed"] else []
    return lines + [
        f"Not for {say.whom(player['seat'], names, seat)}: {_routes(player['barred'])}."
        for player in view["players"]
        if player["barred"]
    ]


def _printed() -> list[str]:
    double = dict.fromkeys(DOUBLE_REGIONS, " (twice when complete)")
    places = [
        f"{region}{double.get(region, '')}: {write.listed(map(place_name, cities))}"
        for region, cities in REGIONS.items()
    ]
    bonus = write.listed(f"{regions} regions {points}" for regions, points in BONUS.items())
    return [*places, f"Points for the regions that one network joins: {bonus}."]


def _routes(names: Iterable[str]) -> str:
    return write.listed(map(_route, names))


def _route(name: str) -> str:
    route = ROUTES[ROUTE_NUMBERS[name]]
    return f"{route.words} {route.length} {_colour(route)}"


def _colour(route: Route) -> str:
    return f"ferry with {say.plural(route.waves, 'wave')}" if route.ferry else COLOURS[route.colour]


def _ticket(ticket: HeldTicket) -> str:
    return f"{_title(ticket['ticket'])} {ticket['points']} ({'completed' if ticket['met'] else 'not completed'})"


def _title(ticket: str) -> str:
    return ticket.replace("-", "–")
