"""The statistics of a report: all its games, added up in order."""

from collections import Counter, defaultdict
from math import sqrt

from grandtour.arena.report.effects import Effect, HolderTotals, effects
from grandtour.arena.report.observe import PHASES, Observed
from grandtour.arena.simulation import Plan
from grandtour.arena.tally import NO_FORFEITS, add_forfeits, forfeit_lines, forfeit_row
from grandtour.engine.catalogue import game


class Sample:
    """Totals over the observed games. Players with the same name count as one player."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game = game(plan.game)
        self.seats = len(plan.players)
        self.names = list(dict.fromkeys(plan.players))
        self._player = [self.names.index(name) for name in plan.players]
        self.games = 0
        self.moves: list[int] = []
        self.choices = 0
        self.legal_moves = 0
        self.by_order: list[list[float]] = [[] for _ in range(self.seats)]
        """Shares of the win: of the starting player, of the next player, and so on."""
        self.by_player: list[list[float]] = [[] for _ in self.names]
        self.score_by_player: list[list[float]] = [[] for _ in self.names]
        self.winning: list[float] = []
        self.losing: list[float] = []
        self.margins: list[float] = []
        """How many points a sole winner was ahead of the best of the others."""
        self.scored = False
        """Whether scores carry more information than the winner."""
        self.shared = 0
        self.split = False
        """Whether a shared win was ever split into fractions; where everyone who reaches the goal wins, it is not."""
        self.without_winner = 0
        self.endings: Counter[str] = Counter()
        self.chosen = [[0] * len(self.game.moves.verbs) for _ in range(PHASES)]
        self.offered: set[int] = set()
        """Verbs that were available."""
        self.things: dict[str, dict[str, HolderTotals]] = defaultdict(dict)
        self.forfeits = [NO_FORFEITS] * len(self.names)

    def add(self, seen: Observed) -> None:
        self.games += 1
        self.moves.append(seen.moves)
        self.choices += seen.choices
        self.legal_moves += seen.legal_moves
        if seen.first is not None:
            for place in range(self.seats):
                self.by_order[place].append(seen.shares[(seen.first + place) % self.seats])
        for seat, player in enumerate(seen.players):
            self.by_player[self._player[player]].append(seen.shares[seat])
            self.score_by_player[self._player[player]].append(seen.scores[seat])
        add_forfeits(
            self.forfeits,
            ((self._player[player], lost) for player, lost in zip(seen.players, seen.forfeits, strict=False)),
        )
        self._add_scores(seen)
        self.endings[seen.ending] += 1
        for (phase, verb), count in seen.chosen.items():
            self.chosen[phase][verb] += count
        self.offered |= seen.offered
        self._add_things(seen)

    def _add_scores(self, seen: Observed) -> None:
        if self.game.team:
            self.winning.append(seen.scores[0])
            return
        self.scored |= seen.scores != seen.shares
        won = [seat for seat, share in enumerate(seen.shares) if share > 0]
        for seat, score in enumerate(seen.scores):
            (self.winning if seat in won else self.losing).append(score)
        if len(won) == 1:
            others = max(score for seat, score in enumerate(seen.scores) if seat != won[0])
            self.margins.append(seen.scores[won[0]] - others)
        elif won:
            self.shared += 1
            self.split |= any(seen.shares[seat] < 1 for seat in won)
        else:
            self.without_winner += 1

    def _add_things(self, seen: Observed) -> None:
        here: dict[tuple[str, str], list[float]] = {}
        for seat, things in enumerate(seen.things):
            for thing in things:
                row = here.setdefault(thing, [0.0] * (len(self.names) + 1))
                row[0] += seen.scores[seat] if self.game.team else seen.shares[seat]
                row[1 + self._player[seen.players[seat]]] += 1
        for (kind, name), row in here.items():
            held = self.things[kind]
            if name not in held:
                held[name] = HolderTotals(len(self.names))
            held[name].add(row)

    def forfeit_lines(self) -> list[str]:
        """One sentence per player that forfeited moves."""
        rows = zip(self.names, self.forfeits, strict=True)
        return forfeit_lines([{"name": name, **forfeit_row(forfeits)} for name, forfeits in rows], "name")

    def outcomes(self) -> list[list[float]]:
        """Each player's outcomes by seat and game: shares of the win, or in a team game the score, which says more."""
        return self.score_by_player if self.game.team else self.by_player

    def mean_outcome(self) -> float:
        """The mean outcome of a seat."""
        return sum(map(sum, self.outcomes())) / (self.games * self.seats)

    def mean_share(self) -> float:
        """The mean share of the win per seat; below an even share if games can end without a winner."""
        return sum(map(sum, self.by_player)) / (self.games * self.seats)

    def effects(self, kind: str) -> list[Effect]:
        """The effect of having each thing of a kind, the largest first."""
        outcomes = self.outcomes()
        means = [sum(values) / len(values) for values in outcomes]
        squares = sum((value - means[i]) ** 2 for i, values in enumerate(outcomes) for value in values)
        seats = self.games * self.seats
        max_outcome = None if self.game.team else 1.0
        return effects(self.things.get(kind, {}), means, sqrt(squares / seats), seats, max_outcome)
