"""`grandtour new` writes a game that runs and passes at once, and an installed package brings its game along."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import grandtour
from grandtour import cli
from grandtour.cli.new_game import prefix
from grandtour.engine import catalogue

HERE = str(Path(grandtour.__file__).resolve().parent.parent)
"""The folder from which these tests import Grand Tour."""

PLAY = """
import json
from grandtour.arena.simulation import make_plan, play_game
from grandtour.engine import tour
from grandtour.engine.catalogue import game, games
from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.rl.encoding import has_features
from grandtour.server.http.catalogue_api import list_games

found = game("lemon-market")
assert games()["lemon-market"] is found
match = Match(found, 2, {}, 7)
while not match.over:
    seat = match.waiting()[0]
    dice = QuickDice(len(match.log))
    match.play(seat, found.moves.name(found.choose(match.state.imagine(seat, dice), seat, dice)))
again, _ = tour.load(tour.save(match))
assert again.state.dump() == match.state.dump()
assert sum(play_game(make_plan("lemon-market", ["random", "random"], 1, 3), 0).shares) == 1
assert not has_features(found)
print(json.dumps([shown.name for shown in list_games()]))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", "lemon-market"]) == 0
    assert "cd lemon-market" in capsys.readouterr().out
    return tmp_path / "lemon-market"


def run(folder: Path, *command: str, path: str = "") -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([HERE, *([path] if path else [])])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_new_game_passes_its_tests_at_once(folder: Path) -> None:
    # The test of its bot is the same for every kit game, and takes most of the time.
    assert " passed" in run(folder, "-m", "pytest", "-p", "no:cacheprovider", "-k", "not own_bot")


def test_the_game_of_an_installed_package_is_played(folder: Path) -> None:
    """Write what an installer would write beside the package: its name and its entry point."""
    info = folder / "lemon_market-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lemon-market\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[grandtour.games]\nlemon-market = lemon_market\n")
    assert '"lemon-market"' in run(folder.parent, "-W", "error", "-c", PLAY, path=str(folder))
    assert "Lemon Market" in run(folder.parent, "-m", "grandtour", "games", path=str(folder))
    assert run(folder.parent, "-m", "grandtour", "rules", "lemon-market", "3", path=str(folder)).startswith("**LM-3**")


def test_a_broken_package_or_one_with_a_taken_name_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "others-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[grandtour.games]\nbroken = no_such_package_here\ncopy = grandtour.games.round_trip\nodd = json\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(catalogue, "_found", {})
    with pytest.warns(UserWarning, match="cannot be loaded|is left out") as warned:
        names = list(catalogue.games())
    assert names.count("round-trip") == 1
    said = sorted(str(each.message) for each in warned)
    assert said[0].startswith("The game broken (no_such_package_here) cannot be loaded")
    assert said[1].startswith("The game odd (json) cannot be loaded")
    assert said[2] == "grandtour.games.round_trip is left out: there is already a game named round-trip"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Lemon Market", "'Lemon Market' is not a valid name for a game. A valid name looks like lemon-market."),
        ("../x", "'../x' is not a valid name for a game"),
        ("class", "'class' is not a valid name for a game"),
        ("json", "There is already a Python package json"),
        ("taken", "The path "),
    ],
)
def test_an_unusable_name_is_refused(
    name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    assert cli.main(["new", name]) == 2
    assert capsys.readouterr().err.startswith(sentence)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


@pytest.mark.parametrize(("name", "letters"), [("lemon-market", "LM"), ("magpie", "MA"), ("route-66", "RO")])
def test_paragraphs_have_the_letters_of_the_game(name: str, letters: str) -> None:
    assert prefix(name) == letters
