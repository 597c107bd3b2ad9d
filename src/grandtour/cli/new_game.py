"""Writes the skeleton of a new game: a package, a rulebook and tests that run right away."""

import re
from importlib.resources import files
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from grandtour.engine.refusal import Refusal, short

NAME = re.compile(r"[a-z]{2}[a-z0-9]*(-[a-z0-9]+)*")


def write(name: str, parent: Path) -> Path:
    """Write a new game's folder into `parent`. Refuses an invalid or taken name before anything is written."""
    package = name.replace("-", "_")
    if not NAME.fullmatch(name) or iskeyword(package):
        raise Refusal(
            "bad-name", f"{short(name)} is not a valid name for a game. A valid name looks like lemon-market."
        )
    folder = parent / name
    if folder.exists():
        raise Refusal("bad-name", f"The path {short(str(folder))} exists already.")
    if find_spec(package) is not None:
        raise Refusal("bad-name", f"There is already a Python package {package}: choose another name.")
    texts = {
        folder / "pyproject.toml": "pyproject.toml.txt",
        folder / package / "__init__.py": "game.py.txt",
        folder / package / "rulebook.md": "rulebook.md.txt",
        folder / "tests" / f"test_{package}.py": "test.py.txt",
    }
    words = {
        "name": name,
        "package": package,
        "title": name.replace("-", " ").title(),
        "class": "".join(word.title() for word in name.split("-")),
        "prefix": prefix(name),
    }
    for path, template in texts.items():
        text = files("grandtour.cli").joinpath("skeleton", template).read_text("utf-8")
        for word, value in words.items():
            text = text.replace(f"{{{word}}}", value)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def prefix(name: str) -> str:
    """The prefix of the rulebook's paragraph numbers: LM for lemon-market."""
    initials = "".join(word[0] for word in name.split("-") if word[0].isalpha())
    return (initials if len(initials) > 1 else name[:2]).upper()
