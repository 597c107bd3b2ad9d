"""docs/protocol.md is the contract: whatever the server can say is in it."""

import re
import types
import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest

import grandtour.engine
import grandtour.server
from grandtour.server import api, messages

DOCUMENT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
NOT_SAID = {"bad-store", "bad-address", "port-in-use", "bad-settings"}
"""Refusals for the one who starts the server, not for its clients."""


def kinds(union: Any) -> list[Any]:
    return [kind for part in typing.get_args(union) for kind in (kinds(part) if is_union(part) else [part])]


def is_union(kind: Any) -> bool:
    return isinstance(kind, types.UnionType)


@pytest.mark.parametrize("kind", kinds(messages.Incoming) + kinds(messages.Outgoing), ids=lambda kind: kind.__name__)
def test_every_message_is_in_the_document_with_all_its_fields(kind: Any) -> None:
    config = msgspec.structs.fields(kind)
    event = next((field.default for field in config if field.name == "kind"), None)
    tag = kind.__struct_config__.tag
    start = f"| `{event}` |" if event is not None else f'"{tag}"'
    lines = [line for line in DOCUMENT.splitlines() if start in line]
    assert lines, f"{kind.__name__} is not in the document"
    for field in config:
        if field.name not in ("kind", "n"):
            assert any(re.search(rf"\b{field.name}\b", line) for line in lines), f"{field.name} of {start} is missing"


def test_every_request_is_in_the_document() -> None:
    for endpoint in api.ENDPOINTS:
        path = endpoint.path.replace("{table}", "ID").replace("{game}", "NAME")
        assert f"`{endpoint.method} {path}" in DOCUMENT, f"{endpoint.method} {path} is missing"


def test_every_refusal_is_in_the_document() -> None:
    sources = [
        *Path(grandtour.server.__file__).parent.glob("*.py"),
        *Path(grandtour.engine.__file__).parent.glob("*.py"),
    ]
    said = {code for file in sources for code in re.findall(r'Refusal\(\s*"([a-z-]+)"', file.read_text("utf-8"))}
    assert {"malformed", "stale"} <= said
    listed = set(re.findall(r"`([a-z-]+)`", DOCUMENT.partition("## Refusals")[2]))
    assert said - NOT_SAID <= listed, f"not in the document: {said - NOT_SAID - listed}"
