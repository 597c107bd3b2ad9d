"""HTTP responses."""

from typing import Any, Final

import msgspec
from starlette.responses import Response

from grandtour.engine.refusal import Refusal

STATUS: Final = {
    "unknown-table": 404,
    "unknown-game": 404,
    "no-guide": 404,
    "not-found": 404,
    "wrong-method": 405,
    "wrong-origin": 403,
    "wrong-host": 421,
    "too-slow": 408,
    "not-stored": 503,
    "full": 503,
    "wrong-secret": 403,
    "wrong-passport": 403,
    "wrong-link": 403,
    "unknown-device": 404,
    "unknown-person": 404,
    "ask-first": 403,
    "taken": 409,
    "over": 409,
    "not-over": 409,
    "old-table": 410,
    "too-large": 413,
    "too-much": 429,
    "busy": 429,
}
"""The HTTP status of each refusal code; 400 for all others."""


def json_response(value: Any, status: int = 200) -> Response:
    return raw_json_response(msgspec.json.encode(value), status)


def raw_json_response(body: bytes, status: int = 200) -> Response:
    return Response(body, status, {"Cache-Control": "no-store"}, "application/json")


def refusal_response(refusal: Refusal) -> Response:
    return json_response(refusal.to_json(), STATUS.get(refusal.code, 400))
