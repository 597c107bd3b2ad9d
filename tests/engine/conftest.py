"""The core tests hold many objects for long: thousands of tests, and the positions of all games."""

import gc


def pytest_collection_finish() -> None:
    """Let the garbage collector ignore the tests, and run it less often. This saves a twentieth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
