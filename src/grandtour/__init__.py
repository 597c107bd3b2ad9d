"""Grand Tour: travel board games on one engine, to play, to study and to build on.

    import grandtour

    match = grandtour.play("round-trip", seats=2, seed=7)
    while not match.over:
        match.play(match.suggest("normal"))
    print(match.result)

`games()` lists the games, `play()` begins a match, `load()` reads one from a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from grandtour.api import Match as Match
    from grandtour.engine.game import Game
    from grandtour.engine.refusal import Refusal as Refusal

__version__ = "0.1.0"
__all__ = ["Match", "Refusal", "games", "load", "play"]

# Everything is imported when it is first used, so that `import grandtour` is fast.


def games() -> dict[str, Game]:
    """All games by name, in the order of the lobby, including those of other installed packages.

    >>> games()["round-trip"].title
    'Round Trip Italy'
    """
    from grandtour.engine import catalogue

    return dict(catalogue.games())


def play(game: str, *, seats: int = 2, seed: int | bytes | None = None, **options: Any) -> Match:
    """Start a match. The same seed and moves always give the same match; without a seed every match is different.

    `options` are the game's options, such as `turn_limit=20`. Options that are left out have their defaults.

    >>> play("round-trip", seats=3, seed=7).waiting
    [2]
    """
    from grandtour.api import begin

    return begin(game, seats, seed, options)


def load(path: str | Path) -> Match:
    """A match from a `.tour` file. Every move in it is checked again."""
    from grandtour.api import read

    return read(path)


def __getattr__(name: str) -> Any:
    if name == "Match":
        from grandtour.api import Match

        return Match
    if name == "Refusal":
        from grandtour.engine.refusal import Refusal

        return Refusal
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
