"""The `grandtour` command. Each command imports what it needs when it is called, so that `--help` is quick."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Grand Tour: travel games to play with friends and bots, to study by the thousand, and to build upon.",
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name, such as round-trip.")]
GameOption = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game, such as turn_limit=20.")
]
Cluster = Annotated[
    str | None, typer.Option(metavar="dask://HOST:PORT", help="Play on the machines of this Dask cluster.")
]
Deadline = Annotated[float, typer.Option(min=0.01, max=3600, help="Seconds that a program may think about a move.")]
Until = Literal["decided"]
Keep = Literal["lost", "long", "all"]

EXTRAS = {"matplotlib": "arena", "openskill": "arena"}
"""Packages that only some commands need, and the extra that brings each."""

BAD_INPUT = 2
INTERRUPTED = 130


def main(args: list[str] | None = None) -> int:
    """Run the command line and give its exit code. Whatever is refused is said in one sentence, with code 2."""
    from grandtour.engine.refusal import Refusal

    try:
        code = app(args, prog_name="grandtour", standalone_mode=False)
    except Refusal as refusal:
        return _say_no(str(refusal))
    except typer.TyperException as wrong:
        return _say_no(wrong.format_message())
    except typer.Abort:
        return INTERRUPTED
    except ModuleNotFoundError as missing:
        if missing.name not in EXTRAS:
            raise
        extra = EXTRAS[missing.name]
        return _say_no(f"This needs {missing.name}: pip install 'grandtour[{extra}]', or in a checkout make setup.")
    return code if isinstance(code, int) else 0


def _say_no(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return BAD_INPUT


def _print_version(wanted: bool) -> None:
    if wanted:
        from grandtour import __version__

        print(f"grandtour {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def grandtour(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on; by default 127.0.0.1.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; by default 8000, 0 takes a free one.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The folder where tables and matches are kept; by default the user's own.")
    ] = None,
    open: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser where there is a screen.")] = False,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Read settings from this TOML file.")] = None,
    set: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A setting, such as hosts=play.example.org or limits.sockets=60."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Say which settings are in force, and start nothing.")] = False,
) -> None:
    """Start the server and its page."""
    from grandtour.engine.refusal import Refusal
    from grandtour.server import serve as serve_tables

    settings: dict[str, object] = {}
    for text in set or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refusal("bad-settings", f"A setting is written NAME=VALUE, not {text!r}.")
        settings[name] = value
    serve_tables(host, port, data, open, config=config, check=check, settings=settings)


@app.command()
def simulate(
    name: GameName,
    players: Annotated[
        str,
        typer.Option(
            help="Who plays, one name for each seat: normal,random. A name may come twice; one with a slash, such as"
            " ./my-bot, is a program."
        ),
    ] = "normal,random",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same results, with any number of jobs.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes play.")] = 1,
    on: Cluster = None,
    option: GameOption = None,
    deadline: Deadline = 5.0,
    out: Annotated[Path | None, typer.Option(help="Write the results here, as .json or .csv.")] = None,
) -> int:
    """Play many games between bots and say who wins.

    The players change seats from game to game. A shared win counts as a fraction. A player named twice has two rows in
    the results. Ctrl-C stops and prints what there is.
    """
    from time import perf_counter

    from rich.console import Console

    from grandtour.arena.simulation import Simulation, make_plan
    from grandtour.arena.summary import as_table, check_out, make_report, write
    from grandtour.arena.workplace import find_workplace

    named = [player.strip() for player in players.split(",")]
    plan = make_plan(name, named, games, seed, _options(name, option), deadline)
    if out:
        check_out(out)
    simulation = Simulation(plan, workplace=find_workplace(min(jobs, games), on))
    started = perf_counter()
    code = _with_progress(name, games, simulation.run)
    report = make_report(plan, simulation.tally, perf_counter() - started)
    Console().print(as_table(report))
    if out:
        write(report, out)
    return code


@app.command()
def tournament(
    name: GameName,
    players: Annotated[
        str, typer.Option(help="The field: two players or more, each once; ./my-bot is a program.")
    ] = "normal,random",
    games: Annotated[int, typer.Option(min=1, help="How many games at most; rounded up to whole deals.")] = 2000,
    seats: Annotated[int | None, typer.Option(help="Seats at a table; by default as few as the game allows.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same results, with any number of jobs.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes play.")] = 1,
    on: Cluster = None,
    option: GameOption = None,
    deadline: Deadline = 5.0,
    until: Annotated[
        Until | None, typer.Option(help="Stop as soon as of every two neighbours in the ranking one is surely ahead.")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(help="The results file; if it is there, the tournament goes on where it stopped.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the standings here, as .json or .csv.")] = None,
    keep: Annotated[
        Keep | None,
        typer.Option(help="Keep matches as .tour files: those the first player lost, the longest 1 %, or all."),
    ] = None,
    keep_in: Annotated[Path, typer.Option(help="The folder to keep them in.")] = Path("matches"),
) -> int:
    """Let a field of players meet in every grouping and every seating, on the same deals.

    Every game goes to the results file as soon as it is played: the same command goes on after Ctrl-C or a crash.
    """
    from grandtour.arena.tournament import make_plan
    from grandtour.terminal.tournament import Wishes, hold

    field = [player.strip() for player in players.split(",")]
    plan = make_plan(name, field, seats, seed, _options(name, option), keep is not None, deadline)
    wishes = Wishes(games, jobs, on, until is not None, results or plan.default_file(), out, keep, keep_in)
    return 0 if hold(plan, wishes) else INTERRUPTED


@app.command()
def report(
    name: GameName,
    players: Annotated[
        str | None,
        typer.Option(help="Who plays, one name for each seat; by default normal, as few as the game allows."),
    ] = None,
    games: Annotated[int, typer.Option(min=2, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same page, with any number of jobs.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes play.")] = 1,
    on: Cluster = None,
    option: GameOption = None,
    deadline: Deadline = 5.0,
    out: Annotated[Path | None, typer.Option(help="The page to write; by default GAME-report.html.")] = None,
) -> int:
    """Play many games and write a page on what they show.

    First-seat advantage, length, scores, close finishes, what each thing is worth to those who have it, what players
    choose when. Ctrl-C stops and writes what there is.
    """
    from grandtour.arena.report.reporting import Reporting, check
    from grandtour.arena.simulation import make_plan
    from grandtour.arena.workplace import find_workplace
    from grandtour.engine.catalogue import game

    names = players.split(",") if players else ["normal"] * game(name).players[0]
    plan = make_plan(name, [player.strip() for player in names], games, seed, _options(name, option), deadline)
    page = out or Path(f"{plan.game}-report.html")
    check(page)
    reporting = Reporting(plan, find_workplace(min(jobs, games), on))
    code = _with_progress(name, games, reporting.run)
    reporting.write(page)
    print(f"{page}: what {reporting.sample.games:,} games of {reporting.sample.game.title} show.")
    for line in reporting.sample.forfeit_lines():
        print(line)
    return code


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match saved as a .tour file.")],
    seat: Annotated[
        int | None, typer.Option(help="See it as this seat did (0 is the first), not as an onlooker.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print the whole match at once.")] = False,
    verify: Annotated[bool, typer.Option("--verify", help="Only check it: dice, moves and result.")] = False,
    seal: Annotated[
        str | None, typer.Option(help="With --verify: the seal that was shown when the match began.")
    ] = None,
    moments: Annotated[
        bool, typer.Option("--moments", help="Only tell where a hard bot would have played differently.")
    ] = False,
    bot: Annotated[
        str, typer.Option(help="With --moments: how long the bot thinks; hard:400 finds the same moments every time.")
    ] = "hard:150ms",
) -> int:
    """Step through a saved match, check that it was played fairly, or see where a bot would have played differently."""
    from rich.console import Console

    from grandtour.engine.refusal import Refusal
    from grandtour.engine.tour import load, stand_ins
    from grandtour.terminal.replay import Replay, verdict

    text = _read(file)
    if verify or seal is not None:
        try:
            print(verdict(load(text)[0], seal))
        except Refusal as refusal:
            print(refusal, file=sys.stderr)
            return 1
        return 0
    console = Console(highlight=False)
    if moments:
        from grandtour.terminal.moments import Moments

        looked = Moments(*load(text), seat, bot, stand_ins(text))
        code = _with_progress("decisions", len(looked.decisions), looked.run)
        looked.print(console)
        return code
    story = Replay(*load(text), seat)
    if everything or not (sys.stdin.isatty() and console.is_terminal):
        story.print_all(console)
    else:
        story.step_through(console)
    return 0


@app.command()
def rules(
    name: GameName,
    number: Annotated[str | None, typer.Argument(metavar="[PARAGRAPH]", help="Only this one, such as RT-14.")] = None,
) -> None:
    """Print a game's rulebook, or one paragraph of it."""
    from rich.console import Console

    from grandtour.engine.catalogue import game
    from grandtour.terminal.rulebook import paragraph, show

    found = game(name)
    show(Console(), found.rulebook() if number is None else paragraph(found, number))


@app.command()
def games() -> None:
    """List the games, with their options."""
    from rich.console import Console

    from grandtour.engine.catalogue import games as all_games
    from grandtour.terminal.games import show

    show(Console(highlight=False), list(all_games().values()))


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new game's name, such as lemon-market.")],
) -> None:
    """Begin a game of your own: write a folder with a small game that runs, its rulebook and its tests."""
    from grandtour.terminal.new_game import write

    folder = write(name, Path.cwd())
    print(f"The game is in {folder.name}. Next:")
    print(f"  cd {folder.name}")
    print("  python -m pytest            # its tests, and what every game must keep to")
    print("  pip install --editable .    # from now on grandtour knows it")
    print("  grandtour serve --open      # play it")


def _with_progress(name: str, games: int, run: Callable[[Callable[[int], None]], None]) -> int:
    """Run something that says how many more games are done, with a bar for people; the exit code."""
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


def _options(name: str, given: list[str] | None) -> dict[str, Any]:
    from grandtour.engine.catalogue import game
    from grandtour.engine.options import read_options

    return read_options(game(name).options, given or [])


def _read(file: Path) -> str:
    from grandtour.engine.refusal import Refusal, short

    try:
        return file.read_text("utf-8")
    except OSError as error:
        raise Refusal("bad-file", f"{short(str(file))} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Refusal("bad-file", f"{short(str(file))} is not a text file.") from None


if __name__ == "__main__":
    sys.exit(main())
