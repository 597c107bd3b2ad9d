"""A position, and what happened before it, in the words of the game."""

from collections.abc import Hashable
from typing import Final as FinalType

import msgspec
from msgspec import UNSET

from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.engine.words import with_names
from grandtour.protocol.changes import patch_between, patched
from grandtour.protocol.messages import Change, Final, LegalMove, Now, Prompt, View

MAX_WORDS: FinalType = 8192
"""How many moves of one game have their words cached."""
_words: dict[tuple[str, Hashable], dict[int, LegalMove]] = {}


def shown_events(events: list[Event], seat: int | None) -> list[Event]:
    """Events as a seat may see them; None is a spectator."""
    return [seen(event, seat) for event in events]


def sentences(game: Game, shown: list[Event], names: list[str], seat: int | None) -> list[str]:
    """Events in words. Those with nothing to say are left out."""
    return [text for text in (game.describe(event, names, seat) for event in shown) if text]


def prompt_for(game: Game, state: State, names: list[str], seat: int | None, view: View | None = None) -> Prompt:
    """What the game asks this seat to do now, whose view may be known already."""
    if view is not None and game.prompt_for_view is not None:
        prompt = game.prompt_for_view(view, seat)
    else:
        prompt = game.prompt(state, seat)
    return Prompt(with_names(prompt["text"], names), list(prompt["rules"]))


def legal_moves(game: Game, state: State, names: list[str], seat: int) -> list[LegalMove]:
    """Every move this seat may make now, by name and in words."""
    found = state.legal(seat)
    if not found:
        return []
    if game.words_by is None:
        return [_with_words(game, state, move, names) for move in found]
    kept = _words.setdefault((game.name, game.words_by(state)), {})
    legal = []
    for move in found:
        one = kept.get(move)
        if one is None:
            one = _with_words(game, state, move, names)
            if "{seat:" not in game.describe_move(state, one.move) and len(kept) < MAX_WORDS:
                kept[move] = one
        legal.append(one)
    return legal


def _with_words(game: Game, state: State, move: int, names: list[str]) -> LegalMove:
    named = game.moves.name(move)
    return LegalMove(named, with_names(game.describe_move(state, named), names))


def change_between(before: Now, after: Now, known: list[LegalMove]) -> Change:
    """What to tell a viewer who has the position `before`; `known` is the last list of moves they got that was not
    empty. The caller must make two readings of the same clock equal, since their time left differs."""
    change = Change(after.n, before.n)
    if after.view is not before.view:
        patch = patch_between(before.view, after.view)
        if patch:
            change.view = patch
    if after.legal != before.legal:
        places = {one.text: place for place, one in enumerate(known)}
        change.legal = []
        for one in after.legal:
            place = places.get(one.text)
            change.legal.append(one if place is None or known[place] != one else place)
    if after.prompt != before.prompt:
        change.prompt = after.prompt
    if after.waiting != before.waiting:
        change.waiting = after.waiting
    if after.undo != before.undo:
        change.undo = after.undo
    if after.result != before.result:
        change.result = after.result
    if after.final != before.final:
        change.final = after.final
    if after.clock != before.clock:
        change.clock = after.clock
    if after.times != before.times:
        change.times = after.times
    return change


def now_after(before: Now, change: Change, known: list[LegalMove]) -> Now:
    """The position after a change, computed as a client does."""
    assert change.base == before.n, "this change is of another position"
    after = {
        name: value
        for name in ("prompt", "waiting", "undo", "result", "final", "clock", "times")
        if (value := getattr(change, name)) is not UNSET
    }
    if change.view is not UNSET:
        after["view"] = patched(before.view, change.view)
    if change.legal is not UNSET:
        after["legal"] = [known[one] if isinstance(one, int) else one for one in change.legal]
    return msgspec.structs.replace(before, n=change.n, **after)


def final_of(game: Game, state: State) -> list[Final]:
    """How each seat's result came about."""
    return msgspec.convert(game.final(state), list[Final])
