"""The server as an ASGI application."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from grandtour.engine.refusal import Refusal
from grandtour.server.forwarding import MISDIRECTED, SOCKETS, Forwarding, Inside, fetch
from grandtour.server.garbage_collection import collect_garbage
from grandtour.server.http import api, page
from grandtour.server.http.endpoint import body_of
from grandtour.server.http.proxies import FORWARDED, BehindProxies, Proxies
from grandtour.server.http.requests import WantedPlace
from grandtour.server.http.responses import answer, refusal_answer
from grandtour.server.http.security import Security
from grandtour.server.limits import Metered
from grandtour.server.metrics import CONTENT_TYPE, Readers, count_refusal, merge_servers
from grandtour.server.registry import Registry
from grandtour.server.settings import Settings
from grandtour.server.storage.store import Elsewhere, SharedStore, Store, Unavailable, not_stored
from grandtour.server.tables.connections import ConnectionLimiter
from grandtour.server.tables.quick_match import seat_path
from grandtour.server.tables.sockets import table_socket

log = logging.getLogger(__name__)

_WORDS = {
    404: ("not-found", "There is nothing at this address."),
    405: ("wrong-method", "This address does not accept that kind of request."),
}


def make_app(
    settings: Settings,
    store: Store | None = None,
    proxies: Proxies | None = None,
    own_process: bool = False,
    internal_port: int = 0,
) -> Starlette:
    """The whole server: API, sockets and page. Without a store it opens the one in `settings.data`. If it has the
    process to itself, it also controls garbage collection. At `internal_port` it hears other servers of the store."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        app.state.registry = registry = Registry(settings, store)
        collector: asyncio.Task[None] | None = None
        if own_process:
            registry.metrics.watch_gc()
            collector = asyncio.create_task(collect_garbage(registry.load))
        try:
            yield
        finally:
            if collector is not None:
                collector.cancel()
            await registry.close()

    readers = Readers(settings.metrics_from)

    async def metrics(request: Request) -> Response:
        passed_on = FORWARDED in request.scope
        if not passed_on and not readers.may_read(request.scope):
            raise HTTPException(404)
        registry: Registry = request.app.state.registry
        limiter: ConnectionLimiter | None = getattr(request.app.state, "limiter", None)
        gauges = registry.gauges() | (limiter.gauges() if limiter is not None else {})
        text = registry.metrics.text(gauges)
        if registry.shared is not None and not passed_on:
            text = await _with_neighbours(text, internal_port, registry.shared)
        return Response(text, headers={"Cache-Control": "no-store", "Content-Type": CONTENT_TYPE})

    async def count_sockets(request: Request) -> Response:
        """Another server asks how many sockets an address has at this one."""
        if FORWARDED not in request.scope:
            raise HTTPException(404)
        registry: Registry = request.app.state.registry
        return PlainTextResponse(str(registry.addresses.sockets[request.query_params.get("address", "")]))

    async def quick_seat(request: Request) -> Response:
        """Another server asks for a seat at a quick match of this one."""
        if FORWARDED not in request.scope:
            raise HTTPException(404)
        wanted = await body_of(request, WantedPlace)
        place = await request.app.state.registry.quick_match.seat_here(request.path_params["table"], wanted)
        if place is None:
            raise Refusal("taken", "Nobody waits at this table.")
        return answer(place)

    shared = store if isinstance(store, SharedStore) else None
    inside: list[Middleware] = []
    forwarding: list[Middleware] = []
    if shared is not None:
        inside = [Middleware(Inside, port=internal_port, secret=shared.secret)]
        forwarding = [Middleware(Forwarding, secret=shared.secret, body_bytes=settings.limits.body_bytes)]

    return Starlette(
        routes=[
            *api.routes(),
            WebSocketRoute("/api/tables/{table}/socket", table_socket),
            Route(seat_path("{table}"), quick_seat, methods=["POST"]),
            Route(SOCKETS, count_sockets, methods=["GET"]),
            Route("/metrics", metrics, methods=["GET"]),
            *page.routes(settings.page),
        ],
        middleware=[
            *inside,
            Middleware(BehindProxies, proxies=proxies or Proxies(settings.proxies, settings.proxy_header)),
            Middleware(Security, origins=settings.origins, hosts=settings.hosts | {settings.host}),
            Middleware(Metered),
            *forwarding,
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={
            Refusal: _refuse,
            Elsewhere: _misdirect,
            Unavailable: _cannot_store,
            HTTPException: _say_no,
            ClientDisconnect: _let_go,
            Exception: _fail,
        },
        lifespan=life,
    )


async def _refuse(request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, Refusal)
    count_refusal(request.scope, refusal)
    return refusal_answer(refusal)


async def _misdirect(request: Request, error: Exception) -> Response:
    """The table has gone to another server while it was asked for."""
    refusal = Refusal("busy", "This table is moving to another server; try again in a moment.")
    return answer(refusal.to_json(), MISDIRECTED if FORWARDED in request.scope else 503)


async def _cannot_store(request: Request, error: Exception) -> Response:
    return await _refuse(request, not_stored())


async def _with_neighbours(text: str, port: int, store: SharedStore) -> str:
    """The metrics of all servers on this machine, each with a label that says whose they are."""
    addresses = await store.neighbours()
    others = await asyncio.gather(*(fetch(address, "/metrics", store.secret) for address in addresses))
    found = {str(port): text} | {
        address.rpartition(":")[2]: other for address, other in zip(addresses, others, strict=True) if other
    }
    return merge_servers(found) if addresses else text


async def _say_no(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code, reason = _WORDS.get(error.status_code, ("malformed", "That cannot be done."))
    if request.url.path.startswith("/api/"):
        response = answer(Refusal(code, reason).to_json(), error.status_code)
    else:
        response = PlainTextResponse(reason, error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _let_go(request: Request, error: Exception) -> Response:
    return answer(Refusal("malformed", "The request was cut short.").to_json(), 400)


async def _fail(request: Request, error: Exception) -> Response:
    failure = Refusal("failed", "Something went wrong in the server; nothing has changed.")
    count_refusal(request.scope, failure)
    return answer(failure.to_json(), 500)
