# compiled
"""The wording of moves and events in Itchy Feet."""

from typing import Final

from grandtour.engine import words as say
from grandtour.engine.events import Event
from grandtour.engine.state import State as Position
from grandtour.engine.vocabulary import Named
from grandtour.games.itchy_feet.parts import DATA

ARTICLES: Final = {
    **{name: name for name in ("Hiking Boots", "Local Cash", "Stomach Pills", "Bug Spray", "Sunscreen")},
    **{card["name"]: f"the {card['name']}" for card in DATA["special items"] if not card["name"].startswith("Mom")},
    "Mom's Credit Card": "Mom's Credit Card",
}
"""Cards whose article is not "a"."""

WHY: Final = {
    "recycle": " to recycle",
    "steal": " to steal",
    "get-rid": " to get rid of forbidden luggage",
    "country": " to steal a country",
    "post": " at the Trading Post",
    "early-bird": ", being an Early Bird",
    "limit": ", having too much to carry",
    "luggage": ", lost with the luggage",
    "bribe": " with a Customs Bribe",
    "draw": "",
    "bonus": " as a bonus",
    "free": " for the journey",
    "empty": " for an empty hand",
    "market": " at the Night Market",
}


def with_article(card: str) -> str:
    """A card with its article."""
    return ARTICLES.get(card, f"a {card}")


def card_list(names: list[str]) -> str:
    """A list of cards in words, with equal ones counted."""
    parts = []
    for name in dict.fromkeys(names):
        many = names.count(name)
        parts.append(with_article(name) if many == 1 else f"{many} × {name}")
    return say.join_and(parts)


def describe(event: Event, names: list[str], seat: int | None) -> str:
    """One sentence for an event, as seen by a seat; "" if there is nothing to say."""
    return SENTENCES[event["event"]](event, names, seat)


def _card(event: Event, unseen: str = "a card") -> str:
    return with_article(event["card"]) if "card" in event else unseen


def _whose(other: int, names: list[str], seat: int | None) -> str:
    return "your" if other == seat else f"{names[other]}'s"


def _set_up(event: Event, names: list[str], seat: int | None) -> str:
    return f"The journey leads to {event['centre']}. {say.who(event['starter'], names, seat, 'begin')}."


def _again(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'have', 'has')} another action."


def _drew(event: Event, names: list[str], seat: int | None) -> str:
    if event["why"] == "post":
        return f"{say.who(event['seat'], names, seat, 'draw')} {_card(event)} at the Trading Post."
    return f"{say.who(event['seat'], names, seat, 'draw')} {_card(event)}{WHY[event['why']]}."


def _event(event: Event, names: list[str], seat: int | None) -> str:
    text = next(card["text"] for card in DATA["events"] if card["name"] == event["card"])
    return f"{say.who(event['seat'], names, seat, 'draw')} an event, {event['card']}: {text[0].lower()}{text[1:]}"


def _no_effect(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'draw')} {event['card']} at the Night Market; it has no effect."


def _reshuffled(event: Event, names: list[str], seat: int | None) -> str:
    return f"The discard pile is shuffled into a new draw pile of {event['cards']}."


def _new_centre(event: Event, names: list[str], seat: int | None) -> str:
    return f"{event['new']} replaces {event['old']} in the centre."


def _new_country(event: Event, names: list[str], seat: int | None) -> str:
    return f"{event['new']} replaces {event['old']} as {_whose(event['seat'], names, seat)} country."


def _discarded(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'discard')} {card_list(event['cards'])}{WHY[event['why']]}."


def _took(event: Event, names: list[str], seat: int | None) -> str:
    where = "that the guide showed" if event["why"] == "guide" else "from the discard pile"
    return f"{say.who(event['seat'], names, seat, 'take')} {_card(event)} {where}."


def _stealing(event: Event, names: list[str], seat: int | None) -> str:
    who = say.who(event["seat"], names, seat, "are", "is")
    return f"{who} going to steal from {say.whom(event['whom'], names, seat)}."


def _looked_at(event: Event, names: list[str], seat: int | None) -> str:
    what = f": {card_list(event['cards'])}" if "cards" in event else ""
    return f"{say.who(event['seat'], names, seat, 'look')} at two of {_whose(event['whom'], names, seat)} cards{what}."


def _stole(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'steal')} {_card(event)} from {say.whom(event['whom'], names, seat)}."


def _stole_country(event: Event, names: list[str], seat: int | None) -> str:
    who = say.who(event["seat"], names, seat, "steal")
    return f"{who} {event['country']} from {say.whom(event['whom'], names, seat)}."


def _showed(event: Event, names: list[str], seat: int | None) -> str:
    who, shows = say.who(event["seat"], names, seat, "are", "is"), say.does(event["seat"], seat, "show")
    return f"{who} off to {event['country']} and {shows} {card_list(event['hand'])}."


def _travelled(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'travel')} to {event['country']} with {card_list(event['cards'])}."


def _turned(event: Event, names: list[str], seat: int | None) -> str:
    return f"The next country is {event['country']}."


def _played(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'play')} {with_article(event['card'])}."


def _interrupted(event: Event, names: list[str], seat: int | None) -> str:
    what = "Nothing is stolen" if event["card"] == "Mousetrap" else "The journey is cancelled"
    return f"{what}, and {_whose(event['whom'], names, seat)} turn is over."


def _looked(event: Event, names: list[str], seat: int | None) -> str:
    many = event["count"]
    what = f": {card_list(event['cards'])}" if "cards" in event else ""
    top = "the top card" if many == 1 else f"the top {many} cards"
    return f"{say.who(event['seat'], names, seat, 'look')} at {top} of the draw pile{what}."


def _returned(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'put')} {_card(event)} back on the draw pile."


def _smuggled(event: Event, names: list[str], seat: int | None) -> str:
    verb = say.who(event["seat"], names, seat, "slip")
    return f"{verb} {say.whom(event['to'], names, seat)} a Forbidden Item."


def _offering(event: Event, names: list[str], seat: int | None) -> str:
    if event["counter"]:
        return f"{say.who(event['seat'], names, seat, 'have', 'has')} another idea."
    return f"{say.who(event['seat'], names, seat, 'want')} to trade with {say.whom(event['to'], names, seat)}."


def _proposed(event: Event, names: list[str], seat: int | None) -> str:
    whom = say.whom(event["to"], names, seat)
    if not event["wants"]:
        return f"{say.who(event['seat'], names, seat, 'offer')} {whom} {card_list(event['gives'])}."
    if not event["gives"]:
        return f"{say.who(event['seat'], names, seat, 'ask')} {whom} for {card_list(event['wants'])}."
    gives, wants = card_list(event["gives"]), card_list(event["wants"])
    return f"{say.who(event['seat'], names, seat, 'offer')} {whom} {gives} for {wants}."


def _withdrew(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'withdraw')} the offer."


def _declined(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'decline')}."


def _traded(event: Event, names: list[str], seat: int | None) -> str:
    who = say.who(event["seat"], names, seat, "trade")
    return f"{who} {card_list(event['gives'])} to {say.whom(event['to'], names, seat)} for {card_list(event['wants'])}."


def _chose(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'choose')} {_card(event)} to pass on."


def _handed_on(event: Event, names: list[str], seat: int | None) -> str:
    who = say.who(event["seat"], names, seat, "pass", "passes")
    return f"{who} {_card(event)} to {say.whom(event['to'], names, seat)}."


def _hushed(event: Event, names: list[str], seat: int | None) -> str:
    verb = "do not want" if event["quiet"] else "want"
    they = "does not want" if event["quiet"] else "wants"
    return f"{say.who(event['seat'], names, seat, verb, they)} to be asked for reactions."


def _passed(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'pass', 'passes')}."


def _won(event: Event, names: list[str], seat: int | None) -> str:
    winners = event["seats"]
    won = say.who(winners[0], names, seat, "win")
    if event["how"] == "centre":
        reached = say.who(winners[0], names, seat, "reach", "reaches")
        return f"{reached} the centre and {say.does(winners[0], seat, 'win')}!"
    if event["how"] == "postcards":
        return f"{won} with four postcards!"
    over = "The last country is taken" if event["how"] == "countries" else "The last round is over"
    if len(winners) == 1:
        return f"{over}. {won} with the most countries!"
    return f"{over}: {say.win(winners, seat, names)}."


SENTENCES: Final[dict[str, say.Sentence]] = {
    "set-up": _set_up,
    "turn": say.no_sentence,
    "again": _again,
    "drew": _drew,
    "event": _event,
    "no-effect": _no_effect,
    "reshuffled": _reshuffled,
    "new-centre": _new_centre,
    "new-country": _new_country,
    "discarded": _discarded,
    "took": _took,
    "stealing": _stealing,
    "looked-at": _looked_at,
    "stole": _stole,
    "stole-country": _stole_country,
    "showed": _showed,
    "travelled": _travelled,
    "turned": _turned,
    "played": _played,
    "interrupted": _interrupted,
    "looked": _looked,
    "returned": _returned,
    "smuggled": _smuggled,
    "offering": _offering,
    "tray": say.no_sentence,
    "proposed": _proposed,
    "withdrew": _withdrew,
    "declined": _declined,
    "traded": _traded,
    "chose": _chose,
    "handed-on": _handed_on,
    "hushed": _hushed,
    "passed": _passed,
    "won": _won,
}

PLAIN_MOVES: Final = {
    "draw": "Draw a card",
    "recycle": "Recycle: discard cards, take one back",
    "get-rid": "Get rid of a forbidden item",
    "travel": "Travel",
    "pass": "Pass",
    "stop": "That is all",
    "propose": "Propose",
    "withdraw": "Withdraw the offer",
    "accept": "Accept",
    "decline": "Decline",
    "counter": "Make a counter-offer",
    "allow": "Let it happen",
    "quiet": "Do not ask me for reactions",
    "ask-me": "Ask me for reactions again",
}


def describe_move(position: Position, named: Named) -> str:
    """A move in a few words, for a button or a hint. "{seat:1}" is the placeholder for a player's name."""
    card = with_article(named["card"]) if "card" in named else ""
    match named["do"]:
        case "steal":
            return f"Steal from {say.placeholder(named['from'])}"
        case "trade":
            return f"Trade with {say.placeholder(named['with'])}"
        case "travel-on-credit":
            return f"Travel, with Mom's Credit Card for {with_article(named['item'])}"
        case "travel-with":
            return f"Travel with {card}"
        case "steal-country":
            return f"Steal {named['country']}"
        case "play":
            return f"Play {card}"
        case "smuggle":
            return f"Slip a forbidden item to {say.placeholder(named['to'])}"
        case "discard":
            return f"Discard {card}"
        case "take":
            return f"Take {card}"
        case "return":
            return f"Put {card} back"
        case "redraw":
            return f"Replace the country of {say.placeholder(named['seat'])}"
        case "give":
            return f"Give {card}"
        case "want":
            return f"Ask for {card}"
        case "hand-on":
            return f"Pass {card} to the left"
    return PLAIN_MOVES[named["do"]]
