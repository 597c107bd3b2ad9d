"""tools/page_types.py generates the page's types from Python's."""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import page_types  # noqa: E402

Step = Literal["roll", "move"]
"""What is done next."""
Name = Annotated[str, Meta(max_length=80)]
Named = Annotated[dict[str, Any], Meta(extra_json_schema={"properties": {"do": {"type": "string"}}})]


class Pawn(TypedDict):
    at: int | None
    """The field it stands on."""


class Piece(Pawn):
    """A piece that a player owns."""

    name: NotRequired[str]


class View(TypedDict):
    step: Step
    pieces: list[Piece]
    scores: dict[str, int | float]
    hidden: list[str | None]
    range: tuple[int, int]
    by_step: dict[Step, bool]


class Sent(Struct, tag_field="type", tag="sent"):
    move: Named | None
    outcome: str | None = None
    note: str | UnsetType = UNSET


class Asked(Struct, forbid_unknown_fields=True):
    name: Name = ""


class Other:
    class Piece(TypedDict):
        weight: int


def written(*kinds: Any) -> str:
    """The TypeScript for these types, without the header."""
    return page_types.TypeScript(sys.modules[__name__]).module(*kinds).split("\n", 2)[2]


def test_a_view_with_all_its_types() -> None:
    assert (
        written(View)
        == """export interface View {
  step: Step;
  pieces: Piece[];
  scores: Record<string, number>;
  hidden: (string | null)[];
  range: [number, number];
  by_step: Partial<Record<Step, boolean>>;
}

/** What is done next. */
export type Step = 'roll' | 'move';

/** A piece that a player owns. */
export interface Piece {
  /** The field it stands on. */
  at: number | null;
  name?: string;
}
"""
    )


def test_the_server_omits_unset_fields_and_a_client_fields_with_defaults() -> None:
    assert (
        written(Sent, Asked)
        == """export interface Sent {
  type: 'sent';
  move: Named | null;
  outcome: string | null;
  note?: string;
}

export type Named = { do: string; [more: string]: unknown };

export interface Asked {
  name?: string;
}
"""
    )


def test_two_types_with_the_same_name_are_refused() -> None:
    with pytest.raises(SystemExit, match="Two types are called Piece"):
        written(Piece, Other.Piece)


def test_a_file_that_is_not_current_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(page_types, "ROOT", tmp_path)
    monkeypatch.setattr(page_types, "FOLDER", tmp_path / "generated")
    monkeypatch.setattr(page_types, "generate", lambda: {"a.ts": "new", "b.ts": "same"})
    assert page_types.main([]) == 0
    assert page_types.main(["--check"]) == 0, "it was written just now"
    (tmp_path / "generated" / "a.ts").write_text("old")
    (tmp_path / "generated" / "c.ts").write_text("of a game that is gone")
    assert page_types.main(["--check"]) == 1
    assert "a.ts, c.ts. Run make types." in capsys.readouterr().out
