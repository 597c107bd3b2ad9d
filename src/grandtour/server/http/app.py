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
from grandtour.server.forwarding import MISDIRECTED, SOCKETS, Forwarding, InternalPort, fetch
from grandtour.server.garbage_collection import collect_garbage
from grandtour.server.http import api, page
from grandtour.server.http.endpoint import parse_body
from grandtour.server.http.proxies import FORWARDED, Proxies, ProxyHeaders
from grandtour.server.http.requests import WantedPlace
from grandtour.server.http.responses import json_response, refusal_response
from grandtour.server.http.security import Security
from grandtour.server.limits import RateLimited
from grandtour.server.metrics import CONTENT_TYPE, MetricsReaders, count_refusal, merge_servers
from grandtour.server.registry import Registry
from grandtour.server.settings import Settings
from grandtour.server.storage.store import SharedStore, Store, StoreUnavailable, TableElsewhere, not_stored
from grandtour.server.tables.connections import ConnectionLimiter
from grandtour.server.tables.quick_match import seat_path
from grandtour.server.tables.sockets import table_socket

log = logging.getLogger(__name__)

_HTTP_ERRORS = {
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
    """The whole server: API, sockets and page. Without a store, it opens the one in `settings.data`. With
    `own_process`, it also controls garbage collection. Other servers of the store reach it at `internal_port`."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
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

    readers = MetricsReaders(settings.metrics_from)

    async def metrics(request: Request) -> Response:
        forwarded = FORWARDED in request.scope
        if not forwarded and not readers.may_read(request.scope):
            raise HTTPException(404)
        registry: Registry = request.app.state.registry
        limiter: ConnectionLimiter | None = getattr(request.app.state, "limiter", None)
        gauges = registry.gauges() | (limiter.gauges() if limiter is not None else {})
        text = registry.metrics.text(gauges)
        if registry.shared is not None and not forwarded:
            text = await _with_neighbours(text, internal_port, registry.shared)
        return Response(text, headers={"Cache-Control": "no-store", "Content-Type": CONTENT_TYPE})

    async def count_sockets(request: Request) -> Response:
        """For other servers: the number of sockets that an address has at this server."""
        if FORWARDED not in request.scope:
            raise HTTPException(404)
        registry: Registry = request.app.state.registry
        return PlainTextResponse(str(registry.addresses.sockets[request.query_params.get("address", "")]))

    async def quick_seat(request: Request) -> Response:
        """For other servers: seat a player at a quick match of this server."""
        if FORWARDED not in request.scope:
            raise HTTPException(404)
        wanted = await parse_body(request, WantedPlace)
        place = await request.app.state.registry.quick_match.seat_here(request.path_params["table"], wanted)
        if place is None:
            raise Refusal("taken", "Nobody is waiting at this table.")
        return json_response(place)

    shared = store if isinstance(store, SharedStore) else None
    inside: list[Middleware] = []
    forwarding: list[Middleware] = []
    if shared is not None:
        inside = [Middleware(InternalPort, port=internal_port, secret=shared.secret)]
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
            Middleware(ProxyHeaders, proxies=proxies or Proxies(settings.proxies, settings.proxy_header)),
            Middleware(Security, origins=settings.origins, hosts=settings.hosts | {settings.host}),
            Middleware(RateLimited),
            *forwarding,
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={
            Refusal: _refuse,
            TableElsewhere: _misdirect,
            StoreUnavailable: _cannot_store,
            HTTPException: _http_error,
            ClientDisconnect: _client_disconnected,
            Exception: _internal_error,
        },
        lifespan=lifespan,
    )


async def _refuse(request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, Refusal)
    count_refusal(request.scope, refusal)
    return refusal_response(refusal)


async def _misdirect(request: Request, error: Exception) -> Response:
    """The table has moved to another server during the request."""
    refusal = Refusal("busy", "This table is moving to another server; try again in a moment.")
    return json_response(refusal.to_json(), MISDIRECTED if FORWARDED in request.scope else 503)


async def _cannot_store(request: Request, error: Exception) -> Response:
    return await _refuse(request, not_stored())


async def _with_neighbours(text: str, port: int, store: SharedStore) -> str:
    """The metrics of all servers on this machine, labelled by server."""
    addresses = await store.servers_on_this_machine()
    others = await asyncio.gather(*(fetch(address, "/metrics", store.secret) for address in addresses))
    found = {str(port): text} | {
        address.rpartition(":")[2]: other for address, other in zip(addresses, others, strict=True) if other
    }
    return merge_servers(found) if addresses else text


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code, reason = _HTTP_ERRORS.get(error.status_code, ("malformed", "That cannot be done."))
    if request.url.path.startswith("/api/"):
        response = json_response(Refusal(code, reason).to_json(), error.status_code)
    else:
        response = PlainTextResponse(reason, error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _client_disconnected(request: Request, error: Exception) -> Response:
    return json_response(Refusal("malformed", "The request was not sent completely.").to_json(), 400)


async def _internal_error(request: Request, error: Exception) -> Response:
    failure = Refusal("failed", "Something went wrong in the server; nothing has changed.")
    count_refusal(request.scope, failure)
    return json_response(failure.to_json(), 500)
