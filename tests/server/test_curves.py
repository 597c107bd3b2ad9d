"""The curve of chances: computed once for a finished match, and stored with it."""

import asyncio
from pathlib import Path

import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.state import State
from grandtour.players import make
from grandtour.players.hard import Hard
from grandtour.players.review import chances, positions_of, turning_points
from grandtour.server.background.curves import Curves
from grandtour.server.background.replay import Positions
from grandtour.server.http.requests import Curve
from grandtour.server.storage.sqlite_store import SqliteStore
from grandtour.server.storage.store import TableRow
from tests.server.client import Api, settings_for


def finished(game: str, seats: int) -> Match:
    match = Match(catalogue.game(game), seats, {}, 5)
    player, dice = make("random"), QuickDice(1)
    while not match.over:
        seat = match.waiting()[0]
        match.play(seat, match.game.moves.name(player.choose(match.game, match.state, seat, dice)))
    return match


def test_positions_are_spread_over_the_whole_match() -> None:
    match = finished("postcards-home", 3)
    found = positions_of(match, 6, QuickDice(1))
    assert len(found) == 6
    assert found[0].n == 0
    assert found[-1].n > len(match.log) * 2 // 3
    assert all(len(position.imagined) == 3 for position in found)


def test_chances_are_between_0_and_1_and_point_to_the_winner_near_the_end() -> None:
    match = finished("postcards-home", 2)
    *_, last = positions_of(match, len(match.log), QuickDice(1))
    hard = make("hard:1ms")
    assert isinstance(hard, Hard)
    found = chances(hard, match.game, last.imagined, QuickDice(2))
    assert all(0 <= chance <= 1 for chance in found)
    result = match.result()
    assert result is not None
    assert found.index(max(found)) == result.index(max(result))


@pytest.mark.parametrize(
    ("points", "turns"),
    [
        ([], []),
        ([(0, [0.5, 0.5])], []),
        ([(0, [0.5, 0.5]), (4, [0.55, 0.45])], []),
        ([(0, [0.5, 0.5]), (4, [0.8, 0.2]), (8, [0.75, 0.25]), (12, [0.2, 0.8])], [4, 12]),
    ],
)
def test_a_turning_point_is_a_large_change_of_a_chance(points: list[tuple[int, list[float]]], turns: list[int]) -> None:
    assert turning_points(points) == turns


class FixedChances:
    """Replaces the hint pool. Every seat always has half a chance."""

    async def chances(self, budget: str, game: Game, imagined: list[State]) -> list[float]:
        await asyncio.sleep(0)
        return [0.5 for _ in imagined]


def test_a_curve_is_computed_once_and_stored_with_the_match(tmp_path: Path) -> None:
    match = finished("postcards-home", 2)
    result = match.result()
    assert result is not None
    asked = 0

    async def find() -> Positions:
        nonlocal asked
        asked += 1
        return Positions(match.game.name, positions_of(match, 6, QuickDice(1)), len(match.log), result)

    async def main() -> None:
        store, settings = SqliteStore(None), settings_for(tmp_path)
        await store.create(TableRow("table", 0.0, False, b"{}"), [b"{}"])
        curves = Curves(store, FixedChances(), settings)  # type: ignore[arg-type]
        assert await curves.get("table") == Curve(0, 0, False, [], [])
        while not (await curves.ask("table", find, "")).over:  # noqa: ASYNC110
            await asyncio.sleep(0)
        curve = await curves.get("table")
        assert (curve.done, curve.of, asked) == (6, 6, 1)
        assert (curve.points[-1].n, curve.points[-1].chances) == (len(match.log), result), "it ends with the result"
        assert await Curves(store, FixedChances(), settings).get("table") == curve  # type: ignore[arg-type]
        await store.delete("table")
        assert not (await curves.get("table")).over, "it is deleted with the table"
        await store.close()

    asyncio.run(main())


def test_a_running_match_has_no_curve(api: Api) -> None:
    made = api.open("me", "open")
    for method in ("GET", "POST"):
        status, refusal = api.request(method, f"/api/tables/{made['table']}/curve", None if method == "GET" else {})
        assert (status, refusal["code"]) == (409, "not-over")
    assert api.request("GET", "/api/tables/nowhere/curve")[0] == 404
