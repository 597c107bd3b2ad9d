"""Each seat's chances over a finished match, computed once in the background and stored with the match."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import msgspec

from grandtour.engine import catalogue
from grandtour.engine.refusal import Refusal
from grandtour.players.review import turning_points
from grandtour.server.background.hint_pool import HintPool, busy
from grandtour.server.background.replay import Positions
from grandtour.server.http.requests import Curve, CurvePoint
from grandtour.server.settings import Settings
from grandtour.server.storage import curve_store
from grandtour.server.storage.store import Store

log = logging.getLogger(__name__)


class Curves:
    """The curves of all matches. Curves in progress are in memory, finished ones in the store."""

    def __init__(self, store: Store, hint_pool: HintPool, settings: Settings) -> None:
        self._store = store
        self._hint_pool = hint_pool
        self._settings = settings
        self._running: dict[str, tuple[Curve, asyncio.Task[None], str]] = {}

    async def get(self, table: str) -> Curve:
        """The curve of a match as far as it has been computed; empty if nobody has requested it."""
        if table in self._running:
            return self._running[table][0]
        kept = await self._store.run(lambda db: curve_store.load(db, table), writes=False)
        return Curve(0, 0, False, [], []) if kept is None else msgspec.json.decode(kept, type=Curve)

    async def ask(self, table: str, find: Callable[[], Awaitable[Positions]], address: str) -> Curve:
        """The curve as far as it has been computed. The first request starts the computation."""
        found = await self.get(table)
        if found.over or table in self._running:
            return found
        limits = self._settings.limits
        asking = [by for _, _, by in self._running.values()]
        if len(asking) >= limits.reviews or asking.count(address) >= limits.address_reviews:
            raise busy()
        positions = await find()
        if table not in self._running:
            curve = Curve(0, len(positions.positions), False, [], [])
            self._running[table] = curve, asyncio.create_task(self._compute(table, curve, positions)), address
        return self._running[table][0]

    async def close(self) -> None:
        tasks = [task for _, task, _ in self._running.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _compute(self, table: str, curve: Curve, found: Positions) -> None:
        game = catalogue.game(found.game)
        try:
            for position in found.positions:
                chances = await self._hint_pool.chances(self._settings.curve_budget, game, position.imagined)
                curve.points.append(CurvePoint(position.n, [round(each, 3) for each in chances]))
                curve.done += 1
            result = found.result[: len(curve.points[-1].chances)] if curve.points else found.result
            curve.points.append(CurvePoint(found.last, [min(1.0, max(0.0, each)) for each in result]))
            curve.turns = turning_points([(point.n, point.chances) for point in curve.points])
            curve.over = True
            await self._store.run(lambda db: curve_store.save(db, table, msgspec.json.encode(curve)))
        except Refusal:
            # The next request starts it again.
            pass
        except Exception:
            log.exception("the curve of table %s could not be computed", table)
        finally:
            self._running.pop(table, None)
