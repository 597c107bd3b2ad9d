"""Plays a match in the terminal against bots."""

import contextlib
import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from grandtour.cli.choices import Choices, Line, fold
from grandtour.cli.rulebook import paragraph, show
from grandtour.engine.dice import QuickDice, seal
from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.text import Section
from grandtour.engine.words import with_names
from grandtour.players import review
from grandtour.players.hard import Hard
from grandtour.players.local_table import LocalTable, load_table, new_table
from grandtour.protocol.position import final_of, legal_moves, prompt_for
from grandtour.protocol.rulebook import parse
from grandtour.protocol.text import WIDTH, layout, sections_of, wrapped

MAX_WIDTH: Final = 100
LAST_LINES: Final = 20
"""The number of lines that `log` prints."""
HINT_TIME: Final = "500ms"

HELP: Final = (
    ("A number", "make the move with that number"),
    ("some letters", "list the moves that contain them; if there is only one, Enter makes it"),
    ('{"do": ...}', "make a move by its name, as in files and in the protocol"),
    ("moves", "list all moves"),
    ("table", "show the whole table, not only what has changed; table WORD shows the parts with this word"),
    ("hint", "what a strong player would do, knowing only what you know"),
    ("undo", "take back your last move, if nobody has moved since and nothing hidden was shown"),
    ("rules", "the paragraphs about what you can do now; rules 14, rules all or rules WORD for others"),
    ("log", "show what happened last; log all shows everything"),
    ("save FILE", "write the match to a file"),
    ("go", "let the others go on, when you may move but need not"),
    ("quit", "leave; the match is saved"),
)


def begin(
    game: Game, seats: int | None, bots: str, seat: int, name: str, options: dict[str, Any], seed: int | None
) -> tuple[LocalTable, int]:
    """A new table, and the player's seat."""
    count = seats or game.players[0]
    low, high = game.players
    if not low <= count <= high:
        raise Refusal("bad-options", f"{game.title} is for {low} to {high} players, not {count}.")
    if not 0 <= seat < count:
        raise Refusal("wrong-seat", f"There is no seat {seat} at this table: the seats are 0 to {count - 1}.")
    strengths = [bot.strip() for bot in bots.split(",")]
    options = {option.name: option.alone for option in game.options} | options
    return new_table(game, count, options, seed, {seat: _name(name)}, strengths), seat


def resume(file: Path, text: str) -> tuple[LocalTable, int]:
    """The table of a saved match, and the seat that is not a bot's."""
    table = load_table(text)
    people = [seat for seat in range(table.match.seats) if seat not in table.bots]
    if len(people) != 1:
        raise Refusal("bad-file", f"{short(str(file))} is not a match of one person against bots.")
    return table, people[0]


def _name(name: str) -> str:
    """A name that is valid in a file and that no bot has."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())[:24]
    if not plain or plain.endswith(" bot)"):
        raise Refusal("bad-options", f"{short(name)} is not a valid name for a player.")
    return plain


class TimeUp(Exception):
    """The game's clock has run out while a player was typing."""


class Left(Exception):
    """The player leaves the table."""


class Screen:
    """The output: with colours and rules in a terminal, otherwise plain lines."""

    def __init__(self, plain: bool) -> None:
        self.console = Console(highlight=False, markup=False)
        self.plain = plain or not self.console.is_terminal
        self.width = WIDTH if not self.console.is_terminal else min(MAX_WIDTH, max(20, self.console.width))

    def say(self, text: str = "", style: str = "", indent: str = "", later: str = "") -> None:
        """Print a text, wrapped to the width of the screen."""
        for line in wrapped(text, self.width, indent, later or indent) if text else [""]:
            self.line(line, style)

    def line(self, line: str, style: str = "") -> None:
        """Print a line unchanged."""
        if self.plain:
            print(line)
        else:
            self.console.print(Text(line, style), soft_wrap=True)

    def rule(self, title: str) -> None:
        """Print the title of a new section."""
        if self.plain:
            self.line("")
            self.say(title)
        else:
            self.console.print(Rule(Text(title, "bold"), style="dim", align="left"), width=self.width)

    def thinking(self, who: str) -> contextlib.AbstractContextManager[Any]:
        """Show that a bot is thinking, if the terminal can erase it again."""
        return contextlib.nullcontext() if self.plain else self.console.status(Text(f"{who} is thinking …", "dim"))

    def rules(self, text: str) -> None:
        """Print a part of a rulebook."""
        if self.plain:
            print(text.rstrip())
        else:
            show(self.console, text)


class Play:
    """A person at a table with bots."""

    def __init__(
        self, table: LocalTable, seat: int, screen: Screen, file: Path | None = None, stops: bool = False
    ) -> None:
        self.table = table
        self.seat = seat
        self.screen = screen
        self.file = file
        """The file to which the match is saved."""
        self.stops = stops
        """Whether the player is asked after every bot's move after which they may act."""
        self._told = 0
        self._shown: dict[str, list[str]] = {}
        self._moved = False

    @property
    def names(self) -> list[str]:
        return self.table.names

    def run(self) -> int:
        """Play to the end, or until the player leaves. Returns the exit code."""
        match = self.table.match
        self.screen.rule(f"{match.game.title}: {', '.join(self.table.names_and_bots())}")
        self.screen.say(match.game.summary)
        if isinstance(match.seed, bytes):
            self.screen.say(f"The seal of the dice is {seal(match.seed)[:16]}…", "dim")
        self.screen.say("Type help for what you can type.", "dim")
        try:
            while not match.over:
                self._print_story()
                if self.table.time_up():
                    continue
                bot = self.table.next_bot()
                if bot is not None and not self._may_speak():
                    with self.screen.thinking(self.names[bot]):
                        self.table.move_bot(bot)
                else:
                    self._ask()
        except (Left, KeyboardInterrupt):
            self._leave()
            return 0
        self._print_story()
        self._show_result()
        return 0

    def _print_story(self) -> None:
        """Print what has happened since the last call."""
        for sentence in self.table.sentences_for(self.seat, self._told):
            self.screen.say(sentence, indent="  ", later="    ")
        self._told = len(self.table.story)

    def _may_speak(self) -> bool:
        """Whether to ask the player although a bot is to move, because they may act out of turn."""
        fresh = self.table.may_speak(self.seat)
        match = self.table.match
        return fresh or (self.stops and self.seat not in match.waiting() and bool(match.legal(self.seat)))

    def _ask(self) -> None:
        """Show the table and let the player move, or let the others play on."""
        match, game = self.table.match, self.table.game
        must = self.seat in match.waiting()
        self.screen.rule("Your turn" if must else "You may do something")
        self._show_news()
        prompt = prompt_for(game, match.state, self.names, self.seat)
        self.screen.say()
        self.screen.say(f"{prompt.text} ({', '.join(prompt.rules)})" if prompt.rules else prompt.text, "bold")
        choices = Choices(legal_moves(game, match.state, self.names, self.seat))
        self._list(choices.overview())
        if not must:
            self.screen.say("go, or just Enter, lets the others play on.", "dim")
        before = match.moment
        while match.moment == before:
            try:
                typed = self._read()
            except TimeUp:
                self.table.time_up()
                return
            try:
                if not typed and choices.single is not None:
                    self._play(choices.single)
                elif not must and typed in ("", "go"):
                    self._skip()
                    return
                else:
                    self._execute(typed, choices)
            except Refusal as refusal:
                self.screen.say(str(refusal), "red")

    def _skip(self) -> None:
        """Let a bot move, so that the player is not asked about the same position again."""
        bot = self.table.next_bot()
        if bot is not None:
            with self.screen.thinking(self.names[bot]):
                self.table.move_bot(bot)

    def _execute(self, typed: str, choices: Choices) -> None:
        """Carry out a command, or make or list the moves that were typed."""
        word, _, rest = typed.partition(" ")
        rest = rest.strip()
        commands: dict[str, Callable[[], None]] = {
            "help": self._help,
            "?": self._help,
            "hint": self._hint,
            "undo": self._undo,
            "rules": lambda: self._rules(rest),
            "log": lambda: self._log(rest == "all"),
            "save": lambda: self._save(rest),
            "table": lambda: self._show_table(rest),
            "moves": lambda: self._list(choices.everything()),
            "quit": self._quit,
        }
        if word in commands:
            commands[word]()
        elif typed.startswith("{"):
            self._play(_named(typed))
        elif typed.isdecimal():
            self._play(choices.number(typed))
        elif typed:
            found = choices.filter(typed.removeprefix("/"))
            if found:
                self._list(found)
            else:
                raise self._no_such_move(word, typed)

    def _no_such_move(self, word: str, typed: str) -> Refusal:
        """Why no move matches what was typed. If it is a known verb, the referee gives the reason."""
        game, state = self.table.game, self.table.match.state
        verb = game.moves.verbs.get(word)
        if verb is not None:
            objection = game.objection(state, self.seat, verb.first)
            if objection is not None:
                return Refusal("not-legal", objection.reason, objection.rule)
        return Refusal("unknown-move", f"No move you can make now contains {short(typed)}. Type moves or help.")

    def _play(self, named: object) -> None:
        self.table.play(self.seat, named)
        self._moved = True

    def _list(self, lines: list[Line]) -> None:
        room = max((len(line.label) for line in lines), default=0) + 2
        for label, text in lines:
            if label:
                self.screen.say(text, indent=f"{label:>{room}}  ", later=" " * (room + 2))
            else:
                self.screen.say(text, "dim")

    def _show_news(self) -> None:
        """Show the parts of the table that have changed since they were last shown."""
        for section in self._sections():
            if section.lines and not section.detail and self._shown.get(section.title) != section.lines:
                self._shown[section.title] = section.lines
                self._show(section)
        left = self.table.seconds_left()
        if left is not None:
            self.screen.say(f"The clock: {_time(left)} left.", "yellow")

    def _show_table(self, word: str) -> None:
        """Show the whole table, or only the parts that contain a word."""
        wanted = fold(word)
        for section in self._sections():
            lines = section.lines
            if wanted:
                lines = [part for line in lines for part in line.split("; ") if wanted in fold(part)]
            if lines:
                self._show(section._replace(lines=lines))

    def _sections(self) -> list[Section]:
        view = self.table.game.view(self.table.match.state, self.seat)
        return sections_of(self.table.game, view, self.names, self.seat)

    def _show(self, section: Section) -> None:
        self.screen.say(section.title, "bold cyan")
        for line in layout(section, self.screen.width):
            self.screen.line(line)

    def _show_result(self) -> None:
        game, state = self.table.game, self.table.match.state
        self.screen.rule("The game is over")
        self.screen.say(prompt_for(game, state, self.names, self.seat).text, "bold")
        for row in final_of(game, state):
            score = row.outcome if row.score is None else f"{row.score:g}"
            won = ", won" if row.won else ""
            self.screen.say(f"{'You' if row.seat == self.seat else self.names[row.seat]}: {score}{won}", "bold")
            for line in row.lines:
                self.screen.say(f"{line.label}: {line.value}", indent="  ", later="    ")
        if self.file is not None:
            self._write(self.file)
            self.screen.say(f"The match is saved: {self.file}")

    def _help(self) -> None:
        for command, text in HELP:
            self.screen.say(text, indent=f"{command:<14}", later=" " * 14)

    def _hint(self) -> None:
        match, game = self.table.match, self.table.game
        if self.seat not in match.waiting():
            raise Refusal("wrong-seat", "You can ask for a hint when it is your turn.")
        with self.screen.thinking("A hard bot"):
            advice = review.hint(Hard(HINT_TIME), game, match.state, self.seat, QuickDice(time.time_ns() % 2**62))
        self.screen.say("What a strong player would do, knowing only what you know:")
        for suggestion in advice.suggestions:
            words = with_names(game.describe_move(match.state, game.moves.name(suggestion.move)), self.names)
            share, cost = suggestion.share, suggestion.cost
            estimate = f"{share:.0%} sure" if cost is None else f"costs about {cost:.0%} win chance"
            self.screen.say(f"{words} ({estimate})", indent="  ", later="    ")
            if suggestion.why:
                self.screen.say(with_names(suggestion.why, self.names), "dim", indent="    ", later="    ")

    def _undo(self) -> None:
        self.table.undo(self.seat)

    def _rules(self, wanted: str) -> None:
        game = self.table.game
        book = parse(game.rulebook(), game.title)
        if wanted == "all":
            self.screen.rules(game.rulebook())
        elif not wanted:
            rules = prompt_for(game, self.table.match.state, self.names, self.seat).rules
            for rule in rules:
                self.screen.rules(paragraph(game, rule))
            titles = ", ".join(section.title for section in book.sections)
            self.screen.say(f"The rulebook has: {titles}. Type rules all, rules 14, or rules WORD.", "dim")
        elif any(letter.isdecimal() for letter in wanted):
            self.screen.rules(paragraph(game, wanted))
        else:
            found = [each for each in book.paragraphs() if wanted.lower() in each.source.lower()]
            if not found:
                raise Refusal("unknown-paragraph", f"No paragraph contains {short(wanted)}.")
            for each in found:
                self.screen.rules(each.source)

    def _log(self, everything: bool) -> None:
        told = self.table.sentences_for(self.seat)
        for sentence in told if everything else told[-LAST_LINES:]:
            self.screen.say(sentence, indent="  ", later="    ")

    def _save(self, name: str) -> None:
        file = Path(name).with_suffix(".tour") if name else self.file
        if file is None:
            raise Refusal("bad-file", "Name a file: save my-match.tour")
        if file.exists() and file != self.file:
            raise Refusal("bad-file", f"The file {file} exists already: choose another name.")
        self._write(file)
        self.file = file
        self.screen.say(f"Saved. To continue: grandtour play --resume {file}")

    def _write(self, file: Path) -> None:
        try:
            file.write_text(self.table.save(), "utf-8")
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not a valid name for a file"
            raise Refusal("bad-file", f"{file} cannot be written: {why}.") from None

    def _quit(self) -> None:
        raise Left

    def _leave(self) -> None:
        """Save the match if any move has been made, and print how to continue it."""
        self.screen.say()
        if not self._moved and self.file is None:
            self.screen.say("Goodbye.")
            return
        stamp = time.strftime("%Y%m%d-%H%M%S")
        file = self.file or Path(f"{self.table.game.name}-{stamp}.tour")
        try:
            self._write(file)
        except Refusal as refusal:
            self.screen.say(f"Goodbye. The match is not saved: {refusal}")
            return
        self.screen.say(f"Goodbye. The match is saved. To continue: grandtour play --resume {file}")

    def _read(self) -> str:
        """Read a line from the player. The end of the input means leaving. The game's clock may run out meanwhile."""
        with _alarm(self.table.seconds_left()):
            try:
                if self.screen.plain:
                    print("> ", end="", flush=True)
                    line = sys.stdin.readline()
                    if not line:
                        raise EOFError
                    if not sys.stdin.isatty():
                        # Input from a pipe is not visible on the screen, so it is printed.
                        print(line.strip())
                    return line.strip()
                return self.screen.console.input(Text("> ", "bold green")).strip()
            except EOFError:
                raise Left from None
            except UnicodeDecodeError:
                return "?"


@contextlib.contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Raise `TimeUp` in this block when the time has run out, on systems that support it."""
    able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not able:
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(0.001, seconds))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _named(typed: str) -> object:
    try:
        return json.loads(typed)
    except (ValueError, RecursionError):
        raise Refusal("malformed", 'This is not JSON. A move looks like {"do": "pass"}.') from None


def _time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
