# compiled
"""Token buckets, which limit how often something may be done."""

import time

from grandtour.server.settings import Rate


class Bucket:
    """Holds up to `rate.at_once` tokens and refills at `rate.a_second`."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._a_second = float(rate.a_second)
        self._at_once = float(rate.at_once)
        self._drops = self._at_once
        self._since: float = time.monotonic()

    @property
    def rate(self) -> Rate:
        return self._rate

    @rate.setter
    def rate(self, rate: Rate) -> None:
        if rate is not self._rate:
            self._rate = rate
            self._a_second = float(rate.a_second)
            self._at_once = float(rate.at_once)

    def take(self) -> bool:
        """Take a token, if there is one."""
        now: float = time.monotonic()
        drops = self._drops + (now - self._since) * self._a_second
        if drops > self._at_once:
            drops = self._at_once
        self._since = now
        enough = drops >= 1.0
        self._drops = drops - 1.0 if enough else drops
        return enough

    @property
    def full(self) -> bool:
        return self._drops + (time.monotonic() - self._since) * self._a_second >= self._at_once
