"""Patches between positions: applied to the old view, they give the new one, for every viewer and game."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandtour.engine.catalogue import games
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.state import CLOCK, State
from grandtour.protocol.messages import Change, View
from grandtour.protocol.patch import Patch, Shared, apply_patch, encoded_patch
from grandtour.protocol.position import (
    LegalMoves,
    Position,
    ViewerPrompt,
    apply_change,
    change_between,
    prompt_for,
    prompt_template,
    worded,
    words_key,
)

MOVES = 150
MAX_BYTES = 1024
"""The maximum average size of a change, in any game."""


def values(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4)


# No 0 or 1, which equal False and True in Python: a place in a view has either numbers or booleans.
LEAVES = st.none() | st.booleans() | st.integers(2, 5) | st.sampled_from(("x", "y"))
VIEWS = st.dictionaries(st.sampled_from("abcd"), st.recursive(LEAVES, values, max_leaves=12), max_size=4)


def patch_between(before: object, after: object) -> Patch:
    patch = encoded_patch(before, after, [])
    return msgspec.json.decode(patch, type=Patch) if patch else []


@given(VIEWS, VIEWS)
def test_a_patch_turns_any_view_into_any_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    kept = msgspec.json.encode(before)
    assert apply_patch(before, patch_between(before, after)) == after
    assert msgspec.json.encode(before) == kept, "the old view was modified"
    assert not patch_between(after, after)


@given(VIEWS, VIEWS, VIEWS, VIEWS)
def test_an_encoded_patch_leads_every_viewer_to_its_view(
    before: dict[str, Any], after: dict[str, Any], own: dict[str, Any], own_after: dict[str, Any]
) -> None:
    shared: Shared = []
    views = [(before, after), (before | own, after | own_after), (own, own_after), (before | own, after)]
    for old, new in views:
        patch = encoded_patch(old, new, shared)
        assert apply_patch(old, msgspec.json.decode(patch) if patch else []) == new
        assert encoded_patch(new, new, shared) == b""


def test_values_that_viewers_share_are_compared_once() -> None:
    before, after = {"piles": [1, 2], "turn": 0}, {"piles": [1, 3], "turn": 1}
    shared: Shared = []
    assert encoded_patch(before, after, shared) == b'[[["piles",1],3],[["turn"],1]]'
    [piles] = shared
    assert encoded_patch({**before, "hand": []}, {**after, "hand": []}, shared)
    assert shared[0] is piles
    assert not any(one.key == "piles" for one in shared[1:])


def test_an_encoded_patch_can_go_from_no_view_and_to_no_view() -> None:
    assert encoded_patch(None, {"turn": 0}, []) == b'[[[],{"turn":0}]]'
    assert encoded_patch({"turn": 0}, None, []) == b"[[[],null]]"
    assert encoded_patch(None, None, []) == b""


def test_a_patch_contains_only_what_has_changed() -> None:
    players = [{"seat": 0, "cards": 3}, {"seat": 1, "cards": 3}]
    before = {"turn": 0, "players": players, "hand": ["a", "b", "c"], "offer": 2}
    after = {"turn": 1, "players": [{"seat": 0, "cards": 2}, players[1]], "hand": ["a", "c"]}
    edits = [[["turn"], 1], [["players", 0, "cards"], 2], [["hand"], 1, 1, []], [["offer"]]]
    assert patch_between(before, after) == edits


def test_a_patch_can_go_from_no_view_and_to_no_view() -> None:
    assert apply_patch(None, patch_between(None, {"turn": 0})) == {"turn": 0}
    assert apply_patch({"turn": 0}, patch_between({"turn": 0}, None)) is None


@pytest.mark.parametrize(
    "text",
    [
        "Wait.",
        "{seat:1} and {seat:0} wait for {seat:1}.",
        "{seat:2",
        "{seat:x} {seat:-1} {seat:}",
        'Say "{seat:0}".',
        "–",
    ],
)
def test_a_prompt_is_encoded_as_it_reads(text: str) -> None:
    prompt = ViewerPrompt({"text": text, "rules": ["X-1"]}, ['Ada "the\n\\ Duchess"', "Żoë {seat:0}"])
    assert prompt.encoded() == msgspec.json.encode(prompt.message())
    again = ViewerPrompt({"text": text, "rules": ["X-2"]}, ["Bob", "Eve"])
    assert again.encoded() == msgspec.json.encode(again.message()), "the encoded prompt of another paragraph is used"
    assert not prompt.same(again)
    assert again.same(ViewerPrompt({"text": text, "rules": ["X-2"]}, ["Bob", "Eve"]))


def positions(
    match: Match, names: list[str], before: State | None = None, known: Sequence[View] = ()
) -> dict[int | None, Position]:
    """The position as a spectator and every seat see it, built from the views `known` of the position `before`."""
    game, state = match.game, match.state
    viewers: list[int | None] = [None, *range(match.seats)]
    told = {}
    words = words_key(game, state)
    for seat, view in zip(viewers, game.view_each(state, viewers, before, known), strict=True):
        assert view == game.view(state, seat), "a view built together with others differs from one built alone"
        prompt = ViewerPrompt(prompt_template(game, state, seat, view), names)
        assert prompt.message() == prompt_for(game, state, names, seat), "the prompt read from the view is different"
        assert prompt.encoded() == msgspec.json.encode(prompt.message()), "the encoded prompt is different"
        choices = match.choices(seat) if seat is not None else []
        legal = LegalMoves(choices, worded(game, state, choices, words), words, names)
        for one in legal.moves:
            assert "{seat:" in game.describe_move(state, one.move) or one.text == game.describe_move(state, one.move)
        undo = seat is not None and match.can_undo(seat)
        told[seat] = Position(
            match.moment, view, legal, prompt, match.waiting(), undo, match.result(), None, None, None
        )
    return told


def check_edits(game: Game, state: State, before: State, viewers: list[int | None]) -> dict[int | None, bytes]:
    """The edits that a game writes itself. Each must change the view: one that does not would show that something
    hidden has changed."""
    assert game.edits is not None
    assert not any(game.edits(state, state, viewers)), "there are edits although nothing has changed"
    written = dict(zip(viewers, game.edits(state, before, viewers), strict=True))
    for seat, patch in written.items():
        view: Any = game.view(before, seat)
        for edit in msgspec.json.decode(patch, type=Patch) if patch else []:
            later = apply_patch(view, [edit])
            assert later != view, f"seat {seat} is sent an edit that changes nothing: {edit}"
            view = later
        assert view == game.view(state, seat), f"the edits lead seat {seat} to another view"
        assert game.edits(state, before, [seat]) == [patch], "the edits depend on who else gets some"
    return written


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", [game for game in games().values() if game.edits], ids=lambda game: game.name)
def test_edits_lead_from_any_position_of_a_match_to_any_other(game: Game, seats: int) -> None:
    chance = random.Random(seats)
    viewers: list[int | None] = [None, *range(seats)]
    for seed in range(3):
        match = Match(game, seats, None, seed)
        states = [match.state]
        while not match.over and len(states) < 2 * MOVES:
            mover = chance.choice(match.waiting())
            match.play(mover, chance.choice(match.legal(mover)))
            check_edits(game, match.state, states[-1], viewers)
            check_edits(game, states[-1], match.state, viewers)
            states.append(match.state)
        for _ in range(50):
            check_edits(game, chance.choice(states), chance.choice(states), viewers)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("game", list(games().values()), ids=lambda game: game.name)
def test_changes_lead_to_the_position_for_every_viewer(game: Game, seed: int) -> None:
    chance = random.Random(seed)
    seats = min(4, game.players[1])
    names = [f"Player {seat}" for seat in range(seats)]
    match = Match(game, seats, None, seed)
    shown = positions(match, names)
    known: dict[int | None, LegalMoves] = {seat: position.legal for seat, position in shown.items()}
    sent = count = 0
    for _ in range(MOVES):
        if match.over:
            break
        movers = [seat for seat in range(seats) if match.legal(seat)]
        # The clock rarely moves before the players do.
        mover = chance.choice(movers) if movers and (chance.random() > 0.05 or not match.legal(CLOCK)) else CLOCK
        before = match.state
        if mover != CLOCK and match.can_undo(mover) and chance.random() < 0.1:
            match.undo(mover)
        else:
            match.play(mover, chance.choice(match.legal(mover)))
        views = [position.view for position in shown.values() if position.view is not None]
        kept = msgspec.json.encode(views)
        later = positions(match, names, before, views)
        assert msgspec.json.encode(views) == kept, "views that were already sent have been modified"
        shared: Shared = []
        edits = check_edits(game, match.state, before, list(later)) if game.edits is not None else {}
        for seat, position in later.items():
            encoded = change_between(shown[seat], position, known[seat], shared, edits.get(seat))
            alone = change_between(shown[seat], position, known[seat], [], edits.get(seat))
            assert encoded == alone, "the change depends on what was compared before"
            # Moves are matched by number, or by their words if the names have changed.
            renamed = LegalMoves(known[seat].choices, known[seat].worded, known[seat].words, names.copy())
            by_words = msgspec.json.decode(change_between(shown[seat], position, renamed, []), type=Change)
            sent += len(encoded)
            count += 1
            change = msgspec.json.decode(encoded, type=Change)
            assert msgspec.json.decode(msgspec.json.encode(change)) == msgspec.json.decode(encoded)
            now = msgspec.to_builtins(position.message())
            for told in (change, by_words):
                reached = apply_change(shown[seat].message(), told, known[seat].moves)
                assert msgspec.to_builtins(reached) == now, f"seat {seat} has another position"
            shown[seat] = position
            known[seat] = position.legal if position.legal.moves else known[seat]
    assert sent / count <= MAX_BYTES, f"a change takes {sent / count:.0f} bytes on average"
