"""A newcomer's first minute: a fresh clone, nothing installed, the commands of the README.

Nothing of the surrounding checkout is used: no environment, no node_modules, no PYTHONPATH. Only downloads may come
from the caches of uv, pip and npm, and object files from ccache, because the set-up of the tests has just compiled the
same files with the same flags.
"""

import fcntl
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.server.client import Api

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 600.0
"""Seconds after which a test gives up. Nothing is asserted about time, but the times are printed."""
KEPT = re.compile(r"HOME|USER|LANG|LC_\w+|TZ|TMPDIR|SSL_CERT_\w+|\w+_proxy|(PIP|UV|NPM_CONFIG)_\w+", re.IGNORECASE)
COMPILER = re.compile(r"(.*-)?(cc|gcc|g\+\+|c\+\+|c89|c99|cpp|clang|tcc)(-?\d+(\.\d+)*)?$")
NODE = re.compile(r"(node|nodejs|npm|npx)$")


def bare_environment() -> dict[str, str]:
    """The environment of a login shell, without a virtual environment or anything of this checkout."""
    variables = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
    path = [place for place in os.environ["PATH"].split(os.pathsep) if not Path(place).is_relative_to(ROOT)]
    base = Path(getattr(sys, "_base_executable", None) or sys.executable).resolve().parent
    return {**variables, "PATH": os.pathsep.join([*path, str(base)])}


def clone(folder: Path) -> Path:
    """A clone of the commit, in a folder with a space and an umlaut in its name."""
    target = folder / "Größe 1"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, target], check=True)
    return target


def machine_without(programs: re.Pattern[str], folder: Path) -> dict[str, str]:
    """The bare environment of a machine on which some programs are not installed."""
    variables = bare_environment()
    folder.mkdir()
    for place in variables["PATH"].split(os.pathsep):
        for program in Path(place).glob("*"):
            if not programs.match(program.name) and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    assert shutil.which("git", path=str(folder)) is not None
    return {**variables, "PATH": str(folder)}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


class Play:
    """`make play`, run in its own terminal."""

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
        self.api = Api(f"http://127.0.0.1:{self.port}")

    def said(self) -> str:
        return self.log.read_text("utf-8")

    def wait_for_page(self) -> str:
        while True:
            try:
                with urllib.request.urlopen(self.api.url, timeout=10) as answer:
                    print(f"the page after {time.monotonic() - self.started:.1f} s")
                    page: str = answer.read().decode()
                    return page
            except OSError:
                self._go_on_waiting("the page did not appear")

    def wait_for(self, words: str) -> None:
        while words not in self.said():
            self._go_on_waiting(f"it did not print {words!r}")
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
        """Press Ctrl-C, and check that everything it started has ended."""
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


def play_a_bots_move(api: Api) -> None:
    """Open a table, make moves, and wait for the bot's move."""
    opened = api.open("me", "normal")
    with api.join(opened["table"], opened["secret"]) as me:
        while not any(event.get("by") == "bot" for event in me.events.values()):
            me.play(lambda moves: moves[0], moves=1)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One clone, which the tests of this file use one after another, each building on the last."""
    fresh = clone(tmp_path_factory.mktemp("start"))
    if (ROOT / "build" / "source").exists():
        shutil.copytree(ROOT / "build" / "source" / "build", fresh / "build" / "source" / "build")
    return fresh


@pytest.fixture
def plays() -> Iterator[list[Play]]:
    started: list[Play] = []
    yield started
    for play in started:
        play.kill()


def test_make_play_works_in_a_fresh_clone_without_a_compiler(checkout: Path, plays: list[Play], tmp_path: Path) -> None:
    variables = machine_without(COMPILER, tmp_path / "bin")
    assert shutil.which("cc", path=variables["PATH"]) is None
    interrupted = Play(checkout, variables)
    plays.append(interrupted)
    interrupted.wait_for("npm packages")
    interrupted.stop()
    assert "Traceback" not in interrupted.said(), interrupted.said()
    play = Play(checkout, variables)
    plays.append(play)
    assert "<title>Grand Tour</title>" in play.wait_for_page()
    assert "There is no C compiler here" in play.said()
    play_a_bots_move(play.api)
    assert not play.is_compiled()
    play.stop()


def test_with_a_compiler_it_compiles_in_the_background(checkout: Path, plays: list[Play]) -> None:
    """It also compiles while the page is being built, and prints nothing about that before the page is ready."""
    shutil.rmtree(checkout / "src" / "grandtour" / "server" / "page")
    interrupted = Play(checkout, bare_environment())
    plays.append(interrupted)
    interrupted.wait_for("building the page")
    interrupted.stop()
    assert "Traceback" not in interrupted.said(), interrupted.said()
    first = Play(checkout, bare_environment())
    plays.append(first)
    first.wait_for_page()
    first.wait_for("Compiling in the background")
    assert (
        first.said().index("✓ building the page")
        < first.said().index("Grand Tour is open")
        < first.said().index("Compiling")
    )
    assert (checkout / "build" / "logs" / "compile.log").exists(), "it waited for the page before it compiled"
    play_a_bots_move(first.api)
    assert not first.is_compiled(), "the first start does not wait for the compiler"
    meanwhile = Play(checkout, bare_environment())
    plays.append(meanwhile)
    meanwhile.wait_for_page()
    meanwhile.stop()
    assert "Compiling" not in meanwhile.said(), "two starts compile the same thing"
    first.wait_for("Compiled")
    play_a_bots_move(first.api)
    first.stop()
    second = Play(checkout, bare_environment())
    plays.append(second)
    second.wait_for_page()
    play_a_bots_move(second.api)
    assert second.is_compiled(), f"the second start is not compiled:\n{second.said()}"
    second.stop()


def test_a_port_that_is_taken_during_another_set_up_is_reported(checkout: Path, plays: list[Play]) -> None:
    """For example by the other set-up for which this one has waited."""
    with (checkout / "build" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = Play(checkout, bare_environment())
        plays.append(second)
        second.wait_for("waiting for another set-up in this folder")
        with socket.create_server(("127.0.0.1", second.port)):
            fcntl.flock(lock, fcntl.LOCK_UN)
            assert second.process.wait(PATIENCE) != 0
    refused = f"Port {second.port} is in use. Choose another: make play PORT={second.port + 1}"
    assert refused in second.said().splitlines(), second.said()


def test_the_wheel_and_the_source_distribution_contain_the_page(checkout: Path) -> None:
    """Installing them therefore needs no Node."""
    done = subprocess.run(
        [sys.executable, checkout / "tools" / "setup.py", "dist"],
        env=bare_environment(),
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    folder = checkout / "src" / "grandtour" / "server" / "page"
    page = {path.relative_to(checkout / "src").as_posix() for path in folder.rglob("*") if path.is_file()}
    assert "grandtour/server/page/index.html" in page
    (wheel,) = (checkout / "build" / "dist").glob("*.whl")
    (source,) = (checkout / "build" / "dist").glob("*.tar.gz")
    missing = page - set(zipfile.ZipFile(wheel).namelist())
    assert not missing, f"{wheel.name} lacks {sorted(missing)[:3]}"
    with tarfile.open(source) as packed:
        missing = page - {name.partition("/src/")[2] for name in packed.getnames()}
    assert not missing, f"{source.name} lacks {sorted(missing)[:3]}"


def test_the_source_distribution_installs_without_node_and_works(checkout: Path, tmp_path: Path) -> None:
    """It is compiled in an empty environment. Each command names the extra it needs, and the server runs with it."""
    (packed,) = (checkout / "build" / "dist").glob("*.tar.gz")
    subprocess.run(["tar", "-xf", packed, "-C", tmp_path], check=True)
    source = tmp_path / packed.name.removesuffix(".tar.gz")
    shutil.copytree(checkout / "build" / "source" / "build", source / "build")
    venv.create(tmp_path / "env", with_pip=False)
    variables = machine_without(NODE, tmp_path / "bin")

    def uv(*words: str | Path) -> None:
        program = shutil.which("uv", path=variables["PATH"]) or checkout / "build/uv/bin/uv"
        trusting = {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1", **variables}
        done = subprocess.run([program, *words], env=trusting, text=True, capture_output=True)
        assert done.returncode == 0, done.stderr

    uv("build", "--wheel", "--python", sys.executable, "--out-dir", tmp_path, source)
    (wheel,) = tmp_path.glob("*.whl")
    install = ("pip", "install", "--python", tmp_path / "env")
    uv(*install, wheel)
    compiled = list((tmp_path / "env").glob("lib/python*/site-packages/grandtour/engine/match.*.so"))
    assert compiled, "what pip builds is not compiled"
    program = str(tmp_path / "env/bin/grandtour")
    for command, extra in (
        (["tournament", "round-trip", "--games", "2"], "arena"),
        (["report", "round-trip", "--games", "2"], "arena"),
        (["simulate", "round-trip", "--games", "2", "--on", "dask://127.0.0.1:1"], "dask"),
        (["serve"], "server"),
    ):
        refused = subprocess.run([program, *command], env=variables, cwd=tmp_path, text=True, capture_output=True)
        assert refused.returncode == 2, refused.stderr
        assert f"pip install 'grandtour[{extra}]'" in refused.stderr, refused.stderr
        assert len(refused.stderr.splitlines()) == 1, refused.stderr
    uv(*install, f"{wheel}[server]")
    port = free_port()
    serving = subprocess.Popen(
        [program, "serve", "--port", str(port), "--data", tmp_path / "tables"], env=variables, cwd=tmp_path
    )
    try:
        api = Api(f"http://127.0.0.1:{port}")
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                status, page, _ = api.fetch("GET", "/")
                break
            except OSError:
                assert serving.poll() is None, "the server did not start"
                assert time.monotonic() < deadline, "the server does not respond"
                time.sleep(0.1)
        assert status == 200
        assert "<title>Grand Tour</title>" in page
        play_a_bots_move(api)
    finally:
        serving.send_signal(signal.SIGINT)
        serving.wait(timeout=30)
