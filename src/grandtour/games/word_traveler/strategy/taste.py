# compiled
"""What words mean to each player. Every bot has its own taste, so two bots do not understand each other perfectly."""

from math import fabs
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import QuickDice
from grandtour.games.word_traveler.parts import MAX_SEATS, N_MAPS, N_WORDS, SPACES, WORDS
from grandtour.games.word_traveler.strategy import lexicon

SPREAD: Final = 0.35
"""The standard deviation of a bot's opinion from the lexicon, for a word that says nothing about a place."""
SPREAD_BY_GRADE: Final = 0.7
"""How much more it differs for a word that says something, most of all for one that partly fits."""
OTHERS_SPREAD: Final = 1.5
"""How much more a bot expects others' opinions to differ from its own."""
SHARED_OPINION: Final = 0.7
"""The fraction of its own opinion that a bot expects others to share."""
FIRST_IMAGINED_TASTE: Final = 1000
"""Tastes from this number are imagined for others. The taste of the player who imagines them is the remainder."""
MAX_OPINION: Final = 3.5
"""The strongest opinion."""
TASTES: Final[i64] = MAX_SEATS * N_MAPS


class Meanings:
    """The lexicon of a city as plain numbers, and the words that most places lack."""

    def __init__(self, city: int) -> None:
        self.grades = vec[float]([grade for row in lexicon.table(city) for grade in row])
        self.ignored_lack = vec[i64]([1 if word in lexicon.neutral_if_lacking() else 0 for word in WORDS])


class Seeds:
    """The initial state of the dice of each taste for each word; 0 where it is not known yet."""

    def __init__(self) -> None:
        self.a = vec[i64]([0] * (TASTES * N_WORDS))
        self.b = vec[i64]([0] * (TASTES * N_WORDS))


_meanings: Final[dict[int, Meanings]] = {}
_seeds: Final[list[Seeds]] = []


def write_opinion(taste: i64, city: int, word: i64, found: vec[float]) -> None:
    """Write how well a word describes each space in the opinion of a taste."""
    imagined = taste >= FIRST_IMAGINED_TASTE
    ignored_lack = False
    if imagined:
        write_opinion(taste % FIRST_IMAGINED_TASTE, city, word, found)
    else:
        meanings = _meanings_of(city)
        ignored_lack = meanings.ignored_lack[word] == 1
        for space in range(i64(SPACES)):
            found[space] = meanings.grades[SPACES * word + space]
    rolls = vec[i64]([0] * (2 * SPACES))
    _opinion_dice(taste, word).write_below(1000, rolls)
    for space in range(i64(SPACES)):
        grade = found[space]
        deviation = float(rolls[2 * space] + rolls[2 * space + 1] - 999) / 408.0  # a standard deviation of 1
        if ignored_lack and grade == lexicon.LACKING_GRADE:
            continue  # everyone agrees about these, but may expect others not to
        centre = SHARED_OPINION * grade if imagined else grade
        spread = SPREAD + SPREAD_BY_GRADE * fabs(centre) * (1.0 - fabs(centre) / 4.0)
        if imagined:
            spread *= OTHERS_SPREAD
        own = centre + deviation * spread
        found[space] = MAX_OPINION if own > MAX_OPINION else -MAX_OPINION if own < -MAX_OPINION else own


def _meanings_of(city: int) -> Meanings:
    found = _meanings.get(city)
    if found is None:
        found = Meanings(city)
        _meanings[city] = found
    return found


def _opinion_dice(taste: i64, word: i64) -> QuickDice:
    """The dice of a taste for a word. Their seed is cached, because seeding takes longer than all rolls."""
    if taste >= TASTES:
        return QuickDice(int(FIRST_IMAGINED_TASTE * taste + word))
    if not _seeds:
        _seeds.append(Seeds())
    seeds = _seeds[0]
    at = N_WORDS * taste + word
    if not seeds.b[at]:
        seeded = QuickDice(int(FIRST_IMAGINED_TASTE * taste + word))
        seeds.a[at] = seeded.a
        seeds.b[at] = seeded.b
    dice = QuickDice()
    dice.a = seeds.a[at]
    dice.b = seeds.b[at]
    return dice
