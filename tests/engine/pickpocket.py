"""Pickpocket, a game that uses what Postcards Home does not: cards passed on unseen, discards that are shuffled into a
new deck, a choice of players, a number on the table, and dice."""

from grandtour.engine import kit
from grandtour.engine.kit import bot

COINS = {"Copper": 6, "Silver": 4, "Gold": 2}
ROUNDS = 6

RULEBOOK = "**PP-1** Turns. **PP-2** Draw. **PP-3** Slip. **PP-4** Bury. **PP-5** Show. **PP-6** Pick. **PP-7** End."

SENTENCES = {
    "drew": ("{seat.draw} {card.a}.", "{seat.draw} a coin."),
    "slipped": ("{seat.slip} {card.a} to {to.player}.", "{seat.slip} a coin to {to.player}."),
    "buried": ("{seat.bury} {card.a}.", "{seat.bury} a coin."),
    "emptied": ("{seat.empty} {seat.whose} purse: {cards}.", "{seat.empty} {seat.whose} purse."),
    "showed": "{seat.show} {card.a}.",
    "picked": ("{seat.take} {card.a} from {of.player}.", "{seat.take} a coin from {of.player}."),
    "rolled": "{seat.roll} {number}.",
}


class Purses(kit.Position):
    """A position of Pickpocket."""

    TURN_RULE = "PP-1"
    END_RULE = "PP-7"

    hoard = kit.Pile(cards=COINS)
    shown = kit.Pile(sees=kit.EVERYONE)
    purse = kit.Hand(deal=2)
    luck = kit.Count("Luck", start=3)

    @kit.move("Draw", "draw a coin", "PP-2")
    def take(self, seat: int) -> None:
        if not self.hoard:
            self.put_all(self.shown, self.hoard)
            self.shuffle(self.hoard)
        self.tell("drew", seat=seat, card=self.deal(self.hoard, self.purse[seat]))
        self.finish()

    def check_take(self, seat: int) -> kit.Check:
        if not self.hoard and not self.shown:
            yield "PP-2", "There are no coins."

    @kit.move("Slip {card} to {to}", "slip a coin to somebody", "PP-3", card=kit.Names(*COINS), to=kit.Player(3))
    def slip(self, seat: int, card: str, to: int) -> None:
        self.tell("slipped", seat=seat, to=to, card=self.put(card, self.purse[seat], self.purse[to]))
        self.finish()

    def check_slip(self, seat: int, card: str, to: int) -> kit.Check:
        if to == seat:
            yield "PP-3", "Give it to another player."
        if card not in self.purse[seat]:
            yield "PP-3", f"You have no {card}."

    @kit.move("Bury {card}", "bury a coin", "PP-4", card=kit.Names(*COINS))
    def bury(self, seat: int, card: str) -> None:
        self.tell("buried", seat=seat, card=self.put(card, self.purse[seat], self.hoard))
        self.finish()

    def check_bury(self, seat: int, card: str) -> kit.Check:
        if card not in self.purse[seat]:
            yield "PP-4", f"You have no {card}."

    @kit.move("Empty your purse", "empty your purse", "PP-4")
    def empty(self, seat: int) -> None:
        self.tell("emptied", seat=seat, cards=self.put_all(self.purse[seat], self.hoard))
        self.shuffle(self.hoard)
        self.finish()

    def check_empty(self, seat: int) -> kit.Check:
        if len(self.purse[seat]) < 2:
            yield "PP-4", "A single coin can be buried."

    @kit.move("Show {card}", "show a coin", "PP-5", card=kit.Names(*COINS))
    def show(self, seat: int, card: str) -> None:
        self.tell("showed", seat=seat, card=self.put(card, self.purse[seat], self.shown))
        self.luck = self.roll(6)
        self.tell("rolled", seat=seat, number=self.luck)
        self.finish()

    def check_show(self, seat: int, card: str) -> kit.Check:
        if card not in self.purse[seat]:
            yield "PP-5", f"You have no {card}."

    @kit.move("Pick the pocket of {of}", "pick a pocket", "PP-6", of=kit.Player(3))
    def pick(self, seat: int, of: int) -> None:
        self.tell("picked", seat=seat, of=of, card=self.put_random(self.purse[of], self.purse[seat]))
        self.finish()

    def check_pick(self, seat: int, of: int) -> kit.Check:
        if of == seat or not self.purse[of]:
            yield "PP-6", "There is nothing to pick."

    def finish(self) -> None:
        self.next_turn()
        if self.round > ROUNDS:
            self.end()

    def score(self, seat: int) -> dict[str, int]:
        return {"Coins": sum(list(COINS).index(coin) + self.luck for coin in self.purse[seat])}


PICKPOCKET = kit.make_game(
    __name__,
    Purses,
    title="Pickpocket",
    summary="",
    players=(2, 3),
    minutes=5,
    sentences=SENTENCES,
    rulebook=lambda: RULEBOOK,
    choose=bot.quick,
)
