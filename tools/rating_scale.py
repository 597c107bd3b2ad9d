"""Measures the bots on the scale of people's ratings, what a seat is worth, and what bots usually do; the server reads
the result.

    .venv/bin/python tools/rating_scale.py [GAME ...] [--games 300] [--seat-games 5000] [--hard-games 300] [--seed 20]

For each game it plays

- `ladder`: a tournament of the quick bots at two and at three seats, at least `--games` games each, every deal in every
  seating: each bot's rating (openskill's mu and sigma, and the number of games);
- `figures`: the same bots, each against its own kind, `--games` games for each number of seats: the means of the
  figures that the game's `study.py` has;
- `seats`: the normal bot against itself, `--seat-games` games for each number of seats: how much of a rating each seat
  is worth, as measured (`measured_seats`, each with its standard error) and as the server uses it (`seats`), which is
  less by as much of it as chance would explain: see `shrunk`;
- `hard`: the hard bot against the normal one, at two seats, `--hard-games` games, each deal in both seatings: its
  rating, from how often it wins.

Games whose bots take long play fewer: see `FEWER`. How many are played depends on the arguments alone, so the same
command gives the same file, `src/grandtour/server/people/rating_scale.json`, which names it. What has been
measured is also kept beside it (`.partial`) until all is done: after Ctrl-C, the same command goes on where it stopped.
With names of games, only these are measured, and the file keeps the others.

    .venv/bin/python tools/rating_scale.py GAME [GAME ...] --only-hard [--hard-games 300] [--seed 20]

measures only `hard` in these games, which is enough after a change that concerns only the hard bot. The file keeps
everything else and names this command as `hard_command`.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from grandtour.arena.pairing import Schedule
from grandtour.arena.play import OnMove, Seating, play_out, starting_position
from grandtour.arena.ratings import Ratings
from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.engine.options import check_options
from grandtour.engine.state import State
from grandtour.engine.study import Log

FILE = Path(__file__).resolve().parent.parent / "src" / "grandtour" / "server" / "people" / "rating_scale.json"
SIZES = (2, 3)
MAX_SEATS = 6
MIN_GAMES = 4
FEWER = {"postcards-home": (20, 50, 10), "ticket-to-ride-italy": (1, 1, 10)}
"""Where bots take long, so many times fewer games are played: by the quick ones, for the seats, and by the hard one."""
MIN_SHARE = 0.01
MIN_ERROR = 0.01
LADDER = ("random", "easy", "normal")
NORMAL = "normal"
HARD = "hard:200"
"""The hard bot with so many iterations for each decision: about what it has on a busy server."""
BETA = 25 / 6
"""What openskill takes for the luck of one game."""
SETTLED = 2.0
"""The uncertainty of somebody who has played some dozen games."""


Measured = tuple[float, float]
"""What a seat is worth, and the standard error of that."""


class Amount(NamedTuple):
    """How many games are played for each part, and their seed."""

    games: int
    seat_games: int
    hard_games: int
    seed: int

    def of(self, game: str) -> Amount:
        """The same for one game."""
        quick, seats, hard = FEWER.get(game, (1, 1, 1))
        return Amount(
            max(MIN_GAMES, self.games // quick),
            max(MIN_GAMES, self.seat_games // seats),
            max(MIN_GAMES, self.hard_games // hard),
            self.seed,
        )


def sizes_of(game: Game) -> range:
    return range(game.players[0], min(game.players[1], MAX_SEATS) + 1)


def measure_ladder(game: Game, amount: Amount) -> dict[str, list[float]]:
    """The ratings of the quick bots."""
    bots = LADDER
    options = check_options(game.options, {})
    ratings, played = Ratings(len(bots)), Counter[int]()
    for size in [size for size in SIZES if game.players[0] <= size <= game.players[1]]:
        games = 0
        schedule = Schedule(len(bots), size, amount.seed, game.team)
        for deal in count():
            if games >= amount.games:
                break
            for seating in schedule.deal(deal):
                state: State = starting_position(game, options, amount.seed, seating)
                result = play_out(game, state, bots, amount.seed, seating)
                shares: dict[int, list[float]] = {}
                for player, share in zip(seating.players, result.shares, strict=True):
                    shares.setdefault(player, []).append(share)
                ratings.add(shares)
                played.update(seating.players)
                games += 1
        print(f"{game.name}, {size} seats: {games} games", flush=True)
    rated = {}
    for number, bot in enumerate(bots):
        mu, sigma = ratings.rating(number)
        rated[bot] = [round(mu, 2), round(sigma, 2), played[number]]
    return rated


def measure_figures(game: Game, size: int, amount: Amount) -> dict[str, dict[str, float]]:
    """What the quick bots have by the end of a match, on average over games and seats."""
    study = game.study
    if study is None:
        return {}
    options = check_options(game.options, {})
    means: dict[str, dict[str, float]] = {}
    for bot in LADDER:
        total = Counter[str]()
        for deal in range(amount.games):
            log: Log = []
            seating = Seating(deal, (0,) * size)
            state = starting_position(game, options, amount.seed, seating)
            play_out(game, state, (bot,), amount.seed, seating, noting(log))
            for figures in study.figures_of(state, log):
                total.update(figures)
        means[bot] = {kind: round(sum_ / (size * amount.games), 2) for kind, sum_ in total.items()}
        print(f"{game.name}, {size} seats, {bot}, {amount.games} games: {means[bot]}", flush=True)
    return means


def measure_seats(game: Game, size: int, amount: Amount) -> list[Measured]:
    """How much of a rating each seat is worth, compared with the average seat, and the standard error of that."""
    options = check_options(game.options, {})
    shares: list[tuple[float, ...]] = []
    for deal in range(amount.seat_games):
        seating = Seating(deal, (0,) * size)
        state = starting_position(game, options, amount.seed, seating)
        shares.append(play_out(game, state, (NORMAL,), amount.seed, seating).shares)
    found = worth_of_seats(shares)
    said = ", ".join(f"{worth:.2f} ± {2 * error:.2f}" for worth, error in found)
    print(f"{game.name}, {size} seats, {len(shares)} games: {said}", flush=True)
    return found


def worth_of_seats(shares: Sequence[tuple[float, ...]]) -> list[Measured]:
    """The worth of each seat, and its standard error, from the shares of the win in many matches of equals."""
    size = len(shares[0])
    means = [max(fmean(of_seat), MIN_SHARE) for of_seat in zip(*shares, strict=True)]
    logs = [math.log(mean) for mean in means]
    # How much each match moves the logarithms: the seats of one match are not independent of each other.
    pulls = [[share / mean for share, mean in zip(match, means, strict=True)] for match in shares]
    errors = [stdev(pull[seat] - fmean(pull) for pull in pulls) / math.sqrt(len(shares)) for seat in range(size)]
    unit = spread(size)
    return [
        (round(unit * (log - fmean(logs)), 3), round(max(unit * error, MIN_ERROR), 3))
        for log, error in zip(logs, errors, strict=True)
    ]


def shrunk(measured: dict[str, list[Measured]]) -> dict[str, list[float]]:
    """What the seats of one game are worth, given what was measured for each number of seats.

    The true values are taken to be normally distributed around zero, with one variance for the whole game. It is
    estimated by how much larger all measured values are, in standard errors, than chance alone would make them
    (DerSimonian and Laird's way), and is 0 if they are not larger. Each value is then replaced by its expectation. So
    nothing has to be called significant: a game whose seats differ by no more than chance gets zeros, one large value
    among many small ones becomes small, and where seats clearly differ almost nothing is taken away.
    """
    # The values of one match add up to zero, so one of them is no news.
    weights = [(1 - 1 / len(of_size), one) for of_size in measured.values() for one in of_size]
    excess = sum(weight * ((worth / error) ** 2 - 1) for weight, (worth, error) in weights)
    variance = max(0.0, excess / sum(weight * error**-2 for weight, (_, error) in weights))
    found = {}
    for size, of_size in measured.items():
        # The same for all seats of a match, so that they still add up to zero.
        noise = fmean(error**2 for _, error in of_size)
        kept = variance / (variance + noise) if variance else 0.0
        found[size] = [round(kept * worth, 2) + 0.0 for worth, _ in of_size]
    return found


def measure_hard(game: Game, normal: float, amount: Amount) -> list[float]:
    """The rating of the hard bot, given the normal one's."""
    options = check_options(game.options, {})
    size = max(2, game.players[0])
    won: list[float] = []
    for deal in range(math.ceil(amount.hard_games / size)):
        for seat in range(size):
            seating = Seating(deal, tuple(int(seat == other) for other in range(size)))
            state = starting_position(game, options, amount.seed, seating)
            won.append(play_out(game, state, (NORMAL, HARD), amount.seed, seating).shares[seat])
    # One game more for each side: a few wins in a row do not make it infinitely strong.
    share = (sum(won) + 1) / (len(won) + size)
    better = spread(size) * math.log(share * (size - 1) / (1 - share))
    error = spread(size) * math.sqrt(1 / (len(won) * share * (1 - share)))
    print(
        f"{game.name}: hard wins {share:.3f} of {len(won)} games: {normal + better:.2f} ± {2 * error:.2f}", flush=True
    )
    return [round(normal + better, 2), round(error, 2), len(won)]


def spread(size: int) -> float:
    """The unit of Plackett and Luce's model: ratings that differ by it win e times as often."""
    return math.sqrt(size * (SETTLED**2 + BETA**2))


def noting(log: Log) -> OnMove:
    def note(_: State, seat: int, move: int, __: list[int]) -> None:
        log.append((seat, move))

    return note


class Progress:
    """What this command has measured so far, kept in a file until it is done."""

    def __init__(self, path: Path, command: str) -> None:
        self.path = path
        self.command = command
        kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
        self.done: dict[str, Any] = kept["done"] if kept.get("command") == command else {}

    def get(self, part: str, measure: Callable[[], Any]) -> Any:
        """The result of a part, measured now unless it was before."""
        if part not in self.done:
            self.done[part] = measure()
            self.path.write_text(json.dumps({"command": self.command, "done": self.done}), "utf-8")
        return self.done[part]


def measure_game(game: Game, amount: Amount, progress: Progress) -> dict[str, Any]:
    """The whole scale of one game."""
    name = game.name
    bots: dict[str, list[float]] = {}
    seats: dict[str, list[Measured]] = {}
    if not game.team:
        bots = dict(progress.get(f"{name} ladder", lambda: measure_ladder(game, amount)))
        for size in sizes_of(game):
            seats[str(size)] = progress.get(f"{name} seats {size}", lambda: measure_seats(game, size, amount))  # noqa: B023
        bots["hard"] = progress.get(f"{name} hard", lambda: measure_hard(game, bots[NORMAL][0], amount))
    counts = {}
    if game.study is not None:
        for size in sizes_of(game):
            counts[str(size)] = progress.get(f"{name} figures {size}", lambda: measure_figures(game, size, amount))  # noqa: B023
    return {"bots": bots, "measured_seats": seats, "seats": shrunk(seats) if seats else {}, "counts": counts}


def measure_hard_again(game: Game, scale: dict[str, Any], amount: Amount, progress: Progress) -> dict[str, Any]:
    """The scale of one game, with only the hard bot measured again, against the normal one's rating in the scale."""
    normal = scale["bots"][NORMAL][0]
    hard = progress.get(f"{game.name} hard", lambda: measure_hard(game, normal, amount.of(game.name)))
    command = f"tools/rating_scale.py {game.name} --only-hard --hard-games {amount.hard_games} --seed {amount.seed}"
    return {**scale, "bots": {**scale["bots"], "hard": hard}, "hard_command": command}


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of at least 1")
    return int(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="all, unless some are named")
    parser.add_argument("--games", type=at_least_one, default=300, dest="count", metavar="N")
    parser.add_argument("--seat-games", type=at_least_one, default=5000, metavar="N")
    parser.add_argument("--hard-games", type=at_least_one, default=300, metavar="N")
    parser.add_argument("--only-hard", action="store_true", help="keep the rest of what the file has of these games")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--file", type=Path, default=FILE)
    wanted = parser.parse_args()
    unknown = set(wanted.games) - set(catalogue.games())
    if unknown:
        parser.error(f"there is no game {', '.join(sorted(unknown))}")
    amount = Amount(wanted.count, wanted.seat_games, wanted.hard_games, wanted.seed)
    settings = f"--games {amount.games} --seat-games {amount.seat_games} --hard-games {amount.hard_games}"
    file: Path = wanted.file
    only_hard = bool(wanted.only_hard)
    if only_hard:
        settings = f"--only-hard --hard-games {amount.hard_games}"
    command = " ".join(["tools/rating_scale.py", *wanted.games, f"{settings} --seed {amount.seed}"])
    progress = Progress(file.with_suffix(".partial"), command)
    kept = json.loads(file.read_text("utf-8")) if wanted.games and file.exists() else {}
    if only_hard:
        without = [name for name in wanted.games if NORMAL not in kept.get(name, {}).get("bots", {})]
        if without or not wanted.games:
            parser.error(
                f"--only-hard needs names of games on the scale{': not ' if without else ''}{', '.join(without)}"
            )
    for name in wanted.games or catalogue.games():
        game = catalogue.game(name)
        if only_hard:
            kept[name] = measure_hard_again(game, kept[name], amount, progress)
            continue
        kept[name] = {"command": command, **measure_game(game, amount.of(name), progress)}
    file.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")
    progress.path.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
