"""A match accepts only legal moves. A refused move changes nothing."""

import pickle
import random
from typing import Any

import pytest

from grandtour.engine import catalogue
from grandtour.engine.events import event, seen
from grandtour.engine.match import SNAPSHOT_EVERY, SNAPSHOTS, Match
from grandtour.engine.options import check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import CLOCK
from tests.engine.tiny import PLACES, RENDEZVOUS


def rendezvous(seats: int = 3, **options: Any) -> Match:
    return Match(RENDEZVOUS, seats, options, seed=4)


def meet(place: str = "Pier", hour: int = 10) -> dict[str, Any]:
    return {"do": "meet", "place": place, "hour": hour}


def refused(match: Match, seat: Any, named: Any, at: int | None = None) -> Refusal:
    before = (match.state.dump(), list(match.log), match.moment)
    with pytest.raises(Refusal) as caught:
        match.play(seat, named, at)
    assert (match.state.dump(), match.log, match.moment) == before, "a refused move changed something"
    assert caught.value.reason.endswith(".")
    return caught.value


def test_simultaneous_choices_can_be_made_in_any_order() -> None:
    match = rendezvous()
    assert match.waiting() == [0, 1, 2]
    for seat in (2, 0, 1):
        match.play(seat, meet())
    assert match.over
    assert match.result() == pytest.approx([1 / 3] * 3)


def test_another_seats_choice_does_not_make_mine_stale() -> None:
    match = rendezvous()
    at = match.moment
    match.play(0, meet(), at)
    match.play(1, meet("Square"), at)
    assert [entry.seat for entry in match.log] == [0, 1]


def test_a_move_decided_on_before_my_choices_changed_is_stale() -> None:
    match = rendezvous()
    at = match.moment
    match.play(0, meet(), at)
    assert refused(match, 0, meet(), at).code == "stale"
    assert refused(match, 1, meet(), 99).code == "stale"


def test_a_move_is_refused_from_a_seat_that_cannot_make_it() -> None:
    match = rendezvous()
    for nobody in (3, -2, "0", True, None, 1.0):
        assert refused(match, nobody, meet()).code == "wrong-seat"
    assert refused(match, 0, {"do": "time-up"}).code == "not-legal"
    match.play(0, meet())
    said = refused(match, 0, meet())
    assert (said.code, said.rule, str(said)) == ("wrong-seat", "RV-2", "RV-2: You have chosen already.")
    assert refused(match, 1, {"do": "dance"}).code == "unknown-move"
    assert refused(match, CLOCK, meet()).code == "not-legal"


def test_after_the_end_nothing_can_be_played_or_taken_back() -> None:
    match = rendezvous(2)
    match.play(0, meet())
    match.play(1, meet())
    assert refused(match, 0, meet()).code == "over"
    assert not match.can_undo(1)


def test_the_clock_moves_like_a_player() -> None:
    match = rendezvous(2)
    match.play(0, meet())
    match.play(CLOCK, {"do": "time-up"})
    assert match.over
    again = Match(RENDEZVOUS, 2, None, seed=4)
    for entry in match.log:
        again.play(entry.seat, RENDEZVOUS.moves.name(entry.move))
    assert again.state.dump() == match.state.dump()


def test_a_move_can_be_taken_back_until_something_hidden_is_shown() -> None:
    match = rendezvous(2)
    start = match.state.dump()
    match.play(0, meet())
    assert not match.can_undo(1)
    match.undo(0)
    assert (match.log, match.state.dump()) == ([], start)
    match.play(0, meet("Square"))
    match.play(1, meet())
    with pytest.raises(Refusal, match="shown something hidden"):
        match.undo(1)
    with pytest.raises(Refusal, match="no move of yours"):
        match.undo(0)


@pytest.mark.parametrize("name", sorted(catalogue.games()))
def test_after_any_undo_the_position_is_the_one_the_log_leads_to(name: str) -> None:
    game = catalogue.game(name)
    dice = random.Random(3)
    back = 0
    for seed in range(10):
        match = Match(game, game.players[0], None, bytes([seed] * 32))
        for _ in range(400):
            if match.over:
                break
            seat = dice.choice(match.waiting())
            match.play(seat, dice.choice(match.legal(seat)))
            if dice.random() < 0.2:
                while match.can_undo(seat) and dice.random() < 0.9:
                    match.undo(seat)
                    back += 1
                    again = replayed(match)
                    assert match.state.dump() == again.state.dump()
                    assert match._reveals == again._reveals
        if back:
            break
    assert back > 0, "nothing was taken back"


def test_a_move_is_taken_back_without_playing_the_match_again() -> None:
    game = catalogue.game("itchy-feet")
    match, dice = Match(game, 2, None, 1), random.Random(1)
    while len(match.log) < 4 * SNAPSHOT_EVERY * SNAPSHOTS or not match.can_undo(match.log[-1].seat):
        seat = dice.choice(match.waiting())
        match.play(seat, dice.choice(match.legal(seat)))
    assert len(match._snapshots) == SNAPSHOTS
    oldest, newest = match._snapshots[0][0], match._snapshots[-1][0]
    assert newest - oldest == SNAPSHOT_EVERY * (SNAPSHOTS - 1)
    assert 0 < len(match.log) - newest <= SNAPSHOT_EVERY
    match.undo(match.log[-1].seat)
    assert match._snapshots[0][0] == oldest, "the match was replayed from its start"


def replayed(match: Match) -> Match:
    again = Match(match.game, match.seats, match.options, match.seed, match.version)
    for entry in match.log:
        again.play(entry.seat, match.game.moves.name(entry.move))
    return again


def test_deciding_changes_nothing_until_it_is_applied() -> None:
    match = rendezvous(2)
    before, legal = match.state.dump(), match.legal(0)
    change = match.decide(0, meet())
    assert (match.state.dump(), match.log, match.legal(0)) == (before, [], legal)
    match.apply(change)
    assert match.state.dump() == change.state.dump() != before
    back = match.decide_undo(0)
    assert len(match.log) == 1
    match.apply(back)
    assert match.state.dump() == before


def test_a_change_is_applied_only_where_it_was_decided_on() -> None:
    match = rendezvous(2)
    change = match.decide(0, meet())
    match.play(1, meet())
    with pytest.raises(AssertionError, match="moved on"):
        match.apply(change)


def test_an_undo_makes_earlier_decisions_stale() -> None:
    match = rendezvous(2)
    match.play(0, meet())
    at = match.moment
    match.undo(0)
    assert refused(match, 1, meet(), at).code == "stale"
    match.play(1, meet(), match.moment)


def test_the_steps_of_a_match_begin_with_the_set_up() -> None:
    match = rendezvous(2, weather="rain")
    match.play(1, meet("Station"))
    first, second = match.steps()
    assert first.events == [{"event": "gathered", "weather": "rain"}]
    assert [seen(record, 1) for record in second.events] == [{"event": "chose", "seat": 1, "place": "Station"}]
    assert [seen(record, 0) for record in second.events] == [{"event": "chose", "seat": 1}]


def test_an_event_shows_each_seat_its_own_part_and_a_spectator_none() -> None:
    record = event("exchanged", {0: {"got": "A"}, 2: {"got": "B"}}, seat=0, to=2)
    assert seen(record, 0) == {"event": "exchanged", "seat": 0, "to": 2, "got": "A"}
    assert seen(record, 2)["got"] == "B"
    assert seen(record, 1) == seen(record, None) == {"event": "exchanged", "seat": 0, "to": 2}


def test_a_match_keeps_the_version_it_began_with() -> None:
    assert rendezvous().version == 2
    assert Match(RENDEZVOUS, 2, version=1).state.version == 1
    with pytest.raises(Refusal, match="Version 7 of the rules"):
        Match(RENDEZVOUS, 2, version=7)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"wether": "sun"}, "There is no option 'wether' here: the options are weather, fast."),
        ({"weather": "snow"}, "The option weather cannot be 'snow': it is one of sun, rain."),
        ({"fast": 1}, "The option fast cannot be 1"),
        ([], "Options are an object"),
    ],
)
def test_an_option_that_does_not_exist_is_refused(given: Any, words: str) -> None:
    with pytest.raises(Refusal) as caught:
        Match(RENDEZVOUS, 2, given)
    assert caught.value.code == "bad-options"
    assert words in caught.value.reason


def test_options_have_their_defaults_and_a_game_its_players() -> None:
    assert check_options(RENDEZVOUS.options, None) == {"weather": "sun", "fast": False}
    for seats in (1, 4):
        with pytest.raises(Refusal, match="for 2 to 3 players"):
            rendezvous(seats)


def test_a_position_can_be_pickled_and_a_refusal_too() -> None:
    match = rendezvous()
    match.play(0, meet(PLACES[1], 12))
    assert pickle.loads(pickle.dumps(match.state)).dump() == match.state.dump()
    said = pickle.loads(pickle.dumps(Refusal("stale", "Too late.", "RV-1")))
    assert said.to_json() == {"code": "stale", "rule": "RV-1", "reason": "Too late."}
