"""The HTTP part of the protocol. Routes and the OpenAPI document are both generated from one list, `ENDPOINTS`."""

import gzip
import hashlib
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.protocol.draws import DrawnDice
from grandtour.protocol.replay import Viewer
from grandtour.server.background.replay import Decisions
from grandtour.server.http import requests
from grandtour.server.http.catalogue_api import list_games
from grandtour.server.http.endpoint import Endpoint
from grandtour.server.http.endpoint import parse_body as _parse_body
from grandtour.server.http.endpoint import read_body as _read_body
from grandtour.server.http.endpoint import registry_of as _registry
from grandtour.server.http.people_api import PEOPLE
from grandtour.server.http.responses import json_response, raw_json_response
from grandtour.server.http.rulebook import rulebook
from grandtour.server.limits import address_of
from grandtour.server.storage.store import not_stored
from grandtour.server.tables.guide import guide


async def get_games(request: Request) -> Response:
    return json_response(list_games())


async def get_rulebook(request: Request) -> Response:
    return json_response(rulebook(request.path_params["game"]))


async def get_guide(request: Request) -> Response:
    return json_response(guide(request.path_params["game"]))


async def get_tables(request: Request) -> Response:
    return raw_json_response(await _registry(request).lobby.list_json())


async def post_tables(request: Request) -> Response:
    registry = _registry(request)
    wanted = await _parse_body(request, requests.WantedTable)
    address = address_of(request.scope.get("client"))
    await registry.addresses.table(address)
    return json_response(await registry.open(wanted, address))


async def get_table(request: Request) -> Response:
    async with _registry(request).visit(request.path_params["table"]) as session:
        return json_response(session.info())


async def post_sit(request: Request) -> Response:
    registry = _registry(request)
    wanted = await _parse_body(request, requests.WantedPlace)
    return json_response(await registry.sit(request.path_params["table"], wanted))


async def get_tour(request: Request) -> Response:
    saved = await _saved(request)
    headers = {"Content-Disposition": f'attachment; filename="{request.path_params["table"]}.tour"'}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return PlainTextResponse(gzip.decompress(saved), headers=headers)
    return PlainTextResponse(saved, headers=headers | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})


async def get_replay(request: Request) -> Response:
    return await _registry(request).replays.respond(request, _viewer(request), lambda: _saved_text(request))


async def post_replay(request: Request) -> Response:
    return await _registry(request).replays.respond(request, _viewer(request), lambda: _tour_text(request))


async def post_branches(request: Request) -> Response:
    registry = _registry(request)
    wanted = await _parse_body(request, requests.WantedBranch)
    address = address_of(request.scope.get("client"))
    await registry.addresses.table(address)
    return json_response(await registry.branch(request.path_params["table"], wanted, address))


async def get_dice(request: Request) -> Response:
    return raw_json_response(await _registry(request).replays.draws(request, lambda: _saved_text(request)))


async def post_dice(request: Request) -> Response:
    return raw_json_response(await _registry(request).replays.draws(request, lambda: _tour_text(request)))


async def post_moments(request: Request) -> Response:
    registry = _registry(request)
    seat = _one_seat(request)
    address = address_of(request.scope.get("client"))

    async def find() -> Decisions:
        return await registry.replays.decisions(request, await _saved_text(request), seat)

    return json_response(await registry.reviews.ask(request.path_params["table"], seat, find, address))


async def get_curve(request: Request) -> Response:
    registry = _registry(request)
    async with registry.visit(request.path_params["table"]) as session:
        await session.tour_file()
    return json_response(await registry.curves.get(request.path_params["table"]))


async def post_curve(request: Request) -> Response:
    registry = _registry(request)
    text = await _saved_text(request)
    address = address_of(request.scope.get("client"))
    table = request.path_params["table"]
    return json_response(await registry.curves.ask(table, lambda: registry.replays.positions(request, text), address))


async def post_file_moments(request: Request) -> Response:
    registry = _registry(request)
    text = await _tour_text(request)
    seat = _one_seat(request)
    mark = hashlib.sha256(text.encode()).hexdigest()
    address = address_of(request.scope.get("client"))
    found = await registry.reviews.ask(mark, seat, lambda: registry.replays.decisions(request, text, seat), address)
    return json_response(found)


async def get_health(request: Request) -> Response:
    registry = _registry(request)
    return json_response(
        requests.Health(registry.write_error is None, len(registry.sessions), registry.addresses.sockets.total())
    )


async def get_ready(request: Request) -> Response:
    registry = _registry(request)
    await registry.check_store()
    if registry.write_error is not None:
        raise not_stored()
    return json_response(requests.Ready(True))


async def get_openapi(request: Request) -> Response:
    # Imported here, because it is slow and rarely needed.
    from grandtour.server.http.openapi import openapi

    return json_response(openapi(ENDPOINTS))


ENDPOINTS: Final = (
    Endpoint("GET", "/api/games", get_games, "Every game that can be played here.", list[requests.GameInfo]),
    Endpoint("GET", "/api/games/{game}/rulebook", get_rulebook, "A game's rulebook.", requests.Rulebook),
    Endpoint("GET", "/api/games/{game}/guide", get_guide, "The guide to a first game.", requests.Guide),
    Endpoint("GET", "/api/tables", get_tables, "The public tables, newest first.", list[messages.Card]),
    Endpoint("POST", "/api/tables", post_tables, "Open a table.", requests.OpenedTable, requests.WantedTable),
    Endpoint("GET", "/api/tables/{table}", get_table, "One table.", messages.Table),
    Endpoint("POST", "/api/tables/{table}/sit", post_sit, "Take a seat.", requests.Place, requests.WantedPlace),
    Endpoint("GET", "/api/tables/{table}/tour", get_tour, "A finished match as a file."),
    Endpoint("GET", "/api/tables/{table}/replay", get_replay, "A finished match.", messages.Replay, query=("seat",)),
    Endpoint("POST", "/api/replay", post_replay, "The match of a file.", messages.Replay, None, ("seat",)),
    Endpoint(
        "POST",
        "/api/tables/{table}/branches",
        post_branches,
        "Open a table that continues a finished match from one of its moments.",
        requests.OpenedBranch,
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
    Endpoint("GET", "/api/tables/{table}/curve", get_curve, "The chances in a finished match.", requests.Curve),
    Endpoint("POST", "/api/tables/{table}/curve", post_curve, "Compute these chances.", requests.Curve),
    Endpoint(
        "POST", "/api/moments", post_file_moments, "The turning points of a file.", requests.Moments, None, ("seat",)
    ),
    *PEOPLE,
    Endpoint("GET", "/api/health", get_health, "Whether the server is healthy.", requests.Health),
    Endpoint("GET", "/api/ready", get_ready, "Whether the server can store moves.", requests.Ready),
    Endpoint("GET", "/api/openapi.json", get_openapi, "This OpenAPI document.", dict[str, Any]),
)


def routes() -> list[Route]:
    return [Route(endpoint.path, endpoint.handle, methods=[endpoint.method]) for endpoint in ENDPOINTS]


async def _tour_text(request: Request) -> str:
    try:
        return (await _read_body(request, _registry(request).settings.limits.tour_bytes)).decode()
    except UnicodeDecodeError:
        raise Refusal("bad-file", "This is not a Grand Tour match: it is not text.") from None


async def _saved(request: Request) -> bytes:
    async with _registry(request).visit(request.path_params["table"]) as session:
        return await session.tour_file()


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
