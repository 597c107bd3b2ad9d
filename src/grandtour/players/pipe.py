"""A bot in any language: an external program that gets the protocol's messages as lines of JSON and answers with moves.

`docs/write-a-bot.md` describes the messages. If a bot crashes, is late, or sends a malformed answer or an illegal move,
it forfeits that move, which is then played at random; the run continues.
"""

import time
import weakref
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.match import check_legal
from grandtour.engine.options import Options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.players.player import CRASHED, FORFEITS, ILLEGAL, LATE, MALFORMED, SILENT, Player
from grandtour.players.program import LineTooLong, Program, ProgramEnded, end_programs
from grandtour.players.random import Random
from grandtour.protocol.messages import Ack, Now, Seat, Table, Welcome, refused
from grandtour.protocol.position import final_of, legal_moves, prompt_for

DEADLINE: Final = 5.0
"""Seconds per move by default."""

STARTUP_SECONDS: Final = 10.0
"""Extra seconds for the first move after a program has been started."""

MAX_CRASHES: Final = 5
"""After this many crashes, a program is not restarted and forfeits all further moves."""

MAX_LATE: Final = 3
"""A program that is late this many times in a row counts as crashed and is killed."""

TELL_SECONDS: Final = 1.0
"""Seconds a program may take to read a message that needs no answer."""

NAME_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"

Message = msgspec.Struct


class Answer(msgspec.Struct, tag_field="type", tag="move", forbid_unknown_fields=True):
    """The only message a bot may send: the protocol's `move`."""

    id: str
    at: int
    move: Any


class Forfeit(Exception):
    """The bot forfeits its move; `why` is one of `FORFEITS`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Connection:
    """The connection to a program, which is restarted after a crash, up to a limit. It can serve many games in turn."""

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
        """Ask for a move in the position `now` of the game that `greeting` started."""
        first = self._greeting is not greeting
        self.used = True
        self._n += 1
        try:
            try:
                return self._exchange(greeting, now, seconds)
            except ProgramEnded:
                if not first or self._fresh:
                    raise
            # It exited after the last game, which is allowed and not a crash.
            self._drop()
            return self._exchange(greeting, now, seconds)
        except ProgramEnded:
            self._crash()
            raise Forfeit(CRASHED) from None
        except LineTooLong:
            self._crash()
            raise Forfeit(MALFORMED) from None
        except TimeoutError:
            self._overdue.add(self._n)
            self._late += 1
            if self._late == MAX_LATE:
                self._crash()
            raise Forfeit(LATE) from None

    def tell(self, message: Message, seconds: float) -> None:
        """Send a message that needs no answer."""
        if self._program is not None:
            try:
                self._send(message, time.monotonic() + seconds)
            except (ProgramEnded, TimeoutError):
                # The next `ask` will notice that it has ended.
                self._program.kill()

    def show_final(self, greeting: Message, now: Message, seconds: float) -> None:
        """Show the final position of a game to a program that has played in it."""
        if self._greeting is greeting:
            self._n += 1
            self.tell(msgspec.structs.replace(now, n=self._n), seconds)

    def end(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None

    def _exchange(self, greeting: Message, now: Message, seconds: float) -> Answer:
        program = self._started()
        until = time.monotonic() + seconds + (STARTUP_SECONDS if self._starting else 0)
        self._starting = False
        program.discard_output()
        try:
            if self._greeting is not greeting:
                self._greeting = greeting
                self._ids.clear()
                self._send(greeting, until)
            self._send(msgspec.structs.replace(now, n=self._n), until)
        except TimeoutError:
            # It received only part of a line, so nothing it answers could be trusted.
            self._crash()
            raise Forfeit(LATE) from None
        while True:
            answer = self._read(program.receive(until))
            self._fresh = False
            if answer.at not in self._overdue:
                break
            self._overdue.remove(answer.at)
            self.tell(refused(Refusal("stale", "This answer came too late."), answer.id), seconds)
        self._late = 0
        return self._checked(answer)

    def _read(self, line: bytes) -> Answer:
        try:
            return msgspec.json.decode(line, type=Answer)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self.tell(refused(Refusal("malformed", "This is not a move message of the protocol.")), TELL_SECONDS)
            raise Forfeit(MALFORMED) from None

    def _checked(self, answer: Answer) -> Answer:
        """The answer, if it is for the current position and has an unused id."""
        if answer.at != self._n:
            raise self.refuse(answer, Refusal("stale", f"The current position is number {self._n}, not {answer.at}."))
        if not 1 <= len(answer.id) <= 64:
            raise self.refuse(answer, Refusal("malformed", "An id has 1 to 64 characters."))
        if answer.id in self._ids:
            raise self.refuse(answer, Refusal("stale", "This id was used before in this game."))
        self._ids.add(answer.id)
        return answer

    def refuse(self, answer: Answer, refusal: Refusal) -> Forfeit:
        """Tell the program why its answer is refused."""
        self.tell(refused(refusal, answer.id[:64]), TELL_SECONDS)
        return Forfeit(ILLEGAL)

    def acknowledge(self, answer: Answer) -> None:
        self.tell(Ack(answer.id, self._n), TELL_SECONDS)

    def _send(self, message: Message, until: float) -> None:
        assert self._program is not None
        self._program.send(msgspec.json.encode(message), until)

    def _started(self) -> Program:
        """The program, restarted if it has ended and may be restarted."""
        if self._program is None:
            if self._crashes >= MAX_CRASHES:
                raise Forfeit(CRASHED)
            try:
                self._program = Program(self.path)
            except Refusal:
                raise ProgramEnded from None
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


_idle: dict[str, list[Connection]] = {}


def end_idle() -> None:
    """End the programs that are waiting for their next game, and forget their crashes."""
    while _idle:
        for connection in _idle.popitem()[1]:
            connection.end()


def end_bots() -> None:
    """End all programs, waiting or playing."""
    end_idle()
    end_programs()


class Pipe(Player):
    """An external program in a seat. It is started once per process and plays game after game."""

    name = "program"
    label = "A program of your own"

    def __init__(self, path: str, deadline: float = DEADLINE) -> None:
        """Start the program, or reuse an idle one. Refuses a program that cannot be started."""
        free = _idle.get(path)
        self._connection: Final = free.pop() if free else Connection(path)
        self._deadline: Final = deadline
        self._forfeited: Final = dict.fromkeys(FORFEITS, 0)
        self._greeting: Message | None = None
        # Released even if nobody calls `close`, so that the program does not keep running.
        self._finalizer: Final = weakref.finalize(self, _release, self._connection)

    def begin(self, game: Game, seats: int, options: Options, seat: int, dice: Dice) -> None:
        self._greeting = welcome(game, seats, options, seat, dice)

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        if self._greeting is None:
            raise ValueError("begin() must be called before choose()")
        free = seat not in state.waiting()
        try:
            answer = self._connection.ask(self._greeting, now(game, state, seat), self._deadline)
            if answer.move is None and free:
                self._connection.acknowledge(answer)
                return SILENT
            try:
                move = game.moves.number(answer.move)
                check_legal(game, state, seat, move)
            except Refusal as refusal:
                raise self._connection.refuse(answer, refusal) from None
            self._connection.acknowledge(answer)
            return move
        except Forfeit as forfeit:
            self._forfeited[forfeit.why] += 1
            # The random player never moves out of turn.
            return SILENT if free else Random().choose(game, state, seat, dice)

    def end(self, game: Game, state: State, seat: int) -> None:
        if self._greeting is not None:
            self._connection.show_final(self._greeting, now(game, state, seat), TELL_SECONDS)

    def forfeited(self) -> dict[str, int]:
        return dict(self._forfeited)

    def close(self) -> None:
        self._finalizer()


def _release(connection: Connection) -> None:
    """Keep the program for the next game, or end it if it was only started as a check."""
    if connection.used:
        _idle.setdefault(connection.path, []).append(connection)
    else:
        connection.end()


def welcome(game: Game, seats: int, options: Options, seat: int, dice: Dice) -> Welcome:
    """The first message of a game. The table's id is drawn from the player's own dice."""
    table = Table(
        table="".join(NAME_LETTERS[dice.below(len(NAME_LETTERS))] for _ in range(12)),
        game=game.name,
        title=game.title,
        seats=[Seat(k, name, "bot", None, True) for k, name in enumerate(_names(seats))],
        state="playing",
        made=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        options=options,
        public=False,
        host=None,
        seal=None,
        result=None,
        hints=False,
        patience=0.0,
    )
    return Welcome(table, seat, 0)


def now(game: Game, state: State, seat: int) -> Now:
    """The position as this seat may see it."""
    names = _names(int(state.seats))
    result = state.result()
    return Now(
        0,
        game.view(state, seat),
        legal_moves(game, state, names, seat) if result is None else [],
        prompt_for(game, state, names, seat),
        state.waiting(),
        False,
        result,
        None if result is None else final_of(game, state),
        None,
    )


def _names(seats: int) -> list[str]:
    return [f"Player {seat + 1}" for seat in range(seats)]
