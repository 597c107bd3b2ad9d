"""Frames with one short text message, which are read without the parser."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from grandtour.server.tables.incoming import MAX_FRAME, masked_text


def masked(opcode: Opcode, payload: bytes, fin: bool = True) -> bytes:
    return Frame(opcode, payload, fin).serialize(mask=True)


def unmasked(data: bytes, start: int) -> bytes:
    mask = data[start - 4 : start]
    return bytes(byte ^ mask[place % 4] for place, byte in enumerate(data[start:]))


@given(st.binary(max_size=MAX_FRAME - 8))
def test_a_short_text_is_unmasked(payload: bytes) -> None:
    data = masked(Opcode.TEXT, payload)
    start = masked_text(data)
    assert start in (6, 8)
    assert unmasked(data, start) == payload


@given(st.binary(max_size=300), st.binary(min_size=1, max_size=10))
def test_less_or_more_than_one_frame_goes_to_the_parser(payload: bytes, more: bytes) -> None:
    data = masked(Opcode.TEXT, payload)
    assert masked_text(data + more) == 0
    for end in range(len(data)):
        assert masked_text(data[:end]) == 0


OTHERS = {
    "binary": masked(Opcode.BINARY, b"move"),
    "the rest of a message": masked(Opcode.CONT, b"move"),
    "a part of a message": masked(Opcode.TEXT, b"move", fin=False),
    "ping": masked(Opcode.PING, b"move"),
    "close": masked(Opcode.CLOSE, b"\x03\xe8"),
    "not masked": Frame(Opcode.TEXT, b"move").serialize(mask=False),
    "a bit that is reserved": b"\xc1" + masked(Opcode.TEXT, b"move")[1:],
    "too long": masked(Opcode.TEXT, b"x" * MAX_FRAME),
    "a length of eight bytes": b"\x81\xff" + (10).to_bytes(8, "big") + b"\0\0\0\0" + b"0123456789",
}


@pytest.mark.parametrize("data", OTHERS.values(), ids=OTHERS)
def test_everything_else_goes_to_the_parser(data: bytes) -> None:
    assert masked_text(data) == 0


@given(st.binary(max_size=200))
def test_random_bytes_are_not_mistaken_for_a_text(data: bytes) -> None:
    start = masked_text(data)
    assert start == 0 or (data[0] == 0x81 and data[1] & 0x80 and len(data) >= start)
