"""Checks whether a JSON value has its declared type."""

import types
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints, is_typeddict

PLAIN: dict[Any, tuple[type, ...]] = {str: (str,), int: (int,), float: (int, float), bool: (bool,)}


def misfit(value: Any, kind: Any, where: str = "it") -> str | None:
    """Why a value does not have a type, and where; None if it does. A record must have all required fields of its type
    and no unknown ones."""
    if kind is Any:
        return None
    if kind in (None, type(None)):
        return None if value is None else f"{where} is not null"
    if is_typeddict(kind):
        return _misfit_of_record(value, kind, where)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Required, NotRequired):
        return misfit(value, arguments[0], where)
    if origin in (Union, types.UnionType):
        faults = [misfit(value, each, where) for each in arguments]
        return None if None in faults else " and ".join(fault for fault in faults if fault)
    if origin is Literal:
        return None if value in arguments else f"{where} is {value!r}, which is none of {arguments}"
    if origin is list and isinstance(value, list):
        return _first(misfit(each, arguments[0], f"{where}[{at}]") for at, each in enumerate(value))
    if origin in (dict, Mapping) and isinstance(value, dict):
        parts = [(part, of, key) for key in value for part, of in zip((key, value[key]), arguments, strict=True)]
        return _first(misfit(part, of, f"{where}[{key!r}]") for part, of, key in parts)
    return None if _is(value, *PLAIN.get(kind, ())) else f"{where} is {value!r}, not of type {kind}"


def _misfit_of_record(value: Any, kind: Any, where: str) -> str | None:
    if not isinstance(value, dict):
        return f"{where} is {value!r}, not a record"
    hints = _hints(kind)
    missing = [name for name, of in hints.items() if name not in value and get_origin(of) is not NotRequired]
    unknown = [name for name in value if name not in hints]
    if missing or unknown:
        return f"{where} lacks {missing}" if missing else f"{where} has {unknown}, which {kind.__name__} has not"
    return _first(misfit(each, hints[name], f"{where}.{name}") for name, each in value.items())


def _first(faults: Iterable[str | None]) -> str | None:
    return next(filter(None, faults), None)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _is(value: Any, *kinds: type) -> bool:
    """Whether a value has one of these types. True and False are not numbers here."""
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
