# compiled
"""What words mean to each player: a bot has a taste of its own, so that two of them do not read each other's minds."""

from math import fabs
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import QuickDice
from grandtour.games.word_traveler.parts import MAX_SEATS, N_MAPS, N_WORDS, SPACES, WORDS
from grandtour.games.word_traveler.strategy import lexicon

TASTE: Final = 0.35
"""How far a bot's opinion differs from the table (standard deviation) for a word that says nothing about a place."""
TEMPER: Final = 0.7
"""How much farther it differs for a word that says something, most of all for one that partly fits."""
STRANGERS: Final = 1.5
"""How much farther a bot expects others' opinions to be from its own."""
DOUBT: Final = 0.7
"""The part of its own opinion that a bot expects others to share."""
OTHERS: Final = 1000
"""Tastes from here on are those of others, as the player with the rest of the number imagines them."""
MOST: Final = 3.5
"""The strongest opinion."""
TASTES: Final[i64] = MAX_SEATS * N_MAPS


class Meanings:
    """The lexicon of a city as plain numbers, and the words whose absence is nothing special."""

    def __init__(self, city: int) -> None:
        self.grades = vec[float]([grade for row in lexicon.table(city) for grade in row])
        self.plain = vec[i64]([1 if word in lexicon.lacks() else 0 for word in WORDS])


class Seeds:
    """The dice of each taste for each word, as they are before the first throw; 0 where they are not known yet."""

    def __init__(self) -> None:
        self.a = vec[i64]([0] * (TASTES * N_WORDS))
        self.b = vec[i64]([0] * (TASTES * N_WORDS))


_meanings: Final[dict[int, Meanings]] = {}
_seeds: Final[list[Seeds]] = []


def write_opinion(taste: i64, city: int, word: i64, found: vec[float]) -> None:
    """Write how well a word describes each space for a taste."""
    imagined = taste >= OTHERS
    plain = False
    if imagined:
        write_opinion(taste % OTHERS, city, word, found)
    else:
        meanings = _of_city(city)
        plain = meanings.plain[word] == 1
        for space in range(i64(SPACES)):
            found[space] = meanings.grades[SPACES * word + space]
    thrown = vec[i64]([0] * (2 * SPACES))
    _dice(taste, word).write_below(1000, thrown)
    for space in range(i64(SPACES)):
        grade = found[space]
        whim = float(thrown[2 * space] + thrown[2 * space + 1] - 999) / 408.0  # a standard deviation of 1
        if plain and grade == lexicon.LACKING:
            continue  # A clear grade is certain for oneself, but others may read it differently.
        centre = DOUBT * grade if imagined else grade
        room = TASTE + TEMPER * fabs(centre) * (1.0 - fabs(centre) / 4.0)
        if imagined:
            room *= STRANGERS
        own = centre + whim * room
        found[space] = MOST if own > MOST else -MOST if own < -MOST else own


def _of_city(city: int) -> Meanings:
    found = _meanings.get(city)
    if found is None:
        found = Meanings(city)
        _meanings[city] = found
    return found


def _dice(taste: i64, word: i64) -> QuickDice:
    """The dice that a taste throws for a word. To seed them takes longer than all throws, so that is done once."""
    if taste >= TASTES:
        return QuickDice(int(OTHERS * taste + word))
    if not _seeds:
        _seeds.append(Seeds())
    seeds = _seeds[0]
    at = N_WORDS * taste + word
    if not seeds.b[at]:
        seeded = QuickDice(int(OTHERS * taste + word))
        seeds.a[at] = seeded.a
        seeds.b[at] = seeded.b
    dice = QuickDice()
    dice.a = seeds.a[at]
    dice.b = seeds.b[at]
    return dice
