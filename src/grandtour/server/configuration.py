"""Settings from a TOML file, the environment and the command line. `settings.py` declares them.

A field of `Settings` has its own name, a field of `Limits` the name `limits.NAME`. In a file, limits are in the table
`[limits]`. In the environment, `bot_pause` is GRANDTOUR_BOT_PAUSE and `limits.sockets` is GRANDTOUR_LIMITS_SOCKETS. The
command line overrides the environment, which overrides the file.
"""

import ast
import inspect
import itertools
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any, Final, NamedTuple, get_origin, get_type_hints

import msgspec

from grandtour.engine.refusal import Refusal
from grandtour.server import settings as module
from grandtour.server.http.proxies import Proxies
from grandtour.server.metrics import MetricsReaders
from grandtour.server.settings import Limits, Rate, Settings

PREFIX: Final = "GRANDTOUR_"
LIMITS: Final = "limits"
PASSWORD: Final = re.compile(r"(?<=:)[^:/@]+(?=@)|(?<=password=)[^&]*")
"""The password in a database's address."""


class Setting(NamedTuple):
    """A setting. `about` is its description."""

    name: str
    kind: Any
    default: Any
    about: str

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper().replace(".", "_")


class Configuration(NamedTuple):
    """The settings, and the source of each one that does not have its default."""

    settings: Settings
    sources: dict[str, str]


def default_data() -> Path:
    """The default folder for a user's tables."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "grandtour"


def all_settings() -> list[Setting]:
    """All settings that exist."""
    return [*_fields_of(Settings, ""), *_fields_of(Limits, f"{LIMITS}.")]


def configure(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Configuration:
    """The settings from all sources. Refuses unknown and invalid ones. Flags are values or text."""
    every = {each.name: each for each in all_settings()}
    found: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for source, name, value in _sources(every, file, environment or {}, flags or {}):
        if name not in every:
            raise Refusal(
                "bad-settings", f"There is no setting {name!r} ({source}); `grandtour serve --check` lists all."
            )
        found[name] = _value(every[name], value, source)
        sources[name] = source
    top_level = {name: value for name, value in found.items() if "." not in name}
    limits = {name.partition(".")[2]: value for name, value in found.items() if "." in name}
    settings = Settings(**{"data": default_data(), **top_level, LIMITS: Limits(**limits)})
    if settings.bot_processes < 1 and not settings.store:
        raise Refusal("bad-settings", "The setting 'bot_processes' must be at least 1; with a database it may be 0.")
    Proxies(settings.proxies, settings.proxy_header)
    MetricsReaders(settings.metrics_from)
    return Configuration(settings, sources)


def settings_in_force(configuration: Configuration) -> str:
    """All settings as a TOML file, each with its source, without the password of a database."""
    lines: list[str] = []
    for each in all_settings():
        name, _, inner = each.name.rpartition(".")
        if name and f"[{name}]" not in lines:
            lines += ["", f"[{name}]"]
        value = getattr(configuration.settings.limits if name else configuration.settings, inner)
        if each.name == "store":
            value = PASSWORD.sub("***", value)
        lines.append(f"{inner} = {_toml(value)}  # {configuration.sources.get(each.name, 'built in')}")
    return "\n".join(lines) + "\n"


def settings_table() -> str:
    """All settings as a Markdown table, for the operator's guide."""
    lines = ["| setting | default | |", "|---|---|---|"]
    for each in all_settings():
        default = "the user's own folder" if each.name == "data" else f"`{_toml(each.default)}`"
        if each.name == "page":
            default = "the one in the package"
        lines.append(f"| `{each.name}` | {default} | {each.about} |")
    return "\n".join(lines) + "\n"


def _sources(
    every: Mapping[str, Setting], file: Path | None, environment: Mapping[str, str], flags: Mapping[str, object]
) -> Iterator[tuple[str, str, object]]:
    """The settings from each source, in order of increasing priority."""
    if file is not None:
        for name, value in _read(file).items():
            if name == LIMITS and isinstance(value, dict):
                yield from ((str(file), f"{LIMITS}.{inner}", each) for inner, each in value.items())
            else:
                yield str(file), name, value
    variables = {each.variable: each.name for each in every.values()}
    for variable, text in environment.items():
        if variable.startswith(PREFIX):
            yield f"${variable}", variables.get(variable, variable), text
    yield from (("command line", name, value) for name, value in flags.items())


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise Refusal("bad-settings", f"The file {file} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal("bad-settings", f"The file {file} is not TOML: {error}.") from None


def _value(setting: Setting, given: object, source: str) -> Any:
    if isinstance(given, str) and get_origin(setting.kind) is frozenset:
        given = [part.strip() for part in given.split(",") if part.strip()]
    elif isinstance(given, str) and setting.kind is Rate:
        given = given.split(",")
    try:
        value = msgspec.convert(given, setting.kind, strict=False, dec_hook=_path)
    except msgspec.ValidationError as error:
        raise Refusal("bad-settings", f"The setting {setting.name!r} ({source}) is invalid: {error}.") from None
    numbers = value if isinstance(value, Rate) else (value,)
    if any(isinstance(number, int | float) and not 0 <= number < float("inf") for number in numbers):
        raise Refusal("bad-settings", f"The setting {setting.name!r} ({source}) cannot be {given}.")
    return value


def _path(kind: type, value: object) -> Any:
    if kind is Path and isinstance(value, str | Path):
        return Path(value).expanduser()
    raise NotImplementedError(f"{kind} from {value!r}")


def _fields_of(kind: type[Settings] | type[Limits], prefix: str) -> list[Setting]:
    types, about = get_type_hints(kind), _docstrings(kind.__name__)
    return [
        Setting(prefix + field.name, types[field.name], _default(field), about.get(field.name, ""))
        for field in fields(kind)
        if field.name != LIMITS
    ]


def _default(field: Field[Any]) -> Any:
    return field.default if field.default is not MISSING else None


def _docstrings(kind: str) -> dict[str, str]:
    """The docstring below each field of a settings class."""
    tree = ast.parse(inspect.getsource(module))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == kind)
    found: dict[str, str] = {}
    for field, below in itertools.pairwise(body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
        ):
            found[field.target.id] = " ".join(str(below.value.value).split())
    return found


def _toml(value: object) -> str:
    if isinstance(value, frozenset):
        return json.dumps(sorted(value))
    if isinstance(value, Path):
        return json.dumps(str(value))
    return json.dumps(value)
