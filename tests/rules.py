"""`@rule("RT-14")` above a test names the paragraphs of a rulebook that the test proves."""

import pytest


def rule(*paragraphs: str) -> pytest.MarkDecorator:
    """Mark a test with the paragraphs it proves; `tests/test_rulebooks.py` reads the marks.

    The paragraphs are written out as plain strings: they are also found by reading the source.
    """
    return pytest.mark.rule(*paragraphs)
