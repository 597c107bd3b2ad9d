"""Helpers for HTTP handlers: the description of an endpoint, and reading the body of a request."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.server.registry import Registry

T = TypeVar("T")


class Endpoint(NamedTuple):
    """A kind of request: the types of its body and its response, and a sentence about it. The type None stands for a
    `.tour` file; a body of `...` means that there is none."""

    method: str
    path: str
    handle: Callable[[Request], Awaitable[Response]]
    summary: str
    response: Any = None
    body: Any = ...
    query: tuple[str, ...] = ()


def registry_of(request: Request) -> Registry:
    registry: Registry = request.app.state.registry
    return registry


async def parse_body(request: Request, kind: type[T]) -> T:
    """The body of a request, decoded from JSON. Refuses one that is not of this type."""
    try:
        text = await read_body(request, registry_of(request).settings.limits.body_bytes)
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise messages.malformed(error) from None
    except RecursionError:
        raise Refusal("malformed", "This message is nested too deeply.") from None


async def read_body(request: Request, max_bytes: int) -> bytes:
    """The body of a request. Refuses one that is longer than `max_bytes` or takes too long to arrive."""
    body = bytearray()
    try:
        async with asyncio.timeout(registry_of(request).settings.body_deadline):
            async for part in request.stream():
                body += part
                if len(body) > max_bytes:
                    raise Refusal("too-large", f"That is too long: it may have {max_bytes} bytes.")
    except TimeoutError:
        raise Refusal("too-slow", "The request took too long to arrive.") from None
    return bytes(body)
