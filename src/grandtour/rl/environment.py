"""The games as PettingZoo AEC environments: agents act one after another."""

import secrets
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable, AECIterator
from pettingzoo.utils.env_logger import EnvLogger

from grandtour.engine.catalogue import game as find_game
from grandtour.engine.dice import SEEDS, QuickDice
from grandtour.engine.options import Options, check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.words import with_names
from grandtour.rl.table import Mask, Observer, mask, next_seat

Observation = dict[str, Any]
ONLY_AFTER_RESET: Final = {
    "agent_selection",
    "agents",
    "infos",
    "num_agents",
    "rewards",
    "terminations",
    "truncations",
}


def env(
    game: str, seats: int | None = None, options: Options | None = None, zero_sum: bool = False
) -> "CheckedEnvironment":
    """A game as a PettingZoo environment, with the checks of PettingZoo's own wrappers.

    `seats` defaults to the smallest number of players. `zero_sum` subtracts the mean result from every reward.
    """
    return FreshEnvironment(game, seats, options, zero_sum)


class Environment(AECEnv):  # type: ignore[misc] # PettingZoo is untyped
    """A game as an AEC environment. Agents are `seat_0`, `seat_1`, …; an action is the number of a move.

    The reward is the game's result, given once at the end: 1 for a win, shared wins split; in a team game the team's.
    """

    agent_selection: str
    _legal: list[int]
    _mask: Mask

    def __init__(
        self, game: str, seats: int | None = None, options: Options | None = None, zero_sum: bool = False
    ) -> None:
        super().__init__()
        found = find_game(game)
        self.game: Final = found
        self.seats: Final = found.players[0] if seats is None else seats
        self.options: Final = check_options(found.options, options)
        self.zero_sum: Final = zero_sum
        self.render_mode = "ansi"
        name = f"{found.name.replace('-', '_')}_v{found.version}"
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        self.agents: list[str] = []
        self._seat: Final = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observer: Final = Observer(found, self.seats)
        self._moves: Final = found.moves.size
        spaces: dict[str, Space[Any]] = {
            "observation": Box(0.0, 1.0, (self._observer.size,), np.float32),
            "action_mask": Box(0, 1, (found.moves.size,), np.int8),
        }
        # One space per agent: PettingZoo seeds them separately.
        self._observed: Final = {agent: Dict(spaces) for agent in self.possible_agents}
        self._acting: Final = {agent: Discrete(found.moves.size) for agent in self.possible_agents}
        self._dice = QuickDice(secrets.randbelow(SEEDS))
        self._choices = QuickDice(secrets.randbelow(SEEDS))
        self._none: Final = mask(found, [])
        self._none.flags.writeable = False
        self._mask = self._none
        self._position = found.new(self.seats, self.options, QuickDice(0))

    def observation_space(self, agent: str) -> Dict:
        return self._observed[agent]

    def action_space(self, agent: str) -> Any:
        return self._acting[agent]

    def describe_observation(self) -> list[str]:
        """The name of every number in an observation, such as `players.+1.backs.Milano`."""
        return list(self._observer.names)

    def describe_action(self, action: int) -> dict[str, Any]:
        """The named move for this action."""
        return self.game.moves.name(int(action))

    def reset(self, seed: int | None = None, options: Options | None = None) -> None:
        """Start a new game. The same seed gives the same games from here on; `options` are ignored."""
        if seed is not None:
            self._dice = QuickDice(seed)
            self._choices = QuickDice(-1 - seed)
        self._position = self.game.new(self.seats, self.options, QuickDice(int(self._dice.below(SEEDS))))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._turn(-1)

    def observe(self, agent: str) -> Observation:
        """What the agent sees. Only the agent to act has legal actions."""
        acts = agent == self.agent_selection and bool(self.agents)
        return {
            "observation": self._observer.observe(self._position, self._seat[agent]),
            "action_mask": self._mask if acts else self._none,
        }

    def sample(self) -> int:
        """A random legal action for the agent whose turn it is."""
        if not self._legal:
            raise ValueError("nobody can act: the game is over, call reset")
        return self._legal[self._choices.below(len(self._legal))]

    def step(self, action: int | None) -> None:
        """Make this move for the agent whose turn it is. An illegal action raises ValueError and changes nothing."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self._legal:
            raise ValueError(self._why_not(agent, action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._position.play(self._seat[agent], int(action))
        result = self._position.result()
        if result is None:
            self._turn(self._seat[agent])
        else:
            self._finish(result)
        self._accumulate_rewards()

    def render(self) -> str:
        """The current prompt, as text."""
        seat = None if self._position.result() is not None else self._seat[self.agent_selection]
        return with_names(self.game.prompt(self._position, seat)["text"], self.possible_agents)

    def close(self) -> None:
        pass

    def _turn(self, last: int) -> None:
        """Select the agent to act after the seat that acted last."""
        if last >= 0:
            self.infos[self.agent_selection] = {}
        seat = next_seat(self._position, last)
        self.agent_selection = self.possible_agents[seat]
        self._legal = self._position.legal(seat)
        self._mask = mask(self.game, self._legal)
        self.infos[self.agent_selection] = {"action_mask": self._mask}

    def _finish(self, result: list[float]) -> None:
        """End the game: set everyone's reward and termination."""
        mean = sum(result) / len(result) if self.zero_sum else 0.0
        self._legal, self._mask = [], self._none
        for agent, share in zip(self.possible_agents, result, strict=True):
            self.rewards[agent] = share - mean
            self.terminations[agent] = True
            self.infos[agent] = {}
        self.agent_selection = self.possible_agents[0]

    def _why_not(self, agent: str, action: int | None) -> str:
        """Why an action is refused, in the referee's words if it has any."""
        if action is None or not 0 <= int(action) < self.game.moves.size:
            return f"{action} is not the number of a move of {self.game.title}"
        objection = self.game.objection(self._position, self._seat[agent], int(action))
        refusal = Refusal("not-legal", objection.reason, objection.rule) if objection else "it is not possible now"
        return f"{self.describe_action(int(action))} is not legal for {agent}: {refusal}"


class CheckedEnvironment(Environment):
    """An environment that detects calls in the wrong order and actions outside the action space.

    It raises the same errors as PettingZoo's `OrderEnforcingWrapper` and `AssertOutOfBoundsWrapper`. Those wrappers
    look up every attribute twice, which takes longer than playing a move.
    """

    _has_updated = False

    def reset(self, seed: int | None = None, options: Options | None = None) -> None:
        self._has_updated = True
        super().reset(seed, options)

    def step(self, action: int | None) -> None:
        self._has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        if type(action) is not int or not 0 <= action < self._moves:
            agent = self.agent_selection
            over = action is None and (self.terminations[agent] or self.truncations[agent])
            assert over or self._acting[agent].contains(action), "action is not in action space"
        super().step(action)

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        return _SteppedIterable(self, max_iter)


class FreshEnvironment(CheckedEnvironment):
    """A checked environment before `reset`. `reset` turns it into a plain `CheckedEnvironment`, so its checks cost
    nothing afterwards."""

    def __init__(
        self, game: str, seats: int | None = None, options: Options | None = None, zero_sum: bool = False
    ) -> None:
        super().__init__(game, seats, options, zero_sum)
        del self.agents  # there are none before reset

    def __getattr__(self, name: str) -> Any:
        """Only called for attributes that do not exist yet."""
        if name in ONLY_AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: Options | None = None) -> None:
        self.__class__ = CheckedEnvironment
        self.reset(seed, options)

    def step(self, action: int | None) -> None:
        EnvLogger.error_step_before_reset()

    def observe(self, agent: str) -> Observation:
        EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def render(self) -> str:
        EnvLogger.error_render_before_reset()
        return super().render()

    def state(self) -> Any:
        EnvLogger.error_state_before_reset()
        return super().state()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        EnvLogger.error_agent_iter_before_reset()
        return super().agent_iter(max_iter)


class _SteppedIterable(AECIterable):  # type: ignore[misc] # PettingZoo is untyped
    def __iter__(self) -> "_SteppedIterator":
        return _SteppedIterator(self.env, self.max_iter)


class _SteppedIterator(AECIterator):  # type: ignore[misc] # PettingZoo is untyped
    """Detects a loop without calls of `step`."""

    def __next__(self) -> Any:
        agent = super().__next__()
        assert self.env._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
        self.env._has_updated = False
        return agent
