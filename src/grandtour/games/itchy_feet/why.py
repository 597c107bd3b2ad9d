"""Why a hint suggests a move in Itchy Feet, in a sentence, from what the seat knows."""

from typing import Final

from grandtour.engine import words as say
from grandtour.games.itchy_feet.mechanics.packs import CREDIT_CARD, FORBIDDEN, NEEDS, ONE, PASSPORT, POSTCARD, count
from grandtour.games.itchy_feet.parts import CARDS, COUNTRIES, COUNTRY_NAMES, IN_HAND, ITEMS_PER_COUNTRY, KIND, N_ITEMS
from grandtour.games.itchy_feet.rules import MOVES, State
from grandtour.games.itchy_feet.words import card_list, with_article

PLAYED: Final = {
    "Local Guide": "You choose the best of the next four cards.",
    "Trading Post": "You swap cards you do not need for new ones.",
    "Poorly Drawn Map": "Another country may suit your hand better, or a rival's hand worse.",
    "Red-Eye Flight": "You get a second action this turn.",
    "Customs Bribe": "It gets rid of your forbidden luggage.",
    "Lost and Found": "The discard pile has a card that helps you more.",
    "Mousetrap": "It stops the theft and ends that turn.",
    "Passport Control": "It stops the journey and ends that turn.",
}


def why(state: State, seat: int, move: int) -> str:
    """A reason for a legal move."""
    named = MOVES.name(move)
    goal = Goal(state, seat)
    card = KIND[named["card"]] if "card" in named else -1
    match named["do"]:
        case "travel" | "travel-on-credit":
            if state.visited >> seat & 1:
                return "Reaching the centre wins the game."
            return f"You have everything {goal.country} asks for."
        case "travel-with":
            return f"You have what {goal.country} asks for, and it counts as one more country."
        case "steal-country":
            return "It is one more country for you and one fewer for a rival."
        case "discard" | "give" | "hand-on":
            return goal.parting(card)
        case "take" | "want":
            return goal.gaining(card)
        case "return":
            return "The last card you put back is the next to be drawn."
        case "draw":
            return f"Drawing is free. {goal.needs()}"
        case "steal":
            return _from(state, seat, goal, named["from"], f"{say.placeholder(named['from'])} does not have to agree.")
        case "trade":
            return _from(state, seat, goal, named["with"], "If you agree, you also draw a bonus card.")
        case "get-rid":
            return "You cannot travel with a forbidden item."
        case "smuggle":
            return "A forbidden item keeps its owner from travelling: better theirs than yours."
        case "play":
            return PLAYED.get(named["card"], goal.needs())
        case "recycle":
            found = [kind for kind in goal.wanted() if count(state.discards, kind)]
            if found:
                return f"The discard pile has {card_list([CARDS[kind] for kind in found])}, which you need."
            return goal.needs()
        case "redraw":
            if named["seat"] == seat:
                return f"Another country may ask for more of what you have than {goal.country}."
            return "Another country may ask for less of what that player has."
        case "accept" | "decline":
            return _answer(state, seat, goal, named["do"] == "accept")
        case "counter":
            return f"You could ask for something you need more. {goal.needs()}"
        case "propose":
            return "Both sides gain from it." if state.gives and state.wants else goal.needs()
        case "allow":
            return "The card is worth more kept for later."
        case "stop" | "withdraw":
            return "There is nothing more to gain here."
        case "pass":
            return "Every action would cost you more than it brings."
        case "quiet" | "ask-me":
            return "It only changes whether you are asked for reactions."
    return goal.needs()


class Goal:
    """A seat's next country, and what it needs to travel there."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.hand = state.hand[seat]
        self.to = int(state.centre if state.bucket or state.visited >> seat & 1 else state.country[seat])
        self.country = COUNTRY_NAMES[self.to] if self.to >= 0 else "the next country"

    def missing(self) -> list[int]:
        """The items that are still missing for the country. In Bucket List, one of the three is enough."""
        if self.to < 0:
            return []
        items = [kind for kind in COUNTRIES[self.to].items if not count(self.hand, kind)]
        return items if not self.state.bucket or len(items) == ITEMS_PER_COUNTRY else []

    def wanted(self) -> list[int]:
        """The cards that are still missing to travel."""
        return self.missing() + ([] if count(self.hand, PASSPORT) else [int(PASSPORT)])

    def needs(self) -> str:
        """What the seat still needs to travel."""
        if count(self.hand, FORBIDDEN):
            return "You cannot travel before your forbidden luggage is gone."
        wanted = self.wanted()
        if not wanted:
            return f"You have everything for {self.country}; more cards help with what comes after it."
        if self.missing() and self.state.bucket:
            return f"{self.country} asks for {say.join_or([with_article(CARDS[kind]) for kind in wanted])}."
        return f"{self.country} still needs {card_list([CARDS[kind] for kind in wanted])}."

    def asks_for(self, kind: int) -> bool:
        return self.to >= 0 and kind < N_ITEMS and bool(NEEDS[self.to] & ONE[kind])

    def gaining(self, kind: int) -> str:
        """A reason to get a card."""
        if kind == PASSPORT:
            return "Nobody travels without a passport." if not count(self.hand, kind) else "A second passport is safer."
        if kind == POSTCARD:
            return "Four postcards win the game."
        if self.asks_for(kind):
            return f"{self.country} asks for {with_article(CARDS[kind])}."
        if kind == CREDIT_CARD:
            return "Mom's Credit Card stands in for any item."
        if kind < N_ITEMS:
            return f"{self.country} does not ask for it, but it may be of use later or in a trade."
        return "It is the most useful card here."

    def parting(self, kind: int) -> str:
        """A reason to give up a card."""
        if count(self.hand, kind) > 1:
            return f"You have more than one {CARDS[kind]}."
        if kind == FORBIDDEN:
            return "You cannot travel with a forbidden item."
        if self.asks_for(kind):
            return f"{self.country} asks for it, but you would miss your other cards more."
        if kind < N_ITEMS:
            return f"{self.country} does not ask for {with_article(CARDS[kind])}."
        return "It is the card you would miss least."


def _from(state: State, seat: int, goal: Goal, other: int, advantage: str) -> str:
    """A reason to get a card from another player, whose cards may be unknown."""
    known = state.known[state.seats * seat + other]
    found = [CARDS[kind] for kind in goal.wanted() if count(known, kind)]
    if found:
        return f"{say.placeholder(other)} has {card_list(found)}, which you need."
    return f"{advantage} {goal.needs()}"


def _answer(state: State, seat: int, goal: Goal, accept: bool) -> str:
    """A reason to accept or decline an offer."""
    mine = seat == state.speaker
    gets = state.wants if mine else state.gives
    gives = state.gives if mine else state.wants
    got = [kind for kind in range(IN_HAND) if count(gets, kind)]
    given = [kind for kind in range(IN_HAND) if count(gives, kind)]
    useful = [CARDS[kind] for kind in got if kind in goal.wanted()]
    needed = [CARDS[kind] for kind in given if goal.asks_for(kind) and count(goal.hand, kind) < 2]
    if accept:
        return f"You need {card_list(useful)}." if useful else "What you get is worth more to you than what you give."
    return f"{goal.country} asks for {card_list(needed)}." if needed else "It would help them more than you."
