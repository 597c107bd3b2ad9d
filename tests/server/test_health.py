"""A server that cannot store what is played says so, and takes nothing."""

import resource
import signal
from pathlib import Path

import pytest

from tests.server.client import Api, Client
from tests.server.conftest import Starting


def told(client: Client) -> str | None:
    """The next notice."""
    while True:
        message = client.receive()
        if message["type"] == "notice":
            reason: str | None = message["reason"]
            return reason


@pytest.mark.parametrize("files", ["grandtour.db*", "grandtour.db-wal"])
def test_a_store_that_was_deleted_is_noticed_at_the_next_move(starting: Starting, tmp_path: Path, files: str) -> None:
    server = starting()
    api = Api(server.url)
    opened = api.open("me", "open", options={"start": "1"})
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as me, api.join(opened["table"], place["secret"]) as other:
        assert me.move(me.moves()[0])["type"] == "ack"
        assert api.get("/api/ready") == {"ok": True}
        for file in tmp_path.glob(files):
            file.unlink()
        refused = me.move(me.moves()[0])
        assert (refused["type"], refused["code"]) == ("refused", "not-stored"), "a move into nowhere is acknowledged"
        assert "cannot save moves" in (told(other) or "")
        assert me.move(me.moves()[0])["code"] == "not-stored"
    with api.join(opened["table"]) as late:
        notices = [message["reason"] for message in late.received if message["type"] == "notice"]
        assert len(notices) == 1, "who comes later is not told"
    assert api.get("/api/health")["ok"] is False
    for method, path, body in (("GET", "/api/ready", None), ("POST", "/api/tables", WANTED)):
        status, answer = api.request(method, path, body)
        assert (status, answer["code"]) == (503, "not-stored"), f"{method} {path}"
    _, said = server.end(signal.SIGTERM)
    assert "has been deleted or replaced" in said


WANTED = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}]}


def test_a_server_that_is_asked_whether_it_is_ready_finds_out_by_itself(starting: Starting, tmp_path: Path) -> None:
    server = starting()
    api = Api(server.url)
    for file in tmp_path.glob("grandtour.db*"):
        file.unlink()
    # It may have found out before it is asked: it notes every few seconds that it runs.
    assert api.request("GET", "/api/ready")[0] == 503
    assert api.get("/api/health")["ok"] is False


def test_on_a_full_disk_nobody_plays_and_when_there_is_room_again_they_go_on(
    starting: Starting, tmp_path: Path
) -> None:
    server = starting()
    api = Api(server.url)
    opened = api.open("me", "open", options={"start": "1"})
    api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as me:
        before = me.now
        # No file may grow beyond what the log of the store has now: for it, the disk is full.
        full = (tmp_path / "grandtour.db-wal").stat().st_size
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
        for _ in range(3):
            assert me.move(me.moves()[0])["code"] == "not-stored"
        assert me.now == before, "a move that was not stored is shown"
        assert told(me) is not None
        status, answer = api.request("GET", "/api/ready")
        assert (status, answer["code"]) == (503, "not-stored")
        assert api.get("/api/health")["ok"] is False
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert told(me) is None
        assert me.move(me.moves()[0])["type"] == "ack"
    assert api.get("/api/ready") == {"ok": True}
    _, said = server.end(signal.SIGTERM)
    assert "nothing can be stored" in said
    assert "things can be stored again" in said
