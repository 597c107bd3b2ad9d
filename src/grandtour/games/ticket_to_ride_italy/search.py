# compiled
"""How the hard player thinks ahead: whole games, played out in imagined worlds.

It lists what the normal bot would do, and what else it could try: build another path first, take a ferry card, draw
tickets. Every intention is tried in the same imagined worlds, where all seats then play like the normal bot until the
end. The worst are dropped round by round, so that the better ones are tried more often. It departs from the normal
bot's move only if another did significantly better."""

from math import exp, sqrt
from time import perf_counter
from typing import Final

from librt.vecs import append
from mypy_extensions import i64

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.game import SearchHooks
from grandtour.games.ticket_to_ride_italy import parts
from grandtour.games.ticket_to_ride_italy.bot import UNKNOWN, Thought, choose, keep, next_way, unmet
from grandtour.games.ticket_to_ride_italy.mechanics.board import FIRST, GROUP, LENGTH, ONE
from grandtour.games.ticket_to_ride_italy.parts import FIRST_KEPT, GROUPS
from grandtour.games.ticket_to_ride_italy.rules import DRAW_TICKETS, FERRY, State
from grandtour.games.ticket_to_ride_italy.state import STEP_ACT, STEP_CHOOSE, STEP_KEEP, STEP_OVER
from grandtour.games.ticket_to_ride_italy.strategy.plan import Plan, Planner, turns_left, worth_of

MOST_WAYS: Final = 6
"""The number of other paths to try."""
CERTAIN: Final = 1.5
"""The number of standard errors by which another intention must beat the normal bot's."""
FEWEST: Final = 4
"""The number of worlds needed to judge that."""
LEAD: Final = 12.0
"""With a lead of this many points, a win is e times as likely as a loss."""


class Mind:
    """A seat in an imagined world: it plays like the normal bot, but may have to build a given path first."""

    def __init__(self, way: Plan) -> None:
        self.plan: Plan = way
        self.bound: bool = len(way.routes) > 0
        self.trains: i64 = -1  # when it last made a plan
        self.promised: i64 = UNKNOWN

    def choose(self, state: State, seat: i64) -> i64:
        """The normal bot's move, except that the second card is for the same path as the first."""
        if state.step == STEP_CHOOSE:
            return keep(state, seat, state.held[seat], FIRST_KEPT)
        if state.step == STEP_KEEP:
            return keep(state, seat, state.drawn, parts.LATER_KEPT)
        moves = state.legal_numbers(seat)
        if len(moves) == 1:
            return moves[0]
        if state.step == STEP_ACT or self.trains < 0:
            self._look_about(state, seat)
        thought = Thought(state, seat, moves, self.plan)
        thought.promised = self.promised
        best = thought.best()
        self.promised = thought.promised
        return best

    def _look_about(self, state: State, seat: i64) -> None:
        """The value of drawing tickets depends mostly on the seat's own network; the path to build depends on every
        card."""
        if state.trains[seat] != self.trains:
            self.trains = state.trains[seat]
            self.promised = UNKNOWN
        if self.bound:
            self._build_on(state, seat)
        if not self.bound:
            self.plan = next_way(state, seat)

    def _build_on(self, state: State, seat: i64) -> None:
        """What is left of the given path. The seat is free once the path is built, blocked or too long."""
        left = Plan()
        closed = False
        for route in self.plan.routes:
            if state.owner[route] != seat:
                group = GROUP[route]
                if not state.open[GROUPS * seat + group] & ONE[route - FIRST[group]]:
                    closed = True
                left.trains += LENGTH[route]
                left.routes = append(left.routes, route)
        self.plan = left
        self.bound = len(left.routes) > 0 and not closed and left.trains <= state.trains[seat]


class Intent:
    """A move to make now and a path to build next (if empty, whichever seems best), and its results so far."""

    def __init__(self, move: int, way: Plan) -> None:
        self.move: Final = move
        self.way: Final = way
        self.worlds: i64 = 0
        self.total: float = 0.0
        self.ahead: float = 0.0  # of the normal bot's intention, summed over all worlds
        self.squares: float = 0.0

    def add(self, value: float, sensible: float) -> None:
        """Add the result in one more world, and the normal bot's result in the same world."""
        self.worlds += 1
        self.total += value
        self.ahead += value - sensible
        self.squares += (value - sensible) * (value - sensible)

    def better(self) -> bool:
        """Whether it is significantly better than the bot's own intention."""
        if self.worlds < FEWEST:
            return False
        worlds = float(self.worlds)
        mean = self.ahead / worlds
        variance = self.squares / worlds - mean * mean
        return mean > CERTAIN * sqrt((variance if variance > 0.0 else 0.0) / (worlds - 1.0))


def weigh(
    state: State, seat: int, dice: Dice, trials: int, seconds: float, sees_all: bool = False
) -> list[tuple[int, int, float]]:
    """The moves worth considering for a seat that begins its turn, the best first: in how many worlds each was tried,
    and its expected result.

    All are tried in one world at least. Then it stops at the number of trials or, when `seconds` are given, at that
    time, whichever comes first.
    """
    intents = consider(state, seat, dice)
    alive = intents[:]
    rounds: i64 = 1
    while ONE[rounds] < len(intents):
        rounds += 1
    started = perf_counter()
    made: i64 = 0
    for past in range(rounds):
        due = trials * (past + 1) // rounds
        until = started + seconds * float(past + 1) / float(rounds)
        while not made or (made + len(alive) <= due and (seconds <= 0.0 or perf_counter() < until)):
            world = int(dice.below(SEEDS))
            sensible = outcome(state, seat, intents[0], world, sees_all)
            intents[0].add(sensible, sensible)
            for rival in alive[1:]:
                rival.add(outcome(state, seat, rival, world, sees_all), sensible)
            made += len(alive)
            if len(alive) == 1:
                break
        if len(alive) > 2:
            alive = [intents[0], *sorted(alive[1:], key=best_first)[: len(alive) // 2]]
    best = intents[0]
    for rival in alive[1:]:
        if rival.better() and rival.total > best.total:
            best = rival
    others = sorted([intent for intent in intents if intent is not best], key=best_first)
    return [(one.move, int(one.worlds), one.total / float(one.worlds)) for one in [best, *others]]


def best_first(intent: Intent) -> tuple[int, float]:
    """The intentions that were tried most often were dropped last."""
    return (-int(intent.worlds), -intent.total)


def outcome(position: State, seat: i64, intent: Intent, world: int, sees_all: bool) -> float:
    """The result of an intention in an imagined world, from 0 to 1. The same number gives the same world."""
    dice = QuickDice(world)
    state = position.copy_with(dice) if sees_all else position.imagine(int(seat), dice)
    minds: list[Mind] = []
    for other in range(state.seats):
        minds.append(Mind(intent.way if other == seat else Plan()))
    state.play(int(seat), intent.move)
    while state.step != STEP_OVER:
        mover = state.waiting()[0]
        state.play(mover, int(minds[mover].choose(state, mover)))
    best: i64 = -1_000_000
    for other in range(state.seats):
        if other != seat and state.score[other] > best:
            best = state.score[other]
    return 1.0 / (1.0 + exp(float(best - state.score[seat]) / LEAD))


def consider(state: State, seat: i64, dice: Dice) -> list[Intent]:
    """What a seat could do in the turn that it begins, the normal bot's intention first."""
    free = Plan()
    sensible = Intent(choose(state, int(seat), dice), free)
    found = [sensible]
    tried = {sensible.move}
    moves = state.legal_numbers(seat)
    for way in Planner(state, seat, 10 * turns_left(state)).ways(worth_of(state.held[seat], 0)):
        if len(found) > MOST_WAYS:
            break
        move = int(Thought(state, seat, moves, way).best())
        if move not in tried:
            tried.add(move)
            found.append(Intent(move, way))
    for number in moves:
        other = int(number)
        if other not in tried and (other == FERRY or (other == DRAW_TICKETS and not unmet(state, seat))):
            found.append(Intent(other, free))
    return found


def rank(state: State, seat: int, moves: list[int]) -> list[float]:
    """A first estimate of some legal moves: the normal bot's own move is best, then similar ones."""
    if state.step == STEP_CHOOSE or state.step == STEP_KEEP:
        wanted = choose(state, seat, state.dice)
        return [float(move == wanted) for move in moves]
    thought = Thought(state, seat, state.legal_numbers(seat), next_way(state, seat))
    best = thought.best()
    return [1000.0 if move == best else float(thought.liking(move)) for move in moves]


def own(state: State, seat: int) -> bool:
    """Whether the normal bot decides for the hard one too: which tickets to keep, and the second card."""
    return state.step != STEP_ACT


HOOKS: Final = SearchHooks(rank=rank, own=own, weigh=weigh)
