"""Sets Grand Tour up in a fresh clone and starts it. `make` calls this script, which also works without `make`.

    python3 tools/setup.py play     install what the server needs, start it, and compile in the background
    python3 tools/setup.py test     install what the tests need, and run every test
    python3 tools/setup.py setup    install the command line: compiled, with simulations, tournaments and reports
    python3 tools/setup.py dist     build the wheel and the source distribution

A step is repeated only if the content of its inputs has changed. The script runs before anything is installed, so it
uses only the standard library.
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
    # A name can be a stub for a Python that is not installed, or this Python again, so each one is tried.
    for newer in filter(None, map(shutil.which, NEWER_PYTHONS)):
        if subprocess.call([newer, "-c", IS_NEW_ENOUGH], stderr=subprocess.DEVNULL) == 0:
            os.execv(newer, [newer, *sys.argv])
    sys.exit(
        "Grand Tour needs Python 3.11 or newer; this is Python {}.{}. If a newer one is installed,\n"
        "give its path: make play PYTHON=/path/to/python3".format(*sys.version_info)
    )

import fcntl  # noqa: E402

from building import (  # noqa: E402
    PACKAGE,
    UNCOMPILED_HINT,
    build_page,
    build_wheel,
    can_compile,
    compile_early,
    distributions,
    page,
    wheel,
)
from packages import environment, install, install_page_packages, node_is_supported, python  # noqa: E402
from steps import BUILD, DISK_IS_FULL, ROOT, Stop, progress, stop_all  # noqa: E402

BENCH_VENV = ROOT / ".venv-bench"
DEVELOPMENT = ("arena", "build", "postgres", "push", "test")
"""The requirements for working on the sources, besides `run`."""
BACKGROUND_NICENESS = 10
SERVER_START_TIMEOUT = 60.0
"""Seconds after which the compiler starts even if the server does not respond yet."""
SERVE = "import sys; from grandtour.server import serve; serve(sys.argv[2], int(sys.argv[3]), sys.argv[4], True)"
"""The same as `grandtour serve --open`, but a tenth of a second faster, because the command line is not imported."""
COMPILING = "Compiling in the background, so that bots think further ahead from the next start on."
NOT_WRITABLE_ERRORS = (errno.EROFS, errno.EACCES, errno.EPERM)
CLONE_HINT = (
    "Everything is installed into the clone itself. Clone Grand Tour into a folder of your own and start it there."
)


def prepare(*requirements: str, tests: bool = False, after_packages: Callable[[], None] = lambda: None) -> None:
    """Install the Python packages and build the page, in parallel unless the page needs a Node from PyPI first.
    `after_packages` is called when the packages are installed; the page usually takes longer."""
    needs_node = (tests or page().due()) and not node_is_supported()

    def packages() -> None:
        environment()
        doing = "installing the Python packages" + (" and Node" if needs_node else "")
        install(doing, *requirements, *(["node"] if needs_node else []))
        after_packages()

    def pages() -> None:
        if tests:
            install_page_packages(tests=True)
        build_page()

    if needs_node:
        packages()
        pages()
    else:
        run_parallel(packages, pages)


def run_parallel(*jobs: Callable[[], None]) -> None:
    """Run jobs in threads. If one fails or the user presses Ctrl-C, the others are stopped."""
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
            stop_all()
            for thread in threads:
                thread.join()
    if failures:
        raise failures[0]


@contextlib.contextmanager
def exclusive(name: str = "lock", wait: bool = True) -> Iterator[bool]:
    """Lock this checkout, so that only one set-up changes it at a time. Without `wait`, yields whether the lock was
    free."""
    try:
        BUILD.mkdir(exist_ok=True)
        lock = (BUILD / name).open("w")
    except OSError as error:
        if error.errno not in NOT_WRITABLE_ERRORS:
            raise
        yield True  # a read-only checkout in which everything is built can still start the server
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


def compile_in_background(early: bool) -> None:
    """Compile at low priority while the server runs, unless another process already does.

    With `early`, compiling starts before the page is built. Nothing is printed until the parent process writes a line
    to the standard input, to say that the server is running. If the input is closed first, the parent has died, and
    this process stops."""
    os.nice(BACKGROUND_NICENESS)
    with exclusive("compile.lock", wait=False) as locked:
        if not locked:
            return
        if early:
            server_running = threading.Event()
            progress.hold()
            threading.Thread(target=wait_for_server, args=(server_running,), daemon=True).start()
            try:
                compile_early()
            except Stop:
                server_running.wait()
                raise
            server_running.wait()
        elif wheel().due():
            progress.say(COMPILING)
        if wheel().due():
            build_wheel("installing Grand Tour" if early else None)
            progress.say("Compiled: the next start uses it.")


def wait_for_server(server_running: threading.Event) -> None:
    # os.read instead of sys.stdin: a thread blocked in sys.stdin holds its lock and keeps the interpreter from exiting.
    if not os.read(0, 1):
        os.kill(os.getpid(), signal.SIGTERM)
        return
    progress.say(COMPILING)
    progress.release()
    server_running.set()


def start_compiler(*options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, __file__, "compile", *options]
    return subprocess.Popen(command, start_new_session=True, stdin=subprocess.PIPE)


def play(host: str, port: int, data: str) -> int:
    """Set up what is missing and start the server: compiled if that has been done, otherwise from the sources."""
    refuse_used_port(host, port)
    compilers: list[subprocess.Popen[bytes]] = []

    def compile_while_page_is_built() -> None:
        if page().due() and can_compile():
            compilers.append(start_compiler("--early"))

    try:
        with exclusive():
            prepare("run", after_packages=compile_while_page_is_built)
        refuse_used_port(host, port)  # while this one waited, another set-up may have started a server on it
        refuse_read_only_data(data)
        serve = [str(python()), "-P", "-c", SERVE, "serve", host, str(port), data]
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        if wheel().due():
            variables["PYTHONPATH"] = str(PACKAGE.parent)
            if not can_compile():
                print(f"There is no C compiler here, so Grand Tour runs uncompiled. {UNCOMPILED_HINT}", flush=True)
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
    """Run the server in the foreground, and a compiler in the background if none is running yet."""
    server = subprocess.Popen(serve, cwd=ROOT, env=variables)
    # The terminal sends Ctrl-C to the server, too. This process waits until the server has closed its tables.
    signal.signal(signal.SIGINT, lambda *_: None)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: server.send_signal(number))
    deadline = time.monotonic() + SERVER_START_TIMEOUT
    while server.poll() is None and time.monotonic() < deadline and not is_serving(host, port):
        time.sleep(0.1)
    if server.poll() is not None:
        return server.returncode
    if not compilers:
        compilers.append(start_compiler())
    for compiler in compilers:
        assert compiler.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has exited because another process is compiling
            compiler.stdin.write(b"the server is running\n")
            compiler.stdin.flush()
    return server.wait()


def refuse_used_port(host: str, port: int) -> None:
    """Stop if the port is in use, and show the command for another port."""
    with contextlib.suppress(OSError):
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind(place)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    other = port + 1 if port < 65535 else 0
                    raise Stop(f"Port {port} is in use. Choose another: {start_command('port', other)}") from None


def refuse_read_only_data(data: str) -> None:
    """Stop if tables cannot be stored, for example in a read-only checkout in which everything is already built."""
    folder = ROOT / Path(data).expanduser()
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    if not os.access(existing, os.W_OK):
        raise Stop(
            f"Tables cannot be stored in {folder}. Choose another folder: {start_command('data', '~/grandtour')}"
        )


def start_command(option: str, value: object) -> str:
    """The command that starts with another setting: with or without `make`, as the user started this."""
    if "MAKELEVEL" in os.environ:
        return f"make play {option.upper()}={value}"
    return f"python3 tools/setup.py play --{option} {value}"


def is_serving(host: str, port: int) -> bool:
    """Whether the server responds to requests. By then it has printed its address; it accepts connections slightly
    earlier."""
    connection = http.client.HTTPConnection(host, port, timeout=0.5)
    try:
        connection.request("HEAD", "/")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tools/setup.py", description="Set Grand Tour up and start it.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    playing = commands.add_parser("play", help="install what the server needs, start it, and compile in the background")
    playing.add_argument("--host", default="127.0.0.1")
    playing.add_argument("--port", type=int, default=8000)
    playing.add_argument("--data", default="data", help="folder in which tables are stored")
    testing = commands.add_parser("test", help="install what the tests need and run them")
    testing.add_argument("parts", nargs="*", help="parts of the tests; none means all")
    commands.add_parser("setup", help="install the command line, compiled")
    commands.add_parser("tools", help="install only the packages for working on the sources")
    commands.add_parser("bench", help="install the command line and the libraries it is compared with")
    commands.add_parser("dist", help="build the wheel and the source distribution")
    compiling = commands.add_parser("compile", help="compile at low priority while the server runs")
    compiling.add_argument("--early", action="store_true", help="start before the page is built")
    wanted = parser.parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        return run_command(wanted)
    except Stop as reason:
        print(reason, file=sys.stderr)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            print(DISK_IS_FULL, file=sys.stderr)
        elif error.errno in NOT_WRITABLE_ERRORS:
            print(f"{error.filename} cannot be used: {error.strerror}.\n{CLONE_HINT}", file=sys.stderr)
        else:
            raise
    except KeyboardInterrupt:
        stop_all()
        return 130
    return 1


def run_command(wanted: argparse.Namespace) -> int:
    if wanted.command == "play":
        return play(wanted.host, wanted.port, wanted.data)
    if wanted.command == "compile":
        compile_in_background(wanted.early)
        return 0
    with exclusive():
        if wanted.command == "tools":
            environment()
            install("installing the Python packages", "run", *DEVELOPMENT)
        elif wanted.command == "dist":
            prepare("run")
            with exclusive("compile.lock"):
                distributions()
        elif wanted.command == "test":
            prepare("run", tests=True)
            with exclusive("compile.lock"):
                run_parallel(build_wheel, lambda: install("installing what the tests need", *DEVELOPMENT))
        else:
            # The benchmark also measures our learning environments, which need packages from test.txt.
            prepare("run", "arena", *(["test"] if wanted.command == "bench" else []))
            if wanted.command == "bench":
                environment(BENCH_VENV)
                install("installing the libraries to compare with", "bench", venv=BENCH_VENV)
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
