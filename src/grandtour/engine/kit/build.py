"""From a position class and a rulebook to a game."""

from importlib.resources import files
from typing import Any

from grandtour.engine.game import Game
from grandtour.engine.kit import bot, view
from grandtour.engine.kit.position import Position
from grandtour.engine.kit.sentences import Sentences
from grandtour.engine.options import Option, starter
from grandtour.engine.refusal import Objection
from grandtour.engine.state import State


def make_game(
    package: str,
    position: type[Position],
    *,
    title: str,
    summary: str,
    players: tuple[int, int],
    minutes: int,
    sentences: Sentences,
    subtitle: str = "",
    options: tuple[Option, ...] = (),
    **others: Any,
) -> Game:
    """The game in this package: `GAME = make_game(__name__, MyPosition, title=…)`.

    Its name is that of the package, with hyphens; its rulebook is the `rulebook.md` beside it. The host may always
    choose who begins. `sentences` has for each event the sentence that tells it, or several, of which the first is
    taken whose parts the reader may know (see `sentences.py`). `others` are further parts of a `Game`; they replace
    what the kit gives: a `choose` of your own, a `view`, a `study`.
    """
    given: dict[str, Any] = {
        "package": package,
        "moves": position.moves.vocabulary,
        "rules": {1: position.new},
        "objection": objection,
        "view": view.view,
        "prompt": view.prompt,
        "describe": view.describe(sentences),
        "describe_move": view.describe_move,
        "final": view.final,
        "choose": bot.choose,
        "quick": bot.quick,
        "rank": bot.rank,
        "rulebook": lambda: files(package).joinpath("rulebook.md").read_text("utf-8"),
    }
    return Game(
        name=package.rpartition(".")[2].replace("_", "-"),
        title=title,
        subtitle=subtitle,
        summary=summary,
        players=players,
        minutes=minutes,
        options=(*options, starter(players[1])),
        **{**given, **others},
    )


def objection(state: State, seat: int, move: int) -> Objection | None:
    return view.ours(state).objection(seat, move)
