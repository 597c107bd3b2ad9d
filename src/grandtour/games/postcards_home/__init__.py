"""Postcards Home, the smallest complete game on the kit: travel, gather postcards, and post them at the right time."""

from grandtour.engine import kit

PLACES = ("Castle", "Harbour", "Island", "Lighthouse", "Vineyard")
COPIES = 8
FULL_HAND = 7
POST_POINTS = (0, 1, 2, 4, 7, 10)
STAMP_POINTS = (0, 1, 3, 6, 10, 15)

SENTENCES = {
    "travelled": "{seat.travel} to the {to}.",
    "drew": ("{seat.draw} {card.a} postcard from the stack.", "{seat.draw} a postcard from the stack."),
    "posted": "{seat.post} {cards#postcard} from the {place}: {total#point} so far.",
    "stamped": "{seat.get} {card.a}.",
    "last": "The stack is empty: everyone has one more turn.",
}


class Holiday(kit.Position):
    """A position of Postcards Home."""

    TURN_RULE = "PH-5"
    END_RULE = "PH-13"

    travellers = kit.Track(("Home", *PLACES))
    rack = kit.Row(deal=4)
    stack = kit.Pile(cards=dict.fromkeys(PLACES, COPIES))
    stamps = kit.Row()
    postbox = kit.Pile(sees=kit.EVERYONE)
    hand = kit.Hand(deal=3)
    album = kit.Display()
    points = kit.Counts()

    def setup(self, options: kit.Options) -> None:
        self.stock(self.stamps, {f"{place} stamp": self.seats - 1 for place in PLACES})
        self.turns_left = -1

    @kit.move("Travel to the {to}", "travel to a place on the rack", "PH-6", to=kit.Names(*PLACES))
    def travel(self, seat: int, to: str) -> None:
        self.put(to, self.rack, self.hand[seat])
        self.travellers[seat] = 1 + PLACES.index(to)
        self.tell("travelled", seat=seat, to=to)
        if self.stack:
            self.deal(self.stack, self.rack)
        self.finish_turn()

    def check_travel(self, seat: int, to: str) -> kit.Check:
        if to not in self.rack:
            yield "PH-6", f"There is no postcard of the {to} on the rack."
        if len(self.hand[seat]) >= FULL_HAND and self.place(seat) in self.hand[seat]:
            yield "PH-9", "Your hand is full: post from where you are."

    @kit.move("Draw from the stack", "draw a postcard from the stack", "PH-7")
    def draw(self, seat: int) -> None:
        self.tell("drew", seat=seat, card=self.deal(self.stack, self.hand[seat]))
        self.finish_turn()

    def check_draw(self, seat: int) -> kit.Check:
        if not self.stack:
            yield "PH-7", "The stack is empty."
        if len(self.hand[seat]) >= FULL_HAND:
            yield "PH-9", "Your hand is full: you may not draw."

    @kit.move("Post from where you are", "post from where you are", "PH-8")
    def post(self, seat: int) -> None:
        place = self.place(seat)
        sent = self.put_all(self.hand[seat], self.postbox, place)
        self.points[seat] += POST_POINTS[min(len(sent), 5)]
        self.tell("posted", seat=seat, place=place, cards=sent, total=self.points[seat])
        stamp = f"{place} stamp"
        if stamp in self.stamps and stamp not in self.album[seat]:
            self.tell("stamped", seat=seat, card=self.put(stamp, self.stamps, self.album[seat]))
        self.finish_turn()

    def check_post(self, seat: int) -> kit.Check:
        if self.place(seat) not in self.hand[seat]:
            yield "PH-8", "You have no postcard of the place where you are."

    def place(self, seat: int) -> str:
        return ("Home", *PLACES)[self.travellers[seat]]

    def finish_turn(self) -> None:
        if self.turns_left > 0:
            self.turns_left -= 1
        elif not self.stack:
            self.turns_left = int(self.seats)
            self.tell("last")
        if self.turns_left == 0:
            self.end()
        self.next_turn()

    def score(self, seat: int) -> dict[str, int]:
        stamps = STAMP_POINTS[len(self.album[seat])]
        return {"Postcards": self.points[seat], "Stamps": stamps, "Cards in hand": -len(self.hand[seat])}

    def tie_break(self, seat: int) -> int:
        return len(self.album[seat])


GAME = kit.make_game(
    __name__,
    Holiday,
    title="Postcards Home",
    subtitle="Anywhere",
    summary="Travel, gather postcards, and post them before the others do: only the first get a stamp.",
    players=(2, 4),
    minutes=10,
    sentences=SENTENCES,
)
