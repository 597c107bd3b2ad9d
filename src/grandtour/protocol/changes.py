"""What has changed between two positions as one viewer sees them, so that only this has to be sent.

A patch is a list of edits, made one after another. Each begins with a path: the keys and places that lead to a value,
from the outside in; the empty path is the whole view.

- `[path, value]`: there is this value now;
- `[path]`: the key at the end of the path is gone;
- `[path, at, count, values]`: in the list there, `count` values from place `at` on are replaced by these.
"""

from typing import Any

Edit = list[Any]
Patch = list[Edit]


def patch_between(before: object, after: object) -> Patch:
    """The edits that turn one view into another."""
    edits: Patch = []
    if isinstance(before, dict) and isinstance(after, dict):
        _compare_records(before, after, [], edits)
    elif before != after:
        edits.append([[], after])
    return edits


def patched(before: Any, patch: Patch) -> Any:
    """The view after these edits. The one before stays as it is; they share what has not changed."""
    for edit in patch:
        before = _edited(before, edit[0], 0, edit)
    return before


def _compare_records(before: dict[str, Any], after: dict[str, Any], path: list[Any], edits: Patch) -> None:
    for key, value in after.items():
        if key not in before:
            edits.append([[*path, key], value])
            continue
        old = before[key]
        if old is not value and old != value:
            _compare(old, value, [*path, key], edits)
    if len(before) > len(after) or len(before.keys() - after.keys()):
        for key in before:
            if key not in after:
                edits.append([[*path, key]])


def _compare(before: Any, after: Any, path: list[Any], edits: Patch) -> None:
    """Two values that differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        _compare_records(before, after, path, edits)
    elif isinstance(before, list) and isinstance(after, list) and before and after:
        _compare_lists(before, after, path, edits)
    else:
        edits.append([path, after])


def _compare_lists(before: list[Any], after: list[Any], path: list[Any], edits: Patch) -> None:
    """Records at the same places are compared; otherwise what lies between the first and the last change is sent."""
    start, least = 0, min(len(before), len(after))
    while start < least and before[start] == after[start]:
        start += 1
    end = 0
    while end < least - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = len(before) - end, len(after) - end
    if old == new:
        for at in range(start, new):
            if isinstance(before[at], dict | list) and isinstance(after[at], dict | list):
                if before[at] != after[at]:
                    _compare(before[at], after[at], [*path, at], edits)
            elif before[at] != after[at]:
                edits.append([[*path, at], after[at]])
    else:
        edits.append([path, start, old - start, after[start:new]])


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
