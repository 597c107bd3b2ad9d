"""Guided first games: a game's `guide.toml`, and the table that it describes."""

import hashlib
from functools import cache
from importlib.resources import files

import msgspec

from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.server.http.requests import Guide, WantedSeat, WantedTable


@cache
def guide_of(name: str) -> Guide | None:
    """The guide of a game, or None if it has none."""
    package = catalogue.game(name).package
    if package is None:
        return None
    file = files(package).joinpath("guide.toml")
    return msgspec.toml.decode(file.read_bytes(), type=Guide) if file.is_file() else None


def guide(name: str) -> Guide:
    """The guide of a game. Refuses if it has none."""
    found = guide_of(name)
    if found is None:
        raise Refusal("no-guide", f"{catalogue.game(name).title} has no guided game.")
    return found


def guided(wanted: WantedTable, game: Game) -> tuple[WantedTable, bytes]:
    """The table of a guided game, with bots in the other seats, and the secret of its dice, which never changes."""
    found = guide(game.name)
    alone = len(wanted.seats) == 1 and wanted.seats[0].kind == "me"
    if not alone or wanted.public or wanted.options or wanted.time is not None:
        raise Refusal(
            "bad-options", "A guided game is for one person and bots, with its own options, no clock, and not public."
        )
    bots = [WantedSeat("bot", bot=found.bots) for _ in range(found.players - 1)]
    table = msgspec.structs.replace(wanted, seats=[*wanted.seats, *bots], options=found.options)
    return table, secret(game.name, found)


def secret(name: str, guide: Guide) -> bytes:
    """The secret of a guided game's dice. Anyone can compute it, because the deal need not be secret."""
    return hashlib.sha256(f"guided {name} {guide.deal}".encode()).digest()


def bot_seed(secret: bytes, seat: int, moves: int) -> int:
    """The seed of a bot's next decision, after this many moves of its own. With the same secret and moves, bots always
    decide the same."""
    return int.from_bytes(hashlib.sha256(secret + b"%d %d" % (seat, moves)).digest()[:7])
