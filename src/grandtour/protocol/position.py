# compiled
"""Renders positions and events for one viewer: the view, the legal moves and the prompt, in the game's own words."""

from collections.abc import Hashable, Mapping
from typing import Any
from typing import Final as FinalType

from librt.strings import BytesWriter

from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.engine.words import PLACEHOLDER_START, with_names
from grandtour.protocol import messages
from grandtour.protocol.messages import UNSET, Change, Final, LegalMove, Now, Prompt, Times, View
from grandtour.protocol.patch import CLOSING_BRACKET, Shared, apply_patch, encoded_number, write_patch

MAX_WORDS: FinalType = 8192
"""The maximum number of cached moves for each game and `words_key`, and of cached prompts for all games."""
_words: FinalType[dict[tuple[str, Hashable], dict[int, "WordedMove"]]] = {}
"""Cached moves in words, with placeholders for the names of players."""
_templates: FinalType[dict[str, "_EncodedTemplate"]] = {}
"""Cached prompts by their text, encoded except for the names of players."""
_PLACEHOLDER: FinalType = PLACEHOLDER_START.encode()


class WordedMove:
    """A move in words with placeholders for names, and the same encoded."""

    def __init__(self, move: LegalMove) -> None:
        self.move: FinalType = move
        self.encoded: FinalType = messages.encode(move)
        self.named: FinalType = PLACEHOLDER_START in move.text
        """Whether there are placeholders."""

    def with_names(self, names: list[str]) -> LegalMove:
        return LegalMove(self.move.move, with_names(self.move.text, names)) if self.named else self.move


class LegalMoves:
    """The moves that a seat may make, as numbers and in words. `words` is what the words depend on besides the names:
    the game's `words_key`, or the whole position."""

    def __init__(self, choices: list[int], worded: list[WordedMove], words: Hashable, names: list[str]) -> None:
        self.choices: FinalType = choices
        self.words: FinalType = words
        self.names: FinalType = names
        self.worded: FinalType = worded

    @property
    def moves(self) -> list[LegalMove]:
        return [one.with_names(self.names) for one in self.worded]

    def encoded(self, at: int) -> bytes:
        """The move at this index, encoded."""
        one = self.worded[at]
        return messages.encode(one.with_names(self.names)) if one.named else one.encoded

    def same_words(self, other: "LegalMoves") -> bool:
        """Whether equal numbers have equal words in both."""
        return self.names is other.names and self.words == other.words

    def same(self, other: "LegalMoves") -> bool:
        """Whether both have the same moves in the same words."""
        if self is other:
            return True
        if len(self.choices) != len(other.choices):
            return False
        if self.same_words(other):
            return self.choices == other.choices
        return all(self.encoded(at) == other.encoded(at) for at in range(len(self.choices)))


NO_MOVES: FinalType = LegalMoves([], [], None, [])


class _EncodedTemplate:
    """A prompt, encoded in pieces. Between two pieces stands the name of a player."""

    def __init__(self, prompt: Mapping[str, Any]) -> None:
        self.prompt: FinalType = prompt
        pieces = messages.encode(prompt["text"]).split(_PLACEHOLDER)
        self.seats: FinalType[list[int]] = []
        self.pieces: FinalType = [pieces[0]]
        for piece in pieces[1:]:
            number, brace, rest = piece.partition(b"}")
            if brace and number.isdigit():
                self.seats.append(int(number))
                self.pieces.append(rest)
            else:
                self.pieces[-1] += _PLACEHOLDER + piece
        self.rules: FinalType = messages.encode(list(prompt["rules"]))

    def encoded(self, names: list[str]) -> bytes:
        out = BytesWriter()
        out.write(b'{"text":')
        out.write(self.pieces[0])
        for at, seat in enumerate(self.seats):
            out.write(messages.encode(names[seat])[1:-1])
            out.write(self.pieces[at + 1])
        out.write(b',"rules":')
        out.write(self.rules)
        out.write(b"}")
        return out.getvalue()


class ViewerPrompt:
    """The prompt for one viewer: a template with placeholders and the names to fill in, or a text without
    placeholders."""

    def __init__(self, prompt: Mapping[str, Any], names: list[str] | None) -> None:
        self._prompt: FinalType = prompt
        self.names: FinalType = names
        self._encoded = b""

    def is_from(self, prompt: Mapping[str, Any], names: list[str]) -> bool:
        """Whether it was made from this template and these names."""
        return self.names is names and (self._prompt is prompt or self._prompt == prompt)

    def same(self, other: "ViewerPrompt") -> bool:
        """Whether both read the same."""
        return self is other or self.encoded() == other.encoded()

    def message(self) -> Prompt:
        if self.names is None:
            return Prompt(self._prompt["text"], list(self._prompt["rules"]))
        return with_player_names(self._prompt, self.names)

    def encoded(self) -> bytes:
        if not self._encoded:
            names, text = self.names, self._prompt["text"]
            if names is None:
                self._encoded = messages.encode(self.message())
            else:
                # The same prompts are needed again and again.
                template = _templates.get(text)
                if template is None or (template.prompt is not self._prompt and template.prompt != self._prompt):
                    template = _EncodedTemplate(self._prompt)
                    if len(_templates) < MAX_WORDS:
                        _templates[text] = template
                self._encoded = template.encoded(names)
        return self._encoded


class Position:
    """A position as one viewer sees it: the contents of a `now` message. The view is None before the match, and if the
    game wrote the edits, so that no view was needed."""

    def __init__(
        self,
        n: int,
        view: View | None,
        legal: LegalMoves,
        prompt: ViewerPrompt,
        waiting: list[int],
        undo: bool,
        result: list[float] | None,
        final: list[Final] | None,
        clock: messages.Json | None,
        times: Times | None,
    ) -> None:
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

    def message(self) -> Now:
        return Now(
            self.n,
            self.view,
            self.legal.moves,
            self.prompt.message(),
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
    """Events in words. Events without words are left out."""
    describe = game.describe
    found: list[str] = []
    for event in shown:
        text = describe(event, names, seat)
        if text:
            found.append(text)
    return found


def prompt_for(game: Game, state: State, names: list[str], seat: int | None, view: View | None = None) -> Prompt:
    """The prompt for a seat. If the seat's view is given, it is not computed again."""
    return with_player_names(prompt_template(game, state, seat, view), names)


def prompt_template(game: Game, state: State, seat: int | None, view: View | None) -> Mapping[str, Any]:
    """The prompt for a seat, with placeholders for names."""
    if view is not None and game.prompt_for_view is not None:
        return game.prompt_for_view(view, seat)
    return game.prompt(state, seat)


def with_player_names(prompt: Mapping[str, Any], names: list[str]) -> Prompt:
    return Prompt(with_names(prompt["text"], names), list(prompt["rules"]))


def legal_moves(game: Game, state: State, names: list[str], seat: int) -> list[LegalMove]:
    """Every move this seat may make now, by name and in words."""
    return in_words(game, state, names, state.legal(seat))


def in_words(game: Game, state: State, names: list[str], moves: list[int]) -> list[LegalMove]:
    """Moves by name and in words."""
    return [one.with_names(names) for one in worded(game, state, moves, words_key(game, state))]


def words_key(game: Game, state: State) -> Hashable:
    """What the words of moves depend on besides the players' names. While it is equal, the words are the same."""
    return state if game.words_key is None else game.words_key(state)


def worded(game: Game, state: State, moves: list[int], words: Hashable) -> list[WordedMove]:
    """Moves in words, with placeholders for names. `words` is the `words_key` of the position."""
    if not moves:
        return []
    kept = None if words is state else _words.get((game.name, words))
    if kept is None:
        kept = {}
        if words is not state:
            _words[game.name, words] = kept
    found: list[WordedMove] = []
    for move in moves:
        one = kept.get(move)
        if one is None:
            named = game.moves.name(move)
            one = WordedMove(LegalMove(named, game.describe_move(state, named)))
            if len(kept) < MAX_WORDS:
                kept[move] = one
        found.append(one)
    return found


def change_between(
    before: Position, after: Position, known: LegalMoves, shared: Shared, edits: bytes | None = None
) -> bytes:
    """The encoded `Change` message for a viewer who has the position `before`. `known` is the last non-empty list of
    moves that they got. The time left on a clock differs between any two readings, so if the clock has not changed, the
    caller must pass equal ones. `edits` is the patch if the game wrote it; otherwise the views are compared, and
    `shared` is explained at `write_patch`."""
    out = BytesWriter()
    out.write(b'{"type":"change","n":')
    out.write(encoded_number(after.n))
    out.write(b',"base":')
    out.write(encoded_number(before.n))
    if edits is not None:
        if edits:
            out.write(b',"view":')
            out.write(edits)
    elif after.view is not before.view:
        begin = len(out)
        out.write(b',"view":')
        if not write_patch(out, before.view, after.view, shared):
            out.truncate(begin)
    if not after.legal.same(before.legal):
        out.write(b',"legal":')
        _write_moves(out, known, after.legal)
    if not after.prompt.same(before.prompt):
        out.write(b',"prompt":')
        out.write(after.prompt.encoded())
    if after.waiting != before.waiting:
        _write(out, b',"waiting":', after.waiting)
    if after.undo != before.undo:
        out.write(b',"undo":true' if after.undo else b',"undo":false')
    if after.result != before.result:
        _write(out, b',"result":', after.result)
    if after.final != before.final:
        _write(out, b',"final":', after.final)
    if after.clock != before.clock:
        _write(out, b',"clock":', after.clock)
    if after.times != before.times:
        _write(out, b',"times":', after.times)
    out.write(b"}")
    return out.getvalue()


def _write(out: BytesWriter, key: bytes, value: object) -> None:
    out.write(key)
    out.write(messages.encode(value))


def _write_moves(out: BytesWriter, known: LegalMoves, after: LegalMoves) -> None:
    """Write a list of moves. Moves that are in the known list are written as their index in it."""
    if not after.choices:
        out.write(b"[]")
        return
    out.write(b"[")
    if known.same_words(after):
        # Both are sorted.
        choices, place = known.choices, 0
        for at, choice in enumerate(after.choices):
            while place < len(choices) and choices[place] < choice:
                place += 1
            if place < len(choices) and choices[place] == choice:
                out.write(encoded_number(place))
            else:
                out.write(after.encoded(at))
            out.write(b",")
    else:
        places = {known.encoded(place): place for place in range(len(known.choices))}
        for at in range(len(after.choices)):
            encoded = after.encoded(at)
            found = places.get(encoded)
            out.write(encoded if found is None else encoded_number(found))
            out.write(b",")
    # This overwrites the last comma.
    out[len(out) - 1] = CLOSING_BRACKET


def apply_change(before: Now, change: Change, known: list[LegalMove]) -> Now:
    """The position after a change, computed as clients do."""
    assert change.base == before.n, "this change belongs to another position"
    after = {
        name: value
        for name in ("prompt", "waiting", "undo", "result", "final", "clock", "times")
        if (value := getattr(change, name)) is not UNSET
    }
    if change.view is not UNSET:
        after["view"] = apply_patch(before.view, change.view)
    if change.legal is not UNSET:
        after["legal"] = [known[one] if isinstance(one, int) else one for one in change.legal]
    now: Now = messages.replace(before, n=change.n, **after)
    return now


def final_of(game: Game, state: State) -> list[Final]:
    """Each seat's final score, with the lines that explain it."""
    final: list[Final] = messages.convert(game.final(state), list[Final])
    return final
