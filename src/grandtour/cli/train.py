"""`grandtour train`."""

from pathlib import Path
from typing import Annotated

import typer

from grandtour.cli.shared import GameName, GameOption, game_options, with_progress

app = typer.Typer()


@app.command()
def train(
    name: GameName,
    seats: Annotated[
        int | None, typer.Option(help="The number of players; by default as few as the game allows.")
    ] = None,
    taught: Annotated[int, typer.Option(min=0, help="First learn from this many games of the normal bot.")] = 20_000,
    self_play: Annotated[int, typer.Option(min=0, help="Then play this many games against itself.")] = 10_000,
    hidden: Annotated[str, typer.Option(help="The sizes of the two hidden layers.")] = "64,32",
    seed: Annotated[int, typer.Option(min=0, help="The same command gives the same weights.")] = 1,
    option: GameOption = None,
    out: Annotated[
        Path | None, typer.Option(help="The file of weights; by default GAME-SEATS.weights in this folder.")
    ] = None,
) -> int:
    """Train a network to play a game, for the hard bot.

    It writes the weights, a picture of the learning curve, its figures and a checkpoint. After Ctrl-C or a crash, run
    the same command again to continue. To play with the weights, put them into the game's folder as
    network-SEATS.weights.
    """
    from grandtour.engine.refusal import Refusal
    from grandtour.rl.training import Training, check_out, draw, make_plan

    try:
        first, second = (int(size) for size in hidden.split(","))
    except ValueError:
        raise Refusal("bad-options", f"Hidden layers are two numbers such as 64,32, not {hidden!r}.") from None
    plan = make_plan(name, seats, game_options(name, option), taught, self_play, (first, second), seed)
    file = out or Path(f"{plan.game}-{plan.seats}.weights")
    check_out(file)
    training = Training(plan, file)
    code = with_progress(name, plan.taught + plan.self_play, training.run)
    training.write()
    draw(training, file.with_suffix(".png"))
    last = next((point for point in reversed(training.points) if point.share is not None), None)
    won = f" Its most probable moves win {last.share:.3f} ± {last.within:.3f} against normal." if last else ""
    print(f"{file}: learned from {training.points[-1].games if training.points else 0:,} games.{won}")
    return code
