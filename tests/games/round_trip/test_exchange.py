"""Step 2: exchanging a ticket with a neighbour."""

from collections import Counter

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.engine.events import seen
from grandtour.engine.options import check_options
from grandtour.games.round_trip import GAME
from grandtour.games.round_trip.parts import PILES
from grandtour.games.round_trip.referee import circle
from grandtour.games.round_trip.rules import State
from tests.games.round_trip.positions import PAIR, Table, names, only
from tests.rules import rule


@rule("RT-28")
def test_you_can_exchange_any_of_your_tickets_including_the_one_just_taken() -> None:
    table = Table([["Turino-Roma"], ["Milano-Roma", "Palermo-Roma"]], step="take", piles={"Venezia": ["Venezia-Roma"]})
    table.play(0, "take", pile="Venezia")
    assert [move["ticket"] for move in table.legal(0, "exchange")] == ["Venezia-Roma", "Turino-Roma"]
    table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    assert table.hand(0) == ["Milano-Roma", "Turino-Roma"]
    assert table.hand(1) == ["Venezia-Roma", "Palermo-Roma"]


@rule("RT-28")
def test_you_exchange_only_what_you_hold() -> None:
    table = Table([["Turino-Roma"], ["Milano-Roma", "Palermo-Roma"]])
    assert table.refused(0, "exchange", ticket="Venezia-Roma", with_="left") == (
        "RT-28",
        "You hold no Venezia–Roma ticket.",
    )


@rule("RT-29")
def test_a_player_exchanges_once_per_turn_and_not_after_a_round_trip() -> None:
    table = Table([["Venezia-Roma", "Turino-Roma"], ["Milano-Roma", "Palermo-Roma"]])
    table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    assert table.state.waiting() == [0]
    assert table.legal(0, "exchange") == []
    rule, reason = table.refused(0, "exchange", ticket="Turino-Roma", with_="left")
    assert (rule, reason) == ("RT-29", "You have already exchanged a ticket this turn.")
    table.play(0, "end-turn")
    table.state.restore({"card": 0b11111})
    table.play(1, "take", pile="Milano")
    assert table.legal(1, "exchange"), "in the next turn there is an exchange again"

    table = Table([[*PAIR, "Turino-Roma"], ["Palermo-Roma"]])
    table.play(0, "lay", tickets=PAIR)
    assert table.refused(0, "exchange", ticket="Turino-Roma", with_="left")[0] == "RT-20"


@rule("RT-30")
@pytest.mark.parametrize("seats", [3, 4])
def test_example_a_venezia_ticket_can_be_exchanged_for_milano_on_the_left_or_napoli_on_the_right(seats: int) -> None:
    others = [["Milano-Roma"], *[["Milano-Roma", "Napoli-Roma"] for _ in range(seats - 3)], ["Napoli-Roma"]]
    table = Table([["Venezia-Roma"], *others])
    assert [move["with"] for move in table.legal(0, "exchange")] == ["left", "right"]
    events = table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    assert only(events, "exchanged")["to"] == 1
    assert table.hand(0) == ["Milano-Roma"]
    assert table.hand(1) == ["Venezia-Roma"]

    table = Table([["Venezia-Roma"], *others])
    events = table.play(0, "exchange", ticket="Venezia-Roma", with_="right")
    assert only(events, "exchanged")["to"] == seats - 1
    assert table.hand(0) == ["Napoli-Roma"]
    assert table.hand(seats - 1) == ["Venezia-Roma"]


@rule("RT-30", "RT-33")
def test_the_other_circle_does_not_count_nor_does_a_player_across() -> None:
    table = Table([["Venezia-Roma"], ["Napoli-Roma"], ["Milano-Roma", "Napoli-Roma"], ["Milano-Roma"]])
    assert table.legal(0, "exchange") == []
    assert table.refused(0, "exchange", ticket="Venezia-Roma", with_="left") == (
        "RT-33",
        "Your left neighbour holds no Milano ticket.",
    )
    assert table.refused(0, "exchange", ticket="Venezia-Roma", with_="right") == (
        "RT-33",
        "Your right neighbour holds no Napoli ticket.",
    )


@rule("RT-31")
def test_example_with_two_players_a_turino_ticket_is_exchanged_for_palermo_or_milano() -> None:
    hands = [["Turino-Roma"], ["Milano-Roma", "Palermo-Roma"]]
    table = Table(hands, start="1", turn=0)
    assert [move["with"] for move in table.legal(0, "exchange")] == ["left"]
    table.play(0, "exchange", ticket="Turino-Roma", with_="left")
    assert table.hand(0) == ["Palermo-Roma"]

    table = Table(hands, start="2", turn=0)
    assert [move["with"] for move in table.legal(0, "exchange")] == ["right"]
    table.play(0, "exchange", ticket="Turino-Roma", with_="right")
    assert table.hand(0) == ["Milano-Roma"]


@rule("RT-31", "RT-32")
@pytest.mark.parametrize("starter", [0, 1])
def test_with_two_players_each_uses_one_circle_for_the_whole_game(starter: int) -> None:
    for round in (1, 2, 30, 60):
        for turn in (0, 1):
            hands = [[f"{city}-Roma" for city in PILES], [f"{city}-Roma" for city in PILES]]
            table = Table(hands, start=str(starter + 1), turn=turn, round=round)
            allowed, other = ("left", "right") if turn == starter else ("right", "left")
            assert {move["with"] for move in table.legal(turn, "exchange")} == {allowed}
            assert table.refused(turn, "exchange", ticket="Milano-Roma", with_=other)[0] == "RT-31"
            neighbours = GAME.view(table.state, turn)["neighbours"]
            assert neighbours == {allowed: {"seat": 1 - turn, "circle": "black" if turn == starter else "grey"}}


@rule("RT-33", "RT-34")
def test_everyone_sees_the_backs_and_only_the_owner_the_fronts() -> None:
    one = Table([["Venezia-Roma", "Venezia-Milano"], ["Napoli-Roma"], []])
    two = Table([["Venezia-Palermo", "Venezia-Napoli"], ["Napoli-Roma"], []])
    for viewer in (1, 2, None):
        view = GAME.view(one.state, viewer)
        assert view["players"][0]["backs"] == {"Milano": 0, "Venezia": 2, "Napoli": 0, "Palermo": 0, "Turino": 0}
        assert view == GAME.view(two.state, viewer), "fronts are seen"
    assert GAME.view(one.state, 0) != GAME.view(two.state, 0)


@rule("RT-33")
def test_with_two_players_the_refusal_speaks_of_the_other_player() -> None:
    table = Table([["Venezia-Roma"], ["Napoli-Roma"]])
    assert table.refused(0, "exchange", ticket="Venezia-Roma", with_="left") == (
        "RT-33",
        "The other player holds no Milano ticket.",
    )


@rule("RT-35")
def test_the_partner_always_has_a_ticket_to_give() -> None:
    for city in PILES:
        ticket = f"{city}-Roma"
        for mine, theirs in (("left", "right"), ("right", "left")):
            assert circle(f"{circle(ticket, mine)}-Roma", theirs) == city


@rule("RT-35", "RT-37")
def test_the_offer_shows_the_back_and_the_city_wanted_and_nothing_else() -> None:
    table = Table([["Venezia-Roma"], ["Milano-Roma", "Milano-Napoli"], []])
    (offered,) = table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    public = {"from": 0, "to": 1, "back": "Venezia", "wanted": "Milano"}
    assert GAME.view(table.state, 0)["offer"] == {**public, "ticket": "Venezia-Roma"}
    for viewer in (1, 2, None):
        assert GAME.view(table.state, viewer)["offer"] == public
        assert seen(offered, viewer) == {
            "event": "offered",
            "seat": 0,
            "to": 1,
            "with": "left",
            "back": "Venezia",
            "wanted": "Milano",
        }
    assert seen(offered, 0)["ticket"] == "Venezia-Roma"


@rule("RT-36")
def test_a_partner_with_several_tickets_chooses() -> None:
    table = Table([["Venezia-Roma"], ["Milano-Roma", "Milano-Napoli", "Turino-Roma"], []])
    events = table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    assert names(events) == ["offered"]
    assert table.state.waiting() == [1]
    assert [move["ticket"] for move in table.legal(1, "give")] == ["Milano-Napoli", "Milano-Roma"]
    table.play(1, "give", ticket="Milano-Roma")
    assert table.hand(0) == ["Milano-Roma"]
    assert table.hand(1) == ["Milano-Napoli", "Venezia-Roma", "Turino-Roma"]
    assert table.state.waiting() == [0]


@rule("RT-36")
def test_a_partner_with_one_ticket_has_no_choice() -> None:
    table = Table([["Venezia-Roma"], ["Milano-Napoli", "Turino-Roma"], []])
    events = table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    assert names(events) == ["offered", "exchanged"]
    assert table.hand(0) == ["Milano-Napoli"]


@rule("RT-36")
def test_a_partner_with_equal_tickets_is_asked_too_because_not_asking_would_reveal_it() -> None:
    table = Table([["Venezia-Roma"], ["Milano-Napoli", "Milano-Napoli"], []])
    assert names(table.play(0, "exchange", ticket="Venezia-Roma", with_="left")) == ["offered"]
    assert [move["ticket"] for move in table.legal(1, "give")] == ["Milano-Napoli"]


@rule("RT-36")
def test_the_partner_cannot_refuse_or_give_another_city() -> None:
    table = Table([["Venezia-Roma", "Milano-Turino"], ["Milano-Roma", "Milano-Napoli", "Turino-Roma"], []])
    table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    assert table.refused(1, "end-turn") == ("RT-36", "You cannot refuse: give a Milano ticket back.")
    assert table.refused(1, "give", ticket="Turino-Roma") == (
        "RT-36",
        "You are asked for a Milano ticket; Turino–Roma is a Turino one.",
    )
    assert table.refused(1, "give", ticket="Milano-Turino") == ("RT-36", "You hold no Milano–Turino ticket.")
    assert table.refused(0, "end-turn") == ("RT-36", "Your partner first chooses which ticket to give you.")
    assert table.refused(2, "give", ticket="Milano-Roma") == ("RT-18", "It is not your turn.")


@rule("RT-36")
def test_nobody_can_give_a_ticket_without_being_asked() -> None:
    table = Table([["Venezia-Roma"], ["Milano-Roma"]])
    for seat in (0, 1):
        assert table.refused(seat, "give", ticket="Milano-Roma") == (
            "RT-36",
            "Nobody is waiting for a ticket from you.",
        )


@rule("RT-37")
def test_only_the_two_partners_know_the_exchanged_tickets() -> None:
    table = Table([["Venezia-Roma"], ["Milano-Roma", "Milano-Napoli"], ["Turino-Roma"]])
    table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    exchanged = only(table.play(1, "give", ticket="Milano-Napoli"), "exchanged")
    for seat in (0, 1):
        assert seen(exchanged, seat)["gave_ticket"] == "Venezia-Roma"
        assert seen(exchanged, seat)["got_ticket"] == "Milano-Napoli"
    for viewer in (2, None):
        assert seen(exchanged, viewer) == {"event": "exchanged", "seat": 0, "to": 1, "gave": "Venezia", "got": "Milano"}
    known = [[player["known"] for player in GAME.view(table.state, seat)["players"]] for seat in range(3)]
    assert known == [[[], ["Venezia-Roma"], []], [["Milano-Napoli"], [], []], [[], [], []]]
    assert [player["known"] for player in GAME.view(table.state, None)["players"]] == [[], [], []]


@rule("RT-37")
def test_tickets_seen_in_an_exchange_stay_known_in_every_imagined_position() -> None:
    table = Table([["Venezia-Roma"], ["Milano-Roma", "Milano-Napoli"], ["Turino-Roma"]])
    table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    table.play(1, "give", ticket="Milano-Napoli")
    for deal in range(30):
        assert "Venezia-Roma" in GAME.view(table.state.imagine(0, QuickDice(deal)), 1)["hand"]
        assert "Milano-Napoli" in GAME.view(table.state.imagine(1, QuickDice(deal)), 0)["hand"]
    fronts = {GAME.view(table.state.imagine(2, QuickDice(deal)), 0)["hand"][0] for deal in range(60)}
    assert len(fronts) == 5, "to the third player it may be any ticket of that pile"


@rule("RT-37")
def test_a_known_ticket_is_tracked_until_it_is_unclear_whether_it_moved() -> None:
    followed = Table([["Venezia-Roma"], ["Milano-Roma"], ["Milano-Napoli"]])
    followed.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    followed.state.restore({"turn": 2, "step": 1})
    followed.play(2, "exchange", ticket="Milano-Napoli", with_="right")
    assert [player["known"] for player in GAME.view(followed.state, 0)["players"]] == [[], [], ["Venezia-Roma"]]

    lost = Table([["Venezia-Roma"], ["Milano-Roma", "Venezia-Milano"], ["Milano-Napoli"]])
    lost.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    lost.state.restore({"turn": 2, "step": 1})
    lost.play(2, "exchange", ticket="Milano-Napoli", with_="right")
    lost.play(1, "give", ticket="Venezia-Milano")
    assert [player["known"] for player in GAME.view(lost.state, 0)["players"]] == [[], [], []]


def test_a_ticket_taken_by_another_player_is_in_no_imagined_world() -> None:
    state = GAME.new(3, check_options(GAME.options, {}), QuickDice(5))
    assert isinstance(state, State)
    taker = state.turn
    state.play(int(taker), state.legal(int(taker))[0])
    watcher = int(taker + 1) % 3
    (pile,) = (pile for pile in range(5) if state.count[pile] == 15)
    slots = {int(state.imagine(watcher, QuickDice(deal)).pile[16 * pile]) for deal in range(50)}
    assert slots == {-1}, "the place it was taken from is empty"


@rule("RT-37")
def test_you_do_not_know_what_a_third_player_knows_about_a_ticket_you_received() -> None:
    worlds = []
    for known in ["Milano-Roma"], []:
        table = Table([["Venezia-Roma"], ["Milano-Roma"], ["Turino-Roma"]], known={(2, 1): known})
        table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
        worlds.append(table.state.imagine(0, QuickDice(1)).dump())
    assert worlds[0] == worlds[1]


def fronts(table: Table, seat: int, holder: int, deals: int = 200) -> Counter[tuple[str, ...]]:
    """The hands of another player in the worlds that a seat imagines."""
    worlds = (table.state.imagine(seat, QuickDice(deal)) for deal in range(deals))
    return Counter(tuple(GAME.view(world, holder)["hand"]) for world in worlds)


@rule("RT-37")
def test_when_one_of_two_known_tickets_is_passed_on_unseen_the_other_stays() -> None:
    both = ["Milano-Napoli", "Milano-Roma"]
    table = Table([[], both, ["Turino-Roma"], []], turn=2, known={(0, 1): both})
    table.play(2, "exchange", ticket="Turino-Roma", with_="right")
    table.play(1, "give", ticket="Milano-Roma")
    assert [player["known"] for player in GAME.view(table.state, 0)["players"]] == [[]] * 4
    assert GAME.view(table.state, 0)["mixed"] == [
        {"pile": "Milano", "tickets": both, "others": 0, "holders": {"1": 1, "2": 1}}
    ]
    given = fronts(table, 0, 2)
    assert set(given) == {("Milano-Napoli",), ("Milano-Roma",)}
    assert 70 < given["Milano-Roma",] < 130, "both are equally likely"
    for deal in range(50):
        world = table.state.imagine(0, QuickDice(deal))
        milano = [name for seat in (1, 2) for name in GAME.view(world, seat)["hand"] if name in both]
        assert sorted(milano) == both, "both are still there"
    assert len({front for hand in fronts(table, 3, 2) for front in hand}) == 5, "seat 3 never knew them"


@rule("RT-37")
def test_when_one_of_two_mixed_tickets_is_laid_the_other_is_certain_again() -> None:
    both = ["Milano-Napoli", "Milano-Roma"]
    table = Table([[], both, ["Turino-Roma", "Napoli-Milano"], []], turn=2, known={(0, 1): both})
    table.play(2, "exchange", ticket="Turino-Roma", with_="right")
    table.play(1, "give", ticket="Milano-Napoli")
    table.play(2, "lay", tickets=["Milano-Napoli", "Napoli-Milano"])
    view = GAME.view(table.state, 0)
    assert view["mixed"] == []
    assert [player["known"] for player in view["players"]] == [[], ["Milano-Roma"], [], []]


@rule("RT-37")
def test_a_known_ticket_among_others_could_have_been_passed_on() -> None:
    table = Table(
        [[], ["Milano-Venezia", "Milano-Venezia", "Milano-Roma"], ["Turino-Roma"], []],
        turn=2,
        known={(0, 1): ["Milano-Roma"]},
    )
    table.play(2, "exchange", ticket="Turino-Roma", with_="right")
    table.play(1, "give", ticket="Milano-Venezia")
    holders = Counter(
        seat
        for deal in range(300)
        for seat in (1, 2)
        if "Milano-Roma" in GAME.view(table.state.imagine(0, QuickDice(deal)), seat)["hand"]
    )
    assert holders[1] > holders[2] > 60, "the third player has it in about a third of the worlds"
