"""Training a network that is small enough to train in a few seconds."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from grandtour.cli import main
from grandtour.engine.catalogue import game
from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.players import weights
from grandtour.rl.self_play import pick
from grandtour.rl.table import Observer
from grandtour.rl.training import Plan, Training, make_plan

SHORT = {"turn_limit": 10}


def plan(taught: int = 2, self_play: int = 2) -> Plan:
    return make_plan("itchy-feet", 2, SHORT, taught, self_play, (4, 3), 5)


def trained(folder: Path, name: str = "a") -> Training:
    training = Training(plan(), folder / f"{name}.weights")
    training.run(lambda games: None)
    training.write()
    return training


def test_the_same_command_gives_the_same_weights_even_if_it_is_interrupted(tmp_path: Path) -> None:
    first = trained(tmp_path)

    class Stop(Exception):
        pass

    def stop(games: int) -> None:
        if games:
            raise Stop

    stopped = Training(plan(), tmp_path / "b.weights")
    with pytest.raises(Stop):
        stopped.run(stop)
    again = Training(plan(), tmp_path / "b.weights")
    assert again.done == 1
    again.run(lambda games: None)
    again.write()
    assert (tmp_path / "a.weights").read_bytes() == (tmp_path / "b.weights").read_bytes()
    assert first.points == again.points
    header = json.loads((tmp_path / "a.weights").read_bytes().partition(b"\n")[0])
    assert header["seed"] == 5
    assert header["command"] == (
        "grandtour train itchy-feet --seats 2 --taught 2 --self-play 2 --hidden 4,3 --seed 5 --option turn_limit=10"
    )


def test_the_network_plays_as_it_was_trained(tmp_path: Path) -> None:
    training = trained(tmp_path)
    found = game("itchy-feet")
    network = weights.read((tmp_path / "a.weights").read_bytes(), found, 2)
    state: State = found.new(2, check_options(found.options, SHORT), QuickDice(2))
    seat = state.waiting()[0]
    legal = np.array(state.legal(seat))
    observer = Observer(found, 2)
    seen = np.round(observer.observe(state, seat) * observer.maxima).astype(np.uint8)[None]
    starts = np.array([0, len(legal)])
    picked, _, values = pick(training.model, seen, legal, starts, np.array([0.5]), None)
    assert network.value(state, seat, 0.5) == pytest.approx(float(values[0]), abs=0.01)
    scores = network.scores(state, seat, legal.tolist())
    assert max(scores) - scores[int(picked[0])] < 0.01


def test_a_damaged_checkpoint_or_one_of_another_training_is_refused(tmp_path: Path) -> None:
    trained(tmp_path)
    before = (tmp_path / "a.weights").read_bytes()
    with pytest.raises(Refusal, match="belongs to"):
        Training(plan(taught=3), tmp_path / "a.weights")
    checkpoint = tmp_path / "a.checkpoint"
    checkpoint.write_bytes(checkpoint.read_bytes()[:500])
    with pytest.raises(Refusal, match="damaged"):
        Training(plan(), tmp_path / "a.weights")
    assert (tmp_path / "a.weights").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["monopoly"], "monopoly"),
        (["round-trip", "--seats", "7"], "2 to 4 players"),
        (["postcards-home"], "features.py"),
        (["round-trip", "--hidden", "many"], "two numbers such as 64,32"),
        (["round-trip", "--hidden", "0,3"], "A hidden layer has"),
        (["word-traveler", "--hidden", "512,512"], "use smaller layers"),
        (["round-trip", "--taught", "0", "--self-play", "0"], "needs at least one game"),
        (["round-trip", "--out", "weights.txt"], "does not end in .weights"),
        (["round-trip", "--out", "/nowhere/at/all.weights"], "not a folder"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", *arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]


def test_the_command_writes_weights_a_curve_and_its_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mine.weights"
    words = ["--taught", "2", "--self-play", "1", "--hidden", "3,2", "--option", "turn_limit=10", "--out", str(out)]
    assert main(["train", "itchy-feet", *words]) == 0
    assert "learned from 3 games" in capsys.readouterr().out
    assert (tmp_path / "mine.png").read_bytes().startswith(b"\x89PNG")
    assert [point["games"] for point in json.loads((tmp_path / "mine.json").read_text())["points"]] == [2, 3]
