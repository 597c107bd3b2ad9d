"""Bots that let people go first, and people who ask them not to."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

import pytest

from tests.server.client import Api, Client, Message

Table = tuple[Client, str]


@pytest.fixture
def guessing(api: Api) -> Iterator[Table]:
    """Ada plays Word Traveler with bots. The bot in seat 1 is the traveler; she and the bot in seat 2 are locals."""
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
    """Whether this step is over, or at least for this client."""
    return client.now["view"]["step"] != step or not client.moves()


def footprints(client: Client) -> list[str | None]:
    journey = client.now["view"]["journey"]
    return [arrow["footprint"] for arrow in journey["arrows"]]


def bots_moves(client: Client) -> list[Message]:
    """The bots' moves since the traveler asked the way."""
    moved = [event for event in client.events.values() if event["kind"] == "move" and event["by"] == "bot"]
    return [event for event in moved if any(one["event"] in ("footprint", "agreed") for one in event["events"])]


def place(client: Client) -> None:
    """Place a missing footprint anywhere."""
    number = footprints(client).index(None) + 1
    answer = client.move(next(m for m in client.moves() if m["do"] == "footprint" and m["number"] == number))
    assert answer["type"] == "ack"
    client.until(lambda: client.now["n"] == client.last)


def test_bots_hold_back_their_guesses_until_people_have_placed_theirs(guessing: Table) -> None:
    ada, _ = guessing
    while footprints(ada).count(None) > 1:
        place(ada)
        assert ada.ask("say", text="Hm.")["type"] == "ack"
        assert not bots_moves(ada), "a bot placed a footprint before the person had"
    place(ada)
    ada.until(lambda: bool(bots_moves(ada)))


def test_bots_place_their_footprints_when_asked(guessing: Table) -> None:
    ada, _ = guessing
    assert not bots_moves(ada)
    assert ada.ask("consult")["type"] == "ack"
    ada.until(lambda: None not in footprints(ada))
    assert ada.now["view"]["journey"] is not None, "the bots decided without the person"


def test_only_locals_may_ask_the_bots(guessing: Table, api: Api) -> None:
    ada, table = guessing
    with api.join(table) as spectator:
        assert spectator.ask("consult")["code"] == "wrong-seat"
    assert not bots_moves(ada)
    opened = api.open("me", "open", game="word-traveler")
    with api.join(opened["table"], opened["secret"]) as early:
        assert early.ask("consult")["code"] == "wrong-seat"


def test_asking_changes_nothing_if_no_bot_is_holding_back(api: Api) -> None:
    opened = api.open("me", "open", options={"start": "1"})
    api.sit(opened["table"], "Bruno")
    with api.join(opened["table"], opened["secret"]) as ada:
        before = ada.now
        assert ada.ask("consult")["type"] == "ack"
        assert ada.ask("consult")["type"] == "ack"
        assert ada.now == before
