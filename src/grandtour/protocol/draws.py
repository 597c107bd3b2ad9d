"""Every random number of a finished match, so that anyone can check them against the secret of the dice."""

from librt.vecs import vec
from msgspec import Struct
from mypy_extensions import i64

from grandtour.engine.dice import Dice, SealedDice
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal


class Drawn(Struct, tag_field="kind", tag="number"):
    """One number from 0 to `below` - 1."""

    below: int
    value: int


class Shuffled(Struct, tag_field="kind", tag="shuffle"):
    """Cards, by their numbers, in the order before and after a shuffle."""

    before: list[int]
    after: list[int]


class DiceStep(Struct):
    """The random numbers and shuffles of one step of the replay."""

    n: int
    draws: list[Drawn | Shuffled]


class DrawnDice(Struct):
    """The secret of a match's dice, and every step in which the dice were used, in order."""

    secret: str
    steps: list[DiceStep]


def drawn_dice(match: Match) -> DrawnDice:
    """Replay a match and record its dice. The result contains the secret, so the match must be over."""
    if not isinstance(match.seed, bytes):
        raise Refusal("bad-file", "The dice of this match were not sealed, so there is nothing to compare them with.")
    draws: list[Drawn | Shuffled] = []
    state = match.game.new(match.seats, match.options, _RecordingDice(match.seed, draws), None, match.version)
    steps = [DiceStep(0, draws.copy())]
    for n, entry in enumerate(match.log, 1):
        draws.clear()
        state.play(entry.seat, entry.move)
        if draws:
            steps.append(DiceStep(n, draws.copy()))
    return DrawnDice(match.seed.hex(), steps)


class _RecordingDice(Dice):
    """Sealed dice that record every result."""

    def __init__(self, secret: bytes, draws: list[Drawn | Shuffled]) -> None:
        self._dice = SealedDice(secret)
        self._draws = draws

    def below(self, n: i64) -> i64:
        value = self._dice.below(n)
        self._draws.append(Drawn(int(n), int(value)))
        return value

    def shuffle(self, cards: vec[i64], first: i64, end: i64) -> None:
        before = [int(card) for card in cards[first:end]]
        self._dice.shuffle(cards, first, end)
        self._draws.append(Shuffled(before, [int(card) for card in cards[first:end]]))
