"""Plays a batch of games in this process, or in several processes that write into shared memory."""

import contextlib
import multiprocessing
from collections.abc import Callable
from ctypes import c_bool, c_double, c_int64, c_uint8
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grandtour.engine.catalogue import game as find_game
from grandtour.engine.game import Game
from grandtour.engine.options import Options
from grandtour.engine.refusal import Refusal
from grandtour.rl.batch import Batch
from grandtour.rl.encoding import encoder_of
from grandtour.rl.table import array_over

Array = NDArray[Any]
Legal = tuple[Array, Array]
"""The legal actions of all games in one array, and the index where those of each begin."""
STOP_SECONDS: Final = 5.0


class Arrays(NamedTuple):
    """The arrays that are written in place, with a row for each game. `masks` has no rows if only lists are wanted."""

    observations: Array
    masks: Array
    acting: Array
    rewards: Array
    over: Array
    actions: Array


class Local:
    """Games in this process."""

    def __init__(self, game: Game, seats: int, options: Options, count: int, masked: bool, first: int = 0) -> None:
        self._game: Final = game
        self._first: Final = first
        encoder = encoder_of(game, seats)
        self._batch: Final = Batch(partial(game.new, seats, options), encoder, seats, game.moves.size, count, masked)
        batch = self._batch
        self.arrays: Final = Arrays(
            array_over(batch.observations, np.uint8, count, int(encoder.size)),
            array_over(batch.masks, np.bool_, count, game.moves.size) if masked else np.zeros((0, 0), np.bool_),
            array_over(batch.acting, np.int64, count),
            array_over(batch.rewards, np.float64, count, seats),
            array_over(batch.over, np.bool_, count),
            array_over(batch.actions, np.int64, count),
        )

    def reset(self, seed: int) -> None:
        self.arrays.observations.fill(0)
        self._batch.reset(seed, self._first)

    def step(self) -> None:
        self.arrays.observations.fill(0)
        if self._batch.many_legal:
            self.arrays.masks.fill(0)
        self._batch.step()

    def sample(self) -> None:
        self._batch.sample()

    def choose(self) -> None:
        self._batch.choose(self._game.choose)

    def estimate(self) -> Array:
        evaluate = self._game.search.evaluate
        if evaluate is not None:
            self._batch.estimate(evaluate)
        return array_over(self._batch.estimates, np.float64, len(self.arrays.actions))

    def legal(self) -> Legal:
        self._batch.list_legal()
        starts = array_over(self._batch.starts, np.int64, len(self.arrays.actions) + 1)
        return array_over(self._batch.flat, np.int64, -1)[: starts[-1]], starts

    def objection(self, game: int, action: int) -> str:
        """The referee's reason why a move is not legal, or a general one."""
        state, seat = self._batch.states[game], int(self.arrays.acting[game])
        found = self._game.objection(state, seat, action)
        return str(Refusal("not-legal", found.reason, found.rule)) if found else "it is not possible now"

    def close(self) -> None:
        pass


class Workers:
    """Games in several processes, an equal part in each."""

    def __init__(self, game: Game, seats: int, options: Options, count: int, masked: bool, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        size, moves = int(encoder_of(game, seats).size), game.moves.size
        blocks = [
            (
                context.RawArray(kind, rows * columns),
                kind,
                (rows, columns) if columns > 1 or kind is c_double else (rows,),
            )
            for kind, rows, columns in (
                (c_uint8, count, size),
                (c_bool, count if masked else 0, moves),
                (c_int64, count, 1),
                (c_double, count, seats),
                (c_bool, count, 1),
                (c_int64, count, 1),
            )
        ]
        self.arrays: Final = _arrays(blocks)
        self._edges: Final = [count * worker // workers for worker in range(workers + 1)]
        self._pipes: Final[list[Any]] = []
        self._processes: Final[list[Any]] = []
        for first, end in zip(self._edges, self._edges[1:], strict=False):
            here, there = context.Pipe()
            task = (there, blocks, game.name, seats, options, first, end, masked)
            process = context.Process(target=_work, args=task, daemon=True)
            process.start()
            there.close()
            self._pipes.append(here)
            self._processes.append(process)

    def reset(self, seed: int) -> None:
        self._ask("reset", seed)

    def step(self) -> None:
        self._ask("step")

    def sample(self) -> None:
        self._ask("sample")

    def choose(self) -> None:
        self._ask("choose")

    def estimate(self) -> Array:
        return np.concatenate(self._ask("estimate"))

    def legal(self) -> Legal:
        parts = self._ask("legal")
        ends = np.cumsum([0, *(len(flat) for flat, _ in parts)])
        starts = [part[:-1] + end for (_, part), end in zip(parts, ends, strict=False)]
        return np.concatenate([flat for flat, _ in parts]), np.concatenate([*starts, ends[-1:]])

    def objection(self, game: int, action: int) -> str:
        worker = int(np.searchsorted(self._edges, game, "right")) - 1
        self._pipes[worker].send(("objection", game - self._edges[worker], action))
        return str(self._receive(worker))

    def close(self) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(STOP_SECONDS)
            if process.is_alive():
                process.terminate()
        self._pipes.clear()
        self._processes.clear()

    def _ask(self, *request: Any) -> list[Any]:
        for pipe in self._pipes:
            pipe.send(request)
        return [self._receive(worker) for worker in range(len(self._pipes))]

    def _receive(self, worker: int) -> Any:
        try:
            answer = self._pipes[worker].recv()
        except EOFError:
            raise RuntimeError(f"worker {worker} of the vector environment has stopped") from None
        if isinstance(answer, Exception):
            raise answer
        return answer


def _arrays(blocks: list[Any]) -> Arrays:
    """Arrays over shared memory."""
    return Arrays(*(np.frombuffer(block, kind).reshape(shape) for block, kind, shape in blocks))


def _work(
    pipe: Any,
    blocks: list[Any],
    name: str,
    seats: int,
    options: Options,
    first: int,
    end: int,
    masked: bool,
) -> None:
    """Play a part of the games, as requested over the pipe, until the pipe is closed."""
    shared = Arrays(*(array[first:end] for array in _arrays(blocks)))
    local = Local(find_game(name), seats, options, end - first, masked, first)

    def publish() -> None:
        for mine, theirs in zip(local.arrays[:5], shared[:5], strict=True):
            if len(mine):
                np.copyto(theirs, mine)

    def reset(seed: int) -> None:
        local.reset(seed)
        publish()

    def step() -> None:
        np.copyto(local.arrays.actions, shared.actions)
        local.step()
        publish()

    def sample() -> None:
        local.sample()
        np.copyto(shared.actions, local.arrays.actions)

    def choose() -> None:
        local.choose()
        np.copyto(shared.actions, local.arrays.actions)

    asked: dict[str, Callable[..., Any]] = {
        "reset": reset,
        "step": step,
        "sample": sample,
        "choose": choose,
        "estimate": local.estimate,
        "legal": local.legal,
        "objection": local.objection,
    }
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        while True:
            request, *arguments = pipe.recv()
            try:
                answer = asked[request](*arguments)
            except Exception as failure:
                answer = RuntimeError(f"a worker of the vector environment failed: {failure!r}")
            pipe.send(answer)
