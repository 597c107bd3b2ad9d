"""Trains a network to play a game: first on games of the game's own bot, then by self-play.

Training runs in rounds. A round depends only on the plan, its number and the network so far. So training can be stopped
and resumed, and the same plan gives the same weights.
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

GAMES_PER_ROUND: Final = 512
MATCH_GAMES: Final = 256
"""The maximum number of games against the game's own bot in a measurement of the network's strength."""
MEASUREMENTS: Final = 10
"""The number of such measurements."""
EPOCHS: Final = 2
BATCH: Final = 512
CHECKPOINT: Final = "grandtour checkpoint 1"


class Plan(NamedTuple):
    """Everything that determines the weights."""

    game: str
    seats: int
    options: Options
    taught: int
    """The number of games of the game's own bot to learn from."""
    self_play: int
    """The number of games of self-play after that."""
    hidden: tuple[int, int]
    seed: int

    def command(self) -> str:
        """The command line that trains this network."""
        words = ["grandtour", "train", self.game, "--seats", str(self.seats), "--taught", str(self.taught)]
        words += ["--self-play", str(self.self_play), "--hidden", ",".join(map(str, self.hidden))]
        words += ["--seed", str(self.seed)]
        for option in find_game(self.game).options:
            if self.options[option.name] != option.default:
                words += ["--option", f"{option.name}={self.options[option.name]}"]
        return shlex.join(words)

    def rounds(self) -> list[tuple[int, bool]]:
        """The number of games in each round, and whether they are self-play."""
        found = []
        for games, self_play in ((self.taught, False), (self.self_play, True)):
            found += [(min(GAMES_PER_ROUND, games - past), self_play) for past in range(0, games, GAMES_PER_ROUND)]
        return found

    def table(self) -> Table:
        return Table(self.game, self.seats, self.options)


class Point(NamedTuple):
    """The figures of a round: the mean squared error of the expected results and the mean probability of the chosen
    moves. If the strength was measured, also the share of the wins against the game's own bot, and half the width of
    its interval."""

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
        raise Refusal("bad-options", "Training needs at least one game.")
    if not all(1 <= each <= weights.MAX_HIDDEN for each in hidden):
        raise Refusal("bad-options", f"A hidden layer has 1 to {weights.MAX_HIDDEN:,} units.")
    return Plan(game.name, table, check_options(game.options, options), taught, self_play, hidden, seed)


class Training:
    """A training run, which can be stopped and resumed after any round.

    `out` is the file of weights; its first line has the command. Beside it are a checkpoint (`.checkpoint`) and the
    figures of the curve (`.json`)."""

    def __init__(self, plan: Plan, out: Path) -> None:
        self.plan: Final = plan
        self.out: Final = out
        self.game: Final[Game] = find_game(plan.game)
        self.points: list[Point] = []
        self.done = 0
        torch.manual_seed(plan.seed)
        torch.set_num_threads(1)  # with more threads, sums in another order would give other weights
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
        """Train the remaining rounds. Calls `advance` with the number of games: first of the finished rounds,
        then of each round."""
        rounds = self.plan.rounds()
        advance(sum(games for games, _ in rounds[: self.done]))
        measured = {len(rounds) * (n + 1) // MEASUREMENTS - 1 for n in range(MEASUREMENTS)} | {len(rounds) - 1}
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
        """Write the weights and the figures of the curve."""
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
        with suppress(Exception):  # a damaged file can raise many kinds of errors
            saved = torch.load(self.checkpoint, weights_only=True)
        if not isinstance(saved, dict) or saved.get("format") != CHECKPOINT:
            raise Refusal("bad-file", f"{name} is not a checkpoint, or it is damaged: remove it to start again.")
        if saved["command"] != self.plan.command():
            raise Refusal("bad-file", f"{name} belongs to {saved['command']!r}: remove it or choose another --out.")
        self.model.load_state_dict(saved["model"])
        self.learner.optimizer.load_state_dict(saved["optimizer"])
        self.done = int(saved["done"])
        self.points = [Point(*point) for point in saved["points"]]


def check_out(out: Path) -> None:
    """Refuse a file that cannot be written, before the training starts."""
    if out.suffix != ".weights":
        raise Refusal("bad-options", f"{short(str(out))} does not end in .weights.")
    if not out.parent.is_dir() or not os.access(out.parent, os.W_OK):
        raise Refusal("bad-options", f"{short(str(out.parent))} is not a folder in which files can be written.")


def draw(training: Training, file: Path) -> None:
    """Draw the share of the wins against the game's own bot, and the error of the expected results."""
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
    """Replace a file atomically."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        file.write(data)
    Path(file.name).replace(path)
