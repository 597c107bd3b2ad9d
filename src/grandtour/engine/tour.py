"""The `.tour` file: a match as plain text that a person can read.

    Grand Tour match 1
    game: round-trip
    rules: 1
    seats: 2
    names: ["Ada", "Normal bot"]
    options: {"start": "drawn"}
    dice: sealed 5f2c…
    moves: 4
    0 {"do": "take", "pile": "Milano"}
    0 {"do": "end-turn"}
    clock {"do": "time-up"}
    1* {"do": "take", "pile": "Napoli"}
    result: null
    check: 3f1a…

A star marks a move that a bot made for a player who was away or out of time.
A file is not trusted: every move is checked again when it is read. The checksum only detects accidental changes.
"""

import hashlib
import json
from collections.abc import Container
from typing import Any, Final

from grandtour.engine import catalogue
from grandtour.engine.dice import SECRET_BYTES
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.state import CLOCK

TITLE: Final = "Grand Tour match"
FORMAT: Final = 1
HEADER: Final = ("game", "rules", "seats", "names", "options", "dice", "moves")
STAND_IN_MARK: Final = "*"
MAX_LENGTH: Final = 4_000_000
"""In characters: far more than the longest match of any game."""
MAX_LINE: Final = 4096
"""In characters: far more than a move or the options of any game."""
MAX_NAME: Final = 80
"""The maximum length of a player's name in a file."""
MAX_MOVES: Final = 20_000


def save(match: Match, names: list[str] | None = None, stand_ins: Container[int] = ()) -> str:
    """The match as text. It contains the secret of the dice, so save only finished or simulated matches. `stand_ins`
    are the moves, counted from 1, that were made for someone who was away or out of time."""
    seed = match.seed
    lines = [
        f"{TITLE} {FORMAT}",
        f"game: {match.game.name}",
        f"rules: {match.version}",
        f"seats: {match.seats}",
        f"names: {_json([_clean_name(name) for name in names or _default_names(match.seats)])}",
        f"options: {_json(match.options)}",
        f"dice: sealed {seed.hex()}" if isinstance(seed, bytes) else f"dice: quick {seed}",
        f"moves: {len(match.log)}",
    ]
    for number, (seat, move) in enumerate(match.log, 1):
        who = "clock" if seat == CLOCK else f"{seat}{STAND_IN_MARK}" if number in stand_ins else str(seat)
        lines.append(f"{who} {_json(match.game.moves.name(move))}")
    lines.append(f"result: {_json(match.result())}")
    text = "\n".join(lines) + "\n"
    return text + f"check: {_check(text)}\n"


def load(text: str, game: Game | None = None) -> tuple[Match, list[str]]:
    """The match and the names of its players. Anything wrong with the file is refused with one sentence. If `game` is
    given, the match must be of that game, which need not be installed."""
    if len(text) > MAX_LENGTH:
        raise _bad_file("This file is too long to be a match.")
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    if any(len(line) > MAX_LINE for line in lines):
        raise _bad_file(f"This file has a line of more than {MAX_LINE} characters; no match needs one.")
    title = lines[0].rsplit(" ", 1)
    if title[0] != TITLE:
        raise _bad_file("This is not a Grand Tour match: its first line does not say so.")
    if title[1:] != [str(FORMAT)]:
        raise _bad_file(f"This file is of format {short(title[-1])}; this program reads format {FORMAT}.")
    body, _, check = "\n".join(lines).rpartition("\ncheck: ")
    if not body or "\n" in check:
        raise _bad_file("This file was cut short: its last line, the check, is missing.")
    if check != _check(body + "\n"):
        raise _bad_file("This file was changed or damaged: its check does not fit.")
    reader = _Reader(lines)
    match = _match(reader, game)
    names = reader.value("names", list)
    if len(names) != match.seats or not all(isinstance(name, str) for name in names):
        raise _bad_file("This file does not name one player for each seat.")
    if any(len(name) > MAX_NAME or not name.isprintable() for name in names):
        raise _bad_file(f"A player's name in a file is one line of at most {MAX_NAME} characters.")
    if reader.whole("moves") > MAX_MOVES:
        raise _bad_file(f"This file has more than {MAX_MOVES} moves, which no match has.")
    for number in range(reader.whole("moves")):
        line = reader.take()
        who, _, named = line.partition(" ")
        digits = who.removesuffix(STAND_IN_MARK)
        seat = CLOCK if who == "clock" else int(digits) if digits.isdecimal() and len(digits) < 4 else None
        try:
            match.play(seat if seat is not None else match.seats, _parse(named))
        except Refusal as refusal:
            raise _bad_file(f"Move {number + 1} of this file is refused: {refusal}") from None
    if reader.value("result", object) != match.result():
        raise _bad_file("The result in this file does not follow from its moves.")
    if not reader.take().startswith("check: ") or reader.at < len(lines):
        raise _bad_file("This file has more lines than it says.")
    return match, names


def stand_ins(text: str) -> frozenset[int]:
    """The moves, counted from 1, that were made for someone who was away. The file must be valid."""
    lines = text.replace("\r\n", "\n").split("\n")
    moves = enumerate(lines[1 + len(HEADER) :], 1)
    return frozenset(number for number, line in moves if line.partition(" ")[0].endswith(STAND_IN_MARK))


class _Reader:
    """The lines of a file, taken one by one."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 1
        self.header: dict[str, str] = {}
        for key in HEADER:
            self.header[key] = self._field(key)

    def take(self) -> str:
        if self.at >= len(self.lines):
            raise _bad_file("This file was cut short.")
        self.at += 1
        return self.lines[self.at - 1]

    def _field(self, key: str) -> str:
        name, colon, value = self.take().partition(": ")
        if name != key or not colon:
            raise _bad_file(f"This file has no line {key!r} where it should be.")
        return value

    def value(self, key: str, kind: type) -> Any:
        value = _parse(self.header[key] if key in self.header else self._field(key))
        if not isinstance(value, kind):
            raise _bad_file(f"The line {key!r} of this file makes no sense.")
        return value

    def whole(self, key: str) -> int:
        text = self.header[key]
        if not text.isdecimal() or len(text) > 9:
            raise _bad_file(f"The line {key!r} of this file is not a number.")
        return int(text)


def _match(reader: _Reader, wanted: Game | None) -> Match:
    game = wanted or catalogue.game(reader.header["game"])
    if game.name != reader.header["game"]:
        raise _bad_file(f"This is a match of {short(reader.header['game'])}, not of {game.name}.")
    version = reader.whole("rules")
    if version not in game.rules:
        known = ", ".join(str(known) for known in game.rules)
        raise _bad_file(
            f"This match was played by version {version} of the rules of {game.title}; known here: {known}."
        )
    kind, _, number = reader.header["dice"].partition(" ")
    try:
        seed: int | bytes = bytes.fromhex(number) if kind == "sealed" else int(number[:40])
    except ValueError:
        raise _bad_file("The dice of this file cannot be read.") from None
    if kind not in ("sealed", "quick") or (isinstance(seed, bytes) and len(seed) != SECRET_BYTES):
        raise _bad_file("The dice of this file cannot be read.")
    return Match(game, reader.whole("seats"), reader.value("options", dict), seed, version)


def _default_names(seats: int) -> list[str]:
    return [f"Player {seat + 1}" for seat in range(seats)]


def _clean_name(name: str) -> str:
    """A player's name for a file: a single line that is not too long."""
    return "".join(char if char.isprintable() else " " for char in name)[:MAX_NAME]


def _bad_file(reason: str) -> Refusal:
    return Refusal("bad-file", reason)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _bad_file(f"This file cannot be read at {short(text)}.") from None


def _check(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
