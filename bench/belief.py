"""Fits the weights with which hard judges which tickets others hold in Ticket to Ride, and writes them to belief.json.

`python -m bench.belief` plays `normal` against itself, with two to five players. At a few turns of each game, one
player looks at another: for each ticket that may be in that hand, the figures of `strategy/belief.py` are recorded
together with whether it is there (a logistic regression). One game in five is held out to evaluate the weights.
"""

import argparse
import json
import random
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from grandtour.arena.play import Seating, play_out, starting_position
from grandtour.engine import catalogue
from grandtour.engine.options import check_options
from grandtour.engine.state import State as Position
from grandtour.games.ticket_to_ride_italy.knowledge import HAND
from grandtour.games.ticket_to_ride_italy.mechanics.board import size
from grandtour.games.ticket_to_ride_italy.parts import MAX_SEATS, MIN_SEATS, N_TICKETS
from grandtour.games.ticket_to_ride_italy.rules import State
from grandtour.games.ticket_to_ride_italy.state import STEP_ACT
from grandtour.games.ticket_to_ride_italy.strategy.belief import Network

WEIGHTS: Final = Path(__file__).parents[1] / "src/grandtour/games/ticket_to_ride_italy/strategy/belief.json"
MOVES_PER_SEAT: Final = 60
LOOKS: Final = 3
"""How many moves of a game somebody looks at somebody else."""
HELD_OUT_ONE_IN: Final = 5
RIDGE: Final = 1e-3
NEWTON_STEPS: Final = 20

Numbers = NDArray[np.float64]


def looks(seats: int, deal: int, seed: int) -> tuple[list[list[float]], list[bool]]:
    """One game: the figures of every ticket somebody might hold, and whether it was so.

    Before the figures come those that are the same for all tickets of a hand: they explain how many it holds, and are
    left out of the weights."""
    game = catalogue.game("ticket-to-ride-italy")
    seating = Seating(deal, (0,) * seats)
    dice = random.Random(f"{seed} {deal}")
    at = {dice.randrange(MOVES_PER_SEAT * seats) for _ in range(LOOKS)}
    figures: list[list[float]] = []
    held: list[bool] = []
    made = 0

    def note(state: Position, seat: int, _: int, __: list[int]) -> None:
        nonlocal made
        assert isinstance(state, State)
        if made in at and state.step == STEP_ACT:
            other = (seat + dice.randrange(1, seats)) % seats
            network = Network(state, other)
            for ticket in range(N_TICKETS):
                if state.maybe[N_TICKETS * seat + ticket] >> (HAND + other) & 1:
                    hand = [1.0, float(size(state.held[other])), network.played]
                    figures.append([*hand, *network.figures(ticket)])
                    held.append(bool(state.held[other] >> ticket & 1))
        made += 1

    state = starting_position(game, check_options(game.options, {}), seed, seating)
    play_out(game, state, ("normal",), seed, seating, note)
    return figures, held


def gather(deals: range, seed: int) -> tuple[Numbers, Numbers]:
    figures: list[list[float]] = []
    held: list[bool] = []
    for deal in deals:
        more, there = looks(MIN_SEATS + deal % (MAX_SEATS - MIN_SEATS + 1), deal, seed)
        figures += more
        held += there
    return np.array(figures), np.array(held, np.float64)


def chances(figures: Numbers, weights: Numbers) -> Numbers:
    return np.asarray(1.0 / (1.0 + np.exp(-figures @ weights)))


def fit(figures: Numbers, held: Numbers) -> Numbers:
    """The maximum-likelihood weights with a ridge penalty, by Newton's method."""
    weights = np.zeros(figures.shape[1])
    for _ in range(NEWTON_STEPS):
        expected = chances(figures, weights)
        slope = figures.T @ (held - expected) - RIDGE * weights
        bend = (figures * (expected * (1 - expected))[:, None]).T @ figures
        weights += np.linalg.solve(bend + RIDGE * np.eye(len(weights)), slope)
    return weights


def error(expected: Numbers, held: Numbers) -> float:
    """The mean surprise, in nats."""
    return float(-np.mean(held * np.log(expected) + (1 - held) * np.log(1 - expected)))


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights for the tickets of others again.")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    held_out = args.games // HELD_OUT_ONE_IN
    figures, held = gather(range(args.games - held_out), args.seed)
    weights = fit(figures, held)
    share = np.full(1, held.mean())
    figures, held = gather(range(args.games - held_out, args.games), args.seed)
    data = json.loads(WEIGHTS.read_text("utf-8"))
    names = list(data["weights"])
    about = (
        f"The weights of the figures in belief.py. Fitted by `python -m bench.belief --games {args.games}"
        f" --seed {args.seed}` on games of normal; in held-out games the mean surprise per ticket is"
        f" {error(chances(figures, weights), held):.3f} nats, where a constant has {error(share, held):.3f}."
    )
    found = [round(float(weight), 2) for weight in weights[-len(names) :]]
    WEIGHTS.write_text(
        json.dumps({"about": about, "weights": dict(zip(names, found, strict=True))}, indent=2) + "\n", "utf-8"
    )
    print(about)


if __name__ == "__main__":
    main()
