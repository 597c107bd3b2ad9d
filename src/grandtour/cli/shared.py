"""Arguments and helpers that several commands use."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name, such as round-trip.")]
GameOption = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game, such as turn_limit=20.")
]

INTERRUPTED = 130


def with_progress(name: str, games: int, run: Callable[[Callable[[int], None]], None]) -> int:
    """Run something that reports its progress, with a progress bar; return the exit code."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(name, total=games)
        try:
            run(lambda more: progress.advance(bar, more))
        except KeyboardInterrupt:
            return INTERRUPTED
    return 0


def game_options(name: str, given: list[str] | None) -> dict[str, Any]:
    """The values of `--option NAME=VALUE`."""
    from grandtour.engine.catalogue import game
    from grandtour.engine.options import read_options

    return read_options(game(name).options, given or [])
