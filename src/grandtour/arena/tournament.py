"""A tournament: every grouping of the players in every seating, on the same deals.

The same plan gives the same standings wherever and in whatever order its games are played, and however often it was
interrupted: a game depends only on its deal and its seating, and deals are counted in order.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from grandtour import __version__
from grandtour.arena.executor import Executor
from grandtour.arena.pairing import Schedule
from grandtour.arena.play import GameResult, ProgramSettings, Seating, play_out, starting_position
from grandtour.arena.results import ResultsFile
from grandtour.arena.save_matches import Log, MatchSaver
from grandtour.arena.standings import Standings
from grandtour.engine.catalogue import game
from grandtour.engine.options import Options, check_options
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.state import State
from grandtour.players import is_program, make
from grandtour.players.pipe import DEADLINE

ALL_PLAYED, DECIDED, INTERRUPTED = "all games", "decided", "interrupted"


class Plan(NamedTuple):
    """Everything that identifies a tournament. The number of games and where they are played are not part of it."""

    game: str
    options: Options
    players: tuple[str, ...]
    seats: int
    seed: int
    record: bool = False
    """Whether to record the moves."""
    deadline: float = DEADLINE
    """Seconds per move for players that are external programs."""
    programs: tuple[tuple[str, str], ...] = ()
    """The players that are external programs, each with the fingerprint of its file."""

    def header(self) -> dict[str, Any]:
        """The fields that distinguish this tournament from others. They include the versions of Grand Tour, the rules
        and external programs, because results of different versions must not be mixed."""
        return {
            "version": __version__,
            "rules": game(self.game).version,
            "game": self.game,
            "options": self.options,
            "players": list(self.players),
            "seats": self.seats,
            "seed": self.seed,
            **({"programs": dict(self.programs), "deadline": self.deadline} if self.programs else {}),
        }

    def stem(self) -> str:
        """A prefix for file names, unique to this tournament."""
        return f"{self.game}-{_fingerprint(json.dumps(self.header(), sort_keys=True).encode())}"

    def default_file(self) -> Path:
        return Path(f"tournament-{self.stem()}.jsonl")


def _fingerprint(data: bytes) -> str:
    """A short hash: eight hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()[:8]


def make_plan(
    name: str,
    players: list[str],
    seats: int | None,
    seed: int,
    options: Options | None = None,
    record: bool = False,
    deadline: float = DEADLINE,
) -> Plan:
    """Check and build a plan. External programs are started once as a check."""
    found = game(name)
    low, high = found.players
    seats = low if seats is None else seats
    if not low <= seats <= high:
        raise Refusal("bad-options", f"A table of {found.title} has {low} to {high} seats, not {seats}.")
    for player in players:
        make(player, deadline).close()
    if len(players) < 2:
        raise Refusal("bad-options", "A tournament needs two players or more.")
    twice = next((player for player in players if players.count(player) > 1), None)
    if twice is not None:
        raise Refusal("bad-options", f"{short(twice)} is listed twice: the two could not be distinguished.")
    programs = tuple((player, _fingerprint(Path(player).read_bytes())) for player in players if is_program(player))
    checked = check_options(found.options, options)
    return Plan(found.name, checked, tuple(players), seats, seed, record, deadline, programs)


class Outcome(NamedTuple):
    result: GameResult
    log: Log | None


def play(plan: Plan, seating: Seating) -> Outcome:
    """Play one game of a tournament. The result depends on nothing else."""
    found = game(plan.game)
    state = starting_position(found, plan.options, plan.seed, seating)
    programs = ProgramSettings(plan.options, plan.deadline)
    if not plan.record:
        return Outcome(play_out(found, state, plan.players, plan.seed, seating, programs=programs), None)
    log: Log = []

    def on_move(_: State, seat: int, move: int, __: list[int]) -> None:
        log.append((seat, move))

    return Outcome(play_out(found, state, plan.players, plan.seed, seating, on_move, programs), log)


class Tournament:
    """A running tournament. `standings` covers the complete deals so far; `end_reason` says why it ended."""

    def __init__(
        self, plan: Plan, games: int, results_file: ResultsFile, executor: Executor, until_decided: bool = False
    ) -> None:
        self.plan = plan
        self.results_file = results_file
        self.executor = executor
        self.until_decided = until_decided
        self.saver: MatchSaver | None = None
        self.team = game(plan.game).team
        self.standings = Standings(len(plan.players), self.team, until_decided)
        self.schedule = Schedule(len(plan.players), plan.seats, plan.seed, self.team)
        self.deals = self.schedule.deals(games)
        self.planned = self.schedule.count(self.deals)
        self.resumed = sum(1 for seating in results_file.games if seating.deal < self.deals)
        self.played = 0
        self.end_reason = INTERRUPTED
        self._ended: dict[Seating, Outcome] = {s: Outcome(e, None) for s, e in results_file.games.items()}

    def run(self, advance: Callable[[], None]) -> None:
        """Play the missing games until all are played or the ranking is decided. Calls `advance` after each batch."""
        try:
            self._play_missing(advance)
        finally:
            self.results_file.close()

    def _play_missing(self, advance: Callable[[], None]) -> None:
        if self._count_deals():
            return
        with closing(self.executor.run(play, self.plan, self._missing())) as work:
            for done in work:
                self.results_file.add([(seating, outcome.result) for seating, outcome in done])
                self._ended.update(done)
                self.played += len(done)
                if self._count_deals():
                    return
                advance()

    def _missing(self) -> Iterator[Seating]:
        return (seating for seating in self.schedule.games(self.deals) if seating not in self.results_file.games)

    def _count_deals(self) -> bool:
        """Add complete deals to the standings, in order; return whether the tournament is over."""
        while self.standings.deals < self.deals:
            games = self.schedule.deal(self.standings.deals)
            if any(seating not in self._ended for seating in games):
                return False
            outcomes = [(seating, self._ended.pop(seating)) for seating in games]
            self.standings.add([(seating, outcome.result) for seating, outcome in outcomes])
            if self.saver:
                for seating, outcome in outcomes:
                    self.saver.consider(seating, outcome.result, outcome.log)
            if self.until_decided and self.standings.all_decided():
                self.end_reason = DECIDED
                return True
        self.end_reason = ALL_PLAYED
        return True
