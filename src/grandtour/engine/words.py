"""What every game's words have in common."""

import re
from typing import Final

_SEAT: Final = re.compile(r"\{seat:(\d+)\}")


def with_names(text: str, names: list[str]) -> str:
    """The players' names put in where the game wrote {seat:1}."""
    parts = _SEAT.split(text)
    return "".join(names[int(part)] if at % 2 else part for at, part in enumerate(parts))
