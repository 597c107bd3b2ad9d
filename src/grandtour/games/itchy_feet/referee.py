"""The referee: the rules written a second time, for people. It says why a move is refused, by paragraph of
`rulebook.md`.

It shares nothing with `rules.py`: every check reads the fields of the position and stands alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from grandtour.engine import words
from grandtour.engine.refusal import Objection
from grandtour.engine.vocabulary import Named
from grandtour.games.itchy_feet import state as table
from grandtour.games.itchy_feet.mechanics import actions
from grandtour.games.itchy_feet.mechanics.packs import listed
from grandtour.games.itchy_feet.parts import (
    CARDS,
    CHARACTERS,
    COUNTRIES,
    COUNTRY_NAMES,
    EVENTS,
    HAND_LIMIT,
    MAX_COUNTERS,
    OVERPACKER_LIMIT,
    SPECIALS,
    TRAY_SIZE,
)
from grandtour.games.itchy_feet.rules import MOVES, State

FORBIDDEN: Final = "Forbidden Item"
CREDIT_CARD: Final = "Mom's Credit Card"

REQUIRED: Final[dict[int, tuple[tuple[str, ...], str, str]]] = {
    table.PAY: (("discard", "stop"), "IF-16", "First discard what your action asks for."),
    table.TAKE: (("take",), "IF-25", "First take a card from the discard pile."),
    table.REACT: (("play", "allow"), "IF-67", "You are asked for a reaction: play one, or let it happen."),
    table.PICK: (("take",), "IF-92", "First take one of the two cards you are looking at."),
    table.TRAY: (("give", "want", "propose", "withdraw"), "IF-30", "First propose what is on the tray, or withdraw."),
    table.ANSWER: (("accept", "decline", "counter"), "IF-35", "First answer the offer."),
    table.LOOK: (("take", "stop"), "IF-71", "First take one of the cards you are looking at."),
    table.RETURN: (("return",), "IF-71", "First put back the cards you are looking at."),
    table.REDRAW: (("redraw",), "IF-75", "First choose whose country is replaced."),
    table.MIX: (("hand-on",), "IF-59", "First choose a card to pass to your left."),
    table.LIMIT: (("discard",), "IF-19", "First discard down to your hand limit."),
}
"""For each step except the choice of an action: the moves that are possible, and the objection to any other."""

ACTIONS: Final = (
    *("draw", "recycle", "steal", "trade", "get-rid", "travel", "travel-on-credit", "travel-with", "steal-country"),
    *("play", "smuggle", "pass"),
)


def objection(state: State, seat: int, move: int) -> Objection | None:
    """Why a seat may not make a move: the first paragraph it breaks, or None if it is legal."""
    return next(_objections(state, seat, MOVES.name(move)), None)


def _objections(state: State, seat: int, named: Named) -> Iterator[Objection]:
    """All objections to a move. A later check may rely on the earlier ones."""
    verb = named["do"]
    if state.step == table.OVER:
        yield Objection("IF-48", "The game is over.")
    if verb in ("quiet", "ask-me"):
        yield from _change_reactions(state, seat, verb)
        return
    yield from _not_your_move(state, seat)
    if state.step == table.ACT:
        if verb not in ACTIONS:
            yield Objection("IF-16", "Choose an action first.")
    else:
        due, rule, sentence = REQUIRED[state.step]
        if verb not in due:
            yield Objection(rule, sentence)
    yield from CHECKS[verb](state, seat, named)


def _not_your_move(state: State, seat: int) -> Iterator[Objection]:
    if state.step == table.MIX:
        if state.size[seat] == 0:
            yield Objection("IF-59", "You have no card to pass on.")
        if state.chosen[seat] >= 0:
            yield Objection("IF-59", "You have already chosen a card.")
    elif state.step == table.LIMIT:
        if state.size[seat] <= limit(state, seat):
            yield Objection("IF-20", "Others have to discard first.")
        if not payable(state, seat):
            yield Objection("IF-82", "You have nothing to discard.")
    elif state.step == table.REACT:
        if seat != state.asked:
            yield Objection("IF-67", "Another player is being asked for a reaction.")
    elif state.step == table.TRAY:
        if seat != state.speaker:
            yield Objection("IF-30", "An offer is being put together.")
    elif state.step == table.ANSWER:
        if {seat, int(state.speaker)} != {int(state.turn), int(state.partner)} or seat == state.speaker:
            yield Objection("IF-35", "Another player has to answer the offer.")
    elif seat != state.turn:
        yield Objection("IF-16", "It is not your turn.")


def _change_reactions(state: State, seat: int, verb: str) -> Iterator[Objection]:
    if not any(card in SPECIALS for card in listed(state.in_play)):
        yield Objection("IF-61", "Without special items nobody is ever asked for a reaction.")
    if state.hushed >> seat & 1:
        yield Objection("IF-68", "You can change this only once per turn.")
    if verb == "quiet" and state.quiet >> seat & 1:
        yield Objection("IF-68", "You have already said that you do not want to be asked.")
    if verb == "ask-me" and not state.quiet >> seat & 1:
        yield Objection("IF-68", "You are already being asked.")


def hand(state: State, seat: int) -> Counter[str]:
    return Counter(listed(state.hand[seat]))


def limit(state: State, seat: int) -> int:
    return OVERPACKER_LIMIT if character(state, seat) == "The Overpacker" else HAND_LIMIT


def character(state: State, seat: int) -> str:
    return CHARACTERS[state.character[seat]] if state.character[seat] >= 0 else ""


def payable(state: State, seat: int) -> Counter[str]:
    """The cards that a seat could discard."""
    cards = hand(state, seat)
    del cards[FORBIDDEN]
    return cards


def on_discard_pile(state: State) -> Counter[str]:
    """The cards that could be taken from the discard pile."""
    return Counter(card for card in listed(state.discards) if card not in EVENTS)


def _seated(state: State, seat: int, other: int, rule: str) -> Iterator[Objection]:
    if other >= state.seats:
        yield Objection(rule, "There is no such player.")
    if other == seat:
        yield Objection(rule, "Choose another player, not yourself.")


def _draw(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if not state.left and not state.discards:
        yield Objection("IF-24", "There is no card to draw: both piles are empty.")


def _recycle(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if not on_discard_pile(state):
        yield Objection("IF-26", "There is no card on the discard pile that you can take.")
    cost = 1 if character(state, seat) == "The Second-Hander" else 2
    cards = payable(state, seat).total()
    if cards < cost and hand(state, seat).total() >= cost:
        yield Objection("IF-81", "You cannot recycle with a forbidden item.")
    if cards < cost:
        yield Objection("IF-25", f"To recycle you must discard {'a card' if cost == 1 else 'two cards'}.")


def _steal(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _seated(state, seat, named["from"], "IF-41")
    if not hand(state, named["from"]):
        yield Objection("IF-42", "That player has no cards.")
    if not payable(state, seat):
        rule = "IF-81" if hand(state, seat) else "IF-41"
        yield Objection(rule, "To steal you must discard a card that is not forbidden.")


def _trade(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _seated(state, seat, named["with"], "IF-29")
    if state.offers >= state.offer_limit:
        yield Objection("IF-37", "You have no offers left this turn.")
    if not hand(state, seat):
        yield Objection("IF-30", "You have no card to trade.")
    if not hand(state, named["with"]):
        yield Objection("IF-30", "That player has no card to trade.")


def _get_rid(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if not hand(state, seat)[FORBIDDEN]:
        yield Objection("IF-80", "You hold no forbidden item.")
    if not payable(state, seat):
        yield Objection("IF-80", "You must discard another card with it, but you have none.")


def destination(state: State, seat: int) -> str:
    """Where a seat travels next."""
    if state.bucket or state.visited >> seat & 1:
        return COUNTRY_NAMES[state.centre]
    return COUNTRY_NAMES[state.country[seat]]


def items(country: str) -> list[str]:
    """What a country asks for."""
    return [CARDS[item] for item in COUNTRIES[COUNTRY_NAMES.index(country)].items]


def _may_travel(state: State, seat: int) -> Iterator[Objection]:
    cards = hand(state, seat)
    if state.travelled:
        yield Objection("IF-47", "You have already travelled this turn.")
    if cards[FORBIDDEN]:
        yield Objection("IF-79", "You cannot travel with a forbidden item in your hand.")


def _lacking(state: State, seat: int, needed: list[str]) -> str:
    """Which of a passport and the needed items a seat does not hold, in words; empty if it holds them all."""
    cards = [card for card in ("Passport", *needed) if not hand(state, seat)[card]]
    return words.join_and(cards) if cards else ""


def _travel(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _classic_only(state)
    yield from _may_travel(state, seat)
    country = destination(state, seat)
    if lacking := _lacking(state, seat, items(country)):
        yield Objection("IF-44", f"For {country} you still need: {lacking}.")


def _classic_only(state: State) -> Iterator[Objection]:
    if state.bucket:
        yield Objection("IF-99", "In Bucket List you travel with one card that the country asks for.")


def _travel_on_credit(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _classic_only(state)
    yield from _may_travel(state, seat)
    country = destination(state, seat)
    lacking = _lacking(state, seat, [item for item in items(country) if item != named["item"]])
    if not hand(state, seat)["Passport"]:
        yield Objection("IF-44", f"For {country} you still need: {lacking}.")
    if not hand(state, seat)[CREDIT_CARD]:
        yield Objection("IF-69", "You do not hold Mom's Credit Card.")
    if named["item"] not in items(country):
        yield Objection("IF-69", f"{country} does not ask for that.")
    if lacking:
        yield Objection("IF-69", f"Mom's Credit Card stands in for one item only; you still need: {lacking}.")


def _travel_with(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if not state.bucket:
        yield Objection("IF-44", "One item is not enough: you need all three.")
    yield from _may_travel(state, seat)
    country, cards = destination(state, seat), hand(state, seat)
    fitting = (*items(country), CREDIT_CARD)
    lacking = [] if cards["Passport"] else ["Passport"]
    if not any(cards[card] for card in fitting):
        lacking.append(words.join_or(items(country)))
    if lacking:
        rule = "IF-99" if cards["Passport"] else "IF-44"
        yield Objection(rule, f"For {country} you still need: {words.join_and(lacking)}.")
    if named["card"] not in fitting:
        yield Objection("IF-99", f"{country} does not ask for that.")
    if not cards[named["card"]]:
        yield Objection("IF-99", "You do not hold that card.")


def _steal_country(state: State, seat: int, named: Named) -> Iterator[Objection]:
    country = named["country"]
    if not state.bucket:
        yield Objection("IF-101", "Countries are stolen in Bucket List only.")
    if state.owner[COUNTRY_NAMES.index(country)] in (-1, seat):
        yield Objection("IF-101", "No other player has that country.")
    if sum(1 for item in items(country) if hand(state, seat)[item]) < 2:
        yield Objection("IF-102", f"You need two different items that {country} shows.")


def _play(state: State, seat: int, named: Named) -> Iterator[Objection]:
    card = named["card"]
    if not hand(state, seat)[card]:
        yield Objection("IF-61", f"You do not hold {card}.")
    if state.step == table.REACT:
        fitting = "Mousetrap" if state.purpose == actions.FOR_STEAL else "Passport Control"
        if card != fitting:
            yield Objection("IF-63" if fitting == "Mousetrap" else "IF-66", f"Only {fitting} would help now.")
        return
    yield from PLAYS[card](state, seat)


def _only_when_stolen_from(state: State, seat: int) -> Iterator[Objection]:
    yield Objection("IF-63", "You can only play the Mousetrap when somebody steals from you.")


def _only_when_another_travels(state: State, seat: int) -> Iterator[Objection]:
    yield Objection("IF-66", "You can only play Passport Control when another player travels.")


def _only_with_a_travel(state: State, seat: int) -> Iterator[Objection]:
    yield Objection("IF-69", "Mom's Credit Card is used when you travel.")


def _trading_post(state: State, seat: int) -> Iterator[Objection]:
    if payable(state, seat).total() < 2:
        yield Objection("IF-73", "You need another card to discard.")


def _poorly_drawn_map(state: State, seat: int) -> Iterator[Objection]:
    if all(state.visited >> other & 1 for other in range(state.seats)):
        yield Objection("IF-75", "Everybody has already travelled to their own country.")


def _red_eye_flight(state: State, seat: int) -> Iterator[Objection]:
    if state.acted:
        yield Objection("IF-76", "The Red-Eye Flight is played before your first action.")
    if state.flown:
        yield Objection("IF-76", "You can play only one Red-Eye Flight per turn.")


def _customs_bribe(state: State, seat: int) -> Iterator[Objection]:
    if not hand(state, seat)[FORBIDDEN]:
        yield Objection("IF-77", "You hold no forbidden item.")


def _lost_and_found(state: State, seat: int) -> Iterator[Objection]:
    if not on_discard_pile(state):
        yield Objection("IF-78", "There is no card on the discard pile that you can take.")


def _any_time(state: State, seat: int) -> Iterator[Objection]:
    yield from ()


PLAYS: Final[dict[str, Callable[[State, int], Iterator[Objection]]]] = {
    "Mousetrap": _only_when_stolen_from,
    "Mom's Credit Card": _only_with_a_travel,
    "Local Guide": _any_time,
    "Trading Post": _trading_post,
    "Poorly Drawn Map": _poorly_drawn_map,
    "Red-Eye Flight": _red_eye_flight,
    "Customs Bribe": _customs_bribe,
    "Lost and Found": _lost_and_found,
    "Passport Control": _only_when_another_travels,
}


def _smuggle(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if character(state, seat) != "The Smuggler":
        yield Objection("IF-88", "Only the Smuggler can do that.")
    yield from _seated(state, seat, named["to"], "IF-88")
    if state.acted:
        yield Objection("IF-88", "You can smuggle only before your first action.")
    if state.smuggled:
        yield Objection("IF-88", "You have already smuggled this turn.")
    if not hand(state, seat)[FORBIDDEN]:
        yield Objection("IF-89", "You hold no forbidden item.")


def _pass(state: State, seat: int, named: Named) -> Iterator[Objection]:
    """A player may pass only if no other action is possible, except making an offer."""
    for move in range(MOVES.size):
        tried = MOVES.name(move)
        if tried["do"] in ("pass", "trade", "smuggle") or tried["do"] not in ACTIONS:
            continue
        if tried.get("card") in ("Red-Eye Flight", "Customs Bribe"):
            continue
        if next(CHECKS[tried["do"]](state, seat, tried), None) is None:
            yield Objection("IF-17", "You may pass only when you can do nothing else.")


def _discard(state: State, seat: int, named: Named) -> Iterator[Objection]:
    card = named["card"]
    if card == FORBIDDEN:
        rule = "IF-81" if state.step == table.LIMIT or state.purpose != actions.FOR_POST else "IF-82"
        yield Objection(rule, "A forbidden item cannot be discarded.")
    if not hand(state, seat)[card]:
        yield Objection("IF-16", f"You do not hold this card: {card}.")
    if state.step == table.PAY and state.purpose == actions.FOR_COUNTRY:
        if card not in items(COUNTRY_NAMES[state.target]):
            yield Objection("IF-102", f"{COUNTRY_NAMES[state.target]} does not show that.")
        if card in listed(state.paid):
            yield Objection("IF-102", "The two items must be different.")


def _take(state: State, seat: int, named: Named) -> Iterator[Objection]:
    card = named["card"]
    if state.step == table.PICK:
        if card not in listed(state.pair):
            yield Objection("IF-92", "That is not one of the two cards you are looking at.")
    elif state.step == table.LOOK:
        if card not in looked_at(state):
            yield Objection("IF-71", "That is not one of the cards you are looking at.")
    else:
        piled = on_discard_pile(state)
        if not piled[card]:
            yield Objection("IF-25", f"This card is not on the discard pile: {card}.")
        if piled[card] <= listed(state.paid).count(card):
            rule = "IF-26" if state.purpose == actions.FOR_RECYCLE else "IF-78"
            yield Objection(rule, "You cannot take back what you have just discarded.")


def looked_at(state: State) -> list[str]:
    """What the Local Guide shows, the top card first."""
    places = range(state.left - 1, state.left - state.looked - 1, -1)
    return [CARDS[state.deck[place] % table.VIEWER_BITS] for place in places]


def _return(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if named["card"] not in looked_at(state):
        yield Objection("IF-71", "That is not one of the cards you are looking at.")


def _stop(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if state.step == table.LOOK:
        if any(card not in EVENTS for card in looked_at(state)):
            yield Objection("IF-71", "You cannot take an event: choose another card.")
    elif state.purpose != actions.FOR_POST:
        yield Objection("IF-16", "First discard what your action asks for.")
    elif not state.paid:
        yield Objection("IF-73", "The Trading Post takes at least one card.")


def _redraw(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if named["seat"] >= state.seats:
        yield Objection("IF-75", "There is no such player.")
    if state.visited >> named["seat"] & 1:
        yield Objection("IF-75", "That player has already travelled to their own country.")


def _too_many(state: State, named: Counter[str], giver: int) -> Iterator[Objection]:
    """An offer can take a whole hand, or five cards if the hand is smaller; in version 1 of the rules, at most five."""
    if named.total() >= TRAY_SIZE:
        if state.version == 1:
            yield Objection("IF-30", "An offer has at most five cards each way.")
        if named.total() >= hand(state, giver).total():
            yield Objection("IF-30", "That is more cards than there are in that hand.")


def _give(state: State, seat: int, named: Named) -> Iterator[Objection]:
    card = named["card"]
    given = Counter(listed(state.gives))
    yield from _too_many(state, given, seat)
    if state.wants and given[card] >= hand(state, seat)[card]:
        yield Objection("IF-34", "You ask for something in return, so you can only give what you have.")
    if given[card] >= listed(state.in_play).count(card):
        yield Objection("IF-33", "There are not that many of this card in the game.")


def _want(state: State, seat: int, named: Named) -> Iterator[Objection]:
    card = named["card"]
    wanted = Counter(listed(state.wants))
    yield from _too_many(state, wanted, int(state.partner) if seat == state.turn else int(state.turn))
    if wanted[card] >= listed(state.in_play).count(card):
        yield Objection("IF-33", "There are not that many of this card in the game.")
    if not Counter(listed(state.gives)) <= hand(state, seat):
        yield Objection("IF-34", "You offered cards that you do not have, so you cannot ask for anything in return.")


def _propose(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if not state.gives and not state.wants:
        yield Objection("IF-29", "Say what you would give, or what you want.")


def _accept(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if not state.gives or not state.wants:
        yield Objection("IF-32", "There is nothing to accept yet: only one side is named.")
    if not Counter(listed(state.wants)) <= hand(state, seat):
        yield Objection("IF-35", "You do not hold what is asked for.")


def _counter(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if state.counters >= MAX_COUNTERS:
        yield Objection("IF-35", "There have been four counter-offers: accept or decline.")


def _hand_on(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if not hand(state, seat)[named["card"]]:
        yield Objection("IF-59", f"You do not hold this card: {named['card']}.")


def _always_allowed(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from ()


CHECKS: Final[dict[str, Callable[[State, int, Named], Iterator[Objection]]]] = {
    "draw": _draw,
    "recycle": _recycle,
    "steal": _steal,
    "trade": _trade,
    "get-rid": _get_rid,
    "travel": _travel,
    "travel-on-credit": _travel_on_credit,
    "travel-with": _travel_with,
    "steal-country": _steal_country,
    "play": _play,
    "smuggle": _smuggle,
    "pass": _pass,
    "discard": _discard,
    "take": _take,
    "return": _return,
    "stop": _stop,
    "redraw": _redraw,
    "give": _give,
    "want": _want,
    "propose": _propose,
    "withdraw": _always_allowed,
    "accept": _accept,
    "decline": _always_allowed,
    "counter": _counter,
    "hand-on": _hand_on,
    "allow": _always_allowed,
}
