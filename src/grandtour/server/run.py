"""Running the server until it is told to stop."""

import contextlib
import errno
import os
import socket
import sys
import threading

import uvicorn

from grandtour.engine.refusal import Refusal
from grandtour.server.app import make_app
from grandtour.server.connections import Config, Door, HttpConnection, SocketConnection
from grandtour.server.house import FILE
from grandtour.server.proxies import Proxies
from grandtour.server.settings import Settings
from grandtour.server.store import SqliteStore

BACKLOG = 1024
DESCRIPTORS = 16_384
SEND_BUFFER = 256 * 1024
"""Bytes that the system holds back for a client that does not read, before the server notices."""


def run(settings: Settings, open_browser: bool) -> None:
    """Serve until Ctrl-C. What stands in the way is raised as a refusal before anything has begun."""
    _take_descriptors()
    listening = bind(settings.host, settings.port)
    try:
        store = SqliteStore(settings.data / FILE)
    except BaseException:
        listening.close()
        raise
    server = uvicorn.Server(configure(settings, store))
    address = address_to_open(listening)
    elsewhere = " and at every other address of this machine" if is_everywhere(listening) else ""
    print(f"Grand Tour is open at {address}{elsewhere}  (Ctrl-C closes it)", flush=True)
    if open_browser and has_screen():
        threading.Thread(target=_show, args=(address,), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run([listening])


def configure(settings: Settings, store: SqliteStore | None = None) -> Config:
    """uvicorn, told to log nothing of what clients send and to believe nobody but our proxies about their address."""
    proxies = Proxies(settings.proxies, settings.proxy_header)
    config = Config(
        make_app(settings, store, proxies),
        http=HttpConnection,
        ws=SocketConnection,
        ws_max_size=settings.limits.frame_bytes,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    config.door = Door(settings, proxies)
    return config


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens; a refusal says why there is none."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, OverflowError, UnicodeError):
        raise Refusal("bad-address", f"{host}, port {port}, is no address to serve at.") from None
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name != "nt":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Every connection gets what is set here.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listening.bind(place)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise Refusal("port-in-use", f"Port {port} of {host} is in use; choose another with --port.") from None
        raise Refusal("bad-address", f"Port {port} of {host} cannot be used: {error.strerror}.") from None
    return listening


def address_to_open(listening: socket.socket) -> str:
    """What to type into a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if is_everywhere(listening):
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_everywhere(listening: socket.socket) -> bool:
    return listening.getsockname()[0] in ("0.0.0.0", "::")


def has_screen() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _take_descriptors() -> None:
    """Have as many file descriptors as the system lets this process have, and not the few that it starts with."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _show(address: str) -> None:
    # Imported here: most servers never need it.
    import webbrowser

    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)
