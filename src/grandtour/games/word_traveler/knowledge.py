# compiled
"""The parts of `imagine`: everything that a seat of Word Traveler cannot see is dealt again or made up."""

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.word_traveler.parts import CENTRE, HAND, MAX_ARROWS, N_MAPS, N_WORDS, SIZE, SPACES
from grandtour.games.word_traveler.state import STEP_GUESS, STEP_PLAN, STEP_READY, Table


class Unseen(Table):
    """A position of which a seat's part is kept and the rest made up."""

    def clear(self, me: i64) -> None:
        """Clear what has no meaning now, and recompute what follows from the rest.

        So what is imagined depends only on what `me` has seen.
        """
        for i in range(self.drawn):
            self.deck[i] = -1
        for day in range(i64(2)):
            for seat in range(self.seats):
                self._clear_day(me, seat, day)
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
        own = self.own(traveler)
        self.again &= (i64(1) << self.used[own]) - 1
        for n in range(i64(MAX_ARROWS)):
            if self.feet[MAX_ARROWS * own + n] < 0:
                self.placer[n] = -1
                self.sure[n] = 0
        self.find_ways(own)

    def _clear_day(self, me: i64, seat: i64, day: i64) -> None:
        """The same for what belongs to a player on a day."""
        own = self.seats * day + seat
        today = day == self.day
        planned = day < self.day or (today and self.step != STEP_READY)
        guessed = day < self.day or (planned and self.step != STEP_PLAN)
        traveled = day < self.day or (guessed and self.turn_of(seat) < self.gone)
        travels = today and self.step == STEP_GUESS and seat == self.traveler()
        seen: i64 = MAX_ARROWS
        if not traveled and not travels:
            self.start[own] = self.marker[seat] if today else CENTRE
            seen = 0
            if planned and seat == me:
                seen = self.arrows()
                while guessed and seen and self.aim[MAX_ARROWS * own + seen - 1] < 0:
                    seen -= 1
            self.used[own] = seen if guessed else 0
        else:
            seen = self.used[own]
        for arrow in range(i64(MAX_ARROWS)):
            at = MAX_ARROWS * own + arrow
            if arrow >= seen:
                self.aim[at] = -1
            if arrow >= seen or not (traveled or travels):
                self.feet[at] = -1
            if arrow >= seen or not traveled:
                self.points[at] = 0
        for i in range(HAND * own, HAND * own + HAND):
            if not planned:
                self.put[i] = 0
        self._count_ranks(own)

    def _count_ranks(self, own: i64) -> None:
        """The order of the cards under each arrow, counted from 1."""
        first = HAND * own
        laid: i64 = 0
        for i in range(first, first + HAND):
            laid |= self.put[i]
        if not laid or self.version == 1:
            for i in range(first, first + HAND):
                self.rank[i] = 0
            return
        order = vec[i64]([0] * HAND)
        for i in range(i64(HAND)):
            order[i] = HAND * self.rank[first + i] + i
        for i in range(i64(HAND)):
            arrow = (self.put[first + i] + 1) // 2
            self.rank[first + i] = 0
            if arrow:
                for k in range(i64(HAND)):
                    if (self.put[first + k] + 1) // 2 == arrow and order[k] <= order[i]:
                        self.rank[first + i] += 1

    def deal_maps(self, me: i64) -> None:
        """Deal again the map cards of which a seat has seen no side."""
        before = self.step == STEP_PLAN or self.step == STEP_READY
        unknown: i64 = 0  # one bit each, by place
        known: i64 = 0  # the same by card
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
        count = 0
        for i in range(i64(N_MAPS)):
            if unknown >> i & 1:
                self.maps[i] = cards[count]
                count += 1

    def deal_words(self, hidden: list[int]) -> None:
        """Deal again the words in the deck and in hidden hands."""
        unknown = vec[i64]([0] * N_WORDS)
        for i in range(self.drawn, i64(N_WORDS)):
            unknown[self.deck[i]] = 1
        for seat in hidden:
            first = HAND * self.own(seat)
            for i in range(first, first + HAND):
                unknown[self.hand[i]] = 1
        cards = vec[i64]([0] * N_WORDS)
        count: i64 = 0
        for word in range(i64(N_WORDS)):
            if unknown[word]:
                cards[count] = word
                count += 1
        self.dice.shuffle(cards, 0, count)
        at: i64 = 0
        for seat in hidden:
            first = HAND * self.own(seat)
            for i in range(i64(HAND)):
                word = cards[at + i]
                to = first + i
                while to > first and self.hand[to - 1] > word:
                    self.hand[to] = self.hand[to - 1]
                    to -= 1
                self.hand[to] = word
            at += HAND
        for i in range(self.drawn, i64(N_WORDS)):
            self.deck[i] = cards[at]
            at += 1

    def dream(self, seat: i64) -> None:
        """Make up a plan in place of one that cannot be seen."""
        own = self.own(seat)
        here = self.start[own]
        for i in range(HAND * own, HAND * own + HAND):
            self.put[i] = 0
            self.rank[i] = 0
        for arrow in range(i64(MAX_ARROWS)):
            self.aim[MAX_ARROWS * own + arrow] = -1
        for arrow in range(self.arrows()):
            step = self.dice.below(2 * (SIZE - 1))
            along = step % (SIZE - 1)
            if step < SIZE - 1:
                here = here // SIZE * SIZE + (along if along < here % SIZE else along + 1)
            else:
                here = (along if along < here // SIZE else along + 1) * SIZE + here % SIZE
            self.aim[MAX_ARROWS * own + arrow] = here
            self.put[HAND * own + 2 * arrow] = 1 + 2 * arrow + self.dice.below(2)
            self.rank[HAND * own + 2 * arrow] = 1 if self.version > 1 else 0
        self.changes[seat] = 0
        if self.step != STEP_PLAN:
            self.used[own] = self.arrows()

    def dream_path(self, own: i64) -> None:
        """Make up a path along the arrows in place of the real one."""
        here = self.start[own]
        for n in range(self.used[own]):
            choices: list[int] = []
            for space in range(i64(SPACES)):
                if self.stands(n, space) and self.leads(n - 1, here, n, space):
                    choices.append(space)
            here = choices[self.dice.below(len(choices))]
            self.aim[MAX_ARROWS * own + n] = here
