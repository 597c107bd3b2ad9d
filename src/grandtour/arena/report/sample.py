"""All the games of a report, added up in their order."""

from collections import Counter, defaultdict
from math import sqrt

from grandtour.arena.report.observing import PHASES, Observed
from grandtour.arena.report.worth import Holding, Worth, worths
from grandtour.arena.simulation import Plan
from grandtour.arena.tally import NO_FORFEITS, add_forfeits, forfeit_lines, forfeit_row
from grandtour.engine.catalogue import game


class Sample:
    """What was seen. Players of one name are one player."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game = game(plan.game)
        self.seats = len(plan.players)
        self.names = list(dict.fromkeys(plan.players))
        self._player = [self.names.index(name) for name in plan.players]
        self.games = 0
        self.moves: list[int] = []
        self.choices = 0
        self.open = 0
        self.by_order: list[list[float]] = [[] for _ in range(self.seats)]
        """Parts of the win of whoever began, of the next, and so on."""
        self.by_player: list[list[float]] = [[] for _ in self.names]
        self.score_by_player: list[list[float]] = [[] for _ in self.names]
        self.winning: list[float] = []
        self.losing: list[float] = []
        self.margins: list[float] = []
        """How many points the only winner had more than the best of the others."""
        self.scored = False
        """Whether a score says more than who won."""
        self.shared = 0
        self.split = False
        """Whether a shared win was ever counted in parts; where all who get there win, it is not."""
        self.unwon = 0
        self.endings: Counter[str] = Counter()
        self.chosen = [[0] * len(self.game.moves.verbs) for _ in range(PHASES)]
        self.offered: set[int] = set()
        """Verbs that could have been chosen."""
        self.things: dict[str, dict[str, Holding]] = defaultdict(dict)
        self.forfeits = [NO_FORFEITS] * len(self.names)

    def add(self, seen: Observed) -> None:
        self.games += 1
        self.moves.append(seen.moves)
        self.choices += seen.choices
        self.open += seen.open
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
            self.unwon += 1

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
                held[name] = Holding(len(self.names))
            held[name].add(row)

    def forfeit_lines(self) -> list[str]:
        """A sentence for every player that forfeited moves."""
        rows = zip(self.names, self.forfeits, strict=True)
        return forfeit_lines([{"name": name, **forfeit_row(forfeits)} for name, forfeits in rows], "name")

    def reached(self) -> list[list[float]]:
        """What each player's seats reached: parts of the win, or a team's points, which say more than its result."""
        return self.score_by_player if self.game.team else self.by_player

    def usual(self) -> float:
        """What a seat reaches on average."""
        return sum(map(sum, self.reached())) / (self.games * self.seats)

    def mean(self) -> float:
        """The mean part of the win of a seat: less than one in so many where nobody may win."""
        return sum(map(sum, self.by_player)) / (self.games * self.seats)

    def worths(self, kind: str) -> list[Worth]:
        """What the things of a kind are worth, the most valuable first."""
        reached = self.reached()
        means = [sum(values) / len(values) for values in reached]
        squares = sum((value - means[i]) ** 2 for i, values in enumerate(reached) for value in values)
        seats = self.games * self.seats
        most = None if self.game.team else 1.0
        return worths(self.things.get(kind, {}), means, sqrt(squares / seats), seats, most)
