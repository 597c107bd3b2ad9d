"""Why a hint suggests a move in Word Traveler, in a sentence, from what the seat knows."""

from typing import Final

from grandtour.engine import words as say
from grandtour.games.word_traveler import bot
from grandtour.games.word_traveler.parts import (
    HAND,
    MAX_ARROWS,
    N_SURENESS,
    SPACE_NAMES,
    SPACES,
    SYMBOLS,
    VALUES,
    WORDS,
)
from grandtour.games.word_traveler.rules import AIM, ASK, DONE, FOOTPRINT, PLACE, READY, SURE, TAKE_BACK, State
from grandtour.games.word_traveler.state import STEP_GUESS, direction_of
from grandtour.games.word_traveler.strategy import lexicon

MIN_FIT: Final = 1.0
"""The lowest grade of a word that describes a place."""


def why(state: State, seat: int, move: int) -> str:
    """A reason for a legal move."""
    if AIM <= move < PLACE:
        return _reason_to_aim(state, seat, int(move - AIM) % SPACES)
    if PLACE <= move < TAKE_BACK:
        side, arrow = divmod(int(move - PLACE), MAX_ARROWS)
        return _reason_to_place(state, seat, side, arrow)
    if TAKE_BACK <= move < DONE:
        return "It could make people think of another place."
    if move == DONE:
        return "The words you have left would not make your stops any clearer."
    if FOOTPRINT <= move < SURE:
        number, space = divmod(int(move - FOOTPRINT), SPACES)
        return _reason_to_guess(state, seat, number, space)
    if SURE <= move < SURE + N_SURENESS * MAX_ARROWS:
        number = int(move - SURE) // N_SURENESS
        space = int(state.feet[MAX_ARROWS * state.journey_of(state.traveler()) + number])
        return f"By the words, this stop is {_percent(state, seat, number, space)} likely."
    if move == READY:
        if state.step == STEP_GUESS:
            return "The time to discuss starts when every local has seen the last journey."
        return "Everybody plans at the same time."
    if move == ASK:
        return "The locals do not agree, and somebody has to decide."
    return "No other path fits the words clearly better."


def _space_name(state: State, space: int) -> str:
    return state.place_name(space) or SPACE_NAMES[space]


def _reason_to_aim(state: State, seat: int, space: int) -> str:
    """A reason to aim at a stop: its value, and the unused words that describe it best."""
    journey = int(state.journey_of(seat))
    value = VALUES[SYMBOLS[state.maps[seat]][state.day][space]]
    fitting: list[tuple[float, str]] = []
    for i in range(HAND * journey, HAND * journey + HAND):
        if not state.put[i]:
            grade = lexicon.table(int(state.city))[state.hand[i]][space]
            if abs(grade) >= MIN_FIT:
                word = WORDS[state.hand[i]]
                fitting.append((-abs(grade), f"“{word}”" if grade > 0 else f"“Not {word}”"))
    worth = f"It is worth {say.plural(value, 'point')}" if value else "It leads on to places that are worth points"
    if not fitting:
        return f"{worth}."
    best = [word for _, word in sorted(fitting)[:2]]
    return f"{worth}, and {say.join_and(best)} {'fits' if len(best) == 1 else 'fit'} it."


def _reason_to_place(state: State, seat: int, side: int, arrow: int) -> str:
    """A reason to place a side: how it tells the stop from the other places in the same direction."""
    journey = int(state.journey_of(seat))
    to = int(state.aim[MAX_ARROWS * journey + arrow])
    if to < 0:
        return "It keeps the word for this arrow."
    start = int(state.aim[MAX_ARROWS * journey + arrow - 1]) if arrow else int(state.marker[seat])
    line = bot.LINES[4 * start + int(direction_of(start, to))]
    grades = lexicon.table(int(state.city))[side // 2]
    fits = {space: -grades[space] if side % 2 else grades[space] for space in line}
    mine, name = fits.pop(to), _space_name(state, to)
    if not fits:
        return f"{name} is the only place in this direction, so any word will do."
    if mine > max(fits.values()):
        return f"Of the {len(line)} places in this direction, it fits {name} best."
    if mine >= MIN_FIT > min(fits.values()):
        return f"It fits {name}, but not every place in this direction."
    against = [space for space, grade in fits.items() if grade <= -MIN_FIT and grade < mine]
    if against:
        return f"It speaks against {_space_name(state, min(against, key=lambda space: fits[space]))}."
    return f"Together with the other words it points to {name}."


def _reason_to_guess(state: State, seat: int, number: int, space: int) -> str:
    journey = int(state.journey_of(state.traveler()))
    words = say.join_and([f"“{word}”" for word in state.words(journey, number)])
    share = _percent(state, seat, number, space)
    return f"Going by {words}, {_space_name(state, space)} is {share} likely."


def _percent(state: State, seat: int, number: int, space: int) -> str:
    chance = bot.belief(state, bot.taste_of(state, seat))[SPACES * number + space]
    return f"about {min(99, round(100 * chance))}%" if chance >= 0.01 else "hardly"
