"""A finished match, step by step, as one seat or an onlooker saw it."""

import zlib
from collections.abc import Iterator
from typing import Final

import msgspec

from grandtour.engine import tour
from grandtour.engine.dice import seal
from grandtour.engine.events import seen
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.players.thinking import ending_after
from grandtour.server.bodies import Replay, ReplayStep
from grandtour.server.telling import final_of, prompt_for, sentences

GZIP: Final = 16 + zlib.MAX_WBITS
LEVEL: Final = 1
"""One step is much like the next, so the least effort packs them twenty to one."""


def packed_replay(text: str, seat: int | None, most: int, most_packed: int) -> bytes:
    """The replay of a `.tour` file as JSON, compressed. Neither it nor anything else is ever held as a whole
    uncompressed; one with more bytes than these is refused."""
    match, names = tour.load(text)
    outline = msgspec.json.encode(_outline(match, names, seat))
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    # The steps come last.
    head, tail = outline[:-2], outline[-2:]
    assert tail == b"]}"
    packed = [packer.compress(head)]
    size, packed_size = len(head), 0
    for step in _steps(match, names, seat):
        data = msgspec.json.encode(step)
        part = packer.compress(data if step.n == 0 else b"," + data)
        packed.append(part)
        size += len(data)
        packed_size += len(part)
        if size > most or packed_size > most_packed:
            raise Refusal("too-large", "This match is too long to be shown as a whole.")
    packed.append(packer.compress(tail))
    packed.append(packer.flush())
    return b"".join(packed)


def work_out(seconds: float, text: str, seat: int | None, most: int, most_packed: int) -> bytes:
    """The same in a process of its own, which is ended when it takes longer than this."""
    with ending_after(seconds):
        return packed_replay(text, seat, most, most_packed)


def unpacked(packed: bytes, piece: int) -> Iterator[bytes]:
    """What was packed, in pieces of at most so many bytes."""
    unpacker = zlib.decompressobj(GZIP)
    waiting = packed
    while waiting or not unpacker.eof:
        data = unpacker.decompress(waiting, piece)
        waiting = unpacker.unconsumed_tail
        if not data:
            break
        yield data


def _outline(match: Match, names: list[str], seat: int | None) -> Replay:
    """A replay without its steps."""
    if seat is not None and not 0 <= seat < match.seats:
        raise Refusal("wrong-seat", f"There is no seat {seat} at this table.")
    return Replay(
        match.game.name,
        match.options,
        names,
        seal(match.seed) if isinstance(match.seed, bytes) else None,
        match.result(),
        final_of(match.game, match.state) if match.over else None,
        [],
    )


def _steps(match: Match, names: list[str], seat: int | None) -> Iterator[ReplayStep]:
    game = match.game
    for n, (entry, events, state) in enumerate(match.steps()):
        shown = [seen(event, seat) for event in events]
        yield ReplayStep(
            n,
            entry.seat if entry is not None else None,
            game.moves.name(entry.move) if entry is not None and entry.seat == seat else None,
            shown,
            sentences(game, shown, names, seat),
            game.view(state, seat),
            prompt_for(game, state, names, seat),
        )
