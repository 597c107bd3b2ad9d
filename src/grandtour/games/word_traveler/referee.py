"""The referee: the rules written a second time, for people. It says why a move is refused, by paragraph of
`rulebook.md`.

It shares nothing with `rules.py`: every check reads the fields of the position and stands alone.
Paths are not computed but walked, step by step across the board.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Final

from grandtour.engine import words as say
from grandtour.engine.refusal import Objection
from grandtour.engine.vocabulary import Named
from grandtour.games.word_traveler.parts import (
    ARROWS,
    HAND,
    MAX_ARROWS,
    MAX_CHANGES,
    MAX_STEPS,
    SIZE,
    SPACE_NAMES,
    WORDS,
)
from grandtour.games.word_traveler.rules import MOVES, State
from grandtour.games.word_traveler.state import STEP_GUESS, STEP_OVER, STEP_PLAN, STEP_READY

PLANNING: Final = ("aim", "place", "take-back", "done")
STEPS: Final = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}


def objection(state: State, seat: int, move: int) -> Objection | None:
    """Why a seat may not make a move: the first paragraph it breaks, or None if it is legal."""
    return next(_objections(state, seat, MOVES.name(move)), None)


def _objections(state: State, seat: int, named: Named) -> Iterator[Objection]:
    """All objections to a move. A later check may rely on the earlier ones."""
    do = named["do"]
    if state.step == STEP_OVER:
        yield Objection("WT-67", "The game is over.")
    if do == "time-up":
        yield Objection("WT-35", "Only the clock can say that time is up.")
    if state.step == STEP_READY:
        yield from _before_planning(state, seat, do)
    elif do == "ready" and not _still_reads(state, seat):
        yield Objection("WT-19", "The timer is not waiting for you now.")
    if state.step == STEP_PLAN:
        yield from _while_planning(state, seat, do)
    if state.step == STEP_GUESS:
        yield from _while_guessing(state, seat, do)
    yield from CHECKS[do](state, seat, named)


def _before_planning(state: State, seat: int, do: str) -> Iterator[Objection]:
    if do != "ready":
        yield Objection("WT-19", "The sand timer has not started yet: it starts when everyone is ready.")
    if state.done & 2**seat:
        yield Objection("WT-19", "You have already said that you are ready.")


def _still_reads(state: State, seat: int) -> bool:
    """Whether the time to discuss waits for this local, who is still looking at the last journey."""
    limited = state.version > 1 and state.discussion > 0 and state.seats > 2 and not state.deciding
    local = state.step == STEP_GUESS and seat != who_travels(state)
    return bool(limited and local and state.unseen & 2**seat)


def _while_planning(state: State, seat: int, do: str) -> Iterator[Objection]:
    if do not in PLANNING:
        yield Objection("WT-16", "Nobody travels yet: everyone is planning.")
    if state.done & 2**seat:
        yield Objection("WT-33", "You have already finished planning.")
    if do != "done" and state.changes[seat] >= MAX_CHANGES:
        yield Objection("WT-36", f"You have changed your plan {MAX_CHANGES} times today: finish planning.")


def _while_guessing(state: State, seat: int, do: str) -> Iterator[Objection]:
    traveler = who_travels(state)
    if do in PLANNING:
        yield Objection("WT-33", "Planning is over for today.")
    if seat == traveler:
        yield Objection("WT-40", "You are the traveler: you remain silent until the reveal.")
    if state.deciding and seat != (traveler + 1) % state.seats:
        yield Objection("WT-47", "The player to the traveler's left decides now.")


def _called(state: State, space: str) -> str:
    """The name of the place on a space, or the name of the space if places are hidden."""
    return state.place_name(SPACE_NAMES.index(space)) or space


def _aim(state: State, seat: int, named: Named) -> Iterator[Objection]:
    arrow = named["arrow"]
    aims = todays(state, state.aim, seat, MAX_ARROWS)
    yield from _has_arrow(state, arrow)
    if arrow > 1 and aims[arrow - 2] < 0:
        yield Objection("WT-26", f"Arrow {arrow} starts where arrow {arrow - 1} ends: aim that one first.")
    here = SPACE_NAMES[aims[arrow - 2] if arrow > 1 else state.marker[seat]]
    there = named["space"]
    if here == there:
        yield Objection("WT-25", f"A stop is at least one space away from {_called(state, here)}.")
    if here[0] != there[0] and here[1] != there[1]:
        reason = f"{_called(state, there)} is not in a straight line from {_called(state, here)}."
        yield Objection("WT-21", reason)
    if aims[arrow - 1] == SPACE_NAMES.index(there):
        yield Objection("WT-26", f"Arrow {arrow} is already aimed at {_called(state, there)}.")


def _place(state: State, seat: int, named: Named) -> Iterator[Objection]:
    arrow = named["arrow"]
    black = named["word"].startswith("Not ")
    word = named["word"].removeprefix("Not ")
    yield from _has_arrow(state, arrow)
    lies = where_lies(state, seat)
    if word not in lies:
        yield Objection("WT-18", f"You have no word card {word} today.")
    if lies[word] == (arrow, black):
        yield Objection("WT-32", f"{named['word']} is already under arrow {arrow}.")


def _has_arrow(state: State, arrow: int) -> Iterator[Objection]:
    if arrow > ARROWS[state.day]:
        yield Objection("WT-17", f"On Day 1 you have {ARROWS[0]} arrows: arrow {arrow} is for Day 2.")


def _take_back(state: State, seat: int, named: Named) -> Iterator[Objection]:
    lies = where_lies(state, seat)
    if named["word"] not in lies:
        yield Objection("WT-18", f"You have no word card {named['word']} today.")
    if lies[named["word"]] is None:
        yield Objection("WT-32", f"{named['word']} is not under any arrow.")


def _done(state: State, seat: int, named: Named) -> Iterator[Objection]:
    return iter(())


def _footprint(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _is_in_play(state, named["number"])
    n = named["number"] - 1
    space = SPACE_NAMES.index(named["space"])
    feet = footprints(state)
    if space not in standings(announced(state), start(state), (None,) * len(feet))[n]:
        yield Objection("WT-45", f"{_called(state, named['space'])} cannot be stop {n + 1}.")
    if feet[n] == space:
        yield Objection("WT-43", f"Footprint {n + 1} is already on {_called(state, named['space'])}.")
    last_word = state.version > 1 and (state.deciding or state.seats == 2)
    if state.steps[seat] >= MAX_STEPS and not (last_word and not state.again & 2**n):
        if feet[n] is not None and last_word:
            yield Objection("WT-50", f"You have already moved footprint {n + 1} once more: leave it where it is.")
        if feet[n] is not None:
            yield Objection(
                "WT-50", f"You have moved footprints {MAX_STEPS} times: you can only place those that are missing."
            )
        if space not in standings(announced(state), start(state), feet)[n]:
            yield Objection("WT-50", "That would remove another footprint, and you have already moved too many.")


def _sure(state: State, seat: int, named: Named) -> Iterator[Objection]:
    number = named["number"]
    yield from _is_in_play(state, number)
    if state.placer[number - 1] != seat:
        yield Objection("WT-49", f"You did not place footprint {number}.")
    if state.sure[number - 1]:
        yield Objection("WT-49", f"You have already said how sure you are of footprint {number}.")


def _is_in_play(state: State, number: int) -> Iterator[Objection]:
    arrows = len(announced(state))
    if number > arrows:
        yield Objection(
            "WT-42", f"The traveler uses only {say.plural(arrows, 'arrow')}: there is no footprint {number}."
        )


def _agree(state: State, seat: int, named: Named) -> Iterator[Objection]:
    for number, space in enumerate(footprints(state), 1):
        if space is None:
            yield Objection("WT-46", f"Footprint {number} is not placed yet.")
    if state.agreed & 2**seat:
        yield Objection("WT-46", "You have already agreed.")


def _ask(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if state.seats == 2:
        yield Objection("WT-48", "You are the only local: you decide alone.")
    if state.deciding:
        yield Objection("WT-48", "The decision is already yours.")


CHECKS: Final[dict[str, Callable[[State, int, Named], Iterator[Objection]]]] = {
    "aim": _aim,
    "place": _place,
    "take-back": _take_back,
    "done": _done,
    "footprint": _footprint,
    "sure": _sure,
    "agree": _agree,
    "ask": _ask,
    "time-up": _done,
    "ready": _done,
}


def who_travels(state: State) -> int:
    """The traveler. Players travel one after the other, clockwise from the first (WT-37)."""
    return int((state.starter + state.gone) % state.seats)


def todays(state: State, numbers: object, seat: int, each: int) -> list[int]:
    """A player's part of a list in which every player has `each` numbers for each day."""
    first = each * (state.seats * state.day + seat)
    return [int(number) for number in numbers[first : first + each]]  # type: ignore[index]


def where_lies(state: State, seat: int) -> dict[str, tuple[int, bool] | None]:
    """A player's ten words: the arrow that each is under, and whether its black side is up; None if in the hand."""
    words = todays(state, state.hand, seat, HAND)
    put = todays(state, state.put, seat, HAND)
    return {
        WORDS[word]: ((code + 1) // 2, code % 2 == 0) if code else None for word, code in zip(words, put, strict=True)
    }


def announced(state: State) -> tuple[str, ...]:
    """The directions of the traveler's arrows, from the spaces where each begins and ends."""
    seat = who_travels(state)
    aims = [aim for aim in todays(state, state.aim, seat, MAX_ARROWS) if aim >= 0]
    path = [SPACE_NAMES[space] for space in (start(state), *aims)]
    return tuple(
        ("east" if there[0] > here[0] else "west")
        if here[1] == there[1]
        else ("south" if there[1] > here[1] else "north")
        for here, there in pairwise(path)
    )


def start(state: State) -> int:
    """The space where the traveler's journey begins."""
    return int(state.marker[who_travels(state)])


def footprints(state: State) -> tuple[int | None, ...]:
    """The spaces of the footprints of this journey; None for one that is not placed."""
    feet = todays(state, state.feet, who_travels(state), MAX_ARROWS)
    return tuple(space if space >= 0 else None for space in feet[: len(announced(state))])


@cache
def line(here: int, direction: str) -> tuple[int, ...]:
    """The spaces in one direction, up to the edge of the board (WT-25)."""
    found = []
    row, column = divmod(here, SIZE)
    down, across = STEPS[direction]
    while 0 <= row + down < SIZE and 0 <= column + across < SIZE:
        row, column = row + down, column + across
        found.append(SIZE * row + column)
    return tuple(found)


@cache
def standings(directions: tuple[str, ...], here: int, feet: tuple[int | None, ...]) -> tuple[frozenset[int], ...]:
    """For each stop, the spaces where it can be on a path along the arrows through the placed footprints."""
    if not directions:
        return ()
    first: set[int] = set()
    later: list[set[int]] = [set() for _ in directions[1:]]
    for there in line(here, directions[0]):
        if feet[0] is None or feet[0] == there:
            rest = standings(directions[1:], there, feet[1:])
            if all(rest):
                first.add(there)
                for found, more in zip(later, rest, strict=True):
                    found |= more
    return (frozenset(first), *(frozenset(found) for found in later))
