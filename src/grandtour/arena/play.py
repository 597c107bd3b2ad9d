"""Plays one game between bots. It depends only on the plan's seed, the deal's number and the seating."""

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from grandtour.arena.tally import Forfeits
from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import Options
from grandtour.engine.state import State
from grandtour.players import Player, make, speakers
from grandtour.players.player import FORFEITS, SILENT

RANDOM = "random"

OnMove = Callable[[State, int, int, list[int]], None]
"""Called before every move with the position, the seat, the move and all legal moves."""


class Seating(NamedTuple):
    """A game to be played: its deal, and for each seat the index of its player in the list of names."""

    deal: int
    players: tuple[int, ...]


class ProgramSettings(NamedTuple):
    """The settings that external programs need: the game's options, and their deadline in seconds."""

    options: Options
    deadline: float


class GameResult(NamedTuple):
    """The result of a game: its number of moves, and for each seat its share of the win, score and forfeits.

    `forfeits` is empty if nobody forfeited a move.
    """

    moves: int
    shares: tuple[float, ...]
    scores: tuple[float, ...]
    forfeits: tuple[Forfeits, ...] = ()


def derive_seed(seed: int, deal: int, purpose: str) -> int:
    """The seed of the dice used for one purpose in one deal."""
    text = f"{seed} {deal} {purpose}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def starting_position(game: Game, options: Options, seed: int, seating: Seating) -> State:
    """The starting position of a deal, the same for every seating."""
    state: State = game.new(len(seating.players), options, QuickDice(derive_seed(seed, seating.deal, "cards")))
    return state


def play_out(
    game: Game,
    state: State,
    names: tuple[str, ...],
    seed: int,
    seating: Seating,
    on_move: OnMove | None = None,
    programs: ProgramSettings | None = None,
) -> GameResult:
    """Play to the end. A player gets the same dice in every seat, so its luck does not depend on where it sits."""
    deal = seating.deal
    order = QuickDice(derive_seed(seed, deal, "order"))
    dice: list[Dice] = [QuickDice(derive_seed(seed, deal, purpose)) for purpose in _purposes(seating)]
    forfeits: list[Forfeits] = []
    if on_move is None and all(names[player] == RANDOM for player in seating.players):
        moves = _play_at_random(state, dice, order)
    else:
        players = [make(names[player], programs.deadline if programs else None) for player in seating.players]
        try:
            for seat, player in enumerate(players):
                player.begin(game, len(players), programs.options if programs else {}, seat, dice[seat])
            moves = _play(game, state, players, [names[player] for player in seating.players], dice, order, on_move)
            for seat, player in enumerate(players):
                player.end(game, state, seat)
        finally:
            for player in players:
                player.close()
        forfeits = [tuple(player.forfeited().get(why, 0) for why in FORFEITS) for player in players]
    result = state.result()
    assert result is not None
    rows = zip(game.final(state), result, strict=True)
    scores = tuple(share if row["score"] is None else float(row["score"]) for row, share in rows)
    return GameResult(moves, tuple(result), scores, tuple(forfeits) if any(map(any, forfeits)) else ())


def _purposes(seating: Seating) -> list[str]:
    """The purpose from which each seat's dice are derived. A player in two seats gets different dice in the second."""
    count: Counter[int] = Counter()
    purposes = []
    for player in seating.players:
        count[player] += 1
        purposes.append(f"player {player}" if count[player] == 1 else f"player {player} again {count[player]}")
    return purposes


def _play(
    game: Game,
    state: State,
    players: list[Player],
    names: list[str],
    dice: list[Dice],
    order: Dice,
    on_move: OnMove | None,
) -> int:
    if game.speaks is None:
        return _play_in_turn(game, state, players, names, dice, order, on_move)
    moves = 0
    silent: set[int] = set()  # seats that declined to move in this position
    while waiting := [seat for seat in speakers(game, state, names) if seat not in silent][:1] or state.waiting():
        seat = waiting[0] if len(waiting) == 1 else waiting[order.below(len(waiting))]
        move = players[seat].choose(game, state, seat, dice[seat])
        if move == SILENT and seat not in state.waiting():
            silent.add(seat)
            continue
        silent.clear()
        if not state.allows(seat, move):
            raise RuntimeError(f"the player {names[seat]} made an illegal move")
        if on_move is not None:
            on_move(state, seat, move, state.legal(seat))
        state.play(seat, move)
        moves += 1
    return moves


def _play_in_turn(
    game: Game,
    state: State,
    players: list[Player],
    names: list[str],
    dice: list[Dice],
    order: Dice,
    on_move: OnMove | None,
) -> int:
    """The same as `_play`, but faster, for a game in which no bot moves out of turn."""
    moves = 0
    choices = [player.choose for player in players]
    while waiting := state.waiting():
        seat = waiting[0] if len(waiting) == 1 else waiting[order.below(len(waiting))]
        move = choices[seat](game, state, seat, dice[seat])
        if not state.allows(seat, move):
            raise RuntimeError(f"the player {names[seat]} made an illegal move")
        if on_move is not None:
            on_move(state, seat, move, state.legal(seat))
        state.play(seat, move)
        moves += 1
    return moves


def _play_at_random(state: State, dice: list[Dice], order: Dice) -> int:
    """The same as `_play` if all players are random, but faster: no player objects are used."""
    moves = 0
    while waiting := state.waiting():
        seat = waiting[0] if len(waiting) == 1 else waiting[order.below(len(waiting))]
        state.play(seat, state.random_move(seat, dice[seat]))
        moves += 1
    return moves
