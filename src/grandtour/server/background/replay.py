"""Work on `.tour` files in a separate process: replays, random numbers, and a seat's decisions for a review."""

import gzip
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from grandtour.engine import tour
from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.players.review import Decision, Position, decisions_of, positions_of
from grandtour.players.worker import ending_after
from grandtour.protocol.draws import drawn_dice
from grandtour.protocol.replay import Viewer, check_seat, outline, steps

GZIP: Final = 16 + zlib.MAX_WBITS
LEVEL: Final = 1
"""The steps are so similar that even the lowest level compresses them twenty to one."""


def packed_tour(match: Match, names: list[str], stand_ins: set[int]) -> bytes:
    """A match as a `.tour` file, compressed."""
    return gzip.compress(tour.save(match, names, stand_ins).encode())


def packed_replay(text: str, viewer: Viewer, most: int, most_packed: int) -> bytes:
    """The replay of a `.tour` file as compressed JSON; it is never in memory uncompressed as a whole. Refuses a replay
    with more than `most` bytes, or more than `most_packed` compressed."""
    match, names = tour.load(text)
    whole = msgspec.json.encode(outline(match, names, viewer))
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    # The steps come last.
    head, tail = whole[:-2], whole[-2:]
    assert tail == b"]}"
    packed = [packer.compress(head)]
    size, packed_size = len(head), 0
    for step in steps(match, names, viewer, tour.stand_ins(text)):
        data = msgspec.json.encode(step)
        part = packer.compress(data if step.n == 0 else b"," + data)
        packed.append(part)
        size += len(data)
        packed_size += len(part)
        if size > most or packed_size > most_packed:
            raise _too_long()
    packed.append(packer.compress(tail) + packer.flush())
    if packed_size + len(packed[-1]) > most_packed:
        raise _too_long()
    return b"".join(packed)


def _too_long() -> Refusal:
    return Refusal("too-large", "This match is too long to be shown as a whole.")


def render_replay(seconds: float, text: str, viewer: Viewer, most: int, most_packed: int) -> bytes:
    """`packed_replay` for a separate process, which is killed if this takes longer than `seconds`."""
    with ending_after(seconds):
        return packed_replay(text, viewer, most, most_packed)


def find_draws(seconds: float, text: str, most: int) -> bytes:
    """Every random number of the match in a `.tour` file as JSON. Refuses more than `most` bytes. The process is killed
    if this takes longer than `seconds`."""
    with ending_after(seconds):
        data = msgspec.json.encode(drawn_dice(tour.load(text)[0]))
        if len(data) > most:
            raise Refusal("too-large", "This match drew too many random numbers to be checked here.")
        return data


class Decisions(NamedTuple):
    """The decisions of one seat of a match, with the game and the players' names."""

    game: str
    names: list[str]
    decisions: list[Decision]


def find_decisions(seconds: float, text: str, seat: int, most: int, seed: int) -> Decisions:
    """At most `most` decisions of a seat in a `.tour` file, without the moves a bot made for an absent player. The
    process is killed if this takes longer than `seconds`."""
    with ending_after(seconds):
        match, names = tour.load(text)
        check_seat(match, seat)
        return Decisions(match.game.name, names, decisions_of(match, seat, most, QuickDice(seed), tour.stand_ins(text)))


class Positions(NamedTuple):
    """Positions of a match, its number of moves, and its result."""

    game: str
    positions: list[Position]
    last: int
    result: list[float]


def find_positions(seconds: float, text: str, most: int, seed: int) -> Positions:
    """At most `most` positions of the match in a `.tour` file. The process is killed if this takes longer than
    `seconds`."""
    with ending_after(seconds):
        match, _ = tour.load(text)
        result = match.result()
        if result is None:
            raise Refusal("not-over", "The chances can be computed once the match is over.")
        positions = positions_of(match, most, QuickDice(seed))
        return Positions(match.game.name, positions, len(match.log), result)


def unpacked(packed: bytes, piece: int) -> Iterator[bytes]:
    """The decompressed bytes, in pieces of at most this many."""
    unpacker = zlib.decompressobj(GZIP)
    waiting = packed
    while waiting or not unpacker.eof:
        data = unpacker.decompress(waiting, piece)
        waiting = unpacker.unconsumed_tail
        if not data:
            break
        yield data
