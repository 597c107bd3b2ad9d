"""Plays a game many times with bots in its seats.

The same plan gives the same results with any number of processes: every game, and every player in it, has its own dice,
derived from the plan's seed and the game's number, and results are added up in the order of the games.
"""

from collections.abc import Callable
from contextlib import closing
from typing import NamedTuple

from grandtour.arena.executor import Executor, make_executor
from grandtour.arena.play import ProgramSettings, Seating, play_out, starting_position
from grandtour.arena.tally import NO_FORFEITS, GameResultByPlayer, Tally
from grandtour.engine.catalogue import game
from grandtour.engine.options import Options, check_options
from grandtour.engine.refusal import Refusal
from grandtour.players import make
from grandtour.players.pipe import DEADLINE, end_bots


class Plan(NamedTuple):
    """What to play. In game g, player i sits in seat (i + g) modulo the number of players."""

    game: str
    options: Options
    players: tuple[str, ...]
    games: int
    seed: int
    deadline: float = DEADLINE
    """Seconds per move for players that are external programs."""


def make_plan(
    name: str,
    players: list[str],
    games: int,
    seed: int,
    options: Options | None = None,
    deadline: float = DEADLINE,
) -> Plan:
    """Check and build a plan. External programs are started once as a check."""
    found = game(name)
    low, high = found.players
    if not low <= len(players) <= high:
        raise Refusal("bad-options", f"{found.title} is for {low} to {high} players, not {len(players)}.")
    for player in players:
        make(player, deadline).close()
    return Plan(found.name, check_options(found.options, options), tuple(players), games, seed, deadline)


class Simulation:
    """A running simulation. `tally` holds the totals of the games finished so far."""

    def __init__(self, plan: Plan, jobs: int = 1, executor: Executor | None = None) -> None:
        self.plan = plan
        self.executor = executor or make_executor(jobs)
        self.tally = Tally(len(plan.players))

    def run(self, advance: Callable[[int], None]) -> None:
        """Play all games. `advance` is called with the number of games that have just finished.

        After an interruption, `tally` holds every finished game.
        """
        early: dict[int, GameResultByPlayer] = {}
        following = 0
        work = self.executor.run(play_game, self.plan, range(self.plan.games))
        try:
            with closing(work):
                for done in work:
                    early.update(done)
                    while following in early:
                        self.tally.add_all([early.pop(following)])
                        following += 1
                    advance(len(done))
        finally:
            end_bots()
            self.tally.add_all(early[number] for number in sorted(early))


def seating_of(plan: Plan, index: int) -> Seating:
    """The seating of game number `index`."""
    count = len(plan.players)
    return Seating(index, tuple((seat - index) % count for seat in range(count)))


def play_game(plan: Plan, index: int) -> GameResultByPlayer:
    """Play game number `index` of a plan. The result depends on nothing else."""
    found = game(plan.game)
    seating = seating_of(plan, index)
    state = starting_position(found, plan.options, plan.seed, seating)
    result = play_out(
        found, state, plan.players, plan.seed, seating, programs=ProgramSettings(plan.options, plan.deadline)
    )
    count = len(plan.players)
    shares, scores = [0.0] * count, [0.0] * count
    forfeits = [NO_FORFEITS] * len(result.forfeits)
    for seat, player in enumerate(seating.players):
        shares[player] = result.shares[seat]
        scores[player] = result.scores[seat]
        if forfeits:
            forfeits[player] = result.forfeits[seat]
    return GameResultByPlayer(result.moves, tuple(shares), tuple(scores), tuple(forfeits))
