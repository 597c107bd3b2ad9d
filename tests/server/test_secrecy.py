"""Messages, logs and the store reveal nothing that is hidden from their readers."""

import hashlib
import json
import random
import secrets
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.players import make
from grandtour.protocol import messages
from grandtour.protocol.position import Position, change_between
from grandtour.server.tables import records
from grandtour.server.tables.records import Made, Moved, SeatRecord
from grandtour.server.tables.render import MoveMessages, event_message, position_for
from grandtour.server.tables.table import Entry, Table
from tests.server.client import Api, Message
from tests.server.conftest import Starting

SHORT = {"turn_limit": 10}


def new_table(seats: int, seed: int) -> Table:
    """A table with people in all seats, whose match has begun."""
    chance = random.Random(seed)
    game = catalogue.game("round-trip")
    held = [SeatRecord(f"Player {seat}", f"key {seat}") for seat in range(seats)]
    options = {"selection": "pairs", "turn_limit": 10, "start": "drawn"}
    table = Table("table", Made(game.name, game.version, options, held, False, 0.0, chance.randbytes(32).hex()))
    for step in table.start():
        table.apply(step)
    return table


def play_on(table: Table, seed: int) -> Iterator[tuple[int, Message]]:
    """Play to the end, normal and random players in turn. Yields each move and its seat before it is made."""
    dice = QuickDice(seed)
    while table.match is not None and table.phase == "playing":
        seat = table.match.waiting()[0]
        player = make(("normal", "random")[(seat + seed) % 2])
        move = table.game.moves.name(player.choose(table.game, table.match.state, seat, dice))
        yield seat, move
        for step in table.play(seat, move, by="person"):
            table.apply(step)


def messages_to(table: Table, seat: int | None, first: int) -> list[Any]:
    """What a seat is sent: the events from `first` on, and the position."""
    events = []
    for n in range(first, table.n + 1):
        record = table.entries[n].record
        events.append(msgspec.to_builtins(event_message(table, n, seat)))
        if isinstance(record, Moved):
            # As a move is told to everyone when it is made, first to those who see the most.
            told = MoveMessages(table, n, record)
            sent = [told.encoded(other) for other in (record.seat, *range(len(table.seats)), None, seat)]
            assert msgspec.json.decode(sent[-1]) == events[-1]
    return [*events, msgspec.to_builtins(position_for(table, seat).message())]


def change_for(before: Position, table: Table, seat: int | None) -> Any:
    """The message to a seat that already has an earlier position."""
    return msgspec.json.decode(change_between(before, position_for(table, seat), before.legal, []))


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_no_seat_receives_private_parts_of_another_seats_events(seats: int, seed: int) -> None:
    table = new_table(seats, seed)
    for _ in play_on(table, seed):
        entry = table.entries[table.n]
        for seat in (None, *range(seats)):
            changed = [
                {**event, "private": {who: part for who, part in event.get("private", {}).items() if who == str(seat)}}
                for event in entry.events
            ]
            before = messages_to(table, seat, table.n)
            table.entries[-1] = Entry(entry.record, changed, entry.names, entry.moment)
            assert messages_to(table, seat, table.n) == before, f"seat {seat} receives another seat's private part"
            table.entries[-1] = entry


@pytest.mark.parametrize(("seats", "seed"), [(2, 4), (3, 5), (4, 6)])
def test_messages_do_not_depend_on_hidden_cards(seats: int, seed: int) -> None:
    table = new_table(seats, seed)
    dice = QuickDice(seed)
    for _ in play_on(table, seed):
        assert table.match is not None
        state = table.match.state
        for seat in range(seats):
            mine, spectators = messages_to(table, seat, table.n), messages_to(table, None, table.n)
            table.match.state = state.imagine(seat, dice)
            assert messages_to(table, seat, table.n) == mine, f"the messages to seat {seat} depend on hidden cards"
            assert messages_to(table, None, table.n) == spectators, "the messages to a spectator depend on hidden cards"
            table.match.state = state


@pytest.mark.parametrize(("seats", "seed"), [(2, 10), (3, 11), (4, 12)])
def test_changes_do_not_depend_on_hidden_cards(seats: int, seed: int) -> None:
    table = new_table(seats, seed)
    dice = QuickDice(seed)
    viewers = (None, *range(seats))
    before = {seat: position_for(table, seat) for seat in viewers}
    changes = 0
    for _ in play_on(table, seed):
        assert table.match is not None
        state = table.match.state
        for seat in viewers:
            change = change_for(before[seat], table, seat)
            changes += "view" in change
            table.match.state = state.imagine(seat or 0, dice)
            again = change_for(before[seat], table, seat)
            table.match.state = state
            assert again == change, f"the changes sent to seat {seat} depend on hidden cards"
            before[seat] = position_for(table, seat)
    assert changes > 20, "hardly anything changed"


@pytest.mark.parametrize(("seats", "seed"), [(2, 7), (3, 8)])
def test_another_seats_hidden_draw_reads_the_same_whatever_was_drawn(seats: int, seed: int) -> None:
    table = new_table(seats, seed)
    dice = QuickDice(seed)
    log = [entry.record for entry in table.entries]
    twins: list[tuple[int, Table]] = []
    compared = 0
    for mover, move in play_on(table, seed):
        for seat, twin in twins:
            assert messages_to(twin, seat, twin.n) == messages_to(table, seat, table.n), (
                f"the message to seat {seat} reveals what was taken"
            )
            compared += 1
        twins = []
        log = [entry.record for entry in table.entries]
        if move["do"] == "take":
            for seat in (seat for seat in range(seats) if seat != mover):
                twin = Table.rebuild("table", log)
                assert twin.match is not None
                twin.match.state = twin.match.state.imagine(seat, dice)
                for step in twin.play(mover, move, by="person"):
                    twin.apply(step)
                twins.append((seat, twin))
    assert compared > 10


def test_a_spectator_sees_no_hand_and_no_private_part(api: Api) -> None:
    opened = api.open("normal", "normal", "random", options=SHORT)
    with api.join(opened["table"]) as spectator:
        spectator.until(spectator.over)
        for message in spectator.received:
            text = json.dumps(message)
            assert '"private"' not in text
            assert '"hand"' not in text
            assert '"you"' not in text
            assert '"gave_ticket"' not in text
        taken = [e for m in spectator.events.values() for e in m.get("events", []) if e["event"] == "took"]
        assert taken
        assert all("ticket" not in event for event in taken)


def test_the_dice_are_sealed_at_the_start_and_opened_at_the_end(api: Api) -> None:
    opened = api.open("me", "normal", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(1).choice)
        secret = me.events[me.last]["secret"]
        assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == me.events[1]["seal"] == me.table["seal"]
        before = [message for message in me.received if message.get("kind") != "over"]
        assert secret not in json.dumps(before)
    _, text, _ = api.fetch("GET", f"/api/tables/{opened['table']}/tour")
    assert f"dice: sealed {secret}" in text


def test_no_seat_secret_is_logged_sent_or_stored(starting: Starting, tmp_path: Path) -> None:
    server = starting()
    api = Api(server.url)
    opened = api.open("me", "open", "normal", options=SHORT)
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as me, api.join(opened["table"], place["secret"]) as ada:
        me.send({"type": "hello", "secret": opened["secret"], "last": 0, "odd": 1})
        me.answer(None)
        me.send({"type": "move", "id": opened["secret"], "at": 0, "move": place["secret"]})
        me.answer(opened["secret"])
        ada.ask("bot", seat=1, bot="normal")
        me.ask("bot", seat=0, bot="normal")
        me.until(me.over)
        dice = me.events[me.last]["secret"]
    api.request("POST", f"/api/tables/{opened['table']}/sit", {"secret": place["secret"], "odd": 1})
    api.request("GET", f"/api/tables/{opened['table']}/nothing?secret={place['secret']}")
    _, said = server.end(signal.SIGINT)
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for secret in (opened["secret"], place["secret"]):
        assert secret not in said
        assert secret.encode() not in stored
    assert dice not in said
    assert dice.encode() in stored, "the store must contain the dice, or no match could be rebuilt"


def test_a_bot_never_gets_the_dice_of_the_match() -> None:
    table = new_table(3, 9)
    for seat, _ in play_on(table, 9):
        dumped = json.dumps(table.imagine(seat).dump())
        assert table.made.dice not in dumped


def test_a_secret_is_compared_by_its_hash() -> None:
    secret = secrets.token_urlsafe(24)
    key = hashlib.sha256(secret.encode()).hexdigest()
    game = catalogue.game("round-trip")
    seats = [SeatRecord("Ada", key), SeatRecord("Bruno", "other"), SeatRecord()]
    table = Table("table", Made(game.name, 1, {}, seats, False, 0.0, "00" * 32))
    assert table.seat_by_secret(secret) == 0
    shown = messages.encode(table.info()).decode()
    assert key not in shown
    assert records.decode(records.encode(table.made)) == table.made
