"""Setting up, the first tickets, and whose turn it is."""

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.engine.events import seen
from grandtour.engine.match import Match
from grandtour.engine.playout import playout
from grandtour.engine.refusal import Refusal
from grandtour.games.ticket_to_ride_italy import GAME
from grandtour.games.ticket_to_ride_italy.parts import TICKETS
from tests.games.ticket_to_ride_italy.positions import fresh, given, held, may, play, refusal, verbs
from tests.rules import rule

EVERY_TABLE = pytest.mark.parametrize("seats", [2, 3, 4, 5])


@EVERY_TABLE
@rule("TR-1")
def test_a_whole_game_ends_and_the_most_points_win(seats: int) -> None:
    state = fresh(seats)
    playout(state, QuickDice(4))
    result = state.result()
    assert result is not None
    winner = result.index(max(result))
    assert state.score[winner] == max(state.score)


@EVERY_TABLE
@rule("TR-12", "TR-17")
def test_everyone_has_45_trains_four_cards_and_no_ferry_card_and_five_cards_lie_face_up(seats: int) -> None:
    view = GAME.view(fresh(seats), 0)
    for player in view["players"]:
        assert (player["trains"], player["cards"], player["ferries"], player["score"]) == (45, 4, 0, 0)
    assert sum(view["hand"].values()) == 4
    assert len([card for card in view["row"] if card]) == 5
    assert view["ferries"] == 10
    assert view["deck"] + sum(view["discards"].values()) == 110 - 5 - 4 * seats


@EVERY_TABLE
@rule("TR-18")
def test_everyone_is_dealt_five_tickets_and_keeps_at_least_three(seats: int) -> None:
    state = fresh(seats)
    assert state.waiting() == list(range(seats))
    assert state.left == 56 - 5 * seats
    first, second, third, *_ = [ticket["ticket"] for ticket in GAME.view(state, 1)["drawn"]]
    play(state, 1, "return", ticket=first)
    assert refusal(state, 1, "return", ticket=first) == "TR-18"
    play(state, 1, "return", ticket=second)
    assert refusal(state, 1, "return", ticket=third) == "TR-18"
    stranger = GAME.view(state, 0)["drawn"][0]["ticket"]
    assert refusal(state, 1, "return", ticket=stranger) == "TR-18"
    play(state, 1, "keep")
    assert refusal(state, 1, "keep") == "TR-18"
    assert refusal(state, 0, "draw", card="deck") == "TR-18"


@EVERY_TABLE
@rule("TR-18")
def test_tickets_given_back_lie_under_the_deck_shuffled_together(seats: int) -> None:
    orders = set()
    for seed in range(6):
        state = fresh(seats, seed)
        back = set()
        for seat in range(seats):
            for ticket in [ticket["ticket"] for ticket in GAME.view(state, seat)["drawn"]][:2]:
                play(state, seat, "return", ticket=ticket)
                back.add(ticket)
            play(state, seat, "keep")
        assert state.left == 56 - 3 * seats
        assert [held(state, seat) for seat in range(seats)] == [3] * seats
        bottom = [int(state.queue[(state.top + n) % 56]) for n in range(state.left)][-2 * seats :]
        assert {TICKETS[ticket].name for ticket in bottom} == back
        orders.add(sorted(bottom) == bottom)
    assert False in orders, "the returned tickets were not shuffled"


@rule("TR-19")
def test_everyone_chooses_at_once_and_nobody_learns_how_many_others_keep_until_all_have_chosen() -> None:
    state = fresh(3)
    ticket = GAME.view(state, 2)["drawn"][0]["ticket"]
    before = GAME.view(state, 0)
    assert play(state, 2, "return", ticket=ticket) == []
    assert GAME.view(state, 0) == before
    events = play(state, 2, "keep")
    assert [seen(event, 0) for event in events] == [{"event": "chose", "seat": 2}]
    assert GAME.view(state, 0)["players"][2]["tickets"] == 5
    play(state, 0, "keep")
    events = play(state, 1, "keep")
    kept = [seen(event, 0) for event in events if event["event"] == "kept"]
    assert [(event["seat"], event["kept"], event["returned"]) for event in kept] == [(0, 5, 0), (1, 5, 0), (2, 4, 1)]
    assert [("tickets" in event) for event in kept] == [True, False, False]
    assert GAME.view(state, 0)["players"][2]["tickets"] == 4


@rule("TR-19")
def test_a_choice_can_be_taken_back_until_the_last_one_has_chosen() -> None:
    match = Match(GAME, 2, {"start": "1"}, 3)
    match.play(0, {"do": "keep"})
    assert match.can_undo(0)
    match.play(1, {"do": "keep"})
    assert not match.can_undo(1)


@rule("TR-20")
def test_the_dice_decide_who_starts_unless_the_host_names_a_seat() -> None:
    assert {int(fresh_start("drawn", seed)) for seed in range(20)} == {0, 1, 2}
    assert {int(fresh_start("2", seed)) for seed in range(5)} == {1}
    with pytest.raises(Refusal) as refused:
        fresh_start("5", 0)
    assert refused.value.code == "bad-options"


def fresh_start(start: str, seed: int) -> int:
    state = GAME.new(3, {"start": start}, QuickDice(seed))
    for seat in range(3):
        state.play(seat, GAME.moves.move("keep"))
    return state.waiting()[0]


@rule("TR-3")
def test_turns_go_round_clockwise() -> None:
    state = given(3)
    for seat in (0, 1, 2, 0):
        assert state.waiting() == [seat]
        assert refusal(state, (seat + 1) % 3, "ferry") == "TR-3"
        play(state, seat, "ferry")


@rule("TR-21")
def test_a_turn_is_one_of_four_things_and_only_one() -> None:
    state = given(hands={0: "3 yellow"})
    assert verbs(state, 0) == {"draw", "ferry", "claim", "tickets"}
    for do, arguments in [
        ("ferry", {}),
        ("claim", {"route": "R015", "locomotives": 0}),
    ]:
        after = state.clone()
        play(after, 0, do, **arguments)
        assert after.waiting() == [1]
    play(state, 0, "draw", card="red")
    assert verbs(state, 0) == {"draw"}
    assert refusal(state, 0, "ferry") == "TR-23"


@rule("TR-22")
def test_you_cannot_pass_if_you_can_act() -> None:
    assert refusal(given(), 0, "pass") == "TR-22"
    nothing = {"row": "", "deck": "", "ferries": {0: 2}, "ticket_deck": []}
    assert refusal(given(**{**nothing, "row": "red"}), 0, "pass") == "TR-22"  # type: ignore[arg-type]
    assert refusal(given(**{**nothing, "ferries": {}}), 0, "pass") == "TR-22"  # type: ignore[arg-type]
    assert refusal(given(**{**nothing, "ticket_deck": ["Milano-Palermo"]}), 0, "pass") == "TR-22"  # type: ignore[arg-type]
    assert refusal(given(**nothing, hands={0: "blue"}), 0, "pass") == "TR-22"  # type: ignore[arg-type]
    stuck = given(**nothing)  # type: ignore[arg-type]
    assert verbs(stuck, 0) == {"pass"}
    play(stuck, 0, "pass")
    assert stuck.waiting() == [1]


@rule("TR-22")
def test_a_ferry_that_can_only_be_paid_with_ferry_cards_is_something_to_do() -> None:
    state = given(row="", deck="", ferries={0: 2}, ticket_deck=[], hands={0: "2 locomotive"})
    assert may(state, 0, "sail", route="R068", pay={"locomotive": 2, "ferry": 1})
    assert refusal(state, 0, "pass") == "TR-22"


@rule("TR-4")
def test_a_bot_makes_a_legal_move_from_what_its_seat_knows() -> None:
    state = given(3, hands={0: "2 yellow", 1: "3 red"}, tickets={0: ["Milano-Ravenna"]})
    choices = {GAME.choose(state.imagine(0, QuickDice(deal)), 0, QuickDice(1)) for deal in range(5)}
    assert len(choices) == 1
    assert choices <= set(state.legal(0))
