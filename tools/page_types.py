"""The page's types, made from the server's messages and the games' views; `make types` calls it.

    .venv/bin/python tools/page_types.py [--check]

It writes `web/src/generated/*.ts`. With --check it writes nothing, and fails if a file there is out of date.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct, UnsetType

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "web" / "src" / "generated"
WIDTH = 120
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}


class TypeScript:
    """The types that are asked for, and those that they need, as one TypeScript module."""

    def __init__(self, *modules: types.ModuleType) -> None:
        self._sources = ", ".join(module.__name__ for module in modules)
        self._docs: dict[str, str] = {}
        self._aliases: list[tuple[str, Any]] = []
        self._declared: dict[str, tuple[Any, str]] = {}
        for module in modules:
            self._docs |= docs_in(ast.parse(inspect.getsource(module)).body)
            self._aliases += [(name, kind) for name, kind in vars(module).items() if is_alias(kind)]

    def module(self, *roots: Any) -> str:
        for root in roots:
            self.write(root)
        head = f"// Made from {self._sources} by `make types`: do not edit.\n"
        return "\n".join([head, *(text for _, text in self._declared.values())])

    def write(self, kind: Any) -> str:
        """A type as TypeScript writes it; one that has a name is declared on the way."""
        if is_record(kind):
            return self._declare(kind.__name__, kind)
        name = next((name for name, alias in self._aliases if alias == kind), None)
        return self._write_inline(kind) if name is None else self._declare(name, kind)

    def _declare(self, name: str, kind: Any) -> str:
        if name not in self._declared:
            self._declared[name] = kind, ""  # a placeholder while the types that it needs are declared
            text = self._write_interface(kind) if is_record(kind) else self._write_alias(name, kind)
            self._declared[name] = kind, comment(self._docs.get(name)) + text
        if self._declared[name][0] != kind:
            raise SystemExit(f"Two types are called {name}: one of them needs another name.")
        return name

    def _write_interface(self, kind: Any) -> str:
        text = f"export interface {kind.__name__} {{\n"
        for name, of, optional in fields(kind):
            text += comment(self._docs.get(f"{kind.__name__}.{name}"), "  ")
            text += f"  {name}{'?' if optional else ''}: {self.write(of)};\n"
        return text + "}\n"

    def _write_alias(self, name: str, kind: Any) -> str:
        line = f"export type {name} = {self._write_inline(kind)};\n"
        return line if len(line) <= WIDTH else line.replace(" | ", "\n  | ").replace(" = ", " =\n  | ")

    def _write_inline(self, kind: Any) -> str:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            known = [f"{name}: {of['type']}" for name, of in known_fields(kind).items()]
            return f"{{ {'; '.join([*known, '[more: string]: unknown'])} }}" if known else self.write(arguments[0])
        if origin is Literal:
            return " | ".join(json.dumps(value).replace('"', "'") for value in arguments)
        if origin in (Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.write(each) for each in arguments if each is not UnsetType))
        if origin is list:
            of = self.write(arguments[0])
            return f"({of})[]" if " " in of else f"{of}[]"
        if origin is tuple:
            return f"[{', '.join(map(self.write, arguments))}]"
        if origin in (dict, Mapping):
            record = f"Record<{self.write(arguments[0])}, {self.write(arguments[1])}>"
            return f"Partial<{record}>" if get_origin(arguments[0]) is Literal else record
        return PLAIN[kind]


def is_record(kind: Any) -> bool:
    return typing.is_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, Struct))


def is_alias(kind: Any) -> bool:
    """Whether a type has a name on the page too; a string of limited length is just a string there."""
    return bool(known_fields(kind)) if get_origin(kind) is Annotated else get_origin(kind) is not None


def known_fields(kind: Any) -> dict[str, Any]:
    """For a record that may hold anything, the fields that it is declared to have always."""
    found = [meta.extra_json_schema for meta in get_args(kind) if isinstance(meta, Meta) and meta.extra_json_schema]
    return dict(found[0]["properties"]) if found else {}


def fields(kind: Any) -> Iterator[tuple[str, Any, bool]]:
    """Each field of a record as JSON has it: its name, its type, and whether it may be left out."""
    if typing.is_typeddict(kind):
        for name, of in typing.get_type_hints(kind, include_extras=True).items():
            left_out = get_origin(of) is NotRequired
            yield name, get_args(of)[0] if left_out else of, left_out
        return
    config = kind.__struct_config__
    if config.tag_field is not None:
        yield config.tag_field, Literal[config.tag], False
    for field in msgspec.structs.fields(kind):
        # What a client sends may lack what has a default; what the server sends lacks only what is unset.
        sent_by_client = config.forbid_unknown_fields
        yield field.encode_name, field.type, not field.required if sent_by_client else UnsetType in get_args(field.type)


def docs_in(body: list[ast.stmt], within: str = "") -> dict[str, str]:
    """The docstrings of classes and, below each, those of fields and aliases: by name, a field as `Class.field`."""
    found: dict[str, str] = {}
    for node, after in pairwise([*body, ast.Pass()]):
        if isinstance(node, ast.ClassDef):
            found[within + node.name] = ast.get_docstring(node) or ""
            for base in node.bases:
                inherited = f"{ast.unparse(base)}."
                found |= {
                    name.replace(inherited, f"{node.name}."): doc
                    for name, doc in found.items()
                    if name.startswith(inherited)
                }
            found |= docs_in(node.body, f"{node.name}.")
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(after, ast.Expr):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            doc = after.value.value if isinstance(after.value, ast.Constant) else ""
            found[within + ast.unparse(target)] = inspect.cleandoc(str(doc))
    return found


def comment(doc: str | None, indent: str = "") -> str:
    lines = (doc or "").splitlines()
    if len(lines) > 1:
        return "".join(f"{indent}{line}\n" for line in ["/**", *(f" * {line}".rstrip() for line in lines), " */"])
    return f"{indent}/** {lines[0]} */\n" if lines else ""


def generate() -> dict[str, str]:
    """Every file that belongs in the folder."""
    from grandtour.engine.catalogue import games
    from grandtour.protocol import draws, messages
    from grandtour.server.http import api, requests
    from grandtour.server.tables import records

    bodies = [kind for each in api.ENDPOINTS for kind in (each.response, each.body) if kind not in (None, ...)]
    roots = [messages.Incoming, messages.Acknowledged, messages.Outgoing, messages.EventMessage, messages.Silence]
    protocol = TypeScript(messages, draws, requests, records)
    files = {"protocol.ts": protocol.module(*roots, *bodies, requests.RefusalBody)}
    for game in games().values():
        view = typing.get_type_hints(game.view).get("return")
        if typing.is_typeddict(view) and view.__module__.startswith("grandtour."):
            name = game.name if view.__module__ == f"{game.package}.view_types" else "kit"
            files[f"{name}.ts"] = TypeScript(sys.modules[view.__module__]).module(view)
    return files


def main(arguments: list[str]) -> int:
    files = generate()
    present = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.ts")}
    stale = sorted(name for name in files.keys() | present.keys() if files.get(name) != present.get(name))
    if "--check" in arguments:
        if stale:
            print(f"Not current in {FOLDER.relative_to(ROOT)}: {', '.join(stale)}. Run make types.")
        return 1 if stale else 0
    FOLDER.mkdir(exist_ok=True)
    for name in stale:
        if name in files:
            (FOLDER / name).write_text(files[name], "utf-8")
        else:
            (FOLDER / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
