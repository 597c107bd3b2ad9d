"""The report: one self-contained page whose findings follow from the games."""

import re
import subprocess
import sys
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from grandtour import cli
from grandtour.arena.report.effects import MIN_HOLDERS, HolderTotals, effects
from grandtour.arena.report.formatting import WIN_RATE
from grandtour.arena.report.map_plot import place_labels
from grandtour.arena.report.observe import PHASES, Observed, observe
from grandtour.arena.report.page import chapters, make_page
from grandtour.arena.report.plots import bins
from grandtour.arena.report.sample import Sample
from grandtour.arena.simulation import Plan, make_plan, play_game
from grandtour.arena.tally import NO_FORFEITS
from grandtour.engine.catalogue import game, games

EMPTY = {"meta", "link", "br", "img", "hr", "input"}
PLAN = make_plan("round-trip", ["normal", "normal"], 40, 7)


class Reader(HTMLParser):
    """Checks that every element is closed, and collects ids, references and headings."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.headings: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in EMPTY:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "xlink:href", "data", "action", "poster", "srcset"):
                self.references.append(value or "")
        if tag == "h3":
            self.headings.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        if "h3" in self.open:
            self.headings[-1] += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == [], "an element is not closed"
    return reader


@pytest.mark.parametrize("name", games())
def test_a_report_is_one_self_contained_page(name: str, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert cli.main(["report", name, "--players", "normal,random", "--games", "3", "--out", str(out)]) == 0
    page = out.read_text("utf-8")
    reader = read(page)
    assert page.startswith("<!doctype html>")
    assert len(reader.ids) == len(set(reader.ids)), "an id is used twice"
    for reference in reader.references:
        assert reference.startswith("#"), f"the page fetches {reference}"
        assert reference[1:] in reader.ids, f"{reference} leads nowhere"
    assert not re.search(r"url\((?!#)|@import|<script", page)
    assert "default-src 'none'" in page
    for stated in ("3 simulated games", "normal, random", "Seed", "Grand Tour ", f"rules {game(name).version}"):
        assert stated in page, f"the page does not state {stated}"
    assert len(reader.headings) >= 5
    assert page.count("<svg") >= len(reader.headings), "a finding has no plot"


def test_the_same_seed_gives_the_same_page_with_any_number_of_jobs(tmp_path: Path) -> None:
    pages = []
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.html"
        few = ["--players", "random,random", "--option", "turn_limit=10", "--games", "9"]
        assert cli.main(["report", "round-trip", *few, "--jobs", jobs, "--out", str(out)]) == 0
        pages.append(out.read_text("utf-8"))
    assert pages[0] == pages[1]


def test_observed_games_are_those_a_simulation_plays() -> None:
    for index in range(3):
        seen, played = observe(PLAN, index), play_game(PLAN, index)
        assert seen.moves == played.moves
        assert [seen.shares[seen.players.index(player)] for player in range(2)] == list(played.shares)
        assert 0 < sum(seen.chosen.values()) == seen.choices <= seen.moves
        assert all(0 <= phase < PHASES for phase, _ in seen.chosen)


@pytest.mark.parametrize("name", [name for name, found in games().items() if found.study])
def test_a_study_lists_what_each_seat_had(name: str) -> None:
    found = game(name)
    assert found.study is not None
    plan = make_plan(name, ["normal"] * found.players[0], 1, 7)
    seen = observe(plan, 0)
    kinds = {kind.one for kind in (*found.study.chance, *found.study.choice)}
    for things in seen.things:
        assert things, "a seat had nothing"
        assert {kind for kind, _ in things} <= kinds
    assert seen.first in range(found.players[0])


def test_a_game_without_a_winner_has_no_score_sections() -> None:
    plan = make_plan("journey-istanbul", ["normal"] * 3, 4, 7, {"winner": "none"})
    sample = Sample(plan)
    for index in range(4):
        sample.add(observe(plan, index))
    told = {section.anchor for chapter in chapters(sample) for section in chapter.sections}
    assert "endings" in told
    assert not told & {"scores", "finishes"}


def test_a_map_has_a_line_for_every_route_between_places_it_knows() -> None:
    study = game("ticket-to-ride-italy").study
    assert study is not None
    assert study.chart is not None
    assert len(study.chart.lines) == 128
    for a, b in study.chart.lines.values():
        assert {a, b} <= study.chart.places.keys() == study.chart.labels.keys()
    plan = make_plan("ticket-to-ride-italy", ["normal", "normal"], 1, 7)
    routes = {name for things in observe(plan, 0).things for kind, name in things if kind == "route"}
    assert routes <= study.chart.lines.keys()


def test_every_place_on_the_map_has_room_for_its_name() -> None:
    study = game("ticket-to-ride-italy").study
    assert study is not None
    assert study.chart is not None
    assert {name.text for name in place_labels(study.chart)} == set(study.chart.labels.values())


def observed_game(first: int, won: int, things: list[list[str]], moves: int = 50) -> Observed:
    """A game of two in which one seat won, and the seats had these tickets."""
    shares = (1.0, 0.0) if won == 0 else (0.0, 1.0)
    had = [[("ticket laid", name) for name in some] for some in things]
    return Observed(moves, (0, 1), first, shares, (4.0 * shares[0], 4.0 * shares[1]), "an end", had, {(0, 0): 1}, 1, 4)


def sample_of(*seen: Observed) -> Sample:
    sample = Sample(PLAN)
    for one in seen:
        sample.add(one)
    return sample


def headings(sample: Sample) -> list[str]:
    return [section.heading.replace("\u00a0", " ") for chapter in chapters(sample) for section in chapter.sections]


def test_a_first_player_advantage_is_detected_and_stated() -> None:
    sample = sample_of(
        *(observed_game(first=i % 2, won=i % 2 if i % 5 else 1 - i % 2, things=[[], []]) for i in range(200))
    )
    assert "Going first is an advantage: 80 % of games won instead of 50 %" in headings(sample)
    fair = sample_of(*(observed_game(first=i % 2, won=i // 2 % 2, things=[[], []]) for i in range(200)))
    assert "Going first makes no clear difference" in headings(fair)
    assert 'No clear differences were found for <a href="#seats">who goes first</a>' in make_page(fair)


def test_an_advantage_of_another_seat_is_stated_if_going_first_makes_no_difference() -> None:
    sample = Sample(make_plan("round-trip", ["normal"] * 3, 300, 7))
    for i in range(300):
        # The first player wins one game in three, the last player one in two.
        won = (0, 0, 1, 2, 2, 2)[i % 6]
        shares = tuple(float(seat == won) for seat in range(3))
        sample.add(Observed(50, (0, 1, 2), 0, shares, shares, "an end", [[], [], []], {(0, 0): 1}, 1, 4))
    assert "The third player has an advantage: 50 % of games won instead of 33 %" in headings(sample)


def test_a_verb_that_is_never_chosen_is_named_only_if_it_was_available() -> None:
    seen = observed_game(0, 0, [[], []])._replace(offered=frozenset({0, 5}))
    text = " ".join(
        text for chapter in chapters(sample_of(seen, seen)) for one in chapter.sections for text in one.text
    )
    assert "Never chosen, although possible: “end turn”." in text


def test_things_that_winners_had_have_an_effect_and_things_that_all_had_do_not() -> None:
    rich, poor = ["gold", "salt"], ["salt"]
    sample = sample_of(
        *(observed_game(0, won=i % 2, things=[poor, rich] if i % 2 else [rich, poor]) for i in range(100))
    )
    gold, salt = sample.effects("ticket laid")
    assert (gold.name, gold.holders, gold.share) == ("gold", 100, 0.5)
    assert gold.gain == pytest.approx(0.5)
    assert gold.significant
    assert salt.gain == pytest.approx(0)
    assert not salt.significant
    assert salt.low < 0 < salt.high
    assert any("Most valuable ticket laid: gold." in heading for heading in headings(sample))


def test_a_strong_players_things_are_compared_with_its_own_win_rate() -> None:
    """Player 0 wins three games out of four, and always has silver: silver has no effect."""
    sample = Sample(Plan("round-trip", PLAN.options, ("normal", "random"), 100, 7))
    for i in range(100):
        sample.add(observed_game(first=0, won=int(i % 4 == 0), things=[["silver"], []]))
    (silver,) = sample.effects("ticket laid")
    assert silver.gain == pytest.approx(0)


def test_effect_intervals_contain_zero_if_there_is_no_effect() -> None:
    from random import Random

    random = Random(7)
    missed = found = 0
    for _ in range(40):
        things = {f"thing {n}": HolderTotals(1) for n in range(10)}
        for _ in range(100):
            won = random.randrange(2)
            for holding in things.values():
                held = [random.random() < 0.3 for _ in range(2)]
                if any(held):
                    holding.add([float(held[won]), float(sum(held))])
        for one in effects(things, [0.5], 0.5, 200, 1.0):
            missed += not one.low <= 0 <= one.high
            found += one.significant
    assert 0.02 < missed / 400 < 0.08
    assert found <= 4


def test_an_effect_with_few_holders_is_shrunk_and_never_significant() -> None:
    things = {"rare": HolderTotals(1), "common": HolderTotals(1), "bad": HolderTotals(1)}
    for _ in range(MIN_HOLDERS - 25):
        things["rare"].add([1.0, 1.0])
    for i in range(200):
        things["common"].add([float(i % 4 > 0), 1.0])
        things["bad"].add([float(i % 4 == 0), 1.0])
    by_name = {one.name: one for one in effects(things, [0.5], 0.5, 1000, 1.0)}
    assert by_name["rare"].gain == 0.5 > by_name["common"].gain == 0.25
    assert by_name["rare"].low < by_name["common"].low, "five lucky holders count for more than a hundred and fifty"
    assert by_name["rare"].shrunk / by_name["rare"].gain < by_name["common"].shrunk / by_name["common"].gain
    assert not by_name["rare"].significant
    assert by_name["common"].significant
    assert by_name["bad"].significant
    assert by_name["bad"].shrunk < 0


def test_no_interval_goes_beyond_winning_every_game() -> None:
    """From a win rate of one half there are at most fifty percentage points to gain."""
    thing = HolderTotals(1)
    thing.add([1.0, 1.0])
    (one,) = effects({"lucky": thing}, [0.5], 0.5, 2, max_outcome=1.0)
    assert (one.gain, one.high) == (0.5, 0.5)
    (free,) = effects({"lucky": thing}, [0.5], 0.5, 2, max_outcome=None)
    assert free.high > 0.5, "a score has no such bound"


def test_zero_has_no_sign() -> None:
    assert [WIN_RATE.signed(gain) for gain in (0.0001, -0.0001, 0.01, -0.01)] == ["0.0", "0.0", "+1.0", "−1.0"]


def test_the_command_on_the_page_can_be_copied_as_is() -> None:
    plan = make_plan("word-traveler", ["normal", "normal"], 2, 7, {"city": "New York"})
    sample = Sample(plan)
    for index in range(2):
        sample.add(observe(plan, index))
    command = "grandtour report word-traveler --players normal,normal --games 2 --seed 7 --option 'city=New York'"
    assert escape(command) in make_page(sample)


def test_the_page_reports_forfeits() -> None:
    plan = Plan("round-trip", PLAN.options, ("./bot", "normal"), 2, 7)
    sample = Sample(plan)
    lost = (3, *NO_FORFEITS[1:])
    # The program sits in the first seat, then in the second.
    sample.add(observed_game(first=0, won=0, things=[[], []])._replace(forfeits=(lost, NO_FORFEITS)))
    sample.add(observed_game(first=0, won=0, things=[[], []])._replace(players=(1, 0), forfeits=(NO_FORFEITS, lost)))
    assert "<dd>./bot forfeited moves, which were played at random: 6 crashed.</dd>" in make_page(sample)


@pytest.mark.parametrize(
    ("values", "edges"),
    [([1, 3], [0.5, 1.5, 2.5, 3.5]), ([0, 40], [2 * n for n in range(22)]), ([5, 5], [4.5, 5.5])],
)
def test_histograms_have_round_steps(values: list[float], edges: list[float]) -> None:
    assert bins(values) == edges


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["round-trip", "--out", "report.pdf"], "A report is written to a .html file, not to 'report.pdf'."),
        (["round-trip", "--out", "no/such/report.html"], "Cannot write to 'no/such/report.html'"),
        (["round-trip", "--games", "1"], "Invalid value for '--games'"),
        (["round-trip", "--players", "normal"], "Round Trip Italy is for 2 to 4 players, not 1."),
        (["chess"], "There is no game 'chess' here"),
    ],
)
def test_an_impossible_report_is_refused(args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["report", *args]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1


def test_without_matplotlib_one_sentence_says_what_to_install() -> None:
    code = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'matplotlib' else find(name, *more)\n"
        "from grandtour.cli import main; sys.exit(main(['report', 'round-trip']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "This needs matplotlib: pip install 'grandtour[arena]', or in a checkout make setup.\n"
