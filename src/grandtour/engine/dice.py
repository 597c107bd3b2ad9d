"""Random numbers, from two sources behind one small interface.

Quick dice are for simulation: 64 bits of state, cheap to copy. Sealed dice are for play: they are derived from a secret
whose hash is shown before the match, so that anyone can check afterwards that no card was picked on purpose.
"""

import hashlib
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

MASK: Final = 0xFFFFFFFF
SECRET_BYTES: Final = 32
SEEDS: Final = 1 << 31
"""The number of possible seeds when one source of dice seeds another. Quick dice multiply 32 bits by it; a larger
number would overflow in compiled code."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Dice:
    """A source of random numbers. A copy gives the same numbers as the original."""

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1, all equally likely. `n` is from 1 to 2**31."""
        raise NotImplementedError

    def clone(self) -> "Dice":
        raise NotImplementedError

    def dump(self) -> list[object]:
        """The whole state, for `restore_dice`. Never shown to anyone during a match."""
        raise NotImplementedError

    def shuffle(self, cards: vec[i64], first: i64, end: i64) -> None:
        """Shuffle cards[first:end] in place."""
        i = end - 1
        while i > first:
            j = first + self.below(i - first + 1)
            card = cards[i]
            cards[i] = cards[j]
            cards[j] = card
            i -= 1

    def write_below(self, n: i64, found: vec[i64]) -> None:
        """Fill a list with random numbers below n."""
        for place in range(i64(len(found))):
            found[place] = self.below(n)


class QuickDice(Dice):
    """xoroshiro64**. `below` may favour a number by one part in 2**32 / n, far below sampling error."""

    def __init__(self, seed: int | None = None) -> None:
        self.a: i64 = 1
        self.b: i64 = 1
        if seed is not None:
            digest = hashlib.blake2b(str(seed).encode(), digest_size=8).digest()
            self.a = int.from_bytes(digest[:4], "little")
            self.b = int.from_bytes(digest[4:], "little") | 1

    def below(self, n: i64) -> i64:
        # Everything is masked to 32 bits, so that compiled (wrapping) and interpreted (unbounded) ints agree.
        a = self.a
        r = (a * 0x9E3779BB) & MASK
        r = (((r << 5) | (r >> 27)) & MASK) * 5 & MASK
        b = self.b ^ a
        self.a = (((a << 26) | (a >> 6)) & MASK) ^ b ^ ((b << 9) & MASK)
        self.b = ((b << 13) | (b >> 19)) & MASK
        return (r * n) >> 32

    def shuffle(self, cards: vec[i64], first: i64, end: i64) -> None:
        # The same numbers as from `below`, with the state kept in local variables.
        a = self.a
        b = self.b
        i = end - 1
        while i > first:
            r = (a * 0x9E3779BB) & MASK
            r = (((r << 5) | (r >> 27)) & MASK) * 5 & MASK
            b ^= a
            a = (((a << 26) | (a >> 6)) & MASK) ^ b ^ ((b << 9) & MASK)
            b = ((b << 13) | (b >> 19)) & MASK
            j = first + ((r * (i - first + 1)) >> 32)
            card = cards[i]
            cards[i] = cards[j]
            cards[j] = card
            i -= 1
        self.a = a
        self.b = b

    def write_below(self, n: i64, found: vec[i64]) -> None:
        a = self.a
        b = self.b
        for place in range(i64(len(found))):
            r = (a * 0x9E3779BB) & MASK
            r = (((r << 5) | (r >> 27)) & MASK) * 5 & MASK
            b ^= a
            a = (((a << 26) | (a >> 6)) & MASK) ^ b ^ ((b << 9) & MASK)
            b = ((b << 13) | (b >> 19)) & MASK
            found[place] = (r * n) >> 32
        self.a = a
        self.b = b

    def clone(self) -> "QuickDice":
        copy = QuickDice()
        copy.a = self.a
        copy.b = self.b
        return copy

    def dump(self) -> list[object]:
        return ["quick", self.a, self.b]


class SealedDice(Dice):
    """Keyed BLAKE2b in counter mode. Exactly fair: numbers that would favour one outcome are rejected and drawn
    again."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes")
        self.secret = secret
        self.drawn = 0

    def below(self, n: i64) -> i64:
        limit = (1 << 32) // n * n
        while True:
            block, place = divmod(self.drawn, 16)
            self.drawn += 1
            data = hashlib.blake2b(block.to_bytes(8, "little"), key=self.secret).digest()
            number = int.from_bytes(data[4 * place : 4 * place + 4], "little")
            if number < limit:
                return number % n

    def clone(self) -> "SealedDice":
        copy = SealedDice(self.secret)
        copy.drawn = self.drawn
        return copy

    def dump(self) -> list[object]:
        return ["sealed", self.secret.hex(), self.drawn]


def seal(secret: bytes) -> str:
    """The hash shown before a match, so that the secret can be checked afterwards."""
    return hashlib.sha256(secret).hexdigest()


def make_dice(seed: int | bytes) -> Dice:
    """Quick dice from a number, sealed dice from a secret."""
    return SealedDice(seed) if isinstance(seed, bytes) else QuickDice(seed)


def restore_dice(data: list[object]) -> Dice:
    kind, first, second = data
    if kind == "sealed":
        sealed = SealedDice(bytes.fromhex(str(first)))
        assert isinstance(second, int)
        sealed.drawn = second
        return sealed
    assert isinstance(first, int)
    assert isinstance(second, int)
    quick = QuickDice()
    quick.a = first
    quick.b = second
    return quick
