"""Everything between a fresh clone and a game that runs; `make` calls it, and it does the same without `make`.

    python3 tools/setup.py play     set up what playing takes, start the server, and compile beside it
    python3 tools/setup.py test     set up what testing takes, and run every test
    python3 tools/setup.py setup    set up the command line: compiled, with simulations, tournaments and reports
    python3 tools/setup.py dist     build the wheel and the source distribution

A step is done again only when the content of its inputs has changed since it was last done. Nothing but the
standard library is needed: this runs before anything is installed.
"""

import argparse
import contextlib
import errno
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

OLDEST_PYTHON = (3, 11)
NEWER_PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11", "python3")
IS_NEW_ENOUGH = f"import sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"

if sys.platform == "win32":
    sys.exit("The set-up runs on Linux and macOS. On Windows, run it inside WSL.")
if sys.version_info < OLDEST_PYTHON:
    # A name can stand for a Python that is not installed, or for this one again, so each is tried.
    for newer in filter(None, map(shutil.which, NEWER_PYTHONS)):
        if subprocess.call([newer, "-c", IS_NEW_ENOUGH], stderr=subprocess.DEVNULL) == 0:
            os.execv(newer, [newer, *sys.argv])
    sys.exit(
        "Grand Tour needs Python 3.11 or newer; this is Python {}.{}. If there is a newer one here,\n"
        "say where: make play PYTHON=/path/to/python3".format(*sys.version_info)
    )

import fcntl  # noqa: E402

from building import (  # noqa: E402
    PACKAGE,
    WITHOUT_COMPILER,
    build_page,
    build_wheel,
    can_compile,
    compile_ahead,
    distributions,
    page,
    wheel,
)
from packages import environment, install, install_page_packages, node_is_good, python  # noqa: E402
from steps import BUILD, DISK_IS_FULL, ROOT, Stop, end_all, progress  # noqa: E402

PEERS = ROOT / ".venv-bench"
FOR_WORK = ("arena", "build", "postgres", "push", "test")
"""The requirements that only work on the sources takes."""
BACKGROUND_NICENESS = 10
SERVER_START = 60.0
"""Seconds that the compiler waits at most for the server, so that it does not slow down the first page."""
SERVE = "import sys; from grandtour.server import serve; serve(sys.argv[2], int(sys.argv[3]), sys.argv[4], True)"
"""`grandtour serve --open`, without loading the command line: a tenth of a second."""
IN_THE_BACKGROUND = "Compiling in the background, so that bots think further ahead from the next start on."
NOT_WRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM)
CLONE_IT = "Everything is installed into the folder of the clone: make a clone in a folder of yours and start it there."


def prepare(*requirements: str, tests: bool = False, beside_page: Callable[[], None] = lambda: None) -> None:
    """The Python packages and the page: side by side, unless the page has to wait for a Node from PyPI. `beside_page`
    is called when the packages are there, and the page is likely to take longer."""
    needs_node = (tests or page().due()) and not node_is_good()

    def packages() -> None:
        environment()
        doing = "installing the Python packages" + (" and Node" if needs_node else "")
        install(doing, *requirements, *(["node"] if needs_node else []))
        beside_page()

    def pages() -> None:
        if tests:
            install_page_packages(tests=True)
        build_page()

    if needs_node:
        packages()
        pages()
    else:
        side_by_side(packages, pages)


def side_by_side(*jobs: Callable[[], None]) -> None:
    """Run jobs in threads. The first that fails, or Ctrl-C, ends the others."""
    failures: list[BaseException] = []

    def attempt(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=attempt, args=(job,), daemon=True) for job in jobs]
    try:
        for thread in threads:
            thread.start()
        while not failures and any(thread.is_alive() for thread in threads):
            time.sleep(0.05)
    finally:
        if failures or any(thread.is_alive() for thread in threads):
            end_all()
            for thread in threads:
                thread.join()
    if failures:
        raise failures[0]


@contextlib.contextmanager
def exclusive(name: str = "lock", wait: bool = True) -> Iterator[bool]:
    """Only one set-up at a time works in this checkout. Without `wait`, tells whether this is the one."""
    try:
        BUILD.mkdir(exist_ok=True)
        lock = (BUILD / name).open("w")
    except OSError as error:
        if error.errno not in NOT_WRITABLE:
            raise
        yield True  # a read-only checkout can still be played in, if everything is built
        return
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not wait:
                yield False
                return
            with progress.task("waiting for another set-up in this folder"):
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield True


def compile_beside(ahead: bool) -> None:
    """Compile while the server runs: at low priority, and not if another start is doing so already.

    `ahead` begins before there is a page. Nothing is shown until a line on the standard input says that the server
    runs; if the input ends instead, whoever started this is gone."""
    os.nice(BACKGROUND_NICENESS)
    with exclusive("compile.lock", wait=False) as mine:
        if not mine:
            return
        if ahead:
            served = threading.Event()
            progress.hold()
            threading.Thread(target=wait_for_server, args=(served,), daemon=True).start()
            try:
                compile_ahead()
            except Stop:
                served.wait()
                raise
            served.wait()
        elif wheel().due():
            progress.say(IN_THE_BACKGROUND)
        if wheel().due():
            build_wheel("installing Grand Tour" if ahead else None)
            progress.say("Compiled: the next start uses it.")


def wait_for_server(served: threading.Event) -> None:
    # Not by sys.stdin, whose lock a thread that still reads would keep from an interpreter that ends.
    if not os.read(0, 1):
        os.kill(os.getpid(), signal.SIGTERM)
        return
    progress.say(IN_THE_BACKGROUND)
    progress.release()
    served.set()


def start_compiler(*words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, __file__, "compile", *words]
    return subprocess.Popen(command, start_new_session=True, stdin=subprocess.PIPE)


def play(host: str, port: int, data: str) -> int:
    """Set up what is missing and serve: compiled if that is done already, otherwise at once from the sources."""
    refuse_used_port(host, port)
    compilers: list[subprocess.Popen[bytes]] = []

    def compile_beside_page() -> None:
        if page().due() and can_compile():
            compilers.append(start_compiler("--ahead"))

    try:
        with exclusive():
            prepare("run", beside_page=compile_beside_page)
        refuse_used_port(host, port)  # whoever was setting up here before may have taken it
        refuse_read_only_data(data)
        serve = [str(python()), "-P", "-c", SERVE, "serve", host, str(port), data]
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        if wheel().due():
            variables["PYTHONPATH"] = str(PACKAGE.parent)
            if not can_compile():
                print(f"There is no C compiler here, so Grand Tour runs uncompiled. {WITHOUT_COMPILER}", flush=True)
            elif os.access(BUILD, os.W_OK):
                return serve_and_compile(serve, variables, host, port, compilers)
    finally:
        for compiler in compilers:
            if compiler.poll() is None:
                os.killpg(compiler.pid, signal.SIGTERM)
                compiler.wait()
    os.chdir(ROOT)
    return os.execve(serve[0], serve, variables)


def serve_and_compile(
    serve: list[str], variables: dict[str, str], host: str, port: int, compilers: list[subprocess.Popen[bytes]]
) -> int:
    """Run the server in the foreground and the compiler behind it, if none is at work yet."""
    server = subprocess.Popen(serve, cwd=ROOT, env=variables)
    # Ctrl-C reaches the server directly; this process stays until the server has closed its tables.
    signal.signal(signal.SIGINT, lambda *_: None)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: server.send_signal(number))
    deadline = time.monotonic() + SERVER_START
    while server.poll() is None and time.monotonic() < deadline and not answers(host, port):
        time.sleep(0.1)
    if server.poll() is not None:
        return server.returncode
    if not compilers:
        compilers.append(start_compiler())
    for compiler in compilers:
        assert compiler.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended already: another start is compiling
            compiler.stdin.write(b"the server runs\n")
            compiler.stdin.flush()
    return server.wait()


def refuse_used_port(host: str, port: int) -> None:
    """Say that a port is taken, in the words the user started this with."""
    with contextlib.suppress(OSError):
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind(place)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    other = port + 1 if port < 65535 else 0
                    raise Stop(f"Port {port} is in use. Choose another: {again('port', other)}") from None


def refuse_read_only_data(data: str) -> None:
    """Say that tables cannot be stored, as in a read-only checkout in which everything is built."""
    folder = ROOT / Path(data).expanduser()
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    if not os.access(existing, os.W_OK):
        raise Stop(f"Tables cannot be stored in {folder}. Choose another folder: {again('data', '~/grandtour')}")


def again(option: str, value: object) -> str:
    """The command to start with another setting, as the user typed it."""
    if "MAKELEVEL" in os.environ:
        return f"make play {option.upper()}={value}"
    return f"python3 tools/setup.py play --{option} {value}"


def answers(host: str, port: int) -> bool:
    """Whether the server takes requests: by then it has said where it is. Its socket is there a little earlier."""
    asking = http.client.HTTPConnection(host, port, timeout=0.5)
    try:
        asking.request("HEAD", "/")
        asking.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asking.close()
    return True


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tools/setup.py", description="Set Grand Tour up and start it.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    playing = commands.add_parser("play", help="set up what playing takes, start the server, compile beside it")
    playing.add_argument("--host", default="127.0.0.1")
    playing.add_argument("--port", type=int, default=8000)
    playing.add_argument("--data", default="data", help="where tables are kept")
    testing = commands.add_parser("test", help="set up what testing takes and run the tests")
    testing.add_argument("parts", nargs="*", help="parts of the tests; none means all")
    commands.add_parser("setup", help="set up the command line, compiled")
    commands.add_parser("tools", help="install only the packages for work on the sources")
    commands.add_parser("bench", help="set up the command line and the libraries to compare it with")
    commands.add_parser("dist", help="build the wheel and the source distribution")
    compiling = commands.add_parser("compile", help="compile at low priority, beside a running server")
    compiling.add_argument("--ahead", action="store_true", help="begin before the page stands")
    wanted = parser.parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        return carry_out(wanted)
    except Stop as reason:
        print(reason, file=sys.stderr)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            print(DISK_IS_FULL, file=sys.stderr)
        elif error.errno in NOT_WRITABLE:
            print(f"{error.filename} cannot be used: {error.strerror}.\n{CLONE_IT}", file=sys.stderr)
        else:
            raise
    except KeyboardInterrupt:
        end_all()
        return 130
    return 1


def carry_out(wanted: argparse.Namespace) -> int:
    if wanted.command == "play":
        return play(wanted.host, wanted.port, wanted.data)
    if wanted.command == "compile":
        compile_beside(wanted.ahead)
        return 0
    with exclusive():
        if wanted.command == "tools":
            environment()
            install("installing the Python packages", "run", *FOR_WORK)
        elif wanted.command == "dist":
            prepare("run")
            with exclusive("compile.lock"):
                distributions()
        elif wanted.command == "test":
            prepare("run", tests=True)
            with exclusive("compile.lock"):
                side_by_side(build_wheel, lambda: install("installing what the tests need", *FOR_WORK))
        else:
            # The benchmark also steps our learning environments, which take what the tests have.
            prepare("run", "arena", *(["test"] if wanted.command == "bench" else []))
            if wanted.command == "bench":
                environment(PEERS)
                install("installing the libraries to compare with", "bench", venv=PEERS)
            with exclusive("compile.lock"):
                build_wheel()
    if wanted.command == "test":
        command = [str(python()), str(ROOT / "tools" / "test.py"), *wanted.parts]
        os.execv(command[0], command)
    return 0


def interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
