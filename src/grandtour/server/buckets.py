# compiled
"""Token buckets, which limit how often something may be done."""

import time

from grandtour.server.settings import Rate


class Bucket:
    """Holds up to `rate.burst` tokens and refills at `rate.per_second`."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._per_second = float(rate.per_second)
        self._burst = float(rate.burst)
        self._tokens = self._burst
        self._since: float = time.monotonic()

    @property
    def rate(self) -> Rate:
        return self._rate

    @rate.setter
    def rate(self, rate: Rate) -> None:
        if rate is not self._rate:
            self._rate = rate
            self._per_second = float(rate.per_second)
            self._burst = float(rate.burst)

    def take(self) -> bool:
        """Take a token, if there is one."""
        now: float = time.monotonic()
        tokens = self._tokens + (now - self._since) * self._per_second
        if tokens > self._burst:
            tokens = self._burst
        self._since = now
        enough = tokens >= 1.0
        self._tokens = tokens - 1.0 if enough else tokens
        return enough

    @property
    def full(self) -> bool:
        return self._tokens + (time.monotonic() - self._since) * self._per_second >= self._burst
