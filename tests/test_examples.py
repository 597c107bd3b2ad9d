"""The examples do what they say."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def test_the_training_example_runs_and_draws_its_curve(tmp_path: Path) -> None:
    curve = tmp_path / "curve.png"
    few = ["--games", "48", "--at-once", "12", "--seconds", "100"]
    command = [sys.executable, str(EXAMPLES / "train.py"), *few, "--out", str(curve)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("48 games: ")
    assert curve.read_bytes().startswith(b"\x89PNG"), "the curve is no picture"


def test_the_python_bot_is_as_short_as_the_docs_say() -> None:
    lines = (EXAMPLES / "bot.py").read_text("utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 20
