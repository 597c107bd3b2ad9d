"""Makes a game from a position class and a rulebook."""

from typing import Any

from grandtour.engine.game import Game, SearchHooks
from grandtour.engine.kit import bot, text, view
from grandtour.engine.kit.position import Position
from grandtour.engine.kit.sentences import Sentences
from grandtour.engine.options import Option, starter
from grandtour.engine.refusal import Objection


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
    **overrides: Any,
) -> Game:
    """The game in this package: `GAME = make_game(__name__, MyPosition, title=…)`.

    The game has the name of the package, with hyphens, and its rulebook is the `rulebook.md` beside it. The host can
    always choose who begins. `sentences` has one or more templates for each event; the first one that the reader knows
    enough for is used (see `sentences.py`). `overrides` are other fields of `Game`, such as `choose`, `view` or
    `study`, which replace what the kit provides.
    """
    defaults: dict[str, Any] = {
        "package": package,
        "moves": position.moves.vocabulary,
        "rules": {1: position.new},
        "objection": objection,
        "view": view.view,
        "prompt": view.prompt,
        "describe": view.describe(sentences),
        "describe_move": view.describe_move,
        "final": view.final,
        "text": text.text if "view" not in overrides else None,
        "choose": bot.choose,
        "search": SearchHooks(quick=bot.quick, rank=bot.rank),
    }
    return Game(
        title=title,
        subtitle=subtitle,
        summary=summary,
        players=players,
        minutes=minutes,
        options=(*options, starter(players[1])),
        **{**defaults, **overrides},
    )


def objection(position: Position, seat: int, move: int) -> Objection | None:
    return position.objection(seat, move)
