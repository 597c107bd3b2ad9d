"""Golden games are replayed: every move is still allowed, and tells the same story to the same end.

When a change of the rules or of a sentence is meant, `make golden` writes them again; read the difference.
"""

import pytest

from grandtour.engine import catalogue, tour
from grandtour.engine.game import Game
from tests.golden.wish import HERE, Wish, all_wishes, happened, story, wishes

every_wish = pytest.mark.parametrize(
    ("game", "wish"), [pytest.param(game, wish, id=f"{game.name}: {wish.name}") for game, wish in all_wishes()]
)


@every_wish
def test_a_golden_game_is_replayed_to_the_same_end(game: Game, wish: Wish) -> None:
    text = wish.tour(game).read_text("utf-8")
    match, names = tour.load(text)
    assert match.over
    assert tour.save(match, names) == text
    assert story(match, names) == wish.story(game).read_text("utf-8"), "it tells another story"


@every_wish
def test_a_golden_game_shows_what_it_was_kept_for(game: Game, wish: Wish) -> None:
    match, _ = tour.load(wish.tour(game).read_text("utf-8"))
    assert match.game is game
    assert wish.holds(happened(match)), f"nothing in it is {wish.name}"


@pytest.mark.parametrize("game", catalogue.games().values(), ids=lambda game: game.name)
def test_every_file_was_wished_for(game: Game) -> None:
    expected = {path for wish in wishes(game) for path in (wish.tour(game), wish.story(game))}
    assert set((HERE / game.name).glob("*")) == expected
