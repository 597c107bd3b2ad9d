"""A bot in any language: a program that gets the protocol's messages as lines of JSON and answers with moves.

`docs/write-a-bot.md` says what is sent and what is expected. A bot that crashes, babbles, is late or cheats forfeits
the move, and one is drawn for it; it never stops the run.
"""

import time
import weakref
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.options import Options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.engine.words import with_names
from grandtour.players.player import BABBLED, CHEATED, CRASHED, FORFEITS, LATE, SILENT, Player
from grandtour.players.program import Babble, Gone, Program, end_programs
from grandtour.players.random import Random

DEADLINE: Final = 5.0
"""Seconds for a move, unless told otherwise."""

STARTING: Final = 10.0
"""Seconds more for the first move of a program that has just been started."""

MOST_CRASHES: Final = 5
"""A program that ended so often in the middle of a game is not started again: it forfeits the rest."""

MOST_LATE: Final = 3
"""A program that was late so often in a row hangs: it is ended, as if it had crashed."""

PATIENCE: Final = 1.0
"""Seconds that a program may take to read what asks for no answer."""

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"

Message = dict[str, Any]


class Answer(msgspec.Struct, tag_field="type", tag="move", forbid_unknown_fields=True):
    """The one thing a bot may say: the protocol's `move`."""

    id: str
    at: int
    move: Any


class Forfeit(Exception):
    """The bot has no move to show; `why` is one of `FORFEITS`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Line:
    """The line to a program, which is started again when it ends, so many times. It may serve many games in turn."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.used = False
        self._program: Program | None = Program(path)
        self._fresh = self._starting = True
        self._greeting: Message | None = None
        self._crashes = 0
        self._late = 0
        self._n = 0
        self._overdue: set[int] = set()
        self._ids: set[str] = set()

    def ask(self, greeting: Message, now: Message, seconds: float) -> Answer:
        """What the program answers to the position `now` of the game that `greeting` began."""
        first = self._greeting is not greeting
        self.used = True
        self._n += 1
        try:
            try:
                return self._exchange(greeting, now, seconds)
            except Gone:
                if not first or self._fresh:
                    raise
            # It went after the last game, as it may; that is no crash.
            self._drop()
            return self._exchange(greeting, now, seconds)
        except Gone:
            self._crash()
            raise Forfeit(CRASHED) from None
        except Babble:
            self._crash()
            raise Forfeit(BABBLED) from None
        except TimeoutError:
            self._overdue.add(self._n)
            self._late += 1
            if self._late == MOST_LATE:
                self._crash()
            raise Forfeit(LATE) from None

    def tell(self, message: Message, seconds: float) -> None:
        """Say something that asks for no answer."""
        if self._program is not None:
            try:
                self._say(message, time.monotonic() + seconds)
            except (Gone, TimeoutError):
                # When it is asked the next time, it will turn out to be gone.
                self._program.kill()

    def announce(self, greeting: Message, now: Message, seconds: float) -> None:
        """Show the last position of a game to a program that has played in it."""
        if self._greeting is greeting:
            self._n += 1
            self.tell({**now, "n": self._n}, seconds)

    def end(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None

    def _exchange(self, greeting: Message, now: Message, seconds: float) -> Answer:
        program = self._started()
        until = time.monotonic() + seconds + (STARTING if self._starting else 0)
        self._starting = False
        program.hush()
        try:
            if self._greeting is not greeting:
                self._greeting = greeting
                self._ids.clear()
                self._say(greeting, until)
            self._say({**now, "n": self._n}, until)
        except TimeoutError:
            # It got half a line: nothing it would make of the rest could be trusted.
            self._crash()
            raise Forfeit(LATE) from None
        while True:
            answer = self._read(program.hear(until))
            self._fresh = False
            if answer.at not in self._overdue:
                break
            self._overdue.remove(answer.at)
            self.tell(_refused(answer.id, Refusal("stale", "That came too late.")), seconds)
        self._late = 0
        return self._checked(answer)

    def _read(self, line: bytes) -> Answer:
        try:
            return msgspec.json.decode(line, type=Answer)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self.tell(_refused(None, Refusal("malformed", "That is not a move of the protocol.")), PATIENCE)
            raise Forfeit(BABBLED) from None

    def _checked(self, answer: Answer) -> Answer:
        """The answer, if it is one to the last question and has an id of its own."""
        if answer.at != self._n:
            raise self.refuse(answer, Refusal("stale", f"The position is number {self._n}, not {answer.at}."))
        if not 1 <= len(answer.id) <= 64:
            raise self.refuse(answer, Refusal("malformed", "An id has 1 to 64 characters."))
        if answer.id in self._ids:
            raise self.refuse(answer, Refusal("stale", "That id was used before in this game."))
        self._ids.add(answer.id)
        return answer

    def refuse(self, answer: Answer, refusal: Refusal) -> Forfeit:
        """Tell the program why its answer does not count."""
        self.tell(_refused(answer.id[:64], refusal), PATIENCE)
        return Forfeit(CHEATED)

    def accept(self, answer: Answer) -> None:
        self.tell({"type": "ack", "id": answer.id, "n": self._n}, PATIENCE)

    def _say(self, message: Message, until: float) -> None:
        assert self._program is not None
        self._program.say(msgspec.json.encode(message), until)

    def _started(self) -> Program:
        """The program, started again if it has ended and may be."""
        if self._program is None:
            if self._crashes >= MOST_CRASHES:
                raise Forfeit(CRASHED)
            try:
                self._program = Program(self.path)
            except Refusal:
                raise Gone from None
            self._fresh = self._starting = True
        return self._program

    def _crash(self) -> None:
        self._crashes += 1
        self._drop()

    def _drop(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program = None
        self._greeting = None
        self._late = 0
        self._overdue.clear()


_idle: dict[str, list[Line]] = {}


def end_idle() -> None:
    """End the programs that wait here for their next game, and forget how they behaved."""
    while _idle:
        for line in _idle.popitem()[1]:
            line.end()


def end_bots() -> None:
    """End every program that plays here, too."""
    end_idle()
    end_programs()


class Pipe(Player):
    """A program in a seat. It is started once a process and plays game after game."""

    name = "program"
    label = "A program of your own"

    def __init__(self, path: str, deadline: float = DEADLINE) -> None:
        """Start the program, or take one that is free; a refusal where it cannot be started."""
        free = _idle.get(path)
        self._line: Final = free.pop() if free else Line(path)
        self._deadline: Final = deadline
        self._forfeited: Final = dict.fromkeys(FORFEITS, 0)
        self._greeting: Message | None = None
        # Given back even if nobody closes it: a program that is lost track of would run on.
        self._leave: Final = weakref.finalize(self, _give_back, self._line)

    def begin(self, game: Game, seats: int, options: Options, seat: int, dice: Dice) -> None:
        self._greeting = welcome(game, seats, options, seat, dice)

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        if self._greeting is None:
            raise ValueError("a program plays in games that have begun")
        legal = state.legal(seat)
        free = seat not in state.waiting()
        try:
            answer = self._line.ask(self._greeting, now(game, state, seat), self._deadline)
            if answer.move is None and free:
                self._line.accept(answer)
                return SILENT
            try:
                move = game.moves.number(answer.move)
                if move not in legal:
                    objection = game.objection(state, seat, move)
                    raise Refusal("not-legal", *(objection[::-1] if objection else ("That move is not possible now.",)))
            except Refusal as refusal:
                raise self._line.refuse(answer, refusal) from None
            self._line.accept(answer)
            return move
        except Forfeit as forfeit:
            self._forfeited[forfeit.why] += 1
            # The random player speaks in its turn only.
            return SILENT if free else Random().choose(game, state, seat, dice)

    def end(self, game: Game, state: State, seat: int) -> None:
        if self._greeting is not None:
            self._line.announce(self._greeting, now(game, state, seat), PATIENCE)

    def forfeited(self) -> dict[str, int]:
        return dict(self._forfeited)

    def close(self) -> None:
        self._leave()


def _give_back(line: Line) -> None:
    """Keep a program for the next game; one that never played was only tried."""
    if line.used:
        _idle.setdefault(line.path, []).append(line)
    else:
        line.end()


def welcome(game: Game, seats: int, options: Options, seat: int, dice: Dice) -> Message:
    """The first message of a game. The table's name is drawn from the player's own dice."""
    everyone = [
        {"seat": k, "name": name, "kind": "bot", "bot": None, "here": True, "away": None}
        for k, name in enumerate(_names(seats))
    ]
    table = {
        "table": "".join(LETTERS[dice.below(len(LETTERS))] for _ in range(12)),
        "game": game.name,
        "title": game.title,
        "seats": everyone,
        "state": "playing",
        "made": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "options": options,
        "public": False,
        "hints": False,
        "patience": 0.0,
        "host": None,
        "seal": None,
        "result": None,
    }
    return {"type": "welcome", "table": table, "seat": seat, "last": 0}


def now(game: Game, state: State, seat: int) -> Message:
    """The position as this seat may see it."""
    names = _names(int(state.seats))
    prompt = game.prompt(state, seat)
    result = state.result()
    moves = [game.moves.name(move) for move in state.legal(seat)] if result is None else []
    return {
        "type": "now",
        "n": 0,
        "view": game.view(state, seat),
        "legal": [{"move": move, "text": with_names(game.describe_move(state, move), names)} for move in moves],
        "prompt": {"text": with_names(prompt["text"], names), "rules": prompt["rules"]},
        "waiting": state.waiting(),
        "undo": False,
        "result": result,
        "final": None if result is None else game.final(state),
        "clock": None,
    }


def _names(seats: int) -> list[str]:
    return [f"Player {seat + 1}" for seat in range(seats)]


def _refused(id: str | None, refusal: Refusal) -> Message:
    return {"type": "refused", "id": id, **refusal.to_json()}
