"""The path of a move, as `docs/architecture.md` lists it."""

import importlib
import re
import threading
from pathlib import Path
from types import FrameType

from tests.server.conftest import Serving
from tests.server.test_play import two_clients

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "grandtour"
MAX_FILES = 12


def listed() -> list[str]:
    """The files in the table of the architecture page."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    return re.findall(r"^\| \d+ \| `([^`]+)` \|", text, re.MULTILINE)


def interpreted(name: str) -> bool:
    """Whether calls in this file can be traced: it is Python, and not compiled."""
    if not name.endswith(".py"):
        return False
    module = importlib.import_module(f"grandtour.{name.removesuffix('.py').replace('/', '.')}")
    return str(module.__file__).endswith(".py")


def test_the_path_of_a_move_is_at_most_twelve_files() -> None:
    assert 0 < len(listed()) <= MAX_FILES
    missing = [name for name in listed() if not (ROOT / name).exists() and not (PACKAGE / name).exists()]
    assert not missing, f"docs/architecture.md lists {', '.join(missing)}, which do not exist"


def test_a_move_passes_through_the_listed_files(serving: Serving) -> None:
    passed: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            passed.add(frame.f_code.co_filename)

    threading.setprofile(note)
    try:
        api = serving()
    finally:
        threading.setprofile(None)
    _, first, second, _ = two_clients(api)
    with first, second:
        passed.clear()
        assert first.move(first.moves()[0])["type"] == "ack"
        second.until(lambda: second.now["n"] >= first.last)
    for name in filter(interpreted, listed()):
        assert any(file.endswith(f"grandtour/{name}") for file in passed), f"a move does not pass through {name}"
