# compiled
"""What a move changes in the views of Round Trip Italy, written straight from the positions before and after it."""

from collections.abc import Sequence
from typing import Final

from librt.strings import BytesWriter
from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.edits import (
    begin_patch,
    edit_of,
    encode,
    encoded_number,
    encoded_text,
    end_patch,
    write_counted,
    write_json,
    write_number,
    write_values,
)
from grandtour.engine.state import unchanged
from grandtour.games.round_trip.knowledge import MIXED_SIZE
from grandtour.games.round_trip.parts import (
    KINDS,
    MAX_SEATS,
    N_LENGTHS,
    N_PILES,
    PILE_SIZE,
    PILES,
    SELECTION_CARDS,
    TICKETS,
    TRIPS,
)
from grandtour.games.round_trip.rules import State, shown
from grandtour.games.round_trip.state import STEP_GIVE, STEP_OVER
from grandtour.games.round_trip.view import STEPS, laid_trip, mixed, offer

TURN: Final = edit_of("turn")
STEP: Final = edit_of("step")
ROUND: Final = edit_of("round")
EXTRA: Final = edit_of("extra")
CITIES_SHOWN: Final = edit_of("selection", "cities")
CARDS_LEFT: Final = edit_of("selection", "left")
OFFER: Final = edit_of("offer")
RESULT: Final = edit_of("result")
HAND: Final = edit_of("hand")
MIXED: Final = edit_of("mixed")
BOTTOMS: Final = edit_of("bottoms")
PILE_COUNT: Final = [edit_of("piles", pile, "count") for pile in range(N_PILES)]
HAND_SIZE: Final = [edit_of("players", seat, "tickets") for seat in range(MAX_SEATS)]
BACKS: Final = [edit_of("players", seat, "backs", pile) for seat in range(MAX_SEATS) for pile in PILES]
LAID: Final = [edit_of("players", seat, "trips") for seat in range(MAX_SEATS)]
KNOWN: Final = [edit_of("players", seat, "known") for seat in range(MAX_SEATS)]

STEP_NAMES: Final = [encode(STEPS[step]) for step in sorted(STEPS)]
SELECTIONS_SHOWN: Final = [encode(shown(card)) for card in range(1 << N_PILES)]
NAMES: Final = [encode(ticket.name) for ticket in TICKETS]


def edits(state: State, before: State, seats: Sequence[int | None]) -> list[bytes]:
    """What changes in the views of these seats (see `Game.edits`)."""
    public = begin_patch()
    _write_table(public, state, before)
    _write_players(public, state, before)
    shared = public.getvalue()
    piles = _changed_piles(state, before)
    found: list[bytes] = []
    for seat in seats:
        out = BytesWriter()
        out.write(shared)
        if state.step == STEP_GIVE or before.step == STEP_GIVE:
            _write_offer(out, state, before, seat)
        if seat is not None:
            _write_own(out, state, before, seat, piles)
        found.append(end_patch(out))
    return found


def _write_table(out: BytesWriter, state: State, before: State) -> None:
    """Write what everybody sees of the turn, the selection and the piles."""
    if state.turn != before.turn:
        write_number(out, TURN, state.turn)
    if state.step != before.step:
        write_json(out, STEP, STEP_NAMES[state.step])
        if state.step == STEP_OVER or before.step == STEP_OVER:
            write_json(out, RESULT, encode(state.result()))
    if state.round != before.round:
        write_number(out, ROUND, state.round)
    if state.extra != before.extra:
        write_json(out, EXTRA, b"true" if state.extra else b"false")
    if state.card != before.card:
        write_json(out, CITIES_SHOWN, SELECTIONS_SHOWN[state.card])
    if state.turned != before.turned:
        write_number(out, CARDS_LEFT, SELECTION_CARDS - state.turned)
    now, old = state.count, before.count
    for pile in range(i64(N_PILES)):
        if now[pile] != old[pile]:
            write_number(out, PILE_COUNT[pile], now[pile])


def _write_players(out: BytesWriter, state: State, before: State) -> None:
    """Write what everybody sees of the players."""
    for seat in range(state.seats):
        if not unchanged(state.hand, before.hand, KINDS * seat, KINDS * (seat + 1)):
            more: i64 = 0
            for pile in range(i64(N_PILES)):
                backs = state.backs(seat, pile)
                were = before.backs(seat, pile)
                if backs != were:
                    more += backs - were
                    write_number(out, BACKS[N_PILES * seat + pile], backs)
            if more:
                write_number(out, HAND_SIZE[seat], state.tickets(seat))
        first = N_LENGTHS * seat
        if not unchanged(state.trips, before.trips, first, first + N_LENGTHS):
            _write_trips(out, LAID[seat], state.trips, before.trips, first)


def _write_trips(out: BytesWriter, edit: bytes, now: vec[i64], old: vec[i64], first: i64) -> None:
    """Write how the round trips of a player change."""
    low: i64 = 0
    at: i64 = 0
    while now[first + low] == old[first + low]:
        if now[first + low]:
            at += 1
        low += 1
    count: i64 = 0
    values: list[bytes] = []
    for length in range(low, i64(N_LENGTHS)):
        if old[first + length]:
            count += 1
        if now[first + length]:
            values.append(encode(laid_trip(TRIPS[now[first + length] - 1])))
    write_values(out, edit, at, count, values)


def _write_offer(out: BytesWriter, state: State, before: State, seat: int | None) -> None:
    """Write how the offer changes, as this seat sees it."""
    now, old = encode(offer(state, seat)), encode(offer(before, seat))
    if now != old:
        write_json(out, OFFER, now)


def _write_own(out: BytesWriter, state: State, before: State, seat: i64, piles: i64) -> None:
    """Write what changes of what only this seat sees. Tickets have moved in these piles, one bit each."""
    write_counted(out, HAND, NAMES, before.hand, state.hand, KINDS * seat)
    for holder in range(state.seats):
        if holder != seat:
            write_counted(out, KNOWN[holder], NAMES, before.known, state.known, KINDS * (state.seats * seat + holder))
    lots = MIXED_SIZE * N_PILES
    if not unchanged(state.mixed, before.mixed, lots * seat, lots * (seat + 1)):
        now, old = encode(mixed(state, seat)), encode(mixed(before, seat))
        if now != old:
            write_json(out, MIXED, now)
    _write_bottoms(out, state, before, seat, piles)


def _write_bottoms(out: BytesWriter, state: State, before: State, seat: i64, piles: i64) -> None:
    """Write how the tickets change that the seat knows in these piles."""
    for pile in range(i64(N_PILES)):
        if piles >> pile & 1:
            now, old = _bottoms_of(state, seat, pile), _bottoms_of(before, seat, pile)
            if now != old:
                at = 0
                for other in range(pile):
                    at += len(_bottoms_of(state, seat, other))
                values = [_bottom(pile, code) for code in now]
                write_values(out, BOTTOMS, at, len(old), values)


def _changed_piles(state: State, before: State) -> i64:
    """The piles in which tickets that somebody knows may have moved: one bit each."""
    changed: i64 = 0
    seen, were = state.seen, before.seen
    for pile in range(i64(N_PILES)):
        same = state.count[pile] == before.count[pile] and state.top[pile] == before.top[pile]
        place = PILE_SIZE * pile
        end = place + PILE_SIZE
        while same and place < end:
            known = seen[place]
            same = known == were[place] and (not known or state.pile[place] == before.pile[place])
            place += 1
        if not same:
            changed |= i64(1) << pile
    return changed


def _bottoms_of(state: State, seat: i64, pile: i64) -> list[int]:
    """The tickets that the seat knows in a pile: of each, how many lie above it, and its kind."""
    found: list[int] = []
    seen = state.seen
    first = PILE_SIZE * pile
    top = state.top[pile]
    for above in range(state.count[pile]):
        place = first + (top + above) % PILE_SIZE
        if seen[place] >> seat & 1:
            found.append(KINDS * above + state.pile[place])
    return found


def _bottom(pile: i64, code: i64) -> bytes:
    out = BytesWriter()
    out.write(b'{"pile":')
    out.write(encoded_text(PILES[pile]))
    out.write(b',"ticket":')
    out.write(NAMES[code % KINDS])
    out.write(b',"above":')
    out.write(encoded_number(code // KINDS))
    out.write(b"}")
    return out.getvalue()
