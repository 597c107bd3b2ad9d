"""Measures how well Word Traveler bots understand each other, compared with teams that do not use words.

    python -m bench.words [GAMES] [PLAYERS]

Every team plays the same deals, in all cities in turn. All travelers choose their stops in the same way. The team
`sense` uses words normally; `words drawn` lays as many words as it would have used, but random ones with random sides
up; in `chance` the locals follow the arrows and ignore the words. Each seat has its own taste.
"""

from __future__ import annotations

import random
import statistics
import sys
from time import process_time

from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.games.word_traveler import GAME, bot
from grandtour.games.word_traveler.bot import Plan
from grandtour.games.word_traveler.parts import CITIES, HAND, SPACES
from grandtour.games.word_traveler.rules import AGREE, FOOTPRINT, State
from grandtour.games.word_traveler.state import STEP_PLAN

TEAMS = ("sense", "words drawn", "chance")


class Team:
    """Plays whole games and collects statistics."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.meant = self.right = 0
        self.points: list[int] = []
        self.souvenirs: list[int] = []
        self.plans: list[float] = []
        self.guesses: list[float] = []

    def play(self, deal: int, seats: int) -> None:
        """Play one whole game, in the deal's city."""
        settings = check_options(GAME.options, {"city": CITIES[deal % len(CITIES)], "timer": 0})
        state = GAME.new(seats, settings, QuickDice(deal))
        assert isinstance(state, State)
        rng = random.Random(deal)
        drawn: dict[tuple[int, int], Plan] = {}
        while waiting := state.waiting():
            seat = waiting[0]
            if state.step == STEP_PLAN:
                key = (int(state.day), seat)
                if key not in drawn:
                    drawn[key] = self._plan(state, seat, rng)
                state.play(seat, bot.next_change(state, seat, drawn[key]))
            else:
                state.play(seat, self._guess(state, seat, rng))
        self.meant += sum(int(aim >= 0) for aim in state.aim)
        self.right += sum(int(0 <= aim == foot) for aim, foot in zip(state.aim, state.feet, strict=True))
        self.points.append(int(state.score))
        self.souvenirs.append(state.souvenirs())

    def _plan(self, state: State, seat: int, rng: random.Random) -> Plan:
        started = process_time()
        plan = bot.plan_of(state, seat)
        self.plans.append(process_time() - started)
        if self.kind != "words drawn":
            return plan
        cards = rng.sample(range(HAND), HAND)
        return tuple((stop, tuple(2 * cards.pop() + rng.randrange(2) for _ in clue)) for stop, clue in plan)

    def _guess(self, state: State, seat: int, rng: random.Random) -> int:
        if self.kind == "chance":
            journey = state.journey_of(state.traveler())
            for n in range(int(state.used[journey])):
                if state.feet[5 * journey + n] < 0:
                    spaces = [at for at in range(SPACES) if state.can_stand(n, at) and state.fits(journey, n, at)]
                    return int(FOOTPRINT) + SPACES * n + rng.choice(spaces)
            return int(AGREE)
        started = process_time()
        move = bot.choose(state, seat, QuickDice(0))
        self.guesses.append(process_time() - started)
        return move

    def share(self) -> float:
        """The share of stops that were guessed correctly."""
        return self.right / self.meant

    def report(self) -> str:
        share = self.share()
        error = 1.96 * (share * (1 - share) / self.meant) ** 0.5
        return (
            f"{self.kind}: {share:.1%} ± {error:.1%} of {self.meant:,} stops right, "
            f"{_mean(self.points)} points, {_mean(self.souvenirs)} souvenirs"
        )


def _mean(numbers: list[int]) -> str:
    error = 1.96 * statistics.stdev(numbers) / len(numbers) ** 0.5
    return f"{statistics.mean(numbers):.2f} ± {error:.2f}"


def _times(seconds: list[float]) -> str:
    return f"{1000 * statistics.mean(seconds):.1f} ms, at most {1000 * max(seconds):.0f} ms"


def main(games: int, seats: int) -> None:
    for kind in TEAMS:
        team = Team(kind)
        for deal in range(games):
            team.play(deal, seats)
        print(team.report(), flush=True)
        if kind == "sense":
            print(f"planning a day: {_times(team.plans)}; a local's move: {_times(team.guesses)}", flush=True)


if __name__ == "__main__":
    main(*(int(number) for number in [*sys.argv[1:], *("400", "2")[len(sys.argv) - 1 :]]))
