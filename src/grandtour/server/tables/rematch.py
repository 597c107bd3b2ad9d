"""Rematches: a new table for the people who have just finished a match."""

import secrets
import time

from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.server.tables.records import Made, Owner, SeatRecord
from grandtour.server.tables.table import DEFAULT_BOT, Table


def next_table(table: Table, by: int, game_name: str | None = None) -> Made:
    """The table of a rematch. The seats are rotated by one, so that somebody else is first. The options stay the same
    if the game does.

    The person in seat `by` sits down at once, and the other seats are reserved for their people. The secret of an old
    seat is valid for the new one.
    """
    if table.phase != "over":
        raise Refusal("not-over", "You can ask for a rematch once the game is over.")
    made = table.made
    game = catalogue.game(made.game if game_name is None else game_name)
    options = made.options if game.name == made.game else {}
    dice = secrets.token_bytes(32)
    # Setting up a match checks the options and the number of seats.
    match = Match(game, len(table.seats), options, dice)
    seats = [_next_seat(now, seat == by) for seat, now in enumerate(table.seats)]
    return Made(
        game.name,
        match.version,
        match.options,
        [*seats[1:], seats[0]],
        made.public,
        time.time(),
        dice.hex(),
        made.hints,
        made.patience,
        rematch_of=table.id,
        time=made.time,
        rated=made.rated and not game.team,
        ask=made.ask,
    )


def _next_seat(now: SeatRecord, present: bool) -> SeatRecord:
    if now.key is None:
        return SeatRecord(now.name, None, now.bot or DEFAULT_BOT)
    if present:
        return SeatRecord(now.name, now.key)
    return SeatRecord(now.name, owner=Owner(now.name, now.key))
