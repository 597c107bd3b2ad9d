"""Edits of views as JSON: what has changed between two positions as one viewer sees them, so that only this is sent.

A patch is a list of edits, made one after another. Each begins with a path: the keys and places that lead to a value,
from the outside in; the empty path is the whole view.

- `[path, value]`: there is this value now;
- `[path]`: the key at the end of the path is gone;
- `[path, at, count, values]`: in the list there, `count` values from place `at` on are replaced by these.

A game that writes its edits itself (`Game.edits`) begins with `begin_patch`, writes edits with the functions below, and
returns what `end_patch` makes of them. An edit that changes nothing must not be written: it would show that something
hidden has changed.
"""

from typing import Final

from librt.strings import BytesWriter
from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.json_encoder import encode as encode

MAX_TEXTS: Final = 16_384
"""The maximum number of texts cached in encoded form: the keys of views, and the names of cards and places in them."""
MAX_TEXT_LENGTH: Final = 64
_texts: Final[dict[str, bytes]] = {}
_NUMBERS: Final = [b"%d" % number for number in range(1024)]
CLOSING_BRACKET: Final = 0x5D
"""The byte that closes a JSON list."""


def encoded_text(text: str, keep: bool = True) -> bytes:
    """A text as JSON. Short ones are kept if they may come again."""
    if not keep:
        return encode(text)
    encoded = _texts.get(text)
    if encoded is None:
        encoded = encode(text)
        if len(text) <= MAX_TEXT_LENGTH and len(_texts) < MAX_TEXTS:
            _texts[text] = encoded
    return encoded


def encoded_number(number: int) -> bytes:
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else b"%d" % number


def edit_of(*path: str | int) -> bytes:
    """How an edit of the value at this path begins."""
    return b"[" + encode(path) + b","


def begin_patch() -> BytesWriter:
    out = BytesWriter()
    out.write(b"[")
    return out


def end_patch(out: BytesWriter) -> bytes:
    """The finished patch; nothing if there are no edits."""
    if len(out) <= 1:
        return b""
    # In place of the last comma.
    out[len(out) - 1] = CLOSING_BRACKET
    return out.getvalue()


def write_number(out: BytesWriter, edit: bytes, number: i64) -> None:
    """Write that there is this number now. `edit` comes from `edit_of`."""
    out.write(edit)
    out.write(encoded_number(number))
    out.write(b"],")


def write_json(out: BytesWriter, edit: bytes, value: bytes) -> None:
    """Write that there is this value now, which is JSON already."""
    out.write(edit)
    out.write(value)
    out.write(b"],")


def write_values(out: BytesWriter, edit: bytes, at: i64, count: i64, values: list[bytes]) -> None:
    """Write that `count` values of a list, from place `at` on, are replaced by these, which are JSON already."""
    out.write(edit)
    out.write(encoded_number(at))
    out.write(b",")
    out.write(encoded_number(count))
    out.write(b",[")
    for place, value in enumerate(values):
        if place:
            out.write(b",")
        out.write(value)
    out.write(b"]],")


def write_counted(
    out: BytesWriter, edit: bytes, names: list[bytes], before: vec[i64], after: vec[i64], first: i64
) -> None:
    """Write how a sorted list of names changes, if it does. The positions count how often each name is in it, in
    `before` and `after` from place `first` on. The names are JSON already."""
    end: i64 = len(names)
    low: i64 = 0
    at: i64 = 0
    while low < end and before[first + low] == after[first + low]:
        at += after[first + low]
        low += 1
    if low == end:
        return
    while before[first + end - 1] == after[first + end - 1]:
        end -= 1
    count: i64 = 0
    values: list[bytes] = []
    for kind in range(low, end):
        count += before[first + kind]
        for _ in range(after[first + kind]):
            values.append(names[kind])
    write_values(out, edit, at, count, values)
