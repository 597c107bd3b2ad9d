"""The `grandtour` command. Each subcommand imports what it needs when it runs, so that `--help` is fast."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from grandtour.cli import admin, arena, train
from grandtour.cli.shared import INTERRUPTED, GameName, GameOption, game_options, with_progress

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Grand Tour: travel board games to play with friends and bots, to simulate and study, and to build on.",
)

EXTRAS = {
    **dict.fromkeys(("matplotlib", "openskill"), "arena"),
    **dict.fromkeys(("mcp", "pydantic"), "mcp"),
    **dict.fromkeys(("gymnasium", "numpy", "torch"), "train"),
    **dict.fromkeys(("markdown_it", "starlette", "uvicorn", "uvloop", "websockets"), "server"),
}
"""Packages that only some commands need, and the extra that installs each."""

BAD_INPUT = 2


def main(args: list[str] | None = None) -> int:
    """Run the command line and return its exit code. Bad input prints one sentence and returns 2."""
    from grandtour.engine.refusal import Refusal

    try:
        code = app(args, prog_name="grandtour", standalone_mode=False)
    except Refusal as refusal:
        return _refuse(str(refusal))
    except typer.TyperException as wrong:
        return _refuse(wrong.format_message())
    except typer.Abort:
        return INTERRUPTED
    except ModuleNotFoundError as missing:
        if missing.name not in EXTRAS:
            raise
        extra = EXTRAS[missing.name]
        # `make tools` installs what `make setup` does not, except PyTorch.
        make = {"train": "", "mcp": ", or in a checkout make tools"}.get(extra, ", or in a checkout make setup")
        return _refuse(f"This needs {missing.name}: pip install 'grandtour[{extra}]'{make}.")
    return code if isinstance(code, int) else 0


def _refuse(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return BAD_INPUT


def _print_version(wanted: bool) -> None:
    if wanted:
        from grandtour import __version__

        print(f"grandtour {__version__}")
        raise typer.Exit


app.add_typer(arena.app)
app.add_typer(train.app)
app.add_typer(admin.app, name="admin")


@app.callback(invoke_without_command=True)
def grandtour(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
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
        Path | None, typer.Option(help="The folder for tables and matches; by default in the user's data folder.")
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="A PostgreSQL database for them in place of the folder, such as postgresql://host/name."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="The number of server processes; more than one needs --store.")
    ] = None,
    open: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser if there is a display.")] = False,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Read settings from this TOML file.")] = None,
    set: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A setting, such as hosts=play.example.org or limits.sockets=60."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Print the settings in effect and exit.")] = False,
) -> None:
    """Start the server and the web page."""
    from grandtour.server import serve as serve_tables

    settings = _settings(set)
    serve_tables(host, port, data, open, config=config, check=check, settings=settings, store=store, workers=workers)


@app.command()
def bots(
    store: Annotated[
        str | None, typer.Option(metavar="URL", help="The database of the servers, such as postgresql://host/name.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="The number of bots that serve_bots at the same time; by default 2.")
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Read settings from this TOML file.")] = None,
    set: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="A setting, such as inside_host=10.0.0.7.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Print the settings in effect and exit.")] = False,
) -> None:
    """Run bots for the servers of a database, on this machine or another one."""
    from grandtour.server import serve_bots

    serve_bots(config=config, check=check, settings=_settings(set), store=store, bot_processes=processes)


@app.command("mcp")
def serve_models(
    server: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A server that models may use, besides those on this machine."),
    ] = None,
    save_in: Annotated[Path, typer.Option(help="The folder in which models save matches.")] = Path("matches"),
    http: Annotated[
        bool, typer.Option("--http", help="Serve several clients over HTTP instead of one over a pipe.")
    ] = False,
    host: Annotated[str, typer.Option(help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="With --http: the port.")] = 8765,
) -> None:
    """Let language models play: a Model Context Protocol server.

    The client starts it and talks to it over a pipe. With --http, several clients share its tables, at /mcp.
    """
    from grandtour.cli.mcp import make_server

    models = make_server(server or [], save_in)
    if http:
        models.run("streamable-http", host=host, port=port)
    else:
        models.run()


@app.command()
def play(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="The game's name, such as round-trip.")] = None,
    seats: Annotated[
        int | None, typer.Option(help="The number of players; by default as few as the game allows.")
    ] = None,
    bots: Annotated[str, typer.Option(help="random, easy, normal or hard: one for all, or one per bot.")] = "normal",
    seat: Annotated[int, typer.Option(help="The seat you take; 0 is the first.")] = 0,
    player: Annotated[str, typer.Option("--name", help="Your name.")] = "Player",
    option: GameOption = None,
    seed: Annotated[
        int | None, typer.Option(help="The same seed gives the same cards; by default sealed dice.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Continue a saved match.")] = None,
    pause: Annotated[bool, typer.Option("--pause", help="Stop after each bot's move if you may act then.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines, without colours: for screen readers.")] = False,
) -> int:
    """Play a match in the terminal against bots.

    Type the number of a move, a few letters of it, or help. Ctrl-C and Ctrl-D leave; the match is saved.
    """
    from grandtour.cli.play import Play, Screen, begin
    from grandtour.cli.play import resume as resume_table
    from grandtour.engine.catalogue import game
    from grandtour.engine.refusal import Refusal

    if resume is not None:
        if name is not None:
            raise Refusal("bad-options", "Name a game, or a file to resume, not both.")
        table, place = resume_table(resume, _read(resume))
    elif name is None:
        raise Refusal("bad-options", "Which game? grandtour games lists them.")
    else:
        table, place = begin(game(name), seats, bots, seat, player, game_options(name, option), seed)
    return Play(table, place, Screen(plain), resume, pause).run()


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match saved as a .tour file.")],
    seat: Annotated[
        int | None, typer.Option(help="Show it as this seat saw it (0 is the first), not as a spectator.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print the whole match at once.")] = False,
    verify: Annotated[bool, typer.Option("--verify", help="Only verify the dice, moves and result.")] = False,
    seal: Annotated[str | None, typer.Option(help="With --verify: the seal shown when the match began.")] = None,
    turning_points: Annotated[
        bool,
        typer.Option("--turning-points", help="Only show the moves where a hard bot would have played differently."),
    ] = False,
    moments: Annotated[bool, typer.Option("--moments", hidden=True)] = False,
    bot: Annotated[
        str,
        typer.Option(
            help="With --turning-points: the bot and how long it thinks; hard:400 gives the same result every time."
        ),
    ] = "hard:150ms",
) -> int:
    """Step through a saved match, verify that it was played fairly, or find its turning points."""
    from rich.console import Console

    from grandtour.cli.replay import Replay, verdict
    from grandtour.engine.refusal import Refusal
    from grandtour.engine.tour import load, stand_ins

    text = _read(file)
    if verify or seal is not None:
        try:
            print(verdict(load(text)[0], seal))
        except Refusal as refusal:
            print(refusal, file=sys.stderr)
            return 1
        return 0
    console = Console(highlight=False)
    if turning_points or moments:
        from grandtour.cli.turning_points import TurningPoints

        points = TurningPoints(*load(text), seat, bot, stand_ins(text))
        code = with_progress("decisions", len(points.decisions), points.run)
        points.print(console)
        return code
    saved = Replay(*load(text), seat)
    if everything or not (sys.stdin.isatty() and console.is_terminal):
        saved.print_all(console)
    else:
        saved.step_through(console)
    return 0


@app.command()
def rules(
    name: GameName,
    number: Annotated[
        str | None, typer.Argument(metavar="[PARAGRAPH]", help="Print only this paragraph, such as RT-14.")
    ] = None,
) -> None:
    """Print a game's rulebook, or one paragraph of it."""
    from rich.console import Console

    from grandtour.cli.rulebook import paragraph, show
    from grandtour.engine.catalogue import game

    found = game(name)
    show(Console(), found.rulebook() if number is None else paragraph(found, number))


@app.command()
def games() -> None:
    """List the games and their options."""
    from rich.console import Console

    from grandtour.cli.games import show
    from grandtour.engine.catalogue import games as all_games

    show(Console(highlight=False), list(all_games().values()))


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new game's name, such as lemon-market.")],
) -> None:
    """Create a new game: a folder with a small working game, its rulebook and its tests."""
    from grandtour.cli.new_game import write

    folder = write(name, Path.cwd())
    print(f"The game is in {folder.name}. Next:")
    print(f"  cd {folder.name}")
    print("  pip install --editable '.[test]'  # make it known to grandtour")
    print("  python -m pytest                  # its own tests and the conformance suite")
    print("  grandtour serve --open            # play it")


def _settings(given: list[str] | None) -> dict[str, object]:
    """Settings given as NAME=VALUE."""
    from grandtour.engine.refusal import Refusal

    settings: dict[str, object] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refusal("bad-settings", f"A setting is written NAME=VALUE, not {text!r}.")
        settings[name] = value
    return settings


def _read(file: Path) -> str:
    from grandtour.engine.refusal import Refusal, short

    try:
        return file.read_text("utf-8")
    except OSError as error:
        raise Refusal("bad-file", f"{short(str(file))} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Refusal("bad-file", f"{short(str(file))} is not a text file.") from None
