"""Positions of Itchy Feet in a few words: hands, countries, piles. All other cards are in the draw pile."""

from collections import Counter
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from grandtour import testing
from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.games.itchy_feet import GAME
from grandtour.games.itchy_feet.mechanics.hidden import CARD, OTHER, PAPERS
from grandtour.games.itchy_feet.mechanics.packs import ONE, listed
from grandtour.games.itchy_feet.parts import CHARACTERS, COUNTRY_NAMES, EVENTS, KIND, SPECIALS
from grandtour.games.itchy_feet.rules import State

ALL = {"events": True, "special_items": True, "forbidden_items": True, "postcards": True}
JAPAN = ["Rain Jacket", "Power Adapter", "Camera"]
GERMANY = ["Hiking Boots", "Power Adapter", "Local Cash"]


def pack(cards: list[str]) -> int:
    return sum(int(ONE[KIND[card]]) for card in cards)


def nothing_known(hands: list[list[str]], viewer: int, holder: int) -> int:
    """What a viewer can tell of a hand of which it knows nothing but the number of cards."""
    return 0 if viewer == holder else len(hands[holder]) * (CARD + OTHER + PAPERS)


class Table(testing.Table[State]):
    """A table in a given position, on seat 0's turn. No player has travelled, and nobody knows a card. The extensions
    are those that the named cards belong to, unless given otherwise. A seat without a hand holds a passport."""

    def __init__(
        self, *hands: list[str], seats: int = 3, seed: int = 0, version: int | None = None, **given: Any
    ) -> None:
        given["hands"] = [*hands, *([["Passport"]] * (seats - len(hands)))]
        super().__init__(GAME, seats, _extensions(given), seed, version=version, **given)

    def arrange(
        self,
        *,
        hands: list[list[str]],
        draw: list[str] | None = None,
        pile: list[str] | None = None,
        discards: list[str] | None = None,
        own: list[str] | None = None,
        centre: str = "Germany",
        visited: list[int] | None = None,
        roles: list[str] | None = None,
        owners: dict[str, int] | None = None,
    ) -> None:
        """Set up a position.

        draw      the top of the draw pile, the next card first; the cards named nowhere are shuffled under it
        pile      the whole draw pile, for a pile that is about to run out; all other cards are then out of the game
        roles     the character of each seat
        """
        state = self.state
        seats = len(hands)
        state.hand = vec[i64]([pack(hand) for hand in hands])
        state.size = vec[i64]([len(hand) for hand in hands])
        state.known = vec[i64]([0] * (seats * (seats + 1)))
        state.unknown = vec[i64]([nothing_known(hands, *divmod(at, seats)) for at in range(seats * (seats + 1))])
        state.discards = pack(discards or [])
        self._lay_countries(own or ["Japan", "France", "Kenya", "Egypt", "India", "Mexico"][:seats], centre)
        for seat in visited or []:
            state.visited |= 1 << seat
        for seat, name in enumerate(roles or []):
            state.character[seat] = CHARACTERS.index(name)
        self._lay_piles(_named(hands, draw, pile, discards), draw or [], pile)
        for country, owner in (owners or {}).items():
            state.owner[COUNTRY_NAMES.index(country)] = owner
        state.starter = state.turn = 0

    def _lay_countries(self, own: list[str], centre: str) -> None:
        state = self.state
        state.centre = COUNTRY_NAMES.index(centre)
        if not state.bucket:
            state.country = vec[i64]([COUNTRY_NAMES.index(name) for name in own])
        used = [state.centre, *state.country]
        state.unused = vec[i64]([country for country in range(13) if country not in used])
        state.spare = state.unseen = len(state.unused)

    def _lay_piles(self, named: list[str], draw: list[str], pile: list[str] | None) -> None:
        state = self.state
        if pile is None:
            rest = Counter(listed(state.in_play)) - Counter(named)
            below = [KIND[card] for card in rest.elements() if card not in EVENTS]
        else:
            draw, below = pile, []
            state.in_play = pack(named)
        cards = [*below, *(KIND[card] for card in reversed(draw))]
        if pile is None:
            # Events not mentioned are at the bottom, so that none comes up by chance.
            cards = [KIND[card] for card in rest.elements() if card in EVENTS] + cards
        state.left = len(cards)
        state.deck = vec[i64](cards + [0] * (70 - len(cards)))
        state.stock = sum(int(ONE[card]) for card in cards) if pile is not None else state.in_play

    def hand(self, seat: int) -> list[str]:
        return listed(self.state.hand[seat])

    def discards(self) -> list[str]:
        return listed(self.state.discards)

    def known(self, viewer: int, holder: int) -> list[str]:
        player: dict[str, Any] = self.view(viewer)["players"][holder]
        return list(player["known"])


def _named(hands: list[list[str]], *piles: list[str] | None) -> list[str]:
    return [card for cards in (*hands, *piles) for card in cards or []]


def _extensions(given: dict[str, Any]) -> dict[str, Any]:
    """The extensions that the named cards belong to."""
    named = _named(given["hands"], *(given.get(pile) for pile in ("draw", "pile", "discards")))
    roles = given.get("roles")
    return {
        "events": any(card in EVENTS for card in named),
        "special_items": any(card in SPECIALS for card in named),
        "forbidden_items": "Forbidden Item" in named or "Customs Bribe" in named or "The Smuggler" in (roles or []),
        "postcards": "Postcard" in named,
        "characters": roles is not None,
    }


def fresh(seats: int, seed: int = 0, **options: Any) -> State:
    """A new game."""
    return GAME.new(seats, check_options(GAME.options, options), QuickDice(seed))
