# compiled
"""A position, and what happened before it, in the words of the game."""

from collections.abc import Hashable
from typing import Final as FinalType

from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.engine.words import with_names
from grandtour.protocol import messages
from grandtour.protocol.changes import Shared, patch_between, patched
from grandtour.protocol.messages import UNSET, Change, Final, LegalMove, Now, Prompt, View

MAX_WORDS: FinalType = 8192
"""How many moves of one game have their words cached."""
_words: dict[tuple[str, Hashable], dict[int, LegalMove]] = {}
"""Moves in words, with placeholders for the names of players."""


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
    return in_words(game, state, names, state.legal(seat))


def in_words(game: Game, state: State, names: list[str], moves: list[int]) -> list[LegalMove]:
    """Moves by name and in words."""
    if not moves:
        return []
    kept = {} if game.words_by is None else _words.setdefault((game.name, game.words_by(state)), {})
    legal = []
    for move in moves:
        one = kept.get(move)
        if one is None:
            named = game.moves.name(move)
            one = LegalMove(named, game.describe_move(state, named))
            if len(kept) < MAX_WORDS:
                kept[move] = one
        text = with_names(one.text, names)
        legal.append(one if text is one.text else LegalMove(one.move, text))
    return legal


def change_between(before: Now, after: Now, known: list[LegalMove], shared: Shared | None = None) -> Change:
    """What to tell a viewer who has the position `before`; `known` is the last list of moves they got that was not
    empty. The caller must make two readings of the same clock equal, since their time left differs. `shared` is for
    several viewers at once: see `patch_between`."""
    change = Change(after.n, before.n)
    if after.view is not before.view:
        patch = patch_between(before.view, after.view, shared)
        if patch:
            change.view = patch
    if after.legal is not before.legal and after.legal != before.legal:
        places = {one.text: place for place, one in enumerate(known)} if after.legal else {}
        legal: list[int | LegalMove] = []
        for one in after.legal:
            place = places.get(one.text)
            legal.append(one if place is None or known[place] != one else place)
        change.legal = legal
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
    now: Now = messages.replaced(before, n=change.n, **after)
    return now


def final_of(game: Game, state: State) -> list[Final]:
    """How each seat's result came about."""
    final: list[Final] = messages.converted(game.final(state), list[Final])
    return final
