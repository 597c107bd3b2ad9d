"""Play a game many times with bots in its seats.

The same plan gives the same results with any number of processes: every game has dice of its own, made from the
plan's seed and the game's number, and so has every player in it; and sums are added up in the order of the games.
"""

import hashlib
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import NamedTuple

from grandtour.arena.tally import Played, Tally
from grandtour.engine.catalogue import game
from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.options import Options, check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.players import make, speakers
from grandtour.players.thinking import begin

PORTION = 20
"""Games that a process plays before it reports: few, so that little is lost when the run is stopped."""

RANDOM = "random"

Portion = range


class Plan(NamedTuple):
    """What is to be played. Player i of game g sits in seat (i + g) modulo the number of players."""

    game: str
    options: Options
    players: tuple[str, ...]
    games: int
    seed: int


def make_plan(name: str, players: list[str], games: int, seed: int, options: Options | None = None) -> Plan:
    """A plan that can be carried out; a refusal for any other."""
    found = game(name)
    low, high = found.players
    if not low <= len(players) <= high:
        raise Refusal("bad-options", f"{found.title} is for {low} to {high} players, not {len(players)}.")
    for player in players:
        make(player)
    return Plan(found.name, check_options(found.options, options), tuple(players), games, seed)


class Simulation:
    """A plan being carried out. `tally` is what is known so far, whole games only."""

    def __init__(self, plan: Plan, jobs: int = 1) -> None:
        self.plan = plan
        self.jobs = jobs
        self.tally = Tally(len(plan.players))
        self._early: dict[int, list[Played]] = {}

    def run(self, advance: Callable[[int], None]) -> None:
        """Play everything; `advance` is told how many more games are done.

        When it is interrupted, `tally` holds the games that were finished.
        """
        try:
            if self.jobs == 1:
                self._run_here(advance)
            else:
                self._run_in_processes(advance)
        finally:
            for number in sorted(self._early):
                self.tally.add_all(self._early.pop(number))

    def _portions(self) -> Iterator[Portion]:
        for first in range(0, self.plan.games, PORTION):
            yield range(first, min(first + PORTION, self.plan.games))

    def _run_here(self, advance: Callable[[int], None]) -> None:
        for portion in self._portions():
            done = self._early.setdefault(portion.start, [])
            for index in portion:
                done.append(play_game(self.plan, index))
                advance(1)
            self.tally.add_all(self._early.pop(portion.start))

    def _run_in_processes(self, advance: Callable[[int], None]) -> None:
        # Spawned, not forked: the same on every system, and no thread of the progress bar is copied.
        context = multiprocessing.get_context("spawn")
        before = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(self.jobs, context, initializer=begin)
        try:
            self._share_out(pool, advance)
        except BaseException:
            for worker in set(multiprocessing.active_children()) - before:
                worker.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _share_out(self, pool: ProcessPoolExecutor, advance: Callable[[int], None]) -> None:
        portions = self._portions()
        running: dict[Future[list[Played]], int] = {}
        folded = 0
        while True:
            for portion in portions:
                running[pool.submit(play_portion, self.plan, portion)] = portion.start
                if len(running) >= 3 * self.jobs:
                    break
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                games = future.result()
                self._early[running.pop(future)] = games
                advance(len(games))
            while folded in self._early:
                self.tally.add_all(self._early.pop(folded))
                folded += PORTION


def play_portion(plan: Plan, portion: Portion) -> list[Played]:
    return [play_game(plan, index) for index in portion]


def play_game(plan: Plan, index: int) -> Played:
    """Game number `index` of a plan; it depends on nothing else."""
    found = game(plan.game)
    count = len(plan.players)
    state = found.new(count, plan.options, _dice(plan, index, "cards"))
    order = _dice(plan, index, "order")
    sitting = [(seat - index) % count for seat in range(count)]
    dice = [_dice(plan, index, f"player {player}") for player in sitting]
    if all(name == RANDOM for name in plan.players):
        moves = _play_at_random(state, dice, order)
    else:
        moves = _play(plan, state, sitting, dice, order)
    result, final = state.result(), found.final(state)
    assert result is not None
    shares, scores = [0.0] * count, [0.0] * count
    for seat, player in enumerate(sitting):
        shares[player] = result[seat]
        scores[player] = float(final[seat]["score"])
    return Played(moves, tuple(shares), tuple(scores))


def _play(plan: Plan, state: State, sitting: list[int], dice: list[Dice], order: Dice) -> int:
    found = game(plan.game)
    names = [plan.players[player] for player in sitting]
    players = [make(name) for name in names]
    moves = 0
    while waiting := speakers(found, state, names)[:1] or state.waiting():
        seat = waiting[0] if len(waiting) == 1 else waiting[order.below(len(waiting))]
        move = players[seat].choose(found, state, seat, dice[seat])
        if move not in state.legal(seat):
            raise RuntimeError(f"the player {plan.players[sitting[seat]]} made a move that is not legal")
        state.play(seat, move)
        moves += 1
    return moves


def _play_at_random(state: State, dice: list[Dice], order: Dice) -> int:
    """What `_play` does when everybody is the random player, without asking anybody."""
    moves = 0
    while waiting := state.waiting():
        seat = waiting[0] if len(waiting) == 1 else waiting[order.below(len(waiting))]
        legal = state.legal(seat)
        state.play(seat, legal[dice[seat].below(len(legal))])
        moves += 1
    return moves


def _dice(plan: Plan, index: int, purpose: str) -> Dice:
    text = f"{plan.seed} {index} {purpose}"
    return QuickDice(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little"))
