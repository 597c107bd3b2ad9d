"""For all tests."""

import signal
import threading


def pytest_configure() -> None:
    """A run that is ended by a time limit stops what it has started, as after Ctrl-C: servers, browsers, databases.
    And Ctrl-C is not ignored, as it is by whatever a script starts with `&`: what tests start would ignore it, too."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler)
