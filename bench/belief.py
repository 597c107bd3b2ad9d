"""Fits the weights with which hard judges which tickets others hold in Ticket to Ride, and writes them to belief.json.

`python -m bench.belief` plays `normal` against itself, with two to five players. At a few turns of each game, one
player guesses each ticket in another's hand, given the other tickets in that hand (a conditional logit). One game in
five is held out to evaluate the weights.
"""

import argparse
import json
import random
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grandtour.arena.play import Seating, play_out, starting_position
from grandtour.engine import catalogue
from grandtour.engine.options import check_options
from grandtour.engine.state import State as Position
from grandtour.games.ticket_to_ride_italy.knowledge import HAND, tickets_in
from grandtour.games.ticket_to_ride_italy.parts import MAX_SEATS, MIN_SEATS, N_TICKETS, TRAINS
from grandtour.games.ticket_to_ride_italy.rules import State
from grandtour.games.ticket_to_ride_italy.state import STEP_ACT
from grandtour.games.ticket_to_ride_italy.strategy import belief
from grandtour.games.ticket_to_ride_italy.strategy.belief import Network

WEIGHTS: Final = Path(__file__).parents[1] / "src/grandtour/games/ticket_to_ride_italy/strategy/belief.json"
MOVES_PER_SEAT: Final = 60
OBSERVATIONS_PER_GAME: Final = 3
"""The number of moments in a game at which one player's tickets are judged by another."""
HELD_OUT_ONE_IN: Final = 5
RIDGE: Final = 1.0
"""The strength of the ridge penalty on the weights, in observations."""
NEWTON_STEPS: Final = 20
MAX_STEP: Final = 0.3

Numbers = NDArray[np.float64]


class Choice(NamedTuple):
    """The features of every ticket that one in a hand might be, and which of them it is."""

    features: Numbers
    held: int


def observations(seats: int, deal: int, seed: int) -> list[Choice]:
    """Play one game, and collect the choices at some of its moments."""
    game = catalogue.game("ticket-to-ride-italy")
    seating = Seating(deal, (0,) * seats)
    dice = random.Random(f"{seed} {deal}")
    at = {dice.randrange(MOVES_PER_SEAT * seats) for _ in range(OBSERVATIONS_PER_GAME)}
    found: list[Choice] = []
    made = 0

    def note(state: Position, seat: int, _: int, __: list[int]) -> None:
        nonlocal made
        assert isinstance(state, State)
        if made in at and state.step == STEP_ACT:
            other = (seat + dice.randrange(1, seats)) % seats
            if state.trains[other] < TRAINS:
                found.extend(choices(state, seat, other))
        made += 1

    state = starting_position(game, check_options(game.options, {}), seed, seating)
    play_out(game, state, ("normal",), seed, seating, note)
    return found


def choices(state: State, seat: int, other: int) -> list[Choice]:
    """Each ticket of another hand, among those that it might be if the others are known."""
    network = Network(state, other)
    likely = belief.likely(state, seat)
    held = tickets_in(state.held[other])
    possible = [n for n in range(N_TICKETS) if state.maybe[N_TICKETS * seat + n] >> (HAND + other) & 1]
    found = []
    for ticket in held:
        rest = [one for one in held if one != ticket]
        left = likely.unexplained(other, sum(1 << one for one in rest))
        among = [one for one in possible if one not in rest]
        rows = []
        for one in among:
            features = list(network.features(one))
            adds = likely.adds(other, one, left)
            rows.append([*features, adds, adds * features[0]])
        found.append(Choice(np.array(rows), among.index(ticket)))
    return found


def gather(deals: range, seed: int) -> list[Choice]:
    found: list[Choice] = []
    for deal in deals:
        found += observations(MIN_SEATS + deal % (MAX_SEATS - MIN_SEATS + 1), deal, seed)
    return found


def chances(features: Numbers, weights: Numbers) -> Numbers:
    values = features @ weights
    odds = np.exp(values - values.max())
    return np.asarray(odds / odds.sum())


def fit(seen: list[Choice]) -> Numbers:
    """The maximum-likelihood weights with a ridge penalty, by Newton's method with short steps."""
    weights = np.zeros(seen[0].features.shape[1])
    for _ in range(NEWTON_STEPS):
        gradient = -RIDGE * weights
        hessian = RIDGE * np.eye(len(weights))
        for choice in seen:
            expected = chances(choice.features, weights)
            mean = expected @ choice.features
            gradient += choice.features[choice.held] - mean
            hessian += (choice.features * expected[:, None]).T @ choice.features - np.outer(mean, mean)
        step = np.linalg.solve(hessian, gradient)
        length = float(np.sqrt(step @ hessian @ step / len(seen)))
        weights += step * min(1.0, MAX_STEP / length) if length else step
    return weights


def surprise(seen: list[Choice], weights: Numbers) -> float:
    """The mean surprise, in nats."""
    return float(np.mean([-np.log(chances(choice.features, weights)[choice.held]) for choice in seen]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights for the tickets of others again.")
    parser.add_argument("--games", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    held_out_games = args.games // HELD_OUT_ONE_IN
    weights = fit(gather(range(args.games - held_out_games), args.seed))
    held_out = gather(range(args.games - held_out_games, args.games), args.seed)
    data = json.loads(WEIGHTS.read_text("utf-8"))
    about = (
        f"The weights of the figures in belief.py. Fitted by `python -m bench.belief --games {args.games}"
        f" --seed {args.seed}` on games of normal; in held-out games the mean surprise at a ticket is"
        f" {surprise(held_out, weights):.2f} nats, and {surprise(held_out, 0 * weights):.2f} if all are equally likely."
    )
    found = {name: round(float(weight), 2) for name, weight in zip(data["weights"], weights, strict=True)}
    WEIGHTS.write_text(json.dumps({"about": about, "weights": found}, indent=2) + "\n", "utf-8")
    print(about)


if __name__ == "__main__":
    main()
