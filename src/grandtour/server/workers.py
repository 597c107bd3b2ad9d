"""Several server processes that share a port and a database: `grandtour serve --workers 4`."""

import contextlib
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing import connection
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, Final

from grandtour.engine import catalogue
from grandtour.engine.refusal import Refusal
from grandtour.server import logs
from grandtour.server.run import bind, serve_at
from grandtour.server.settings import Settings

log = logging.getLogger(__name__)

START_TIMEOUT: Final = 60.0
END_TIMEOUT: Final = 15.0
RESTART_PAUSE: Final = 1.0
"""Seconds before a process that has ended is started again."""


def run_workers(settings: Settings, announce: Callable[[socket.socket], None]) -> None:
    """Run the processes until Ctrl-C. A process that ends is started again; the others take over its tables."""
    if not hasattr(socket, "SO_REUSEPORT"):
        raise Refusal("bad-settings", "On this system, several server processes cannot share a port.")
    # Bind once without sharing, so that the port is not shared with an unrelated program.
    with bind(settings.host, settings.port) as first:
        port: int = first.getsockname()[1]
    _check_database(settings.store)
    context = multiprocessing.get_context("spawn")
    # This socket is kept open to reserve the port while a process is started again. It does not listen, so it gets no
    # connections.
    with bind(settings.host, port, shared=True, listen=False) as held, _interrupted_by(signal.SIGTERM):
        workers: list[SpawnProcess] = []
        try:
            ready = context.Semaphore(0)
            # All servers share one set of bot processes. If it fails, each server starts its own.
            server = partial(_start, context, _run_server, replace(settings, bot_processes=0), port, ready)
            starts = [server] * settings.workers
            if settings.bot_processes:
                starts.append(partial(_start, context, _run_bots, settings, port, ready))
            workers = [start() for start in starts]
            for _ in workers:
                if not ready.acquire(timeout=START_TIMEOUT):
                    raise Refusal("bad-settings", "The server processes did not start.")
            announce(held)
            while True:
                _replace_one(workers, starts)
        except KeyboardInterrupt:
            pass
        finally:
            _end(workers)


def _replace_one(workers: list[SpawnProcess], starts: Sequence[Callable[[], SpawnProcess]]) -> None:
    """Wait until a process ends, and start another in its place."""
    ended = connection.wait([worker.sentinel for worker in workers])
    for index, worker in enumerate(workers):
        if worker.sentinel in ended:
            log.error("process %s has ended (%s); a new one is started", worker.pid, worker.exitcode)
            time.sleep(RESTART_PAUSE)
            workers[index] = starts[index]()


def _end(workers: list[SpawnProcess]) -> None:
    for worker in workers:
        worker.terminate()
    until = time.monotonic() + END_TIMEOUT
    for worker in workers:
        worker.join(max(0.0, until - time.monotonic()))
        if worker.is_alive():
            worker.kill()
            worker.join()


def _start(
    context: SpawnContext, work: Callable[[Settings, int, Any], None], settings: Settings, port: int, ready: Any
) -> SpawnProcess:
    worker = context.Process(target=work, args=(settings, port, ready))
    worker.start()
    return worker


def _run_server(settings: Settings, port: int, ready: Any) -> None:
    """The main function of a server process."""
    with _startup(settings), bind(settings.host, port, shared=True) as listening:
        catalogue.games()
        serve_at(settings, listening, ready.release)


def _run_bots(settings: Settings, port: int, ready: Any) -> None:
    """The main function of the bot server that they share."""
    from grandtour.server.background.bot_server import run_bots

    with _startup(settings):
        run_bots(settings, ready.release)


@contextlib.contextmanager
def _startup(settings: Settings) -> Iterator[None]:
    """The start of a process: it ends with its parent, and reports why if it cannot start."""
    logs.set_up(settings.log_format, settings.log_level)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        yield
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        sys.exit(1)


def _end_with_parent() -> None:
    """End this process if its parent is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def _check_database(url: str) -> None:
    """Set up the database if it is empty. Refuses one that cannot be used, before any process is started."""
    from grandtour.server.storage import postgres

    postgres.open_store(url).close()


@contextlib.contextmanager
def _interrupted_by(number: signal.Signals) -> Any:
    """Treat this signal like Ctrl-C within the block."""
    before = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(number, before)
