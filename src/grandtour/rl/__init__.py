"""The games as environments for programs that learn; `docs/learning.md` says how to use them.

from grandtour import rl
env = rl.env("round-trip", seats=3)      # PettingZoo
import grandtour.rl.open_spiel           # registers the games with OpenSpiel
"""

try:
    from grandtour.rl.environment import Environment, env
except ModuleNotFoundError as missing:
    if missing.name is None or missing.name.startswith("grandtour"):
        raise
    said = f"grandtour.rl needs {missing.name}: pip install 'grandtour[rl]' brings it"
    raise ModuleNotFoundError(said, name=missing.name) from None

__all__ = ["Environment", "env"]
