"""Rate limits and quotas by address."""

import ipaddress
import time
from collections import Counter
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from grandtour.engine.refusal import Refusal
from grandtour.server.metrics import count_refusal
from grandtour.server.proxies import FORWARDED
from grandtour.server.responses import refusal_answer
from grandtour.server.settings import Limits, Rate

FREE: Final = ("/api/health", "/api/ready", "/metrics")
"""Requests from monitoring. They count as requests, but not as expensive ones."""


def too_much(reason: str) -> Refusal:
    return Refusal("too-much", reason)


class Bucket:
    """A token bucket: holds `rate.at_once` tokens and refills at `rate.a_second`."""

    __slots__ = ("drops", "rate", "since")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.drops = float(rate.at_once)
        self.since = time.monotonic()

    def take(self) -> bool:
        """Take a token, if there is one."""
        self._fill()
        if self.drops < 1:
            return False
        self.drops -= 1
        return True

    @property
    def full(self) -> bool:
        self._fill()
        return self.drops >= self.rate.at_once

    def _fill(self) -> None:
        now = time.monotonic()
        self.drops = min(self.rate.at_once, self.drops + (now - self.since) * self.rate.a_second)
        self.since = now


def take(buckets: dict[int, Bucket], seat: int, rate: Rate, reason: str) -> None:
    """Count a request of a seat, over all its sockets, or refuse it."""
    if not buckets.setdefault(seat, Bucket(rate)).take():
        raise too_much(reason)


class Addresses:
    """What each address has open and has requested. Kept in memory only."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.sockets: Counter[str] = Counter()
        self.sockets_closed = 0
        """The total since the server was started."""
        self.requests: dict[str, Bucket] = {}
        self.all_requests: dict[str, Bucket] = {}
        self.replays: Counter[str] = Counter()
        self.tables: dict[str, Bucket] = {}
        self.talk: dict[str, Bucket] = {}
        self.passports: dict[str, Bucket] = {}

    def any_request(self, address: str) -> None:
        """Count a request for anything at all, or refuse it."""
        if not self.all_requests.setdefault(address, Bucket(self.limits.all_requests)).take():
            raise too_much("Too many requests at once; wait a moment.")

    def request(self, address: str) -> None:
        """Count an expensive request, or refuse it."""
        if not self.requests.setdefault(address, Bucket(self.limits.requests)).take():
            raise too_much("Too many requests at once; wait a moment.")

    def table(self, address: str) -> None:
        """Count a new table, or refuse it."""
        if not self.tables.setdefault(address, Bucket(self.limits.tables)).take():
            raise too_much("You have opened many tables; wait a moment before you open another.")

    def passport(self, address: str) -> None:
        """Count a new passport, or refuse it."""
        if not self.passports.setdefault(address, Bucket(self.limits.passports)).take():
            raise too_much("Many passports were made from your address; wait before you make another.")

    def chat(self, address: str) -> None:
        """Count a chat line at any table, or refuse it."""
        if not self.talk.setdefault(address, Bucket(self.limits.address_chat)).take():
            raise too_much("You are sending messages too fast; wait a moment.")

    def socket_opened(self, address: str) -> None:
        if self.sockets[address] >= self.limits.sockets:
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
            raise too_much("Other replays are still being sent to you; wait until they have arrived.")
        if self.replays.total() >= self.limits.all_replays:
            raise Refusal("busy", "Many replays are being prepared; try again in a moment.")
        self.replays[address] += 1

    def replay_ended(self, address: str) -> None:
        self.replays[address] -= 1
        if not self.replays[address]:
            del self.replays[address]

    def forget(self) -> None:
        """Forget addresses that are back to normal."""
        for buckets in (self.requests, self.all_requests, self.tables, self.talk, self.passports):
            for address in [address for address, bucket in buckets.items() if bucket.full]:
                del buckets[address]


def address_of(client: tuple[str, int] | None) -> str:
    """The address that counts as one client: an IPv4 address, or an IPv6 /64 network.

    It is that of the connection, or of the client named by a trusted proxy.
    """
    host = client[0] if client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4 or address.ipv4_mapped is not None:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))


class Metered:
    """Middleware that counts every request by address and refuses too many."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope.get(FORWARDED):
            addresses: Addresses = scope["app"].state.registry.addresses
            address = address_of(scope.get("client"))
            try:
                addresses.any_request(address)
                if scope["path"].startswith("/api/") and scope["path"] not in FREE:
                    addresses.request(address)
            except Refusal as refusal:
                count_refusal(scope, refusal)
                await refusal_answer(refusal)(scope, receive, send)
                return
        await self.app(scope, receive, send)
