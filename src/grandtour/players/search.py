"""A tree search that is fair and knows no game.

Single-observer information-set tree search: every iteration imagines anew what the seat cannot see, walks down one
tree of moves, plays on from its end, and carries the outcome back. A move's chances are counted over the iterations in
which it was possible at all. Where moves are many, a position tries only as many as its visits warrant, the likeliest
first. Seats that choose at the same time each choose without the others' choices, and the tree goes on from the
searching seat's own: what the others chose is averaged over, like everything else that is hidden.
"""

from math import sqrt
from time import perf_counter
from typing import Final

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.game import Game
from grandtour.engine.state import State

NEVER: Final = float("-inf")
LONGEST: Final = 2000
"""Decisions after which an iteration that found no end is given up and evaluated, or counted as nothing."""


class Candidate:
    """A move the search looked at: how often, which share of all visits that is, and what it expects of it."""

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
    """What is remembered of the positions that a line of moves leads to."""

    def __init__(self) -> None:
        self.visits: int = 0
        self.edges: dict[int, dict[int, Edge]] = {}

    def of(self, seat: int) -> dict[int, Edge]:
        """The moves of a seat that were tried here."""
        edges = self.edges.get(seat)
        if edges is None:
            edges = {}
            self.edges[seat] = edges
        return edges


class Search:
    """The thoughts of one seat about one move.

    explore     how much a rarely tried move is preferred: the earlier it was thought of, the more
    widen       how many moves a node tries: widen * visits ** 0.5
    patience    visits of a move before the tree grows beyond it: what lies behind is played by the quick player till
                then, who plays better than a node that has seen little
    horizon     decisions of the game's quick player after the tree's end, before the game's evaluation is asked;
                where the game has none, the quick player plays on to the end
    """

    def __init__(
        self, game: Game, explore: float = 0.4, widen: float = 1.0, patience: int = 20, horizon: int = -1
    ) -> None:
        self.game: Final = game
        self.explore: Final = explore
        self.widen: Final = widen
        self.patience: Final = patience
        self.horizon: Final = horizon if horizon >= 0 else game.horizon
        self.iterations: int = 0
        self.moves: int = 0

    def ponder(self, state: State, seat: int, dice: Dice, iterations: int, seconds: float = 0.0) -> list[Candidate]:
        """The moves that are worth a thought, the best first. It stops at the number of iterations or, when `seconds`
        are given, at that time, whichever comes first; one iteration is always made."""
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
        """What a move of a seat comes to in one world that it may imagine, played on by the quick player. The same dice
        make the same world for every move, so that two moves can be compared."""
        world = state.imagine(seat, dice)
        world.play(seat, move)
        return self._outcome(world, dice)[seat]

    def _iterate(self, root: Node, state: State, seat: int, dice: Dice) -> None:
        """Imagine a world, walk down the tree to a move that was not tried, play on, and carry the outcome back."""
        world = state.imagine(seat, QuickDice(dice.below(SEEDS)))
        node = root
        movers: list[int] = []
        edges: list[Edge] = []
        nodes: list[Node] = [root]
        fresh = False
        decisions: int = 0
        while decisions < LONGEST:
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
        """The move to follow: one that was not tried yet while the node is visited enough for it, else the one that
        promises most."""
        legal = world.legal(mover)
        tried = node.of(mover)
        if len(legal) == 1 or (self.game.own is not None and self.game.own(world, mover)):
            chosen = legal[0] if len(legal) == 1 else self.game.choose(world, mover, dice)
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
        """The move to try next: the likeliest by the game's ranking; without one, the sensible player's, then any.

        -1 when the ranking says of all that are left that they are not to be tried.
        """
        if self.game.rank is not None:
            ranks = self.game.rank(world, mover, untried)
            top = 0
            for index in range(1, len(untried)):
                if ranks[index] > ranks[top]:
                    top = index
            return untried[top] if first or ranks[top] > NEVER else -1
        if first:
            return self.game.choose(world, mover, dice)
        return untried[dice.below(len(untried))]

    def _outcome(self, world: State, dice: Dice) -> list[float]:
        """What a world comes to: its result, or its evaluation once the quick player has played on for a while."""
        evaluate = self.game.evaluate
        left = LONGEST if evaluate is None else self.horizon
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
            world.play(mover, legal[0] if len(legal) == 1 else self.game.quick(world, mover, dice))
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
