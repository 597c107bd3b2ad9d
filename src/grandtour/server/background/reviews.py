"""Reviews of finished matches: the turning points at which the hard bot would have played differently."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from grandtour.engine import catalogue
from grandtour.engine.refusal import Refusal
from grandtour.engine.words import with_names
from grandtour.players.review import SHOWN, Decision
from grandtour.server.background.hint_pool import HintPool, busy
from grandtour.server.background.replay import Decisions
from grandtour.server.http.requests import Moment, Moments
from grandtour.server.settings import Settings

log = logging.getLogger(__name__)

MAX_REVIEWS: Final = 200
"""The maximum number of reviews in memory."""


class Review:
    """The review of one seat in one match, decision by decision."""

    def __init__(self, found: Decisions, seat: int, address: str) -> None:
        self.found = found
        self.address = address
        self.progress = Moments(seat, 0, len(found.decisions), False, [])
        self.refusal: Refusal | None = None
        self.task: asyncio.Task[None] | None = None

    async def run(self, hint_pool: HintPool, settings: Settings) -> None:
        """Judge the decisions until the deadline."""
        progress = self.progress
        try:
            async with asyncio.timeout(settings.review_deadline):
                for decision in self.found.decisions:
                    await self._judge(decision, hint_pool, settings.review_budget)
                    progress.done += 1
        except TimeoutError:
            # The moments found so far are shown, and `done` says how many decisions were judged.
            pass
        except Refusal as refusal:
            self.refusal = refusal
        except Exception:
            log.exception("a review failed")
            self.refusal = Refusal("failed", "The review failed.")
        progress.over = True

    async def _judge(self, decision: Decision, hint_pool: HintPool, budget: str) -> None:
        game, progress = catalogue.game(self.found.game), self.progress
        verdict = await hint_pool.judge(budget, game, decision.imagined, progress.seat, decision.move)
        if verdict is not None:
            played, better = (
                with_names(game.describe_move(decision.imagined, game.moves.name(move)), self.found.names)
                for move in (decision.move, verdict.better)
            )
            found = [*progress.moments, Moment(decision.n, played, better, round(verdict.cost, 3))]
            progress.moments = sorted(found, key=lambda moment: -moment.cost)[:SHOWN]


class Reviews:
    """All reviews. Each is made once, and only a few are made at the same time."""

    def __init__(self, hint_pool: HintPool, settings: Settings) -> None:
        self._hint_pool = hint_pool
        self._settings = settings
        self._reviews: dict[tuple[str, int], Review] = {}

    async def ask(self, key: str, seat: int, find: Callable[[], Awaitable[Decisions]], address: str = "") -> Moments:
        """The review of a seat as far as it has been made. The first request starts it. `key` identifies the match, and
        `find` returns the seat's decisions if they are not known yet."""
        review = self._reviews.get((key, seat))
        if review is None:
            self._check_room(address)
            found = await find()
            # Somebody else may have requested it in the meantime.
            review = self._reviews.get((key, seat)) or self._begin(key, found, seat, address)
        if review.refusal is not None:
            self._reviews.pop((key, seat), None)
            raise review.refusal
        return review.progress

    async def close(self) -> None:
        running = [review.task for review in self._reviews.values() if review.task is not None]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    def _check_room(self, address: str) -> None:
        limits = self._settings.limits
        running = [review.address for review in self._reviews.values() if not review.progress.over]
        if len(running) >= limits.reviews or running.count(address) >= limits.address_reviews:
            raise busy()

    def _begin(self, key: str, found: Decisions, seat: int, address: str) -> Review:
        self._check_room(address)
        if len(self._reviews) >= MAX_REVIEWS:
            del self._reviews[next(key for key, review in self._reviews.items() if review.progress.over)]
        review = Review(found, seat, address)
        review.task = asyncio.create_task(review.run(self._hint_pool, self._settings))
        self._reviews[key, seat] = review
        return review
