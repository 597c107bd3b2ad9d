"""Drawing tickets, and what is known about returned ones."""

from grandtour.engine.dice import QuickDice
from grandtour.engine.events import seen
from grandtour.games.ticket_to_ride_italy.parts import TICKETS
from grandtour.games.ticket_to_ride_italy.state import STEP_ACT
from tests.games.ticket_to_ride_italy.positions import ROW, Table, number
from tests.rules import rule

FOUR = ["Torino-Agrigento", "Venezia-Siracusa", "Milano-Palermo", "Trieste-Palermo"]


def drawn(table: Table, seat: int) -> list[str]:
    return [ticket["ticket"] for ticket in table.view(seat)["drawn"]]


def holders(table: Table, seat: int, ticket: str) -> set[int | str]:
    """Where a ticket is in thirty positions that a seat imagines: with a seat, or in the deck."""
    found: set[int | str] = set()
    for deal in range(30):
        other = table.state.imagine(seat, QuickDice(deal))
        where = [holder for holder in range(table.state.seats) if other.held[holder] >> number(ticket) & 1]
        found.add(where[0] if where else "drawn" if other.drawn >> number(ticket) & 1 else "deck")
    return found


@rule("TR-49")
def test_a_player_draws_four_tickets_and_keeps_one_to_four() -> None:
    for back in range(4):
        table = Table(row=ROW)
        (event,) = table.play(0, "tickets")
        assert event["count"] == 4
        assert drawn(table, 0) == FOUR
        for ticket in FOUR[:back]:
            table.play(0, "return", ticket=ticket)
        assert (table.refusal(0, "return", ticket=FOUR[3]) == "TR-49") == (back == 3)
        table.play(0, "keep")
        assert table.held(0) == 4 - back
        assert table.state.left == 52 + back
        assert table.waiting() == [1]


@rule("TR-49")
def test_no_other_move_is_possible_before_the_choice() -> None:
    table = Table(row=ROW)
    assert table.refusal(0, "keep") == "TR-49"
    assert table.refusal(0, "return", ticket=FOUR[0]) == "TR-49"
    table.play(0, "tickets")
    assert table.refusal(0, "ferry") == "TR-49"
    assert table.refusal(0, "return", ticket="Venezia-Pisa") == "TR-49"
    table.play(0, "return", ticket=FOUR[0])
    assert table.refusal(0, "return", ticket=FOUR[0]) == "TR-49"


@rule("TR-49")
def test_returned_tickets_go_under_the_deck() -> None:
    table = Table(ticket_deck=[*FOUR, "Bologna-Messina", "Milano-Taranto"])
    table.play(0, "tickets")
    table.play(0, "return", ticket=FOUR[2])
    table.play(0, "keep")
    table.play(1, "tickets")
    assert set(drawn(table, 1)) == {"Bologna-Messina", "Milano-Taranto", FOUR[2]}


@rule("TR-50")
def test_the_last_tickets_are_drawn_even_if_fewer_than_four() -> None:
    table = Table(ticket_deck=FOUR[:2])
    table.play(0, "tickets")
    assert drawn(table, 0) == FOUR[:2]
    table.play(0, "return", ticket=FOUR[0])
    assert table.refusal(0, "return", ticket=FOUR[1]) == "TR-49"
    table.play(0, "keep")
    table.play(1, "tickets")
    assert drawn(table, 1) == FOUR[:1]
    table.play(1, "keep")
    assert table.refusal(0, "tickets") == "TR-50"


@rule("TR-51")
def test_tickets_returned_together_are_shuffled() -> None:
    orders = set()
    for seed in range(30):
        table = Table(ticket_deck=FOUR)
        table.state.dice = QuickDice(seed)
        table.play(0, "tickets")
        for ticket in FOUR[:3]:
            table.play(0, "return", ticket=ticket)
        table.play(0, "keep")
        orders.add(tuple(int(table.state.queue[(table.state.top + n) % 56]) for n in range(3)))
    assert len(orders) == 6


@rule("TR-51")
def test_you_remember_the_tickets_you_returned_and_others_do_not_know_them() -> None:
    table = Table(3, row=ROW)
    table.play(0, "tickets")
    table.play(0, "return", ticket=FOUR[1])
    events = table.play(0, "keep")
    assert seen(events[0], 0)["back"] == [FOUR[1]]
    assert seen(events[0], 1) == {"event": "kept", "seat": 0, "kept": 3, "returned": 1}
    assert table.view(0)["returned"] == [{"ticket": FOUR[1], "deck": True, "seats": []}]
    assert table.view(1)["returned"] == []
    assert holders(table, 0, FOUR[1]) == {"deck"}
    assert holders(table, 1, FOUR[1]) >= {0, "deck"}


@rule("TR-51")
def test_you_can_see_who_could_have_drawn_a_ticket_you_returned() -> None:
    table = Table(3, tickets={1: ["Venezia-Pisa"]}, ticket_deck=FOUR)
    table.play(0, "tickets")
    for ticket in FOUR[:2]:
        table.play(0, "return", ticket=ticket)
    table.play(0, "keep")
    table.play(1, "tickets")
    assert holders(table, 0, FOUR[0]) == {"drawn"}
    one = Table(state=table.state.clone())
    table.play(1, "keep")
    assert holders(table, 0, FOUR[0]) == {1}
    assert table.view(0)["returned"] == [{"ticket": ticket, "deck": False, "seats": [1]} for ticket in FOUR[:2]]
    one.play(1, "return", ticket=FOUR[0])
    one.play(1, "keep")
    assert holders(one, 0, FOUR[0]) == {1, "deck"}
    assert holders(one, 1, FOUR[0]) == {"deck"}
    assert holders(one, 0, FOUR[2]) == {0}


@rule("TR-51")
def test_tickets_returned_at_the_start_are_below_those_never_dealt() -> None:
    table = Table(2)
    mine = drawn(table, 0)[0]
    table.play(0, "return", ticket=mine)
    table.play(0, "keep")
    theirs = drawn(table, 1)[0]
    table.play(1, "return", ticket=theirs)
    table.play(1, "keep")
    assert holders(table, 0, mine) == {"deck"}
    for deal in range(20):
        other = table.state.imagine(0, QuickDice(deal))
        bottom = [int(other.queue[(other.top + n) % 56]) for n in range(other.left)][-2:]
        assert number(mine) in bottom


@rule("TR-52")
def test_any_number_of_tickets_can_be_held() -> None:
    table = Table(tickets={0: [ticket.name for ticket in TICKETS[:40]]})
    table.play(0, "tickets")
    table.play(0, "keep")
    assert table.held(0) == 44


@rule("TR-15")
def test_only_the_owner_sees_cards_and_tickets() -> None:
    table = Table(hands={0: "3 purple"}, tickets={0: FOUR[:1]})
    for watcher in (1, None):
        view = table.view(watcher)
        assert "purple" not in str(view["players"][0])
        assert FOUR[0] not in str(view)
        assert (view["players"][0]["cards"], view["players"][0]["tickets"]) == (3, 1)
    assert table.view(0)["hand"] == {"purple": 3}
    assert table.view(0)["tickets"] == [{"ticket": FOUR[0], "points": 23, "met": False}]
    drew = table.play(0, "draw", card="deck")[0]
    assert "card" in seen(drew, 0)
    assert "card" not in seen(drew, 1)


@rule("TR-16")
def test_everyone_knows_a_card_taken_from_the_row_until_it_is_spent() -> None:
    table = Table(hands={0: "purple"})
    table.play(0, "draw", card="red")
    table.play(0, "draw", card="deck")
    assert table.view(1)["players"][0]["known"] == {"red": 1}
    assert all(table.state.imagine(1, QuickDice(deal)).hand[7] >= 1 for deal in range(30))
    table.play(1, "ferry")
    table.play(0, "claim", route="R053", locomotives=0)
    assert table.view(1)["players"][0]["known"] == {}
    assert table.view(1)["discards"] == {"red": 1}


@rule("TR-16")
def test_a_new_deck_contains_only_the_old_discards() -> None:
    table = Table(deck="yellow", discards="6 purple, 2 orange")
    table.play(0, "draw", card="deck")
    for deal in range(30):
        other = table.state.imagine(1, QuickDice(deal))
        assert list(other.deck) == list(table.state.deck), "with two players, counting cards reveals the other hand"
        assert other.hand[5] == 1
    table.play(0, "draw", card="deck")
    hands = {tuple(table.state.imagine(1, QuickDice(deal)).hand[:9]) for deal in range(30)}
    assert len(hands) == 2, "the second card is purple or orange, and nobody else knows which"


@rule("TR-16", "TR-29")
def test_cards_drawn_from_a_new_deck_come_from_the_old_discards() -> None:
    table = Table(3, deck="red", discards="3 purple", hands={1: "green"})
    table.play(0, "draw", card="deck")
    table.play(0, "draw", card="red")
    table.play(1, "draw", card="deck")
    table.play(1, "draw", card="deck")
    for deal in range(30):
        assert Table(state=table.state.imagine(0, QuickDice(deal))).hand(1).get("purple", 0) >= 2, (
            "it drew two of the three purple cards"
        )


@rule("TR-16", "TR-29")
def test_a_spent_card_can_be_an_old_or_a_new_one_and_the_others_are_consistent() -> None:
    table = Table(3, deck="red", discards="2 purple, 4 yellow", hands={1: "2 yellow"})
    table.play(0, "draw", card="deck")
    table.play(0, "draw", card="deck")
    table.state.restore({"turn": 1})
    for card in ("deck", "deck"):
        table.play(1, "draw", card=card)
    table.state.restore({"turn": 1, "step": STEP_ACT})
    table.play(1, "claim", route="R015", locomotives=0)
    left = [Table(state=table.state.imagine(0, QuickDice(deal))).hand(1) for deal in range(60)]
    assert all(sum(cards.values()) == 2 for cards in left)
    assert any("purple" in cards for cards in left)
    assert any("purple" not in cards for cards in left)
