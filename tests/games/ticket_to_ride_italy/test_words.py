"""The wording of prompts, the log, moves and the final score."""

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.engine.events import seen
from grandtour.engine.match import Match
from grandtour.games.ticket_to_ride_italy import GAME
from grandtour.games.ticket_to_ride_italy.rules import MOVES
from grandtour.games.ticket_to_ride_italy.view import SENTENCES
from tests.games.ticket_to_ride_italy.positions import ROW, Table

NAMES = ["Ada", "Bruno", "Chiara"]


def sentences(table: Table, seat: int, viewer: int | None, do: str, **arguments: object) -> list[str]:
    events = table.play(seat, do, **arguments)
    return [line for event in events if (line := GAME.describe(seen(event, viewer), NAMES, viewer))]


def text(table: Table, seat: int | None) -> str:
    found: str = GAME.prompt(table.state, seat)["text"]
    return found


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ({"do": "draw", "card": "deck"}, "Draw from the deck"),
        ({"do": "draw", "card": "orange"}, "Take an orange card from the row"),
        ({"do": "draw", "card": "locomotive"}, "Take a locomotive from the row"),
        ({"do": "ferry"}, "Draw a ferry card"),
        ({"do": "claim", "route": "R086", "locomotives": 1}, "Claim Roma–Napoli with 3 white and 1 locomotive"),
        ({"do": "claim", "route": "R003", "locomotives": 2}, "Claim Torino–Francia with 2 locomotives"),
        (
            {"do": "sail", "route": "R036", "pay": {"green": 3, "locomotive": 2, "ferry": 1}},
            "Claim Genova–Olbia with 3 green, 2 locomotives and 1 ferry card",
        ),
        ({"do": "tickets"}, "Draw tickets"),
        ({"do": "return", "ticket": "Milano-Palermo"}, "Give back Milano–Palermo"),
        ({"do": "keep"}, "Keep the others"),
        ({"do": "pass"}, "Pass"),
    ],
)
def test_moves_are_described(move: dict[str, object], words: str) -> None:
    assert GAME.describe_move(Table(2, row=ROW).state, MOVES.name(MOVES.number(move))) == words


def test_the_log_shows_each_seat_only_what_it_knows() -> None:
    table = Table(3, deck="9 yellow", hands={0: "4 white"})
    one = Table(state=table.state.clone())
    assert sentences(table, 0, 0, "draw", card="deck") == ["You draw a yellow card from the deck."]
    assert sentences(table, 0, 1, "draw", card="deck") == ["Ada draws a card from the deck."]
    assert sentences(table, 1, 0, "draw", card="red") == [
        "Bruno takes a red card from the row.",
        "A yellow card is turned up.",
    ]
    assert sentences(one, 0, 2, "claim", route="R086", locomotives=0) == [
        "Ada claims Roma–Napoli with 4 white for 7 points."
    ]
    assert sentences(one, 1, 1, "ferry") == ["You take a ferry card and now hold 1."]
    assert sentences(one, 2, 1, "tickets") == ["Chiara draws 4 tickets."]
    assert sentences(one, 2, 1, "keep") == ["Chiara keeps 4 tickets."]


def test_the_last_round_is_announced() -> None:
    table = Table(2, hands={0: "purple"}, trains={0: 1})
    lines = sentences(table, 0, 1, "claim", route="R052", locomotives=0)
    assert lines[1:] == ["Ada has no trains left: everyone has one more turn.", "You have one last turn."]
    assert text(table, 1).startswith("Your last turn: ")


def test_prompts_say_what_to_do_now() -> None:
    table = Table(3)
    assert text(table, 0) == "Keep at least 3 of your 5 tickets."
    table.play(0, "keep")
    assert text(table, 0) == "{seat:1} and {seat:2} are choosing tickets."
    table = Table(3, hands={0: "2 purple"})
    assert text(table, 0) == "Draw cards, claim a route or draw tickets."
    assert text(table, 1) == text(table, None) == "It is {seat:0}'s turn."
    table.play(0, "draw", card="red")
    assert text(table, 0) == "Draw your second train card."
    assert text(table, 1) == "{seat:0} is drawing train cards."
    assert text(Table(3, ferries={0: 2}), 0) == "Draw train cards or draw tickets."
    table = Table(3, row=ROW)
    table.play(0, "tickets")
    assert text(table, 0) == "Keep at least one of the 4 tickets you drew."
    assert text(table, 2) == "{seat:0} is choosing tickets."
    table = Table(ticket_deck=["Milano-Palermo"])
    table.play(0, "tickets")
    assert text(table, 0) == "Only one ticket was left: keep it."


def test_the_end_is_described() -> None:
    table = Table(routes={1: "R086"})
    table.finish()
    assert text(table, 0) == "The game is over: {seat:1} wins with 7 points."
    assert text(table, 1) == "The game is over: you win with 7 points."
    tie = {"event": "won", "seats": [0], "scores": [20, 20], "met": [2, 1]}
    assert GAME.describe(tie, NAMES, None) == "Ada wins with 20 points, breaking the tie with 2 completed tickets!"
    assert GAME.describe({**tie, "seats": [0, 1]}, NAMES, 1) == "You and Ada share the win with 20 points."
    shared = Table(row=ROW)
    shared.finish()
    assert text(shared, None) == "The game is over: {seat:0} and {seat:1} share the win with 0 points."


@pytest.mark.parametrize("seats", [2, 5])
def test_every_event_of_whole_games_has_a_sentence_and_the_final_scores_add_up(seats: int) -> None:
    names = [f"Player {seat}" for seat in range(seats)]
    kinds = set()
    for seed in range(6):
        match = Match(GAME, seats, None, seed)
        events = list(match.opening)
        dice = QuickDice(seed)
        while not match.over:
            seat = match.waiting()[0]
            moves = match.legal(seat)
            events += match.play(seat, moves[dice.below(len(moves))])
        for event in events:
            kinds.add(event["event"])
            for viewer in (None, 0, 1):
                line = GAME.describe(seen(event, viewer), names, viewer)
                assert line == "" or line.endswith((".", "!")), line
        for row in match.game.final(match.state):
            assert sum(line["value"] for line in row["lines"]) == row["score"]
            assert row["won"] == bool((match.result() or [])[row["seat"]])
    assert set(SENTENCES) - kinds <= {"passed"}
