"""A view of Round Trip Italy as text."""

from typing import Final

from grandtour.engine import text as write
from grandtour.engine import words as say
from grandtour.engine.text import Section
from grandtour.games.round_trip.parts import TICKETS
from grandtour.games.round_trip.referee import circle, title
from grandtour.games.round_trip.view_types import Mixed, Offer, PlayerView, Step, View

STEPS: Final[dict[Step, str]] = {
    "take": "taking a ticket",
    "act": "exchanging, making a round trip or ending the turn",
    "lay": "making a round trip or ending the turn",
    "give": "waiting for a ticket in exchange",
    "over": "the game is over",
}


def text(view: View, names: list[str], seat: int | None) -> list[Section]:
    """Everything in the view."""
    found = [Section("Table", _table(view, names, seat)), Section("Players", _players(view, names, seat))]
    if "hand" in view:
        found.append(Section("Your tickets", [_ticket(name, view) for name in view["hand"]] or ["none"]))
    known = [_mixed(mixed, names, seat) for mixed in view.get("mixed", [])]
    known += [
        f"{title(bottom['ticket'])} lies in the {bottom['pile']} pile, under {say.plural(bottom['above'], 'ticket')}."
        for bottom in view.get("bottoms", [])
    ]
    return [*found, Section("What else you know", known), Section("All tickets", _all_tickets(), detail=True)]


def _table(view: View, names: list[str], seat: int | None) -> list[str]:
    extra = ", an extra turn" if view["extra"] else ""
    lines = [
        f"Turn: {write.player(view['turn'], names, seat)}{extra} ({STEPS[view['step']]}). Round {view['round']} of"
        f" {view['turn_limit']}; {write.player(view['starter'], names, seat)} began.",
        f"Selection card: {write.listed(view['selection']['cities'])} ({view['selection']['left']} more to turn over).",
        "Piles: " + write.listed(f"{pile['city']} {pile['count']}" for pile in view["piles"]) + ".",
    ]
    if view["offer"] is not None:
        lines.append(_offer(view["offer"], names, seat))
    return lines + write.result(view["result"], names, seat)


def _offer(offer: Offer, names: list[str], seat: int | None) -> str:
    what = f"{title(offer['ticket'])}, " if "ticket" in offer else ""
    giver, to = write.player(offer["from"], names, seat), say.whom(offer["to"], names, seat)
    return f"On offer: {giver} to {to}, {what}a {offer['back']} ticket for a {offer['wanted']} ticket."


def _players(view: View, names: list[str], seat: int | None) -> list[str]:
    lines = []
    for player in view["players"]:
        lines.append(f"{write.player(player['seat'], names, seat)}{_side(view, player['seat'])}: {_holds(player)}")
        lines += [
            f"- Round trip of length {trip['length']}: {write.listed(map(title, trip['tickets']))}, through"
            f" {write.listed(trip['cities'])}{', which earned an extra turn' if trip['extra'] else ''}."
            for trip in player["trips"]
        ]
    return lines


def _side(view: View, seat: int) -> str:
    """Where a player sits, as seen by the reader."""
    sides = [f"to your {side}" for side, other in view.get("neighbours", {}).items() if other["seat"] == seat]
    return f" ({' and '.join(sides)})" if sides else ""


def _holds(player: PlayerView) -> str:
    trips = say.plural(len(player["trips"]), "round trip", zero="no")
    backs = write.listed(f"{count} {city}" for city, count in player["backs"].items() if count)
    known = f" You know {write.bundle(map(title, player['known']))}." if player["known"] else ""
    return f"{say.plural(player['tickets'], 'ticket')} ({backs}), {trips}.{known}"


def _ticket(name: str, view: View) -> str:
    """One of the reader's tickets, and what each neighbour gives for it."""
    wants = [
        f"{side} for {circle(name, side)} ({neighbour['circle']} circle)"
        for side, neighbour in view.get("neighbours", {}).items()
    ]
    return f"{title(name)}: {', '.join(wants)}"


def _mixed(mixed: Mixed, names: list[str], seat: int | None) -> str:
    holders = write.listed(
        f"{write.player(int(other), names, seat)} {count}" for other, count in mixed["holders"].items()
    )
    others = f" and {mixed['others']} more" if mixed["others"] else ""
    tickets = write.bundle(map(title, mixed["tickets"]))
    return f"{holders}: between them they hold {tickets}{others} from the {mixed['pile']} pile."


def _all_tickets() -> list[str]:
    return [write.listed(f"{ticket.copies} x {ticket.title}" for ticket in TICKETS)]
