"""Guided first games: every note of a guide appears in the deal chosen for it."""

from collections.abc import Iterator

import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.vocabulary import Named
from grandtour.players import Player, make, speakers
from grandtour.server.http.requests import Guide, Note
from grandtour.server.tables.guide import bot_seed, guide, guide_of, secret
from tests.server.client import Api

GUIDED = [name for name in catalogue.games() if guide_of(name)]
LONG = 220
"""The maximum length of a note, so that it fits beside the board."""
PATIENT = 400
"""A note that has not appeared after this many moves counts as missing."""


def part_of(part: dict[str, object], move: Named) -> bool:
    return all(move.get(key) == value for key, value in part.items())


def legal(match: Match, part: dict[str, object]) -> list[Named]:
    return [move for move in match.legal(0) if part_of(part, move)]


class Lesson:
    """A guided game with a learner who follows the notes and otherwise plays sensibly."""

    def __init__(self, name: str, guide: Guide, seed: int) -> None:
        self.game = catalogue.game(name)
        self.guide = guide
        self.match = Match(self.game, guide.players, guide.options, secret(name, guide))
        self.bots = [None, *[guide.bots] * (guide.players - 1)]
        self.seed = seed

    def notes(self) -> Iterator[Note]:
        """The notes that the learner gets to see, in the order of the page."""
        following = 0
        for _ in range(PATIENT):
            shown = self._shown(following)
            if shown is not None:
                note = self.guide.notes[shown]
                yield note
                following = shown + 1
                if note.until is not None:
                    self._do(note.until)
            elif following == len(self.guide.notes) or not self._play_on():
                return

    def _shown(self, following: int) -> int | None:
        for number, note in enumerate(self.guide.notes[following:], following):
            moment = note.when or note.until
            if legal(self.match, moment) if moment else number == following:
                return number
        return None

    def _do(self, part: dict[str, object]) -> None:
        """Do what a note asks for, once it is possible."""
        for _ in range(PATIENT):
            if moves := legal(self.match, part):
                self.match.play(0, moves[0])
                return
            assert self._play_on(), f"{part} is asked for, and the game is over"
        raise AssertionError(f"{part} is asked for, and can never be done")

    def _play_on(self) -> bool:
        seats = [*speakers(self.game, self.match.state, self.bots), *self.match.waiting()]
        if not seats:
            return False
        seat = seats[0]
        bot: Player = make(self.guide.bots if seat else "normal")
        seed = self._seed(seat)
        imagined = self.match.state.imagine(seat, QuickDice(seed))
        move = bot.choose(self.game, imagined, seat, QuickDice(seed))
        self.match.play(seat, self.game.moves.name(move))
        return True

    def _seed(self, seat: int) -> int:
        moves = sum(entry.seat == seat for entry in self.match.log)
        return bot_seed(secret(self.game.name, self.guide), seat, moves) if seat else self.seed + moves


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", GUIDED)
def test_every_note_appears_and_can_be_followed(name: str, seed: int) -> None:
    found = guide(name)
    seen = list(Lesson(name, found, seed).notes())
    missing = [note.text for note in found.notes if note not in seen]
    assert not missing, f"{name}: these notes never appeared: {missing}"


@pytest.mark.parametrize("name", GUIDED)
def test_a_guide_has_three_to_eight_short_notes_that_point_at_something(name: str) -> None:
    notes = guide(name).notes
    assert 3 <= len(notes) <= 8
    for note in notes:
        assert note.at, f"{name}: a note points at nothing: {note.text}"
        assert len(note.text) <= LONG, f"{name}: a note of {len(note.text)} letters: {note.text}"


def test_a_guided_table_is_private_with_bots_and_a_known_deal(api: Api) -> None:
    name = "round-trip"
    opened = api.open(game=name, seats=[{"kind": "me", "name": "Ada"}], guided=True)
    table = api.get(f"/api/tables/{opened['table']}")
    assert table["guided"]
    assert not table["public"]
    assert [seat["kind"] for seat in table["seats"]] == ["person", "bot"]
    again = api.open(game=name, seats=[{"kind": "me", "name": "Ada"}], guided=True)
    assert api.get(f"/api/tables/{again['table']}")["seal"] == table["seal"], (
        "a guided game was not dealt as its guide says"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"public": True},
        {"seats": [{"kind": "me"}, {"kind": "open"}]},
        {"seats": [{"kind": "bot"}]},
        {"options": {"start": "2"}},
    ],
)
def test_a_guided_table_accepts_no_other_settings(api: Api, wrong: dict[str, object]) -> None:
    body = {"game": "round-trip", "seats": [{"kind": "me"}], "guided": True, **wrong}
    status, refusal = api.request("POST", "/api/tables", body)
    assert (status, refusal["code"]) == (400, "bad-options")


def test_a_game_without_a_guide_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grandtour.server.tables.guide.guide_of", lambda name: None)
    with pytest.raises(Refusal, match="has no guided game") as refused:
        guide("round-trip")
    assert refused.value.code == "no-guide"
