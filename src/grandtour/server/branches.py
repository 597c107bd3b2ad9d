"""Branches: a finished match played on from one of its moments, at a table of its own."""

import secrets
import time

from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import CLOCK
from grandtour.players import strength
from grandtour.protocol.messages import Branch
from grandtour.server.records import Made, Moved, Record, SeatRecord, Started
from grandtour.server.requests import WantedBranch
from grandtour.server.table import DEFAULT_BOT, Table, key_of, one_line

DEFAULT_NAME = "What if"


def branch_records(table: Table, wanted: WantedBranch) -> tuple[list[Record], str]:
    """The records of a new table on which the match of this one is played on, and the secret of the player's seat. The
    match must be over; nothing about its table changes."""
    match = table.match
    if match is None or table.phase != "over":
        raise Refusal("not-over", "A match can be branched once it is over.")
    if wanted.step >= len(match.log):
        raise Refusal("malformed", f"This match can be played on from the steps 0 to {len(match.log) - 1}.")
    if wanted.seat >= match.seats:
        raise Refusal("wrong-seat", f"There is no seat {wanted.seat}: the seats are 0 to {match.seats - 1}.")
    secret = secrets.token_urlsafe(24)
    bot = strength(wanted.bot) if wanted.bot is not None else DEFAULT_BOT
    seats = [
        SeatRecord(name, key_of(secret)) if seat == wanted.seat else SeatRecord(name, None, bot)
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
        patience=table.made.patience,
        branch=Branch(table.id, wanted.step, one_line(wanted.name) or DEFAULT_NAME),
    )
    return [made, Started(), *_moves(match, wanted.step, wanted.seat)], secret


def _moves(match: Match, step: int, seat: int) -> list[Record]:
    """The first moves of a match. Those of the player's seat count as the player's own."""
    return [
        Moved(
            entry.seat,
            match.game.moves.name(entry.move),
            "clock" if entry.seat == CLOCK else "person" if entry.seat == seat else "bot",
        )
        for entry in match.log[:step]
    ]
