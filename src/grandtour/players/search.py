"""A tree search that works for every game and sees only what its seat may see.

It is a single-observer information-set Monte Carlo tree search. Every iteration imagines what the seat cannot see,
walks down one shared tree of moves, plays on from its end, and backs up the outcome. A move's statistics count only the
iterations in which it was legal. If there are many moves, a node tries only as many as its visits justify, the most
promising first. Seats that choose simultaneously choose without knowing each other's choices, and the tree continues
from the searching seat's own: the others' choices are averaged over, like everything else that is hidden.
"""

from math import sqrt
from time import perf_counter
from typing import Final

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.game import Game
from grandtour.engine.state import State

NEVER: Final = float("-inf")
MAX_DECISIONS: Final = 2000
"""The maximum number of decisions in an iteration. An unfinished one is evaluated, or counted as 0."""


def imagined(state: State, seat: int, dice: Dice, sees_all: bool) -> State:
    """A position as the seat imagines it, or, if `sees_all`, the true one with other dice."""
    return state.copy_with(dice) if sees_all else state.imagine(seat, dice)


class Candidate:
    """A move the search considered: its visits, their share of all visits, and its expected result."""

    def __init__(self, move: int, visits: int, share: float, value: float) -> None:
        self.move: Final = move
        self.visits: Final = visits
        self.share: Final = share
        self.value: Final = value


class Edge:
    """A move of a seat at a node."""

    def __init__(self, move: int, prior: float) -> None:
        self.move: Final = move
        self.visits: int = 0
        self.possible: int = 0
        self.total: float = 0.0
        self.prior: Final = prior
        self.child: Node | None = None


class Node:
    """The statistics of all positions reached by one sequence of moves."""

    def __init__(self) -> None:
        self.visits: int = 0
        self.edges: dict[int, dict[int, Edge]] = {}

    def of(self, seat: int) -> dict[int, Edge]:
        """The moves of a seat that have been tried here."""
        edges = self.edges.get(seat)
        if edges is None:
            edges = {}
            self.edges[seat] = edges
        return edges


class Search:
    """Searches for one seat's best move.

    explore     how strongly rarely tried moves are favoured, more so if they were added earlier
    widen       how many moves a node tries: widen * visits ** 0.5
    patience    visits to a move before the tree grows beyond it; until then the game's quick player plays on, which is
                better than a node with few visits
    horizon     decisions of the game's quick player after the end of the tree, before the position is evaluated; if
                the game has no evaluation, the quick player plays to the end
    sees_all    search the true position, not imagined ones; only for measuring how strong a perfectly informed bot is
    """

    def __init__(
        self,
        game: Game,
        explore: float = 0.4,
        widen: float = 1.0,
        patience: int = 20,
        horizon: int = -1,
        sees_all: bool = False,
    ) -> None:
        self.explore: Final = explore
        self.widen: Final = widen
        self.patience: Final = patience
        self.horizon: Final = horizon if horizon >= 0 else game.search.horizon
        self.sees_all: Final = sees_all
        self._bot_decides: Final = game.search.bot_decides
        self._rank: Final = game.search.rank
        self._evaluate: Final = game.search.evaluate
        self._choose: Final = game.choose
        self._quick: Final = game.search.quick or game.choose
        self._imagine_likely: Final = game.search.imagine_likely
        self.iterations: int = 0
        self.moves: int = 0

    def ponder(self, state: State, seat: int, dice: Dice, iterations: int, seconds: float = 0.0) -> list[Candidate]:
        """The moves worth considering, best first. Stops after `iterations`, or after `seconds` if given, whichever
        comes first, but makes at least one iteration."""
        root = Node()
        until = perf_counter() + seconds if seconds > 0 else 0.0
        made: int = 0
        while made < iterations:
            self._iterate(root, state, seat, dice)
            made += 1
            if until > 0.0 and perf_counter() >= until:
                break
        self.iterations += made
        edges = sorted(root.of(seat).values(), key=_best_first)
        return [
            Candidate(edge.move, edge.visits, edge.visits / made, edge.total / edge.visits)
            for edge in edges
            if edge.visits > 0
        ]

    def expect(self, state: State, seat: int, move: int, dice: Dice) -> float:
        """The result of a move in one imagined world, played on by the quick player. The same dice give the same world
        for every move, so that moves can be compared."""
        world = self._world(state, seat, dice)
        world.play(seat, move)
        return self._outcome(world, dice)[seat]

    def chance(self, state: State, seat: int, dice: Dice) -> float:
        """The result of a seat in one imagined world, played on by the quick player from here."""
        return self._outcome(self._world(state, seat, dice), dice)[seat]

    def _world(self, state: State, seat: int, dice: Dice) -> State:
        """A position as the seat imagines it, with what others probably hold if the game can tell."""
        imagine_likely = self._imagine_likely
        return state.imagine(seat, dice) if imagine_likely is None else imagine_likely(state, seat, dice)

    def _iterate(self, root: Node, state: State, seat: int, dice: Dice) -> None:
        """Imagine a world, walk down the tree to a move with few visits, play on, and back up the outcome."""
        world = imagined(state, seat, QuickDice(dice.below(SEEDS)), self.sees_all)
        node = root
        movers: list[int] = []
        edges: list[Edge] = []
        nodes: list[Node] = [root]
        fresh = False
        decisions: int = 0
        while decisions < MAX_DECISIONS:
            waiting = world.waiting()
            if not waiting:
                break
            ahead: Edge | None = None
            for mover in waiting if seat not in waiting else [seat, *[other for other in waiting if other != seat]]:
                edge = self._select(node, world, mover, dice)
                world.play(mover, edge.move)
                decisions += 1
                movers.append(mover)
                edges.append(edge)
                if edge.visits < self.patience:
                    fresh = True
                if ahead is None:
                    ahead = edge
                if not world.waiting():
                    break
            assert ahead is not None
            if fresh:
                break
            child = ahead.child
            if child is None:
                child = Node()
                ahead.child = child
            node = child
            nodes.append(node)
        values = self._outcome(world, dice)
        self.moves += decisions
        for visited in nodes:
            visited.visits += 1
        for index in range(len(edges)):
            edges[index].visits += 1
            edges[index].total += values[movers[index]]

    def _select(self, node: Node, world: State, mover: int, dice: Dice) -> Edge:
        """The move to follow: an untried one if the node has enough visits for another, else the most promising."""
        legal = world.legal(mover)
        tried = node.of(mover)
        if len(legal) == 1 or (self._bot_decides is not None and self._bot_decides(world, mover)):
            chosen = legal[0] if len(legal) == 1 else self._choose(world, mover, dice)
            return _edge(tried, chosen)
        best: Edge | None = None
        highest = -1.0
        untried: list[int] = []
        for move in legal:
            edge = tried.get(move)
            if edge is None:
                untried.append(move)
                continue
            edge.possible += 1
            promise = edge.total / edge.visits + self.explore * edge.prior * sqrt(edge.possible) / (1.0 + edge.visits)
            if promise > highest:
                highest = promise
                best = edge
        known = len(legal) - len(untried)
        if best is not None and (not untried or known >= self.widen * sqrt(node.visits + 1.0)):
            return best
        move = self._next(world, mover, untried, known == 0, dice)
        return best if best is not None and move < 0 else _edge(tried, move, 1.0 / (1.0 + known))

    def _next(self, world: State, mover: int, untried: list[int], first: bool, dice: Dice) -> int:
        """The move to try next: the best by the game's ranking; without one, the normal player's, then any.

        -1 if the ranking rules out all the moves left.
        """
        if self._rank is not None:
            ranks = self._rank(world, mover, untried)
            top = 0
            for index in range(1, len(untried)):
                if ranks[index] > ranks[top]:
                    top = index
            return untried[top] if first or ranks[top] > NEVER else -1
        if first:
            return self._choose(world, mover, dice)
        return untried[dice.below(len(untried))]

    def _outcome(self, world: State, dice: Dice) -> list[float]:
        """The result of a world, or its evaluation after the quick player has played on for a while."""
        evaluate = self._evaluate
        left = MAX_DECISIONS if evaluate is None else self.horizon
        while True:
            waiting = world.waiting()
            if not waiting:
                result = world.result()
                assert result is not None
                return result
            if left <= 0:
                break
            left -= 1
            mover = waiting[0]
            legal = world.legal(mover)
            world.play(mover, legal[0] if len(legal) == 1 else self._quick(world, mover, dice))
            self.moves += 1
        return evaluate(world) if evaluate is not None else [0.0] * world.seats


def _edge(tried: dict[int, Edge], move: int, prior: float = 1.0) -> Edge:
    edge = tried.get(move)
    if edge is None:
        edge = Edge(move, prior)
        tried[move] = edge
    if edge.possible == 0:
        edge.possible = 1
    return edge


def _best_first(edge: Edge) -> tuple[int, float]:
    return (-edge.visits, -edge.total)
