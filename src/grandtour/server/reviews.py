"""After a match: the moments in which the hard bot would have played differently."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Container
from typing import Final, NamedTuple

from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.words import with_names
from grandtour.players.judging import SHOWN, Decision, decisions_of
from grandtour.server.advisers import Advisers, busy
from grandtour.server.bodies import Moment, Moments
from grandtour.server.settings import Settings

log = logging.getLogger(__name__)

KEPT: Final = 200
"""Reviews that are remembered."""


class Finished(NamedTuple):
    """A match that is over. `stand_ins` are the moves, counted from 1, that were made in somebody's place."""

    match: Match
    names: list[str]
    stand_ins: Container[int]


class Review:
    """One seat of one match, looked at decision by decision."""

    def __init__(self, found: Finished, seat: int, address: str) -> None:
        self.match = found.match
        self.names = found.names
        self.address = address
        self.skipped = found.stand_ins
        self.told = Moments(seat, 0, 0, False, [])
        self.refusal: Refusal | None = None
        self.task: asyncio.Task[None] | None = None

    async def look(self, advisers: Advisers, settings: Settings) -> None:
        """Judge every decision, or as many as there is time for."""
        told = self.told
        try:
            dice = QuickDice(secrets.randbits(62))
            decisions = await asyncio.to_thread(
                decisions_of, self.match, told.seat, settings.review_decisions, dice, self.skipped
            )
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
                with_names(game.describe_move(decision.imagined, game.moves.name(move)), self.names)
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

    async def ask(self, key: str, seat: int, find: Callable[[], Awaitable[Finished]], address: str = "") -> Moments:
        """How far the review of a seat is; it begins when it is first asked for. `key` is the match's own, and `find`
        finds the match where it is not known yet."""
        review = self._reviews.get((key, seat))
        if review is None:
            found = await find()
            if not 0 <= seat < found.match.seats:
                raise Refusal("wrong-seat", f"There is no seat {seat} at this table.")
            # Someone else may have asked for the same meanwhile.
            review = self._reviews.get((key, seat)) or self._begin(key, found, seat, address)
        if review.refusal is not None:
            self._reviews.pop((key, seat), None)
            raise review.refusal
        return review.told

    async def close(self) -> None:
        running = [review.task for review in self._reviews.values() if review.task is not None]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    def _begin(self, key: str, found: Finished, seat: int, address: str) -> Review:
        limits = self._settings.limits
        running = [review.address for review in self._reviews.values() if not review.told.over]
        if len(running) >= limits.reviews or running.count(address) >= limits.address_reviews:
            raise busy()
        if len(self._reviews) >= KEPT:
            del self._reviews[next(key for key, review in self._reviews.items() if review.told.over)]
        review = Review(found, seat, address)
        review.task = asyncio.create_task(review.look(self._advisers, self._settings))
        self._reviews[key, seat] = review
        return review
