"""A player who knows only what the page shows, and presses only what it highlights."""

import random
import time
from collections.abc import Callable
from typing import Self

from playwright.sync_api import Locator, Page, expect

from tests.server.client import PATIENCE

Press = Callable[[Locator], None]

TO_DO = "[data-usable]:enabled:not([aria-pressed=true]), [data-testid=end-turn], [data-testid=final]"
"""Matches when the page waits for this player, or the game is over. Chosen tickets can always be put back."""


class Player:
    """Plays by pressing things. `press` does it by mouse, touch or keyboard."""

    def __init__(self, page: Page, press: Press = Locator.click, seed: int = 1) -> None:
        self.page = page
        self.press = press
        self.prompt = page.get_by_test_id("prompt")
        self.hand = page.get_by_test_id("ticket")
        self.final = page.get_by_test_id("final")
        self.log = page.get_by_test_id("log")
        self.tray = page.get_by_test_id("tray")
        self.refusal = page.get_by_test_id("refusal")
        self.open_piles = page.locator("[data-testid^=pile-][data-usable]")
        self.exchanges = page.locator("[data-testid^=exchange-][data-usable]")
        self.done: set[str] = set()
        self._dice = random.Random(seed)

    def button(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def pile(self, city: str) -> Locator:
        return self.page.get_by_test_id(f"pile-{city}")

    def ticket(self, name: str) -> Locator:
        """A ticket of the hand that is not chosen yet."""
        return self.page.locator(f"[data-testid=ticket][data-ticket={name}][aria-pressed=false]").first

    def tickets(self) -> list[str]:
        """The names of the tickets in hand."""
        return [held.get_attribute("data-ticket") or "" for held in self.hand.all()]

    def wait(self) -> Self:
        """Wait until there is something to do, or the game is over."""
        self.page.locator(TO_DO).first.wait_for()
        return self

    def over(self) -> bool:
        return self.final.is_visible()

    def play(self, look: Callable[[], None] = lambda: None) -> None:
        """Play the whole game. `look` is called before every decision."""
        while not self.wait().over():
            look()
            self.move()

    def asked(self) -> bool:
        """Whether the page waits for this player."""
        return self.page.locator(TO_DO).count() > 0

    def move(self) -> None:
        """Do something that is highlighted. Fails if it is refused."""
        self._move()
        assert not self.refusal.is_visible(), f"the page offered it, and it is refused: {self.refusal.inner_text()}"

    def _move(self) -> None:
        if self.open_piles.count():
            self.take(self._dice.choice(self.open_piles.all()))
        elif self.button("give").is_visible():
            self.give(self._dice.choice(self._highlighted()))
        else:
            self._act()

    def take(self, pile: Locator) -> None:
        self.press(pile)
        expect(self.open_piles).to_have_count(0)
        self.done.add("take")

    def give(self, ticket: Locator) -> None:
        """The button may come back at once: a bot that has received a ticket can ask for another."""
        board = self.page.locator(".board")
        before = board.get_attribute("data-n") or ""
        self.press(ticket)
        self.press(self.button("give"))
        expect(board).not_to_have_attribute("data-n", before)
        self.done.add("give")

    def choose(self, *names: str) -> None:
        for name in names:
            self.press(self.ticket(name))

    def choose_nothing(self) -> None:
        """Put the chosen tickets back."""
        chosen = self.page.locator("[data-testid=ticket][aria-pressed=true]")
        while chosen.count():
            self.press(chosen.first)

    def _highlighted(self) -> list[Locator]:
        """Highlighted tickets that are not chosen yet."""
        return self.page.locator("[data-testid=ticket][data-usable][aria-pressed=false]").all()

    def _act(self) -> None:
        """Make a round trip if the highlighted tickets allow one; otherwise exchange, or end the turn."""
        self.choose_nothing()
        chosen = 0
        while leading := self._highlighted():
            if chosen == 1 and self.exchanges.count() and self._dice.random() < 0.2:
                break
            self.press(self._dice.choice(leading))
            chosen += 1
        if chosen > 1:
            self._finish("lay")
        elif chosen == 1 and self.exchanges.count() and self._dice.random() < 0.5:
            self.press(self.exchanges.first)
            expect(self.exchanges).to_have_count(0)
            self.done.add("exchange")
        elif self.button("discard").is_visible():
            self._finish("discard")
        else:
            self._finish("end-turn")

    def _finish(self, testid: str) -> None:
        self.press(self.button(testid))
        expect(self.button(testid)).to_be_hidden()
        self.done.add(testid)


def player_to_move(*players: Player) -> Player:
    """The player the game waits for."""
    deadline = time.monotonic() + PATIENCE
    while True:
        for player in players:
            if player.asked():
                return player
        assert time.monotonic() < deadline, "the game waits for none of them"
