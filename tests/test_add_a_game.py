"""The guide to adding a game shows code that is really there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "add-a-game.md").read_text("utf-8")
SOURCES = [
    ROOT / "src/grandtour/games/postcards_home/__init__.py",
    ROOT / "src/grandtour/games/postcards_home/rulebook.md",
    ROOT / "tests/games/postcards_home/test_postcards_home.py",
    ROOT / "src/grandtour/cli/skeleton/test.py.txt",
]


@pytest.mark.parametrize("block", re.findall(r"```(?:python|markdown)\n(.*?)```", GUIDE, re.DOTALL))
def test_every_example_in_the_guide_is_in_the_sources(block: str) -> None:
    texts = [path.read_text("utf-8") for path in SOURCES]
    assert any(block in text for text in texts), f"this example has changed:\n{block}"


def test_the_tutorial_game_stays_small() -> None:
    lines = len(SOURCES[0].read_text("utf-8").splitlines())
    assert lines <= 120, f"the smallest complete game has {lines} lines"
