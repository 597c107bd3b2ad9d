"""What every handler of an HTTP request needs: how it is described, and how its body is read."""

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
    """One kind of request: its body, its response and a sentence about it. The type None stands for a `.tour` file."""

    method: str
    path: str
    handle: Callable[[Request], Awaitable[Response]]
    about: str
    gives: Any = None
    takes: Any = ...
    query: tuple[str, ...] = ()


def registry_of(request: Request) -> Registry:
    registry: Registry = request.app.state.registry
    return registry


async def body_of(request: Request, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(await read(request, registry_of(request).settings.limits.body_bytes), type=kind)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise messages.malformed(error) from None
    except RecursionError:
        raise Refusal("malformed", "This message is nested too deeply.") from None


async def read(request: Request, most: int) -> bytes:
    """The body of a request, read only up to its size limit."""
    body = bytearray()
    try:
        async with asyncio.timeout(registry_of(request).settings.body_deadline):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise Refusal("too-large", f"That is too long: it may have {most} bytes.")
    except TimeoutError:
        raise Refusal("too-slow", "The request took too long to arrive.") from None
    return bytes(body)
