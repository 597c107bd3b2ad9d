"""Lists the games and their options in the terminal."""

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from grandtour.engine.game import Game


def show(console: Console, games: list[Game]) -> None:
    """Print the games. Names and options are never truncated, however narrow the terminal is."""
    for game in games:
        low, high = game.players
        line = Text.assemble((game.name, "bold"), f"  {game.title}, {low}–{high} players, {game.minutes} minutes")
        console.print(line, soft_wrap=True)
        for option in game.options:
            choices = "|".join(str(choice) for choice in option.choices)
            console.print(Text(f"  --option {option.name}={choices}  (default {option.default})"), soft_wrap=True)
            words = dict(zip(map(str, option.choices), option.words, strict=True))
            explained = ", ".join(
                f"{choice} is {words[choice]}" for choice in words if choice.isdecimal() and words[choice] != choice
            )
            help = f"{option.help} {explained}." if explained else option.help
            console.print(Padding(Text(help, "dim"), (0, 0, 0, 6), expand=False))
        console.print()
