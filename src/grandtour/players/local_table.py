"""A table in this process: a match, people in some of its seats and bots in the others."""

import re
import secrets
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from grandtour.engine import tour
from grandtour.engine.dice import SECRET_BYTES, QuickDice
from grandtour.engine.events import Event
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import CLOCK
from grandtour.engine.vocabulary import Named
from grandtour.players import STRENGTHS, make, speakers, strength
from grandtour.players.hard import Hard
from grandtour.players.names import bot_name
from grandtour.protocol.position import sentences, shown_events

THOUGHT: Final = "1000ms"
"""How long a hard bot thinks about a move, as at a table of the server."""
_BOT: Final = re.compile(r" \((\w+) bot\)$")


class Told(NamedTuple):
    """Something that happened: events of the game, or a sentence for everyone."""

    events: list[Event]
    sentence: str = ""


class LocalTable:
    """A match and those who play it. `bots` are the strengths of the bots by seat; people have the other seats."""

    def __init__(
        self,
        match: Match,
        names: list[str],
        bots: dict[int, str],
        seed: int | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.match: Final = match
        self.names: Final = names
        self.bots: Final = {seat: strength(bot) for seat, bot in bots.items()}
        self.story: Final = [Told(events) for _, events, _ in match.steps()]
        """What has happened since the beginning, moves taken back included."""
        self._dice: Final = QuickDice(secrets.randbits(62) if seed is None else seed)
        self._now: Final = now
        self._could: Final[dict[int, set[str]]] = {}
        self._run: int | None = None
        self._until = 0.0
        self._wind()

    @property
    def game(self) -> Game:
        return self.match.game

    def next_bot(self) -> int | None:
        """The seat of the bot that moves next: one that wants to speak out of turn, or one the game waits for."""
        if self.match.over:
            return None
        players = [self.bots.get(seat) for seat in range(self.match.seats)]
        seats = [*speakers(self.game, self.match.state, players), *self.match.waiting()]
        return next((seat for seat in seats if seat in self.bots), None)

    def may_speak(self, seat: int) -> bool:
        """Whether a seat that the game does not wait for can do something that it could not do when this was asked
        last: answer a question, buy what is offered."""
        if self.match.over or seat in self.match.waiting():
            return False
        verbs = {str(move["do"]) for move in self.match.legal(seat)}
        fresh = verbs - self._could.get(seat, set())
        self._could[seat] = verbs
        return bool(fresh)

    def think(self, seat: int) -> Named:
        """The move that the bot in this seat makes here; nothing changes."""
        bot = self.bots[seat]
        player = make(f"{bot}:{THOUGHT}" if bot == Hard.name else bot)
        return self.game.moves.name(player.choose(self.game, self.match.state, seat, self._dice))

    def move_bot(self, seat: int) -> None:
        """Let the bot in this seat move."""
        self.play(seat, self.think(seat))

    def play(self, seat: int, named: object, at: int | None = None) -> None:
        """Make a move. A refusal changes nothing."""
        self.story.append(Told(self.match.play(seat, named, at)))
        self._wind()

    def undo(self, seat: int) -> None:
        """Take back the seat's last move, if nobody has moved since and it has shown nothing hidden."""
        self.match.undo(seat)
        self.story.append(Told([], f"{self.names[seat]} took back a move."))
        self._wind()

    def say(self, seat: int, text: str) -> None:
        """Say something to everyone at the table, unless the rules ask for silence."""
        silence = None if self.match.over else self.game.silent(self.match.state)
        if silence is not None and seat in silence["seats"]:
            raise Refusal("not-legal", silence["reason"], silence["rule"])
        self.story.append(Told([], f"{self.names[seat]} says: {text}"))

    def told(self, seat: int | None, since: int = 0) -> list[str]:
        """What has happened, in sentences for this seat."""
        told = []
        for events, sentence in self.story[since:]:
            told += [sentence] if sentence else sentences(self.game, shown_events(events, seat), self.names, seat)
        return told

    def seconds_left(self) -> float | None:
        """Until the clock runs out; None when none runs."""
        return None if self._run is None else max(0.0, self._until - self._now())

    def time_up(self) -> bool:
        """Whether the clock has run out; then its move is made."""
        if self.seconds_left() != 0:
            return False
        self.play(CLOCK, self.match.legal(CLOCK)[0])
        return True

    def save(self) -> str:
        """The match as a `.tour` file, from which `resumed` makes this table again. It holds the dice."""
        return tour.save(self.match, self.names_and_bots())

    def names_and_bots(self) -> list[str]:
        """The names of the players; those of bots say how strong they are."""
        return [f"{name} ({self.bots[at]} bot)" if at in self.bots else name for at, name in enumerate(self.names)]

    def _wind(self) -> None:
        """Start the clock that runs now, unless it runs already."""
        clock = None if self.match.over else self.game.clock(self.match.state)
        if clock is None:
            self._run = None
        elif clock["run"] != self._run:
            self._run = clock["run"]
            self._until = self._now() + clock["seconds"]


def opened(
    game: Game, seats: int, options: dict[str, object], seed: int | None, people: dict[int, str], bots: list[str]
) -> LocalTable:
    """A new table. `people` are names by seat; `bots` are the strengths of the others in order, the last one repeated.

    Without a seed the dice are sealed, as at a table of the server.
    """
    empty = [seat for seat in range(seats) if seat not in people]
    if len(bots) > max(1, len(empty)):
        raise Refusal("bad-options", f"There are {len(bots)} bots for {len(empty)} seats.")
    placed = {seat: strength(bots[min(number, len(bots) - 1)]) for number, seat in enumerate(empty)}
    chance = secrets.token_bytes(SECRET_BYTES) if seed is None else seed
    match = Match(game, seats, options, chance)
    names: list[str] = []
    taken = list(people.values())
    for seat in range(seats):
        if seat in people:
            names.append(people[seat])
        else:
            taken.append(bot_name(taken))
            names.append(taken[-1])
    return LocalTable(match, names, placed, seed)


def resumed(text: str) -> LocalTable:
    """The table of a `.tour` file. Bots are known by their names, which say how strong they are."""
    match, names = tour.load(text)
    found = {seat: _BOT.search(name) for seat, name in enumerate(names)}
    bots = {seat: bot[1] for seat, bot in found.items() if bot is not None and bot[1] in STRENGTHS}
    return LocalTable(match, [_BOT.sub("", name) if at in bots else name for at, name in enumerate(names)], bots)
