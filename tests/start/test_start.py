"""A newcomer's first minute: a fresh clone, nothing installed, the commands of the README.

Nothing of the surrounding checkout is used: no environment, no node_modules, no PYTHONPATH. Only downloads may come
from the caches of uv, pip and npm.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.server.client import House

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 600.0
"""Seconds until a test gives up. Nothing is asserted about time, but what it took is printed."""
KEPT = re.compile(r"HOME|USER|LANG|LC_\w+|TZ|TMPDIR|SSL_CERT_\w+|\w+_proxy|(PIP|UV|NPM_CONFIG)_\w+", re.IGNORECASE)
COMPILER = re.compile(r"(.*-)?(cc|gcc|g\+\+|c\+\+|c89|c99|cpp|clang|tcc)(-?\d+(\.\d+)*)?$")


def bare_environment() -> dict[str, str]:
    """What a login shell would have: no virtual environment, nothing about this checkout."""
    variables = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
    path = [place for place in os.environ["PATH"].split(os.pathsep) if not Path(place).is_relative_to(ROOT)]
    base = Path(getattr(sys, "_base_executable", None) or sys.executable).resolve().parent
    return {**variables, "PATH": os.pathsep.join([*path, str(base)])}


def clone(folder: Path) -> Path:
    """A clone of the commit, in a folder with a space and an umlaut in its name."""
    target = folder / "Größe 1"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, target], check=True)
    return target


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


class Play:
    """`make play` in a terminal of its own."""

    def __init__(self, checkout: Path, variables: dict[str, str]) -> None:
        self.port = free_port()
        self.log = checkout.parent / f"play-{self.port}.log"
        self.started = time.monotonic()
        with self.log.open("w") as out:
            self.process = subprocess.Popen(
                ["make", "play", f"PORT={self.port}", f"DATA={checkout.parent / f'tables-{self.port}'}"],
                cwd=checkout,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        self.house = House(f"http://127.0.0.1:{self.port}")

    def said(self) -> str:
        return self.log.read_text("utf-8")

    def wait_for_page(self) -> str:
        while True:
            try:
                with urllib.request.urlopen(self.house.url, timeout=10) as answer:
                    print(f"the page after {time.monotonic() - self.started:.1f} s")
                    page: str = answer.read().decode()
                    return page
            except OSError:
                self._go_on_waiting("the page never came")

    def wait_for(self, words: str) -> None:
        while words not in self.said():
            self._go_on_waiting(f"it never said {words!r}")
        print(f"{words!r} after {time.monotonic() - self.started:.1f} s")

    def _go_on_waiting(self, failure: str) -> None:
        assert self.process.poll() is None, f"make play ended with {self.process.returncode}:\n{self.said()}"
        assert "The whole output is in" not in self.said(), f"something failed:\n{self.said()}"
        assert time.monotonic() - self.started < PATIENCE, f"{failure}:\n{self.said()}"
        time.sleep(0.1)

    def is_compiled(self) -> bool:
        """Whether the server has loaded the compiled engine."""
        processes = [psutil.Process(self.process.pid), *psutil.Process(self.process.pid).children(recursive=True)]
        server = next(process for process in processes if "serve" in process.cmdline())
        return any("grandtour__mypyc" in region.path for region in server.memory_maps())

    def stop(self) -> None:
        """Ctrl-C, and everything it started is gone."""
        family = psutil.Process(self.process.pid).children(recursive=True)
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(timeout=30)
        _, alive = psutil.wait_procs(family, timeout=10)
        assert not alive, f"still running after Ctrl-C: {[process.cmdline() for process in alive]}"

    def kill(self) -> None:
        if self.process.poll() is None:
            for process in psutil.Process(self.process.pid).children(recursive=True):
                process.kill()
            self.process.kill()
            self.process.wait()


def play_a_bots_move(house: House) -> None:
    """Open a table, make moves, and see the bot answer."""
    opened = house.open("me", "normal")
    with house.join(opened["table"], opened["secret"]) as me:
        while not any(event.get("by") == "bot" for event in me.events.values()):
            me.play(lambda moves: moves[0], moves=1)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clone(tmp_path_factory.mktemp("start"))


@pytest.fixture
def plays() -> Iterator[list[Play]]:
    started: list[Play] = []
    yield started
    for play in started:
        play.kill()


def test_make_play_works_in_a_fresh_clone_and_compiles_beside_the_game(checkout: Path, plays: list[Play]) -> None:
    interrupted = Play(checkout, bare_environment())
    plays.append(interrupted)
    interrupted.wait_for("npm packages")
    interrupted.stop()
    assert "Traceback" not in interrupted.said(), interrupted.said()
    first = Play(checkout, bare_environment())
    plays.append(first)
    assert "<title>Grand Tour</title>" in first.wait_for_page()
    play_a_bots_move(first.house)
    assert not first.is_compiled(), "the first start does not wait for the compiler"
    meanwhile = Play(checkout, bare_environment())
    plays.append(meanwhile)
    meanwhile.wait_for_page()
    meanwhile.stop()
    assert "Compiling" not in meanwhile.said(), "two starts compile the same thing"
    first.wait_for("Compiled")
    play_a_bots_move(first.house)
    first.stop()
    second = Play(checkout, bare_environment())
    plays.append(second)
    second.wait_for_page()
    play_a_bots_move(second.house)
    assert second.is_compiled(), f"the second start is not compiled:\n{second.said()}"
    second.stop()


def test_the_wheel_works_outside_the_clone(checkout: Path, tmp_path: Path) -> None:
    """It holds the page, needs no Node, and says which extra a command needs."""
    (wheel,) = (checkout / "build" / "wheel").glob("*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    variables = bare_environment()
    installed = subprocess.run(
        [tmp_path / "env/bin/python", "-m", "pip", "install", "--quiet", wheel], env=variables, capture_output=True
    )
    assert installed.returncode == 0, installed.stderr.decode()
    program = str(tmp_path / "env/bin/grandtour")
    for command, extra in (("tournament", "arena"), ("report", "arena")):
        refused = subprocess.run(
            [program, command, "round-trip", "--games", "2"],
            env=variables,
            cwd=tmp_path,
            text=True,
            capture_output=True,
        )
        assert refused.returncode == 2
        assert f"pip install 'grandtour[{extra}]'" in refused.stderr, refused.stderr
        assert len(refused.stderr.splitlines()) == 1, refused.stderr
    port = free_port()
    serving = subprocess.Popen(
        [program, "serve", "--port", str(port), "--data", tmp_path / "tables"], env=variables, cwd=tmp_path
    )
    try:
        house = House(f"http://127.0.0.1:{port}")
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                status, page, _ = house.fetch("GET", "/")
                break
            except OSError:
                assert serving.poll() is None, "the server did not start"
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.1)
        assert status == 200
        assert "<title>Grand Tour</title>" in page
        play_a_bots_move(house)
    finally:
        serving.send_signal(signal.SIGINT)
        serving.wait(timeout=30)


def test_make_play_works_without_a_compiler(tmp_path: Path, plays: list[Play]) -> None:
    variables = bare_environment()
    programs = tmp_path / "bin"
    programs.mkdir()
    for place in variables["PATH"].split(os.pathsep):
        for program in Path(place).glob("*"):
            if not COMPILER.match(program.name) and not (programs / program.name).is_symlink():
                (programs / program.name).symlink_to(program)
    variables["PATH"] = str(programs)
    assert shutil.which("cc", path=str(programs)) is None
    play = Play(clone(tmp_path), variables)
    plays.append(play)
    play.wait_for_page()
    assert "There is no C compiler here" in play.said()
    play_a_bots_move(play.house)
    assert not play.is_compiled()
    play.stop()
