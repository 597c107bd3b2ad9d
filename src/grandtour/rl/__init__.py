"""The games as environments for programs that learn; `docs/learning.md` says how to use them.

from grandtour import rl
env = rl.env("round-trip", seats=3)      # PettingZoo
import grandtour.rl.open_spiel           # registers the games with OpenSpiel
"""

from grandtour.rl.environment import Environment, env

__all__ = ["Environment", "env"]
