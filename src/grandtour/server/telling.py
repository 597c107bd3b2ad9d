"""What each client is told: the messages of a table as one seat, or an onlooker, may see them.

Words about the game come from the game; the few sentences here are about the table.
"""

from typing import Final

import msgspec
from msgspec import UNSET

from grandtour.engine.dice import seal
from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.engine.words import with_names
from grandtour.server import messages
from grandtour.server.messages import EventMessage, LegalMove, Now, Prompt
from grandtour.server.records import Made, Moved, Over, Said, Seated, Started, Undone
from grandtour.server.table import Entry, Table, kind_of

DRAWN: Final = {
    "late": "The bot thought too long, so a move was drawn for it.",
    "failed": "The bot found no move, so one was drawn for it.",
    "hasty": "The bot had no time to think ahead, so it played as a normal one would.",
}


def event_message(table: Table, n: int, seat: int | None) -> EventMessage:
    """Event n as this seat may see it; None is an onlooker."""
    entry = table.entries[n]
    record = entry.record
    match record:
        case Started():
            shown = [seen(event, seat) for event in entry.events]
            text = sentences(table.game, shown, entry.names, seat)
            return messages.StartEvent(n, shown, text, seal(table.dice))
        case Moved():
            shown = [seen(event, seat) for event in entry.events]
            text = sentences(table.game, shown, entry.names, seat)
            if record.asked is not None:
                who = "You do" if seat == record.asked else f"{entry.names[record.asked]} does"
                text.insert(0, f"{who} not wait any longer.")
            if record.by == "stand-in":
                text.insert(0, _stood_in(entry.names[record.seat], seat == record.seat))
            if record.why is not None:
                text.append(DRAWN[record.why])
            move = record.move if seat == record.seat else UNSET
            return messages.MoveEvent(n, record.seat, record.by, shown, text, move)
        case Undone():
            who = "You take" if seat == record.seat else f"{entry.names[record.seat]} takes"
            return messages.UndoEvent(n, record.seat, 1, [f"{who} back a move."])
        case Seated():
            return messages.SeatEvent(n, record.seat, [_seated(record, entry, seat)])
        case Said():
            return messages.SayEvent(n, record.seat, record.text)
        case Over():
            return messages.OverEvent(
                n, record.result, table.dice.hex(), ["The game is over, and the dice are opened."]
            )
        case Made():
            raise ValueError("how a table was made is told in the welcome")


def now_message(table: Table, seat: int | None, clock: messages.Json | None = None, host: int | None = None) -> Now:
    """The position as this seat may see it, and the clock that runs, with the seconds left."""
    match = table.match
    if match is None:
        return Now(
            table.n,
            None,
            [],
            Prompt(_awaited(table, seat is not None and seat == host), []),
            [],
            False,
            None,
            None,
            None,
        )
    lent = seat is not None and table.seats[seat].bot is not None
    legal: list[LegalMove] = []
    if seat is not None and not lent and table.phase == "playing":
        names = table.names()
        legal = [
            LegalMove(move, with_names(table.game.describe_move(match.state, move), names))
            for move in match.legal(seat)
        ]
    if lent and table.phase == "playing":
        prompt = Prompt("A bot plays for you.", [])
    else:
        prompt = prompt_for(table.game, match.state, table.names(), seat)
    return Now(
        table.n,
        table.game.view(match.state, seat),
        legal,
        prompt,
        match.waiting(),
        seat is not None and not lent and match.can_undo(seat),
        table.result,
        final_of(table.game, match.state) if table.phase == "over" else None,
        clock,
    )


def sentences(game: Game, shown: list[Event], names: list[str], seat: int | None) -> list[str]:
    """Events in words, those left out that there is nothing to say about."""
    return [text for text in (game.describe(event, names, seat) for event in shown) if text]


def prompt_for(game: Game, state: State, names: list[str], seat: int | None) -> Prompt:
    """What the game says to this seat now, with the players' names put in."""
    prompt = game.prompt(state, seat)
    return Prompt(with_names(prompt["text"], names), list(prompt["rules"]))


def final_of(game: Game, state: State) -> list[messages.Final]:
    return msgspec.convert(game.final(state), list[messages.Final])


def _seated(record: Seated, entry: Entry, seat: int | None) -> str:
    you = seat == record.seat
    name = entry.names[record.seat]
    if record.now.key is None:
        free = f"Seat {record.seat + 1} is free again. " if record.how == "free" else ""
        return free + (f"{name}, a bot, sits down." if record.now.bot else "Who would like to sit there?")
    if record.how == "bot":
        return f"A bot plays for {'you' if you else name}."
    if record.how == "back":
        return "You play again." if you else f"{name} plays again."
    return "You sit down." if you else f"{name} sits down."


def _stood_in(name: str, you: bool) -> str:
    return "You were away: a bot made this move." if you else f"{name} is away: a bot makes this move."


def _awaited(table: Table, hosting: bool) -> str:
    missing = sum(kind_of(now) == "open" for now in table.seats)
    text = "Waiting for one more player" if missing == 1 else f"Waiting for {missing} more players"
    return f"{text}, or begin with bots." if hosting else f"{text}."
