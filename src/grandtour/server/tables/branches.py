"""Branches: a finished match is continued from one of its moments, at a new table."""

import secrets
import time
from collections.abc import Container

from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import CLOCK
from grandtour.players import strength
from grandtour.protocol.messages import Branch
from grandtour.server.http.requests import WantedBranch
from grandtour.server.tables.records import Made, Moved, Record, SeatRecord, Started
from grandtour.server.tables.table import DEFAULT_BOT, Table, hash_secret, one_line

DEFAULT_NAME = "What if"


def branch_records(table: Table, wanted: WantedBranch) -> tuple[list[Record], dict[int, str]]:
    """The records of a new table at which this table's match is continued, and the secrets of the player's seats. The
    match must be over. This table does not change."""
    match = table.match
    if match is None or table.phase != "over":
        raise Refusal("not-over", "A match can be branched once it is over.")
    if wanted.step >= len(match.log):
        raise Refusal("malformed", f"This match can be played on from steps 0 to {len(match.log) - 1}.")
    if wanted.seat >= match.seats:
        raise Refusal("wrong-seat", f"There is no seat {wanted.seat}: the seats are 0 to {match.seats - 1}.")
    own = range(match.seats) if wanted.alone else (wanted.seat,)
    held = {seat: secrets.token_urlsafe(24) for seat in own}
    bot = strength(wanted.bot) if wanted.bot is not None else DEFAULT_BOT
    seats = [
        SeatRecord(name, hash_secret(held[seat])) if seat in held else SeatRecord(name, None, bot)
        for seat, name in enumerate(table.names())
    ]
    made = Made(
        match.game.name,
        match.version,
        match.options,
        seats,
        public=False,
        made=time.time(),
        dice=table.made.dice,
        # Somebody who plays all seats is connected to only one of them, but is not away from the others.
        patience=0.0 if wanted.alone else table.made.patience,
        branch=Branch(table.id, wanted.step, one_line(wanted.name) or DEFAULT_NAME),
    )
    return [made, Started(), *_moves(match, wanted.step, held)], held


def _moves(match: Match, step: int, own: Container[int]) -> list[Record]:
    """The first moves of a match. Those of the player's seats count as the player's own."""
    return [
        Moved(
            entry.seat,
            match.game.moves.name(entry.move),
            "clock" if entry.seat == CLOCK else "person" if entry.seat in own else "bot",
        )
        for entry in match.log[:step]
    ]
