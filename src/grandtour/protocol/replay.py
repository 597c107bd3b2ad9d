"""A match, step by step, as one seat or a spectator saw it."""

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType

from grandtour.engine.dice import seal
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.protocol.messages import HandPart, OpenHand, Replay, ReplayStep
from grandtour.protocol.position import final_of, in_words, prompt_for, sentences, shown_events
from grandtour.protocol.text import sections_of

Viewer = int | Literal["all"] | None
"""The viewer of a replay: a seat, a spectator (None), or a spectator who sees all hands."""
_TO_THE_SEAT: Final = re.compile(r"\byour?\b", re.IGNORECASE)


def outline(match: Match, names: list[str], viewer: Viewer) -> Replay:
    """A replay without its steps."""
    check_seat(match, _seat(viewer))
    return Replay(
        match.game.name,
        match.options,
        names,
        seal(match.seed) if isinstance(match.seed, bytes) else None,
        match.result(),
        final_of(match.game, match.state) if match.over else None,
        [],
    )


def steps(match: Match, names: list[str], viewer: Viewer, stand_ins: Container[int] = ()) -> Iterator[ReplayStep]:
    """The steps of a replay, with everything that the viewer may know. The text says if a bot made a move for a
    person."""
    game, seat = match.game, _seat(viewer)
    choice: str | None = None
    for n, (entry, events, state) in enumerate(match.steps()):
        shown = shown_events(events, seat)
        text = sentences(game, shown, names, seat)
        note: str | UnsetType = UNSET
        if entry is not None and not text:
            note = _note("You" if entry.seat == seat else names[entry.seat], choice)
        if entry is not None and n in stand_ins:
            text.insert(0, f"A bot made this move for {'you' if entry.seat == seat else names[entry.seat]}.")
        view = game.view(state, seat)
        yield ReplayStep(
            n,
            entry.seat if entry is not None else None,
            game.moves.name(entry.move) if entry is not None and entry.seat == seat else None,
            shown,
            text,
            view,
            prompt_for(game, state, names, seat, view),
            _open_hands(game, state, names, view) if viewer == "all" else UNSET,
            note,
        )
        choice = None
        if n < len(match.log) and (viewer == "all" or match.log[n].seat == seat):
            choice = in_words(game, state, names, [match.log[n].move])[0].text


def _note(who: str, choice: str | None) -> str:
    if choice is None:
        return f"{who} makes a choice that others do not see."
    return f"{who} {'choose' if who == 'You' else 'chooses'}: {choice}."


def _seat(viewer: Viewer) -> int | None:
    return None if viewer == "all" else viewer


def _open_hands(game: Game, state: State, names: list[str], public: Mapping[str, Any]) -> list[OpenHand]:
    """For each seat, the lines of its view's text that are not in a spectator's text. Lines that address the seat ("to
    your left") are left out: they say where others sit or what the seat knows about them, and all hands are shown."""
    known = {(part.title, line) for part in sections_of(game, public, names, None) for line in part.lines}
    hands = []
    for seat in range(state.seats):
        parts = [
            HandPart(part.title, lines)
            for part in sections_of(game, game.view(state, seat), names, None)
            if not part.detail
            and (
                lines := [line for line in part.lines if not ((part.title, line) in known or _TO_THE_SEAT.search(line))]
            )
        ]
        hands.append(OpenHand(seat, parts))
    return hands


def check_seat(match: Match, seat: int | None) -> None:
    """Refuse a seat that the match does not have. None, for a spectator, is accepted."""
    if seat is not None and not 0 <= seat < match.seats:
        raise Refusal("wrong-seat", f"There is no seat {seat} in this match: the seats are 0 to {match.seats - 1}.")
