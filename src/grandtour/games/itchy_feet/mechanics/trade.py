# compiled
"""Itchy Feet: trading. An offer is put on the tray card by card, proposed, and accepted, declined or countered."""

from mypy_extensions import i64

from grandtour.games.itchy_feet.mechanics.packs import ONE, count, listed
from grandtour.games.itchy_feet.mechanics.turns import BONUS, Turns
from grandtour.games.itchy_feet.parts import CARDS, IN_HAND, TRAY_SIZE
from grandtour.games.itchy_feet.state import ACT, ANSWER, TRAY


class Trading(Turns):
    """The table with the rules for offers."""

    def listener(self) -> i64:
        """The seat that answers the offer."""
        return self.partner if self.speaker == self.turn else self.turn

    def tray_size(self, giver: i64) -> i64:
        """The maximum number of cards that an offer can take from this seat."""
        size = self.size[giver]
        return TRAY_SIZE if self.version == 1 or size < TRAY_SIZE else size

    def begin_trade(self, partner: i64) -> None:
        self.partner = partner
        self.offers += 1
        self.counters = 0
        self._open_tray(self.turn)

    def _open_tray(self, speaker: i64) -> None:
        self.speaker = speaker
        self.gives = 0
        self.wants = 0
        self.step = TRAY
        if self.events is not None:
            self.say("offering", seat=int(speaker), to=int(self.listener()), counter=int(self.counters))

    def put_on_tray(self, kind: i64, give: bool) -> None:
        """Add a card that the speaker gives or wants."""
        if give:
            self.gives += ONE[kind]
        else:
            self.wants += ONE[kind]
        if self.gives and self.wants:
            # The offer can now be accepted, so everyone knows that the speaker has these cards.
            for viewer in range(self.seats + 1):
                if viewer != self.speaker:
                    self.learn_cards(viewer, self.speaker, self.gives)
            self.reveals += 1
        if self.events is not None:
            self.say("tray", seat=int(self.speaker), side="give" if give else "want", card=CARDS[kind])

    def propose(self) -> None:
        self.step = ANSWER
        if self.events is not None:
            gives, wants = listed(self.gives), listed(self.wants)
            self.say("proposed", seat=int(self.speaker), to=int(self.listener()), gives=gives, wants=wants)

    def withdraw(self) -> None:
        if self.events is not None:
            self.say("withdrew", seat=int(self.speaker))
        self._clear_tray()

    def decline(self) -> None:
        if self.events is not None:
            self.say("declined", seat=int(self.listener()), to=int(self.speaker))
        if self.gives and self.wants:
            self.refuse(self.listener(), self.wants)
        self._clear_tray()

    def counter(self) -> None:
        self.counters += 1
        self._open_tray(self.listener())

    def accept(self) -> None:
        speaker = self.speaker
        listener = self.listener()
        gives = self.gives
        wants = self.wants
        if self.events is not None:
            self.say("traded", seat=int(speaker), to=int(listener), gives=listed(gives), wants=listed(wants))
        self._clear_tray()
        if self.version == 1:
            # One side after the other, so a hand could hold four postcards in between.
            self._hand_over(speaker, gives)
            self._receive(listener, gives)
            self._hand_over(listener, wants)
            self._receive(speaker, wants)
        else:
            self._hand_over(speaker, gives)
            self._hand_over(listener, wants)
            self._receive(listener, gives)
            self._receive(speaker, wants)
        self.reveals += 1
        self.settle(BONUS)

    def _clear_tray(self) -> None:
        self.speaker = -1
        self.partner = -1
        self.gives = 0
        self.wants = 0
        self.step = ACT

    def _hand_over(self, giver: i64, pack: i64) -> None:
        for kind in range(i64(IN_HAND)):
            for _ in range(count(pack, kind)):
                self.lose(giver, kind)

    def _receive(self, taker: i64, pack: i64) -> None:
        for kind in range(i64(IN_HAND)):
            for _ in range(count(pack, kind)):
                self.gain(taker, kind, self.everyone())
