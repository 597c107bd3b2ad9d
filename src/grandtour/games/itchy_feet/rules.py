"""The rules of Itchy Feet: the moves, and when they are legal. Written for speed; `referee.py` has the same rules,
written for people.

Kinds of card and countries are small ints, hands are packs (`mechanics/packs.py`). `state.py` has the fields of the
position and what each seat knows, `mechanics/turns.py` has draws and turns.
"""

from typing import Final

from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.events import Event
from grandtour.engine.options import Options, named_starter
from grandtour.engine.refusal import Refusal
from grandtour.engine.vocabulary import Names, Numbers, Vocabulary
from grandtour.games.itchy_feet.mechanics.actions import (
    FOR_COUNTRY,
    FOR_POST,
    FOR_RECYCLE,
    FOR_RIDDANCE,
    FOR_STEAL,
    Actions,
)
from grandtour.games.itchy_feet.mechanics.deal import (
    choose_characters,
    deal,
    lay_countries,
)
from grandtour.games.itchy_feet.mechanics.packs import (
    BRIBE,
    CONTROL,
    CREDIT_CARD,
    FIRST_SPECIAL,
    FORBIDDEN,
    FOUND,
    GUIDE,
    HIGHEST_OF,
    MAP,
    MOUSETRAP,
    NEEDS,
    ONE,
    PASSPORT,
    POST,
    RED_EYE,
    SHIFT,
    TAKEABLE,
    count,
    fewer,
    present,
    total,
    within,
)
from grandtour.games.itchy_feet.mechanics.turns import DONE
from grandtour.games.itchy_feet.parts import (
    CARDS,
    CHARACTERS,
    COUNTRY_NAMES,
    HAND_CARDS,
    IN_HAND,
    ITEMS,
    KINDS,
    MAX_COUNTERS,
    N_COUNTRIES,
    N_ITEMS,
    NEARER,
    SPECIALS,
    TRADING_POST_CARDS,
)
from grandtour.games.itchy_feet.state import (
    ACT,
    ANSWER,
    LIMIT,
    MIX,
    OVER,
    PAY,
    PICK,
    REACT,
    REDRAW,
    RETURN,
    SMUGGLER,
    TAKE,
    TRAY,
    VIEWER_BITS,
)

_seat: Final = Numbers(0, 5)
_card: Final = Names(*HAND_CARDS)
MOVES: Final = Vocabulary(
    {
        "draw": {},
        "recycle": {},
        "steal": {"from": _seat},
        "trade": {"with": _seat},
        "get-rid": {},
        "travel": {},
        "travel-on-credit": {"item": Names(*ITEMS)},
        "travel-with": {"card": Names(*ITEMS, "Mom's Credit Card")},
        "steal-country": {"country": Names(*COUNTRY_NAMES)},
        "play": {"card": Names(*SPECIALS)},
        "smuggle": {"to": _seat},
        "pass": {},
        "discard": {"card": _card},
        "take": {"card": _card},
        "return": {"card": Names(*CARDS)},
        "stop": {},
        "redraw": {"seat": _seat},
        "give": {"card": _card},
        "want": {"card": _card},
        "propose": {},
        "withdraw": {},
        "accept": {},
        "decline": {},
        "counter": {},
        "hand-on": {"card": _card},
        "allow": {},
        "quiet": {},
        "ask-me": {},
    }
)
M_DRAW: Final[i64] = MOVES.first("draw")
M_RECYCLE: Final[i64] = MOVES.first("recycle")
M_STEAL: Final[i64] = MOVES.first("steal")
M_TRADE: Final[i64] = MOVES.first("trade")
M_GET_RID: Final[i64] = MOVES.first("get-rid")
M_TRAVEL: Final[i64] = MOVES.first("travel")
M_CREDIT: Final[i64] = MOVES.first("travel-on-credit")
M_TRAVEL_WITH: Final[i64] = MOVES.first("travel-with")
M_STEAL_COUNTRY: Final[i64] = MOVES.first("steal-country")
M_PLAY: Final[i64] = MOVES.first("play")
M_SMUGGLE: Final[i64] = MOVES.first("smuggle")
M_PASS: Final[i64] = MOVES.first("pass")
M_DISCARD: Final[i64] = MOVES.first("discard")
M_TAKE: Final[i64] = MOVES.first("take")
M_RETURN: Final[i64] = MOVES.first("return")
M_STOP: Final[i64] = MOVES.first("stop")
M_REDRAW: Final[i64] = MOVES.first("redraw")
M_GIVE: Final[i64] = MOVES.first("give")
M_WANT: Final[i64] = MOVES.first("want")
M_PROPOSE: Final[i64] = MOVES.first("propose")
M_WITHDRAW: Final[i64] = MOVES.first("withdraw")
M_ACCEPT: Final[i64] = MOVES.first("accept")
M_DECLINE: Final[i64] = MOVES.first("decline")
M_COUNTER: Final[i64] = MOVES.first("counter")
M_HAND_ON: Final[i64] = MOVES.first("hand-on")
M_ALLOW: Final[i64] = MOVES.first("allow")
M_QUIET: Final[i64] = MOVES.first("quiet")
M_ASK_ME: Final[i64] = MOVES.first("ask-me")

ANY_SPECIAL: Final[i64] = sum(1 << int(SHIFT[kind]) for kind in range(int(FIRST_SPECIAL), IN_HAND))


class State(Actions):
    """A position of Itchy Feet."""

    def imagine(self, seat: int, dice: Dice) -> "State":
        copy = self.copy_with(dice)
        copy.redeal(seat)
        return copy

    def waiting(self) -> list[int]:
        step = self.step
        if step in (MIX, LIMIT):
            return [int(seat) for seat in range(self.seats) if self._must_move(seat)]
        if step == OVER:
            return []
        if step == REACT:
            return [self.asked]
        if step == TRAY:
            return [self.speaker]
        if step == ANSWER:
            return [self.listener()]
        return [self.turn]

    def _must_move(self, seat: i64) -> bool:
        step = self.step
        if step == MIX:
            return self.still_choosing(seat)
        if step == LIMIT:
            return self.above_limit(seat)
        if step == REACT:
            return seat == self.asked
        if step == TRAY:
            return seat == self.speaker
        if step == ANSWER:
            return seat == self.listener()
        return seat == self.turn

    def legal(self, seat: int) -> list[int]:
        moves: list[int] = []
        me: i64 = seat
        step = self.step
        if step == OVER or me < 0:
            return moves
        if self._must_move(me):
            if step == ACT:
                self._add_actions(me, moves)
            elif step == PAY:
                self._add_payments(me, moves)
            elif step == TRAY:
                self._add_tray_moves(me, moves)
            elif step == ANSWER:
                self._add_answers(me, moves)
            elif step == TAKE:
                self._add_card_moves(present(self.discards & TAKEABLE), M_TAKE, self.discards - self.paid, moves)
            elif step == LIMIT:
                hand = self.hand[me] - count(self.hand[me], FORBIDDEN) * ONE[FORBIDDEN]
                self._add_card_moves(present(hand), M_DISCARD, hand, moves)
            elif step == MIX:
                self._add_card_moves(present(self.hand[me]), M_HAND_ON, self.hand[me], moves)
            elif step == REACT:
                kind = MOUSETRAP if self.purpose == FOR_STEAL else CONTROL
                if self.hand[me] & ONE[kind]:
                    moves.append(M_PLAY + kind - FIRST_SPECIAL)
                moves.append(M_ALLOW)
            elif step == PICK:
                self._add_card_moves(present(self.pair), M_TAKE, self.pair, moves)
            elif step == REDRAW:
                for other in range(self.seats):
                    if not self.visited >> other & 1:
                        moves.append(M_REDRAW + other)
            else:
                self._add_guide_moves(moves)
        if self.in_play & ANY_SPECIAL and not self.hushed >> me & 1:
            moves.append(M_ASK_ME if self.quiet >> me & 1 else M_QUIET)
        return moves

    def _add_card_moves(self, kinds: i64, first: i64, pack: i64, moves: list[int]) -> None:
        """Append a move for each of these kinds that is in a pack. `kinds` is a pack with at most one card of each."""
        for kind in range(i64(IN_HAND)):
            if kinds & ONE[kind] and count(pack, kind):
                moves.append(first + kind)

    def _add_actions(self, me: i64, moves: list[int]) -> None:
        hand = self.hand[me]
        forbidden = count(hand, FORBIDDEN)
        discardable = self.size[me] - forbidden
        recyclable = self.discards & TAKEABLE != 0
        if self.can_draw():
            moves.append(M_DRAW)
        if recyclable and discardable >= self.recycle_cost(me):
            moves.append(M_RECYCLE)
        others = self._others_with_cards(me)
        if discardable:
            for other in range(self.seats):
                if others >> other & 1:
                    moves.append(M_STEAL + other)
        at: i64 = len(moves)
        if self.offers < self.offer_limit and self.size[me]:
            for other in range(self.seats):
                if others >> other & 1:
                    moves.append(M_TRADE + other)
        after: i64 = len(moves)
        if forbidden:
            if discardable:
                moves.append(M_GET_RID)
        elif not self.travelled and count(hand, PASSPORT):
            self._add_travel_moves(me, moves)
        if self.bucket:
            for country in range(i64(N_COUNTRIES)):
                owner = self.owner[country]
                if owner >= 0 and owner != me and total(present(hand) & NEEDS[country]) > 1:
                    moves.append(M_STEAL_COUNTRY + country)
        if hand & ANY_SPECIAL:
            if hand & ONE[GUIDE]:
                moves.append(M_PLAY + GUIDE - FIRST_SPECIAL)
            if hand & ONE[POST] and discardable > 1:
                moves.append(M_PLAY + POST - FIRST_SPECIAL)
            if hand & ONE[MAP] and self.visited + 1 != i64(1) << self.seats:
                moves.append(M_PLAY + MAP - FIRST_SPECIAL)
            nothing_else = at == 0 and after == len(moves)
            if hand & ONE[RED_EYE] and not self.acted and not self.flown:
                moves.append(M_PLAY + RED_EYE - FIRST_SPECIAL)
            if hand & ONE[BRIBE] and forbidden:
                moves.append(M_PLAY + BRIBE - FIRST_SPECIAL)
            if hand & ONE[FOUND] and recyclable:
                moves.append(M_PLAY + FOUND - FIRST_SPECIAL)
                nothing_else = False
        else:
            nothing_else = at == 0 and after == len(moves)
        if forbidden and self.character[me] == SMUGGLER and not self.acted and not self.smuggled:
            for other in range(self.seats):
                if other != me:
                    moves.append(M_SMUGGLE + other)
        if nothing_else:
            moves.append(M_PASS)

    def _others_with_cards(self, me: i64) -> i64:
        """The other seats that hold a card, one bit per seat."""
        others: i64 = 0
        for seat in range(self.seats):
            if seat != me and self.size[seat]:
                others |= i64(1) << seat
        return others

    def _add_travel_moves(self, me: i64, moves: list[int]) -> None:
        need = NEEDS[self.destination(me)]
        have = present(self.hand[me]) & need
        credit = self.hand[me] & ONE[CREDIT_CARD] != 0
        if self.bucket:
            self._add_card_moves(have, M_TRAVEL_WITH, have, moves)
            if credit:
                moves.append(M_TRAVEL_WITH + N_ITEMS)
            return
        if have == need:
            moves.append(M_TRAVEL)
        if credit:
            for item in range(i64(N_ITEMS)):
                if need & ONE[item] and have | ONE[item] == need:
                    moves.append(M_CREDIT + item)

    def _add_payments(self, me: i64, moves: list[int]) -> None:
        hand = self.hand[me] - count(self.hand[me], FORBIDDEN) * ONE[FORBIDDEN]
        kinds = present(hand)
        if self.purpose == FOR_COUNTRY:
            kinds &= NEEDS[self.target] & ~self.paid
        self._add_card_moves(kinds, M_DISCARD, hand, moves)
        if self.purpose == FOR_POST and self.need < TRADING_POST_CARDS:
            moves.append(M_STOP)

    def _add_tray_moves(self, me: i64, moves: list[int]) -> None:
        hand = self.hand[me]
        real = within(self.gives, hand)
        gives = total(self.gives)
        wants = total(self.wants)
        if gives < self.tray_size(me):
            more = fewer(self.gives, hand if wants else self.in_play)
            for kind in range(i64(IN_HAND)):
                if more & HIGHEST_OF[kind]:
                    moves.append(M_GIVE + kind)
        if wants < self.tray_size(self.listener()) and real:
            more = fewer(self.wants, self.in_play)
            for kind in range(i64(IN_HAND)):
                if more & HIGHEST_OF[kind]:
                    moves.append(M_WANT + kind)
        if gives or wants:
            moves.append(M_PROPOSE)
        moves.append(M_WITHDRAW)

    def _add_answers(self, me: i64, moves: list[int]) -> None:
        if self.gives and self.wants and within(self.wants, self.hand[me]):
            moves.append(M_ACCEPT)
        moves.append(M_DECLINE)
        if self.counters < MAX_COUNTERS:
            moves.append(M_COUNTER)

    def _add_guide_moves(self, moves: list[int]) -> None:
        """The cards looked at that can be taken or put back."""
        seen: i64 = 0
        for place in range(self.left - self.looked, self.left):
            seen |= ONE[self.deck[place] % VIEWER_BITS]
        if self.step == RETURN:
            for kind in range(i64(KINDS)):
                if seen & ONE[kind]:
                    moves.append(M_RETURN + kind)
        elif seen & TAKEABLE:
            self._add_card_moves(seen, M_TAKE, seen, moves)
        else:
            moves.append(M_STOP)

    def play(self, seat: int, move: int) -> None:
        me: i64 = seat
        m: i64 = move
        if m >= M_QUIET:
            self.set_quiet(me, m == M_QUIET)
        elif m >= M_GIVE:
            if m < M_WANT:
                self.put_on_tray(m - M_GIVE, True)
            elif m < M_PROPOSE:
                self.put_on_tray(m - M_WANT, False)
            elif m == M_PROPOSE:
                self.propose()
            elif m == M_WITHDRAW:
                self.withdraw()
            elif m == M_ACCEPT:
                self.accept()
            elif m == M_DECLINE:
                self.decline()
            elif m == M_COUNTER:
                self.counter()
            elif m < M_ALLOW:
                self.choose_card_to_pass(me, m - M_HAND_ON)
            else:
                self.allow()
        elif m >= M_DISCARD:
            if m < M_TAKE:
                self.discard_card(me, m - M_DISCARD)
            elif m < M_RETURN:
                self.take(m - M_TAKE)
            elif m < M_STOP:
                self.put_back(m - M_RETURN)
            elif m < M_REDRAW:
                self.stop()
            else:
                self.redraw(m - M_REDRAW)
        elif m >= M_PLAY:
            if m < M_SMUGGLE:
                self.play_special(me, m - M_PLAY + FIRST_SPECIAL)
            elif m < M_PASS:
                self.smuggle(m - M_SMUGGLE)
            else:
                if self.events is not None:
                    self.say("passed", seat=seat)
                self.settle(DONE)
        else:
            self._play_action(me, m)

    def _play_action(self, me: i64, m: i64) -> None:
        if m == M_DRAW:
            self.draw_action(me)
        elif m == M_RECYCLE:
            self.pay(FOR_RECYCLE, self.recycle_cost(me))
        elif m < M_TRADE:
            self.target = m - M_STEAL
            self.pay(FOR_STEAL, 1)
            if self.events is not None:
                self.say("stealing", seat=int(me), whom=int(self.target))
        elif m < M_GET_RID:
            self.begin_trade(m - M_TRADE)
        elif m == M_GET_RID:
            self.pay(FOR_RIDDANCE, 1)
        elif m < M_STEAL_COUNTRY:
            self.subject = -1 if m == M_TRAVEL else m - M_CREDIT if m < M_TRAVEL_WITH else m - M_TRAVEL_WITH
            self.travel(me)
        else:
            self.target = m - M_STEAL_COUNTRY
            self.pay(FOR_COUNTRY, 2)


def new(seats: int, options: Options, dice: Dice, events: list[Event] | None) -> State:
    """Set up a match."""
    named = named_starter(options, seats)
    bucket = options["variant"] == "bucket-list"
    if bucket and options["characters"]:
        raise Refusal("bad-options", "Bucket List is played without characters.", "IF-96")
    if options["characters"] and not options["forbidden_items"] and seats == len(CHARACTERS):
        raise Refusal("bad-options", "Six players with characters need forbidden items, for the Smuggler.", "IF-95")
    state = State()
    state.seats = seats
    state.dice = dice
    state.events = events
    state.bucket = bucket
    state.turn_limit = options["turn_limit"]
    state.offer_limit = options["offers"]
    lay_countries(state)
    choose_characters(state, options)
    deal(state, options)
    where = state.passport if bucket else state.country
    nearest = min(range(seats), key=lambda seat: NEARER[state.centre][where[seat]])
    state.starter = nearest if named < 0 else named
    state.turn = state.starter
    if events is not None:
        state.say(
            "set-up",
            centre=COUNTRY_NAMES[state.centre],
            countries=[COUNTRY_NAMES[country] for country in where],
            characters=[CHARACTERS[character] if character >= 0 else None for character in state.character],
            starter=int(state.starter),
        )
    state.begin_turn()
    return state
