"""Finds a game's `features.py` and, if it has one, its `encoder.py`. This module needs no other package."""

from importlib import import_module
from importlib.util import find_spec
from typing import cast

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.rl.encoder import Encoder, ViewEncoder
from grandtour.rl.features import Record


def has_features(game: Game) -> bool:
    """Whether the game has a features.py, which declares how its views are encoded."""
    return _has(game, "features")


def features_of(game: Game, seats: int) -> Record:
    """How views of the game are encoded, for this number of seats."""
    if not has_features(game):
        raise Refusal(
            "bad-options", f"{game.title} has no features.py, which declares how its views are encoded as numbers."
        )
    low, high = game.players
    if not low <= seats <= high:
        raise Refusal("bad-options", f"{game.title} is for {low} to {high} players, not {seats}.")
    return cast(Record, import_module(f"{game.package}.features").features(seats))


def encoder_of(game: Game, seats: int) -> Encoder:
    """The game's own encoder, or one that reads its view."""
    features = features_of(game, seats)
    if _has(game, "encoder"):
        return cast(Encoder, import_module(f"{game.package}.encoder").Encoder(seats))
    return ViewEncoder(features, game.view)


def _has(game: Game, module: str) -> bool:
    if game.package is None or not hasattr(import_module(game.package), "__path__"):
        return False
    return find_spec(f"{game.package}.{module}") is not None
