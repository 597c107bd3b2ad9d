"""Hints at a table: one at a time for each seat."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from grandtour.engine.refusal import Refusal
from grandtour.protocol.messages import Hinted
from grandtour.server.background.hint_pool import HintPool
from grandtour.server.limits import Bucket, take_from
from grandtour.server.settings import Rate
from grandtour.server.tables.client import Client
from grandtour.server.tables.render import hinted_move
from grandtour.server.tables.table import Table


class Hints:
    """The requests for hints at one table."""

    def __init__(self, pool: HintPool, rate: Rate) -> None:
        self._pool = pool
        self._rate = rate
        self._asked: dict[int, Bucket] = {}
        self._thinking: set[int] = set()

    async def hint(self, turn: Callable[[], AbstractAsyncContextManager[Table]], client: Client, id: str) -> None:
        """Tell only this client what the hard bot would do in its seat. `turn` gives exclusive access to the table."""
        seat = client.seat
        if seat is None:
            raise Refusal("wrong-seat", "You are watching: take a seat to join in.")
        take_from(self._asked, seat, self._rate, "You are asking for hints too fast; wait a moment.")
        async with turn() as table:
            if not table.made.hints:
                raise Refusal("not-offered", "Hints are switched off at this table.")
            if table.seats[seat].bot is not None:
                raise Refusal("wrong-seat", "A bot is playing for you; take your seat back first.")
            imagined = table.imagine(seat)
            if seat not in imagined.waiting():
                raise Refusal("wrong-seat", "It is not your turn, so there is no hint.")
            n, moment = table.n, table.moment
        if seat in self._thinking:
            raise Refusal("busy", "The bot is already thinking about your move.")
        self._thinking.add(seat)
        try:
            from_bot, looked, suggestions = await self._pool.hint(table.game, imagined, seat, client.address)
        finally:
            self._thinking.discard(seat)
        async with turn() as table:
            if client.seat != seat or table.match is None or not table.match.fresh(seat, moment):
                raise Refusal("stale", "The game has moved on since you asked; ask again.")
            moves = [hinted_move(table, imagined, suggestion) for suggestion in suggestions]
            client.send(Hinted(id, n, from_bot, looked, moves))
