"""The benchmark's arithmetic, and that it still finds what it measures. No test looks at a time."""

import io

import pytest
from rich.console import Console

from bench import ours, plain, searching, strength, worlds
from bench.__main__ import medians, search_medians, show, show_searches, with_ratios
from bench.measure import Row
from grandtour.engine.catalogue import games
from grandtour.engine.game import Game
from tests.engine.tiny import RENDEZVOUS


def a_row(library: str, loop: str, pace: float, clone: float = 1.0, players: int = 2) -> Row:
    return {
        "library": library,
        "version": "1",
        "name": "round-trip",
        "players": players,
        "loop": loop,
        "games": 2,
        "decisions": 100,
        "per_second": pace,
        "chance_per_second": 0.0,
        "clone_us": clone,
    }


def test_a_row_is_the_median_of_its_runs() -> None:
    rows = medians([a_row("peer", "python", pace) for pace in (10.0, 90.0, 30.0)])
    assert len(rows) == 1
    assert (rows[0]["decisions_per_second"], rows[0]["slowest"], rows[0]["quickest"]) == (30.0, 10.0, 90.0)
    assert (rows[0]["runs"], rows[0]["decisions_per_game"]) == (3, 50.0)


def test_loops_are_compared_like_with_like_and_with_two_players() -> None:
    samples = [
        a_row("grandtour", "library", 2000.0, clone=0.5),
        a_row("grandtour", "python", 1000.0, clone=0.5),
        a_row("grandtour", "python", 7.0, players=4),
        a_row("grandtour, interpreted", "python", 100.0),
        a_row("peer", "library", 500.0, clone=2.0),
        a_row("peer", "python", 50.0, clone=2.0),
    ]
    rows = {(row["library"], row["loop"]): row for row in with_ratios(medians(samples))}
    assert rows["peer", "library"]["ratio"] == 4.0
    assert rows["peer", "python"]["ratio"] == 20.0
    assert rows["peer", "python"]["ratio_interpreted"] == 2.0
    assert rows["peer", "python"]["ratio_clone"] == 4.0
    assert "ratio_interpreted" not in rows["peer", "library"]


def test_the_table_has_a_line_for_every_game() -> None:
    console = Console(file=io.StringIO(), width=110)
    show(console, with_ratios(medians([a_row("grandtour", "python", 3e6), a_row("peer", "python", 1e6)])))
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert "3.00 M" in text
    assert "1.00 M" in text


@pytest.mark.parametrize("game", list(games().values()), ids=lambda game: game.name)
def test_every_game_is_measured_with_both_loops(game: Game) -> None:
    rows = ours.rows(game, ours.MANY, seed=7, budget=0.001)
    assert [row["loop"] for row in rows] == ["library", "python"]
    for row in rows:
        assert (row["name"], row["players"]) == (game.name, ours.MANY)
        assert row["decisions"] > row["games"] > 0


def test_what_can_be_switched_on_is_on() -> None:
    assert ours.fullest(RENDEZVOUS, 2) == {"weather": "sun", "fast": True}


def test_a_search_is_measured_by_its_iterations_and_by_its_moves() -> None:
    searched: list[str] = []

    def search(position: str) -> float:
        searched.append(position)
        return 4.0 * searching.ITERATIONS

    row = searching.searching(["one", "two"], search, budget=0.0)
    assert searched == ["one", "one", "two"], "the first is off the clock, then all in turn"
    assert row["moves_per_iteration"] == 4.0
    assert row["iteration_us"] == pytest.approx(4 * row["move_us"])


def test_every_search_has_a_line_with_the_median_of_its_runs() -> None:
    names = {"library": "peer", "version": "1", "kind": "C++", "name": "poker"}
    figures = {"moves_per_iteration": 4.0, "iteration_us": 8.0, "move_us": 2.0}
    rows = search_medians([{**names, **figures, "iterations_per_second": pace} for pace in (10.0, 7654.0, 90000.0)])
    assert [(row["runs"], row["iterations_per_second"]) for row in rows] == [(3, 7654.0)]
    console = Console(file=io.StringIO(), width=110)
    show_searches(console, rows)
    assert isinstance(console.file, io.StringIO)
    assert "7,654" in console.file.getvalue()


def test_a_first_player_plays_every_deal_from_every_seat() -> None:
    duel, deals = strength.read(["round-trip", "normal", "random", "--deals", "3", "--option", "turn_limit=10"])
    assert (duel.seats, deals) == (2, range(3))
    found = [strength.play(duel, deal) for deal in deals]
    assert found == [strength.play(duel, deal) for deal in deals], "the same deals come out otherwise"
    assert all(0 <= one.share <= 1 for one in found)
    assert "2 players, 3 deals: normal against random: " in strength.told(duel, found)
    even = duel._replace(first="normal", others="normal")
    assert strength.told(even, [strength.Found(0.5, 0.0)] * 2).endswith(
        "0.500 ± 0.000 of the wins (even: 0.500), 0.00 ± 0.00 points ahead"
    )


def test_teams_play_the_same_deals_and_their_points_are_compared() -> None:
    duel, deals = strength.read(["word-traveler", "normal", "random", "--deals", "1"])
    assert "a team of normal against random: " in strength.told(duel, [strength.play(duel, deal) for deal in deals])


def test_plain_players_play_their_games_and_are_no_players_of_the_house(capsys: pytest.CaptureFixture[str]) -> None:
    for game, name in (("itchy-feet", "draw-and-travel"), ("ticket-to-ride-italy", "longest-route")):
        asked = [game, name, "random", "--deals", "1", "--skip", "4"]
        with plain.known():
            duel, deals = strength.read(asked)
            assert deals == range(4, 5)
            assert strength.play(duel, 4).share >= 0.5, f"{name} loses to someone who plays anything"
        with pytest.raises(SystemExit):
            strength.read(asked)
        assert "There is no player" in capsys.readouterr().err


def test_no_deals_at_all_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        strength.read(["round-trip", "normal", "random", "--deals", "0"])
    assert "0 is not a number from 1 on" in capsys.readouterr().err


def test_worlds_that_cannot_be_are_counted() -> None:
    true = [{("north", "red")}, {("north", "blue")}]
    assert worlds.apart(true, true) == (0.0, 0.0, 0.0)
    wrong = [{("north", "red")}, {("north", "green")}]
    assert worlds.apart(wrong, true).impossible == 0.5
    assert worlds.apart(wrong, true).off == pytest.approx(1 / 3)
    assert worlds.apart(wrong, true).most == 0.5


@pytest.mark.parametrize("name", worlds.HIDDEN)
def test_worlds_are_imagined_as_they_should_be_after_a_move(name: str) -> None:
    _, later = worlds.measure(games()[name], deals=1, worlds=40, looks=6)
    assert later.looked, "no move was looked at"
    assert later.imagined.impossible <= later.chance.impossible + 0.1, "too many worlds cannot be"
    assert later.worst < 0.3, "after some move a card is hardly ever where it should be"
    assert later.imagined.off <= 1.25 * later.chance.off + 0.01, "cards are not where they are likely to be"
