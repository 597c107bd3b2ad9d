"""Setting up, the first tickets, and whose turn it is."""

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.engine.events import seen
from grandtour.engine.match import Match
from grandtour.engine.playout import playout
from grandtour.engine.refusal import Refusal
from grandtour.games.ticket_to_ride_italy import GAME
from grandtour.games.ticket_to_ride_italy.parts import TICKETS
from tests.games.ticket_to_ride_italy.positions import ROW, Table
from tests.rules import rule

EVERY_TABLE = pytest.mark.parametrize("seats", [2, 3, 4, 5])


@EVERY_TABLE
@rule("TR-1")
def test_a_whole_game_ends_and_the_most_points_win(seats: int) -> None:
    table = Table(seats)
    playout(table.state, QuickDice(4))
    result = table.result()
    assert result is not None
    winner = result.index(max(result))
    assert table.state.score[winner] == max(table.state.score)


@EVERY_TABLE
@rule("TR-12", "TR-17")
def test_everyone_has_45_trains_four_cards_and_no_ferry_card_and_five_cards_are_face_up(seats: int) -> None:
    view = Table(seats).view(0)
    for player in view["players"]:
        assert (player["trains"], player["cards"], player["ferries"], player["score"]) == (45, 4, 0, 0)
    assert sum(view["hand"].values()) == 4
    assert len([card for card in view["row"] if card]) == 5
    assert view["ferries"] == 10
    assert view["deck"] + sum(view["discards"].values()) == 110 - 5 - 4 * seats


@EVERY_TABLE
@rule("TR-18")
def test_everyone_is_dealt_five_tickets_and_keeps_at_least_three(seats: int) -> None:
    table = Table(seats)
    assert table.waiting() == list(range(seats))
    assert table.state.left == 56 - 5 * seats
    first, second, third, *_ = [ticket["ticket"] for ticket in table.view(1)["drawn"]]
    table.play(1, "return", ticket=first)
    assert table.refusal(1, "return", ticket=first) == "TR-18"
    table.play(1, "return", ticket=second)
    assert table.refusal(1, "return", ticket=third) == "TR-18"
    stranger = table.view(0)["drawn"][0]["ticket"]
    assert table.refusal(1, "return", ticket=stranger) == "TR-18"
    table.play(1, "keep")
    assert table.refusal(1, "keep") == "TR-18"
    assert table.refusal(0, "draw", card="deck") == "TR-18"


@EVERY_TABLE
@rule("TR-18")
def test_tickets_given_back_lie_under_the_deck_shuffled_together(seats: int) -> None:
    orders = set()
    for seed in range(6):
        table = Table(seats, seed=seed)
        back = set()
        for seat in range(seats):
            for ticket in [ticket["ticket"] for ticket in table.view(seat)["drawn"]][:2]:
                table.play(seat, "return", ticket=ticket)
                back.add(ticket)
            table.play(seat, "keep")
        assert table.state.left == 56 - 3 * seats
        assert [table.held(seat) for seat in range(seats)] == [3] * seats
        bottom = [int(table.state.queue[(table.state.top + n) % 56]) for n in range(table.state.left)][-2 * seats :]
        assert {TICKETS[ticket].name for ticket in bottom} == back
        orders.add(sorted(bottom) == bottom)
    assert False in orders, "the returned tickets were not shuffled"


@rule("TR-19")
def test_everyone_chooses_at_the_same_time_and_the_numbers_kept_are_hidden_until_all_have_chosen() -> None:
    table = Table(3)
    ticket = table.view(2)["drawn"][0]["ticket"]
    before = table.view(0)
    assert table.play(2, "return", ticket=ticket) == []
    assert table.view(0) == before
    events = table.play(2, "keep")
    assert [seen(event, 0) for event in events] == [{"event": "chose", "seat": 2}]
    assert table.view(0)["players"][2]["tickets"] == 5
    table.play(0, "keep")
    events = table.play(1, "keep")
    kept = [seen(event, 0) for event in events if event["event"] == "kept"]
    assert [(event["seat"], event["kept"], event["returned"]) for event in kept] == [(0, 5, 0), (1, 5, 0), (2, 4, 1)]
    assert [("tickets" in event) for event in kept] == [True, False, False]
    assert table.view(0)["players"][2]["tickets"] == 4


@rule("TR-19")
def test_a_choice_can_be_taken_back_until_the_last_one_has_chosen() -> None:
    match = Match(GAME, 2, {"start": "1"}, 3)
    match.play(0, {"do": "keep"})
    assert match.can_undo(0)
    match.play(1, {"do": "keep"})
    assert not match.can_undo(1)


@rule("TR-20")
def test_the_starting_player_is_random_unless_the_host_names_a_seat() -> None:
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
def test_turns_go_clockwise() -> None:
    table = Table(3, row=ROW)
    for seat in (0, 1, 2, 0):
        assert table.waiting() == [seat]
        assert table.refusal((seat + 1) % 3, "ferry") == "TR-3"
        table.play(seat, "ferry")


@rule("TR-21")
def test_a_turn_is_one_of_four_things_and_only_one() -> None:
    table = Table(hands={0: "3 yellow"})
    assert table.verbs(0) == {"draw", "ferry", "claim", "tickets"}
    for do, arguments in [
        ("ferry", {}),
        ("claim", {"route": "R015", "locomotives": 0}),
    ]:
        after = Table(state=table.state.clone())
        after.play(0, do, **arguments)
        assert after.waiting() == [1]
    table.play(0, "draw", card="red")
    assert table.verbs(0) == {"draw"}
    assert table.refusal(0, "ferry") == "TR-23"


@rule("TR-22")
def test_you_cannot_pass_if_you_can_act() -> None:
    assert Table(row=ROW).refusal(0, "pass") == "TR-22"
    nothing = {"row": "", "deck": "", "ferries": {0: 2}, "ticket_deck": []}
    assert Table(**{**nothing, "row": "red"}).refusal(0, "pass") == "TR-22"  # type: ignore[arg-type]
    assert Table(**{**nothing, "ferries": {}}).refusal(0, "pass") == "TR-22"  # type: ignore[arg-type]
    assert Table(**{**nothing, "ticket_deck": ["Milano-Palermo"]}).refusal(0, "pass") == "TR-22"  # type: ignore[arg-type]
    assert Table(**nothing, hands={0: "blue"}).refusal(0, "pass") == "TR-22"  # type: ignore[arg-type]
    stuck = Table(**nothing)  # type: ignore[arg-type]
    assert stuck.verbs(0) == {"pass"}
    stuck.play(0, "pass")
    assert stuck.waiting() == [1]


@rule("TR-22")
def test_you_cannot_pass_if_ferry_cards_alone_pay_for_a_ferry() -> None:
    table = Table(row="", deck="", ferries={0: 2}, ticket_deck=[], hands={0: "2 locomotive"})
    assert table.may(0, "sail", route="R068", pay={"locomotive": 2, "ferry": 1})
    assert table.refusal(0, "pass") == "TR-22"


@rule("TR-4")
def test_a_bot_makes_a_legal_move_from_what_its_seat_knows() -> None:
    table = Table(3, hands={0: "2 yellow", 1: "3 red"}, tickets={0: ["Milano-Ravenna"]})
    choices = {GAME.choose(table.state.imagine(0, QuickDice(deal)), 0, QuickDice(1)) for deal in range(5)}
    assert len(choices) == 1
    assert choices <= set(table.state.legal(0))
