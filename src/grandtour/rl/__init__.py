"""The games as environments for programs that learn; `docs/learning.md` says how to use them.

from grandtour import rl
env = rl.env("round-trip", seats=3)      # PettingZoo
import grandtour.rl.open_spiel           # registers the games with OpenSpiel
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grandtour.rl.environment import Environment, env

__all__ = ["Environment", "env"]


def __getattr__(name: str) -> Any:
    """Import the environments when they are asked for: a game's features need none of the packages they do."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from grandtour.rl import environment
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("grandtour"):
            raise
        said = f"grandtour.rl needs {missing.name}: pip install 'grandtour[rl]' brings it"
        raise ModuleNotFoundError(said, name=missing.name) from None
    return getattr(environment, name)
