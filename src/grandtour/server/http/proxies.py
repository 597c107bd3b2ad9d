"""Trusted reverse proxies: finds the client address behind them."""

import ipaddress
from collections.abc import Iterable
from typing import Final, Literal

from starlette.types import ASGIApp, Receive, Scope, Send

from grandtour.engine.refusal import Refusal

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
FORWARDED: Final = "grandtour.forwarded"
"""The key in the ASGI scope of a request that another server of the same store has forwarded. That server has checked
its rate limits and set its client."""
MAX_HOPS: Final = 16
"""The number of entries of a header that are read, from the end. Clients can invent the first ones."""


class Proxies:
    """The addresses of trusted proxies, and the header in which they name their client."""

    def __init__(self, networks: Iterable[str], header: Literal["x-forwarded-for", "forwarded"]) -> None:
        try:
            self._networks = [ipaddress.ip_network(network, strict=False) for network in networks]
        except ValueError as error:
            raise Refusal("bad-settings", f"A proxy is an address or a network: {error}.") from None
        self._header = header

    def trusts(self, host: str) -> bool:
        address = read_address(host)
        return address is not None and any(address in network for network in self._networks)

    def client(self, scope: Scope) -> tuple[str, int] | None:
        """The client: the last address on the way here that is not a trusted proxy."""
        client: tuple[str, int] | None = scope.get("client")
        if client is None or not self.trusts(client[0]):
            return client
        name = self._header.encode()
        text = ",".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)
        hops = text.split(",")[-MAX_HOPS:] if text else []
        for hop in reversed(hops):
            entry = hop if self._header == "x-forwarded-for" else _forwarded_for(hop)
            address = read_address(_without_port(entry.strip().strip('"')))
            if address is None:
                # Entries before an unreadable one cannot be trusted.
                break
            client = (str(address), 0)
            if not self.trusts(client[0]):
                break
        return client


class ProxyHeaders:
    """Middleware that replaces a trusted proxy's address with that of its client."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self.app = app
        self.proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and not scope.get(FORWARDED):
            scope["client"] = self.proxies.client(scope)
        await self.app(scope, receive, send)


def read_address(text: str) -> Address | None:
    """An IP address. An IPv4 address written as IPv6 becomes IPv4."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped if mapped is not None else address


def _forwarded_for(hop: str) -> str:
    """The address in `for=192.0.2.1;proto=https`."""
    for part in hop.split(";"):
        key, _, value = part.partition("=")
        if key.strip().lower() == "for":
            return value
    return ""


def _without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
