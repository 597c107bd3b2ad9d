# compiled
"""Encodes what a seat sees of Round Trip Italy, directly from the position. `features.py` defines the encoding."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from grandtour.engine.state import State as Position
from grandtour.games.round_trip.features import features
from grandtour.games.round_trip.parts import (
    GRAND_TOUR,
    KINDS,
    N_LENGTHS,
    N_PILES,
    PILE_SIZE,
    PILES,
    SELECTION_CARDS,
    TICKETS,
    TRIPS,
)
from grandtour.games.round_trip.referee import back, circle
from grandtour.games.round_trip.rules import State
from grandtour.games.round_trip.state import STEP_GIVE
from grandtour.games.round_trip.view import STEPS
from grandtour.rl.encoder import Encoder as Base


class Encoder(Base):
    def __init__(self, seats: int) -> None:
        super().__init__(features(seats))
        first, last = PILES[0], TICKETS[0].name
        self.turn: i64 = self.place("turn")
        self.step = vec[i64]([self.place(f"step.{STEPS[step]}") for step in range(len(STEPS))])
        self.round: i64 = self.place("round")
        self.turn_limit: i64 = self.place("turn_limit")
        self.extra: i64 = self.place("extra")
        self.starter: i64 = self.place("starter")
        self.card: i64 = self.place("selection.cities")
        self.left: i64 = self.place("selection.left")
        self.count: i64 = self.place("piles")
        self.backs: i64 = self.place(f"players.you.backs.{first}")
        self.trips: i64 = self.place("players.you.trips.2")
        self.trip: i64 = self.place("players.you.trips.3") - self.trips
        self.known: i64 = self.place("players.you.known")
        self.player: i64 = self.place("players.+1") - self.place("players.you")
        self.partner: i64 = self.place("offer.to")
        names = [ticket.name for ticket in TICKETS]
        self.back = vec[i64]([self.place(f"offer.back.{back(name)}") for name in names])
        self.to_left = vec[i64]([self.place(f"offer.wanted.{circle(name, 'left')}") for name in names])
        self.to_right = vec[i64]([self.place(f"offer.wanted.{circle(name, 'right')}") for name in names])
        self.ticket: i64 = self.place(f"offer.ticket.{last}")
        self.hand: i64 = self.place("hand")
        self.bottoms: i64 = self.place("bottoms")
        self.tickets = vec[i64]([kind for trip in TRIPS for kind in (*trip.ring, *[-1] * GRAND_TOUR)[:GRAND_TOUR]])

    def encode(self, position: Position, me: i64, out: vec[u8], at: i64) -> None:
        assert isinstance(position, State)
        state = position
        seats = state.seats
        out[at + self.turn + (state.turn - me + seats) % seats] = 1
        out[at + self.step[state.step]] = 1
        self.put(out, at, self.round, state.round)
        self.put(out, at, self.turn_limit, state.turn_limit)
        out[at + self.extra] = 1 if state.extra else 0
        out[at + self.starter + (state.starter - me + seats) % seats] = 1
        self.put(out, at, self.left, SELECTION_CARDS - state.turned)
        for pile in range(i64(N_PILES)):
            out[at + self.card + pile] = u8(state.card >> pile & 1)
            self.put(out, at, self.count + pile, state.count[pile])
            top = state.top[pile]
            for above in range(state.count[pile]):
                place = PILE_SIZE * pile + (top + above) % PILE_SIZE
                if state.seen[place] >> me & 1:
                    out[at + self.bottoms + PILE_SIZE * pile + above] = u8(state.pile[place] + 1)
        for seat in range(seats):
            self._player(state, me, seat, out, at)
        for kind in range(i64(KINDS)):
            self.put(out, at, self.hand + kind, state.hand[KINDS * me + kind])
        if state.step == STEP_GIVE:
            offer = state.offer
            out[at + self.partner + (state.partner - me + seats) % seats] = 1
            out[at + self.back[offer]] = 1
            right = state.neighbour(state.turn, 1) == state.partner
            out[at + (self.to_right[offer] if right else self.to_left[offer])] = 1
            if me == state.turn:
                out[at + self.ticket + offer] = 1

    def _player(self, state: State, me: i64, seat: i64, out: vec[u8], at: i64) -> None:
        shift = self.player * ((seat - me + state.seats) % state.seats)
        for pile in range(i64(N_PILES)):
            self.put(out, at, shift + self.backs + pile, state.backs(seat, pile))
        for n in range(i64(N_LENGTHS)):
            trip = state.trips[N_LENGTHS * seat + n]
            if trip:
                place = at + shift + self.trips + self.trip * n
                out[place] = 1
                for i in range(GRAND_TOUR * (trip - 1), GRAND_TOUR * trip):
                    kind = self.tickets[i]
                    if kind < 0:
                        break
                    out[place + 1 + kind] += 1
        if seat != me:
            known = KINDS * (state.seats * me + seat)
            for kind in range(i64(KINDS)):
                if state.known[known + kind]:
                    self.put(out, at, shift + self.known + kind, state.known[known + kind])
