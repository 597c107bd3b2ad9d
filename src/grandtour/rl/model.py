"""The network in PyTorch, for training. `grandtour.players.network` plays with the same weights, without PyTorch."""

from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from grandtour.engine.game import Game
from grandtour.players.network import CERTAIN, parts_of
from grandtour.players.weights import Header, parts_count
from grandtour.rl.encoding import features_of

Array = NDArray[Any]
CLIP: Final = 0.2
"""How far the probability of a move may change in one update of self-play, as a fraction of the old one."""
ENTROPY_BONUS: Final = 0.005
LEARNING_RATE: Final = 1e-3
MAX_NORM: Final = 1.0


class Lessons(NamedTuple):
    """Decisions to learn from. The legal moves of all decisions are in one list; `lengths` has their numbers."""

    observations: Array
    legal: Array
    lengths: Array
    chosen: Array
    """The index of the chosen move among the decision's legal moves; -1 if the move is not to be learned."""
    results: Array
    estimates: Array
    """The result that the game's own evaluation expected, from 0 to 1."""
    chances: Array
    """The probability with which the move was chosen."""
    values: Array
    """The result that the network expected."""


class Model(nn.Module):  # type: ignore[misc] # PyTorch need not be installed to check types
    """Two hidden layers, a value, and a score for every part of a move."""

    def __init__(self, game: Game, seats: int, hidden: tuple[int, int]) -> None:
        super().__init__()
        parts = parts_of(game.moves)
        self.count: Final = parts_count(parts)
        longest = max(map(len, parts))
        table = [[1 + part for part in each] + [1 + self.count] * (longest - len(each)) for each in parts]
        maxima = torch.tensor(features_of(game, seats).maxima(), dtype=torch.float32)
        self.register_buffer("parts", torch.tensor(table), persistent=False)
        self.register_buffer("scale", 1 / maxima, persistent=False)
        self.first = nn.Linear(len(maxima), hidden[0])
        self.second = nn.Linear(hidden[0], hidden[1])
        self.third = nn.Linear(hidden[1], 1 + self.count)
        nn.init.normal_(self.first.weight, 0.0, 0.1)  # few inputs are not zero
        nn.init.zeros_(self.third.weight)
        nn.init.zeros_(self.third.bias)
        self.corrects: Final = game.search.evaluate is not None
        self.own = nn.Parameter(torch.tensor(1.0 if self.corrects else 0.0), requires_grad=self.corrects)

    def evaluate(self, observations: Tensor, estimates: Tensor) -> tuple[Tensor, Tensor]:
        """The logit of each value, and the scores of all parts of moves, with a last column of zeros."""
        seen = observations.float() * self.get_buffer("scale")
        hidden = torch.relu(self.second(torch.relu(self.first(seen))))
        out = self.third(hidden)
        sure = estimates.clamp(CERTAIN, 1 - CERTAIN)
        values = out[:, 0] + self.own * (sure / (1 - sure)).log()
        return values, torch.cat([out, out.new_zeros(len(out), 1)], 1)

    def chances(self, scores: Tensor, legal: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """The log probability of each legal move, and the row it belongs to."""
        rows = torch.repeat_interleave(torch.arange(len(lengths)), lengths)
        moves = scores[rows[:, None], self.get_buffer("parts")[legal]].sum(1)
        top = torch.full((len(lengths),), -torch.inf).scatter_reduce(0, rows, moves.detach(), "amax")
        total = torch.zeros(len(lengths)).index_add(0, rows, (moves - top[rows]).exp())
        return moves - top[rows] - total.log()[rows], rows

    def weights(self) -> list[list[float]]:
        """The layers as they are stored in a file of weights: a row for each input, then the biases."""
        found = []
        for layer in (self.first, self.second, self.third):
            rows = torch.cat([layer.weight.detach().t(), layer.bias.detach()[None]])
            found.append([float(number) for number in rows.flatten()])
        return found

    def header(self, header: Header) -> Header:
        """The header, with the learned weight of the game's own evaluation."""
        return header._replace(own=float(self.own.detach()))


class Learner:
    """Trains a model on lessons."""

    def __init__(self, model: Model) -> None:
        self.model: Final = model
        self.optimizer: Final = torch.optim.Adam(model.parameters(), LEARNING_RATE)

    def learn(self, lessons: Lessons, epochs: int, size: int, self_play: bool, rng: np.random.Generator) -> Array:
        """Train on the lessons for several epochs, in batches. Returns the mean squared error of the values and the
        mean probability of the chosen moves, both in the first epoch."""
        starts = np.cumsum(lessons.lengths) - lessons.lengths
        found: list[tuple[float, float]] = []
        for epoch in range(epochs):
            for batch in np.array_split(rng.permutation(len(starts)), max(1, len(starts) // size)):
                error, likely = self._step(lessons, starts, batch, self_play)
                if epoch == 0:
                    found.append((error, likely))
        measured: Array = np.mean(np.array(found), axis=0)
        return measured

    def _step(self, lessons: Lessons, starts: Array, batch: Array, self_play: bool) -> tuple[float, float]:
        model = self.model
        lengths = torch.from_numpy(lessons.lengths[batch])
        places = np.concatenate([np.arange(starts[row], starts[row] + lessons.lengths[row]) for row in batch])
        values, scores = model.evaluate(
            torch.from_numpy(lessons.observations[batch]), torch.from_numpy(lessons.estimates[batch])
        )
        chances, _ = model.chances(scores, torch.from_numpy(lessons.legal[places]), lengths)
        results = torch.from_numpy(lessons.results[batch])
        chosen = torch.from_numpy(lessons.chosen[batch])
        learnable = chosen >= 0
        picked = chances[(torch.cumsum(lengths, 0) - lengths + chosen)[learnable]]
        loss = nn.functional.binary_cross_entropy_with_logits(values, results)
        if self_play:
            gain = (results - torch.from_numpy(lessons.values[batch]))[learnable]
            gain = (gain - gain.mean()) / (gain.std() + 1e-6)
            ratio = (picked - torch.from_numpy(lessons.chances[batch])[learnable].log()).exp()
            loss = loss - torch.minimum(gain * ratio, gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            loss = loss + ENTROPY_BONUS * (chances.exp() * chances).sum() / len(batch)
        elif len(picked):
            loss = loss - picked.mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
        self.optimizer.step()
        error = float(((torch.sigmoid(values) - results) ** 2).mean().detach())
        return error, float(picked.detach().exp().mean()) if len(picked) else 0.0
