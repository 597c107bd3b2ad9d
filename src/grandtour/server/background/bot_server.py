"""A bot server: a process that chooses bots' moves for all servers of a database, started with `grandtour bots`.

Like a server, it has a row in the database and renews it every second. Servers request moves at its internal address,
with the secret that is in the database.
"""

import asyncio
import contextlib
import logging
import secrets
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from grandtour import __version__
from grandtour.engine import catalogue
from grandtour.engine.refusal import Refusal
from grandtour.server.background.bot_pool import BotPool
from grandtour.server.background.bot_requests import KEEP_ALIVE_INTERVAL, PATH, ChosenMove, WantedMove, position_in
from grandtour.server.forwarding import InternalPort
from grandtour.server.http.responses import refusal_response
from grandtour.server.metrics import CONTENT_TYPE, Metrics
from grandtour.server.run import bind
from grandtour.server.settings import Settings
from grandtour.server.storage import leases, postgres
from grandtour.server.storage.leases import LEASE, RENEW_INTERVAL
from grandtour.server.storage.postgres import PostgresDatabase
from grandtour.server.storage.postgres_store import DatabaseThread
from grandtour.server.storage.store import BotServer

log = logging.getLogger(__name__)

MAX_BODY: Final = 1024 * 1024
"""The maximum size of a request in bytes. Positions have a few thousand."""


class Bots:
    """The bots of a bot server, and its row in the database."""

    def __init__(self, settings: Settings, address: str) -> None:
        self.metrics = Metrics()
        self.processes = max(1, settings.bot_processes)
        self.pool = BotPool(self.processes, settings.bot_deadline, settings.bot_thought, self.metrics)
        self._id = secrets.token_urlsafe(9)
        self._address = address
        self._reachable = True
        first = postgres.open_store(settings.store)
        with first.transaction():
            self.secret = leases.shared_secret(PostgresDatabase(first))
        self._database = DatabaseThread("lease", settings.store, self._set_reachable, first)

    async def begin(self) -> None:
        """Write the row, so that servers find this bot server."""
        await self._database.run(self._renew)

    async def keep_lease(self) -> None:
        """Renew the row until cancelled. Requests are still served while the database cannot be reached."""
        while True:
            await asyncio.sleep(RENEW_INTERVAL)
            with contextlib.suppress(Exception):
                async with asyncio.timeout(LEASE):
                    await self._database.run(self._renew)

    async def close(self) -> None:
        self.pool.close()
        with contextlib.suppress(Exception):
            async with asyncio.timeout(LEASE):
                await self._database.run(lambda db: leases.unregister_bot_server(db, self._id))
        await asyncio.to_thread(self._database.close)

    async def move(self, request: Request) -> Response:
        """Respond to a request for a move. Until the move is found, empty lines show that this process is alive."""
        try:
            wanted = msgspec.json.decode(await _body(request), type=WantedMove)
            game, imagined = position_in(wanted)
        except msgspec.DecodeError as error:
            return refusal_response(Refusal("malformed", f"That is not a request for a move: {error}."))
        except Refusal as refusal:
            log.warning("a server's request for a move was refused: %s", refusal)
            self.metrics.refusals.add(refusal.code)
            return refusal_response(refusal)
        thinking = asyncio.create_task(self.pool.choose(wanted.bot, game, imagined, wanted.seat, wanted.seed))

        async def lines() -> AsyncIterator[bytes]:
            try:
                while not (await asyncio.wait({thinking}, timeout=KEEP_ALIVE_INTERVAL))[0]:
                    yield b"\n"
                yield msgspec.json.encode(ChosenMove(*thinking.result()))
            finally:
                thinking.cancel()

        return StreamingResponse(lines(), media_type="application/json")

    async def show_metrics(self, request: Request) -> Response:
        return Response(self.metrics.text(self.pool.gauges()), headers={"Content-Type": CONTENT_TYPE})

    def _renew(self, db: PostgresDatabase) -> None:
        row = BotServer(self._id, self._address, socket.gethostname(), __version__, self.processes, self.pool.pending)
        leases.renew_bot_server(db, row, db.now())

    def _set_reachable(self, error: str | None) -> None:
        if error is not None and self._reachable:
            log.error("the database cannot be reached, so servers will stop requesting moves: %s", error)
        elif error is None and not self._reachable:
            log.warning("the database can be reached again")
        self._reachable = error is None


def run_bots(settings: Settings, ready: Callable[[], None]) -> None:
    """Run a bot server until Ctrl-C; `ready` is called when it accepts requests. Refuses if there is no database."""
    catalogue.games()
    with contextlib.closing(bind(settings.inside_host, 0)) as listening:
        host, port = listening.getsockname()[:2]
        bots = Bots(settings, f"{host}:{port}")
        config = uvicorn.Config(
            make_app(bots, port, ready),
            ws="none",
            lifespan="on",
            log_config=None,
            log_level=settings.log_level,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        if threading.current_thread() is threading.main_thread():
            # uvicorn shuts down and then raises the signal again.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run([listening])


def make_app(bots: Bots, port: int, ready: Callable[[], None]) -> Starlette:
    """A bot server as an ASGI application. Requests without the servers' secret get a 404."""

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        await bots.begin()
        renewing = asyncio.create_task(bots.keep_lease())
        ready()
        try:
            yield
        finally:
            renewing.cancel()
            await bots.close()

    routes = [Route(PATH, bots.move, methods=["POST"]), Route("/metrics", bots.show_metrics, methods=["GET"])]
    return Starlette(
        routes=routes, middleware=[Middleware(partial(InternalPort, port=port, secret=bots.secret))], lifespan=life
    )


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise Refusal("too-large", f"That is too long: it may have {MAX_BODY} bytes.")
    return bytes(body)
