"""A server that cannot write to its store reports it and accepts no moves."""

import resource
import signal
from pathlib import Path

import pytest

from tests.server.client import Api, Client
from tests.server.conftest import Starting


def latest_health(client: Client) -> str | None:
    """The next notice."""
    while True:
        message = client.receive()
        if message["type"] == "notice":
            reason: str | None = message["reason"]
            return reason


@pytest.mark.parametrize("files", ["grandtour.db*", "grandtour.db-wal"])
def test_a_deleted_store_is_noticed_at_the_next_move(starting: Starting, tmp_path: Path, files: str) -> None:
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
        assert (refused["type"], refused["code"]) == ("refused", "not-stored"), (
            "a move that was not stored is acknowledged"
        )
        assert "cannot save moves" in (latest_health(other) or "")
        assert me.move(me.moves()[0])["code"] == "not-stored"
    with api.join(opened["table"]) as late:
        notices = [message["reason"] for message in late.received if message["type"] == "notice"]
        assert len(notices) == 1, "somebody who comes later is not told again"
    assert api.get("/api/health")["ok"] is False
    for method, path, body in (("GET", "/api/ready", None), ("POST", "/api/tables", WANTED)):
        status, answer = api.request(method, path, body)
        assert (status, answer["code"]) == (503, "not-stored"), f"{method} {path}"
    _, said = server.end(signal.SIGTERM)
    assert "has been deleted or replaced" in said


WANTED = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}]}


def test_the_readiness_check_notices_a_deleted_store(starting: Starting, tmp_path: Path) -> None:
    server = starting()
    api = Api(server.url)
    for file in tmp_path.glob("grandtour.db*"):
        file.unlink()
    # The server writes to the store every few seconds, so it may have noticed already.
    assert api.request("GET", "/api/ready")[0] == 503
    assert api.get("/api/health")["ok"] is False


def test_a_full_disk_pauses_play_until_there_is_room(starting: Starting, tmp_path: Path) -> None:
    server = starting()
    api = Api(server.url)
    opened = api.open("me", "open", options={"start": "1"})
    api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as me:
        before = me.now
        # No file may grow beyond the current size of the store's log: to the server, the disk is full.
        full = (tmp_path / "grandtour.db-wal").stat().st_size
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
        for _ in range(3):
            assert me.move(me.moves()[0])["code"] == "not-stored"
        assert me.now == before, "a move that was not stored is shown"
        assert latest_health(me) is not None
        status, answer = api.request("GET", "/api/ready")
        assert (status, answer["code"]) == (503, "not-stored")
        assert api.get("/api/health")["ok"] is False
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert latest_health(me) is None
        assert me.move(me.moves()[0])["type"] == "ack"
    assert api.get("/api/ready") == {"ok": True}
    _, said = server.end(signal.SIGTERM)
    assert "the store cannot be written" in said
    assert "the store can be written again" in said
