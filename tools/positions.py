"""Prepares the sources for the compiler: each game gets a method that copies its position, and loops plain counters.

The fields of a position are declared once, in `__init__`. `State.copy_with` looks them up at run time; compiled code is
only fast if it names each field. So before compiling, setup.py makes a copy of the sources in which every game's
`State` has its own `copy_with`. That copy of the sources is only compiled, never edited or committed.

In `for _ in range(n)`, `_` has no type for mypy, so mypyc would create a Python object in every round. The copy has
names there.
"""

from __future__ import annotations

import ast
import re
import shutil
from itertools import count
from pathlib import Path

SHARED_TYPES = ("i64", "int", "bool", "str", "float", "Shared")
"""Types of values that a copy shares with the original. A `vec` or `list` is copied."""
NOT_COPIED = ("dice", "events")
UNNAMED_LOOP = re.compile(r"^( *)for _ in range\(", re.MULTILINE)


class UndeclaredField(Exception):
    """The declaration of a field does not say how to copy it."""


def write_out(sources: Path, target: Path) -> None:
    """Copy the package `sources` to `target`, with a `copy_with` in every game's `State` and named loop variables.
    Unchanged files are not touched, so they are not compiled again."""
    wanted = {path.relative_to(sources) for path in sources.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    for old in [path for path in target.rglob("*") if path.is_file() and path.relative_to(target) not in wanted]:
        old.unlink()
    for name in sorted(wanted):
        source, copy = sources / name, target / name
        content = source.read_bytes()
        if source.name == "rules.py" and source.parent.parent.name == "games":
            content = with_copy(sources.parent, source).encode()
        if source.suffix == ".py":
            content = with_named_loops(content.decode()).encode()
        if not copy.exists() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
            shutil.copystat(source, copy)


def with_named_loops(text: str) -> str:
    """The text of a module in which every `for _ in range(...)` statement has a variable of its own."""
    numbers = count()
    return UNNAMED_LOOP.sub(lambda loop: f"{loop[1]}for _round{next(numbers)} in range(", text)


def with_copy(root: Path, rules: Path) -> str:
    """The text of a game's rules.py, with `copy_with` added at the end of the class `State`."""
    text = rules.read_text("utf-8")
    state = _class(ast.parse(text), "State")
    if state is None or state.end_lineno is None:
        return text
    lines = text.split("\n")
    lines[state.end_lineno : state.end_lineno] = ["", *copy_method(root, rules)]
    return "\n".join(lines)


def copy_method(root: Path, rules: Path) -> list[str]:
    """The lines of `copy_with` for the `State` of a rules.py."""
    fields = declared(root, rules, "State")
    copied = [f"        copy.{name} = self.{name}{'' if shared else '[:]'}" for name, shared in fields.items()]
    return [
        '    def copy_with(self, dice: Dice) -> "State":',
        "        copy = State()",
        *copied,
        "        copy.dice = dice",
        "        return copy",
    ]


def declared(root: Path, module: Path, name: str) -> dict[str, bool]:
    """The fields of a class and its base classes, in order. The value says whether a copy shares the field."""
    tree = ast.parse(module.read_text("utf-8"))
    kind = _class(tree, name)
    if kind is None:
        raise UndeclaredField(f"there is no class {name} in {module}")
    fields: dict[str, bool] = {}
    for base in kind.bases:
        if not isinstance(base, ast.Name):
            raise UndeclaredField(f"{module}: a base class of {name} is not a plain name")
        fields |= declared(root, *_origin(root, module, tree, base.id))
    for method in kind.body:
        if isinstance(method, ast.FunctionDef) and method.name == "__init__":
            fields |= dict(_field(module, line) for line in method.body if _assigns(line))
    return {field: shared for field, shared in fields.items() if field not in NOT_COPIED}


def _class(tree: ast.Module, name: str) -> ast.ClassDef | None:
    return next((node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name), None)


def _origin(root: Path, module: Path, tree: ast.Module, name: str) -> tuple[Path, str]:
    """The file in which a class used here is defined, and its name there."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return root.joinpath(*node.module.split(".")).with_suffix(".py"), alias.name
    return module, name


def _assigns(line: ast.stmt) -> bool:
    return isinstance(line, ast.Assign | ast.AnnAssign)


def _field(module: Path, line: ast.stmt) -> tuple[str, bool]:
    """The name of a field, and whether a copy shares its value."""
    assert isinstance(line, ast.Assign | ast.AnnAssign)
    target = line.targets[0] if isinstance(line, ast.Assign) else line.target
    if not isinstance(target, ast.Attribute):
        raise UndeclaredField(f"{module}, line {line.lineno}: `__init__` of a position may only declare fields")
    if target.attr in NOT_COPIED:
        return target.attr, True
    kind = ast.unparse(line.annotation if isinstance(line, ast.AnnAssign) else line.value)
    if kind in SHARED_TYPES or kind in ("True", "False"):
        return target.attr, True
    if kind.startswith(("vec[", "list[")):
        return target.attr, False
    raise UndeclaredField(f"{module}, line {line.lineno}: `{target.attr}` is not a number, a string or a list of these")
