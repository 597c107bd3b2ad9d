# compiled
"""Encodes what a seat sees of Itchy Feet, directly from the position. `features.py` defines the encoding."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from grandtour.engine.state import State as Position
from grandtour.games.itchy_feet.features import features
from grandtour.games.itchy_feet.mechanics import hidden
from grandtour.games.itchy_feet.mechanics.actions import FOR_COUNTRY, FOR_STEAL
from grandtour.games.itchy_feet.mechanics.packs import FIRST_SPECIAL, FORBIDDEN, ONE, POSTCARD, count
from grandtour.games.itchy_feet.parts import IN_HAND, KINDS
from grandtour.games.itchy_feet.rules import State
from grandtour.games.itchy_feet.state import ANSWER, LOOK, PAY, REACT, RETURN, TAKE, TRAY, VIEWER_BITS
from grandtour.games.itchy_feet.view import STEPS
from grandtour.rl.encoder import Encoder as Base


class Encoder(Base):
    def __init__(self, seats: int) -> None:
        super().__init__(features(seats))
        self.classic: i64 = self.place("variant.classic")
        self.bucket: i64 = self.place("variant.bucket-list")
        self.with_events: i64 = self.place("extensions.events")
        self.with_specials: i64 = self.place("extensions.special_items")
        self.with_forbidden: i64 = self.place("extensions.forbidden_items")
        self.with_postcards: i64 = self.place("extensions.postcards")
        self.with_characters: i64 = self.place("extensions.characters")
        self.turn: i64 = self.place("turn")
        self.step = vec[i64]([self.place(f"step.{STEPS[step]}") for step in range(len(STEPS))])
        self.round: i64 = self.place("round")
        self.turn_limit: i64 = self.place("turn_limit")
        self.starter: i64 = self.place("starter")
        self.actions: i64 = self.place("actions")
        self.offers_left: i64 = self.place("offers_left")
        self.centre: i64 = self.place("centre")
        self.spare: i64 = self.place("unused.count")
        self.bottom: i64 = self.place("unused.bottom.1")
        self.country_size: i64 = self.place("unused.bottom.2") - self.bottom
        self.left: i64 = self.place("draw_pile.count")
        self.stock: i64 = self.place("draw_pile.shuffled_in")
        self.discards: i64 = self.place("discards")
        you = "players.you"
        self.player: i64 = self.place("players.+1") - self.place(you)
        self.cards: i64 = self.place(f"{you}.cards")
        self.limit: i64 = self.place(f"{you}.limit")
        self.known: i64 = self.place(f"{you}.known")
        self.unknown: i64 = self.place(f"{you}.unknown.cards")
        self.others: i64 = self.place(f"{you}.unknown.others")
        self.passports: i64 = self.place(f"{you}.unknown.passports")
        self.drawn: i64 = self.place(f"{you}.unknown.drawn")
        self.character: i64 = self.place(f"{you}.character")
        self.quiet: i64 = self.place(f"{you}.quiet")
        self.chosen: i64 = self.place(f"{you}.chosen")
        self.country: i64 = self.place(f"{you}.country")
        self.visited: i64 = self.place(f"{you}.visited")
        self.passport: i64 = self.place(f"{you}.passport")
        self.countries: i64 = self.place(f"{you}.countries")
        self.purpose: i64 = self.place("payment.for")
        self.paid: i64 = self.place("payment.paid")
        self.need: i64 = self.place("payment.left")
        self.whom: i64 = self.place("payment.whom")
        self.target: i64 = self.place("payment.country")
        self.speaker: i64 = self.place("trade.from")
        self.listener: i64 = self.place("trade.to")
        self.gives: i64 = self.place("trade.gives")
        self.wants: i64 = self.place("trade.wants")
        self.counters: i64 = self.place("trade.counters")
        self.asked: i64 = self.place("reaction.asked")
        self.to_steal: i64 = self.place("reaction.to.steal")
        self.to_travel: i64 = self.place("reaction.to.travel")
        self.actor: i64 = self.place("reaction.seat")
        self.destination: i64 = self.place("reaction.country")
        self.hand: i64 = self.place("hand")
        self.top: i64 = self.place("top")
        self.looking: i64 = self.place("looking.1")
        self.look: i64 = self.place("looking.2") - self.looking
        self.handing_on: i64 = self.place("handing_on")

    def encode(self, position: Position, me: i64, out: vec[u8], at: i64) -> None:
        assert isinstance(position, State)
        state = position
        seats = state.seats
        self._game(state, out, at)
        out[at + self.turn + (state.turn - me + seats) % seats] = 1
        out[at + self.step[state.step]] = 1
        self.put(out, at, self.round, state.round)
        self.put(out, at, self.turn_limit, state.turn_limit)
        out[at + self.starter + (state.starter - me + seats) % seats] = 1
        self.put(out, at, self.actions, state.actions)
        self.put(out, at, self.offers_left, state.offer_limit - state.offers)
        if state.centre >= 0:
            out[at + self.centre + state.centre] = 1
        self.put(out, at, self.spare, state.spare)
        place = at + self.bottom
        for i in range(state.unseen, state.spare):
            out[place] = 1
            out[place + 1 + state.unused[i]] = 1
            place += self.country_size
        self.put(out, at, self.left, state.left)
        self._pack(out, at, self.stock, state.stock)
        self._pack(out, at, self.discards, state.discards)
        for seat in range(seats):
            self._player(state, me, seat, out, at)
        if state.step == PAY or state.step == TAKE:
            self._payment(state, me, out, at)
        elif state.step == TRAY or state.step == ANSWER:
            out[at + self.speaker + (state.speaker - me + seats) % seats] = 1
            out[at + self.listener + (state.listener() - me + seats) % seats] = 1
            self._pack(out, at, self.gives, state.gives)
            self._pack(out, at, self.wants, state.wants)
            self.put(out, at, self.counters, state.counters)
        elif state.step == REACT:
            self._reaction(state, me, out, at)
        self._own(state, me, out, at)

    def _game(self, state: State, out: vec[u8], at: i64) -> None:
        """Write the variant and the extensions."""
        out[at + (self.bucket if state.bucket else self.classic)] = 1
        for kind in range(i64(IN_HAND), i64(KINDS)):
            if count(state.in_play, kind):
                out[at + self.with_events] = 1
        for kind in range(FIRST_SPECIAL, i64(IN_HAND)):
            if count(state.in_play, kind):
                out[at + self.with_specials] = 1
        if count(state.in_play, FORBIDDEN):
            out[at + self.with_forbidden] = 1
        if count(state.in_play, POSTCARD):
            out[at + self.with_postcards] = 1
        for seat in range(state.seats):
            if state.character[seat] >= 0:
                out[at + self.with_characters] = 1

    def _player(self, state: State, me: i64, seat: i64, out: vec[u8], at: i64) -> None:
        shift = self.player * ((seat - me + state.seats) % state.seats)
        at += shift
        self.put(out, at, self.cards, state.size[seat])
        self.put(out, at, self.limit, state.limit(seat))
        if seat != me:
            self._pack(out, at, self.known, state.known[state.seats * me + seat])
        row = state.unknown[state.seats * me + seat]
        self.put(out, at, self.unknown, hidden.cards(row))
        self.put(out, at, self.others, hidden.others(row))
        self.put(out, at, self.passports, hidden.passports(row))
        self.put(out, at, self.drawn, hidden.drawn(row))
        if state.character[seat] >= 0:
            out[at + self.character + state.character[seat]] = 1
        out[at + self.quiet] = u8(state.quiet >> seat & 1)
        if state.chosen[seat] >= 0:
            out[at + self.chosen] = 1
        if not state.bucket:
            out[at + self.country + state.country[seat]] = 1
            out[at + self.visited] = u8(state.visited >> seat & 1)
            return
        out[at + self.passport + state.passport[seat]] = 1
        for country in range(i64(len(state.owner))):
            if state.owner[country] == seat:
                out[at + self.countries + country] = 1

    def _payment(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        if not state.purpose:
            return
        out[at + self.purpose + state.purpose] = 1
        self._pack(out, at, self.paid, state.paid)
        if state.step == PAY:
            self.put(out, at, self.need, state.need)
        if state.purpose == FOR_STEAL:
            out[at + self.whom + (state.target - me + state.seats) % state.seats] = 1
        if state.purpose == FOR_COUNTRY:
            out[at + self.target + state.target] = 1

    def _reaction(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        out[at + self.asked + (state.asked - me + state.seats) % state.seats] = 1
        out[at + self.actor + (state.turn - me + state.seats) % state.seats] = 1
        if state.purpose == FOR_STEAL:
            out[at + self.to_steal] = 1
            return
        out[at + self.to_travel] = 1
        there = state.centre if state.bucket or state.visited >> state.turn & 1 else state.country[state.turn]
        out[at + self.destination + there] = 1

    def _own(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        """Write what only this seat sees: its hand, known cards in the draw pile, cards it is looking at."""
        self._pack(out, at, self.hand, state.hand[me])
        for place in range(state.left):
            card = state.deck[place]
            if card >= VIEWER_BITS and card // VIEWER_BITS >> me & 1:
                out[at + self.top + state.left - 1 - place] = u8(card % VIEWER_BITS + 1)
        if me == state.turn:
            slot = at + self.looking
            if state.step == LOOK or state.step == RETURN:
                for place in range(state.looked):
                    out[slot] = 1
                    out[slot + 1 + state.deck[state.left - 1 - place] % VIEWER_BITS] = 1
                    slot += self.look
            elif state.pair:
                for kind in range(i64(KINDS)):
                    for _ in range(count(state.pair, kind)):
                        out[slot] = 1
                        out[slot + 1 + kind] = 1
                        slot += self.look
        if state.chosen[me] >= 0:
            out[at + self.handing_on + state.chosen[me]] = 1

    def _pack(self, out: vec[u8], at: i64, place: i64, pack: i64) -> None:
        """Write the number of cards of each kind in a pack."""
        kind: i64 = 0
        while pack:
            many = count(pack, kind)
            if many:
                self.put(out, at, place + kind, many)
                pack -= many * ONE[kind]
            kind += 1
