"""Keeping count of who asks for how much."""

import ipaddress
import time
from collections import Counter

from grandtour.engine.refusal import Refusal
from grandtour.server.settings import Limits, Rate


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
        self.tables: dict[str, Bucket] = {}
        self.talk: dict[str, Bucket] = {}

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

    def forget(self) -> None:
        """Drop what has no more to say."""
        for buckets in (self.requests, self.tables, self.talk):
            for address in [address for address, bucket in buckets.items() if bucket.full]:
                del buckets[address]


def address_of(client: tuple[str, int] | None) -> str:
    """Who counts as one: an IPv4 address, or the /64 network that an IPv6 home gets.

    Taken from the connection alone: a header such as X-Forwarded-For can say anything.
    """
    host = client[0] if client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4 or address.ipv4_mapped is not None:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))
