"""The generated `copy_with` of each game names every field and copies it as `State.copy_with` does, and unnamed loops
get a variable each."""

import importlib
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.engine.playout import playout
from grandtour.engine.state import ENGINE_FIELDS, State

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tools"))

import positions  # noqa: E402

SOURCE = ROOT / "src"
RULES = sorted(SOURCE.glob("grandtour/games/*/rules.py"))


def rules_of(path: Path) -> ModuleType:
    return importlib.import_module(".".join(path.relative_to(SOURCE).with_suffix("").parts))


def start_of(path: Path) -> State:
    game = importlib.import_module(f"grandtour.games.{path.parent.name}").GAME
    state: State = game.new(game.players[1], check_options(game.options, {}), QuickDice(7))
    return state


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.parent.name)
def test_every_field_is_copied(path: Path) -> None:
    written = positions.declared(SOURCE, path, "State")
    engine = [name for name in ENGINE_FIELDS if name not in positions.NOT_COPIED]
    assert sorted(written) == sorted([*engine, *start_of(path).fields()])


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.parent.name)
def test_generated_copy_is_equal_and_independent(path: Path) -> None:
    names: dict[str, Any] = dict(vars(rules_of(path)))
    exec(textwrap.dedent("\n".join(positions.copy_method(SOURCE, path))), names)
    for moves in (0, 20, 60, 150):
        state = start_of(path)
        playout(state, QuickDice(moves), moves)
        before = state.dump()
        copy = names["copy_with"](state, state.dice.clone())
        assert copy.dump() == before, "a field is not copied"
        assert copy.events is None
        for seat in range(state.seats):
            world = names["copy_with"](state, QuickDice(seat))
            if not world.waiting():
                continue
            playout(world.imagine(seat, QuickDice(seat)), QuickDice(seat))
            assert world.dump() | {"dice": None} == before | {"dice": None}, (
                "playing in an imagined world changed the position"
            )
        playout(copy, QuickDice(1))
        assert state.dump() == before, "playing on the copy changed the original"


def test_a_field_of_an_unknown_type_is_refused(tmp_path: Path) -> None:
    odd = tmp_path / "odd.py"
    odd.write_text("class State:\n    def __init__(self) -> None:\n        self.cards = {}\n")
    with pytest.raises(positions.UndeclaredField, match="line 3: `cards` is not a number, a string or a list of these"):
        positions.declared(tmp_path, odd, "State")


def test_loops_get_a_variable_each() -> None:
    source = """
def double(n: int) -> int:
    total = 0
    for _ in range(2):
        for _ in range(n):
            total += sum(1 for _ in range(1))
    return total
"""
    text = positions.with_named_loops(source)
    names: dict[str, Any] = {}
    exec(text, names)
    assert names["double"](3) == 6
    assert "    for _ in" not in text
    loops = [line.split()[1] for line in text.splitlines() if line.lstrip().startswith("for ")]
    assert len(loops) == len(set(loops)) == 2
    assert text.count("\n") == source.count("\n")  # a traceback shows the same line numbers
