"""Plain players that nobody is meant to meet: a sensible one has to beat them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.games.itchy_feet import bot
from grandtour.games.ticket_to_ride_italy.parts import ROUTES
from grandtour.players import PLAYERS, Player

LENGTHS = {route.name: route.length for route in ROUTES}


class LongestRoute(Player):
    """Ticket to Ride: claims the longest route it can pay for, draws cards when there is none, and keeps as few tickets
    as it may."""

    name: ClassVar[str] = "longest-route"
    label: ClassVar[str] = "Claims the longest route"

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        named = {move: game.moves.name(move) for move in state.legal(seat)}
        claims = [move for move in named if "route" in named[move]]
        if claims:
            return max(claims, key=lambda move: LENGTHS[named[move]["route"]])
        wanted = [move for move in named if named[move]["do"] in ("return", "draw")]
        return wanted[-1] if wanted else max(named)


class DrawAndTravel(Player):
    """Itchy Feet: travels when it can and else draws; of the rest it thinks like the sensible player."""

    name: ClassVar[str] = "draw-and-travel"
    label: ClassVar[str] = "Draws and travels"

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        imagined = state.imagine(seat, dice)
        does = {move: str(game.moves.name(move)["do"]) for move in imagined.legal(seat)}
        travels = [move for move in does if does[move].startswith("travel")]
        others = [move for move in does if does[move] in ("draw", "decline", "allow")]
        if travels or others:
            return (travels or others)[0]
        rest = [move for move in does if does[move] not in ("quiet", "ask-me")]
        ranks = bot.rank(imagined, seat, rest)
        return rest[ranks.index(max(ranks))]


@contextmanager
def known() -> Iterator[None]:
    """For a while they can be called by their names like the players of the house."""
    plain = {kind.name: kind for kind in (LongestRoute, DrawAndTravel)}
    PLAYERS.update(plain)
    try:
        yield
    finally:
        for name in plain:
            del PLAYERS[name]
