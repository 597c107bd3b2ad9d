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

HARD_BUDGET: Final = "1000ms"
"""How long a hard bot thinks about a move, as at a table of the server."""
_BOT_SUFFIX: Final = re.compile(r" \((\w+) bot\)$")


class StoryEntry(NamedTuple):
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
        self.story: Final = [StoryEntry(events) for _, events, _ in match.steps()]
        """What has happened since the beginning, including moves that were taken back."""
        self._dice: Final = QuickDice(secrets.randbits(62) if seed is None else seed)
        self._now: Final = now
        self._offered_verbs: Final[dict[int, set[str]]] = {}
        self._clock_run: int | None = None
        self._clock_end = 0.0
        self._update_clock()

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
        """Whether a seat that the game does not wait for has a new kind of move since the last call, such as answering
        a question or buying what is offered."""
        if self.match.over or seat in self.match.waiting():
            return False
        verbs = {str(move["do"]) for move in self.match.legal(seat)}
        is_new = bool(verbs - self._offered_verbs.get(seat, set()))
        self._offered_verbs[seat] = verbs
        return is_new

    def think(self, seat: int) -> Named:
        """The move that the bot in this seat would make. It is not made."""
        bot = self.bots[seat]
        player = make(f"{bot}:{HARD_BUDGET}" if bot == Hard.name else bot)
        return self.game.moves.name(player.choose(self.game, self.match.state, seat, self._dice))

    def move_bot(self, seat: int) -> None:
        """Let the bot in this seat move."""
        self.play(seat, self.think(seat))

    def play(self, seat: int, named: object, at: int | None = None) -> None:
        """Make a move. A refusal changes nothing."""
        self.story.append(StoryEntry(self.match.play(seat, named, at)))
        self._update_clock()

    def undo(self, seat: int) -> None:
        """Take back the seat's last move, if nobody has moved since and it has shown nothing hidden."""
        self.match.undo(seat)
        self.story.append(StoryEntry([], f"{self.names[seat]} took back a move."))
        self._update_clock()

    def say(self, seat: int, text: str) -> None:
        """Say something to everyone at the table, unless the rules ask for silence."""
        silence = None if self.match.over else self.game.silent(self.match.state)
        if silence is not None and seat in silence["seats"]:
            raise Refusal("not-legal", silence["reason"], silence["rule"])
        self.story.append(StoryEntry([], f"{self.names[seat]} says: {text}"))

    def sentences_for(self, seat: int | None, since: int = 0) -> list[str]:
        """What has happened, in sentences for this seat."""
        lines = []
        for events, sentence in self.story[since:]:
            lines += [sentence] if sentence else sentences(self.game, shown_events(events, seat), self.names, seat)
        return lines

    def seconds_left(self) -> float | None:
        """The seconds until the clock runs out, or None if no clock is running."""
        return None if self._clock_run is None else max(0.0, self._clock_end - self._now())

    def time_up(self) -> bool:
        """Make the clock's move if it has run out. Returns whether it has."""
        if self.seconds_left() != 0:
            return False
        self.play(CLOCK, self.match.legal(CLOCK)[0])
        return True

    def save(self) -> str:
        """The match as a `.tour` file, from which `load_table` restores this table. It contains the dice."""
        return tour.save(self.match, self.names_and_bots())

    def names_and_bots(self) -> list[str]:
        """The names of the players. Those of bots include their strength."""
        return [f"{name} ({self.bots[at]} bot)" if at in self.bots else name for at, name in enumerate(self.names)]

    def _update_clock(self) -> None:
        """Start the game's current clock, unless it is running already."""
        clock = None if self.match.over else self.game.clock(self.match.state)
        if clock is None:
            self._clock_run = None
        elif clock["run"] != self._clock_run:
            self._clock_run = clock["run"]
            self._clock_end = self._now() + clock["seconds"]


def new_table(
    game: Game, seats: int, options: dict[str, object], seed: int | None, people: dict[int, str], bots: list[str]
) -> LocalTable:
    """A new table. `people` are names by seat; `bots` are the strengths of the others in order, the last one repeated.

    Without a seed the dice are sealed, as at a table of the server.
    """
    empty = [seat for seat in range(seats) if seat not in people]
    if len(bots) > max(1, len(empty)):
        raise Refusal("bad-options", f"There are {len(bots)} bots for {len(empty)} seats.")
    strengths = {seat: strength(bots[min(number, len(bots) - 1)]) for number, seat in enumerate(empty)}
    match_seed = secrets.token_bytes(SECRET_BYTES) if seed is None else seed
    match = Match(game, seats, options, match_seed)
    names: list[str] = []
    taken = list(people.values())
    for seat in range(seats):
        if seat in people:
            names.append(people[seat])
        else:
            taken.append(bot_name(taken))
            names.append(taken[-1])
    return LocalTable(match, names, strengths, seed)


def load_table(text: str) -> LocalTable:
    """The table saved in a `.tour` file. Bots are recognized by their names, which include their strength."""
    match, names = tour.load(text)
    found = {seat: _BOT_SUFFIX.search(name) for seat, name in enumerate(names)}
    bots = {seat: bot[1] for seat, bot in found.items() if bot is not None and bot[1] in STRENGTHS}
    return LocalTable(match, [_BOT_SUFFIX.sub("", name) if at in bots else name for at, name in enumerate(names)], bots)
