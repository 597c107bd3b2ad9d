"""Requests forwarded to another server: if the response is lost, they must not be carried out twice."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from grandtour.server.forwarding import Forwarding


class Neighbour:
    """A server that has every table, and closes the connection after reading a request, as if it had died."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.address: str | None = None

    async def locate(self, table: str) -> str | None:
        return self.address

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.heard.append(head.partition(b" ")[0])
        if len(self.heard) == 2:
            # Another server has taken the table meanwhile: this one.
            self.address = None
        writer.close()


async def pass_on(method: str) -> tuple[list[bytes], list[int]]:
    """The requests that reached the neighbour, and the statuses that the client got; 204 comes from this server."""
    neighbour = Neighbour()
    listening = await asyncio.start_server(neighbour.answer, "127.0.0.1", 0)
    neighbour.address = f"127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    statuses: list[int] = []

    async def own(scope: Any, receive: Any, send: Any) -> None:
        statuses.append(204)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message: Any) -> None:
        if "status" in message:
            statuses.append(message["status"])

    scope = {
        "type": "http",
        "method": method,
        "path": "/api/tables/abc/sit",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "app": SimpleNamespace(state=SimpleNamespace(registry=neighbour)),
    }
    async with listening:
        await Forwarding(own, "secret", 1024)(scope, receive, send)
    return neighbour.heard, statuses


@pytest.mark.parametrize(
    ("method", "heard", "status"), [("POST", [b"POST"], 429), ("GET", [b"GET", b"GET"], 204)], ids=["POST", "GET"]
)
def test_only_a_request_that_changes_nothing_is_sent_again(method: str, heard: list[bytes], status: int) -> None:
    assert asyncio.run(pass_on(method)) == (heard, [status])
