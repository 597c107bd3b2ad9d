"""Bots that let people go first, and people who ask them to speak all the same."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

import pytest

from tests.server.client import Api, Client, Message

Table = tuple[Client, str]


@pytest.fixture
def guessing(api: Api) -> Iterator[Table]:
    """Ada at a table of Word Traveler where the bot in seat 1 asks the way: she and the bot in seat 2 are locals."""
    options = {"start": "2", "timer": 0}
    opened = api.open("me", "normal", "normal", game="word-traveler", options=options)
    with ExitStack() as leaving:
        ada = leaving.enter_context(api.join(opened["table"], opened["secret"]))
        while ada.now["view"]["step"] != "guess":
            ada.until(lambda: ada.now["n"] == ada.last and (bool(ada.moves()) or ada.now["view"]["step"] == "guess"))
            step = ada.now["view"]["step"]
            if step != "guess":
                answer = ada.move({"do": "ready" if step == "ready" else "done"})
                assert answer["type"] == "ack", f"it is refused: {answer}"
                ada.until(partial(left, ada, step))
        yield ada, opened["table"]


def left(client: Client, step: str) -> bool:
    """Whether this step is over, or this client's part in it."""
    return client.now["view"]["step"] != step or not client.moves()


def footprints(client: Client) -> list[str | None]:
    journey = client.now["view"]["journey"]
    return [arrow["footprint"] for arrow in journey["arrows"]]


def moves_of_bots(client: Client) -> list[Message]:
    """What bots did since the way was asked for."""
    moved = [event for event in client.events.values() if event["kind"] == "move" and event["by"] == "bot"]
    return [event for event in moved if any(one["event"] in ("footprint", "agreed") for one in event["events"])]


def place(client: Client) -> None:
    """Place a footprint that is missing, wherever it may be."""
    number = footprints(client).index(None) + 1
    answer = client.move(next(m for m in client.moves() if m["do"] == "footprint" and m["number"] == number))
    assert answer["type"] == "ack"
    client.until(lambda: client.now["n"] == client.last)


def test_bots_keep_their_guesses_to_themselves_until_people_have_placed_theirs(guessing: Table) -> None:
    ada, _ = guessing
    while footprints(ada).count(None) > 1:
        place(ada)
        assert ada.ask("say", text="Hm.")["type"] == "ack"
        assert not moves_of_bots(ada), "a bot placed a footprint before the person had"
    place(ada)
    ada.until(lambda: bool(moves_of_bots(ada)))


def test_bots_place_theirs_when_they_are_asked(guessing: Table) -> None:
    ada, _ = guessing
    assert not moves_of_bots(ada)
    assert ada.ask("consult")["type"] == "ack"
    ada.until(lambda: None not in footprints(ada))
    assert ada.now["view"]["journey"] is not None, "they only guess: nothing is decided without the person"


def test_only_those_who_are_asked_the_way_may_ask_the_bots(guessing: Table, api: Api) -> None:
    ada, table = guessing
    with api.join(table) as spectator:
        assert spectator.ask("consult")["code"] == "wrong-seat"
    assert not moves_of_bots(ada)
    opened = api.open("me", "open", game="word-traveler")
    with api.join(opened["table"], opened["secret"]) as early:
        assert early.ask("consult")["code"] == "wrong-seat"


def test_where_no_bot_holds_back_asking_changes_nothing(api: Api) -> None:
    opened = api.open("me", "open", options={"start": "1"})
    api.sit(opened["table"], "Bruno")
    with api.join(opened["table"], opened["secret"]) as ada:
        before = ada.now
        assert ada.ask("consult")["type"] == "ack"
        assert ada.ask("consult")["type"] == "ack"
        assert ada.now == before
