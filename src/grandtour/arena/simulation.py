"""Play a game many times with bots in its seats.

The same plan gives the same results with any number of processes: every game has dice of its own, made from the
plan's seed and the game's number, and so has every player in it; and sums are added up in the order of the games.
"""

from collections.abc import Callable
from contextlib import closing
from typing import NamedTuple

from grandtour.arena.playing import Programs, Seating, deal_out, play_out
from grandtour.arena.tally import NO_FORFEITS, Played, Tally
from grandtour.arena.workplace import Workplace, find_workplace
from grandtour.engine.catalogue import game
from grandtour.engine.options import Options, check_options
from grandtour.engine.refusal import Refusal
from grandtour.players import make
from grandtour.players.pipe import DEADLINE, end_bots


class Plan(NamedTuple):
    """What is to be played. Player i of game g sits in seat (i + g) modulo the number of players."""

    game: str
    options: Options
    players: tuple[str, ...]
    games: int
    seed: int
    deadline: float = DEADLINE
    """Seconds for a move of a player that is a program."""


def make_plan(
    name: str,
    players: list[str],
    games: int,
    seed: int,
    options: Options | None = None,
    deadline: float = DEADLINE,
) -> Plan:
    """A plan that can be carried out; a refusal for any other. Programs are started to see whether they can be."""
    found = game(name)
    low, high = found.players
    if not low <= len(players) <= high:
        raise Refusal("bad-options", f"{found.title} is for {low} to {high} players, not {len(players)}.")
    for player in players:
        make(player, deadline).close()
    return Plan(found.name, check_options(found.options, options), tuple(players), games, seed, deadline)


class Simulation:
    """A plan being carried out. `tally` is what is known so far, whole games only."""

    def __init__(self, plan: Plan, jobs: int = 1, workplace: Workplace | None = None) -> None:
        self.plan = plan
        self.workplace = workplace or find_workplace(jobs)
        self.tally = Tally(len(plan.players))

    def run(self, advance: Callable[[int], None]) -> None:
        """Play everything; `advance` is told how many more games are done.

        When it is interrupted, `tally` holds the games that were finished.
        """
        early: dict[int, Played] = {}
        following = 0
        work = self.workplace.each(play_game, self.plan, range(self.plan.games))
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
    """Who sits where in game number `index`."""
    count = len(plan.players)
    return Seating(index, tuple((seat - index) % count for seat in range(count)))


def play_game(plan: Plan, index: int) -> Played:
    """Game number `index` of a plan; it depends on nothing else."""
    found = game(plan.game)
    seating = seating_of(plan, index)
    state = deal_out(found, plan.options, plan.seed, seating)
    ended = play_out(found, state, plan.players, plan.seed, seating, programs=Programs(plan.options, plan.deadline))
    count = len(plan.players)
    shares, scores = [0.0] * count, [0.0] * count
    forfeits = [NO_FORFEITS] * len(ended.forfeits)
    for seat, player in enumerate(seating.players):
        shares[player] = ended.shares[seat]
        scores[player] = ended.scores[seat]
        if forfeits:
            forfeits[player] = ended.forfeits[seat]
    return Played(ended.moves, tuple(shares), tuple(scores), tuple(forfeits))
