# compiled
"""The hard player's search: it plays whole games to the end in imagined worlds.

Its candidates are the normal bot's move and alternatives: build another path first, take a ferry card, draw tickets,
keep other tickets. All candidates are tried in the same imagined worlds, in which the other players hold tickets that
suit what they have built. From there, all seats play like the normal bot until the end. In each round the worst
candidates are dropped, so that the better ones are tried more often. Another candidate replaces the normal bot's move
only if it did significantly better."""

from math import exp, sqrt
from time import perf_counter
from typing import Final

from librt.vecs import append
from mypy_extensions import i64

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.game import SearchHooks
from grandtour.games.ticket_to_ride_italy import knowledge, parts
from grandtour.games.ticket_to_ride_italy.bot import NOT_COMPUTED, Evaluation, choose, keep, next_path, route_of
from grandtour.games.ticket_to_ride_italy.mechanics.board import FIRST, GROUP, LENGTH, ONE, POINTS
from grandtour.games.ticket_to_ride_italy.parts import FIRST_KEPT, GROUPS
from grandtour.games.ticket_to_ride_italy.rules import DRAW_TICKETS, FERRY, KEEP, RETURN, State
from grandtour.games.ticket_to_ride_italy.state import STEP_ACT, STEP_CHOOSE, STEP_KEEP, STEP_OVER, STEP_SECOND
from grandtour.games.ticket_to_ride_italy.strategy import belief
from grandtour.games.ticket_to_ride_italy.strategy.plan import Plan, Planner, ticket_gains, turns_left

MAX_PATHS: Final = 6
"""The maximum number of other paths to try."""
MAX_CLAIMS: Final = 4
"""The maximum number of other routes to try to claim: those with the most points."""
MIN_STANDARD_ERRORS: Final = 1.0
"""The number of standard errors by which another candidate must beat the normal bot's."""
CHOICES_PER_BUDGET: Final = 4
"""Choosing tickets gets one more budget of trials for this many candidates: it happens only a few times in a game, and
matters most."""
MIN_WORLDS: Final = 4
"""The minimum number of worlds for such a comparison."""
LEAD_SCALE: Final = 12.0
"""In points. With a lead of this size, a win is e times as likely as a loss."""


class SimulatedPlayer:
    """A player in an imagined world: it plays like the normal bot, but may have to build a given path first."""

    def __init__(self, path: Plan) -> None:
        self.plan: Plan = path
        self.committed: bool = len(path.routes) > 0
        self.trains: i64 = -1  # the number of trains at the last plan
        self.tickets_value: i64 = NOT_COMPUTED

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
            self._update_plan(state, seat)
        evaluation = Evaluation(state, seat, moves, self.plan)
        evaluation.tickets_value = self.tickets_value
        best = evaluation.best_move()
        self.tickets_value = evaluation.tickets_value
        return best

    def _update_plan(self, state: State, seat: i64) -> None:
        """Choose the path for this turn. The value of drawing tickets is kept until the seat's network changes."""
        if state.trains[seat] != self.trains:
            self.trains = state.trains[seat]
            self.tickets_value = NOT_COMPUTED
        if self.committed:
            self._drop_built_routes(state, seat)
        if not self.committed:
            self.plan = next_path(state, seat)

    def _drop_built_routes(self, state: State, seat: i64) -> None:
        """Remove the routes that the seat has built from its given path. The player is free to choose another once the
        path is built, blocked or too long."""
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
        self.committed = len(left.routes) > 0 and not closed and left.trains <= state.trains[seat]


class Candidate:
    """Moves to make now, one after another, then a path to build, with the results so far.

    If the path is empty, the player builds whichever seems best.
    """

    def __init__(self, moves: list[int], path: Plan) -> None:
        self.moves: Final = moves
        self.path: Final = path
        self.worlds: i64 = 0
        self.total: float = 0.0
        self.ahead: float = 0.0  # the sum of the differences from the normal bot's candidate
        self.squares: float = 0.0

    def add(self, value: float, baseline: float) -> None:
        """Add the result in one more world, and the normal bot's result in the same world."""
        self.worlds += 1
        self.total += value
        self.ahead += value - baseline
        self.squares += (value - baseline) * (value - baseline)

    def better(self) -> bool:
        """Whether it is significantly better than the normal bot's candidate."""
        if self.worlds < MIN_WORLDS:
            return False
        worlds = float(self.worlds)
        mean = self.ahead / worlds
        variance = self.squares / worlds - mean * mean
        return mean > MIN_STANDARD_ERRORS * sqrt((variance if variance > 0.0 else 0.0) / (worlds - 1.0))


def own_search(
    state: State, seat: int, dice: Dice, trials: int, seconds: float, sees_all: bool = False
) -> list[tuple[int, int, float]]:
    """The moves worth considering for a seat that begins its turn, the best first. Each comes with the number of worlds
    in which it was tried, and its expected result.

    All are tried in at least one world. The search ends after this number of trials, or after `seconds` if they are
    not 0, whichever comes first.
    """
    choosing_tickets = state.step == STEP_CHOOSE or state.step == STEP_KEEP
    candidates = ticket_candidates(state, seat, dice) if choosing_tickets else turn_candidates(state, seat, dice)
    if choosing_tickets:
        trials *= 1 + (len(candidates) - 1) // CHOICES_PER_BUDGET
    likely = None if sees_all else belief.likely(state, seat)
    remaining = candidates[:]
    rounds: i64 = 1
    while ONE[rounds] < len(candidates):
        rounds += 1
    started = perf_counter()
    made: i64 = 0
    for past in range(rounds):
        due = trials * (past + 1) // rounds
        until = started + seconds * float(past + 1) / float(rounds)
        while not made or (made + len(remaining) <= due and (seconds <= 0.0 or perf_counter() < until)):
            number = int(dice.below(SEEDS))
            cards = QuickDice(number)
            world = state.copy_with(cards) if sees_all else state.imagine_likely(seat, cards, likely)
            baseline = outcome(world, seat, candidates[0], number)
            candidates[0].add(baseline, baseline)
            for challenger in remaining[1:]:
                challenger.add(outcome(world, seat, challenger, number), baseline)
            made += len(remaining)
            if len(remaining) == 1:
                break
        if len(remaining) > 2:
            remaining = [candidates[0], *sorted(remaining[1:], key=best_first)[: len(remaining) // 2]]
    best = candidates[0]
    for challenger in remaining[1:]:
        if challenger.better() and challenger.total > best.total:
            best = challenger
    others = sorted([candidate for candidate in candidates if candidate is not best], key=best_first)
    found: list[tuple[int, int, float]] = []
    listed: set[int] = set()
    for one in [best, *others]:
        if one.moves[0] not in listed:
            listed.add(one.moves[0])
            found.append((one.moves[0], int(one.worlds), one.total / float(one.worlds)))
    return found


def best_first(candidate: Candidate) -> tuple[int, float]:
    """Sorts candidates: those that were dropped last, which were tried most often, come first."""
    return (-int(candidate.worlds), -candidate.total)


def outcome(world: State, seat: i64, candidate: Candidate, number: int) -> float:
    """The result of a candidate in an imagined world, from 0 to 1. `number` is the seed of the dice."""
    state = world.copy_with(QuickDice(number + 1))
    players: list[SimulatedPlayer] = []
    for other in range(state.seats):
        players.append(SimulatedPlayer(candidate.path if other == seat else Plan()))
    for move in candidate.moves:
        state.play(int(seat), move)
    while state.step != STEP_OVER:
        mover = state.waiting()[0]
        state.play(mover, int(players[mover].choose(state, mover)))
    best: i64 = -1_000_000
    for other in range(state.seats):
        if other != seat and state.score[other] > best:
            best = state.score[other]
    return 1.0 / (1.0 + exp(float(best - state.score[seat]) / LEAD_SCALE))


def turn_candidates(state: State, seat: i64, dice: Dice) -> list[Candidate]:
    """The candidates of a seat that begins its turn, the normal bot's first."""
    free = Plan()
    baseline = choose(state, int(seat), dice)
    found = [Candidate([baseline], free)]
    tried = {baseline}
    moves = state.legal_numbers(seat)
    for path in Planner(state, seat, 10 * turns_left(state)).paths(ticket_gains(state.held[seat], 0)):
        if len(found) > MAX_PATHS:
            break
        move = int(Evaluation(state, seat, moves, path).best_move())
        if move not in tried:
            tried.add(move)
            found.append(Candidate([move], path))
    claims: list[tuple[int, int]] = []
    for move in Evaluation(state, seat, moves, free).cheapest_claims:
        if move >= 0 and move not in tried:
            claims.append((-int(POINTS[route_of(move)]), int(move)))
    others = [move for _, move in sorted(claims)[:MAX_CLAIMS]]
    others += [int(move) for move in moves if move <= FERRY or move == DRAW_TICKETS]
    return found + [Candidate([move], free) for move in others if move not in tried]


def ticket_candidates(state: State, seat: i64, dice: Dice) -> list[Candidate]:
    """A candidate for each way to choose tickets, the normal bot's first."""
    first = state.step == STEP_CHOOSE
    drawn = knowledge.tickets_in((state.held[seat] if first else state.drawn) & ~state.aside[seat])
    least = FIRST_KEPT if first else parts.LATER_KEPT
    baseline: list[int] = []
    position = state.clone()
    while KEEP not in baseline:
        baseline.append(choose(position, int(seat), dice))
        position.play(int(seat), baseline[-1])
    found = [Candidate(baseline, Plan())]
    for back in range(ONE[len(drawn)]):
        moves = [int(RETURN + drawn[n]) for n in range(len(drawn)) if back & ONE[n]]
        if len(drawn) - len(moves) >= least and set(moves) != set(baseline[:-1]):
            found.append(Candidate([*moves, int(KEEP)], Plan()))
    return found


def rank(state: State, seat: int, moves: list[int]) -> list[float]:
    """A quick score for these legal moves. The normal bot's move has the highest."""
    if state.step == STEP_CHOOSE or state.step == STEP_KEEP:
        wanted = choose(state, seat, state.dice)
        return [float(move == wanted) for move in moves]
    evaluation = Evaluation(state, seat, state.legal_numbers(seat), next_path(state, seat))
    best = evaluation.best_move()
    return [1000.0 if move == best else float(evaluation.estimate(move)) for move in moves]


def bot_decides(state: State, seat: int) -> bool:
    """Whether the normal bot decides for the hard one, too: it does so about the second card."""
    return state.step == STEP_SECOND


def imagine_likely(state: State, seat: int, dice: Dice) -> State:
    """An imagined position in which the others hold tickets that suit what they have built."""
    return state.imagine_likely(seat, dice, belief.likely(state, seat))


HOOKS: Final = SearchHooks(rank=rank, bot_decides=bot_decides, own_search=own_search, imagine_likely=imagine_likely)
