"""Rate limits and quotas by address."""

import ipaddress
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from grandtour.engine.refusal import Refusal
from grandtour.server.buckets import Bucket as Bucket
from grandtour.server.http.proxies import FORWARDED
from grandtour.server.http.responses import refusal_response
from grandtour.server.metrics import count_refusal
from grandtour.server.settings import Limits, Rate
from grandtour.server.storage import quotas
from grandtour.server.storage.store import SharedStore

MONITORING_PATHS: Final = ("/api/health", "/api/ready", "/metrics")
"""The paths that monitoring requests. They count as requests, but not as expensive ones."""


def too_much(reason: str) -> Refusal:
    return Refusal("too-much", reason)


def take_from(buckets: dict[int, Bucket], seat: int, rate: Rate, reason: str) -> None:
    """Count a request by a seat, over all its sockets, or refuse it."""
    if not buckets.setdefault(seat, Bucket(rate)).take():
        raise too_much(reason)


def part_of(limit: int, servers: int) -> int:
    """One server's part of a limit, if several servers share it. It is rounded up, so it is never zero."""
    return -(-limit // servers)


class Addresses:
    """The open sockets and recent requests of each address, in memory only.

    If several servers share a store, each allows an address its part of a limit, and lasting things such as tables and
    passports are counted in the store."""

    def __init__(self, limits: Limits, shared: SharedStore | None = None) -> None:
        self.limits = limits
        self._shared = shared
        self.sockets: Counter[str] = Counter()
        self.sockets_closed = 0
        """The total since the server was started."""
        self.requests: dict[str, Bucket] = {}
        self.all_requests: dict[str, Bucket] = {}
        self.replays: Counter[str] = Counter()
        self.tables: dict[str, Bucket] = {}
        self.talk: dict[str, Bucket] = {}
        self.passports: dict[str, Bucket] = {}
        self.profiles: dict[str, Bucket] = {}
        self.sockets_elsewhere: Callable[[str], Awaitable[int]] = _none
        """Returns the number of sockets that an address has at other servers."""

    @property
    def servers(self) -> int:
        """The number of servers that share the store."""
        return 1 if self._shared is None else max(1, len(self._shared.cluster.servers))

    def any_request(self, address: str) -> None:
        """Count a request of any kind, or refuse it."""
        self._take(self.all_requests, address, self.limits.all_requests, "Too many requests at once; wait a moment.")

    def request(self, address: str) -> None:
        """Count an expensive request, or refuse it."""
        self._take(self.requests, address, self.limits.requests, "Too many requests at once; wait a moment.")

    async def table(self, address: str) -> None:
        """Count a new table, or refuse it."""
        reason = "You have opened many tables; wait a moment before you open another."
        await self._take_everywhere("table", self.tables, address, self.limits.tables, reason)

    async def passport(self, address: str) -> None:
        """Count a new passport, or refuse it."""
        reason = "Many passports were made from your address; wait before you make another."
        await self._take_everywhere("passport", self.passports, address, self.limits.passports, reason)

    def profile(self, address: str) -> None:
        """Count a request for a profile, companions or a match report, or refuse it."""
        self._take(self.profiles, address, self.limits.profiles, "You have looked at many profiles; wait a moment.")

    def chat(self, address: str) -> None:
        """Count a chat line at any table, or refuse it."""
        reason = "You are sending messages too fast; wait a moment."
        self._take(self.talk, address, self.limits.address_chat, reason)

    def _take(self, buckets: dict[str, Bucket], address: str, rate: Rate, reason: str) -> None:
        servers = self.servers
        part = Rate(rate.per_second / servers, part_of(rate.burst, servers)) if servers > 1 else rate
        bucket = buckets.setdefault(address, Bucket(part))
        # The number of servers changes.
        bucket.rate = part
        if not bucket.take():
            raise too_much(reason)

    async def _take_everywhere(
        self, what: str, buckets: dict[str, Bucket], address: str, rate: Rate, reason: str
    ) -> None:
        """Count a table or a passport: in the store, if several servers share it."""
        if self._shared is None:
            self._take(buckets, address, rate, reason)
        elif not await quotas.take(self._shared, what, address, rate):
            raise too_much(reason)

    async def socket_opened(self, address: str) -> None:
        """Count a socket, or refuse it. Other servers are asked only about addresses with several sockets, so an
        address may exceed its limit by a quarter over all servers."""
        limit = self.limits.sockets
        if self.sockets[address] >= part_of(limit, 4 * self.servers if self._shared is not None else 1):
            elsewhere = await self.sockets_elsewhere(address)
            if self.sockets[address] + elsewhere >= limit:
                raise too_much("Too many connections are open from your address.")
        if self.sockets.total() >= self.limits.all_sockets:
            raise too_much("The server is full; try again later.")
        self.sockets[address] += 1

    def socket_closed(self, address: str) -> None:
        self.sockets_closed += 1
        self.sockets[address] -= 1
        if not self.sockets[address]:
            del self.sockets[address]

    def replay_begun(self, address: str) -> None:
        """Count a replay while it is prepared and sent, or refuse it."""
        if self.replays[address] >= self.limits.replays:
            raise too_much("Other replays are still being sent to you; wait until they are here.")
        if self.replays.total() >= self.limits.all_replays:
            raise Refusal("busy", "Many replays are being prepared; try again in a moment.")
        self.replays[address] += 1

    def replay_ended(self, address: str) -> None:
        self.replays[address] -= 1
        if not self.replays[address]:
            del self.replays[address]

    def forget(self) -> None:
        """Drop addresses that have nothing open and are within their rates."""
        for buckets in (self.requests, self.all_requests, self.tables, self.talk, self.passports, self.profiles):
            for address in [address for address, bucket in buckets.items() if bucket.full]:
                del buckets[address]


async def _none(address: str) -> int:
    return 0


def address_of(client: tuple[str, int] | None) -> str:
    """The address that counts as one client: an IPv4 address, or an IPv6 /64 network.

    It is the address of the connection, or of the client that a trusted proxy names.
    """
    host = client[0] if client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4 or address.ipv4_mapped is not None:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))


class RateLimited:
    """Middleware that counts the requests of each address and refuses requests over the limit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope.get(FORWARDED):
            addresses: Addresses = scope["app"].state.registry.addresses
            address = address_of(scope.get("client"))
            try:
                addresses.any_request(address)
                if scope["path"].startswith("/api/") and scope["path"] not in MONITORING_PATHS:
                    addresses.request(address)
            except Refusal as refusal:
                count_refusal(scope, refusal)
                await refusal_response(refusal)(scope, receive, send)
                return
        await self.app(scope, receive, send)
