"""Golden games are replayed: every move is still legal, and the story and the result are the same.

After an intended change of the rules or of a sentence, record them again with `make golden` and read the diff.
"""

from pathlib import Path

import pytest

from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.testing import Golden, golden_tests
from grandtour.testing.golden import check_files, happens, record, record_all, replay
from tests.golden.scenarios import HERE, all_scenarios, scenarios


@pytest.mark.parametrize(
    ("game", "golden"),
    [pytest.param(game, each, id=f"{game.name}: {each.name}") for game, each in all_scenarios()],
)
def test_a_golden_game_is_replayed_to_the_same_end(game: Game, golden: Golden) -> None:
    replay(game, golden, HERE / game.name)


@pytest.mark.parametrize("game", catalogue.games().values(), ids=lambda game: game.name)
def test_every_file_belongs_to_a_scenario(game: Game) -> None:
    check_files(scenarios(game), HERE / game.name)


POSTCARDS = catalogue.game("postcards-home")
POSTED = Golden("posted", ("random", "random"), lambda steps: happens(steps, "posted"))


def test_a_package_records_and_replays_the_golden_games_of_its_own_game(tmp_path: Path) -> None:
    match = record(POSTCARDS, POSTED, tmp_path)
    assert replay(POSTCARDS, POSTED, tmp_path).log == match.log
    assert golden_tests(POSTCARDS, [POSTED], tmp_path).__name__ == "test_golden"


def test_a_changed_story_fails(tmp_path: Path) -> None:
    record(POSTCARDS, POSTED, tmp_path)
    story = POSTED.story(tmp_path)
    story.write_text(story.read_text("utf-8").replace("Ada", "Eve", 1), "utf-8")
    with pytest.raises(AssertionError, match="posted has a different story now"):
        replay(POSTCARDS, POSTED, tmp_path)


def test_a_match_that_does_not_fit_its_description_fails(tmp_path: Path) -> None:
    record(POSTCARDS, POSTED, tmp_path)
    with pytest.raises(AssertionError, match="posted no longer fits its description"):
        replay(POSTCARDS, POSTED._replace(holds=lambda steps: False), tmp_path)


def test_files_of_golden_games_that_were_removed_are_deleted(tmp_path: Path) -> None:
    record(POSTCARDS, POSTED._replace(name="old"), tmp_path)
    with pytest.raises(AssertionError, match="no golden game describes old"):
        check_files([POSTED], tmp_path)
    record_all(POSTCARDS, [POSTED], tmp_path)
    check_files([POSTED], tmp_path)


def test_nothing_is_lost_when_a_match_cannot_be_found(tmp_path: Path) -> None:
    record(POSTCARDS, POSTED, tmp_path)
    before = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}

    def breaks(steps: object) -> bool:
        raise IndexError

    broken = Golden("broken", ("random", "random"), breaks)
    with pytest.raises(IndexError):
        record_all(POSTCARDS, [POSTED._replace(players=("random",) * 3), broken], tmp_path)
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == before
