"""What bots are called at a table."""

from collections.abc import Iterable
from typing import Final

BOT_NAMES: Final = ("Nellie", "Marco", "Ida", "Phileas", "Amelia", "Ibn", "Freya", "Ferdinand")
"""The names of travellers, for bots that were given no name."""


def bot_name(taken: Iterable[str]) -> str:
    """A name for a bot that is not yet taken at the table."""
    used = set(taken)
    return next((name for name in BOT_NAMES if name not in used), "Bot")
