"""Many games in one call: Gymnasium's conventions, the right rewards, and clear refusals."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv

from grandtour import rl
from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.refusal import Refusal
from grandtour.rl.encoding import has_features
from grandtour.rl.table import Observer

GAMES = [name for name, game in games().items() if has_features(game)]
SHORT = {"itchy-feet": {"turn_limit": 10}, "round-trip": {"turn_limit": 10}}


def make_envs(
    name: str = "round-trip", num_envs: int = 3, seats: int | None = None, **more: Any
) -> rl.VectorEnvironment:
    return rl.vector(name, num_envs, seats, SHORT.get(name), 7, **more)


def steps(envs: rl.VectorEnvironment, count: int) -> Iterator[tuple[Any, ...]]:
    """Copies of what random steps return."""
    for _ in range(count):
        observations, rewards, terminations, _, infos = envs.step(envs.sample())
        copies = {name: np.array(array) for name, array in infos.items()}
        yield observations.copy(), rewards.copy(), terminations.copy(), copies


@pytest.mark.parametrize("name", GAMES)
def test_it_shows_the_acting_seat_its_observation_and_legal_actions(name: str) -> None:
    envs = make_envs(name, seats=3)
    assert isinstance(envs, VectorEnv)
    observations, infos = envs.reset()
    observer = Observer(envs.game, 3)
    for _ in range(60):
        assert observations in envs.observation_space
        for env, state in enumerate(envs._games._batch.states):  # type: ignore[union-attr]
            seat = int(infos["seat"][env])
            assert seat in state.waiting()
            assert np.flatnonzero(infos["action_mask"][env]).tolist() == state.legal(seat)
            assert np.array_equal(observations[env] / envs.maxima.astype(np.float32), observer.observe(state, seat))
        observations, _, _, truncations, infos = envs.step(envs.sample())
        assert not truncations.any()


@pytest.mark.parametrize("name", GAMES)
def test_a_finished_game_rewards_all_seats_and_a_new_one_is_dealt(name: str) -> None:
    envs = make_envs(name, num_envs=2)
    envs.reset()
    ended = 0
    while ended < 3:
        before = list(envs._games._batch.states)  # type: ignore[union-attr]
        _, rewards, terminations, _, _ = envs.step(envs.sample())
        for env in range(2):
            assert (envs._games._batch.states[env] is not before[env]) == terminations[env]  # type: ignore[union-attr]
            result = before[env].result() if terminations[env] else [0.0, 0.0]
            assert rewards[env].tolist() == result
        ended += int(terminations.sum())
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP


def test_the_same_seed_gives_the_same_games_however_many_processes_play_them() -> None:
    one, two = make_envs(num_envs=5, masks="lists"), make_envs(num_envs=5, masks="lists", num_workers=2)
    try:
        one.reset()
        two.reset()
        for left, right in zip(steps(one, 80), steps(two, 80), strict=True):
            assert all(np.array_equal(mine, theirs) for mine, theirs in zip(left[:3], right[:3], strict=True))
            assert left[3].keys() == right[3].keys()
            assert all(np.array_equal(left[3][key], right[3][key]) for key in left[3])
        assert np.array_equal(one.choose(), two.choose())
        two.reset()
        actions = two.sample().copy()
        actions[4] = two.game.moves.move("end-turn")
        with pytest.raises(ValueError, match=r"environment 4: .* is not legal for seat_\d: RT-\d+"):
            two.step(actions)
        two.step(two.sample())
    finally:
        two.close()


def test_the_games_own_bot_chooses_and_its_evaluation_estimates() -> None:
    envs = make_envs("itchy-feet", seats=3)
    _, infos = envs.reset()
    evaluate = envs.game.search.evaluate
    assert evaluate is not None
    for _ in range(20):
        chosen, estimates = envs.choose().copy(), envs.estimate()
        assert estimates is not None
        for env, state in enumerate(envs._games._batch.states):  # type: ignore[union-attr]
            assert infos["action_mask"][env, chosen[env]]
            assert estimates[env] == evaluate(state)[infos["seat"][env]]
        _, _, _, _, infos = envs.step(chosen)


def test_a_bot_chooses_by_what_its_seat_may_see() -> None:
    one, other = make_envs("itchy-feet", seats=3), make_envs("itchy-feet", seats=3)
    one.reset()
    other.reset()
    batch = other._games._batch  # type: ignore[union-attr]
    batch.states = [
        state.imagine(int(seat), QuickDice(5)) for state, seat in zip(batch.states, batch.acting, strict=True)
    ]
    assert np.array_equal(one.choose(), other.choose())


@pytest.mark.parametrize("call", ["choose", "estimate"])
def test_calls_before_reset_are_refused(call: str) -> None:
    with pytest.raises(ResetNeeded, match=f"call reset before {call}"):
        getattr(make_envs("itchy-feet"), call)()


def test_environments_play_different_games_before_and_after_a_reset() -> None:
    envs = make_envs()
    first, _ = envs.reset()
    assert len({row.tobytes() for row in first}) == 3
    first = first.copy()
    assert not np.array_equal(envs.reset()[0], first)
    again, _ = envs.reset(seed=7)
    assert np.array_equal(again, first)


def test_legal_actions_can_be_listed() -> None:
    masked, listed = make_envs(), make_envs(masks="lists")
    _, infos = masked.reset()
    _, lists = listed.reset()
    for _ in range(40):
        starts = lists["legal_starts"]
        for env in range(3):
            legal = lists["legal"][starts[env] : starts[env + 1]]
            assert legal.tolist() == np.flatnonzero(infos["action_mask"][env]).tolist()
        actions = masked.sample().copy()
        *_, infos = masked.step(actions)
        *_, lists = listed.step(actions)


def test_observations_can_be_floats_from_0_to_1() -> None:
    bytes_, floats = make_envs(), make_envs(dtype="float32")
    whole, _ = bytes_.reset()
    scaled, _ = floats.reset()
    assert scaled.dtype == np.float32
    assert scaled in floats.observation_space
    assert np.array_equal(scaled, whole / bytes_.maxima.astype(np.float32))
    assert len(floats.describe_observation()) == scaled.shape[1]


def test_arrays_are_written_in_place() -> None:
    envs = make_envs()
    first, infos = envs.reset()
    second, _, _, _, later = envs.step(envs.sample())
    assert first is second
    assert infos["action_mask"] is later["action_mask"]


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ([0, 0], r"^step takes 3 actions, one per environment, not shape \(2,\)$"),
        ([[0], [0], [0]], r"^step takes 3 actions, one per environment, not shape \(3, 1\)$"),
        ([[0], [0, 0], 0], "^step takes 3 actions, one per environment, not lists of them$"),
        ([0.0, 0.0, 0.0], r"^an action is the whole number of a move, not float64$"),
        ([True, True, True], r"^an action is the whole number of a move, not bool$"),
        ([None, None, None], r"^an action is the whole number of a move, not object$"),
        ([0, -1, 0], r"^environment 1: -1 is not the number of a move of Round Trip Italy$"),
        ([0, 10**6, 0], r"^environment 1: 1000000 is not the number of a move of Round Trip Italy$"),
    ],
)
@pytest.mark.parametrize("masks", ["bool", "lists"])
def test_invalid_input_is_refused_with_a_sentence_and_changes_nothing(actions: Any, sentence: str, masks: str) -> None:
    envs = make_envs(masks=masks)
    envs.reset()
    before = [state.dump() for state in envs._games._batch.states]  # type: ignore[union-attr]
    with pytest.raises(ValueError, match=sentence):
        envs.step(actions)
    assert [state.dump() for state in envs._games._batch.states] == before  # type: ignore[union-attr]


@pytest.mark.parametrize("masks", ["bool", "lists"])
def test_one_illegal_action_stops_the_whole_batch_with_the_referees_reason(masks: str) -> None:
    envs = make_envs(masks=masks)
    seen = envs.reset()[0].copy()
    before = [state.dump() for state in envs._games._batch.states]  # type: ignore[union-attr]
    actions = envs.sample().copy()
    actions[2] = envs.game.moves.move("end-turn")
    with pytest.raises(
        ValueError, match=r"^environment 2: \{'do': 'end-turn'\} is not legal for seat_\d: RT-\d+: .*\.$"
    ):
        envs.step(actions)
    assert [state.dump() for state in envs._games._batch.states] == before  # type: ignore[union-attr]
    assert np.array_equal(envs._arrays.observations, seen)


def test_a_step_before_a_reset_is_refused() -> None:
    envs = make_envs()
    with pytest.raises(ResetNeeded, match="call reset before step"):
        envs.step([0, 0, 0])
    with pytest.raises(ResetNeeded, match="call reset before sample"):
        envs.sample()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("monopoly", 2), "monopoly"),
        (("round-trip", 2, 9), "Round Trip Italy is for 2 to 4 players, not 9"),
        (("round-trip", 2, 2, {"colour": "red"}), "colour"),
        (("postcards-home", 2), r"has no features\.py"),
    ],
)
def test_an_impossible_table_is_refused(arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        rl.vector(*arguments)


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"num_envs": 0}, "num_envs is a whole number of at least 1, not 0"),
        ({"num_workers": 4}, "num_workers is a whole number from 1 to 3, not 4"),
        ({"seats": "two"}, "^seats is a whole number of at least 1, not 'two'$"),
        ({"masks": "sparse"}, "masks is 'bool' or 'lists', not 'sparse'"),
        ({"dtype": "float16"}, "dtype is 'uint8' or 'float32', not 'float16'"),
    ],
)
def test_a_wrong_argument_is_refused(wanted: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_envs(**wanted)


def test_a_seed_that_is_not_a_whole_number_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^seed is a whole number, not 'abc'$"):
        rl.vector("round-trip", 2, seed="abc")  # type: ignore[arg-type]
    envs = make_envs()
    first = envs.reset(seed=3)[0].copy()
    with pytest.raises(ValueError, match=r"^seed is a whole number, not 0\.5$"):
        envs.reset(seed=0.5)  # type: ignore[arg-type]
    assert np.array_equal(envs._arrays.observations, first)
    assert np.array_equal(envs.reset(seed=3)[0], first)
