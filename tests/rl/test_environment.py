"""The games as PettingZoo environments."""

import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from grandtour import rl
from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.refusal import Refusal
from grandtour.rl.encoding import has_features
from grandtour.rl.environment import ONLY_AFTER_RESET

SHORT = {"itchy-feet": {"turn_limit": 10}, "round-trip": {"turn_limit": 10}}
GAMES = {name: game for name, game in games().items() if has_features(game)}
TABLES = [
    pytest.param(name, seats, id=f"{name}-{seats}")
    for name, game in GAMES.items()
    for seats in sorted({game.players[0], 3, game.players[1]})
]


def make_env(name: str, seats: int | None = None, zero_sum: bool = False) -> rl.Environment:
    return rl.Environment(name, seats, SHORT.get(name), zero_sum)


def play_out(env: rl.Environment, seed: int) -> dict[str, float]:
    """Play a random game to its end. Returns the total reward of each seat."""
    env.reset(seed=seed)
    dice = QuickDice(seed)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, _, info = env.last(observe=False)
        total[agent] += reward
        if terminated:
            env.step(None)
        else:
            legal = np.flatnonzero(info["action_mask"])
            env.step(int(legal[dice.below(len(legal))]))
    return total


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_pettingzoos_api_test_passes(name: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        # It exempts its own games with masks by name: an observation with a mask is a dict.
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be gymnasium.spaces.box")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(rl.env(name, seats, SHORT.get(name)), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_pettingzoos_seed_test_passes(name: str, seats: int) -> None:
    seed_test(lambda: rl.env(name, seats, SHORT.get(name)), num_cycles=40)


@pytest.mark.parametrize("name", GAMES)
def test_rewards_are_the_result_given_once_at_the_end(name: str) -> None:
    env = make_env(name)
    total = play_out(env, 3)
    result = env._position.result()
    assert result is not None
    assert list(total.values()) == result


def test_rewards_can_be_made_zero_sum() -> None:
    total = play_out(make_env("round-trip", 3, zero_sum=True), 4)
    assert sum(total.values()) == pytest.approx(0)
    assert max(total.values()) > 0


@pytest.mark.parametrize("name", GAMES)
def test_the_observation_and_the_mask_leak_nothing(name: str) -> None:
    env = make_env(name, 3)
    env.reset(seed=5)
    dice = QuickDice(6)
    for count in range(60):
        agent = env.agent_selection
        seen = env.observe(agent)
        true, seat = env._position, env.possible_agents.index(agent)
        env._position = true.imagine(seat, QuickDice(count))
        imagined = env.observe(agent)
        assert env._position.legal(seat) == env._legal
        env._position = true
        assert np.array_equal(seen["observation"], imagined["observation"]), "it shows what its seat must not see"
        legal = np.flatnonzero(seen["action_mask"])
        env.step(int(legal[dice.below(len(legal))]))
        if env.terminations[agent]:
            break


def test_an_action_is_a_move_and_the_mask_says_which_are_legal() -> None:
    env = make_env("round-trip")
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    assert {env.describe_action(int(action))["do"] for action in np.flatnonzero(mask)} == {"take"}
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    assert not env.observe(other)["action_mask"].any(), "only the agent to act has legal actions"


def test_an_illegal_action_is_refused_with_the_referees_reason_and_changes_nothing() -> None:
    env = make_env("round-trip")
    env.reset(seed=1)
    before = env._position.dump()
    with pytest.raises(ValueError, match=r"'end-turn'\} is not legal for seat_\d: RT-"):
        env.step(env.game.moves.move("end-turn"))
    assert env._position.dump() == before


def test_simultaneous_choices_are_made_one_after_another() -> None:
    env = make_env("ticket-to-ride-italy", 3)
    env.reset(seed=2)
    assert env._position.waiting() == [0, 1, 2], "all choose their first tickets"
    acted = []
    for _ in range(3):
        acted.append(env.agent_selection)
        env.step(env._legal[0])
    assert acted == ["seat_0", "seat_1", "seat_2"]


def behaviour(env: Any, do: Callable[[Any], object]) -> str:
    """The effect of a call: its error, if any, and its warnings."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        try:
            do(env)
            said = ""
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
    return said + "".join(str(each.message) for each in given)


def after_reset(do: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda env: (env.reset(seed=1), do(env))


def idle(env: Any) -> None:
    for _ in env.agent_iter():
        env.last()


def past_the_end(env: Any) -> None:
    while env.agents:
        over = env.terminations[env.agent_selection]
        env.step(None if over else int(env.last()[4]["action_mask"].nonzero()[0][0]))
    env.step(0)


@pytest.mark.parametrize(
    "do",
    [
        *(lambda env, name=name: getattr(env, name) for name in sorted(ONLY_AFTER_RESET)),
        lambda env: env.step(0),
        lambda env: env.observe("seat_0"),
        lambda env: env.render(),
        lambda env: env.state(),
        lambda env: env.agent_iter(),
        after_reset(lambda env: env.step(-1)),
        after_reset(lambda env: env.step(100_000)),
        after_reset(lambda env: env.step(1.5)),
        after_reset(lambda env: env.step("0")),
        after_reset(lambda env: env.step(None)),
        after_reset(lambda env: env.step(np.int64(env.last()[4]["action_mask"].argmax()))),
        after_reset(idle),
        after_reset(past_the_end),
    ],
)
def test_wrong_calls_and_bad_actions_raise_the_same_errors_as_pettingzoos_wrappers(
    do: Callable[[Any], object],
) -> None:
    table = ("round-trip", 2, SHORT["round-trip"])
    wrapped = OrderEnforcingWrapper(AssertOutOfBoundsWrapper(rl.Environment(*table)))
    assert behaviour(rl.env(*table), do) == behaviour(wrapped, do)


def test_observations_and_actions_can_be_described() -> None:
    env = rl.env("round-trip", 3)
    names = env.describe_observation()
    assert env.observation_space("seat_0")["observation"].shape == (len(names),)
    assert "players.+1.backs.Milano" in names


def test_render_gives_the_prompt() -> None:
    env = make_env("round-trip")
    env.reset(seed=1)
    assert env.render().startswith("Take a ticket from ")


@pytest.mark.parametrize(("name", "seats"), [("round-trip", 7), ("monopoly", 2)])
def test_an_impossible_table_is_refused(name: str, seats: int) -> None:
    with pytest.raises(Refusal):
        rl.Environment(name, seats)


def test_missing_packages_are_reported_in_one_sentence() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None; import grandtour.rl; grandtour.rl.env"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "grandtour.rl needs pettingzoo: run pip install 'grandtour[rl]'" in said.stderr
