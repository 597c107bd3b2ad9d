"""Renders replays in a separate process, a few at a time, and sends them compressed and in pieces."""

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from grandtour.engine.refusal import Refusal
from grandtour.players import worker
from grandtour.protocol.replay import Viewer
from grandtour.server.background.process_pool import Pool
from grandtour.server.background.replay import (
    Decisions,
    Positions,
    find_decisions,
    find_draws,
    find_positions,
    render_replay,
    unpacked,
)
from grandtour.server.limits import Addresses, address_of
from grandtour.server.settings import Settings

T = TypeVar("T")

PIECE: Final = 32 * 1024
CACHE_BYTES: Final = 8 * 1024 * 1024
"""The maximum size of the cache of rendered replays, in bytes."""


class Replays:
    """Renders replays and reads `.tour` files, one at a time, without blocking the server."""

    def __init__(self, settings: Settings, addresses: Addresses) -> None:
        self._settings = settings
        self._addresses = addresses
        self._turn = asyncio.Lock()
        self._pool = Pool(1, worker.begin_in_background)
        self._kept: OrderedDict[tuple[str, Viewer], bytes] = OrderedDict()

    async def respond(self, request: Request, viewer: Viewer, find: Callable[[], Awaitable[str]]) -> Response:
        """A response with the replay of the `.tour` file that `find` returns. The request counts against the limits
        until the response has been sent."""
        address = address_of(request.scope.get("client"))
        self._addresses.replay_begun(address)
        try:
            packed = await self._packed(await find(), viewer)
        except BaseException:
            self._addresses.replay_ended(address)
            raise
        plain = "gzip" not in request.headers.get("accept-encoding", "")
        deadline = self._settings.replay_send_deadline
        return _PackedResponse(packed, plain, deadline, lambda: self._addresses.replay_ended(address))

    async def decisions(self, request: Request, text: str, seat: int) -> Decisions:
        """The decisions of a seat in a `.tour` file. The request counts against limits like a replay."""
        address = address_of(request.scope.get("client"))
        self._addresses.replay_begun(address)
        try:
            async with self._turn:
                return await self._ask(
                    find_decisions, text, seat, self._settings.review_decisions, secrets.randbits(62)
                )
        finally:
            self._addresses.replay_ended(address)

    async def positions(self, request: Request, text: str) -> Positions:
        """Positions of the match in a `.tour` file. The request counts against limits like a replay."""
        address = address_of(request.scope.get("client"))
        self._addresses.replay_begun(address)
        try:
            async with self._turn:
                return await self._ask(find_positions, text, self._settings.curve_points, secrets.randbits(62))
        finally:
            self._addresses.replay_ended(address)

    async def draws(self, request: Request, find: Callable[[], Awaitable[str]]) -> bytes:
        """Every random number of the `.tour` file that `find` returns, as JSON. The request counts against the limits
        like a replay."""
        address = address_of(request.scope.get("client"))
        self._addresses.replay_begun(address)
        try:
            text = await find()
            async with self._turn:
                return await self._ask(find_draws, text, self._settings.limits.packed_replay_bytes)
        finally:
            self._addresses.replay_ended(address)

    def close(self) -> None:
        self._pool.close()

    async def _packed(self, text: str, viewer: Viewer) -> bytes:
        key = (hashlib.sha256(text.encode()).hexdigest(), viewer)
        async with self._turn:
            packed = self._kept.pop(key, None)
            if packed is None:
                limits = self._settings.limits
                packed = await self._ask(render_replay, text, viewer, limits.replay_bytes, limits.packed_replay_bytes)
            self._kept[key] = packed
            while sum(map(len, self._kept.values())) > CACHE_BYTES:
                self._kept.popitem(last=False)
            return packed

    async def _ask(self, work: Callable[..., T], *given: object) -> T:
        """Run `work` in the separate process. Refuses if it takes too long."""
        seconds = self._settings.replay_deadline
        try:
            return await self._pool.run(seconds + 1, work, seconds, *given)
        except (TimeoutError, BrokenProcessPool):
            raise Refusal("too-large", "This match takes too long to be shown as a whole.") from None


class _PackedResponse(Response):
    """A response with a compressed body, sent in pieces as the client reads them. A slow client is disconnected."""

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
            # Without the last piece, uvicorn closes the connection, which tells the client.
            pass
        finally:
            self._done()

    def _pieces(self) -> Iterator[bytes]:
        if self._plain:
            return unpacked(self._packed, PIECE)
        return (self._packed[start : start + PIECE] for start in range(0, len(self._packed), PIECE))
