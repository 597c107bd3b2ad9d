"""The games as environments for machine learning; see `docs/learning.md`.

from grandtour import rl
envs = rl.vector("round-trip", 256)      # many games that step together
env = rl.env("round-trip", seats=3)      # PettingZoo
import grandtour.rl.open_spiel           # registers the games with OpenSpiel
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grandtour.rl.environment import Environment, env
    from grandtour.rl.vector_env import VectorEnvironment, vector

__all__ = ["Environment", "VectorEnvironment", "env", "vector"]

_MODULES = {
    "Environment": "environment",
    "env": "environment",
    "VectorEnvironment": "vector_env",
    "vector": "vector_env",
}


def __getattr__(name: str) -> Any:
    """Import the environments only when they are used, because features alone do not need their packages."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"{__name__}.{_MODULES[name]}")
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("grandtour"):
            raise
        message = f"grandtour.rl needs {missing.name}: run pip install 'grandtour[rl]'"
        raise ModuleNotFoundError(message, name=missing.name) from None
    return getattr(module, name)
