"""The benchmarks: their arithmetic, and that they still run. No test depends on timings."""

import asyncio
import io
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import grandtour
from bench import baselines, exact_worlds, load, ours, pauses, search_speed, strength, worlds
from bench.__main__ import medians, search_medians, show, show_searches, with_ratios
from bench.measure import Row
from bench.small_positions import SMALL, arrangements
from grandtour.engine.catalogue import games
from grandtour.engine.game import Game
from grandtour.server.tables.client import frame
from tests.engine.tiny import RENDEZVOUS


def make_row(library: str, loop: str, pace: float, clone: float = 1.0, players: int = 2) -> Row:
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
    rows = medians([make_row("peer", "python", pace) for pace in (10.0, 90.0, 30.0)])
    assert len(rows) == 1
    assert (rows[0]["decisions_per_second"], rows[0]["slowest"], rows[0]["quickest"]) == (30.0, 10.0, 90.0)
    assert (rows[0]["runs"], rows[0]["decisions_per_game"]) == (3, 50.0)


def test_loops_are_compared_with_the_same_kind_of_loop_and_two_players() -> None:
    samples = [
        make_row("grandtour", "library", 2000.0, clone=0.5),
        make_row("grandtour", "python", 1000.0, clone=0.5),
        make_row("grandtour", "python", 7.0, players=4),
        make_row("grandtour, interpreted", "python", 100.0),
        make_row("peer", "library", 500.0, clone=2.0),
        make_row("peer", "python", 50.0, clone=2.0),
    ]
    rows = {(row["library"], row["loop"]): row for row in with_ratios(medians(samples))}
    assert rows["peer", "library"]["ratio"] == 4.0
    assert rows["peer", "python"]["ratio"] == 20.0
    assert rows["peer", "python"]["ratio_interpreted"] == 2.0
    assert rows["peer", "python"]["ratio_clone"] == 4.0
    assert "ratio_interpreted" not in rows["peer", "library"]


def test_the_table_has_a_line_for_every_game() -> None:
    console = Console(file=io.StringIO(), width=110)
    show(console, with_ratios(medians([make_row("grandtour", "python", 3e6), make_row("peer", "python", 1e6)])))
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert "3.00 M" in text
    assert "1.00 M" in text


@pytest.mark.parametrize("game", list(games().values()), ids=lambda game: game.name)
def test_every_game_is_measured_with_both_loops(game: Game) -> None:
    rows = ours.rows(game, ours.LARGE_TABLE, seed=7, budget=0.001)
    assert [row["loop"] for row in rows] == ["library", "python"]
    for row in rows:
        assert (row["name"], row["players"]) == (game.name, ours.LARGE_TABLE)
        assert row["decisions"] > row["games"] > 0


def test_all_on_off_options_are_on() -> None:
    assert ours.all_options_on(RENDEZVOUS, 2) == {"weather": "sun", "fast": True}


def test_a_search_is_measured_by_its_iterations_and_by_its_moves() -> None:
    searched: list[str] = []

    def search(position: str) -> float:
        searched.append(position)
        return 4.0 * search_speed.ITERATIONS

    row = search_speed.measure_search(["one", "two"], search, budget=0.0)
    assert searched == ["one", "one", "two"], "the first search is not timed, then all in turn"
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


def test_the_first_player_has_every_seat_of_every_deal() -> None:
    duel, deals = strength.read(["round-trip", "normal", "random", "--deals", "3", "--option", "turn_limit=10"])
    assert (duel.seats, deals) == (2, range(3))
    found = [strength.play(duel, deal) for deal in deals]
    assert found == [strength.play(duel, deal) for deal in deals], "the same deals give other results"
    assert all(0 <= one.share <= 1 for one in found)
    assert "2 players, 3 deals: normal against random: " in strength.summary(duel, found)
    even = duel._replace(first="normal", others="normal")
    assert strength.summary(even, [strength.DealResult(0.5, 0.0)] * 2).endswith(
        "0.500 ± 0.000 of the wins (equal strength: 0.500), 0.00 ± 0.00 points ahead"
    )


def test_teams_play_the_same_deals_and_their_points_are_compared() -> None:
    duel, deals = strength.read(["word-traveler", "normal", "random", "--deals", "1"])
    assert "a team of normal against random: " in strength.summary(duel, [strength.play(duel, deal) for deal in deals])


def test_baselines_play_their_games_and_are_not_built_in_players(capsys: pytest.CaptureFixture[str]) -> None:
    for game, name in (("itchy-feet", "draw-and-travel"), ("ticket-to-ride-italy", "longest-route")):
        asked = [game, name, "random", "--deals", "1", "--skip", "4"]
        with baselines.registered():
            duel, deals = strength.read(asked)
            assert deals == range(4, 5)
            assert strength.play(duel, 4).share >= 0.5, f"{name} loses to random"
        with pytest.raises(SystemExit):
            strength.read(asked)
        assert "There is no player" in capsys.readouterr().err


def test_zero_deals_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        strength.read(["round-trip", "normal", "random", "--deals", "0"])
    assert "0 is not a number of at least 1" in capsys.readouterr().err


def test_impossible_worlds_are_counted() -> None:
    true = [{("north", "red")}, {("north", "blue")}]
    assert worlds.apart(true, true) == (0.0, 0.0, 0.0)
    wrong = [{("north", "red")}, {("north", "green")}]
    assert worlds.apart(wrong, true).impossible == 0.5
    assert worlds.apart(wrong, true).off == pytest.approx(1 / 3)
    assert worlds.apart(wrong, true).most == 0.5


@pytest.mark.parametrize("name", worlds.HIDDEN)
def test_worlds_have_the_right_frequencies_after_a_move(name: str) -> None:
    _, later = worlds.measure(games()[name], deals=1, worlds=40, looks=6)
    assert later.looked, "no move was checked"
    assert later.imagined.impossible <= later.chance.impossible + 0.1, "too many worlds are impossible"
    assert later.worst < 0.3, "after some move a card is hardly ever where it should be"
    assert later.imagined.off <= 1.25 * later.chance.off + 0.01, "cards are not where they are likely to be"


def test_every_deal_is_listed_and_equally_likely() -> None:
    ways = list(arrangements([1, 1, 2], (1, 2)))
    assert sorted(ways) == [((1,), (1, 2)), ((1,), (1, 2)), ((2,), (1, 1))]


def test_worlds_that_are_not_on_the_list_are_impossible() -> None:
    small = SMALL["journey-istanbul"][0]()
    state: Any = small.deals[0]
    fitting = exact_worlds.fitting(small, small.game.view(state, small.seat))
    assert exact_worlds.compare(small, state, fitting, 20, 0).impossible == 0
    assert exact_worlds.compare(small, state, [(state, 1.0)], 20, 0).impossible > 0.5


def test_a_move_is_followed_with_every_roll_of_the_dice() -> None:
    small = SMALL["ticket-to-ride-italy"][0]()
    state: Any = small.deals[0]
    blind = small.game.moves.number({"do": "draw", "card": "deck"})
    falls = list(exact_worlds.all_outcomes(state, small.seat, blind, small.seat))
    assert len(falls) == state.decked == 12
    assert sum(chance for _, chance, _ in falls) == pytest.approx(1)
    drawn = [story[0]["card"] for _, _, story in falls]
    assert drawn.count("locomotive") == 2


@pytest.mark.parametrize("name", SMALL)
def test_imagined_worlds_of_small_positions_are_possible_and_have_the_right_frequencies(name: str) -> None:
    found = exact_worlds.measure(SMALL[name][0](), runs=1, worlds=60, moves=3)
    assert found.positions == 4, "the worlds were not followed for three moves"
    assert found.most_worlds > 5, "hardly anything was hidden"
    assert found.impossible == 0, f"{found.impossible:.1%} of the imagined worlds are impossible"
    assert found.off <= 1.25 * found.off_by_chance + 0.01, "cards are not where they are likely to be"


def test_frames_are_read_as_the_server_sends_them() -> None:
    sent = [b"{}", b"x" * 300, b"y" * 70_000]
    buffer = bytearray(b"".join(map(frame, sent)))
    rest = buffer[-10:]
    del buffer[-10:]
    assert list(load.frames(buffer)) == [(load.TEXT, payload) for payload in sent[:2]]
    buffer += rest
    assert list(load.frames(buffer)) == [(load.TEXT, payload) for payload in sent[2:]]
    assert not buffer


def test_the_load_on_a_server_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(grandtour.__file__).parents[1]))
    with load.server(sys.executable) as (url, pid):
        found = asyncio.run(load.measure(url, pid, "round-trip", 2, 2, 5, None))
    assert found["moves"] == 10
    assert 0 < found["bytes_per_move_and_recipient"] < 5000
    console = Console(file=io.StringIO(), width=110)
    load.show(console, [found])
    assert isinstance(console.file, io.StringIO)
    assert "round-trip" in console.file.getvalue()


def test_the_pauses_of_a_server_are_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(grandtour.__file__).parents[1]))
    pauses.main(tables=8, busy=6, rate=1000.0, seconds=1.0, python=sys.executable)
    told = capsys.readouterr().out
    assert told.startswith("8 tables, ")
    assert "\nprocessor time, ms: " in told
    assert " 0 moves" not in told
