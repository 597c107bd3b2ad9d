"""Files of weights: what `grandtour train` writes and `hard` plays with.

A file is one line of JSON, the header, followed by the weights as little-endian 16-bit floating-point numbers. Each of
the three layers has a row for each input, then a row of biases. The header says which game, version of the rules,
number of seats and encoding the weights are for, how large the layers are, and which command made them:

    {"format": "grandtour weights 1", "game": "round-trip", "rules": 1, "seats": 3, "inputs": 650, "parts": 121,
     "hidden": [64, 32], "own": 1.0, "bytes": 98436, "sha256": "…", "seed": 1, "command": "grandtour train …"}
"""

import hashlib
import json
import struct
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple, cast

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short
from grandtour.players.network import Layer, Network, parts_of
from grandtour.rl.encoding import encoder_of, has_features

FORMAT_NAME: Final = "grandtour weights "
FORMAT: Final = FORMAT_NAME + "1"
MAX_BYTES: Final = 1_000_000
MAX_HEADER: Final = 4_000
MAX_HIDDEN: Final = 1_024


class Header(NamedTuple):
    """What the first line of a file says."""

    game: str
    rules: int
    seats: int
    inputs: int
    parts: int
    hidden: tuple[int, int]
    own: float
    seed: int
    command: str

    def shapes(self) -> list[tuple[int, int]]:
        """The inputs and outputs of each layer."""
        first, second = self.hidden
        return [(self.inputs, first), (first, second), (second, 1 + self.parts)]


def file_name(seats: int) -> str:
    """The name of a file of weights in a game's folder."""
    return f"network-{seats}.weights"


def parts_count(parts: list[list[int]]) -> int:
    """The number of different parts."""
    return 1 + max(max(each) for each in parts)


def write(header: Header, layers: list[list[float]]) -> bytes:
    """A file of weights."""
    check_size(header)
    numbers = [number for layer in layers for number in layer]
    body = struct.pack(f"<{len(numbers)}e", *numbers)
    fields = {"format": FORMAT, **header._asdict(), "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    return json.dumps(fields).encode() + b"\n" + body


def check_size(header: Header) -> None:
    """Refuse layers that are too large for a file."""
    size = MAX_HEADER + 2 * sum((inputs + 1) * outputs for inputs, outputs in header.shapes())
    if size > MAX_BYTES:
        raise Refusal(
            "bad-options",
            f"The weights would take {size:,} bytes, more than {MAX_BYTES:,}: use smaller layers.",
        )


def read(data: bytes, game: Game, seats: int, name: str = "The file") -> Network:
    """The network in a file. Refuses a file that is damaged, or not made for this game and number of seats."""
    head, _, body = data.partition(b"\n")
    header = _header(head, name)
    wanted = _wanted(game, seats)
    for what, is_for, needed in (
        ("the game", header.game, game.name),
        ("version of the rules", header.rules, game.version),
        ("this many seats:", header.seats, seats),
        ("observations of this size:", header.inputs, wanted.inputs),
        ("moves with this many parts:", header.parts, wanted.parts),
    ):
        if is_for != needed:
            raise Refusal("bad-file", f"{name} has weights for {what} {short(is_for)}, not {needed}.")
    fields = json.loads(head)
    if len(body) != fields.get("bytes") or hashlib.sha256(body).hexdigest() != fields.get("sha256"):
        raise Refusal("bad-file", f"{name} was cut short or changed: its weights do not match its first line.")
    if len(body) != 2 * sum((inputs + 1) * outputs for inputs, outputs in header.shapes()):
        raise Refusal("bad-file", f"{name} does not have as many weights as its layers need.")
    numbers = struct.unpack(f"<{len(body) // 2}e", body)
    if not all(abs(number) < float("inf") for number in numbers):
        raise Refusal("bad-file", f"{name} has weights that are not numbers.")
    return network(game, seats, header, _layers(header, numbers))


def network(game: Game, seats: int, header: Header, layers: list[list[float]]) -> Network:
    """A network with these weights. The encoder's numbers are divided by their maxima in the first layer."""
    encoder = encoder_of(game, seats)
    first, inputs, hidden = layers[0], header.inputs, header.hidden[0]
    divided = [first[i] / int(encoder.maxima[i // hidden]) for i in range(inputs * hidden)] + first[inputs * hidden :]
    made = [Layer(*shape, each) for shape, each in zip(header.shapes(), [divided, *layers[1:]], strict=True)]
    return Network(encoder, parts_of(game.moves), made, header.own)


@cache
def learned(game: Game, seats: int) -> Network | None:
    """The trained network for a game with this many seats, from the game's folder; None if there is none."""
    if game.package is None or not has_features(game):
        return None
    file = files(game.package).joinpath(file_name(seats))
    return read(file.read_bytes(), game, seats, file.name) if file.is_file() else None


def new_header(game: Game, seats: int, hidden: tuple[int, int], own: float, seed: int, command: str) -> Header:
    """The header of a file for this game as it is here."""
    wanted = _wanted(game, seats)
    return Header(game.name, game.version, seats, wanted.inputs, wanted.parts, hidden, own, seed, command)


class _Wanted(NamedTuple):
    inputs: int
    parts: int


def _wanted(game: Game, seats: int) -> _Wanted:
    return _Wanted(int(encoder_of(game, seats).size), parts_count(parts_of(game.moves)))


def _header(line: bytes, name: str) -> Header:
    """Read and check the first line."""
    try:
        fields = cast(dict[str, Any], json.loads(line)) if len(line) <= MAX_HEADER else None
    except ValueError:
        fields = None
    is_for = fields.get("format") if isinstance(fields, dict) else None
    if not isinstance(fields, dict) or not str(is_for).startswith(FORMAT_NAME):
        raise Refusal("bad-file", f"{name} is not a file of weights.")
    if is_for != FORMAT:
        raise Refusal(
            "bad-file", f"{name} was written by another version: its format is {short(is_for)}, not {FORMAT}."
        )
    hidden = fields.get("hidden")
    whole = [fields.get(key) for key in ("rules", "seats", "inputs", "parts", "seed")]
    if (
        not isinstance(hidden, list)
        or len(hidden) != 2
        or not all(isinstance(each, int) for each in (*hidden, *whole))
        or not all(0 < each <= MAX_HIDDEN for each in hidden)
        or not isinstance(fields.get("own"), (int, float))
        or not all(isinstance(fields.get(key), str) for key in ("game", "command"))
    ):
        raise Refusal("bad-file", f"{name} is a file of weights, but its first line is incomplete.")
    kept = {key: fields[key] for key in Header._fields if key != "hidden"}
    return Header(hidden=(hidden[0], hidden[1]), **kept)


def _layers(header: Header, numbers: tuple[float, ...]) -> list[list[float]]:
    found, at = [], 0
    for inputs, outputs in header.shapes():
        size = (inputs + 1) * outputs
        found.append(list(numbers[at : at + size]))
        at += size
    return found
