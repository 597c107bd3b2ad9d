"""Replays are worked out in a process of their own, few at once, and sent compressed and piece by piece."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from grandtour.engine import tour
from grandtour.engine.refusal import Refusal
from grandtour.players import thinking
from grandtour.server.limits import Addresses, address_of
from grandtour.server.pool import Pool
from grandtour.server.replay import unpacked, work_out
from grandtour.server.reviews import Finished
from grandtour.server.settings import Settings

PIECE: Final = 32 * 1024
KEPT_BYTES: Final = 8 * 1024 * 1024
"""Of replays that were worked out and may be asked for again."""


class Replays:
    """Works replays out, one after another, so that nobody else has to wait for them."""

    def __init__(self, settings: Settings, addresses: Addresses) -> None:
        self._settings = settings
        self._addresses = addresses
        self._turn = asyncio.Lock()
        self._pool = Pool(1, thinking.begin_gently)
        self._kept: OrderedDict[tuple[str, int | None], bytes] = OrderedDict()

    async def answer(self, request: Request, seat: int | None, find: Callable[[], Awaitable[str]]) -> Response:
        """The replay of the `.tour` file that `find` finds. The request is counted until it has been sent."""
        address = address_of(request.scope.get("client"))
        self._addresses.replay_begun(address)
        try:
            packed = await self._packed(await find(), seat)
        except BaseException:
            self._addresses.replay_ended(address)
            raise
        plain = "gzip" not in request.headers.get("accept-encoding", "")
        deadline = self._settings.replay_send_deadline
        return _Sent(packed, plain, deadline, lambda: self._addresses.replay_ended(address))

    async def match(self, request: Request, text: str) -> Finished:
        """The match of a `.tour` file, which is counted like a replay while it is read."""
        address = address_of(request.scope.get("client"))
        self._addresses.replay_begun(address)
        try:
            match, names = await asyncio.to_thread(tour.load, text)
            return Finished(match, names, tour.stand_ins(text))
        finally:
            self._addresses.replay_ended(address)

    def close(self) -> None:
        self._pool.close()

    async def _packed(self, text: str, seat: int | None) -> bytes:
        key = (hashlib.sha256(text.encode()).hexdigest(), seat)
        async with self._turn:
            packed = self._kept.pop(key, None)
            if packed is None:
                packed = await self._work_out(text, seat)
            self._kept[key] = packed
            while sum(map(len, self._kept.values())) > KEPT_BYTES:
                self._kept.popitem(last=False)
            return packed

    async def _work_out(self, text: str, seat: int | None) -> bytes:
        limits, seconds = self._settings.limits, self._settings.replay_deadline
        try:
            return await self._pool.ask(
                seconds + 1, work_out, seconds, text, seat, limits.replay_bytes, limits.packed_replay_bytes
            )
        except (TimeoutError, BrokenProcessPool):
            raise Refusal("too-large", "This match takes too long to be shown as a whole.") from None


class _Sent(Response):
    """A compressed body, sent in pieces, each when the one before it has been taken; too slow a client is cut off."""

    def __init__(self, packed: bytes, plain: bool, deadline: float, done: Callable[[], object]) -> None:
        headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
        super().__init__(media_type="application/json", headers=headers)
        del self.headers["Content-Length"]
        if not plain:
            self.headers["Content-Encoding"] = "gzip"
            self.headers["Content-Length"] = str(len(packed))
        self._packed = packed
        self._plain = plain
        self._deadline = deadline
        self._done = done

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(self._deadline):
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                for piece in self._pieces():
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except TimeoutError:
            # Ending without the last piece makes uvicorn close the connection, so that the client knows.
            pass
        finally:
            self._done()

    def _pieces(self) -> Iterator[bytes]:
        if self._plain:
            return unpacked(self._packed, PIECE)
        return (self._packed[start : start + PIECE] for start in range(0, len(self._packed), PIECE))
