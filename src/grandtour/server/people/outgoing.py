"""Requests to addresses that users have given: only to public ones, over https, and never to where a name points
later.

A host is looked up once; if all its addresses are public, the connection is made to one of them, so that a name that
changes its mind leads nowhere. Redirects are not followed, and of the answer only the status is read.
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
LOOKUPS: Final = 4
"""Names that are looked up at once, in threads of their own: a slow one holds up nothing else."""
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
"""Addresses for special purposes (RFC 6890). Written out: what Python calls private differs from version to version. Of
IPv6, mapped IPv4, NAT64 and all kinds of local addresses are outside the global ones; tunnels and documentation are
inside."""


class Target(NamedTuple):
    """Where a request goes: a host by name, and what is asked for there."""

    secure: bool
    host: str
    port: int
    path: str


def target_of(url: str, anywhere: bool = False) -> Target:
    """An address as a user gave it. Refuses what is not one for https; `anywhere` also allows http and every port."""
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
    """Whether an IP address belongs to the whole internet, and not to this machine, its network or nobody."""
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
        self._lookups = ThreadPoolExecutor(LOOKUPS, "lookup")
        self._ssl: ssl.SSLContext | None = None

    def close(self) -> None:
        self._lookups.shutdown(wait=False, cancel_futures=True)

    async def check(self, url: str) -> None:
        """Refuse an address to which nothing is ever sent."""
        try:
            async with asyncio.timeout(self._deadline):
                await self._resolve(target_of(url, self._anywhere))
        except TimeoutError:
            raise bad_endpoint("The name in this address could not be looked up in time.") from None

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Send a request and return the status of the answer. Raises `Refusal`, `OSError` or `TimeoutError`."""
        async with asyncio.timeout(self._deadline):
            target = target_of(url, self._anywhere)
            address = await self._resolve(target)
            return await self._send(target, address, headers, body)

    async def _resolve(self, target: Target) -> str:
        """An address of the host. Every address that it has must be public."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._lookups, _lookup, target.host, target.port)
        except (OSError, UnicodeError):
            found = []
        # One answer for both: which names there are in a private network is nobody's business.
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
            said = re.match(rb"HTTP/1\.[01] (\d{3})[ \r\n]", status)
            if said is None:
                raise OSError("the answer is not one of HTTP")
            return int(said[1])
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
