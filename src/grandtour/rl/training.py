"""Trains a network to play a game: first from games of the game's own bot, then from games with itself.

Training goes in rounds. What is played and learned in a round depends only on the plan, its number and the network so
far, so that training can stop and go on, and the same plan gives the same weights.
"""

import json
import os
import shlex
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch

from grandtour.engine.catalogue import game as find_game
from grandtour.engine.game import Game
from grandtour.engine.options import Options, check_options
from grandtour.engine.refusal import Refusal, short
from grandtour.players import weights
from grandtour.rl.encoding import features_of
from grandtour.rl.model import Learner, Model
from grandtour.rl.self_play import Table, against_normal, play

GAMES_A_ROUND: Final = 512
MATCH_GAMES: Final = 256
"""How many games are played, at most, against the game's own bot to see how strong the network is."""
MATCHES: Final = 10
"""How often that is done."""
EPOCHS: Final = 2
BATCH: Final = 512
CHECKPOINT: Final = "grandtour checkpoint 1"


class Plan(NamedTuple):
    """What determines the weights."""

    game: str
    seats: int
    options: Options
    taught: int
    """How many games of the game's own bot to learn from."""
    self_play: int
    """How many games to play with itself after that."""
    hidden: tuple[int, int]
    seed: int

    def command(self) -> str:
        """The command that trains it."""
        words = ["grandtour", "train", self.game, "--seats", str(self.seats), "--taught", str(self.taught)]
        words += ["--self-play", str(self.self_play), "--hidden", ",".join(map(str, self.hidden))]
        words += ["--seed", str(self.seed)]
        for option in find_game(self.game).options:
            if self.options[option.name] != option.default:
                words += ["--option", f"{option.name}={self.options[option.name]}"]
        return shlex.join(words)

    def rounds(self) -> list[tuple[int, bool]]:
        """The games of each round, and whether they are games with itself."""
        found = []
        for games, self_play in ((self.taught, False), (self.self_play, True)):
            found += [(min(GAMES_A_ROUND, games - past), self_play) for past in range(0, games, GAMES_A_ROUND)]
        return found

    def table(self) -> Table:
        return Table(self.game, self.seats, self.options)


class Point(NamedTuple):
    """What a round showed: the mean squared error of the expected results, how likely the network found the moves made,
    and, if it was measured, its share of the wins against the game's own bot, with half the width of the interval."""

    games: int
    error: float
    likely: float
    share: float | None
    within: float | None


def make_plan(
    name: str, seats: int | None, options: Options, taught: int, self_play: int, hidden: tuple[int, int], seed: int
) -> Plan:
    """Check and build a plan."""
    game = find_game(name)
    table = game.players[0] if seats is None else seats
    features_of(game, table)
    if taught + self_play < 1:
        raise Refusal("bad-options", "Training needs a game at least.")
    if not all(1 <= each <= weights.MAX_HIDDEN for each in hidden):
        raise Refusal("bad-options", f"A hidden layer has 1 to {weights.MAX_HIDDEN:,} numbers.")
    return Plan(game.name, table, check_options(game.options, options), taught, self_play, hidden, seed)


class Training:
    """A training that can stop after any round and go on. `out` is the file of weights; beside it are a checkpoint
    (`.checkpoint`), the curve as numbers (`.json`) and the command (in the first line of the weights)."""

    def __init__(self, plan: Plan, out: Path) -> None:
        self.plan: Final = plan
        self.out: Final = out
        self.game: Final[Game] = find_game(plan.game)
        self.points: list[Point] = []
        self.done = 0
        torch.manual_seed(plan.seed)
        torch.set_num_threads(1)  # sums in another order would give other weights
        header = weights.new_header(self.game, plan.seats, plan.hidden, 0.0, plan.seed, plan.command())
        weights.check_size(header)
        self._header: Final = header
        self.model: Final = Model(self.game, plan.seats, plan.hidden)
        self.learner: Final = Learner(self.model)
        if self.checkpoint.exists():
            self._resume()

    @property
    def checkpoint(self) -> Path:
        return self.out.with_suffix(".checkpoint")

    def run(self, advance: Callable[[int], None]) -> None:
        """Train the rounds that are left. Calls `advance` with the games of each, those of finished rounds first."""
        rounds = self.plan.rounds()
        advance(sum(games for games, _ in rounds[: self.done]))
        measured = {len(rounds) * (n + 1) // MATCHES - 1 for n in range(MATCHES)} | {len(rounds) - 1}
        for number in range(self.done, len(rounds)):
            games, self_play = rounds[number]
            seed = self.plan.seed * 1_000_003 + number
            torch.manual_seed(seed)
            lessons = play(self.plan.table(), games, seed, self.model if self_play else None)
            error, likely = self.learner.learn(lessons, EPOCHS, BATCH, self_play, np.random.default_rng(seed))
            share = within = None
            if number in measured:
                share, within = against_normal(self.plan.table(), self.model, min(MATCH_GAMES, games), seed)
            past = sum(games for games, _ in rounds[: number + 1])
            self.points.append(Point(past, float(error), float(likely), share, within))
            self.done = number + 1
            self._save()
            advance(games)

    def write(self) -> None:
        """Write the weights and the curve's numbers."""
        _replace(self.out, weights.write(self.model.header(self._header), self.model.weights()))
        curve = {"command": self.plan.command(), "points": [point._asdict() for point in self.points]}
        _replace(self.out.with_suffix(".json"), json.dumps(curve, indent=1).encode())

    def _save(self) -> None:
        saved = {
            "format": CHECKPOINT,
            "command": self.plan.command(),
            "done": self.done,
            "points": [tuple(point) for point in self.points],
            "model": self.model.state_dict(),
            "optimizer": self.learner.optimizer.state_dict(),
        }
        temporary = self.checkpoint.with_suffix(".part")
        torch.save(saved, temporary)
        temporary.replace(self.checkpoint)

    def _resume(self) -> None:
        name = short(str(self.checkpoint))
        saved: Any = None
        with suppress(Exception):  # a torn file fails in many ways
            saved = torch.load(self.checkpoint, weights_only=True)
        if not isinstance(saved, dict) or saved.get("format") != CHECKPOINT:
            raise Refusal("bad-file", f"{name} is not a checkpoint, or it is torn: remove it to begin anew.")
        if saved["command"] != self.plan.command():
            raise Refusal(
                "bad-file", f"{name} is of another training, {saved['command']!r}: remove it or choose another --out."
            )
        self.model.load_state_dict(saved["model"])
        self.learner.optimizer.load_state_dict(saved["optimizer"])
        self.done = int(saved["done"])
        self.points = [Point(*point) for point in saved["points"]]


def check_out(out: Path) -> None:
    """Refuse a file that cannot be written, before hours are spent."""
    if out.suffix != ".weights":
        raise Refusal("bad-options", f"{short(str(out))} does not end in .weights.")
    if not out.parent.is_dir() or not os.access(out.parent, os.W_OK):
        raise Refusal("bad-options", f"{short(str(out.parent))} is not a folder in which files can be written.")


def draw(training: Training, file: Path) -> None:
    """Draw the share of the wins against the game's own bot, and how well results are foreseen."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plan, points = training.plan, training.points
    figure, (above, below) = plt.subplots(2, 1, figsize=(7, 6), sharex=True)
    matches = [point for point in points if point.share is not None and point.within is not None]
    above.errorbar(
        [point.games for point in matches],
        [point.share or 0.0 for point in matches],
        [point.within or 0.0 for point in matches],
        marker="o",
    )
    if not training.game.team:
        above.axhline(1 / plan.seats, linestyle="--", color="grey")
    above.set(ylabel="share of the wins against normal", title=f"{training.game.title}, {plan.seats} players")
    below.plot([point.games for point in points], [point.error for point in points])
    below.set(xlabel="games", ylabel="mean squared error of the expected result")
    for axes in (above, below):
        if plan.taught and plan.self_play:
            axes.axvline(plan.taught, linestyle=":", color="grey")
    figure.savefig(file, dpi=120, bbox_inches="tight")
    plt.close(figure)


def _replace(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        file.write(data)
    Path(file.name).replace(path)
