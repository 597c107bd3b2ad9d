# compiled
"""The parts of `imagine`: everything that a seat cannot see is dealt again or invented."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.word_traveler.parts import CENTRE, HAND, MAX_ARROWS, N_MAPS, N_WORDS, SIZE
from grandtour.games.word_traveler.state import (
    EAST,
    NORTH,
    SOUTH,
    STEP_GUESS,
    STEP_PLAN,
    STEP_READY,
    WEST,
    Table,
    range_after,
)

ARROW_FACTOR: Final = 1000
"""The factor of the arrow in a sort key of cards, larger than any rank of a card."""


class Knowledge(Table):
    """The table with the functions that imagine it from a seat's point of view."""

    def clear_unused(self, me: i64) -> None:
        """Clear the fields that are not in use now, and recompute those that follow from others.

        So the imagined position depends only on what `me` has seen.
        """
        deck = self.deck[:]
        for i in range(self.drawn):
            deck[i] = -1
        self.deck = deck
        for day in range(i64(2)):
            for seat in range(self.seats):
                self._clear_unused_day(me, seat, day)
        everyone = (i64(1) << self.seats) - 1
        self.unseen = self.unread()
        self.done = self.done & everyone if self.step == STEP_PLAN or self.step == STEP_READY else 0
        for seat in range(self.seats):
            if seat != me or self.step != STEP_PLAN:
                self.changes[seat] = 0
        for n in range(i64(MAX_ARROWS)):
            self.way[n] = 0
            self.set_box(n, 0, 0, 0, 0)
        if self.step != STEP_GUESS:
            self.clear_footprints()
            return
        traveler = self.traveler()
        self.steps[traveler] = 0
        self.agreed &= everyone & ~(i64(1) << traveler)
        journey = self.journey_of(traveler)
        self.again &= (i64(1) << self.used[journey]) - 1
        for n in range(i64(MAX_ARROWS)):
            if self.feet[MAX_ARROWS * journey + n] < 0:
                self.placer[n] = -1
                self.sure[n] = 0
        self.find_directions(journey)

    def _clear_unused_day(self, me: i64, seat: i64, day: i64) -> None:
        """The same for the fields of a player on a day."""
        journey = self.seats * day + seat
        today = day == self.day
        planned = day < self.day or (today and self.step != STEP_READY)
        guessed = day < self.day or (planned and self.step != STEP_PLAN)
        traveled = day < self.day or (guessed and self.turn_of(seat) < self.gone)
        travels = today and self.step == STEP_GUESS and seat == self.traveler()
        seen: i64 = MAX_ARROWS
        if not traveled and not travels:
            self.start[journey] = self.marker[seat] if today else CENTRE
            seen = 0
            if planned and seat == me:
                seen = self.arrows()
                while guessed and seen and self.aim[MAX_ARROWS * journey + seen - 1] < 0:
                    seen -= 1
            self.used[journey] = seen if guessed else 0
        else:
            seen = self.used[journey]
        aim = self.aim
        feet = self.feet
        points = self.points
        for arrow in range(i64(MAX_ARROWS)):
            at = MAX_ARROWS * journey + arrow
            if arrow >= seen:
                aim[at] = -1
            if arrow >= seen or not (traveled or travels):
                feet[at] = -1
            if arrow >= seen or not traveled:
                points[at] = 0
        if not planned:
            put = self.put
            for i in range(HAND * journey, HAND * journey + HAND):
                put[i] = 0
        self._count_ranks(journey)

    def _count_ranks(self, journey: i64) -> None:
        """Number the cards under each arrow from 1."""
        first = HAND * journey
        put = self.put
        rank = self.rank
        laid: i64 = 0
        for i in range(first, first + HAND):
            laid |= put[i]
        if not laid or self.version == 1:
            for i in range(first, first + HAND):
                rank[i] = 0
            return
        # Sort keys: by arrow, then by the current rank.
        order = vec[i64]([0] * HAND)
        for i in range(i64(HAND)):
            order[i] = ((put[first + i] + 1) // 2) * ARROW_FACTOR + HAND * rank[first + i] + i
        for i in range(i64(HAND)):
            count: i64 = 0
            mine = order[i]
            if mine >= ARROW_FACTOR:
                least = mine // ARROW_FACTOR * ARROW_FACTOR
                for k in range(i64(HAND)):
                    if least <= order[k] <= mine:
                        count += 1
            rank[first + i] = count

    def deal_maps(self, me: i64) -> None:
        """Deal the map cards again of which a seat has seen neither side."""
        before = self.step == STEP_PLAN or self.step == STEP_READY
        unknown: i64 = 0  # the places of unknown map cards, one bit each
        known: i64 = 0  # the known map cards, one bit each
        for i in range(i64(N_MAPS)):
            if i >= self.seats or (
                (i != me or self.step == STEP_READY) and not self.day and (before or self.turn_of(i) >= self.gone)
            ):
                unknown |= i64(1) << i
            else:
                known |= i64(1) << self.maps[i]
        cards = vec[i64]([0] * N_MAPS)
        count: i64 = 0
        for card in range(i64(N_MAPS)):
            if not known >> card & 1:
                cards[count] = card
                count += 1
        self.dice.shuffle(cards, 0, count)
        maps = self.maps[:]
        count = 0
        for i in range(i64(N_MAPS)):
            if unknown >> i & 1:
                maps[i] = cards[count]
                count += 1
        self.maps = maps

    def deal_words(self, hidden: list[int]) -> None:
        """Deal the words in the deck and in hidden hands again."""
        hand = self.hand[:]
        deck = self.deck  # which `clear_unused` has copied
        unknown = vec[i64]([0] * N_WORDS)
        for i in range(self.drawn, i64(N_WORDS)):
            unknown[deck[i]] = 1
        for seat in hidden:
            first = HAND * self.journey_of(seat)
            for i in range(first, first + HAND):
                unknown[hand[i]] = 1
        cards = vec[i64]([0] * N_WORDS)
        count: i64 = 0
        for word in range(i64(N_WORDS)):
            cards[count] = word
            count += unknown[word]
        self.dice.shuffle(cards, 0, count)
        at: i64 = 0
        for seat in hidden:
            first = HAND * self.journey_of(seat)
            for i in range(i64(HAND)):
                word = cards[at + i]
                to = first + i
                while to > first and hand[to - 1] > word:
                    hand[to] = hand[to - 1]
                    to -= 1
                hand[to] = word
            at += HAND
        for i in range(self.drawn, i64(N_WORDS)):
            deck[i] = cards[at]
            at += 1
        self.hand = hand

    def imagine_plan(self, seat: i64) -> None:
        """Invent a plan in place of a hidden one."""
        journey = self.journey_of(seat)
        here = self.start[journey]
        for i in range(HAND * journey, HAND * journey + HAND):
            self.put[i] = 0
            self.rank[i] = 0
        for arrow in range(i64(MAX_ARROWS)):
            self.aim[MAX_ARROWS * journey + arrow] = -1
        for arrow in range(self.arrows()):
            step = self.dice.below(2 * (SIZE - 1))
            along = step % (SIZE - 1)
            if step < SIZE - 1:
                here = here // SIZE * SIZE + (along if along < here % SIZE else along + 1)
            else:
                here = (along if along < here // SIZE else along + 1) * SIZE + here % SIZE
            self.aim[MAX_ARROWS * journey + arrow] = here
            self.put[HAND * journey + 2 * arrow] = 1 + 2 * arrow + self.dice.below(2)
            self.rank[HAND * journey + 2 * arrow] = 1 if self.version > 1 else 0
        self.changes[seat] = 0
        if self.step != STEP_PLAN:
            self.used[journey] = self.arrows()

    def imagine_path(self, journey: i64) -> None:
        """Invent a path along the arrows in place of the real one."""
        here = self.start[journey]
        for n in range(self.used[journey]):
            row, column = here // SIZE, here % SIZE
            top, bottom = range_after(self.way[n], NORTH, SOUTH, row, row)
            left, right = range_after(self.way[n], WEST, EAST, column, column)
            top = max(top, self.box[4 * n])
            bottom = min(bottom, self.box[4 * n + 1])
            left = max(left, self.box[4 * n + 2])
            right = min(right, self.box[4 * n + 3])
            width = right - left + 1
            chosen = self.dice.below((bottom - top + 1) * width)
            here = SIZE * (top + chosen // width) + left + chosen % width
            self.aim[MAX_ARROWS * journey + n] = here
