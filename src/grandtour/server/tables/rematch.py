"""A table for the people who have just finished a match."""

import secrets
import time

from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.server.tables.records import Made, Owner, SeatRecord
from grandtour.server.tables.table import DEFAULT_BOT, Table


def next_table(table: Table, by: int, game_name: str | None = None) -> Made:
    """The table at which these people play on: seats turned by one, so that somebody else is first, and the same
    options if it is the same game. The one who asks sits down at once; the seats of the others are kept for them. The
    secrets of their old seats are valid for their new ones.
    """
    if table.phase != "over":
        raise Refusal("not-over", "You can ask for a rematch once the game is over.")
    made = table.made
    game = catalogue.game(made.game if game_name is None else game_name)
    options = made.options if game.name == made.game else {}
    dice = secrets.token_bytes(32)
    # Setting up a match once finds every problem with the options and the number of seats.
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
