"""What players see, and the wording of events, prompts and moves."""

import json
from typing import Any

import pytest

from grandtour.engine.events import Event, seen
from grandtour.games.round_trip import GAME
from grandtour.testing.table import NAMES
from tests.games.round_trip.positions import (
    FIVE,
    GRAND_TOUR,
    PAIR,
    TRIANGLE,
    TURINO_VENEZIA_ROMA_MILANO,
    Table,
    only,
)
from tests.rules import rule

KEYS = {
    "turn",
    "step",
    "round",
    "turn_limit",
    "extra",
    "starter",
    "selection",
    "piles",
    "players",
    "offer",
    "result",
}


def sentences(events: list[Event], seat: int | None) -> list[str]:
    return [text for event in events if (text := GAME.describe(seen(event, seat), NAMES, seat))]


def test_a_spectator_sees_what_is_public_and_a_seat_its_own_hand_too() -> None:
    table = Table([["Milano-Venezia"], []])
    assert GAME.view(table.state, None).keys() == KEYS
    assert GAME.view(table.state, 0).keys() == KEYS | {"you", "hand", "mixed", "bottoms", "neighbours"}
    assert json.loads(json.dumps(GAME.view(table.state, 0))) == GAME.view(table.state, 0)


def test_a_view_shows_everything_a_seat_may_see() -> None:
    table = Table(
        [["Turino-Roma", "Milano-Venezia"], ["Napoli-Roma"], []],
        turn=1,
        step="take",
        start="3",
        card=["Venezia", "Palermo"],
        made={1: [FIVE]},
        round=3,
    )
    view = GAME.view(table.state, 0)
    assert view["you"] == 0
    assert (view["turn"], view["step"], view["starter"]) == (1, "take", 2)
    assert (view["round"], view["turn_limit"], view["extra"], view["result"]) == (3, 60, False, None)
    assert view["selection"] == {"cities": ["Venezia", "Palermo"], "left": 26}
    assert view["piles"] == [
        {"city": "Milano", "count": 14},
        {"city": "Venezia", "count": 15},
        {"city": "Napoli", "count": 14},
        {"city": "Palermo", "count": 15},
        {"city": "Turino", "count": 14},
    ]
    assert view["hand"] == ["Milano-Venezia", "Turino-Roma"], "sorted by the ring"
    assert view["neighbours"] == {
        "left": {"seat": 1, "circle": "black"},
        "right": {"seat": 2, "circle": "grey"},
    }
    cities = ["Milano", "Venezia", "Napoli", "Palermo", "Turino"]
    assert view["players"][1] == {
        "seat": 1,
        "tickets": 1,
        "backs": {"Milano": 0, "Venezia": 0, "Napoli": 1, "Palermo": 0, "Turino": 0},
        "trips": [{"length": 5, "tickets": FIVE, "cities": cities, "extra": True}],
        "known": [],
    }


@pytest.mark.parametrize(
    ("table", "seat", "text"),
    [
        (Table([[], []], step="take", card=["Venezia", "Palermo"]), 0, "Take a ticket from Venezia or Palermo."),
        (Table([[], []], step="take", card=["Venezia"]), 0, "Take a ticket from Venezia."),
        (
            Table([[], []], step="take", piles={"Milano": []}),
            0,
            "Take a ticket from Venezia, Napoli, Palermo or Turino.",
        ),
        (Table([[], []], step="take"), 1, "{seat:0} is taking a ticket."),
        (Table([[], []], step="take"), None, "{seat:0} is taking a ticket."),
        (Table([["Milano-Roma"], []]), 0, "End your turn."),
        (Table([["Milano-Roma"], ["Turino-Roma"]]), 0, "Exchange a ticket or end your turn."),
        (Table([PAIR, []]), 0, "Make a round trip or end your turn."),
        (Table([PAIR, ["Turino-Roma"]]), 0, "Exchange a ticket, make a round trip or end your turn."),
        (
            Table([[*FIVE, *PAIR], []]),
            0,
            "Make a round trip or discard one of your seven tickets.",
        ),
        (Table([PAIR, ["Turino-Roma"]]), 1, "{seat:0} may exchange tickets or make a round trip."),
        (Table([PAIR, ["Turino-Roma"]], step="lay"), 1, "{seat:0} may make a round trip."),
    ],
)
def test_a_prompt_says_what_to_do_now_or_who_is_doing_it(table: Table, seat: int | None, text: str) -> None:
    prompt = GAME.prompt(table.state, seat)
    assert prompt["text"] == text
    assert prompt["rules"]
    assert all(f"**{rule}**" in GAME.rulebook() for rule in prompt["rules"])


@rule("RT-36")
def test_prompts_explain_that_a_partner_is_choosing() -> None:
    table = Table([["Venezia-Roma"], ["Milano-Roma", "Milano-Napoli"], []])
    table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    assert [GAME.prompt(table.state, seat)["text"] for seat in (0, 1, 2, None)] == [
        "{seat:1} is choosing a Milano ticket to give you.",
        "{seat:0} offers you a Venezia ticket: choose a Milano ticket to give back.",
        "{seat:1} is choosing a Milano ticket to give {seat:0}.",
        "{seat:1} is choosing a Milano ticket to give {seat:0}.",
    ]


@rule("RT-41")
def test_the_prompt_says_that_a_turn_is_an_extra_one() -> None:
    table = Table([PAIR, []])
    table.play(0, "lay", tickets=PAIR)
    assert GAME.prompt(table.state, 0)["text"].startswith("An extra turn: take a ticket from ")


@rule("RT-47", "RT-48", "RT-51")
def test_the_prompt_at_the_end_names_the_winners() -> None:
    table = Table([[], GRAND_TOUR], turn=1)
    table.play(1, "lay", tickets=GRAND_TOUR)
    assert GAME.prompt(table.state, 0) == {"text": "The game is over: {seat:1} wins.", "rules": ["RT-48"]}
    assert GAME.prompt(table.state, 1) == {"text": "The game is over: you win.", "rules": ["RT-48"]}
    shared = Table(
        [[], [], []], turn=2, round=60, made={0: [TRIANGLE], 2: [["Turino-Roma", "Palermo-Roma", "Turino-Palermo"]]}
    )
    shared.play(2, "end-turn")
    assert GAME.prompt(shared.state, 1)["text"] == "The game is over: {seat:0} and {seat:2} share the win."
    assert GAME.prompt(shared.state, 2) == {
        "text": "The game is over: you and {seat:0} share the win.",
        "rules": ["RT-51"],
    }


def test_taking_tickets_and_turning_cards_are_described() -> None:
    table = Table([[], []], step="take", piles={"Venezia": ["Venezia-Roma"]})
    events = table.play(0, "take", pile="Venezia")
    assert sentences(events, 0) == ["You take Venezia–Roma from the Venezia pile."]
    assert sentences(events, 1) == sentences(events, None) == ["Ada takes a ticket from the Venezia pile."]
    turned = {"event": "turned", "seat": 1, "cities": ["Venezia", "Palermo"], "passed": []}
    assert sentences([turned], 0) == ["Bea turns over a selection card: Venezia and Palermo."]
    assert sentences([turned], 1) == ["You turn over a selection card: Venezia and Palermo."]
    assert sentences([{**turned, "passed": [["Milano"]]}], 0) == [
        "Bea turns over a selection card: Venezia and Palermo, after a card whose piles are empty."
    ]
    assert sentences([{**turned, "passed": [["Milano"], ["Turino"]]}], 0) == [
        "Bea turns over a selection card: Venezia and Palermo, after 2 cards whose piles are empty."
    ]
    assert sentences([{"event": "shuffled"}], None) == ["All the selection cards are shuffled into a new pile."]


@rule("RT-37")
def test_an_exchange_is_described() -> None:
    table = Table([["Venezia-Roma"], ["Milano-Roma", "Milano-Napoli"], []])
    offered = table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    assert sentences(offered, 0) == ["You offer Bea Venezia–Roma for a Milano ticket."]
    assert sentences(offered, 1) == ["Ada offers you a Venezia ticket for a Milano ticket."]
    assert sentences(offered, 2) == ["Ada offers Bea a Venezia ticket for a Milano ticket."]
    exchanged = table.play(1, "give", ticket="Milano-Napoli")
    assert sentences(exchanged, 0) == ["You give Bea Venezia–Roma for Milano–Napoli."]
    assert sentences(exchanged, 1) == ["You give Ada Milano–Napoli for Venezia–Roma."]
    assert sentences(exchanged, 2) == ["Ada gives Bea a Venezia ticket for a Milano ticket."]


def test_a_round_trip_and_its_extra_turn_are_described() -> None:
    table = Table([FIVE, []])
    events = table.play(0, "lay", tickets=FIVE)
    route = "Milano – Venezia – Napoli – Palermo – Turino – Milano"
    assert sentences(events, 1)[:2] == [
        f"Ada makes a round trip of length 5: {route}.",
        "Ada takes an extra turn: all the tickets came from different piles.",
    ]
    assert sentences(events, 0)[0] == f"You make a round trip of length 5: {route}."


def test_discarding_is_described() -> None:
    seven = [
        "Milano-Napoli",
        "Milano-Palermo",
        "Venezia-Turino",
        "Napoli-Roma",
        "Palermo-Roma",
        "Turino-Roma",
        "Milano-Roma",
    ]
    discarded = [only(Table([seven, []]).play(0, "discard", ticket="Milano-Roma"), "discarded")]
    assert sentences(discarded, 0) == ["You put Milano–Roma under the Milano pile."]
    assert sentences(discarded, 1) == ["Ada puts a ticket under the Milano pile."]


@pytest.mark.parametrize(
    ("won", "yours", "theirs"),
    [
        (
            {"seats": [0], "how": "four"},
            "You win with round trips of length 2, 3, 4 and 5!",
            "Ada wins with round trips of length 2, 3, 4 and 5!",
        ),
        (
            {"seats": [0], "how": "grand"},
            "You win with a grand tour of all six cities!",
            "Ada wins with a grand tour of all six cities!",
        ),
        (
            {"seats": [0], "how": "limit"},
            "The last round is over. You win, ahead of everyone else.",
            "The last round is over. Ada wins, ahead of everyone else.",
        ),
        (
            {"seats": [0, 2], "how": "limit"},
            "The last round is over: you and Cem share the win.",
            "The last round is over: Ada and Cem share the win.",
        ),
    ],
)
def test_winning_is_described(won: dict[str, Any], yours: str, theirs: str) -> None:
    assert sentences([{"event": "won", **won}], 0) == [yours]
    assert sentences([{"event": "won", **won}], 1) == [theirs]


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"do": "take", "pile": "Milano"}, "Take a ticket from Milano"),
        (
            {"do": "exchange", "ticket": "Venezia-Roma", "with": "left"},
            "Offer Venezia–Roma to the left for a Milano ticket",
        ),
        (
            {"do": "exchange", "ticket": "Venezia-Roma", "with": "right"},
            "Offer Venezia–Roma to the right for a Napoli ticket",
        ),
        ({"do": "give", "ticket": "Milano-Napoli"}, "Give Milano–Napoli"),
        (
            {"do": "lay", "tickets": PAIR},
            "Make a round trip of length 2: Milano–Venezia, Venezia–Milano",
        ),
        ({"do": "discard", "ticket": "Milano-Napoli"}, "Discard Milano–Napoli"),
        ({"do": "end-turn"}, "End your turn"),
    ],
)
def test_moves_are_described(named: dict[str, Any], words: str) -> None:
    assert GAME.describe_move(Table([[], []]).state, named) == words


def test_no_two_moves_have_the_same_words() -> None:
    state = Table([[], []]).state
    texts = [GAME.describe_move(state, GAME.moves.name(move)) for move in range(GAME.moves.size)]
    assert len(set(texts)) == len(texts)


@rule("RT-50", "RT-51")
def test_the_final_score_lists_the_round_trips() -> None:
    made = {0: [TRIANGLE], 1: [TURINO_VENEZIA_ROMA_MILANO, ["Palermo-Roma"] * 2]}
    table = Table([[], []], turn=1, round=60, made=made)
    table.play(1, "end-turn")
    ada, bea = GAME.final(table.state)
    assert (ada["seat"], ada["score"], ada["won"]) == (0, 1, False)
    assert (bea["seat"], bea["score"], bea["won"]) == (1, 2, True)
    assert bea["lines"] == [
        {"label": "Round trip of length 2", "value": "Palermo – Roma – Palermo"},
        {"label": "Round trip of length 4", "value": "Milano – Turino – Venezia – Roma – Milano"},
        {"label": "Round trips", "value": 2},
        {"label": "Tickets laid", "value": 6},
    ]


@rule("RT-48")
def test_the_final_score_names_a_grand_tour() -> None:
    table = Table([GRAND_TOUR, []])
    table.play(0, "lay", tickets=GRAND_TOUR)
    route = "Milano – Venezia – Napoli – Palermo – Turino – Roma – Milano"
    assert GAME.final(table.state)[0]["lines"][0] == {"label": "Grand tour", "value": route}
