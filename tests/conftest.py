"""For all tests."""

import signal
import threading


def pytest_configure() -> None:
    """A run that is ended by a time limit stops what it has started, as after Ctrl-C: servers, browsers, databases."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler)
