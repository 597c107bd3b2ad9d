"""The server as an ASGI application."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import WebSocketRoute

from grandtour.engine.refusal import Refusal
from grandtour.server import api, page
from grandtour.server.answers import answer, refusal_answer
from grandtour.server.house import House
from grandtour.server.limits import Metered
from grandtour.server.proxies import BehindProxies, Proxies
from grandtour.server.security import Security
from grandtour.server.settings import Settings
from grandtour.server.sockets import table_socket
from grandtour.server.store import Store

log = logging.getLogger(__name__)

_WORDS = {
    404: ("not-found", "There is nothing at this address."),
    405: ("wrong-method", "This address cannot be asked that way."),
}


def make_app(settings: Settings, store: Store | None = None, proxies: Proxies | None = None) -> Starlette:
    """The whole server: API, sockets and page. Without a store it opens the one in `settings.data`."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        app.state.house = house = House(settings, store)
        try:
            yield
        finally:
            await house.close()

    return Starlette(
        routes=[
            *api.routes(),
            WebSocketRoute("/api/tables/{table}/socket", table_socket),
            *page.routes(settings.page),
        ],
        middleware=[
            Middleware(BehindProxies, proxies=proxies or Proxies(settings.proxies, settings.proxy_header)),
            Middleware(Security, origins=settings.origins, hosts=settings.hosts | {settings.host}),
            Middleware(Metered),
        ],
        exception_handlers={
            Refusal: _refuse,
            HTTPException: _say_no,
            ClientDisconnect: _let_go,
            Exception: _fail,
        },
        lifespan=life,
    )


async def _refuse(request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, Refusal)
    return refusal_answer(refusal)


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
    return answer(failure.to_json(), 500)
