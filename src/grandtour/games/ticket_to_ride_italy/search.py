# compiled
"""How the hard player thinks ahead: whole games, played out in imagined worlds.

It lists what the normal bot would do, and what else it could try: build another path first, take a ferry card, draw
tickets, keep other tickets. Every intention is tried in the same imagined worlds, where all seats then play like the
normal bot until the end. The others hold tickets there that suit what they have built. The worst intentions are dropped
round by round, so that the better ones are tried more often. It departs from the normal bot's move only if another did
significantly better."""

from math import exp, sqrt
from time import perf_counter
from typing import Final

from librt.vecs import append
from mypy_extensions import i64

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.game import SearchHooks
from grandtour.games.ticket_to_ride_italy import knowledge, parts
from grandtour.games.ticket_to_ride_italy.bot import UNKNOWN, Thought, choose, keep, next_way, route_of
from grandtour.games.ticket_to_ride_italy.mechanics.board import FIRST, GROUP, LENGTH, ONE, POINTS
from grandtour.games.ticket_to_ride_italy.parts import FIRST_KEPT, GROUPS
from grandtour.games.ticket_to_ride_italy.rules import DRAW_TICKETS, FERRY, KEEP, RETURN, State
from grandtour.games.ticket_to_ride_italy.state import STEP_ACT, STEP_CHOOSE, STEP_KEEP, STEP_OVER, STEP_SECOND
from grandtour.games.ticket_to_ride_italy.strategy import belief
from grandtour.games.ticket_to_ride_italy.strategy.plan import Plan, Planner, turns_left, worth_of

MOST_WAYS: Final = 6
"""The number of other paths to try."""
MOST_CLAIMS: Final = 4
"""The number of other routes to try to claim, those with the most points."""
CERTAIN: Final = 1.0
"""The number of standard errors by which another intention must beat the normal bot's."""
CHOICES_A_BUDGET: Final = 4
"""For every so many ways to choose tickets there is another budget of trials: tickets are chosen a few times in a game,
and matter most."""
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
    """The moves to make now, one after another, and a path to build next (if empty, whichever seems best), and its
    results so far."""

    def __init__(self, moves: list[int], way: Plan) -> None:
        self.moves: Final = moves
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


def own_search(
    state: State, seat: int, dice: Dice, trials: int, seconds: float, sees_all: bool = False
) -> list[tuple[int, int, float]]:
    """The moves worth considering for a seat that begins its turn, the best first: in how many worlds each was tried,
    and its expected result.

    All are tried in one world at least. Then it stops at the number of trials or, when `seconds` are given, at that
    time, whichever comes first.
    """
    keeping = state.step == STEP_CHOOSE or state.step == STEP_KEEP
    intents = choices(state, seat, dice) if keeping else consider(state, seat, dice)
    if keeping:
        trials *= 1 + (len(intents) - 1) // CHOICES_A_BUDGET
    likely = None if sees_all else belief.likely(state, seat)
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
            number = int(dice.below(SEEDS))
            cards = QuickDice(number)
            world = state.copy_with(cards) if sees_all else state.imagine_likely(seat, cards, likely)
            sensible = outcome(world, seat, intents[0], number)
            intents[0].add(sensible, sensible)
            for rival in alive[1:]:
                rival.add(outcome(world, seat, rival, number), sensible)
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
    found: list[tuple[int, int, float]] = []
    begun: set[int] = set()
    for one in [best, *others]:
        if one.moves[0] not in begun:
            begun.add(one.moves[0])
            found.append((one.moves[0], int(one.worlds), one.total / float(one.worlds)))
    return found


def best_first(intent: Intent) -> tuple[int, float]:
    """The intentions that were tried most often were dropped last."""
    return (-int(intent.worlds), -intent.total)


def outcome(world: State, seat: i64, intent: Intent, number: int) -> float:
    """The result of an intention in an imagined world, from 0 to 1, with dice of this number."""
    state = world.copy_with(QuickDice(number + 1))
    minds: list[Mind] = []
    for other in range(state.seats):
        minds.append(Mind(intent.way if other == seat else Plan()))
    for move in intent.moves:
        state.play(int(seat), move)
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
    sensible = choose(state, int(seat), dice)
    found = [Intent([sensible], free)]
    tried = {sensible}
    moves = state.legal_numbers(seat)
    for way in Planner(state, seat, 10 * turns_left(state)).ways(worth_of(state.held[seat], 0)):
        if len(found) > MOST_WAYS:
            break
        move = int(Thought(state, seat, moves, way).best())
        if move not in tried:
            tried.add(move)
            found.append(Intent([move], way))
    claims: list[tuple[int, int]] = []
    for move in Thought(state, seat, moves, free).claims:
        if move >= 0 and move not in tried:
            claims.append((-int(POINTS[route_of(move)]), int(move)))
    others = [move for _, move in sorted(claims)[:MOST_CLAIMS]]
    others += [int(move) for move in moves if move <= FERRY or move == DRAW_TICKETS]
    return found + [Intent([move], free) for move in others if move not in tried]


def choices(state: State, seat: i64, dice: Dice) -> list[Intent]:
    """Which tickets a seat could keep, the normal bot's choice first."""
    first = state.step == STEP_CHOOSE
    drawn = knowledge.names((state.held[seat] if first else state.drawn) & ~state.aside[seat])
    least = FIRST_KEPT if first else parts.LATER_KEPT
    sensible: list[int] = []
    position = state.clone()
    while KEEP not in sensible:
        sensible.append(choose(position, int(seat), dice))
        position.play(int(seat), sensible[-1])
    found = [Intent(sensible, Plan())]
    for back in range(ONE[len(drawn)]):
        moves = [int(RETURN + drawn[n]) for n in range(len(drawn)) if back & ONE[n]]
        if len(drawn) - len(moves) >= least and set(moves) != set(sensible[:-1]):
            found.append(Intent([*moves, int(KEEP)], Plan()))
    return found


def rank(state: State, seat: int, moves: list[int]) -> list[float]:
    """A first estimate of some legal moves: the normal bot's own move is best, then similar ones."""
    if state.step == STEP_CHOOSE or state.step == STEP_KEEP:
        wanted = choose(state, seat, state.dice)
        return [float(move == wanted) for move in moves]
    thought = Thought(state, seat, state.legal_numbers(seat), next_way(state, seat))
    best = thought.best()
    return [1000.0 if move == best else float(thought.liking(move)) for move in moves]


def bot_decides(state: State, seat: int) -> bool:
    """Whether the normal bot decides for the hard one too: the second card."""
    return state.step == STEP_SECOND


def imagine_likely(state: State, seat: int, dice: Dice) -> State:
    """An imagined position in which the others hold tickets that suit what they have built."""
    return state.imagine_likely(seat, dice, belief.likely(state, seat))


HOOKS: Final = SearchHooks(rank=rank, bot_decides=bot_decides, own_search=own_search, imagine_likely=imagine_likely)
