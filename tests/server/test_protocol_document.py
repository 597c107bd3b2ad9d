"""docs/protocol.md is the contract: it lists everything the server can send."""

import re
import types
import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest

import grandtour.engine
import grandtour.server
from grandtour.protocol import messages
from grandtour.server.http import api
from grandtour.server.http.endpoint import Endpoint

DOCUMENT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
NOT_SENT = {"bad-store", "bad-address", "port-in-use", "bad-settings", "other-version"}
"""Refusals that only the operator or another server sees, not clients."""


def kinds(union: Any) -> list[Any]:
    return [kind for part in typing.get_args(union) for kind in (kinds(part) if is_union(part) else [part])]


def is_union(kind: Any) -> bool:
    return isinstance(kind, types.UnionType)


Shape = dict[str, Any]
"""A record as the document shows it: its fields, with "?" after optional ones, each with its own shape."""


def shape_in(text: str) -> Shape:
    """`{table, seats: [{kind: "me", name?}]}` as a shape."""
    parts = [""]
    depth = 0
    for letter in text.strip().removeprefix("[").removesuffix("]")[1:-1]:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    found: Shape = {}
    for name, _, within in (part.partition(":") for part in parts if part.strip(" …")):
        found[name.strip(' "')] = shape_in(within) if re.match(r"\s*\[?\{\w", within) else None
    return found


def shapes_in(line: str) -> list[Shape]:
    return [shape_in(code) for code in re.findall(r"`(\[?\{\w.*?)`", line)]


def record_in(kind: Any) -> Any:
    """The record in a field: alone, in a list, or optional. None if the field holds no record."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind
    return next(filter(None, map(record_in, typing.get_args(kind))), None)


def difference(shape: Shape, kind: Any) -> str:
    """The difference between the document and the server about a record; "" if they agree."""
    asked = kind.__struct_config__.forbid_unknown_fields
    fields = {f"{each.name}{'?' if asked and not each.required else ''}": each for each in msgspec.structs.fields(kind)}
    tag = {"type"} if kind.__struct_config__.tag_field else set()
    if shape.keys() != fields.keys() | tag:
        return f"{kind.__name__} has {sorted(fields)}, the document says {sorted(shape)}"
    within = [difference(shape[name], record_in(each.type)) for name, each in fields.items() if shape[name]]
    return next(filter(None, within), "")


EVENTS = kinds(messages.EventMessage)
MESSAGES = [kind for kind in kinds(messages.Incoming) + kinds(messages.Outgoing) if kind not in EVENTS]


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_every_message_is_documented(kind: Any) -> None:
    tag = kind.__struct_config__.tag
    lines = [line for line in DOCUMENT.splitlines() if re.match(rf'(\| `)?\{{"?type"?: "{tag}"', line)]
    assert lines, f"{kind.__name__} is not in the document"
    faults = [difference(shape_in(re.findall(r"\{.*?\}+(?=`|$)", line)[0]), kind) for line in lines]
    assert "" in faults, faults[0]


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_every_event_is_documented_with_all_its_fields(kind: Any) -> None:
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    table = DOCUMENT.partition("| kind | fields |")[2].partition("\n\n")[0]
    [line] = [line for line in table.splitlines() if line.startswith(f"| `{fields['kind'].default}` |")]
    for name in fields.keys() - {"kind", "n"}:
        assert re.search(rf"`{name}\b", line.split("|", 2)[2]), f"{name} is missing in: {line}"


@pytest.mark.parametrize("endpoint", api.ENDPOINTS, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_every_request_body_is_documented(endpoint: Endpoint) -> None:
    path = endpoint.path.replace("{table}", "ID").replace("{id}", "ID").replace("{game}", "NAME")
    line = next(line for line in DOCUMENT.splitlines() if f"`{endpoint.method} {path}" in line)
    bodies = [record_in(kind) for kind in (endpoint.body, endpoint.response) if record_in(kind)]
    shapes = shapes_in(line)
    if not shapes and "the same" in line:
        return
    if endpoint.response is messages.Table:
        listed = {field.name for field in msgspec.structs.fields(messages.Card)}
        more = {field.name for field in msgspec.structs.fields(messages.Table)} - listed
        assert all(f"`{name}`" in line for name in more), f"one of {sorted(more)} is missing in: {line}"
        return
    assert len(shapes) == len(bodies), f"{len(bodies)} bodies, but {len(shapes)} in: {line}"
    for shape, kind in zip(shapes, bodies, strict=True):
        assert not difference(shape, kind), difference(shape, kind)


def test_every_endpoint_is_documented() -> None:
    for endpoint in api.ENDPOINTS:
        path = endpoint.path.replace("{table}", "ID").replace("{id}", "ID").replace("{game}", "NAME")
        assert f"`{endpoint.method} {path}" in DOCUMENT, f"{endpoint.method} {path} is missing"


def test_every_refusal_code_is_documented() -> None:
    sources = [
        *Path(grandtour.server.__file__).parent.glob("*.py"),
        *Path(grandtour.engine.__file__).parent.glob("*.py"),
    ]
    said = {code for file in sources for code in re.findall(r'Refusal\(\s*"([a-z-]+)"', file.read_text("utf-8"))}
    assert {"malformed", "stale"} <= said
    listed = set(re.findall(r"`([a-z-]+)`", DOCUMENT.partition("## Refusals")[2]))
    assert said - NOT_SENT <= listed, f"not in the document: {said - NOT_SENT - listed}"
