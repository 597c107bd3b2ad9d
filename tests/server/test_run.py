"""Starting and stopping the server: what it prints, why it may refuse to start, and how it ends."""

import random
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from grandtour.engine.refusal import Refusal
from grandtour.server import logs
from grandtour.server.run import address_to_open, bind, run
from tests.server.client import Api, settings_for
from tests.server.conftest import Starting


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if int(parent) == pid:
                found.append(int(entry.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_several_processes_cannot_share_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "set_up", lambda *_: None)
    with pytest.raises(Refusal, match="need a database") as refused:
        run(settings_for(tmp_path, workers=2), open_browser=False)
    assert refused.value.code == "bad-settings"
    assert not list(tmp_path.iterdir()), "a store was created although nothing was served"


def test_a_port_in_use_is_reported(starting: Starting) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = starting(port)
        code = server.process.wait()
        said, _ = server.process.communicate()
    assert code == 1
    assert server.said == f"Port {port} of 127.0.0.1 is in use; choose another with --port.\n"
    assert said == ""


def test_a_store_in_use_is_reported(starting: Starting) -> None:
    first = starting()
    second = starting()
    assert second.process.wait() == 1
    assert "Another server is using the store" in second.said
    second.process.communicate()
    first.end(signal.SIGTERM)


def test_ctrl_c_stops_the_server_quietly_during_a_game(starting: Starting) -> None:
    server = starting()
    assert server.said.startswith("Grand Tour is open at http://127.0.0.1:")
    api = Api(server.url)
    opened = api.open("me", "normal", "normal", options={"turn_limit": 60})
    api.open("normal", "normal", "normal", "normal", options={"turn_limit": 200})
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(1).choice, moves=3)
        server.interrupt()
        assert me.closed() == 1012
    said, _ = server.process.communicate()
    assert (server.process.returncode, said) == (0, "")


def test_sigterm_stops_the_server_like_ctrl_c(starting: Starting) -> None:
    server = starting()
    api = Api(server.url)
    opened = api.open("me", "normal", options={"turn_limit": 60})
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(1).choice, moves=2)
        code, said = server.end(signal.SIGTERM)
        assert me.closed() == 1012
    assert (code, said) == (0, server.said)


def test_ctrl_c_is_quiet_while_bot_processes_start(starting: Starting) -> None:
    server = starting()
    Api(server.url).open("normal", "normal")
    server.interrupt()
    said, _ = server.process.communicate()
    assert (server.process.returncode, said) == (0, "")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_server_can_be_stopped_as_soon_as_its_address_is_printed(name: str, tmp_path: Path) -> None:
    program = f"""
import os, signal
from grandtour.server import run, serve
run._announce = lambda listening, open_browser: os.kill(os.getpid(), signal.{name})
serve("127.0.0.1", 0, {str(tmp_path)!r})
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_a_bot_process_does_not_outlive_a_killed_server(starting: Starting) -> None:
    server = starting()
    api = Api(server.url)
    opened = api.open("normal", "normal", options={"turn_limit": 200})
    with api.join(opened["table"]) as spectator:
        spectator.until(lambda: spectator.last > 5)
    bot_pool = children(server.process.pid)
    assert bot_pool
    server.end(signal.SIGKILL)
    api.until(lambda: not any(alive(pid) for pid in bot_pool))


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
def test_another_machines_address_is_refused(host: str) -> None:
    with pytest.raises(Refusal) as refused:
        bind(host, 0)
    assert refused.value.reason.endswith(".")


def test_the_printed_address_can_be_typed_into_a_browser() -> None:
    with bind("0.0.0.0", 0) as everywhere:
        assert address_to_open(everywhere) == f"http://localhost:{everywhere.getsockname()[1]}/"
