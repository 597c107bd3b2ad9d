"""The HTTP part of the protocol. Routes and the OpenAPI document are both made from one list, `ENDPOINTS`."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from grandtour.engine import tour
from grandtour.engine.refusal import Refusal
from grandtour.server import bodies, messages
from grandtour.server.answers import answer, encoded
from grandtour.server.house import House
from grandtour.server.limits import address_of
from grandtour.server.programme import programme
from grandtour.server.reviews import Finished
from grandtour.server.rulebook import rulebook
from grandtour.server.store import not_stored

T = TypeVar("T")


class Endpoint(NamedTuple):
    """One request: what it takes, what it gives, and a sentence about it. A type of None is a `.tour` file."""

    method: str
    path: str
    handle: Callable[[Request], Awaitable[Response]]
    about: str
    gives: Any = None
    takes: Any = ...
    query: tuple[str, ...] = ()


async def get_games(request: Request) -> Response:
    return answer(programme())


async def get_rulebook(request: Request) -> Response:
    return answer(rulebook(request.path_params["game"]))


async def get_tables(request: Request) -> Response:
    return encoded(await _house(request).lobby.answer())


async def post_tables(request: Request) -> Response:
    house = _house(request)
    wanted = await _body(request, bodies.WantedTable)
    address = address_of(request.scope.get("client"))
    house.addresses.table(address)
    return answer(await house.open(wanted, address))


async def get_table(request: Request) -> Response:
    async with _house(request).visit(request.path_params["table"]) as room:
        return answer(room.info())


async def post_sit(request: Request) -> Response:
    house = _house(request)
    wanted = await _body(request, bodies.WantedPlace)
    async with house.visit(request.path_params["table"]) as room:
        seat, secret = await room.sit(wanted.name, wanted.seat, wanted.secret)
    return answer(bodies.Place(seat, secret))


async def get_tour(request: Request) -> Response:
    saved = tour.save(*await _finished(request))
    file = f'attachment; filename="{request.path_params["table"]}.tour"'
    return PlainTextResponse(saved, headers={"Content-Disposition": file})


async def get_replay(request: Request) -> Response:
    async def find() -> str:
        return tour.save(*await _finished(request))

    return await _house(request).replays.answer(request, _seat(request), find)


async def post_replay(request: Request) -> Response:
    return await _house(request).replays.answer(request, _seat(request), lambda: _tour_text(request))


async def post_moments(request: Request) -> Response:
    house = _house(request)
    seat = _one_seat(request)
    address = address_of(request.scope.get("client"))
    return answer(await house.reviews.ask(request.path_params["table"], seat, lambda: _finished(request), address))


async def post_file_moments(request: Request) -> Response:
    house = _house(request)
    text = await _tour_text(request)
    seat = _one_seat(request)
    mark = hashlib.sha256(text.encode()).hexdigest()
    address = address_of(request.scope.get("client"))
    return answer(await house.reviews.ask(mark, seat, lambda: house.replays.match(request, text), address))


async def get_health(request: Request) -> Response:
    house = _house(request)
    return answer(bodies.Health(house.trouble is None, len(house.rooms), house.addresses.sockets.total()))


async def get_ready(request: Request) -> Response:
    house = _house(request)
    await house.check_store()
    if house.trouble is not None:
        raise not_stored()
    return answer(bodies.Ready(True))


async def get_openapi(request: Request) -> Response:
    # Asked for rarely, and slow to import.
    from grandtour.server.openapi import openapi

    return answer(openapi(ENDPOINTS))


ENDPOINTS: Final = (
    Endpoint("GET", "/api/games", get_games, "The games of the house and those to come.", list[bodies.GameInfo]),
    Endpoint("GET", "/api/games/{game}/rulebook", get_rulebook, "A game's rulebook.", bodies.Rulebook),
    Endpoint("GET", "/api/tables", get_tables, "The public tables, newest first.", list[messages.Card]),
    Endpoint("POST", "/api/tables", post_tables, "Open a table.", bodies.OpenedTable, bodies.WantedTable),
    Endpoint("GET", "/api/tables/{table}", get_table, "One table.", messages.Table),
    Endpoint("POST", "/api/tables/{table}/sit", post_sit, "Sit down.", bodies.Place, bodies.WantedPlace),
    Endpoint("GET", "/api/tables/{table}/tour", get_tour, "A finished match as a file."),
    Endpoint("GET", "/api/tables/{table}/replay", get_replay, "A finished match.", bodies.Replay, query=("seat",)),
    Endpoint("POST", "/api/replay", post_replay, "The match of a file.", bodies.Replay, None, ("seat",)),
    Endpoint("POST", "/api/tables/{table}/moments", post_moments, "Moments.", bodies.Moments, query=("seat",)),
    Endpoint("POST", "/api/moments", post_file_moments, "A file's moments.", bodies.Moments, None, ("seat",)),
    Endpoint("GET", "/api/health", get_health, "Whether the server is well.", bodies.Health),
    Endpoint("GET", "/api/ready", get_ready, "Whether the server can store what is played.", bodies.Ready),
    Endpoint("GET", "/api/openapi.json", get_openapi, "This description.", dict[str, Any]),
)


def routes() -> list[Route]:
    return [Route(endpoint.path, endpoint.handle, methods=[endpoint.method]) for endpoint in ENDPOINTS]


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


async def _body(request: Request, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(await _read(request, _house(request).settings.limits.body_bytes), type=kind)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise messages.malformed(error) from None
    except RecursionError:
        raise Refusal("malformed", "This message is nested too deeply.") from None


async def _read(request: Request, most: int) -> bytes:
    """The body of a request; no more of it is read than may be."""
    body = bytearray()
    try:
        async with asyncio.timeout(_house(request).settings.body_deadline):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise Refusal("too-large", f"That is too long: it may have {most} bytes.")
    except TimeoutError:
        raise Refusal("too-slow", "The request took too long to arrive.") from None
    return bytes(body)


async def _tour_text(request: Request) -> str:
    try:
        return (await _read(request, _house(request).settings.limits.tour_bytes)).decode()
    except UnicodeDecodeError:
        raise Refusal("bad-file", "This is not a Grand Tour match: it is not text.") from None


async def _finished(request: Request) -> Finished:
    async with _house(request).visit(request.path_params["table"]) as room:
        table = room.table
        if table.match is None or table.phase != "over":
            raise Refusal("not-over", "The match can be looked at once it is over.")
        return Finished(table.match, table.names(), table.stand_ins())


def _one_seat(request: Request) -> int:
    seat = _seat(request)
    if seat is None:
        raise Refusal("malformed", "Whose moments? Say which seat.")
    return seat


def _seat(request: Request) -> int | None:
    text = request.query_params.get("seat")
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 2:
        raise Refusal("malformed", "A seat is a number.")
    return int(text)
