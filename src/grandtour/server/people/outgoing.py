"""Requests to URLs that users have given: only over https and only to public addresses.

A host is resolved once. If all its addresses are public, the connection is made to one of these addresses, so a DNS
name that changes afterwards (DNS rebinding) has no effect. Redirects are not followed, and only the status of the
response is read.
"""

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from grandtour.engine.refusal import Refusal

MAX_URL: Final = 1000
HTTPS_PORT: Final = 443
HTTP_PORT: Final = 80
MAX_LOOKUPS: Final = 4
"""The number of threads for DNS lookups. They are separate, so a slow lookup delays nothing else."""
STATUS_BYTES: Final = 4096

_URL: Final = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(?P<port>\d{1,5}))?"
    r"(?P<path>/[!#$-;=?-\[\]_a-z~]*)?",
    # Otherwise "k" would also match the Kelvin sign, which cannot be sent.
    re.IGNORECASE | re.ASCII,
)
_GLOBAL: Final = tuple(map(ipaddress.ip_network, ("0.0.0.0/0", "2000::/3")))
_NOT_GLOBAL: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"),
            *("203.0.113.0/24", "224.0.0.0/3"),
            *("2001::/23", "2001:db8::/32", "2002::/16", "3ffe::/16", "3fff::/20"),
        ),
    )
)
"""Special-purpose addresses (RFC 6890), written out because Python's `is_private` differs between versions. For IPv6,
mapped IPv4, NAT64 and local addresses are outside `_GLOBAL` already; tunnels and documentation addresses are not."""


class Target(NamedTuple):
    """A URL in its parts."""

    secure: bool
    host: str
    port: int
    path: str


def target_of(url: str, anywhere: bool = False) -> Target:
    """The parts of a URL. Refuses anything but https on the usual port; `anywhere` also allows http and other ports."""
    found = _URL.fullmatch(url) if len(url) <= MAX_URL else None
    if found is None:
        raise bad_endpoint("This is not an address that begins with https://.")
    secure = found["scheme"].lower() == "https"
    port = int(found["port"] or (HTTPS_PORT if secure else HTTP_PORT))
    if not anywhere and (not secure or port != HTTPS_PORT):
        raise bad_endpoint("The address must begin with https:// and use the usual port.")
    if not 0 < port < 1 << 16:
        raise bad_endpoint("There is no such port.")
    path = (found["path"] or "/").partition("#")[0]
    return Target(secure, found["host"].lower().strip("[]"), port, path)


def is_public(address: str) -> bool:
    """Whether an IP address is reachable from the whole internet, and not private, local or reserved."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in _GLOBAL) and not any(found in network for network in _NOT_GLOBAL)


class Outgoing:
    """Sends requests. `anywhere` allows private addresses and http: only for tests."""

    def __init__(self, deadline: float, anywhere: bool) -> None:
        self._deadline = deadline
        self._anywhere = anywhere
        self._lookups = ThreadPoolExecutor(MAX_LOOKUPS, "lookup")
        self._ssl: ssl.SSLContext | None = None

    def close(self) -> None:
        self._lookups.shutdown(wait=False, cancel_futures=True)

    async def check(self, url: str) -> None:
        """Refuse a URL to which this server does not send."""
        try:
            async with asyncio.timeout(self._deadline):
                await self._resolve(target_of(url, self._anywhere))
        except TimeoutError:
            raise bad_endpoint("The name in this address could not be looked up in time.") from None

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Send a request and return the status of the response. Raises `Refusal`, `OSError` or `TimeoutError`."""
        async with asyncio.timeout(self._deadline):
            target = target_of(url, self._anywhere)
            address = await self._resolve(target)
            return await self._send(target, address, headers, body)

    async def _resolve(self, target: Target) -> str:
        """One of the host's IP addresses, all of which must be public."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._lookups, _lookup, target.host, target.port)
        except (OSError, UnicodeError):
            found = []
        # The same error for both, so that it does not reveal which names exist in a private network.
        if not found or not (self._anywhere or all(map(is_public, found))):
            raise bad_endpoint("There is no host of this name on the internet.")
        return found[0]

    async def _send(self, target: Target, address: str, headers: Mapping[str, str], body: bytes) -> int:
        secure = {"ssl": self._tls(), "server_hostname": target.host} if target.secure else {}
        reader, writer = await asyncio.open_connection(address, target.port, limit=STATUS_BYTES, **secure)  # type: ignore[arg-type]
        try:
            host = f"[{target.host}]" if ":" in target.host else target.host
            named = host if target.port in (HTTP_PORT, HTTPS_PORT) else f"{host}:{target.port}"
            lines = [f"POST {target.path} HTTP/1.1", f"Host: {named}", "Connection: close", "User-Agent: GrandTour"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            lines += [f"Content-Length: {len(body)}", "", ""]
            writer.write("\r\n".join(lines).encode("ascii") + body)
            await writer.drain()
            try:
                status = await reader.readline()
            except ValueError:
                status = b""
            found = re.match(rb"HTTP/1\.[01] (\d{3})[ \r\n]", status)
            if found is None:
                raise OSError("the response is not HTTP")
            return int(found[1])
        finally:
            writer.transport.abort()

    def _tls(self) -> ssl.SSLContext:
        self._ssl = self._ssl or ssl.create_default_context()
        return self._ssl


def bad_endpoint(reason: str) -> Refusal:
    return Refusal("bad-endpoint", reason)


def _lookup(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]
