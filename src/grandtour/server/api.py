"""The HTTP part of the protocol. Routes and the OpenAPI document are both generated from one list, `ENDPOINTS`."""

import asyncio
import gzip
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.protocol.draws import DrawnDice
from grandtour.protocol.replay import Viewer
from grandtour.server import requests
from grandtour.server.catalogue_api import list_games
from grandtour.server.guide import guide
from grandtour.server.limits import address_of
from grandtour.server.registry import Registry
from grandtour.server.replay import Decisions
from grandtour.server.responses import answer, encoded
from grandtour.server.rulebook import rulebook
from grandtour.server.store import not_stored

T = TypeVar("T")


class Endpoint(NamedTuple):
    """One kind of request: its body, its response and a sentence about it. The type None stands for a `.tour` file."""

    method: str
    path: str
    handle: Callable[[Request], Awaitable[Response]]
    about: str
    gives: Any = None
    takes: Any = ...
    query: tuple[str, ...] = ()


async def get_games(request: Request) -> Response:
    return answer(list_games())


async def get_rulebook(request: Request) -> Response:
    return answer(rulebook(request.path_params["game"]))


async def get_guide(request: Request) -> Response:
    return answer(guide(request.path_params["game"]))


async def get_tables(request: Request) -> Response:
    return encoded(await _registry(request).lobby.answer())


async def post_tables(request: Request) -> Response:
    registry = _registry(request)
    wanted = await _body(request, requests.WantedTable)
    address = address_of(request.scope.get("client"))
    registry.addresses.table(address)
    return answer(await registry.open(wanted, address))


async def get_table(request: Request) -> Response:
    async with _registry(request).visit(request.path_params["table"]) as session:
        return answer(session.info())


async def post_sit(request: Request) -> Response:
    registry = _registry(request)
    wanted = await _body(request, requests.WantedPlace)
    async with registry.visit(request.path_params["table"]) as session:
        seat, secret = await session.sit(wanted.name, wanted.seat, wanted.secret)
    return answer(requests.Place(seat, secret))


async def get_tour(request: Request) -> Response:
    saved = await _saved(request)
    headers = {"Content-Disposition": f'attachment; filename="{request.path_params["table"]}.tour"'}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return PlainTextResponse(gzip.decompress(saved), headers=headers)
    return PlainTextResponse(saved, headers=headers | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})


async def get_replay(request: Request) -> Response:
    return await _registry(request).replays.answer(request, _viewer(request), lambda: _saved_text(request))


async def post_replay(request: Request) -> Response:
    return await _registry(request).replays.answer(request, _viewer(request), lambda: _tour_text(request))


async def post_branches(request: Request) -> Response:
    registry = _registry(request)
    wanted = await _body(request, requests.WantedBranch)
    address = address_of(request.scope.get("client"))
    registry.addresses.table(address)
    return answer(await registry.branch(request.path_params["table"], wanted, address))


async def get_dice(request: Request) -> Response:
    return encoded(await _registry(request).replays.draws(request, lambda: _saved_text(request)))


async def post_dice(request: Request) -> Response:
    return encoded(await _registry(request).replays.draws(request, lambda: _tour_text(request)))


async def post_moments(request: Request) -> Response:
    registry = _registry(request)
    seat = _one_seat(request)
    address = address_of(request.scope.get("client"))

    async def find() -> Decisions:
        return await registry.replays.decisions(request, await _saved_text(request), seat)

    return answer(await registry.reviews.ask(request.path_params["table"], seat, find, address))


async def post_file_moments(request: Request) -> Response:
    registry = _registry(request)
    text = await _tour_text(request)
    seat = _one_seat(request)
    mark = hashlib.sha256(text.encode()).hexdigest()
    address = address_of(request.scope.get("client"))
    found = await registry.reviews.ask(mark, seat, lambda: registry.replays.decisions(request, text, seat), address)
    return answer(found)


async def get_health(request: Request) -> Response:
    registry = _registry(request)
    return answer(requests.Health(registry.trouble is None, len(registry.sessions), registry.addresses.sockets.total()))


async def get_ready(request: Request) -> Response:
    registry = _registry(request)
    await registry.check_store()
    if registry.trouble is not None:
        raise not_stored()
    return answer(requests.Ready(True))


async def get_openapi(request: Request) -> Response:
    # Asked for rarely, and slow to import.
    from grandtour.server.openapi import openapi

    return answer(openapi(ENDPOINTS))


ENDPOINTS: Final = (
    Endpoint("GET", "/api/games", get_games, "Every game that can be played here.", list[requests.GameInfo]),
    Endpoint("GET", "/api/games/{game}/rulebook", get_rulebook, "A game's rulebook.", requests.Rulebook),
    Endpoint("GET", "/api/games/{game}/guide", get_guide, "The notes of a guided first game.", requests.Guide),
    Endpoint("GET", "/api/tables", get_tables, "The public tables, newest first.", list[messages.Card]),
    Endpoint("POST", "/api/tables", post_tables, "Open a table.", requests.OpenedTable, requests.WantedTable),
    Endpoint("GET", "/api/tables/{table}", get_table, "One table.", messages.Table),
    Endpoint("POST", "/api/tables/{table}/sit", post_sit, "Sit down.", requests.Place, requests.WantedPlace),
    Endpoint("GET", "/api/tables/{table}/tour", get_tour, "A finished match as a file."),
    Endpoint("GET", "/api/tables/{table}/replay", get_replay, "A finished match.", messages.Replay, query=("seat",)),
    Endpoint("POST", "/api/replay", post_replay, "The match of a file.", messages.Replay, None, ("seat",)),
    Endpoint(
        "POST",
        "/api/tables/{table}/branches",
        post_branches,
        "Play on from a moment of a finished match.",
        requests.OpenedTable,
        requests.WantedBranch,
    ),
    Endpoint("GET", "/api/tables/{table}/dice", get_dice, "A finished match's random numbers.", DrawnDice),
    Endpoint("POST", "/api/dice", post_dice, "The random numbers of a file.", DrawnDice, None),
    Endpoint(
        "POST",
        "/api/tables/{table}/moments",
        post_moments,
        "The turning points of a finished match.",
        requests.Moments,
        query=("seat",),
    ),
    Endpoint(
        "POST", "/api/moments", post_file_moments, "The turning points of a file.", requests.Moments, None, ("seat",)
    ),
    Endpoint("GET", "/api/health", get_health, "Whether the server is well.", requests.Health),
    Endpoint("GET", "/api/ready", get_ready, "Whether the server can store what is played.", requests.Ready),
    Endpoint("GET", "/api/openapi.json", get_openapi, "This description.", dict[str, Any]),
)


def routes() -> list[Route]:
    return [Route(endpoint.path, endpoint.handle, methods=[endpoint.method]) for endpoint in ENDPOINTS]


def _registry(request: Request) -> Registry:
    registry: Registry = request.app.state.registry
    return registry


async def _body(request: Request, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(await _read(request, _registry(request).settings.limits.body_bytes), type=kind)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise messages.malformed(error) from None
    except RecursionError:
        raise Refusal("malformed", "This message is nested too deeply.") from None


async def _read(request: Request, most: int) -> bytes:
    """The body of a request, read only up to its size limit."""
    body = bytearray()
    try:
        async with asyncio.timeout(_registry(request).settings.body_deadline):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise Refusal("too-large", f"That is too long: it may have {most} bytes.")
    except TimeoutError:
        raise Refusal("too-slow", "The request took too long to arrive.") from None
    return bytes(body)


async def _tour_text(request: Request) -> str:
    try:
        return (await _read(request, _registry(request).settings.limits.tour_bytes)).decode()
    except UnicodeDecodeError:
        raise Refusal("bad-file", "This is not a Grand Tour match: it is not text.") from None


async def _saved(request: Request) -> bytes:
    async with _registry(request).visit(request.path_params["table"]) as session:
        return await session.saved()


async def _saved_text(request: Request) -> str:
    return gzip.decompress(await _saved(request)).decode()


def _one_seat(request: Request) -> int:
    seat = _seat(request)
    if seat is None:
        raise Refusal("malformed", "Say which seat to review.")
    return seat


def _viewer(request: Request) -> Viewer:
    return "all" if request.query_params.get("seat") == "all" else _seat(request)


def _seat(request: Request) -> int | None:
    text = request.query_params.get("seat")
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 2:
        raise Refusal("malformed", "A seat is a number.")
    return int(text)
