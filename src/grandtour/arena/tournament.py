"""A tournament: a field of players, every grouping and every seating of it on the same deals.

The same plan gives the same standings wherever and in whatever order its games are played, and however often it was
interrupted: a game depends on its deal and its seating alone, and deals are counted in their order.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from grandtour import __version__
from grandtour.arena.keeping import Keeper, Log
from grandtour.arena.ledger import Ledger
from grandtour.arena.pairing import Schedule
from grandtour.arena.playing import Ended, Programs, Seating, deal_out, play_out
from grandtour.arena.standings import Standings
from grandtour.arena.workplace import Workplace
from grandtour.engine.catalogue import game
from grandtour.engine.options import Options, check_options
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.state import State
from grandtour.players import is_program, make
from grandtour.players.pipe import DEADLINE

ALL_PLAYED, DECIDED, INTERRUPTED = "all games", "decided", "interrupted"


class Plan(NamedTuple):
    """Which tournament it is. How many games of it are played, and where, is another matter."""

    game: str
    options: Options
    players: tuple[str, ...]
    seats: int
    seed: int
    record: bool = False
    """Whether the moves are wanted too."""
    deadline: float = DEADLINE
    """Seconds for a move of a player that is a program."""
    programs: tuple[tuple[str, str], ...] = ()
    """The players that are programs, each with the mark of its file."""

    def header(self) -> dict[str, Any]:
        """What makes this tournament another than others: its results go with no other version of Grand Tour, of the
        rules, or of a program in the field either."""
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
        """The beginning of file names that no other tournament has."""
        return f"{self.game}-{_mark(json.dumps(self.header(), sort_keys=True).encode())}"

    def default_file(self) -> Path:
        return Path(f"tournament-{self.stem()}.jsonl")


def _mark(data: bytes) -> str:
    """Eight digits that other data does not have, most likely."""
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
    """A plan that can be carried out; a refusal for any other. Programs are started to see whether they can be."""
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
        raise Refusal("bad-options", f"{short(twice)} is in the field twice: nobody could tell the two apart.")
    programs = tuple((player, _mark(Path(player).read_bytes())) for player in players if is_program(player))
    checked = check_options(found.options, options)
    return Plan(found.name, checked, tuple(players), seats, seed, record, deadline, programs)


class Outcome(NamedTuple):
    ended: Ended
    log: Log | None


def play(plan: Plan, seating: Seating) -> Outcome:
    """One game of a tournament; it depends on nothing else."""
    found = game(plan.game)
    state = deal_out(found, plan.options, plan.seed, seating)
    programs = Programs(plan.options, plan.deadline)
    if not plan.record:
        return Outcome(play_out(found, state, plan.players, plan.seed, seating, programs=programs), None)
    log: Log = []

    def note(_: State, seat: int, move: int, __: list[int]) -> None:
        log.append((seat, move))

    return Outcome(play_out(found, state, plan.players, plan.seed, seating, note, programs), log)


class Tournament:
    """A plan being carried out. `standings` are what is known so far, whole deals only; `why` says why it ended."""

    def __init__(
        self, plan: Plan, games: int, ledger: Ledger, workplace: Workplace, until_decided: bool = False
    ) -> None:
        self.plan = plan
        self.ledger = ledger
        self.workplace = workplace
        self.until_decided = until_decided
        self.keeper: Keeper | None = None
        self.team = game(plan.game).team
        self.standings = Standings(len(plan.players), self.team, until_decided)
        self.schedule = Schedule(len(plan.players), plan.seats, plan.seed, self.team)
        self.deals = self.schedule.deals(games)
        self.planned = self.schedule.count(self.deals)
        self.resumed = sum(1 for seating in ledger.games if seating.deal < self.deals)
        self.played = 0
        self.why = INTERRUPTED
        self._ended: dict[Seating, Outcome] = {s: Outcome(e, None) for s, e in ledger.games.items()}

    def run(self, advance: Callable[[], None]) -> None:
        """Play what is missing until all is played, or decided; `advance` is told now and then that there is more."""
        try:
            self._go(advance)
        finally:
            self.ledger.close()

    def _go(self, advance: Callable[[], None]) -> None:
        if self._count_deals():
            return
        with closing(self.workplace.each(play, self.plan, self._missing())) as work:
            for done in work:
                self.ledger.add([(seating, outcome.ended) for seating, outcome in done])
                self._ended.update(done)
                self.played += len(done)
                if self._count_deals():
                    return
                advance()

    def _missing(self) -> Iterator[Seating]:
        return (seating for seating in self.schedule.games(self.deals) if seating not in self.ledger.games)

    def _count_deals(self) -> bool:
        """Count the deals that are whole, in order; whether that is the end."""
        while self.standings.deals < self.deals:
            games = self.schedule.deal(self.standings.deals)
            if any(seating not in self._ended for seating in games):
                return False
            outcomes = [(seating, self._ended.pop(seating)) for seating in games]
            self.standings.add([(seating, outcome.ended) for seating, outcome in outcomes])
            if self.keeper:
                for seating, outcome in outcomes:
                    self.keeper.consider(seating, outcome.ended, outcome.log)
            if self.until_decided and self.standings.all_decided():
                self.why = DECIDED
                return True
        self.why = ALL_PLAYED
        return True
