"""Simple players used as baselines: normal has to beat them. They are not offered to people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.games.itchy_feet import bot, rules
from grandtour.games.ticket_to_ride_italy.parts import ROUTES
from grandtour.players import PLAYERS, Player

LENGTHS = {route.name: route.length for route in ROUTES}


class LongestRoute(Player):
    """Ticket to Ride: claims the longest route it can pay for, otherwise draws cards, and keeps as few tickets as
    possible."""

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
    """Itchy Feet: travels if it can, otherwise draws; for all other decisions it uses the normal player's ranking."""

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
        assert isinstance(imagined, rules.State)
        ranks = bot.rank(imagined, seat, rest)
        return rest[ranks.index(max(ranks))]


@contextmanager
def registered() -> Iterator[None]:
    """Register these players by name within the block, like the built-in ones."""
    plain = {kind.name: kind for kind in (LongestRoute, DrawAndTravel)}
    PLAYERS.update(plain)
    try:
        yield
    finally:
        for name in plain:
            del PLAYERS[name]
