# compiled
"""What has changed between two positions as one viewer sees them, so that only this has to be sent.

A patch is a list of edits, made one after another. Each begins with a path: the keys and places that lead to a value,
from the outside in; the empty path is the whole view.

- `[path, value]`: there is this value now;
- `[path]`: the key at the end of the path is gone;
- `[path, at, count, values]`: in the list there, `count` values from place `at` on are replaced by these.
"""

from typing import Any, Final

from grandtour.protocol import messages

Edit = list[Any]
Patch = list[Edit]

_NOTHING: Final = object()
"""In place of a value that is not there."""


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


def patch_between(before: object, after: object) -> Patch:
    """The edits that turn one view into another."""
    edits: Patch = []
    if not isinstance(before, dict) or not isinstance(after, dict):
        if before != after:
            edits.append([[], after])
    else:
        _compare_records(before, after, [], edits)
    return edits


def encoded_patch(before: object, after: object, shared: Shared) -> bytes:
    """The same as JSON; nothing if there are no edits. Views that have values in common are compared with the same
    `shared`: then what they share is compared and encoded once."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        edits = patch_between(before, after)
        return messages.encode(edits) if edits else b""
    own: Patch = []
    parts: list[bytes] = []
    kept = 0
    for key, value in after.items():
        old = before.get(key, _NOTHING)
        if old is value:
            kept += 1
        elif old is _NOTHING:
            own.append([[key], value])
        else:
            kept += 1
            if isinstance(value, (dict, list)):
                part = _shared_edits(key, old, value, shared)
                if part:
                    parts.append(part)
            elif old != value:
                own.append([[key], value])
    if kept < len(before):
        own.extend([[key]] for key in before if key not in after)
    if own:
        parts.append(messages.encode(own)[1:-1])
    return b"[" + b",".join(parts) + b"]" if parts else b""


def encoded_once(key: str, value: object, shared: Shared) -> bytes:
    """A part of a message that several viewers may get, as JSON. The same object is encoded once."""
    for known in shared:
        if known.after is value and known.before is _NOTHING and known.key == key:
            return known.encoded
    encoded = messages.encode(value)
    shared.append(SharedEdits(key, _NOTHING, value, encoded))
    return encoded


def _shared_edits(key: str, before: object, after: object, shared: Shared) -> bytes:
    """The edits between two values, encoded, without the brackets around them."""
    for known in shared:
        if known.after is after and known.before is before and known.key == key:
            return known.encoded
    edits: Patch = []
    _compare(before, after, [key], edits)
    encoded = messages.encode(edits)[1:-1] if edits else b""
    shared.append(SharedEdits(key, before, after, encoded))
    return encoded


def patched(before: Any, patch: Patch) -> Any:
    """The view after these edits. The one before stays as it is; they share what has not changed."""
    for edit in patch:
        before = _edited(before, edit[0], 0, edit)
    return before


def _compare_records(before: dict[str, Any], after: dict[str, Any], path: list[Any], edits: Patch) -> None:
    """`path` is where they are; it is the same again afterwards."""
    kept = 0
    for key, value in after.items():
        old = before.get(key, _NOTHING)
        if old is value:
            kept += 1
        elif old is _NOTHING:
            edits.append([[*path, key], value])
        else:
            kept += 1
            path.append(key)
            _compare(old, value, path, edits)
            path.pop()
    if kept < len(before):
        for key in before:
            if key not in after:
                edits.append([[*path, key]])


def _compare(before: Any, after: Any, path: list[Any], edits: Patch) -> None:
    if isinstance(before, dict) and isinstance(after, dict):
        _compare_records(before, after, path, edits)
    elif isinstance(before, list) and isinstance(after, list) and before and after:
        _compare_lists(before, after, path, edits)
    elif before != after:
        edits.append([path.copy(), after])


def _compare_lists(before: list[Any], after: list[Any], path: list[Any], edits: Patch) -> None:
    """In lists of the same length, values at the same places are compared; otherwise what lies between the first and
    the last change is sent."""
    if len(before) == len(after):
        for at in range(len(after)):
            old, value = before[at], after[at]
            if old is not value:
                path.append(at)
                _compare(old, value, path, edits)
                path.pop()
        return
    start, least = 0, min(len(before), len(after))
    while start < least and before[start] == after[start]:
        start += 1
    end = 0
    while end < least - start and before[-1 - end] == after[-1 - end]:
        end += 1
    edits.append([path.copy(), start, len(before) - end - start, after[start : len(after) - end]])


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
