"""The catalogue: games are found in their folders and listed in the order of their places."""

from dataclasses import replace

import pytest

from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.engine.options import check_options, named_starter, starter
from grandtour.engine.refusal import Refusal
from grandtour.games.round_trip import GAME


def placed(name: str, place: int | None) -> Game:
    return replace(GAME, name="", package=f"grandtour.games.{name}", place=place)


def test_games_are_listed_in_the_order_of_their_place() -> None:
    titles = [game.title for game in catalogue.games().values() if game.place is not None]
    assert titles == [
        "Round Trip Italy",
        "Ticket to Ride: Italy",
        "Itchy Feet",
        "The Journey: Istanbul",
        "Word Traveler",
    ]


def test_a_game_without_a_place_comes_last() -> None:
    games = [placed("atlas", None), placed("zeppelin", 1), placed("bridge", 12), placed("cable_car", 2)]
    assert [game.name for game in catalogue.in_lobby_order(games)] == ["zeppelin", "cable-car", "bridge", "atlas"]


def test_a_folder_gives_a_game_its_name_and_its_rulebook() -> None:
    assert GAME.name == "round-trip"
    assert GAME.rulebook().startswith("# Round Trip Italy")


def test_the_host_can_choose_who_starts() -> None:
    option = starter(3)
    assert option.choices == ("drawn", "1", "2", "3")
    assert named_starter(check_options((option,), {}), 2) == -1
    assert named_starter(check_options((option,), {"start": "2"}), 2) == 1
    with pytest.raises(Refusal, match="Seat 3 cannot begin: there are 2 players"):
        named_starter(check_options((option,), {"start": "3"}), 2)
