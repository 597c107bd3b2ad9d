"""After a match: the moments in which the hard bot would have played differently."""

import asyncio
import logging
import secrets
from typing import Final, NamedTuple

from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.engine.words import with_names
from grandtour.server.advisers import Advisers, busy
from grandtour.server.bodies import Moment, Moments
from grandtour.server.settings import Settings

log = logging.getLogger(__name__)

SHOWN: Final = 8
"""Moments that are told: those that cost most."""
KEPT: Final = 200
"""Reviews that are remembered."""


class Decision(NamedTuple):
    """A move that was one of several. `n` is its step of the replay, `imagined` what its seat could imagine then."""

    n: int
    imagined: State
    move: int


class Review:
    """One seat of one match, looked at decision by decision."""

    def __init__(self, match: Match, names: list[str], seat: int) -> None:
        self.match = match
        self.names = names
        self.told = Moments(seat, 0, 0, False, [])
        self.refusal: Refusal | None = None
        self.task: asyncio.Task[None] | None = None

    async def look(self, advisers: Advisers, settings: Settings) -> None:
        """Judge every decision, or as many as there is time for."""
        told = self.told
        try:
            decisions = await asyncio.to_thread(decisions_of, self.match, told.seat, settings.review_decisions)
            told.of = len(decisions)
            async with asyncio.timeout(settings.review_deadline):
                for decision in decisions:
                    await self._judge(decision, advisers, settings.review_budget)
                    told.done += 1
        except TimeoutError:
            # What was found by then is told; `done` says how far it got.
            pass
        except Refusal as refusal:
            self.refusal = refusal
        except Exception:
            log.exception("a review failed")
            self.refusal = Refusal("failed", "The bot could not look at this match.")
        told.over = True

    async def _judge(self, decision: Decision, advisers: Advisers, budget: str) -> None:
        game, told = self.match.game, self.told
        verdict = await advisers.judge(budget, game, decision.imagined, told.seat, decision.move)
        if verdict is not None:
            played, better = (
                with_names(game.describe_move(game.moves.name(move)), self.names)
                for move in (decision.move, verdict.better)
            )
            found = [*told.moments, Moment(decision.n, played, better, round(verdict.cost, 3))]
            told.moments = sorted(found, key=lambda moment: -moment.cost)[:SHOWN]


class Reviews:
    """Every review that was asked for, each made once; few at a time."""

    def __init__(self, advisers: Advisers, settings: Settings) -> None:
        self._advisers = advisers
        self._settings = settings
        self._reviews: dict[tuple[str, int], Review] = {}

    def ask(self, table: str, match: Match, names: list[str], seat: int) -> Moments:
        """How far the review of a seat is; it begins when it is first asked for."""
        if not 0 <= seat < match.seats:
            raise Refusal("wrong-seat", f"There is no seat {seat} at this table.")
        review = self._reviews.get((table, seat))
        if review is None:
            review = self._begin(table, match, names, seat)
        if review.refusal is not None:
            del self._reviews[table, seat]
            raise review.refusal
        return review.told

    async def close(self) -> None:
        running = [review.task for review in self._reviews.values() if review.task is not None]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    def _begin(self, table: str, match: Match, names: list[str], seat: int) -> Review:
        if sum(not review.told.over for review in self._reviews.values()) >= self._settings.limits.reviews:
            raise busy()
        if len(self._reviews) >= KEPT:
            del self._reviews[next(key for key, review in self._reviews.items() if review.told.over)]
        review = Review(match, names, seat)
        review.task = asyncio.create_task(review.look(self._advisers, self._settings))
        self._reviews[table, seat] = review
        return review


def decisions_of(match: Match, seat: int, most: int) -> list[Decision]:
    """The decisions of a seat in a match, as many as may be, spread over all of it."""
    found: list[Decision] = []
    for n, (entry, (_, _, state)) in enumerate(zip(match.log, match.steps(), strict=False), 1):
        if entry.seat == seat and seat in state.waiting() and len(state.legal(seat)) > 1:
            found.append(Decision(n, state.imagine(seat, QuickDice(secrets.randbits(62))), entry.move))
    if len(found) <= most:
        return found
    return [found[index * len(found) // most] for index in range(most)]
