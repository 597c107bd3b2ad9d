"""Requests about seats: let a bot play, take a seat back, concede, free a seat."""

import base64
import hashlib
import math
import secrets

from grandtour.engine.refusal import Refusal
from grandtour.engine.words import plural
from grandtour.players import strength
from grandtour.players.names import bot_name
from grandtour.protocol import messages
from grandtour.server.http.requests import WantedSeat
from grandtour.server.tables.presence import Presence
from grandtour.server.tables.records import Owner, SeatRecord
from grandtour.server.tables.table import (
    DEFAULT_BOT,
    MIN_RATED_PEOPLE,
    Step,
    Table,
    hash_secret,
    person_name,
    reserved_for,
    seat_kind,
)


def set_bot(table: Table, presence: Presence, by: int, asked: messages.Bot) -> list[Step]:
    """Let a bot play a seat, or take it back from the bot."""
    seat = asked.seat
    if seat >= len(table.seats):
        raise Refusal("wrong-seat", f"There is no seat {seat} at this table.")
    now = table.seats[seat]
    bot = strength(asked.bot) if asked.bot is not None else None
    if bot == now.bot:
        return []
    if now.conceded and bot is None:
        raise Refusal("not-legal", "This match has been conceded: a bot plays the seat to the end.")
    if seat == by:
        changed = SeatRecord(now.name, now.key, bot, conceded=now.conceded)
        return table.seat(seat, changed, "back" if bot is None else "bot", id=asked.id, by=by)
    if by != presence.host(table):
        raise Refusal("not-host", "Only the host may let a bot play for someone else.")
    if bot is None:
        raise Refusal("not-host", "Only the player in that seat may take it back.")
    if now.key is not None and seat in presence.here:
        raise Refusal("taken", f"{now.name} is here and playing.")
    if table.made.rated and table.phase == "waiting" and _last_seat_for_people(table, seat):
        raise Refusal("bad-options", "A rated game needs two people: a bot cannot have this seat.")
    name = (now.name if seat_kind(now) != "open" else "") or bot_name(other.name for other in table.seats)
    return table.seat(seat, SeatRecord(name, now.key, bot, now.owner, now.conceded), "bot", id=asked.id, by=by)


def concede(table: Table, seat: int, id: str) -> list[Step]:
    """Give up a match. A bot plays the seat to the end, and the result says so."""
    if table.phase == "waiting":
        raise Refusal("not-legal", "The game has not begun yet.")
    now = table.seats[seat]
    if now.conceded:
        return []
    given_up = SeatRecord(now.name, now.key, now.bot or DEFAULT_BOT, conceded=True)
    return table.seat(seat, given_up, "conceded", id=id, by=seat)


def free(table: Table, presence: Presence, grace: float, by: int, asked: messages.Free) -> list[Step]:
    """Free the seat of somebody who has left. It becomes open; during a match a bot plays it, and anyone may take it.
    `grace` is the number of seconds that its owner must have been away."""
    seat = asked.seat
    if seat >= len(table.seats):
        raise Refusal("wrong-seat", f"There is no seat {seat} at this table.")
    if by != presence.host(table):
        raise Refusal("not-host", "Only the host may free up someone else's seat.")
    now = table.seats[seat]
    if now.key is None:
        return []
    if seat in presence.here:
        raise Refusal("taken", f"{now.name} is here.")
    left = grace - presence.absent_for(seat)
    if left > 0:
        reason = f"{now.name} may come back: the seat can be freed up in {plural(math.ceil(left), 'second')}."
        raise Refusal("taken", reason)
    owner = Owner(now.name, now.key)
    freed = SeatRecord(owner=owner)
    if table.phase != "waiting":
        freed = SeatRecord(bot_name(other.name for other in table.seats), None, now.bot or DEFAULT_BOT, owner)
    return table.seat(seat, freed, "free", id=asked.id, by=by)


def _last_seat_for_people(table: Table, seat: int) -> bool:
    """Whether too few seats for people would be left with a bot in this one."""
    left = sum(seat_kind(now) != "bot" for number, now in enumerate(table.seats) if number != seat)
    return left < MIN_RATED_PEOPLE


def vacate(table: Table, seat: int) -> list[Step]:
    """Free a seat whose owner is not coming back."""
    freed = SeatRecord()
    if table.phase == "playing":
        bot = table.seats[seat].bot or DEFAULT_BOT
        freed = SeatRecord(bot_name(other.name for other in table.seats), None, bot)
    return table.seat(seat, freed, "free")


def seat_secret(table: str, id: str) -> str:
    """The secret of the seat that a request with this id takes at a table.

    If the response is lost and the request is sent again, it finds the same seat. The id is random and known only to
    its client."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"{table}:{id}".encode()).digest()[:24]).decode()


def secret_in_use(table: Table, secret: str | None) -> str | None:
    """The secret, if a seat has it already because the request was sent before; otherwise None."""
    return secret if secret is not None and table.seat_by_key(hash_secret(secret)) is not None else None


def person(table: Table, seat: int, name: str, secret: str) -> SeatRecord:
    """A seat with a person in it."""
    others = [now.name for number, now in enumerate(table.seats) if number != seat]
    return SeatRecord(person_name(name, others, seat), hash_secret(secret))


def open_seat(table: Table, seat: int | None) -> int:
    """The seat that somebody may take: `seat`, or any free one if it is None. Refuses if there is none."""
    if seat in table.bots_to_try:
        raise Refusal("taken", f"{table.names()[seat]} has just taken over there: wait until the bot has moved.")
    if seat is not None and seat < len(table.seats) and reserved_for(table.seats[seat]) is not None:
        raise Refusal("taken", f"This seat is kept for {table.seats[seat].name}.")
    free = [number for number, now in enumerate(table.seats) if seat_kind(now) != "person"]
    free = [number for number in free if number not in table.bots_to_try and reserved_for(table.seats[number]) is None]
    if seat is None:
        # Prefer open seats to those of bots.
        seat = min(free, key=lambda number: (seat_kind(table.seats[number]) == "bot", number), default=None)
        if seat is None:
            raise Refusal("taken", "Every seat at this table is taken.")
    if seat >= len(table.seats):
        raise Refusal("wrong-seat", f"There is no seat {seat} at this table.")
    if seat not in free:
        raise Refusal("taken", f"{table.names()[seat]} sits there already.")
    return seat


def wanted_seats(wanted: list[WantedSeat]) -> tuple[list[SeatRecord], int | None, str | None]:
    """The seats as records, and the seat and secret of the person who opens the table."""
    seats: list[SeatRecord] = []
    names = [seat.name for seat in wanted]
    mine: int | None = None
    secret: str | None = None
    for number, seat in enumerate(wanted):
        others = names[:number] + names[number + 1 :]
        if seat.kind == "open":
            names[number] = ""
            seats.append(SeatRecord())
        elif seat.kind == "bot":
            names[number] = person_name(seat.name, others, number) if seat.name.strip() else bot_name(others)
            bot = strength(seat.bot) if seat.bot is not None else DEFAULT_BOT
            seats.append(SeatRecord(names[number], None, bot))
        else:
            if mine is not None:
                raise Refusal("malformed", "You can take only one seat.")
            mine, secret = number, secrets.token_urlsafe(24)
            names[number] = person_name(seat.name, others, number)
            seats.append(SeatRecord(names[number], hash_secret(secret)))
    return seats, mine, secret
