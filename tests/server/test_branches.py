"""What if: a finished match is continued from any moment, at a separate table."""

import random
from contextlib import ExitStack
from typing import Any

import pytest

from tests.server.client import Api, Message
from tests.server.conftest import Serving

SHORT = {"turn_limit": 10}


@pytest.fixture(scope="module")
def finished(api: Api) -> str:
    """A finished match in which seat 0 was a person's."""
    opened = api.open("me", "normal", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(1).choice)
    table: str = opened["table"]
    return table


def branch(api: Api, table: str, **wanted: Any) -> Message:
    opened: Message = api.post(f"/api/tables/{table}/branches", wanted)
    return opened


@pytest.mark.parametrize("seat", [0, 1])
def test_a_branch_begins_in_the_chosen_position(api: Api, finished: str, seat: int) -> None:
    told = api.get(f"/api/tables/{finished}/replay?seat={seat}")["steps"]
    # A position in which this seat is to move, so that no bot moves first.
    step = next(n for n in range(5, len(told) - 1) if told[n + 1]["seat"] == seat)
    opened = branch(api, finished, step=step, seat=seat, name=" Take\nMilano ")
    assert opened["seat"] == seat
    with api.join(opened["table"], opened["secret"]) as me:
        assert me.now["view"] == told[step]["view"]
        assert me.now["legal"]
    info = api.get(f"/api/tables/{opened['table']}")
    assert info["branch"] == {"table": finished, "step": step, "name": "Take Milano"}
    assert [now["kind"] for now in info["seats"]] == ["person" if each == seat else "bot" for each in (0, 1)]
    assert not info["public"]


def test_a_branch_can_be_finished_and_branched_again_without_changing_the_original(api: Api, finished: str) -> None:
    original = api.get(f"/api/tables/{finished}/replay")
    opened = branch(api, finished, step=0, seat=0, bot="random")
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(2).choice)
    played = api.get(f"/api/tables/{opened['table']}/replay")
    assert played["result"] is not None
    assert played["steps"][0]["view"] == original["steps"][0]["view"], "a branch is dealt like its original"
    assert api.get(f"/api/tables/{finished}/replay") == original
    assert api.get(f"/api/tables/{finished}")["branch"] is None
    again = branch(api, opened["table"], step=3, seat=1)
    assert api.get(f"/api/tables/{again['table']}")["branch"]["table"] == opened["table"]


def test_a_branch_can_be_played_alone_in_every_seat(api: Api, finished: str) -> None:
    opened = branch(api, finished, step=2, seat=1, alone=True)
    assert opened["secret"] == opened["secrets"][1]
    info = api.get(f"/api/tables/{opened['table']}")
    assert [now["kind"] for now in info["seats"]] == ["person", "person"], "a bot plays at a table without bots"
    assert info["patience"] == 0, "a person in two seats would be away from one of them"
    with ExitStack() as leaving:
        players = [leaving.enter_context(api.join(opened["table"], secret)) for secret in opened["secrets"]]
        assert [player.seat for player in players] == [0, 1]
        for _ in range(6):
            n = max(player.last for player in players)
            for player in players:
                player.until(lambda player=player, n=n: player.now["n"] >= n)  # type: ignore[misc]
            mover = next(player for player in players if player.asked())
            assert mover.move(mover.moves()[0])["type"] == "ack"
    assert branch(api, finished, step=2, seat=1)["secrets"] == [], "seats of bots have no secret"


def test_a_branch_survives_a_restart(serving: Serving) -> None:
    api = serving()
    opened = api.open("random", "random", options=SHORT)
    with api.join(opened["table"]) as spectator:
        spectator.until(spectator.over)
    made = branch(api, opened["table"], step=4, seat=1, name="Rome")
    api = serving()
    again = api.get(f"/api/tables/{made['table']}")
    assert (again["branch"]["name"], again["branch"]["step"], again["state"]) == ("Rome", 4, "playing")
    with api.join(made["table"], made["secret"]) as me:
        assert me.seat == 1


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"step": 100_000, "seat": 0}, "malformed"),
        ({"step": -1, "seat": 0}, "malformed"),
        ({"step": 1, "seat": 2}, "wrong-seat"),
        ({"step": 1, "seat": 0, "bot": "chess"}, "unknown-player"),
        ({"step": 1, "seat": 0, "name": "x" * 81}, "malformed"),
        ({"step": 1}, "malformed"),
        ({"step": 1, "seat": 0, "dice": "00"}, "malformed"),
    ],
)
def test_an_impossible_branch_is_refused_with_a_reason(api: Api, finished: str, wanted: Message, code: str) -> None:
    before = api.get("/api/health")["tables"]
    status, refused = api.request("POST", f"/api/tables/{finished}/branches", wanted)
    assert (status // 100, refused["code"]) == (4, code)
    assert refused["reason"].endswith(".")
    assert api.get("/api/health")["tables"] == before


def test_a_running_match_cannot_be_branched(api: Api) -> None:
    table = api.open("me", "normal")["table"]
    status, refused = api.request("POST", f"/api/tables/{table}/branches", {"step": 0, "seat": 1})
    assert (status, refused["code"]) == (409, "not-over")
