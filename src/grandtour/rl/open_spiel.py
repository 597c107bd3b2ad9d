"""The games for OpenSpiel. Importing this module registers them, as `grandtour_round_trip` and so on.

    import pyspiel
    import grandtour.rl.open_spiel
    game = pyspiel.load_game("grandtour_round_trip(players=3,turn_limit=20)")

All games are sequential: simultaneous choices are made one after another. The deal is drawn byte by byte in chance
nodes at the start. It also determines every later draw, so a history fully describes a state. A search must use
`resample_from_infostate`, because a copy of the true state knows the cards to come.
"""

import json
from collections.abc import Callable
from typing import Any, ClassVar, Final

import numpy as np
import pyspiel

from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import check_options
from grandtour.engine.state import State
from grandtour.rl.encoding import has_features
from grandtour.rl.table import Observer, next_seat

DEAL_BYTES: Final = 4
"""Chance nodes per deal, each with 256 outcomes: there are 2 ** 32 deals."""
OUTCOMES: Final = 256
MAX_DECISIONS: Final = 20_000
"""An upper bound on the decisions of a game; every game ends well before."""

DEAL: Final = [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]


def short_name(game: Game) -> str:
    """The game's name in OpenSpiel."""
    return f"grandtour_{game.name.replace('-', '_')}"


def _type(game: Game) -> Any:
    kinds = pyspiel.GameType
    low, high = game.players
    return kinds(
        short_name=short_name(game),
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": low, **{option.name: option.default for option in game.options}},
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel is untyped
    """One of our games as an OpenSpiel game. Its options and the number of players are parameters."""

    ours: ClassVar[Game]
    kind: ClassVar[Any]

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        given = dict(parameters or {})
        game = self.ours
        self.seats: Final[int] = given.get("players", game.players[0])
        self.options: Final = check_options(game.options, {k: v for k, v in given.items() if k != "players"})
        self.observer: Final = Observer(game, self.seats)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.moves.size,
            max_chance_outcomes=OUTCOMES,
            num_players=self.seats,
            min_utility=0.0,
            max_utility=1.0,
            max_game_length=MAX_DECISIONS,
        )
        # An impossible set-up is refused here, and not in the middle of a search.
        game.new(self.seats, self.options, QuickDice(0))
        super().__init__(self.kind, info, given)

    def new_initial_state(self, state: str | None = None) -> "SpielState":
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":
        return SpielObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class Contents:
    """The contents of a state. OpenSpiel deep-copies it with every clone, so copying uses the position's own clone."""

    def __init__(self, deal: int = 0, drawn: int = 0, position: State | None = None, last: int = -1) -> None:
        self.deal = deal
        self.drawn = drawn
        self.position = position
        self.last = last

    def __deepcopy__(self, memo: object) -> "Contents":
        return Contents(self.deal, self.drawn, self.position.clone() if self.position is not None else None, self.last)


class SpielState(pyspiel.State):  # type: ignore[misc] # OpenSpiel is untyped
    """A position as an OpenSpiel state, from before the deal to the end of the game."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.contents = Contents()

    @property
    def ours(self) -> Game:
        game: Game = self.get_game().ours
        return game

    def current_player(self) -> int:
        position = self.contents.position
        if position is None:
            return int(pyspiel.PlayerId.CHANCE)
        if not position.waiting():
            return int(pyspiel.PlayerId.TERMINAL)
        return next_seat(position, self.contents.last)

    def is_terminal(self) -> bool:
        return self.contents.position is not None and not self.contents.position.waiting()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return DEAL

    def returns(self) -> list[float]:
        position = self.contents.position
        result = position.result() if position is not None else None
        return result if result is not None else [0.0] * self.num_players()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """A state that this player cannot distinguish from this one: everything it has not seen is dealt again."""
        other: SpielState = self.clone()
        if self.contents.position is not None:
            other.contents.position = self.contents.position.imagine(player, QuickDice(int(sampler() * 2**53)))
        return other

    def _legal_actions(self, player: int) -> list[int]:
        return self.contents.position.legal(player) if self.contents.position is not None else []

    def _apply_action(self, action: int) -> None:
        contents = self.contents
        if contents.position is not None:
            player = self.current_player()
            contents.position.play(player, action)
            contents.last = player
            return
        contents.deal = contents.deal * OUTCOMES + action
        contents.drawn += 1
        if contents.drawn == DEAL_BYTES:
            game = self.get_game()
            contents.position = game.ours.new(game.seats, game.options, QuickDice(contents.deal))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return json.dumps(self.ours.moves.name(action), ensure_ascii=False)

    def __str__(self) -> str:
        if self.contents.position is None:
            return f"deal {self.contents.deal} {self.contents.drawn}"
        # Sorted: equal positions may hold their fields in different orders, and equal states need equal strings.
        return json.dumps([self.contents.last, self.contents.position.dump()], sort_keys=True)


class SpielObserver:
    """What a player sees: the view, as text and as numbers. With perfect recall the text starts with its own moves.

    A view contains everything a seat has legally seen and may remember, but not the order of the others' moves.
    """

    def __init__(self, game: SpielGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers take no parameters, not even {params}")
        self.game: Final = game.ours
        self.recall: Final = bool(kind.perfect_recall)
        self.private: Final = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.writer: Final = game.observer
        self.tensor: Final = np.zeros(self.writer.size, np.float32)
        self.dict: Final = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what the player sees; zeros before the deal."""
        position = state.contents.position
        self.tensor[:] = self.writer.observe(position, player) if position is not None else 0.0

    def string_from(self, state: SpielState, player: int) -> str:
        """What the player sees, as text."""
        position = state.contents.position
        if position is None:
            return f"deal {state.contents.drawn}"
        seen = json.dumps(self.game.view(position, player if self.private else None), ensure_ascii=False)
        if not self.recall:
            return seen
        moves = [made.action for made in state.full_history() if made.player == player]
        return f"{moves} {seen}"


def _register(game: Game) -> None:
    kind = _type(game)
    # A class, not a function: OpenSpiel releases it after Python has shut down, which would crash for a function.
    # It is a module attribute so that it can be pickled.
    name = f"{game.name.title().replace('-', '')}Game"
    globals()[name] = type(name, (SpielGame,), {"ours": game, "kind": kind, "__module__": __name__})
    pyspiel.register_game(kind, globals()[name])


for _game in games().values():
    if has_features(_game):
        _register(_game)
