"""The wording of events, moves and prompts."""

from grandtour.engine.events import Event, seen
from grandtour.games.itchy_feet import GAME
from grandtour.games.itchy_feet.words import SENTENCES
from tests.games.itchy_feet.positions import ALL, JAPAN, Table
from tests.games.itchy_feet.test_knowledge import lively_game

NAMES = ["Ada", "Bo", "Cy", "Di"]


def sentences(table: Table, viewer: int | None, seat: int, do: str, **arguments: object) -> list[str]:
    events = table.play(seat, do, **arguments)
    texts = [GAME.describe(seen(event, viewer), NAMES, viewer) for event in events]
    return [text for text in texts if text]


def test_only_the_player_who_draws_reads_which_card() -> None:
    table = Table(draw=["Camera"])
    (drew, _) = table.play(0, "draw")
    assert GAME.describe(seen(drew, 0), NAMES, 0) == "You draw a Camera."
    assert GAME.describe(seen(drew, 1), NAMES, 1) == "Ada draws a card."
    assert GAME.describe(seen(drew, None), NAMES, None) == "Ada draws a card."


def test_a_travel_is_described_with_the_cards_shown_and_used() -> None:
    table = Table(["Passport", *JAPAN], draw=["Swimsuit"])
    assert sentences(table, 1, 0, "travel") == [
        "Ada is off to Japan and shows a Rain Jacket, a Power Adapter, a Camera and a Passport.",
        "Ada travels to Japan with a Rain Jacket, a Power Adapter and a Camera.",
        "Ada draws a card for the journey.",
    ]


def test_an_event_says_what_it_does() -> None:
    table = Table(["Camera", "Passport"], draw=["Lost Luggage"])
    assert sentences(table, 0, 0, "draw") == [
        "You draw an event, Lost Luggage: everyone loses a random item, special item or postcard.",
        "You discard a Camera, lost with the luggage.",
    ]


def test_a_reaction_is_described() -> None:
    table = Table(["Camera", "Passport"], ["Mousetrap", "Swimsuit"])
    table.plays(0, "steal: 1", "discard: Camera")
    assert sentences(table, 0, 1, "play", card="Mousetrap") == [
        "Bo plays the Mousetrap.",
        "Nothing is stolen, and your turn is over.",
    ]


def test_the_prompt_names_only_what_is_possible() -> None:
    table = Table(["Passport", *JAPAN])
    assert GAME.prompt(table.state, 0)["text"] == "Travel to Japan, draw, trade or steal."
    assert GAME.prompt(table.state, 1)["text"] == "It is {seat:0}'s turn."


def everything() -> list[Event]:
    """The events of some lively games, and events that are too rare to happen there."""
    records: list[Event] = []
    for seed in range(4):
        for options in ({**ALL, "characters": True}, {**ALL, "variant": "bucket-list"}):
            for state in lively_game(4, seed, **options):
                records += state.events or []
                state.events = []
    records += Table(draw=["Camera"], turn_limit=10).events
    records += Table(["Forbidden Item"], ["Camera"], seats=2, pile=[]).play(0, "pass")
    records += Table(draw=["Night Market", "Civil Unrest"]).play(0, "draw")
    records += Table(pile=["Camera"], discards=["Swimsuit"]).play(0, "draw")
    trapped = Table(["Camera", "Passport"], ["Mousetrap"])
    trapped.plays(0, "steal: 1", "discard: Camera")
    records += trapped.play(1, "play", card="Mousetrap")
    smuggler = Table(["Forbidden Item"], ["Camera"], roles=["The Smuggler", "The Haggler"], seats=2)
    records += smuggler.play(0, "smuggle", to=1)
    guided = Table(["Local Guide"], draw=["Camera", "Swimsuit", "Sunscreen", "Bug Spray"])
    records += guided.play(0, "play", card="Local Guide")
    guided.play(0, "take", card="Camera")
    records += guided.play(0, "return", card="Swimsuit")
    table = Table(["Poorly Drawn Map"])
    table.play(0, "play", card="Poorly Drawn Map")
    return records + table.play(0, "redraw", seat_=1)


def test_every_event_is_described_in_a_sentence() -> None:
    records = everything()
    assert {record["event"] for record in records} == set(SENTENCES), "an event was never described"
    for record in records:
        for viewer in (None, 0, 3):
            text = GAME.describe(seen(record, viewer), NAMES, viewer)
            assert text == "" or text[-1] in ".!", text
            assert "{" not in text, text
            assert "the Mom" not in text
