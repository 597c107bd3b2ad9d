# compiled
"""What has changed between two positions as one viewer sees them, so that only this has to be sent.

A patch is a list of edits, made one after another. Each begins with a path: the keys and places that lead to a value,
from the outside in; the empty path is the whole view.

- `[path, value]`: there is this value now;
- `[path]`: the key at the end of the path is gone;
- `[path, at, count, values]`: in the list there, `count` values from place `at` on are replaced by these.
"""

from typing import Any, Final

from librt.strings import BytesWriter

from grandtour.protocol import messages

Edit = list[Any]
Patch = list[Edit]

_NOTHING: Final = object()
"""In place of a value that is not there."""
MAX_TEXTS: Final = 16_384
"""How many texts are kept encoded: the keys of views, and the names of cards and places in them."""
LONGEST_TEXT: Final = 64
_texts: Final[dict[str, bytes]] = {}
_NUMBERS: Final = [b"%d" % number for number in range(1024)]
BRACKET: Final = 0x5D
"""What closes a list."""


class SharedEdits:
    """The edits between two values that views have at the same key, encoded. The values are held on to, so that nothing
    else takes their place."""

    def __init__(self, key: str, before: object, after: object, encoded: bytes) -> None:
        self.key: Final = key
        self.before: Final = before
        self.after: Final = after
        self.encoded: Final = encoded


Shared = list[SharedEdits]
"""What has been compared for other viewers of the same two positions."""


def encoded_patch(before: object, after: object, shared: Shared) -> bytes:
    """The edits that turn one view into another, as JSON; nothing if there are none."""
    out = BytesWriter()
    return out.getvalue() if write_patch(out, before, after, shared) else b""


def write_patch(out: BytesWriter, before: object, after: object, shared: Shared) -> bool:
    """Write the edits that turn one view into another, as JSON. Returns whether there are any. Views that have values
    in common are compared with the same `shared`: then what they share is compared and encoded once.

    Edits are written as bytes at once, because it takes longer to make lists of them and encode those.
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
    # In place of the last comma.
    out[len(out) - 1] = BRACKET
    return True


def _write_edits(out: BytesWriter, before: dict[str, Any], after: dict[str, Any], shared: Shared) -> None:
    """Write the edits between two views, with a comma after each."""
    kept = 0
    path: list[bytes] = []
    for key, value in after.items():
        old = before.get(key, _NOTHING)
        if old is value:
            kept += 1
        elif old is _NOTHING:
            _write_edit(out, path, encoded_text(key), value)
        else:
            kept += 1
            if isinstance(value, (dict, list)):
                out.write(_shared_edits(key, old, value, shared))
            elif old != value:
                _write_edit(out, path, encoded_text(key), value)
    if kept < len(before):
        _write_removals(out, path, before, after)


def encoded_once(key: str, value: object, shared: Shared) -> bytes:
    """A part of a message that several viewers may get, as JSON. The same object is encoded once."""
    for known in shared:
        if known.after is value and known.before is _NOTHING and known.key == key:
            return known.encoded
    encoded = messages.encode(value)
    shared.append(SharedEdits(key, _NOTHING, value, encoded))
    return encoded


def encoded_text(text: str) -> bytes:
    """A text as JSON. Short ones are kept."""
    encoded = _texts.get(text)
    if encoded is None:
        encoded = messages.encode(text)
        if len(text) <= LONGEST_TEXT and len(_texts) < MAX_TEXTS:
            _texts[text] = encoded
    return encoded


def encoded_number(number: int) -> bytes:
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else b"%d" % number


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


def patched(before: Any, patch: Patch) -> Any:
    """The view after these edits. The one before stays as it is; they share what has not changed."""
    for edit in patch:
        before = _edited(before, edit[0], 0, edit)
    return before


def _compare(out: BytesWriter, before: Any, after: Any, path: list[bytes], last: bytes) -> None:
    """Write the edits between two values. The `path` and the `last` key or place lead to them. The path is the same
    again afterwards."""
    if isinstance(before, dict) and isinstance(after, dict):
        path.append(last)
        _compare_records(out, before, after, path)
        path.pop()
    elif isinstance(before, list) and isinstance(after, list) and before and after:
        path.append(last)
        _compare_lists(out, before, after, path)
        path.pop()
    elif before != after:
        _write_edit(out, path, last, after)


def _compare_records(out: BytesWriter, before: dict[str, Any], after: dict[str, Any], path: list[bytes]) -> None:
    kept = 0
    for key, value in after.items():
        old = before.get(key, _NOTHING)
        if old is value:
            kept += 1
        elif old is _NOTHING:
            _write_edit(out, path, encoded_text(key), value)
        else:
            kept += 1
            if isinstance(value, (dict, list)):
                _compare(out, old, value, path, encoded_text(key))
            elif old != value:
                _write_edit(out, path, encoded_text(key), value)
    if kept < len(before):
        _write_removals(out, path, before, after)


def _compare_lists(out: BytesWriter, before: list[Any], after: list[Any], path: list[bytes]) -> None:
    """In lists of the same length, values at the same places are compared; otherwise what lies between the first and
    the last change is sent."""
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
    out[len(out) - 1] = BRACKET
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


def _write_edit(out: BytesWriter, path: list[bytes], last: bytes, value: Any) -> None:
    """Write `[path, value]` and a comma."""
    out.write(b"[")
    _write_path(out, path)
    out.write(last)
    out.write(b"],")
    write_value(out, value)
    out.write(b"],")


def _write_path(out: BytesWriter, path: list[bytes]) -> None:
    """Write the beginning of a path, with a comma after each part."""
    out.write(b"[")
    for part in path:
        out.write(part)
        out.write(b",")


def write_value(out: BytesWriter, value: Any) -> None:
    """Write any value as JSON. Most are short texts and small numbers."""
    if isinstance(value, str):
        out.write(encoded_text(value))
    elif isinstance(value, int) and not isinstance(value, bool):
        out.write(encoded_number(value))
    else:
        out.write(messages.encode(value))


def _edited(value: Any, path: list[Any], depth: int, edit: Edit) -> Any:
    """A copy of a value in which the edit is made at the end of the path."""
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
        copied[key] = _edited(below, path, depth + 1, edit)
    return copied
