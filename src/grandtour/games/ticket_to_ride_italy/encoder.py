# compiled
"""Encodes what a seat sees of Ticket to Ride: Italy, directly from the position. `features.py` defines the encoding."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from grandtour.engine.state import State as Position
from grandtour.games.ticket_to_ride_italy.features import features
from grandtour.games.ticket_to_ride_italy.knowledge import HAND
from grandtour.games.ticket_to_ride_italy.mechanics.board import BIT, FIRST, GROUP_ROUTES, ONE, bonus, met, size
from grandtour.games.ticket_to_ride_italy.parts import (
    FERRY_CARDS,
    FIRST_KEPT,
    GROUPS,
    KINDS,
    LATER_KEPT,
    N_ROUTES,
    N_TICKETS,
    ROUTES,
    ROW,
    TICKETS,
)
from grandtour.games.ticket_to_ride_italy.rules import State
from grandtour.games.ticket_to_ride_italy.state import STEP_CHOOSE
from grandtour.games.ticket_to_ride_italy.view import STEPS
from grandtour.rl.encoder import Encoder as Base


class Encoder(Base):
    def __init__(self, seats: int) -> None:
        super().__init__(features(seats))
        self.turn: i64 = self.place("turn")
        self.step = vec[i64]([self.place(f"step.{STEPS[step]}") for step in range(len(STEPS))])
        self.starter: i64 = self.place("starter")
        self.row: i64 = self.place("row.1")
        self.slot: i64 = self.place("row.2") - self.row
        self.swept: i64 = self.place("swept")
        self.deck: i64 = self.place("deck")
        self.discards: i64 = self.place("discards")
        self.ferries: i64 = self.place("ferries")
        self.ticket_deck: i64 = self.place("ticket_deck")
        self.owners: i64 = self.place(f"owners.{ROUTES[0].name}")
        self.closed: i64 = self.place("closed")
        self.last_round: i64 = self.place("last_round")
        you = "players.you"
        self.player: i64 = self.place("players.+1") - self.place(you)
        self.score: i64 = self.place(f"{you}.score")
        self.trains: i64 = self.place(f"{you}.trains")
        self.cards: i64 = self.place(f"{you}.cards")
        self.known: i64 = self.place(f"{you}.known")
        self.ferry_cards: i64 = self.place(f"{you}.ferries")
        self.ticket_count: i64 = self.place(f"{you}.tickets")
        self.drawn_count: i64 = self.place(f"{you}.drawn")
        self.chosen: i64 = self.place(f"{you}.chosen")
        self.barred: i64 = self.place(f"{you}.barred")
        self.bonus: i64 = self.place(f"{you}.bonus")
        self.hand: i64 = self.place("hand")
        one, two = TICKETS[0].name, TICKETS[1].name
        self.tickets: i64 = self.place(f"tickets.{one}.there")
        self.met: i64 = self.place(f"tickets.{one}.met") - self.tickets
        self.ticket: i64 = self.place(f"tickets.{two}") - self.tickets
        self.drawn: i64 = self.place(f"drawn.{one}.there")
        self.drawn_met: i64 = self.place(f"drawn.{one}.met") - self.drawn
        self.back: i64 = self.place(f"drawn.{one}.back") - self.drawn
        self.choice: i64 = self.place(f"drawn.{two}") - self.drawn
        self.least: i64 = self.place("least")
        self.returned: i64 = self.place(f"returned.{one}.there")
        self.in_deck: i64 = self.place(f"returned.{one}.deck") - self.returned
        self.in_hands: i64 = self.place(f"returned.{one}.seats") - self.returned
        self.gone: i64 = self.place(f"returned.{two}") - self.returned

    def encode(self, position: Position, me: i64, out: vec[u8], at: i64) -> None:
        assert isinstance(position, State)
        state = position
        seats = state.seats
        out[at + self.turn + (state.turn - me + seats) % seats] = 1
        out[at + self.step[state.step]] = 1
        out[at + self.starter + (state.starter - me + seats) % seats] = 1
        for place in range(i64(ROW)):
            card = state.row[place]
            if card >= 0:
                out[at + self.row + self.slot * place] = 1
                out[at + self.row + self.slot * place + 1 + card] = 1
        for card in state.swept:
            out[at + self.swept + card] += 1
        self.put(out, at, self.deck, state.decked)
        ferries: i64 = FERRY_CARDS
        for seat in range(seats):
            ferries -= state.ferries[seat]
        self.put(out, at, self.ferries, ferries)
        self.put(out, at, self.ticket_deck, state.left)
        if state.last >= 0:
            self.put(out, at, self.last_round, state.last)
        for card in range(i64(KINDS)):
            self.put(out, at, self.discards + card, state.discards[card])
            self.put(out, at, self.hand + card, state.hand[KINDS * me + card])
        self._routes(state, me, out, at)
        for seat in range(seats):
            self._player(state, me, seat, out, at)
        self._own_tickets(state, me, out, at)

    def _routes(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        """Write who owns each route, which routes nobody can claim any more, and which are closed to each player."""
        seats = state.seats
        owners = state.owner
        place = at + self.owners - me
        for route in range(i64(N_ROUTES)):
            owner = owners[route]
            if owner >= 0:
                if owner < me:
                    owner += seats
                out[place + owner] = 1
            place += seats
        still_open = state.open
        for group in range(i64(GROUPS)):
            takers: i64 = 0
            for seat in range(seats):
                takers |= still_open[GROUPS * seat + group]
            first = FIRST[group]
            closed = GROUP_ROUTES[group] & ~takers
            while closed:
                bit = closed & -closed
                route = first + BIT[bit % 67]
                if owners[route] < 0:
                    out[at + self.closed + route] = 1
                closed ^= bit
            for seat in range(seats):
                barred = takers & ~still_open[GROUPS * seat + group]
                place = at + self.barred + self.player * ((seat - me + seats) % seats) + first
                while barred:
                    bit = barred & -barred
                    out[place + BIT[bit % 67]] = 1
                    barred ^= bit

    def _player(self, state: State, me: i64, seat: i64, out: vec[u8], at: i64) -> None:
        shift = self.player * ((seat - me + state.seats) % state.seats)
        cards: i64 = 0
        for card in range(i64(KINDS)):
            cards += state.hand[KINDS * seat + card]
            self.put(out, at, shift + self.known + card, state.known[KINDS * seat + card])
        self.put(out, at, shift + self.score, state.score[seat])
        self.put(out, at, shift + self.trains, state.trains[seat])
        self.put(out, at, shift + self.cards, cards)
        self.put(out, at, shift + self.ferry_cards, state.ferries[seat])
        self.put(out, at, shift + self.ticket_count, size(state.held[seat]))
        if seat == state.turn:
            self.put(out, at, shift + self.drawn_count, size(state.drawn))
        if state.step != STEP_CHOOSE or state.chosen >> seat & 1:
            out[at + shift + self.chosen] = 1
        self.put(out, at, shift + self.bonus, bonus(state.reach, seat))

    def _own_tickets(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        seats = state.seats
        held = state.held[me]
        drawn: i64 = 0
        if state.step == STEP_CHOOSE:
            drawn = held
        elif state.turn == me:
            drawn = state.drawn
        if drawn:
            self.put(out, at, self.least, FIRST_KEPT if state.step == STEP_CHOOSE else LATER_KEPT)
        rest = drawn
        while rest:
            bit = rest & -rest
            rest ^= bit
            ticket = BIT[bit % 67]
            place = at + self.drawn + self.choice * ticket
            out[place] = 1
            out[place + self.drawn_met] = 1 if met(state.reach, me, ticket) else 0
            out[place + self.back] = u8(state.aside[me] >> ticket & 1)
        rest = held & ~drawn  # while the first ones are chosen, all are drawn
        while rest:
            bit = rest & -rest
            rest ^= bit
            ticket = BIT[bit % 67]
            place = at + self.tickets + self.ticket * ticket
            out[place] = 1
            out[place + self.met] = 1 if met(state.reach, me, ticket) else 0
        rest = state.returned[me] & ~held & ~drawn
        while rest:
            bit = rest & -rest
            rest ^= bit
            ticket = BIT[bit % 67]
            place = at + self.returned + self.gone * ticket
            maybe = state.maybe[N_TICKETS * me + ticket]
            out[place] = 1
            if maybe & (ONE[N_TICKETS] - 1):
                out[place + self.in_deck] = 1
            for seat in range(seats):
                out[place + self.in_hands + (seat - me + seats) % seats] = u8(maybe >> (HAND + seat) & 1)
