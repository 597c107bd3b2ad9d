# compiled
"""What each seat may see of Itchy Feet, and what it is asked to do.

A view is built up from what is public and what belongs to the seat, never stripped down from a fuller one.
"""

from collections import Counter
from typing import Any, Final

from grandtour.engine import words as say
from grandtour.games.itchy_feet import state as table
from grandtour.games.itchy_feet.mechanics import actions, hidden
from grandtour.games.itchy_feet.mechanics.packs import FIRST_SPECIAL, FORBIDDEN, POSTCARD, count, listed
from grandtour.games.itchy_feet.parts import CARDS, CHARACTERS, COUNTRY_NAMES, IN_HAND, MAX_COUNTERS
from grandtour.games.itchy_feet.referee import destination, items, looked_at
from grandtour.games.itchy_feet.rules import MOVES, State
from grandtour.games.itchy_feet.view_types import (
    Counted,
    Extensions,
    Payment,
    PlayerView,
    Reaction,
    Step,
    Trade,
    View,
)
from grandtour.games.itchy_feet.words import card_list, describe, describe_move

__all__ = ["describe", "describe_move", "final", "prompt", "view"]

STEPS: Final[dict[int, Step]] = {
    table.ACT: "act",
    table.PAY: "pay",
    table.TAKE: "take",
    table.REACT: "react",
    table.PICK: "pick",
    table.TRAY: "tray",
    table.ANSWER: "answer",
    table.LOOK: "look",
    table.RETURN: "return",
    table.REDRAW: "redraw",
    table.MIX: "mix-up",
    table.LIMIT: "limit",
    table.OVER: "over",
}


def view(state: State, seat: int | None) -> View:
    """Everything a seat may see, as JSON. A spectator (None) sees only what is public."""
    seen: View = {
        "variant": "bucket-list" if state.bucket else "classic",
        "extensions": _extensions(state),
        "turn": int(state.turn),
        "step": STEPS[state.step],
        "round": int(state.round),
        "turn_limit": int(state.turn_limit),
        "starter": int(state.starter),
        "actions": int(state.actions),
        "offers_left": int(state.offer_limit - state.offers),
        "centre": COUNTRY_NAMES[state.centre] if state.centre >= 0 else None,
        "unused": {
            "count": int(state.spare),
            "bottom": [COUNTRY_NAMES[state.unused[i]] for i in range(state.unseen, state.spare)],
        },
        "draw_pile": {"count": int(state.left), "shuffled_in": _counted(state.stock)},
        "discards": _counted(state.discards),
        "players": [_player(state, other, seat) for other in range(state.seats)],
        "payment": _payment(state),
        "trade": _trade(state),
        "reaction": _reaction(state),
        "result": state.result(),
        "ended": table.ENDINGS[state.how] or None,
    }
    if seat is not None:
        seen["you"] = seat
        seen["hand"] = listed(state.hand[seat])
        seen["top"] = [
            {"above": int(state.left - 1 - place), "card": CARDS[state.deck[place] % table.VIEWER_BITS]}
            for place in range(state.left - 1, -1, -1)
            if state.deck[place] // table.VIEWER_BITS >> seat & 1
        ]
        seen["looking"] = _looking(state, seat)
        seen["handing_on"] = CARDS[state.chosen[seat]] if state.chosen[seat] >= 0 else None
    return seen


def _counted(pack: int) -> list[Counted]:
    return [{"card": card, "count": many} for card, many in Counter(listed(pack)).items()]


def _extensions(state: State) -> Extensions:
    return {
        "events": any(count(state.in_play, kind) for kind in range(IN_HAND, len(CARDS))),
        "special_items": any(count(state.in_play, kind) for kind in range(FIRST_SPECIAL, IN_HAND)),
        "forbidden_items": bool(count(state.in_play, FORBIDDEN)),
        "postcards": bool(count(state.in_play, POSTCARD)),
        "characters": any(character >= 0 for character in state.character),
    }


def _player(state: State, holder: int, seat: int | None) -> PlayerView:
    """What a seat sees of a player: what is public, the cards it knows, and the limits of what the others can be."""
    viewer = int(state.seats) if seat is None else seat
    at = state.seats * viewer + holder
    player: PlayerView = {
        "seat": holder,
        "cards": int(state.size[holder]),
        "limit": int(state.limit(holder)),
        "known": listed(state.known[at]) if viewer != holder else [],
        "unknown": {
            "cards": int(hidden.cards(state.unknown[at])),
            "others": int(hidden.others(state.unknown[at])),
            "passports": int(hidden.passports(state.unknown[at])),
            "drawn": int(hidden.drawn(state.unknown[at])),
        },
        "character": CHARACTERS[state.character[holder]] if state.character[holder] >= 0 else None,
        "quiet": bool(state.quiet >> holder & 1),
        "chosen": bool(state.chosen[holder] >= 0),
    }
    if state.bucket:
        player["passport"] = COUNTRY_NAMES[state.passport[holder]]
        player["countries"] = [name for name, owner in zip(COUNTRY_NAMES, state.owner, strict=True) if owner == holder]
    else:
        player["country"] = COUNTRY_NAMES[state.country[holder]]
        player["visited"] = bool(state.visited >> holder & 1)
    return player


def _payment(state: State) -> Payment | None:
    """What the turn's player is paying for, or about to take a card for."""
    purpose = actions.WHY[state.purpose]
    if not purpose or state.step not in (table.PAY, table.TAKE):
        return None
    payment: Payment = {"for": purpose, "paid": listed(state.paid), "left": int(state.need)}
    if state.step == table.TAKE:
        payment["left"] = 0
    if state.purpose == actions.FOR_STEAL:
        payment["whom"] = int(state.target)
    if state.purpose == actions.FOR_COUNTRY:
        payment["country"] = COUNTRY_NAMES[state.target]
    return payment


def _trade(state: State) -> Trade | None:
    if state.step not in (table.TRAY, table.ANSWER):
        return None
    return {
        "from": int(state.speaker),
        "to": int(state.listener()),
        "gives": listed(state.gives),
        "wants": listed(state.wants),
        "counters": int(state.counters),
        "counters_left": MAX_COUNTERS - int(state.counters),
    }


def _reaction(state: State) -> Reaction | None:
    """What somebody may react to. Who is asked does not reveal who could react."""
    if state.step != table.REACT:
        return None
    if state.purpose == actions.FOR_STEAL:
        return {"asked": int(state.asked), "to": "steal", "seat": int(state.turn), "card": "Mousetrap"}
    return {
        "asked": int(state.asked),
        "to": "travel",
        "seat": int(state.turn),
        "card": "Passport Control",
        "country": destination(state, int(state.turn)),
    }


def _looking(state: State, seat: int) -> list[str]:
    """The cards that a seat is looking at: the Local Guide's, from the top down, or the Pickpocket's."""
    if seat != state.turn:
        return []
    if state.step in (table.LOOK, table.RETURN):
        return looked_at(state)
    return listed(state.pair)


def prompt(state: State, seat: int | None) -> dict[str, Any]:
    """What the seat should do now, or whom it is waiting for, with the paragraphs that explain it."""
    if state.step == table.OVER:
        return _prompt_at_the_end(state, seat)
    if seat is None or seat not in state.waiting():
        return _prompt_while_waiting(state)
    turn, target = int(state.turn), int(state.target)
    match state.step:
        case table.ACT:
            return _prompt_to_act(state, seat)
        case table.PAY:
            return _prompt_to_pay(state)
        case table.TAKE:
            return say.prompt("Take a card from the discard pile.", "IF-25", "IF-26")
        case table.REACT if state.purpose == actions.FOR_STEAL:
            return say.prompt(
                f"{say.placeholder(turn)} is about to steal from you. Will you let it happen?", "IF-63", "IF-67"
            )
        case table.REACT:
            where = destination(state, turn)
            asked = f"{say.placeholder(turn)} is travelling to {where}. Will you let it happen?"
            return say.prompt(asked, "IF-66", "IF-67")
        case table.PICK:
            return say.prompt(f"Take one of these two cards from {say.placeholder(target)}.", "IF-92")
        case table.TRAY:
            whom = say.placeholder(state.listener())
            return say.prompt(f"Put together an offer for {whom}: what you give, what you want.", "IF-29", "IF-34")
        case table.ANSWER:
            return _prompt_to_answer(state)
        case table.LOOK:
            return say.prompt("Take one of the cards that your guide shows you.", "IF-71")
        case table.RETURN:
            return say.prompt("Put the cards back on the draw pile, the lowest first.", "IF-71", "IF-72")
        case table.REDRAW:
            return say.prompt("Choose whose country is replaced.", "IF-75")
        case table.MIX:
            return say.prompt(f"Choose a card to pass to {say.placeholder((seat + 1) % state.seats)}.", "IF-59")
    many = state.size[seat] - state.limit(seat)
    what = "a card" if many == 1 else f"{many} cards"
    return say.prompt(f"Discard {what}: {state.limit(seat)} are all you can carry.", "IF-19")


def _prompt_to_act(state: State, seat: int) -> dict[str, Any]:
    """Name only the actions that are possible."""
    verbs = {MOVES.verb(move).name for move in state.legal(seat)}
    if verbs & {"travel-on-credit", "travel-with"}:
        verbs.add("travel")
    choices = (
        ("travel", f"travel to {destination(state, seat)}", "IF-44"),
        ("draw", "draw", "IF-21"),
        ("recycle", "recycle", "IF-25"),
        ("trade", "trade", "IF-28"),
        ("steal", "steal", "IF-41"),
        ("steal-country", "steal a country", "IF-101"),
        ("get-rid", "get rid of a forbidden item", "IF-80"),
        ("smuggle", "smuggle", "IF-88"),
        ("play", "play a special item", "IF-61"),
        ("pass", "pass", "IF-17"),
    )
    text, rules = say.possible(verbs, choices)
    again = "Two actions this turn: " if state.actions > 1 else "Your second action: " if state.acted else ""
    return say.prompt(again + (text if again else say.capitalize(text)) + ".", *rules)


def _prompt_to_pay(state: State) -> dict[str, Any]:
    left = int(state.need)
    what = "a card" if left == 1 else f"{left} cards"
    match state.purpose:
        case actions.FOR_RECYCLE:
            return say.prompt(f"Discard {what} to recycle.", "IF-25")
        case actions.FOR_STEAL:
            return say.prompt(f"Discard a card to steal from {say.placeholder(state.target)}.", "IF-41")
        case actions.FOR_RIDDANCE:
            return say.prompt("Discard another card with the forbidden item.", "IF-80")
        case actions.FOR_COUNTRY:
            country = COUNTRY_NAMES[state.target]
            fitting = say.join_or([item for item in items(country) if item not in listed(state.paid)])
            return say.prompt(f"To steal {country}, discard {fitting}.", "IF-102")
        case actions.FOR_EARLY_BIRD:
            return say.prompt("You drew two cards: discard one.", "IF-90")
    if state.paid:
        return say.prompt(f"Discard up to {what} more, or draw.", "IF-73")
    return say.prompt("Discard one to three cards for the Trading Post.", "IF-73")


def _prompt_to_answer(state: State) -> dict[str, Any]:
    who = say.placeholder(state.speaker)
    gives, wants = _tray_words(listed(state.gives)), _tray_words(listed(state.wants))
    if not state.wants:
        return say.prompt(f"{who} offers you {gives}. What will you give in return?", "IF-32", "IF-33")
    if not state.gives:
        return say.prompt(f"{who} asks you for {wants}. What do you want in return?", "IF-32", "IF-33")
    return say.prompt(f"{who} offers you {gives} for {wants}. Accept, decline or counter?", "IF-35")


def _tray_words(names: list[str]) -> str:
    """Cards on the tray in words. Many cards are only counted, since everybody sees them."""
    return card_list(names) if 0 < len(names) < 5 else f"{len(names)} cards"


def _prompt_while_waiting(state: State) -> dict[str, Any]:
    turn = say.placeholder(state.turn)
    match state.step:
        case table.REACT:
            doing = "stealing" if state.purpose == actions.FOR_STEAL else "travelling"
            return say.prompt(f"{turn} is {doing}. Does anybody react?", "IF-67")
        case table.TRAY:
            return say.prompt(f"{say.placeholder(state.speaker)} is putting together an offer.", "IF-29")
        case table.ANSWER:
            return say.prompt(f"{say.placeholder(state.listener())} has an offer to answer.", "IF-35")
        case table.MIX:
            return say.prompt("Luggage Mix-Up: everybody chooses a card to pass to the left.", "IF-59")
        case table.LIMIT:
            who = say.join_and([say.placeholder(seat) for seat in state.waiting()])
            return say.prompt(f"{who} must discard down to the hand limit.", "IF-19")
    return say.prompt(f"It is {turn}'s turn.", "IF-16")


def _prompt_at_the_end(state: State, seat: int | None) -> dict[str, Any]:
    winners = [other for other in range(state.seats) if state.winners >> other & 1]
    rule = {
        table.BY_CENTRE: "IF-48",
        table.BY_POSTCARDS: "IF-85",
        table.BY_COUNTRIES: "IF-103",
        table.BY_LIMIT: "IF-50",
    }[state.how]
    return say.prompt(f"The game is over: {say.win(winners, seat)}.", rule)


def final(state: State) -> list[dict[str, Any]]:
    """The final result of each seat. The score is the number of countries it reached, unless postcards won."""
    rows = []
    for seat in range(state.seats):
        won = bool(state.winners >> seat & 1)
        lines: list[dict[str, Any]] = []
        if state.bucket:
            mine = [name for name, owner in zip(COUNTRY_NAMES, state.owner, strict=True) if owner == seat]
            lines += [{"label": "Country", "value": name} for name in mine]
        else:
            there = "travelled to" if state.visited >> seat & 1 else "not reached"
            lines.append({"label": f"Own country, {COUNTRY_NAMES[state.country[seat]]}", "value": there})
            there = "travelled to" if state.how == table.BY_CENTRE and won else "not reached"
            lines.append({"label": f"Centre, {COUNTRY_NAMES[state.centre]}", "value": there})
        postcards = int(count(state.hand[seat], POSTCARD))
        if count(state.in_play, POSTCARD):
            lines.append({"label": "Postcards", "value": postcards})
        score = int(state.countries(seat))
        lines.append({"label": "Countries", "value": score})
        row: dict[str, Any] = {"seat": seat, "score": score, "won": won, "lines": lines}
        if state.how == table.BY_POSTCARDS:
            row |= {"score": None, "outcome": say.plural(postcards, "postcard", zero="no")}
        rows.append(row)
    return rows
