"""The scale of people's ratings is measured by one command, which can be interrupted: tools/rating_scale.py."""

import json
import math
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from grandtour.server.people import ratings

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))

import rating_scale  # noqa: E402
from rating_scale import Measured, shrunk, spread, worth_of_seats  # noqa: E402

FEW = ["--games", "4", "--seat-games", "6", "--hard-games", "4", "--seed", "3"]


def run(monkeypatch: pytest.MonkeyPatch, file: Path, *games: str) -> Any:
    monkeypatch.setattr(sys, "argv", ["rating_scale.py", *games, *FEW, "--file", str(file)])
    rating_scale.main()
    return json.loads(file.read_text("utf-8"))


def test_one_command_measures_a_game_and_continues_after_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(monkeypatch, tmp_path / "whole.json", "round-trip")
    assert whole["round-trip"]["command"] == f"tools/rating_scale.py round-trip {' '.join(FEW)}"
    assert set(whole["round-trip"]["bots"]) == {"random", "easy", "normal", "hard"}
    assert set(whole["round-trip"]["seats"]) == set(whole["round-trip"]["counts"]) == {"2", "3", "4"}

    file = tmp_path / "scale.json"
    file.write_text('{"itchy-feet": {"bots": {}}}', "utf-8")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr(rating_scale, "measure_hard", stop)
        with pytest.raises(KeyboardInterrupt):
            run(stopped, file, "round-trip")
    assert list(json.loads(file.read_text("utf-8"))) == ["itchy-feet"], (
        "the file was written before everything was measured"
    )
    with monkeypatch.context() as resumed:
        resumed.setattr(rating_scale, "measure_ladder", stop)
        resumed.setattr(rating_scale, "measure_seats", stop)
        found = run(resumed, file, "round-trip")
    assert found == {"itchy-feet": {"bots": {}}, **whole}, "the other game stays, and nothing is measured twice"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["scale.json", "whole.json"]


def test_only_the_hard_bot_can_be_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "scale.json"
    before = {
        "round-trip": {"bots": {"normal": [33.5, 1.8, 500], "hard": [10.0, 1.0, 300]}, "command": "all", "seats": {}},
        "itchy-feet": {"bots": {}},
    }
    file.write_text(json.dumps(before), "utf-8")
    few = ["--only-hard", "--hard-games", "4", "--seed", "3"]
    monkeypatch.setattr(sys, "argv", ["rating_scale.py", "round-trip", *few, "--file", str(file)])
    rating_scale.main()
    after = json.loads(file.read_text("utf-8"))
    hard = after["round-trip"]["bots"]["hard"]
    assert hard[2] == 4, "it says how many games hard played"
    assert hard[0] != 10.0, "the rating is a new one"
    bots = {"normal": [33.5, 1.8, 500], "hard": hard}
    command = f"tools/rating_scale.py round-trip {' '.join(few)}"
    assert after["round-trip"] == {"bots": bots, "command": "all", "seats": {}, "hard_command": command}
    assert after["itchy-feet"] == {"bots": {}}, "the other game stays"
    assert [each.name for each in tmp_path.iterdir()] == ["scale.json"]


@pytest.mark.parametrize(("games", "reason"), [([], "needs names of games"), (["word-traveler"], "not word-traveler")])
def test_only_a_game_on_the_scale_can_have_just_its_hard_bot_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], games: list[str], reason: str
) -> None:
    file = tmp_path / "scale.json"
    file.write_text('{"word-traveler": {"bots": {}}}', "utf-8")
    monkeypatch.setattr(sys, "argv", ["rating_scale.py", *games, "--only-hard", "--file", str(file)])
    with pytest.raises(SystemExit):
        rating_scale.main()
    assert reason in capsys.readouterr().err


def test_measurements_with_other_arguments_are_not_used(tmp_path: Path) -> None:
    before = rating_scale.Progress(tmp_path / "kept", "one command")
    assert before.get("part", lambda: 1) == 1
    assert rating_scale.Progress(tmp_path / "kept", "one command").get("part", lambda: 2) == 1
    assert rating_scale.Progress(tmp_path / "kept", "another").get("part", lambda: 3) == 3


def test_the_worth_of_a_seat_and_its_error() -> None:
    shares = [(1.0, 0.0)] * 600 + [(0.0, 1.0)] * 400
    first, second = worth_of_seats(shares)
    assert first[0] == pytest.approx(spread(2) * math.log(600 / 400) / 2, abs=0.001)
    assert second[0] == -first[0]
    # The error of the difference of two logarithms, of which each seat has half.
    assert first[1] == pytest.approx(spread(2) * math.sqrt(1 / 600 + 1 / 400) / 2, abs=0.001)


def test_seats_that_differ_only_by_chance_have_no_advantage() -> None:
    assert shrunk({"2": [(0.1, 0.2), (-0.1, 0.2)], "3": [(0.3, 0.3), (-0.2, 0.3), (-0.1, 0.3)]}) == {
        "2": [0.0, 0.0],
        "3": [0.0, 0.0, 0.0],
    }


def test_seats_that_clearly_differ_keep_their_worth() -> None:
    [kept] = shrunk({"3": [(2.0, 0.2), (0.0, 0.2), (-2.0, 0.2)]}).values()
    assert kept == pytest.approx([2.0, 0.0, -2.0], rel=0.03)
    assert sum(kept) == 0


def test_one_striking_value_among_many_becomes_small() -> None:
    """Among a dozen seats, one is likely to look significant."""
    quiet: list[Measured] = [(0.2, 0.3), (-0.2, 0.3)]
    measured = {str(size): quiet * (size // 2) for size in (2, 4, 6)}
    measured["6"] = [(0.75, 0.3), (-0.75, 0.3), *measured["6"][2:]]
    assert 0 < shrunk(measured)["6"][0] < 0.3


def test_shrinking_comes_closer_to_the_truth() -> None:
    dice = random.Random(1)
    for true in (0.0, 0.3, 3.0):
        plain = better = 0.0
        for _ in range(200):
            worths = [dice.gauss(0, true) for _ in range(12)]
            measured = [(worth + dice.gauss(0, 0.3), 0.3) for worth in worths]
            [kept] = shrunk({"12": measured}).values()
            plain += sum((one - worth) ** 2 for (one, _), worth in zip(measured, worths, strict=True))
            better += sum((one - worth) ** 2 for one, worth in zip(kept, worths, strict=True))
        assert better < plain, f"true values that differ by {true}"


def test_the_file_has_what_the_command_would_write() -> None:
    file = json.loads((Path(ratings.__file__).parent / "rating_scale.json").read_text("utf-8"))
    [command] = {game["command"] for game in file.values()}
    documented = (ROOT / "docs" / "arena.md").read_text("utf-8")
    assert f".venv/bin/python {command}\n" in documented
    for name, game in file.items():
        if "hard_command" in game:
            assert f".venv/bin/python {game['hard_command'].replace(name, 'GAME')}\n" in documented
        measured = {size: [tuple(one) for one in seats] for size, seats in game["measured_seats"].items()}
        assert game["seats"] == (shrunk(measured) if measured else {}), name
