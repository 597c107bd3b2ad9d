# compiled
"""A position, and what happened before it, in the words of the game."""

from collections.abc import Hashable, Mapping
from typing import Any
from typing import Final as FinalType

from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.engine.words import TOKEN, with_names
from grandtour.protocol import messages
from grandtour.protocol.changes import Shared, encoded_once, encoded_patch, patched
from grandtour.protocol.messages import UNSET, Change, Final, LegalMove, Now, Prompt, Times, View

MAX_WORDS: FinalType = 8192
"""How many moves of one game have their words cached."""
_words: dict[tuple[str, Hashable], dict[int, "_Words"]] = {}
"""Moves in words, with placeholders for the names of players."""


class _Words:
    """A move in words, and whether there are placeholders in them."""

    def __init__(self, move: LegalMove) -> None:
        self.move: FinalType = move
        self.named: FinalType = TOKEN in move.text


class Legal:
    """The moves that a seat may make, by number and in words. `words` is what the words depend on besides the names: as
    `Game.words_by` gives it, or the whole position."""

    def __init__(self, choices: list[int], moves: list[LegalMove], words: Hashable, names: list[str]) -> None:
        self.choices: FinalType = choices
        self.moves: FinalType = moves
        self.words: FinalType = words
        self.names: FinalType = names

    def same_words(self, other: "Legal") -> bool:
        """Whether the same number is the same move in the same words in both."""
        return self.names is other.names and self.words == other.words


NO_MOVES: FinalType = Legal([], [], None, [])


class Position:
    """A position as one viewer sees it: what a `now` message says."""

    def __init__(
        self,
        n: int,
        view: View | None,
        legal: Legal,
        prompt: Prompt,
        waiting: list[int],
        undo: bool,
        result: list[float] | None,
        final: list[Final] | None,
        clock: messages.Json | None,
        times: Times | None,
        asked: Mapping[str, Any] | None = None,
        names: list[str] | None = None,
    ) -> None:
        """`asked` is the prompt with placeholders for these names."""
        self.n: FinalType = n
        self.view: FinalType = view
        self.legal: FinalType = legal
        self.prompt: FinalType = prompt
        self.waiting: FinalType = waiting
        self.undo: FinalType = undo
        self.result: FinalType = result
        self.final: FinalType = final
        self.clock = clock
        self.times: FinalType = times
        self.asked: FinalType = asked
        self.names: FinalType = names

    def message(self) -> Now:
        return Now(
            self.n,
            self.view,
            self.legal.moves,
            self.prompt,
            self.waiting,
            self.undo,
            self.result,
            self.final,
            self.clock,
            self.times,
        )


def shown_events(events: list[Event], seat: int | None) -> list[Event]:
    """Events as a seat may see them; None is a spectator."""
    return [seen(event, seat) for event in events]


def sentences(game: Game, shown: list[Event], names: list[str], seat: int | None) -> list[str]:
    """Events in words. Those with nothing to say are left out."""
    return [text for text in (game.describe(event, names, seat) for event in shown) if text]


def prompt_for(game: Game, state: State, names: list[str], seat: int | None, view: View | None = None) -> Prompt:
    """What the game asks this seat to do now, whose view may be known already."""
    return with_players(asked_of(game, state, seat, view), names)


def asked_of(game: Game, state: State, seat: int | None, view: View | None) -> Mapping[str, Any]:
    """The same with placeholders for names."""
    if view is not None and game.prompt_for_view is not None:
        return game.prompt_for_view(view, seat)
    return game.prompt(state, seat)


def with_players(asked: Mapping[str, Any], names: list[str]) -> Prompt:
    return Prompt(with_names(asked["text"], names), list(asked["rules"]))


def legal_moves(game: Game, state: State, names: list[str], seat: int) -> list[LegalMove]:
    """Every move this seat may make now, by name and in words."""
    return in_words(game, state, names, state.legal(seat))


def in_words(game: Game, state: State, names: list[str], moves: list[int]) -> list[LegalMove]:
    """Moves by name and in words."""
    if not moves:
        return []
    kept: dict[int, _Words] = {}
    if game.words_by is not None:
        kept = _words.setdefault((game.name, game.words_by(state)), kept)
    legal = []
    for move in moves:
        one = kept.get(move)
        if one is None:
            named = game.moves.name(move)
            one = _Words(LegalMove(named, game.describe_move(state, named)))
            if len(kept) < MAX_WORDS:
                kept[move] = one
        if one.named:
            legal.append(LegalMove(one.move.move, with_names(one.move.text, names)))
        else:
            legal.append(one.move)
    return legal


def change_between(before: Position, after: Position, known: Legal, shared: Shared) -> bytes:
    """The `Change` message for a viewer who has the position `before`, encoded; `known` is the last list of moves they
    got that was not empty. The caller must make two readings of the same clock equal, since their time left differs.
    `shared` is for several viewers at once: see `encoded_patch`."""
    parts = [b'{"type":"change","n":%d,"base":%d' % (after.n, before.n)]
    if after.view is not before.view:
        patch = encoded_patch(before.view, after.view, shared)
        if patch:
            parts.append(b',"view":')
            parts.append(patch)
    if not _same_moves(before.legal, after.legal):
        _add(parts, b',"legal":', _moves_after(known, after.legal))
    if after.prompt is not before.prompt and after.prompt != before.prompt:
        parts.append(b',"prompt":')
        parts.append(encoded_once("prompt", after.prompt, shared))
    if after.waiting != before.waiting:
        parts.append(b',"waiting":')
        parts.append(encoded_once("waiting", after.waiting, shared))
    if after.undo != before.undo:
        parts.append(b',"undo":true' if after.undo else b',"undo":false')
    if after.result != before.result:
        _add(parts, b',"result":', after.result)
    if after.final != before.final:
        _add(parts, b',"final":', after.final)
    if after.clock != before.clock:
        _add(parts, b',"clock":', after.clock)
    if after.times != before.times:
        _add(parts, b',"times":', after.times)
    parts.append(b"}")
    return b"".join(parts)


def _add(parts: list[bytes], key: bytes, value: object) -> None:
    parts.append(key)
    parts.append(messages.encode(value))


def _same_moves(before: Legal, after: Legal) -> bool:
    if before is after:
        return True
    if len(before.moves) != len(after.moves):
        return False
    return before.choices == after.choices if before.same_words(after) else before.moves == after.moves


def _moves_after(known: Legal, after: Legal) -> list[int | LegalMove]:
    """A list of moves, with places in the known one for those that are in it."""
    told: list[int | LegalMove] = []
    if after.moves and known.same_words(after):
        numbered = {choice: place for place, choice in enumerate(known.choices)}
        for at, choice in enumerate(after.choices):
            place = numbered.get(choice)
            told.append(after.moves[at] if place is None else place)
    elif after.moves:
        worded = {one.text: place for place, one in enumerate(known.moves)}
        for one in after.moves:
            place = worded.get(one.text)
            told.append(one if place is None or known.moves[place] != one else place)
    return told


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
