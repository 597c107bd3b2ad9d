# compiled
"""Patches: the differences between two views, so that only the differences have to be sent.

The game writes the patch itself, or it is found by comparing two views. `grandtour.engine.edits` describes the format.
"""

from typing import Any, Final

from librt.strings import BytesWriter

from grandtour.engine.edits import CLOSING_BRACKET as CLOSING_BRACKET
from grandtour.engine.edits import encoded_number as encoded_number
from grandtour.engine.edits import encoded_text as encoded_text
from grandtour.protocol import messages

Edit = list[Any]
Patch = list[Edit]

_MISSING: Final = object()
"""Stands for a key that a view does not have."""


class SharedEdits:
    """The encoded edits between two values at the same key of several views. The values are compared by identity, so
    references to them are kept."""

    def __init__(self, key: str, before: object, after: object, encoded: bytes) -> None:
        self.key: Final = key
        self.before: Final = before
        self.after: Final = after
        self.encoded: Final = encoded


Shared = list[SharedEdits]
"""The results of comparisons for other viewers of the same two positions."""


def encoded_patch(before: object, after: object, shared: Shared) -> bytes:
    """The patch that turns one view into another, as JSON; empty if they are equal."""
    out = BytesWriter()
    return out.getvalue() if write_patch(out, before, after, shared) else b""


def write_patch(out: BytesWriter, before: object, after: object, shared: Shared) -> bool:
    """Write the patch that turns one view into another, as JSON. Returns whether there are any edits. Views of several
    viewers are compared with the same `shared`, so that values which they share are compared and encoded only once.

    Edits are written directly as bytes, which is faster than making lists and encoding them.
    """
    begin = len(out)
    out.write(b"[")
    if isinstance(before, dict) and isinstance(after, dict):
        _write_edits(out, before, after, shared)
    elif before != after:
        out.write(b"[[],")
        out.write(messages.encode(after))
        out.write(b"],")
    if len(out) == begin + 1:
        out.truncate(begin)
        return False
    # This overwrites the last comma.
    out[len(out) - 1] = CLOSING_BRACKET
    return True


def _write_edits(out: BytesWriter, before: dict[str, Any], after: dict[str, Any], shared: Shared) -> None:
    """Write the edits between two views, with a comma after each."""
    common = 0
    path: list[bytes] = []
    for key, value in after.items():
        old = before.get(key, _MISSING)
        if old is value:
            common += 1
        elif old is _MISSING:
            _write_edit(out, path, encoded_text(key), value)
        else:
            common += 1
            if isinstance(value, (dict, list)):
                out.write(_shared_edits(key, old, value, shared))
            elif old != value:
                _write_edit(out, path, encoded_text(key), value)
    if common < len(before):
        _write_removals(out, path, before, after)


def _shared_edits(key: str, before: object, after: object, shared: Shared) -> bytes:
    """The edits between two values, encoded, with a comma after each."""
    for known in shared:
        if known.after is after and known.before is before and known.key == key:
            return known.encoded
    out = BytesWriter()
    _compare(out, before, after, [], encoded_text(key))
    encoded = out.getvalue()
    shared.append(SharedEdits(key, before, after, encoded))
    return encoded


def apply_patch(before: Any, patch: Patch) -> Any:
    """The view after a patch. The view before is not modified; the two share what has not changed."""
    for edit in patch:
        before = _with_edit(before, edit[0], 0, edit)
    return before


def _compare(out: BytesWriter, before: Any, after: Any, path: list[bytes], key: bytes) -> None:
    """Write the edits between the two values at `key`, a key or list index, under `path`. The path is restored at the
    end."""
    if isinstance(before, dict) and isinstance(after, dict):
        path.append(key)
        _compare_dicts(out, before, after, path)
        path.pop()
    elif isinstance(before, list) and isinstance(after, list) and before and after:
        path.append(key)
        _compare_lists(out, before, after, path)
        path.pop()
    elif before != after:
        _write_edit(out, path, key, after)


def _compare_dicts(out: BytesWriter, before: dict[str, Any], after: dict[str, Any], path: list[bytes]) -> None:
    common = 0
    for key, value in after.items():
        old = before.get(key, _MISSING)
        if old is value:
            common += 1
        elif old is _MISSING:
            _write_edit(out, path, encoded_text(key), value)
        else:
            common += 1
            if isinstance(value, (dict, list)):
                _compare(out, old, value, path, encoded_text(key))
            elif old != value:
                _write_edit(out, path, encoded_text(key), value)
    if common < len(before):
        _write_removals(out, path, before, after)


def _compare_lists(out: BytesWriter, before: list[Any], after: list[Any], path: list[bytes]) -> None:
    """Write the edits between two lists. If they have the same length, the values at each index are compared; otherwise
    everything from the first to the last difference is replaced."""
    if len(before) == len(after):
        for at in range(len(after)):
            old, value = before[at], after[at]
            if old is not value:
                _compare(out, old, value, path, encoded_number(at))
        return
    start, least = 0, min(len(before), len(after))
    while start < least and before[start] == after[start]:
        start += 1
    end = 0
    while end < least - start and before[-1 - end] == after[-1 - end]:
        end += 1
    out.write(b"[")
    _write_path(out, path)
    out[len(out) - 1] = CLOSING_BRACKET
    out.write(b",")
    out.write(encoded_number(start))
    out.write(b",")
    out.write(encoded_number(len(before) - end - start))
    out.write(b",")
    out.write(messages.encode(after[start : len(after) - end]))
    out.write(b"],")


def _write_removals(out: BytesWriter, path: list[bytes], before: dict[str, Any], after: dict[str, Any]) -> None:
    for key in before:
        if key not in after:
            out.write(b"[")
            _write_path(out, path)
            out.write(encoded_text(key))
            out.write(b"]],")


def _write_edit(out: BytesWriter, path: list[bytes], key: bytes, value: Any) -> None:
    """Write `[path, value]` and a comma."""
    out.write(b"[")
    _write_path(out, path)
    out.write(key)
    out.write(b"],")
    write_value(out, value)
    out.write(b"],")


def _write_path(out: BytesWriter, path: list[bytes]) -> None:
    """Write the start of a path, with a comma after each part."""
    out.write(b"[")
    for part in path:
        out.write(part)
        out.write(b",")


def write_value(out: BytesWriter, value: Any) -> None:
    """Write any value as JSON, fast for short texts and small numbers, which are the most frequent."""
    if isinstance(value, str):
        out.write(encoded_text(value))
    elif isinstance(value, int) and not isinstance(value, bool):
        out.write(encoded_number(value))
    else:
        out.write(messages.encode(value))


def _with_edit(value: Any, path: list[Any], depth: int, edit: Edit) -> Any:
    """A copy of a value in which the edit has been applied at the end of the path."""
    if depth == len(path):
        if len(edit) == 2:
            return edit[1]
        at, count, values = edit[1:]
        return [*value[:at], *values, *value[at + count :]]
    key = path[depth]
    copied = value.copy()
    if len(edit) == 1 and depth == len(path) - 1:
        del copied[key]
    else:
        below = value.get(key) if isinstance(value, dict) else value[key]
        copied[key] = _with_edit(below, path, depth + 1, edit)
    return copied
