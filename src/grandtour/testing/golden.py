"""Golden games: matches that are recorded once and replayed by the tests. Each shows something particular.

    GAMES = [
        Golden("empty-deck", ("random", "random"), lambda steps: happens(steps, "deck-empty")),
        Golden("three-players", ("normal", "normal", "random"), lambda steps: True),
    ]
    FOLDER = Path(__file__).parent / "golden"

    test_golden = golden_tests(GAME, GAMES, FOLDER)

    if __name__ == "__main__":
        record_all(GAME, GAMES, FOLDER)

Describe the match you want recorded: who plays, with which options, and what must happen. `record_all` tries seeds
until it has found a few such matches, and writes the shortest as a `.tour` file and as a story in sentences. The same
rules and players give the same files. After an intended change of the rules or of a sentence, record them again and
read the diff.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from grandtour import players
from grandtour.engine import tour
from grandtour.engine.dice import QuickDice
from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.options import Options
from grandtour.engine.state import CLOCK
from grandtour.testing.table import NAMES

SEEDS = 2000
CANDIDATES = 5

Steps = list[list[Event]]
"""What happened in the set-up of a match and in each of its moves."""


class Golden(NamedTuple):
    """A match to record. `holds` gets the events of the set-up and of each move, and says whether the match
    fits."""

    name: str
    players: tuple[str, ...]
    holds: Callable[[Steps], bool]
    options: Options = {}  # noqa: RUF012  (never changed)
    clock: int = 0
    """The clock moves after this many moves, if it may; 0 means it never runs out."""
    version: int | None = None
    """The version of the rules; None is the newest."""

    def tour(self, folder: Path) -> Path:
        return folder / f"{self.name}.tour"

    def story(self, folder: Path) -> Path:
        return folder / f"{self.name}.txt"


def happens(steps: Steps, name: str) -> bool:
    """Whether an event with this name happened."""
    return any(event["event"] == name for events in steps for event in events)


def happened(match: Match) -> Steps:
    """The events of the set-up of a match and of each of its moves."""
    return [step.events for step in match.steps()]


def story(match: Match, names: list[str]) -> str:
    """A match in sentences, as a spectator reads it, and its result."""
    lines = []
    for step in match.steps():
        said = (match.game.describe(seen(event, None), names, None) for event in step.events)
        lines += [text for text in said if text]
    for row in match.game.final(match.state):
        reached = row["outcome"] if row["score"] is None else row["score"]
        lines += ["", f"{names[row['seat']]}: {reached}{', won' if row['won'] else ''}"]
        lines += [f"  {line['label']}: {line['value']}" for line in row["lines"]]
    return "\n".join(lines) + "\n"


def play(game: Game, golden: Golden, seed: int) -> Match:
    """Play a match between the players of a golden game with this seed."""
    match = Match(game, len(golden.players), golden.options, seed, golden.version)
    bots = [players.make(name) for name in golden.players]
    dice = [QuickDice(-1 - seed - 1000 * seat) for seat in range(match.seats)]
    while not match.over:
        if golden.clock and len(match.log) % golden.clock == golden.clock - 1 and match.state.legal(CLOCK):
            match.play(CLOCK, game.moves.name(match.state.legal(CLOCK)[0]))
            continue
        seat = (players.speakers(game, match.state, golden.players) or match.waiting())[0]
        move = bots[seat].choose(game, match.state, seat, dice[seat])
        match.play(seat, game.moves.name(move))
    return match


def record(game: Game, golden: Golden, folder: Path) -> Match:
    """Find a match that fits the description, and write it."""
    match = find(game, golden)
    _write(golden, match, folder)
    return match


def find(game: Game, golden: Golden) -> Match:
    """The shortest of the first matches that fit the description."""
    candidates = list(islice(_matching(game, golden), CANDIDATES))
    if not candidates:
        raise ValueError(f"{game.name}: none of {SEEDS} matches fits {golden.name}")
    return min(candidates, key=lambda candidate: len(candidate.log))


def record_all(game: Game, goldens: Sequence[Golden], folder: Path) -> None:
    """Record all golden games of a game again, and remove files that are no longer described.

    Matches recorded with an earlier version of the rules are kept: they show that old matches can still be replayed.
    Their stories are written again. Nothing is written or removed until every match has been found.
    """
    found: list[tuple[Golden, Match]] = []
    for golden in goldens:
        if _has_earlier_rules(game, golden, folder):
            match, _ = tour.load(golden.tour(folder).read_text("utf-8"), game)
        else:
            match = find(game, golden)
        found.append((golden, match))
        print(f"{game.name}: {len(found)} of {len(goldens)}: {golden.name}, {len(match.log)} moves", flush=True)
    for golden, match in found:
        _write(golden, match, folder)
    for path in set(folder.glob("*.t*")) - _files(goldens, folder):
        path.unlink()


def replay(game: Game, golden: Golden, folder: Path) -> Match:
    """Replay a golden game. Every move must still be legal, the story and the result must be the same, and the match
    must still fit its description."""
    text = golden.tour(folder).read_text("utf-8")
    match, names = tour.load(text, game)
    assert match.over, f"{golden.name} does not end"
    assert tour.save(match, names) == text, f"{golden.name} replays as a different match"
    assert story(match, names) == golden.story(folder).read_text("utf-8"), f"{golden.name} has a different story now"
    assert golden.holds(happened(match)), f"{golden.name} no longer fits its description"
    return match


def check_files(goldens: Sequence[Golden], folder: Path) -> None:
    wanted = _files(goldens, folder)
    found = set(folder.glob("*.t*"))
    assert found <= wanted, f"no golden game describes {', '.join(sorted(path.name for path in found - wanted))}"
    assert wanted <= found, f"not recorded yet: {', '.join(sorted(path.name for path in wanted - found))}"


def golden_tests(game: Game, goldens: Sequence[Golden], folder: Path) -> Callable[..., None]:
    """All golden games of a game as one pytest function."""
    import pytest

    @pytest.mark.parametrize("golden", [*goldens, None], ids=[*(golden.name for golden in goldens), "files"])
    def test_golden(golden: Golden | None) -> None:
        if golden is None:
            check_files(goldens, folder)
        else:
            replay(game, golden, folder)

    return test_golden


def _matching(game: Game, golden: Golden) -> Iterator[Match]:
    """Matches that fit the description, seed by seed."""
    for seed in range(SEEDS):
        match = play(game, golden, seed)
        if golden.holds(happened(match)):
            yield match


def _files(goldens: Sequence[Golden], folder: Path) -> set[Path]:
    return {path for golden in goldens for path in (golden.tour(folder), golden.story(folder))}


def _write(golden: Golden, match: Match, folder: Path) -> None:
    names = NAMES[: match.seats]
    folder.mkdir(parents=True, exist_ok=True)
    golden.tour(folder).write_text(tour.save(match, names), "utf-8")
    golden.story(folder).write_text(story(match, names), "utf-8")


def _has_earlier_rules(game: Game, golden: Golden, folder: Path) -> bool:
    return golden.version not in (None, game.version) and golden.tour(folder).exists()
