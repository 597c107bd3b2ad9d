"""Many games of one kind that step together: a Gymnasium vector environment."""

import secrets
from typing import Any, Final, Literal

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from grandtour.engine.catalogue import game as find_game
from grandtour.engine.dice import SEEDS, QuickDice
from grandtour.engine.options import Options, check_options
from grandtour.rl.encoding import features_of
from grandtour.rl.workers import Local, Workers

Array = NDArray[Any]
Infos = dict[str, Any]
Step = tuple[Array, Array, Array, Array, Infos]


def vector(
    game: str,
    num_envs: int,
    seats: int | None = None,
    options: Options | None = None,
    seed: int | None = None,
    *,
    num_workers: int = 1,
    masks: Literal["bool", "lists"] = "bool",
    dtype: Literal["uint8", "float32"] = "uint8",
) -> "VectorEnvironment":
    """A batch of games that step in one call; see `VectorEnvironment`.

    `seats` defaults to the smallest number of players. The first `reset` uses `seed`. `num_workers` is the number of
    processes in which the games are played. `masks="lists"` gives lists of legal actions in place of masks.
    Observations are whole numbers in bytes; `describe_observation` names them, and `maxima` has their largest values.
    With `dtype="float32"` they are divided by their maxima.
    """
    return VectorEnvironment(game, num_envs, seats, options, seed, num_workers, masks, dtype)


class VectorEnvironment(VectorEnv):  # type: ignore[type-arg, unused-ignore] # generic only when type-checking
    """A batch of games. In each of them one seat acts; an action is the number of a move.

    - `reset` and `step` return the observations of the acting seats, one row per environment. `infos["seat"]` has the
      acting seats, and `infos["action_mask"]` their legal actions. With `masks="lists"`, `infos["legal"]` has the legal
      actions of all environments in one array, and `infos["legal_starts"]` the index where those of each begin.
    - `rewards[env, seat]` is the result of every seat if the game ended, otherwise 0. A game that has ended is dealt
      again at once (`AutoresetMode.SAME_STEP`), so the observation returned with it is the first of the next game.
    - All arrays are overwritten by the next call; copy what you keep.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        seats: int | None,
        options: Options | None,
        seed: int | None,
        num_workers: int,
        masks: str,
        dtype: str,
    ) -> None:
        found = find_game(game)
        _check("num_envs", num_envs, 1)
        _check("num_workers", num_workers, 1, num_envs)
        if masks not in ("bool", "lists"):
            raise ValueError(f"masks is 'bool' or 'lists', not {masks!r}")
        if dtype not in ("uint8", "float32"):
            raise ValueError(f"dtype is 'uint8' or 'float32', not {dtype!r}")
        self.game: Final = found
        self.seats: Final = found.players[0] if seats is None else seats
        _check("seats", self.seats, 1)
        if seed is not None:
            _check("seed", seed)
        self.options: Final = check_options(found.options, options)
        self.num_envs = num_envs
        features = features_of(found, self.seats)
        found.new(self.seats, self.options, QuickDice(0))  # refuses an impossible table
        self.maxima: Final = np.array(features.maxima(), np.uint8)
        self._names: Final = features.names()
        self._masked: Final = masks == "bool"
        self._floats: Final = np.zeros((num_envs, features.size), np.float32) if dtype == "float32" else None
        self._divisors: Final = self.maxima.astype(np.float32)
        if self._floats is None:
            self.single_observation_space = Box(np.zeros_like(self.maxima), self.maxima, dtype=np.uint8)
        else:
            self.single_observation_space = Box(0.0, 1.0, (features.size,), np.float32)
        self.single_action_space = Discrete(found.moves.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        name = f"{found.name.replace('-', '_')}_v{found.version}"
        self.metadata = {"name": name, "render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        table = (found, self.seats, self.options, num_envs, self._masked)
        self._games: Final[Local | Workers] = Local(*table) if num_workers == 1 else Workers(*table, num_workers)
        self._arrays: Final = self._games.arrays
        self._truncations: Final = np.zeros(num_envs, np.bool_)
        self._rows: Final = np.arange(num_envs)
        self._infos: Infos = {}
        self._seeds = QuickDice(secrets.randbelow(SEEDS))
        self._seed = seed

    def describe_observation(self) -> list[str]:
        """The name of every number in an observation, such as `players.+1.backs.Milano`."""
        return list(self._names)

    def describe_action(self, action: int) -> dict[str, Any]:
        """The named move for this action."""
        return self.game.moves.name(int(action))

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, Infos]:
        """Deal all games. A seed gives the same games from here on; `options` are ignored."""
        if isinstance(seed, list):
            raise ValueError("reset takes one seed for all environments, not a list")
        if seed is not None:
            _check("seed", seed)
        seed = self._seed if seed is None else seed
        self._seed = None
        if seed is not None:
            self._seeds = QuickDice(seed)
        self._games.reset(int(self._seeds.below(SEEDS)))
        return self._observed()

    def step(self, actions: Any) -> Step:
        """Make a move in every environment. If any action is refused, nothing changes."""
        np.copyto(self._arrays.actions, self._checked(actions))
        self._games.step()
        observations, infos = self._observed()
        return observations, self._arrays.rewards, self._arrays.over, self._truncations, infos

    def sample(self) -> Array:
        """A random legal action for each environment."""
        if not self._infos:
            raise ResetNeeded("call reset before sample")
        self._games.sample()
        return self._arrays.actions

    def choose(self) -> Array:
        """The move of the game's own bot, `normal`, for each environment. It knows only what that seat may know."""
        if not self._infos:
            raise ResetNeeded("call reset before choose")
        self._games.choose()
        return self._arrays.actions

    def estimate(self) -> Array | None:
        """The result that the game's own evaluation expects for each acting seat, from 0 to 1; None if the game has no
        evaluation. It sees all cards, including hidden ones, so use it for a critic and not for a player."""
        if not self._infos:
            raise ResetNeeded("call reset before estimate")
        return None if self.game.search.evaluate is None else self._games.estimate()

    def close_extras(self, **kwargs: Any) -> None:
        self._games.close()

    def _observed(self) -> tuple[Array, Infos]:
        arrays = self._arrays
        infos: Infos = {"seat": arrays.acting}
        if self._masked:
            infos["action_mask"] = arrays.masks
        else:
            infos["legal"], infos["legal_starts"] = self._games.legal()
        self._infos = infos
        if self._floats is None:
            return arrays.observations, infos
        return np.divide(arrays.observations, self._divisors, out=self._floats), infos

    def _checked(self, actions: Any) -> Array:
        """The actions as an array. Raises an error if any of them is not legal."""
        if not self._infos:
            raise ResetNeeded("call reset before step")
        try:
            given = np.asarray(actions)
        except ValueError:
            raise ValueError(f"step takes {self.num_envs} actions, one per environment, not lists of them") from None
        if given.shape != (self.num_envs,):
            raise ValueError(f"step takes {self.num_envs} actions, one per environment, not shape {given.shape}")
        if given.dtype.kind not in "iu":
            raise ValueError(f"an action is the whole number of a move, not {given.dtype}")
        size = self.game.moves.size
        known = (given >= 0) & (given < size)
        if not known.all():
            env = int(known.argmin())
            raise ValueError(f"environment {env}: {given[env]} is not the number of a move of {self.game.title}")
        if self._masked:
            legal = self._arrays.masks[self._rows, given]
        else:
            starts = self._infos["legal_starts"]
            fits = self._infos["legal"] == np.repeat(given, np.diff(starts))
            legal = np.logical_or.reduceat(fits, starts[:-1])
        if not legal.all():
            env = int(legal.argmin())
            action, seat = int(given[env]), self._arrays.acting[env]
            why = self._games.objection(env, action)
            move = self.describe_action(action)
            raise ValueError(f"environment {env}: {move} is not legal for seat_{seat}: {why}")
        return given


def _check(name: str, value: object, low: int | None = None, high: int | None = None) -> None:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or (low is not None and value < low) or (high is not None and value > high):  # type: ignore[operator]
        limit = f" from {low} to {high}" if high is not None else f" of at least {low}" if low is not None else ""
        raise ValueError(f"{name} is a whole number{limit}, not {value!r}")
