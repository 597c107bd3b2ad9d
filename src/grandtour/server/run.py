"""Starts the server and runs it until it is told to stop."""

import contextlib
import errno
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Final

import uvicorn

from grandtour.engine import catalogue
from grandtour.engine.refusal import Refusal
from grandtour.server import logs
from grandtour.server.http.app import make_app
from grandtour.server.http.proxies import Proxies
from grandtour.server.settings import Settings
from grandtour.server.storage.sqlite_store import FILE, SqliteStore
from grandtour.server.storage.store import SharedStore, Store
from grandtour.server.tables.connections import Config, ConnectionLimiter, HttpConnection, SocketConnection

DATABASES: Final = ("postgresql://", "postgres://")
BACKLOG = 1024
MAX_DESCRIPTORS = 16_384
SEND_BUFFER = 256 * 1024
"""The size of the operating system's send buffer per connection, in bytes. Once it is full, the server notices that a
client does not read."""


def run(settings: Settings, open_browser: bool) -> None:
    """Serve until Ctrl-C. Refuses if the server cannot start."""
    logs.set_up(settings.log_format, settings.log_level)
    _raise_descriptor_limit()
    if settings.workers > 1:
        if not settings.store.startswith(DATABASES):
            raise Refusal(
                "bad-settings",
                "Several server processes need a database that they can share, such as --store postgresql://host/name.",
            )
        # Imported here, because most servers never need it.
        from grandtour.server.workers import run_workers

        run_workers(settings, partial(_announce, open_browser=open_browser))
        return
    # Loading the games takes half a second, so it is done before anyone is at a table.
    catalogue.games()
    listening = bind(settings.host, settings.port)
    with contextlib.closing(listening):
        serve_at(settings, listening, partial(_announce, listening, open_browser))


def run_bot_server(settings: Settings) -> None:
    """Run a bot server for the servers of a database until Ctrl-C. Refuses if it cannot start."""
    logs.set_up(settings.log_format, settings.log_level)
    if not settings.store.startswith(DATABASES):
        raise Refusal(
            "bad-settings",
            "A bot server needs a database that servers share, such as --store postgresql://host/name; "
            "a server without one runs its own bots.",
        )
    # Imported here, because it needs a package that most servers do not have.
    from grandtour.server.background.bot_server import run_bots

    run_bots(settings, lambda: print("Bots are ready for the servers of this database  (Ctrl-C ends them)", flush=True))


def serve_at(settings: Settings, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve at this socket until Ctrl-C; `ready` is called before the first request is taken."""
    sockets = [listening]
    if settings.store:
        inside = bind(settings.inside_host, 0)
        sockets.append(inside)
        host, port = inside.getsockname()[:2]
        store = open_store(settings, f"{host}:{port}")
    else:
        port = 0
        store = open_store(settings)
    server = uvicorn.Server(configure(settings, store, own_process=True, internal_port=port))
    if threading.current_thread() is threading.main_thread():
        # Signals must work as soon as the server is announced, and uvicorn handles them only a little later. uvicorn
        # raises them again after it has shut down, which then has no effect.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, server.handle_exit)
    ready()
    server.run(sockets)


def open_store(settings: Settings, address: str = "") -> Store:
    """The store that the settings name. Other servers reach this one at `address`."""
    if not settings.store:
        return SqliteStore(settings.data / FILE)
    if not settings.store.startswith(DATABASES):
        raise Refusal("bad-settings", f"A store is a database such as postgresql://host/name, not {settings.store!r}.")
    # Imported here, because it needs a package that most servers do not have.
    from grandtour.server.storage.postgres_store import PostgresStore

    return PostgresStore(settings.store, address)


def _announce(listening: socket.socket, open_browser: bool) -> None:
    address = address_to_open(listening)
    elsewhere = " and at every other address of this machine" if listens_everywhere(listening) else ""
    print(f"Grand Tour is open at {address}{elsewhere}  (Ctrl-C closes it)", flush=True)
    if open_browser and has_display():
        threading.Thread(target=_open_in_browser, args=(address,), daemon=True).start()


def configure(
    settings: Settings, store: Store | None = None, own_process: bool = False, internal_port: int = 0
) -> Config:
    """uvicorn's configuration. uvicorn logs nothing that clients send and ignores proxy headers. `internal_port` is the
    port for other servers."""
    proxies = Proxies(settings.proxies, settings.proxy_header)
    app = make_app(settings, store, proxies, own_process, internal_port)
    config = Config(
        app,
        http=HttpConnection,
        ws=SocketConnection,
        ws_max_size=settings.limits.frame_bytes,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        log_level=settings.log_level,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    app.state.limiter = config.limiter = ConnectionLimiter(settings, proxies)
    config.limiter.internal_port = internal_port or None
    if isinstance(store, SharedStore):
        config.limiter.servers = lambda: max(1, len(store.cluster.servers))
    return config


def bind(host: str, port: int, shared: bool = False, listen: bool = True) -> socket.socket:
    """A listening socket; with `shared`, other processes may listen at the same port. Refuses if it cannot listen."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, OverflowError, UnicodeError):
        raise Refusal("bad-address", f"The server cannot listen at {host}, port {port}.") from None
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name != "nt":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        # Accepted connections inherit these settings.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listening.bind(place)
        if listen:
            listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise Refusal("port-in-use", f"Port {port} of {host} is in use; choose another with --port.") from None
        raise Refusal("bad-address", f"Port {port} of {host} cannot be used: {error.strerror}.") from None
    return listening


def address_to_open(listening: socket.socket) -> str:
    """The address to open in a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if listens_everywhere(listening):
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def listens_everywhere(listening: socket.socket) -> bool:
    return listening.getsockname()[0] in ("0.0.0.0", "::")


def has_display() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _raise_descriptor_limit() -> None:
    """Raise the limit of file descriptors as far as the system allows."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def _open_in_browser(address: str) -> None:
    # Imported here, because most servers never need it.
    import webbrowser

    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)
