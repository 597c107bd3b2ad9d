"""Checks whether a JSON value has its declared type."""

import types
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints, is_typeddict

PLAIN: dict[Any, tuple[type, ...]] = {str: (str,), int: (int,), float: (int, float), bool: (bool,)}

Faults = list[tuple[str, str]]
"""The path to each fault inside a value, and what is wrong there."""


def type_faults(value: Any, kind: Any) -> str | None:
    """Why a value does not have a type, and where; None if it does. A record must have all required fields of its type
    and no unknown ones."""
    return " and ".join(f"it{where} {what}" for where, what in _checker(kind)(value)) or None


@cache
def _checker(kind: Any) -> Callable[[Any], Faults]:
    """A function that finds the faults of a value of this type. It is made once per type, because views are large."""
    if kind is Any:
        return lambda value: []
    if kind in (None, type(None)):
        return lambda value: [] if value is None else [("", "must be null")]
    if is_typeddict(kind):
        return _record_checker(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Required, NotRequired):
        return _checker(arguments[0])
    if origin in (Union, types.UnionType):
        return _union_checker([_checker(each) for each in arguments])
    if origin is Literal:
        return lambda value: [] if value in arguments else [("", f"is {value!r}, which is none of {arguments}")]
    if origin is list:
        return _list_checker(kind, _checker(arguments[0]))
    if origin in (dict, Mapping):
        return _dict_checker(kind, *map(_checker, arguments))
    kinds = PLAIN.get(kind, ())
    return lambda value: [] if _is(value, kinds) else _other_type(value, kind)


def _record_checker(kind: Any) -> Callable[[Any], Faults]:
    hints = get_type_hints(kind, include_extras=True)
    required = [name for name, of in hints.items() if get_origin(of) is not NotRequired]

    def check(value: Any) -> Faults:
        if not isinstance(value, dict):
            return [("", f"is {value!r}, not a record")]
        if missing := [name for name in required if name not in value]:
            return [("", f"lacks {missing}")]
        if unknown := [name for name in value if name not in hints]:
            return [("", f"has {unknown}, which {kind.__name__} does not have")]
        for name, each in value.items():
            if faults := _checker(hints[name])(each):
                return [(f".{name}{where}", what) for where, what in faults]
        return []

    return check


def _union_checker(checkers: list[Callable[[Any], Faults]]) -> Callable[[Any], Faults]:
    def check(value: Any) -> Faults:
        found: Faults = []
        for checker in checkers:
            if not (faults := checker(value)):
                return []
            found += faults
        return found

    return check


def _list_checker(kind: Any, checker: Callable[[Any], Faults]) -> Callable[[Any], Faults]:
    def check(value: Any) -> Faults:
        if not isinstance(value, list):
            return _other_type(value, kind)
        for at, each in enumerate(value):
            if faults := checker(each):
                return [(f"[{at}]{where}", what) for where, what in faults]
        return []

    return check


def _dict_checker(
    kind: Any, check_key: Callable[[Any], Faults], check_value: Callable[[Any], Faults]
) -> Callable[[Any], Faults]:
    def check(value: Any) -> Faults:
        if not isinstance(value, dict):
            return _other_type(value, kind)
        for key, each in value.items():
            if faults := check_key(key) or check_value(each):
                return [(f"[{key!r}]{where}", what) for where, what in faults]
        return []

    return check


def _other_type(value: Any, kind: Any) -> Faults:
    return [("", f"is {value!r}, not of type {kind}")]


def _is(value: Any, kinds: tuple[type, ...]) -> bool:
    """Whether a value has one of these types. True and False are not numbers here."""
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
