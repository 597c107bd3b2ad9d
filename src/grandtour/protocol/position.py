# compiled
"""A position, and what happened before it, in the words of the game."""

from collections.abc import Hashable, Mapping
from typing import Any
from typing import Final as FinalType

from librt.strings import BytesWriter

from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.engine.words import PLACEHOLDER_START, with_names
from grandtour.protocol import messages
from grandtour.protocol.changes import BRACKET, Shared, encoded_number, patched, write_patch
from grandtour.protocol.messages import UNSET, Change, Final, LegalMove, Now, Prompt, Times, View

MAX_WORDS: FinalType = 8192
"""How many moves of one game, and how many prompts of all, have their words cached."""
_words: FinalType[dict[tuple[str, Hashable], dict[int, "Words"]]] = {}
"""Moves in words, with placeholders for the names of players."""
_templates: FinalType[dict[str, "_Template"]] = {}
"""Prompts by their text, encoded except for the names of players."""
_PLACEHOLDER: FinalType = PLACEHOLDER_START.encode()


class Words:
    """A move in words, with placeholders for names, and encoded."""

    def __init__(self, move: LegalMove) -> None:
        self.move: FinalType = move
        self.encoded: FinalType = messages.encode(move)
        self.named: FinalType = PLACEHOLDER_START in move.text
        """Whether there are placeholders."""

    def with_names(self, names: list[str]) -> LegalMove:
        return LegalMove(self.move.move, with_names(self.move.text, names)) if self.named else self.move


class Legal:
    """The moves that a seat may make, by number and in words. `words` is what the words depend on besides the names: as
    `Game.words_key` gives it, or the whole position."""

    def __init__(self, choices: list[int], worded: list[Words], words: Hashable, names: list[str]) -> None:
        self.choices: FinalType = choices
        self.words: FinalType = words
        self.names: FinalType = names
        self.worded: FinalType = worded

    @property
    def moves(self) -> list[LegalMove]:
        return [one.with_names(self.names) for one in self.worded]

    def encoded(self, at: int) -> bytes:
        """The move at this place in the list."""
        one = self.worded[at]
        return messages.encode(one.with_names(self.names)) if one.named else one.encoded

    def same_words(self, other: "Legal") -> bool:
        """Whether the same number is the same move in the same words in both."""
        return self.names is other.names and self.words == other.words

    def same(self, other: "Legal") -> bool:
        """Whether these are the same moves in the same words."""
        if self is other:
            return True
        if len(self.choices) != len(other.choices):
            return False
        if self.same_words(other):
            return self.choices == other.choices
        return all(self.encoded(at) == other.encoded(at) for at in range(len(self.choices)))


NO_MOVES: FinalType = Legal([], [], None, [])


class _Template:
    """A prompt, encoded in pieces: after each but the last comes the name of a player."""

    def __init__(self, asked: Mapping[str, Any]) -> None:
        self.asked: FinalType = asked
        pieces = messages.encode(asked["text"]).split(_PLACEHOLDER)
        self.seats: FinalType[list[int]] = []
        self.pieces: FinalType = [pieces[0]]
        for piece in pieces[1:]:
            number, brace, rest = piece.partition(b"}")
            if brace and number.isdigit():
                self.seats.append(int(number))
                self.pieces.append(rest)
            else:
                self.pieces[-1] += _PLACEHOLDER + piece
        self.rules: FinalType = messages.encode(list(asked["rules"]))

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


class Asked:
    """What is asked of a viewer: a prompt with placeholders for these names, or one without placeholders."""

    def __init__(self, asked: Mapping[str, Any], names: list[str] | None) -> None:
        self._asked: FinalType = asked
        self.names: FinalType = names
        self._encoded = b""

    def is_asking(self, asked: Mapping[str, Any], names: list[str]) -> bool:
        """Whether it is a prompt with these placeholders and names."""
        return self.names is names and (self._asked is asked or self._asked == asked)

    def same(self, other: "Asked") -> bool:
        """Whether it reads the same."""
        return self is other or self.encoded() == other.encoded()

    def prompt(self) -> Prompt:
        if self.names is None:
            return Prompt(self._asked["text"], list(self._asked["rules"]))
        return with_players(self._asked, self.names)

    def encoded(self) -> bytes:
        if not self._encoded:
            names, text = self.names, self._asked["text"]
            if names is None:
                self._encoded = messages.encode(self.prompt())
            else:
                # Most prompts come again and again.
                template = _templates.get(text)
                if template is None or (template.asked is not self._asked and template.asked != self._asked):
                    template = _Template(self._asked)
                    if len(_templates) < MAX_WORDS:
                        _templates[text] = template
                self._encoded = template.encoded(names)
        return self._encoded


class Position:
    """A position as one viewer sees it: what a `now` message says."""

    def __init__(
        self,
        n: int,
        view: View | None,
        legal: Legal,
        asked: Asked,
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
        self.asked: FinalType = asked
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
            self.asked.prompt(),
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
    return [one.with_names(names) for one in worded(game, state, moves)]


def worded(game: Game, state: State, moves: list[int]) -> list[Words]:
    """Moves in words, with placeholders for names."""
    if not moves:
        return []
    kept: dict[int, Words] = {}
    if game.words_key is not None:
        kept = _words.setdefault((game.name, game.words_key(state)), kept)
    found: list[Words] = []
    for move in moves:
        one = kept.get(move)
        if one is None:
            named = game.moves.name(move)
            one = Words(LegalMove(named, game.describe_move(state, named)))
            if len(kept) < MAX_WORDS:
                kept[move] = one
        found.append(one)
    return found


def change_between(before: Position, after: Position, known: Legal, shared: Shared) -> bytes:
    """The `Change` message for a viewer who has the position `before`, encoded; `known` is the last list of moves they
    got that was not empty. The caller must make two readings of the same clock equal, since their time left differs.
    `shared` is for several viewers at once: see `write_patch`."""
    out = BytesWriter()
    out.write(b'{"type":"change","n":')
    out.write(encoded_number(after.n))
    out.write(b',"base":')
    out.write(encoded_number(before.n))
    if after.view is not before.view:
        begin = len(out)
        out.write(b',"view":')
        if not write_patch(out, before.view, after.view, shared):
            out.truncate(begin)
    if not after.legal.same(before.legal):
        out.write(b',"legal":')
        _write_moves(out, known, after.legal)
    if not after.asked.same(before.asked):
        out.write(b',"prompt":')
        out.write(after.asked.encoded())
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


def _write_moves(out: BytesWriter, known: Legal, after: Legal) -> None:
    """Write a list of moves, with places in the known one for those that are in it."""
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
    # In place of the last comma.
    out[len(out) - 1] = BRACKET


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
