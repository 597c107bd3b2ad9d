"""How The Journey: Istanbul reads in words: prompts, events and moves. Sober, since it is about people in flight."""

from collections.abc import Callable
from typing import Any, Final

from grandtour.engine.events import Event
from grandtour.engine.vocabulary import Named
from grandtour.games.journey_istanbul.parts import BILL, CARD_NAMES, CARDS, LAST_DAY, PLACES, date, money

Sentence = Callable[[Event, list[str], int | None], str]


def tl(amount: int) -> str:
    """A sum as people write it."""
    return money(amount // BILL)


def card_text(name: str) -> str:
    """An event card in a few words: a journey from Fatih for 12 000 TL."""
    card = CARDS[CARD_NAMES.numbers[name]]
    sum_of_money = money(card.amount)
    if card.place < 0:
        return f"a police raid with a fine of {sum_of_money}"
    kind = "a journey from" if "journey" in name else "work in"
    return f"{kind} {PLACES[card.place]} for {sum_of_money}"


def prompt_text(view: dict[str, Any], seat: int | None) -> tuple[str, list[str]]:
    """What a seat should do now, and the paragraphs about it."""
    step, turn = view["step"], view["turn"]
    if step == "over":
        return _prompt_at_the_end(view, seat)
    if seat != turn:
        doing = {
            "move": "is moving",
            "pay": "is asked to pay for a part of the task",
            "look": "is looking at event cards",
            "leave": "may leave jail",
            "journey": "is offered a journey",
            "work": "is offered work",
        }
        return f"{_token(turn)} {doing[step]}. You may talk and give money.", ["JI-21", "JI-70"]
    me = view["players"][turn]
    if step == "move":
        return f"You are in {me['place']}: move to a neighbourhood next to it, or stay.", ["JI-23"]
    if step == "pay":
        return f"Pay 1 000 TL for this part of {me['obstacle']['name']}, or decline.", ["JI-54"]
    if step == "look":
        left = "one event card" if view["looks"] == 1 else f"up to {view['looks']} event cards"
        return f"Look at {left}, or go on without.", ["JI-46" if me["jail"] else "JI-26", "JI-27"]
    if step == "leave":
        return _prompt_in_jail(view, me)
    offer = view["offer"]
    if step == "work":
        return f"Work is offered to you in {offer['place']} for {tl(offer['amount'])}: take it, or decline.", ["JI-42"]
    if me["money"] < offer["amount"]:
        short = tl(offer["amount"] - me["money"])
        return f"A journey leaves {offer['place']} for {tl(offer['amount'])}: you are {short} short.", ["JI-41"]
    return f"A journey leaves {offer['place']} for {tl(offer['amount'])}: travel out of Istanbul, or decline.", [
        "JI-38"
    ]


def _prompt_in_jail(view: dict[str, Any], me: dict[str, Any]) -> tuple[str, list[str]]:
    if view["day"] >= me["jail"]["until"]:
        return "You are released today: choose a neighbourhood.", ["JI-47"]
    fine = me["jail"]["fine"]
    if me["money"] < fine:
        return f"The fine is {tl(fine)}, more than you have: remain in jail.", ["JI-48"]
    return f"Pay the fine of {tl(fine)} and choose a neighbourhood, or remain in jail.", ["JI-48"]


def _prompt_at_the_end(view: dict[str, Any], seat: int | None) -> tuple[str, list[str]]:
    out = [player["seat"] for player in view["players"] if player["out"]]
    if not out:
        return "The game is over: nobody travelled out of Istanbul.", ["JI-73", "JI-74"]
    if not view["ranked"]:
        return f"The game is over: {listed(_you_first(out, seat))} travelled out of Istanbul.", ["JI-76"]
    winners = [other for other, share in enumerate(view["result"]) if share]
    verb = "share the win" if len(winners) > 1 else "win" if seat in winners else "wins"
    return f"The game is over: {listed(_you_first(winners, seat))} {verb}.", ["JI-74", "JI-75"]


def describe(event: Event, names: list[str], seat: int | None) -> str:
    """An event, as seen by a seat, in one sentence; "" when there is nothing to say."""
    return SENTENCES[event["event"]](event, names, seat)


def _nothing(event: Event, names: list[str], seat: int | None) -> str:
    return ""


def _dealt(event: Event, names: list[str], seat: int | None) -> str:
    cards = zip(names, event["obstacles"], event["opportunities"], strict=True)
    return "; ".join(f"{name}: {obstacle}, {chance}" for name, obstacle, chance in cards) + "."


def _turn(event: Event, names: list[str], seat: int | None) -> str:
    return f"{event['date'][0].upper()}{event['date'][1:]} begins." if event["first"] else ""


def _moved(event: Event, names: list[str], seat: int | None) -> str:
    return f"{_who(event, names, seat, 'go', 'goes')} from {event['from']} to {event['to']}."


def _stayed(event: Event, names: list[str], seat: int | None) -> str:
    return f"{_who(event, names, seat, 'stay')} in {event['place']}."


def _part(event: Event, names: list[str], seat: int | None) -> str:
    if not event["complete"]:
        return f"{_who(event, names, seat, 'mark')} a part of {event['card']}."
    text = f"{_who(event, names, seat, 'complete')} {event['card']}"
    return (
        f"{text} and {'get' if event['seat'] == seat else 'gets'} {tl(event['amount'])}."
        if "amount" in event
        else f"{text}."
    )


def _paid_part(event: Event, names: list[str], seat: int | None) -> str:
    return f"{_who(event, names, seat, 'pay')} {tl(event['price'])} for a part of the task."


def _looked(event: Event, names: list[str], seat: int | None) -> str:
    where = f"at card {event['square']} of the {event['day']} day"
    what = f": {card_text(event['card'])}" if "card" in event else ""
    return f"{_who(event, names, seat, 'look')} {where}{what}."


def _drew(event: Event, names: list[str], seat: int | None) -> str:
    what = f", {card_text(event['card'])}" if "card" in event else ""
    where = ", sideways" if event["sideways"] else ""
    if event["square"] is None:
        where = "; the row is full, so it is discarded"
    return f"{_who(event, names, seat, 'draw')} a card for the {event['day']} day{what}{where}."


def _remained(event: Event, names: list[str], seat: int | None) -> str:
    return f"{_who(event, names, seat, 'remain')} in jail."


def _released(event: Event, names: list[str], seat: int | None) -> str:
    if event["fine"]:
        fine = tl(event["fine"])
        who = _who(event, names, seat, "pay")
        return f"{who} the fine of {fine} to leave jail, and {_go(event, seat)} to {event['to']}."
    return f"{_who(event, names, seat, 'are', 'is')} released and {_go(event, seat)} to {event['to']}."


def _go(event: Event, seat: int | None) -> str:
    return "go" if event["seat"] == seat else "goes"


def _evening(event: Event, names: list[str], seat: int | None) -> str:
    """The cards of the day, then what the police did."""
    cards = [card_text(name) for name in event["cards"]]
    sentences = [f"Evening of the {event['date']}: {listed(cards) if cards else 'no event'}."]
    for other, card in zip(event["completed"], event["cards_completed"], strict=True):
        sentences.append(f"{_name(other, names, seat, True)} {_verb(other, seat, 'complete')} {card}.")
    if event["raids"]:
        sentences.append(f"Police in {listed(event['raided'])}.")
    for other in event["fined"]:
        sentences.append(f"{_name(other, names, seat, True)} {_verb(other, seat, 'pay')} {tl(event['fine'])}.")
    for other in event["spared"]:
        sentences.append(f"{_name(other, names, seat, True)} {_verb(other, seat, 'show')} a work permit.")
    for other in event["jailed"]:
        until = f"until the {date(event['until'])}" if event["until"] <= LAST_DAY else "to the end"
        verb = "go" if other == seat else "goes"
        sentences.append(f"{_name(other, names, seat, True)} cannot pay and {verb} to jail {until}.")
    return " ".join(sentences)


def _journey(event: Event, names: list[str], seat: int | None) -> str:
    return (
        f"A journey from {event['place']} is offered to {_name(event['seat'], names, seat)} for {tl(event['amount'])}."
    )


def _work(event: Event, names: list[str], seat: int | None) -> str:
    return f"Work in {event['place']} is offered to {_name(event['seat'], names, seat)} for {tl(event['amount'])}."


def _declined(event: Event, names: list[str], seat: int | None) -> str:
    what = {"part": "to pay for a part of the task", "journey": "the journey", "work": "the work"}
    return f"{_who(event, names, seat, 'decline')} {what[event['kind']]}."


def _travelled(event: Event, names: list[str], seat: int | None) -> str:
    who = _who(event, names, seat, "travel")
    return f"{who} out of Istanbul from {event['place']} for {tl(event['cost'])}, with {tl(event['money'])} left."


def _worked(event: Event, names: list[str], seat: int | None) -> str:
    return f"{_who(event, names, seat, 'work')} in {event['place']} for {tl(event['wage'])}."


def _over(event: Event, names: list[str], seat: int | None) -> str:
    why = {
        "all": "Everybody has travelled out of Istanbul",
        "cards": "There are no more event cards",
        "days": "Three weeks have passed",
    }[event["how"]]
    if not event["out"]:
        return f"{why}. Nobody travelled out of Istanbul, and nobody wins."
    if not event["ranked"]:
        return f"{why}. {_capital(listed(_named_first(event['out'], names, seat)))} made the journey."
    winners = event["winners"]
    verb = "share the win" if len(winners) > 1 else "win" if seat in winners else "wins"
    return f"{why}. {_capital(listed(_named_first(winners, names, seat)))} {verb}, with the most money left."


def _gave(event: Event, names: list[str], seat: int | None) -> str:
    to = _name(event["to"], names, seat)
    why = " for what was said" if event.get("words") else ""
    return f"{_who(event, names, seat, 'give')} {to} {tl(event['amount'])}{why}."


def _whisper(event: Event, names: list[str], seat: int | None) -> str:
    """What was said, for those who heard it."""
    what = event.get("what")
    if what is None:
        return ""
    if what == "withdrawn":
        return f"{_who(event, names, seat, 'take')} back what was offered or asked."
    to = "everybody" if event["to"] == "all" else _name(event["to"], names, seat)
    if what == "refused":
        return f"{_who(event, names, seat, 'do', 'does')} not buy what {to} offered."
    if what == "shown":
        page = "your" if event["seat"] == seat else "the"
        seen = "; ".join(
            f"{card['day']} day, square {card['square']}: {card_text(card['card'])}" for card in event["cards"]
        )
        news = f": {seen}" if seen else "" if event["seat"] == seat else ", with nothing new to you"
        return f"{_who(event, names, seat, 'show')} {to} {page} planner for week {event['week']}{news}."
    if what == "requested":
        return _requested(event, names, seat)
    if what == "denied":
        return _denied(event, names, seat)
    where = f"card {event['square']} of the {event['day']} day"
    if what == "told":
        return f"{_who(event, names, seat, 'tell')} {to} that {where} is {card_text(event['card'])}."
    if what == "offered":
        return f"{_who(event, names, seat, 'offer')} to tell {to} for {tl(event['price'])} what {where} is."
    return _asked(event, names, seat)


def _asked(event: Event, names: list[str], seat: int | None) -> str:
    to = "everybody" if event["to"] == "all" else _name(event["to"], names, seat)
    price = f", for {tl(event['price'])}" if event["price"] else ""
    return f"{_who(event, names, seat, 'ask')} {to} what card {event['square']} of the {event['day']} day is{price}."


def _answered(event: Event, names: list[str], seat: int | None) -> str:
    by = event["by"]
    return f"{_name(by, names, seat, True)} {_verb(by, seat, 'answer')} {_name(event['seat'], names, seat)}."


def _requested(event: Event, names: list[str], seat: int | None) -> str:
    to = "everybody" if event["to"] == "all" else _name(event["to"], names, seat)
    return f"{_who(event, names, seat, 'ask')} {to} for {tl(event['amount'])}."


def _denied(event: Event, names: list[str], seat: int | None) -> str:
    return f"{_who(event, names, seat, 'say')} no to {_name(event['to'], names, seat)}."


SENTENCES: Final[dict[str, Sentence]] = {
    "dealt": _dealt,
    "turn": _turn,
    "moved": _moved,
    "stayed": _stayed,
    "part": _part,
    "part-offered": _nothing,
    "paid-part": _paid_part,
    "looked": _looked,
    "drew": _drew,
    "remained": _remained,
    "released": _released,
    "evening": _evening,
    "journey": _journey,
    "work": _work,
    "declined": _declined,
    "travelled": _travelled,
    "worked": _worked,
    "over": _over,
    "gave": _gave,
    "whisper": _whisper,
    "asked": _asked,
    "answered": _answered,
    "requested": _requested,
    "denied": _denied,
}


def describe_move(named: Named) -> str:
    """A move in a few words, for a button or a hint."""
    match named["do"]:
        case "move":
            return f"Go to {named['to']}"
        case "look":
            return f"Look at card {named['square']} of the {named['day']} day"
        case "leave":
            return f"Leave jail for {named['to']}"
        case "talk":
            return "Turn to everybody" if named["to"] == "all" else f"Turn to player {named['to'] + 1}"
        case "give":
            return f"Give {tl(named['amount'])}"
        case "point":
            return f"Point at card {named['square']} of the {named['day']} day"
        case "show":
            return f"Show your planner for week {named['week']}"
        case "tell":
            return f"Say it is {card_text(named['card'])}"
        case "sell":
            return f"Offer to say, for {tl(named['price'])}, that it is {card_text(named['card'])}"
        case "ask":
            return f"Ask what it is, for {tl(named['price'])}" if named["price"] else "Ask what it is"
        case "buy":
            return f"Buy what player {named['from'] + 1} offers to tell"
        case "refuse":
            return f"Do not buy what player {named['from'] + 1} offers to tell"
        case "answer":
            return f"Answer player {named['to'] + 1} that it is {card_text(named['card'])}"
        case "request":
            return f"Ask for {tl(named['amount'])}"
        case "help":
            return f"Give player {named['to'] + 1} what was asked for"
        case "deny":
            return f"Say no to player {named['to'] + 1}"
    return PLAIN[named["do"]]


PLAIN: Final = {
    "stay": "Stay where you are",
    "pay": "Pay 1 000 TL",
    "decline": "Decline",
    "end-looking": "Go on without looking",
    "remain": "Remain in jail",
    "travel": "Travel out of Istanbul",
    "work": "Take the work",
    "hush": "Say nothing more",
    "withdraw": "Take back your offer or question",
}


def _token(seat: int) -> str:
    """Stands for a player's name in a prompt."""
    return f"{{seat:{seat}}}"


def _you_first(seats: list[int], seat: int | None) -> list[str]:
    return ["you"] * (seat in seats) + [_token(other) for other in seats if other != seat]


def _named_first(seats: list[int], names: list[str], seat: int | None) -> list[str]:
    return ["you"] * (seat in seats) + [names[other] for other in seats if other != seat]


def _name(other: int, names: list[str], seat: int | None, first: bool = False) -> str:
    if other == seat:
        return "You" if first else "you"
    return names[other]


def _verb(other: int, seat: int | None, verb: str) -> str:
    return verb if other == seat else f"{verb}s"


def _who(event: Event, names: list[str], seat: int | None, verb: str, others: str = "") -> str:
    """Who does something: you pay, or Ada pays."""
    actor = event["seat"]
    return f"You {verb}" if actor == seat else f"{names[actor]} {others or verb + 's'}"


def listed(words: list[str]) -> str:
    """Some words in a row: one, two and three."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
