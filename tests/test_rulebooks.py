"""Every rulebook is well formed, every paragraph has a test, and no test names a paragraph that is not there."""

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULEBOOKS = sorted(
    path for root in import_module("grandtour.games").__path__ for path in Path(root).glob("*/rulebook.md")
)
PARAGRAPH = re.compile(r"\*\*([A-Z]{2,})-(\d+)\*\*( \*\(ruling\)\*)? \S")
MENTION = re.compile(r"\b[A-Z]{2,}-\d+\b")


def game_of(rulebook: Path) -> str:
    return rulebook.parent.name


def blocks(rulebook: Path) -> list[str]:
    """The parts of a rulebook that are separated by blank lines."""
    return [block for block in re.split(r"\n\s*\n", rulebook.read_text("utf-8").strip()) if block]


def paragraphs(rulebook: Path) -> list[str]:
    """The numbers of the paragraphs, in order: RT-1, RT-2, …"""
    found = (PARAGRAPH.match(block) for block in blocks(rulebook))
    return [f"{match[1]}-{match[2]}" for match in found if match]


def proved_paragraphs(source: str) -> list[tuple[str, str]]:
    """The paragraphs that `@rule(...)` names above each test: pairs of test and paragraph."""
    pairs = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "rule":
                pairs += [(node.name, str(ast.literal_eval(argument))) for argument in mark.args]
    return pairs


@cache
def all_proofs() -> list[tuple[str, str]]:
    """The pairs of test and paragraph in all test files."""
    return [
        (f"{path.relative_to(TESTS)}::{test}", paragraph)
        for path in sorted(TESTS.rglob("test_*.py"))
        for test, paragraph in proved_paragraphs(path.read_text("utf-8"))
    ]


def test_there_is_a_rulebook() -> None:
    assert RULEBOOKS, "no game has a rulebook.md"


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=game_of)
def test_a_rulebook_is_a_title_and_the_game_in_short_then_sections_of_numbered_paragraphs(rulebook: Path) -> None:
    first, short, *rest = blocks(rulebook)
    assert re.fullmatch(r"# [^\n]+", first), "a rulebook begins with its title"
    lines = re.split(r"^- ", short, flags=re.MULTILINE)[1:]
    assert 3 <= len(lines) <= 5, f"after its title a rulebook tells the game in three to five lines, not {len(lines)}"
    assert len(short) <= 800, f"the game in short is for a newcomer on a phone, and this is long: {len(short)} letters"
    for block in rest:
        assert re.fullmatch(r"## [^\n]+", block) or PARAGRAPH.match(block), f"neither section nor paragraph: {block}"


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=game_of)
def test_paragraphs_are_numbered_through_and_point_at_each_other(rulebook: Path) -> None:
    numbers = paragraphs(rulebook)
    prefix = numbers[0].split("-")[0]
    assert numbers == [f"{prefix}-{n}" for n in range(1, len(numbers) + 1)], "a number is missing or out of order"
    for mention in MENTION.findall(rulebook.read_text("utf-8")):
        assert mention in numbers, f"the rulebook mentions {mention}, which it does not have"


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=game_of)
def test_every_paragraph_has_a_test(rulebook: Path) -> None:
    proved = {paragraph for _, paragraph in all_proofs()}
    bare = [paragraph for paragraph in paragraphs(rulebook) if paragraph not in proved]
    assert not bare, f"no test proves {', '.join(bare)}"


def test_every_test_names_paragraphs_that_exist() -> None:
    known = {paragraph for rulebook in RULEBOOKS for paragraph in paragraphs(rulebook)}
    for test, paragraph in all_proofs():
        assert paragraph in known, f"{test} names {paragraph}, which no rulebook has"


def test_a_rule_mark_is_found_above_functions_and_classes() -> None:
    source = '@rule("XX-1", "XX-2")\ndef test_a(): ...\n\n@rule("XX-3")\nclass TestB: ...\n\ndef test_c(): ...\n'
    assert proved_paragraphs(source) == [("test_a", "XX-1"), ("test_a", "XX-2"), ("TestB", "XX-3")]
