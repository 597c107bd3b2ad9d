"""The games for OpenSpiel: its own tests pass, and its algorithms can play them."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts, random_agent
from open_spiel.python.tests import games_sim_test

from grandtour.engine.catalogue import games
from grandtour.engine.game import Game
from grandtour.rl.encoding import has_features
from grandtour.rl.open_spiel import SpielState, short_name

SHORT = {"itchy-feet": ",turn_limit=10", "round-trip": ",turn_limit=10"}
ALL = [pytest.param(game, id=name) for name, game in games().items() if has_features(game)]


def load(game: Game, players: int) -> pyspiel.Game:
    return pyspiel.load_game(f"{short_name(game)}(players={players}{SHORT.get(game.name, '')})")


def dealt(game: pyspiel.Game, rng: np.random.RandomState) -> SpielState:
    state: SpielState = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(int(rng.randint(256)))
    return state


@pytest.mark.parametrize("game", ALL)
def test_openspiels_random_simulation_passes(game: Game) -> None:
    """Histories, clones, masks, strings, tensors and serialization, at every step of a random game."""
    pyspiel.random_sim_test(load(game, game.players[0]), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", ALL)
def test_openspiels_python_simulation_passes_with_three_players(game: Game) -> None:
    games_sim_test.GamesSimTest().sim_game(load(game, 3))


@pytest.mark.parametrize("game", ALL)
def test_a_resampled_state_looks_the_same_to_the_player_but_is_dealt_again(game: Game) -> None:
    rng = np.random.RandomState(2)
    state = dealt(load(game, 2), rng)
    for _ in range(12):
        state.apply_action(int(rng.choice(state.legal_actions())))
    player = state.current_player()
    others = [state.resample_from_infostate(player, rng.random_sample) for _ in range(4)]
    for other in others:
        assert other.current_player() == player
        assert other.legal_actions() == state.legal_actions()
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
    assert len({str(each) for each in [state, *others]}) == 5, "nothing was dealt again"


@pytest.mark.parametrize("game", ALL)
def test_openspiels_python_tree_search_chooses_a_legal_move(game: Game) -> None:
    rng = np.random.RandomState(3)
    spiel = load(game, 2)
    state = dealt(spiel, rng)
    while len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    bot = ismcts.ISMCTSBot(spiel, mcts.RandomRolloutEvaluator(1, rng), 1.4, 6, random_state=rng)
    assert bot.step(state) in state.legal_actions()


def test_openspiels_rl_environment_plays_a_game() -> None:
    environment = rl_environment.Environment(load(games()["round-trip"], 2))
    agents = [random_agent.RandomAgent(player, environment.action_spec()["num_actions"]) for player in range(2)]
    step = environment.reset()
    while not step.last():
        step = environment.step([agents[step.observations["current_player"]].step(step).action])
    assert sum(step.rewards) == 1


def test_the_options_of_a_game_are_parameters() -> None:
    game = pyspiel.load_game("grandtour_round_trip(players=3,turn_limit=20,selection=singles)")
    assert (game.num_players(), game.options["turn_limit"], game.options["selection"]) == (3, 20, "singles")
