"""Keeping count of who asks for how much."""

import ipaddress
import time
from collections import Counter
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from grandtour.engine.refusal import Refusal
from grandtour.server.answers import refusal_answer
from grandtour.server.settings import Limits, Rate

FREE: Final = ("/api/health", "/api/ready")
"""What is asked by those who watch over the server; counted with all else, but not as something that costs."""


def too_much(reason: str) -> Refusal:
    return Refusal("too-much", reason)


class Bucket:
    """Holds `rate.at_once` drops and fills up again at `rate.a_second`."""

    __slots__ = ("drops", "rate", "since")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.drops = float(rate.at_once)
        self.since = time.monotonic()

    def take(self) -> bool:
        """Take a drop, if there is one."""
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


class Addresses:
    """What each address has open and has asked for. Nothing of it is stored."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.sockets: Counter[str] = Counter()
        self.requests: dict[str, Bucket] = {}
        self.all_requests: dict[str, Bucket] = {}
        self.replays: Counter[str] = Counter()
        self.tables: dict[str, Bucket] = {}
        self.talk: dict[str, Bucket] = {}

    def any_request(self, address: str) -> None:
        """Count a request for anything at all, or refuse it."""
        if not self.all_requests.setdefault(address, Bucket(self.limits.all_requests)).take():
            raise too_much("That was too much at once; wait a little.")

    def request(self, address: str) -> None:
        """Count a request that costs something, or refuse it."""
        if not self.requests.setdefault(address, Bucket(self.limits.requests)).take():
            raise too_much("That was too much at once; wait a little.")

    def table(self, address: str) -> None:
        """Count a table that is opened, or refuse it."""
        if not self.tables.setdefault(address, Bucket(self.limits.tables)).take():
            raise too_much("You have opened many tables; wait a little before you open another.")

    def chat(self, address: str) -> None:
        """Count something that is said, at whatever table, or refuse it."""
        if not self.talk.setdefault(address, Bucket(self.limits.address_chat)).take():
            raise too_much("That was much to say at once; wait a little.")

    def socket_opened(self, address: str) -> None:
        if self.sockets[address] >= self.limits.sockets:
            raise too_much("Too many connections are open from your address.")
        if self.sockets.total() >= self.limits.all_sockets:
            raise too_much("The house is full; try again later.")
        self.sockets[address] += 1

    def socket_closed(self, address: str) -> None:
        self.sockets[address] -= 1
        if not self.sockets[address]:
            del self.sockets[address]

    def replay_begun(self, address: str) -> None:
        """Count a replay from when it is asked for until it has been sent, or refuse it."""
        if self.replays[address] >= self.limits.replays:
            raise too_much("Other replays are on their way to you; wait until they are there.")
        if self.replays.total() >= self.limits.all_replays:
            raise Refusal("busy", "Many replays are being worked out; try again in a moment.")
        self.replays[address] += 1

    def replay_ended(self, address: str) -> None:
        self.replays[address] -= 1
        if not self.replays[address]:
            del self.replays[address]

    def forget(self) -> None:
        """Drop what has no more to say."""
        for buckets in (self.requests, self.all_requests, self.tables, self.talk):
            for address in [address for address, bucket in buckets.items() if bucket.full]:
                del buckets[address]


def address_of(client: tuple[str, int] | None) -> str:
    """Who counts as one: an IPv4 address, or the /64 network that an IPv6 home gets.

    Of a connection, or of the client that a trusted proxy speaks for: nobody else is believed.
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
    """Counts every request of every address, whatever it is for, and refuses what is too much."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            addresses: Addresses = scope["app"].state.house.addresses
            address = address_of(scope.get("client"))
            try:
                addresses.any_request(address)
                if scope["path"].startswith("/api/") and scope["path"] not in FREE:
                    addresses.request(address)
            except Refusal as refusal:
                await refusal_answer(refusal)(scope, receive, send)
                return
        await self.app(scope, receive, send)
