# compiled
"""Prompts, events and moves of The Journey: Istanbul in words. The tone is sober: the game is about refugees."""

from typing import Any, Final

from grandtour.engine import words as say
from grandtour.engine.events import Event
from grandtour.engine.state import State as Position
from grandtour.engine.vocabulary import Named
from grandtour.games.journey_istanbul.parts import BILL, LAST_DAY, date, money
from grandtour.games.journey_istanbul.view_types import Jail, View


def lira(amount: int) -> str:
    """A sum of money in words."""
    return money(amount // BILL)


def card_text(name: str) -> str:
    """An event card in a few words: a journey from Fatih for 12 000 TL."""
    _, _, rest = name.partition("-")
    subject, _, amount = rest.rpartition("-")
    between = "with a fine of" if subject == "police" else "for"
    return f"{subject_text(subject)} {between} {lira(int(amount))}"


def subject_text(subject: str) -> str:
    """What a statement is about: a journey from Fatih."""
    kind, _, place = subject.partition("-")
    return {"police": "a police raid", "journey": f"a journey from {place}", "work": f"work in {place}"}[kind]


def box_text(box: str) -> str:
    """A box of the planner: "first raid", "journey, Fatih"."""
    if box.startswith("raid"):
        return "first raid" if box == "raid-1" else "second raid"
    kind, _, place = box.partition("-")
    return f"{kind}, {place}"


def day_text(day: dict[str, Any]) -> str:
    """What a player has ticked and noted for a day."""
    things = [*map(box_text, day["boxes"]), *([f"“{day['note']}”"] if day["note"] else [])]
    return f"{day['date']}: {', '.join(things)}"


def prompt_text(view: View, seat: int | None) -> tuple[str, list[str]]:
    """What a seat should do now, and the paragraphs about it."""
    step, turn = view["step"], view["turn"]
    if step == "over":
        return _prompt_at_the_end(view, seat)
    if view["asked"] is not None:
        return _prompt_of_a_request(view, view["asked"], seat)
    if seat != turn:
        doing = {
            "move": "is moving",
            "pay": "is asked to pay for a part of the task",
            "look": "is looking at event cards",
            "leave": "may leave jail",
            "journey": "is offered a journey",
            "work": "is offered work",
        }
        return f"{say.placeholder(turn)} {doing[step]}. You can talk and trade.", ["JI-21", "JI-70"]
    me = view["players"][turn]
    if step == "move":
        return f"You are in {me['place']}: move to a neighbourhood next to it, or stay.", ["JI-23"]
    if step == "pay":
        return f"Pay 1 000 TL for this part of {me['obstacle']['name']}, or decline.", ["JI-54"]
    if step == "look":
        left = "one event card" if view["looks"] == 1 else f"up to {view['looks']} event cards"
        return f"Look at {left}, or continue without looking.", ["JI-46" if me["jail"] else "JI-26", "JI-27"]
    if me["jail"] is not None:
        return _prompt_in_jail(view["day"], me["jail"], me["money"])
    offer = view["offer"]
    assert offer is not None, "in the evening something is offered"
    if step == "work":
        text = f"Work is offered to you in {offer['place']} for {lira(offer['amount'])}: take it, or decline."
        return text, ["JI-42"]
    if me["money"] < offer["amount"]:
        short = lira(offer["amount"] - me["money"])
        return f"A journey leaves {offer['place']} for {lira(offer['amount'])}: you are {short} short.", ["JI-41"]
    text = f"A journey leaves {offer['place']} for {lira(offer['amount'])}: travel out of Istanbul, or decline."
    return text, ["JI-38"]


def _prompt_of_a_request(view: View, asked: int, seat: int | None) -> tuple[str, list[str]]:
    """The prompt when the turn's player has asked everybody for money."""
    turn = view["turn"]
    amount = next(lira(request["amount"]) for request in view["requests"] if request["from"] == turn)
    needs = f"{amount} {_purpose(view)}"
    if seat == asked:
        return f"{say.placeholder(turn)} asks for {needs}: give it, or say no.", ["JI-68", "JI-41"]
    if seat == turn:
        return f"You ask everybody for {needs}. {say.placeholder(asked)} has not answered yet.", ["JI-68"]
    text = f"{say.placeholder(turn)} asks everybody for {needs}. {say.placeholder(asked)} has not answered yet."
    return text, ["JI-68", "JI-70"]


def _purpose(view: View) -> str:
    """What the turn's player needs money for."""
    if view["step"] == "journey" and view["offer"] is not None:
        return f"to travel out from {view['offer']['place']}"
    return "for a part of the task" if view["step"] == "pay" else "to leave jail"


def _prompt_in_jail(day: int, jail: Jail, money: int) -> tuple[str, list[str]]:
    if day >= jail["until"]:
        return "You are released today: choose a neighbourhood.", ["JI-47"]
    fine = jail["fine"]
    if money < fine:
        return f"The fine is {lira(fine)}, more than you have: remain in jail.", ["JI-48"]
    return f"Pay the fine of {lira(fine)} and choose a neighbourhood, or remain in jail.", ["JI-48"]


def _prompt_at_the_end(view: View, seat: int | None) -> tuple[str, list[str]]:
    out = [player["seat"] for player in view["players"] if player["out"]]
    if not out:
        return "The game is over: nobody travelled out of Istanbul.", ["JI-73", "JI-74"]
    if not view["ranked"]:
        return f"The game is over: {say.join_and(say.you_first(out, seat))} travelled out of Istanbul.", ["JI-76"]
    winners = [other for other, share in enumerate(view["result"] or []) if share]
    return f"The game is over: {say.win(winners, seat)}.", ["JI-74", "JI-75"]


def describe(event: Event, names: list[str], seat: int | None) -> str:
    """One sentence for an event, as seen by a seat; "" if there is nothing to say."""
    return SENTENCES[event["event"]](event, names, seat)


def _dealt(event: Event, names: list[str], seat: int | None) -> str:
    cards = enumerate(zip(event["obstacles"], event["opportunities"], strict=True))
    held = [f"{say.who(who, names, seat, 'have', 'has')} {obstacle} and {chance}" for who, (obstacle, chance) in cards]
    return f"{'; '.join(held)}."


def _turn(event: Event, names: list[str], seat: int | None) -> str:
    return f"The {event['date'].replace(',', ' of')} begins." if event["first"] else ""


def _moved(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'go', 'goes')} from {event['from']} to {event['to']}."


def _stayed(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'stay')} in {event['place']}."


def _part(event: Event, names: list[str], seat: int | None) -> str:
    if not event["complete"]:
        return f"{say.who(event['seat'], names, seat, 'mark')} a part of {event['card']}."
    text = f"{say.who(event['seat'], names, seat, 'complete')} {event['card']}"
    if "amount" in event:
        text += f" and {say.does(event['seat'], seat, 'get')} {lira(event['amount'])}"
    return f"{text}."


def _paid_part(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'pay')} {lira(event['price'])} for a part of the task."


def _looked(event: Event, names: list[str], seat: int | None) -> str:
    where = f"at card {event['square']} of the {event['day']} day"
    what = f": {card_text(event['card'])}" if "card" in event else ""
    return f"{say.who(event['seat'], names, seat, 'look')} {where}{what}."


def _drew(event: Event, names: list[str], seat: int | None) -> str:
    what = f", {card_text(event['card'])}" if "card" in event else ""
    where = ", sideways: it counts next week" if event["sideways"] else ""
    if event["square"] is None:
        where = "; the row is full, so it is discarded"
    return f"{say.who(event['seat'], names, seat, 'draw')} a card for the {event['day']} day{what}{where}."


def _remained(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'remain')} in jail."


def _released(event: Event, names: list[str], seat: int | None) -> str:
    goes = say.does(event["seat"], seat, "go", "goes")
    if event["fine"]:
        fine = lira(event["fine"])
        who = say.who(event["seat"], names, seat, "pay")
        return f"{who} the fine of {fine} to leave jail, and {goes} to {event['to']}."
    return f"{say.who(event['seat'], names, seat, 'are', 'is')} released and {goes} to {event['to']}."


def _evening(event: Event, names: list[str], seat: int | None) -> str:
    """The cards of the day, then what the police did."""
    cards = [card_text(name) for name in event["cards"]]
    sentences = [f"Evening of the {event['date']}: {say.join_and(cards) if cards else 'no event'}."]
    for other, card in zip(event["completed"], event["cards_completed"], strict=True):
        sentences.append(f"{say.who(other, names, seat, 'complete')} {card}.")
    if event["raids"]:
        sentences.append(f"Police in {say.join_and(event['raided'])}.")
    for other in event["fined"]:
        sentences.append(f"{say.who(other, names, seat, 'pay')} {lira(event['fine'])}.")
    for other in event["spared"]:
        sentences.append(f"{say.who(other, names, seat, 'show')} a work permit.")
    for other in event["jailed"]:
        until = f"until the {date(event['until'])}" if event["until"] <= LAST_DAY else "until the end"
        goes = say.does(other, seat, "go", "goes")
        sentences.append(f"{say.who(other, names, seat, 'cannot', 'cannot')} pay and {goes} to jail {until}.")
    return " ".join(sentences)


def _journey(event: Event, names: list[str], seat: int | None) -> str:
    whom = say.whom(event["seat"], names, seat)
    return f"A journey from {event['place']} is offered to {whom} for {lira(event['amount'])}."


def _work(event: Event, names: list[str], seat: int | None) -> str:
    return f"Work in {event['place']} is offered to {say.whom(event['seat'], names, seat)} for {lira(event['amount'])}."


def _declined(event: Event, names: list[str], seat: int | None) -> str:
    what = {"part": "to pay for a part of the task", "journey": "the journey", "work": "the work"}
    return f"{say.who(event['seat'], names, seat, 'decline')} {what[event['kind']]}."


def _travelled(event: Event, names: list[str], seat: int | None) -> str:
    who = say.who(event["seat"], names, seat, "travel")
    return f"{who} out of Istanbul from {event['place']} for {lira(event['cost'])}, with {lira(event['money'])} left."


def _worked(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'work')} in {event['place']} for {lira(event['wage'])}."


def _over(event: Event, names: list[str], seat: int | None) -> str:
    why = {
        "all": "Everybody has travelled out of Istanbul",
        "cards": "There are no more event cards",
        "days": "Three weeks have passed",
    }[event["how"]]
    if not event["out"]:
        return f"{why}. Nobody travelled out of Istanbul{', and nobody wins' if event['ranked'] else ''}."
    if not event["ranked"]:
        return f"{why}. {say.capitalize(say.join_and(say.you_first(event['out'], seat, names)))} made the journey."
    return f"{why}. {say.capitalize(say.win(event['winners'], seat, names))}, with the most money left."


def _gave(event: Event, names: list[str], seat: int | None) -> str:
    to = say.whom(event["to"], names, seat)
    why = " for the information" if event.get("words") else ""
    return f"{say.who(event['seat'], names, seat, 'give')} {to} {lira(event['amount'])}{why}."


def _whisper(event: Event, names: list[str], seat: int | None) -> str:
    """A message, for the seats that heard it."""
    what = event.get("what")
    if what is None:
        return ""
    if what == "withdrawn":
        return f"{say.who(event['seat'], names, seat, 'withdraw')} an offer or a question."
    to = "everybody" if event["to"] == "all" else say.whom(event["to"], names, seat)
    if what == "refused":
        return f"{say.who(event['seat'], names, seat, 'do', 'does')} not buy what {to} offered."
    if what == "shown":
        return _shown(event, to, names, seat)
    if what == "requested":
        return _requested(event, names, seat)
    if what == "denied":
        return _denied(event, names, seat)
    where = f"card {event['square']} of the {event['day']} day"
    if what == "told":
        return f"{say.who(event['seat'], names, seat, 'tell')} {to} that {where} is {card_text(event['card'])}."
    if what == "offered":
        price = lira(event["price"])
        return f"{say.who(event['seat'], names, seat, 'offer')} to tell {to} for {price} what {where} is."
    return _asked(event, names, seat)


def _shown(event: Event, to: str, names: list[str], seat: int | None) -> str:
    """A planner page that was shown. Since the second version of the rules it has days, too, and need not be true."""
    page = "your" if event["seat"] == seat else "their"
    claims = "days" in event
    written = [f"{card['day']} day, square {card['square']}: {card_text(card['card'])}" for card in event["cards"]]
    written += [day_text(day) for day in event.get("days", [])]
    if written:
        news = f"{', which says' if claims else ''}: {'; '.join(written)}"
    elif claims:
        news = ", which is empty"
    else:
        news = "" if event["seat"] == seat else ", with nothing new to you"
    return f"{say.who(event['seat'], names, seat, 'show')} {to} {page} planner for week {event['week']}{news}."


def _answering(event: Event, names: list[str], seat: int | None) -> str:
    what = f", that it is {card_text(event['card'])}" if "card" in event else ""
    where = f"what card {event['square']} of the {event['day']} day is"
    return f"{say.who(event['seat'], names, seat, 'offer')} to tell {say.whom(event['to'], names, seat)} {where}{what}."


def _asked(event: Event, names: list[str], seat: int | None) -> str:
    to = "everybody" if event["to"] == "all" else say.whom(event["to"], names, seat)
    price = f", for {lira(event['price'])}" if event["price"] else ""
    who = say.who(event["seat"], names, seat, "ask")
    return f"{who} {to} what card {event['square']} of the {event['day']} day is{price}."


def _answered(event: Event, names: list[str], seat: int | None) -> str:
    by = event["by"]
    return f"{say.who(by, names, seat, 'answer')} {say.whom(event['seat'], names, seat)}."


def _requested(event: Event, names: list[str], seat: int | None) -> str:
    to = "everybody" if event["to"] == "all" else say.whom(event["to"], names, seat)
    return f"{say.who(event['seat'], names, seat, 'ask')} {to} for {lira(event['amount'])}."


def _denied(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'say')} no to {say.whom(event['to'], names, seat)}."


SENTENCES: Final[dict[str, say.Sentence]] = {
    "dealt": _dealt,
    "turn": _turn,
    "moved": _moved,
    "stayed": _stayed,
    "part": _part,
    "part-offered": say.no_sentence,
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
    "answering": _answering,
    "answered": _answered,
    "requested": _requested,
    "denied": _denied,
}


def describe_move(position: Position, named: Named) -> str:
    """A move in a few words, for a button or a hint."""
    match named["do"]:
        case "move":
            return f"Go to {named['to']}"
        case "look":
            return f"Look at card {named['square']} of the {named['day']} day"
        case "leave":
            return f"Leave jail for {named['to']}"
        case "talk":
            return "Talk to everybody" if named["to"] == "all" else f"Talk to {say.placeholder(named['to'])}"
        case "give":
            return f"Give {lira(named['amount'])}"
        case "point":
            return f"Point at card {named['square']} of the {named['day']} day"
        case "show":
            return f"Show your planner for week {named['week']}"
        case "tell":
            return f"Say it is {card_text(named['card'])}"
        case "sell":
            return f"Offer to say, for {lira(named['price'])}, that it is {card_text(named['card'])}"
        case "ask":
            return f"Ask what it is, for {lira(named['price'])}" if named["price"] else "Ask what it is"
        case "buy":
            return f"Buy what {say.placeholder(named['from'])} offers to tell you"
        case "refuse":
            return f"Do not buy what {say.placeholder(named['from'])} offers to tell you"
        case "answer":
            return f"Answer {say.placeholder(named['to'])} that it is {card_text(named['card'])}"
        case "request":
            return f"Ask for {lira(named['amount'])}"
        case "help":
            return f"Give {say.placeholder(named['to'])} what was asked for"
        case "deny":
            return f"Say no to {say.placeholder(named['to'])}"
        case "claim":
            return f"It is {subject_text(named['subject'])}"
        case "amount":
            return f"With {lira(named['amount'])} on it"
        case "offer":
            return f"Offer to say it for {lira(named['price'])}"
        case "reply":
            return f"Answer {say.placeholder(named['to'])}"
        case "accept":
            return f"Pay {say.placeholder(named['from'])} and hear the answer"
        case "page":
            return f"Open the {named['day']} day of week {named['week']}"
        case "tick":
            return f"Tick or untick the box: {box_text(named['box'])}"
        case "note":
            return f"Note: {named['note']}"
    return PLAIN_MOVES[named["do"]]


PLAIN_MOVES: Final = {
    "stay": "Stay where you are",
    "pay": "Pay 1 000 TL",
    "decline": "Decline",
    "end-looking": "Continue without looking",
    "remain": "Remain in jail",
    "travel": "Travel out of Istanbul",
    "work": "Take the work",
    "hush": "Say nothing more",
    "withdraw": "Withdraw your offer or question",
    "state": "Say it",
    "write": "Write in your planner",
    "erase": "Erase it",
}
