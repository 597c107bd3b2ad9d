"""One game between bots, and everything it depends on: the plan's seed, the deal's number, and who sits where."""

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

Note = Callable[[State, int, int, list[int]], None]
"""Told of every move before it is made: the position, the seat, the move, and what else was legal."""


class Seating(NamedTuple):
    """A game to be played: its deal, and for each seat a player's number in the list of names."""

    deal: int
    players: tuple[int, ...]


class Programs(NamedTuple):
    """What players that are programs are told of a game and how long they may think. Without it none can play."""

    options: Options
    deadline: float


class Ended(NamedTuple):
    """A game that was played: how many moves it took, and each seat's part of the win, score and forfeits.

    `forfeits` is empty when nobody forfeited anything.
    """

    moves: int
    shares: tuple[float, ...]
    scores: tuple[float, ...]
    forfeits: tuple[Forfeits, ...] = ()


def chance(seed: int, deal: int, purpose: str) -> int:
    """The seed of the dice for one purpose in one deal."""
    text = f"{seed} {deal} {purpose}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def deal_out(found: Game, options: Options, seed: int, seating: Seating) -> State:
    """The position in which a game begins. It is the same for everyone who plays the deal."""
    return found.new(len(seating.players), options, QuickDice(chance(seed, seating.deal, "cards")))


def play_out(
    found: Game,
    state: State,
    names: tuple[str, ...],
    seed: int,
    seating: Seating,
    note: Note | None = None,
    programs: Programs | None = None,
) -> Ended:
    """Play to the end. A player has the same dice in every seat, so that it is as lucky wherever it sits."""
    deal = seating.deal
    order = QuickDice(chance(seed, deal, "order"))
    dice: list[Dice] = [QuickDice(chance(seed, deal, purpose)) for purpose in _purposes(seating)]
    forfeits: list[Forfeits] = []
    if note is None and all(names[player] == RANDOM for player in seating.players):
        moves = _play_at_random(state, dice, order)
    else:
        players = [make(names[player], programs.deadline if programs else None) for player in seating.players]
        try:
            for seat, player in enumerate(players):
                player.begin(found, len(players), programs.options if programs else {}, seat, dice[seat])
            moves = _play(found, state, players, [names[player] for player in seating.players], dice, order, note)
            for seat, player in enumerate(players):
                player.end(found, state, seat)
        finally:
            for player in players:
                player.close()
        forfeits = [tuple(player.forfeited().get(why, 0) for why in FORFEITS) for player in players]
    result = state.result()
    assert result is not None
    rows = zip(found.final(state), result, strict=True)
    scores = tuple(share if row["score"] is None else float(row["score"]) for row, share in rows)
    return Ended(moves, tuple(result), scores, tuple(forfeits) if any(map(any, forfeits)) else ())


def _purposes(seating: Seating) -> list[str]:
    """Whoever sits at a table twice has other dice in the second seat."""
    count: Counter[int] = Counter()
    purposes = []
    for player in seating.players:
        count[player] += 1
        purposes.append(f"player {player}" if count[player] == 1 else f"player {player} again {count[player]}")
    return purposes


def _play(
    found: Game, state: State, players: list[Player], names: list[str], dice: list[Dice], order: Dice, note: Note | None
) -> int:
    moves = 0
    silent: set[int] = set()  # had nothing to say in this position
    while waiting := [seat for seat in speakers(found, state, names) if seat not in silent][:1] or state.waiting():
        seat = waiting[0] if len(waiting) == 1 else waiting[order.below(len(waiting))]
        move = players[seat].choose(found, state, seat, dice[seat])
        if move == SILENT and seat not in state.waiting():
            silent.add(seat)
            continue
        silent.clear()
        legal = state.legal(seat)
        if move not in legal:
            raise RuntimeError(f"the player {names[seat]} made a move that is not legal")
        if note is not None:
            note(state, seat, move, legal)
        state.play(seat, move)
        moves += 1
    return moves


def _play_at_random(state: State, dice: list[Dice], order: Dice) -> int:
    """What `_play` does when everybody is the random player, without asking anybody."""
    moves = 0
    while waiting := state.waiting():
        seat = waiting[0] if len(waiting) == 1 else waiting[order.below(len(waiting))]
        legal = state.legal(seat)
        state.play(seat, legal[dice[seat].below(len(legal))])
        moves += 1
    return moves
