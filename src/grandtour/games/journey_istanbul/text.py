"""A view of The Journey: Istanbul as text."""

from collections.abc import Mapping
from typing import Any, Final

from grandtour.engine import text as write
from grandtour.engine import words as say
from grandtour.engine.text import Section
from grandtour.games.journey_istanbul.parts import NEIGHBOURS, PARTS, PLACES, RAIDED_BY_MORE, RAIDED_BY_ONE, date
from grandtour.games.journey_istanbul.view_types import (
    Dialogue,
    Entry,
    Evening,
    Partner,
    Person,
    Progress,
    Row,
    Saying,
    Spot,
    Square,
    Step,
    View,
    Words,
)
from grandtour.games.journey_istanbul.words import card_text, day_text, lira, subject_text

STEPS: Final[dict[Step, str]] = {
    "move": "moving",
    "pay": "asked to pay for a part of the task",
    "look": "looking at event cards",
    "leave": "may leave jail",
    "journey": "offered a journey",
    "work": "offered work",
    "over": "the game is over",
}
ENDINGS: Final = {
    "all": "everybody has travelled out",
    "days": "three weeks have passed",
    "cards": "there are no more event cards",
}
SAYINGS: Final[dict[Saying, str]] = {
    "told": "told you",
    "shown": "showed you the planner",
    "offered": "offered to tell you",
    "asked": "asked",
    "refused": "did not buy",
    "requested": "asked for money",
    "denied": "said no",
    "answering": "offered to answer",
}
TASKS: Final[dict[str, dict[str, Any]]] = {
    card["name"]: card for kind in ("obstacles", "opportunities") for card in PARTS[kind]
}


def text(view: View, names: list[str], seat: int | None) -> list[Section]:
    """Everything in the view, and the text of the tasks."""
    found = [Section("Table", _table(view, names, seat)), Section("Players", _players(view, names, seat))]
    found.append(Section("Event cards on the sheet", [_row(row, names, seat) for row in view["sheet"]]))
    if view["evening"] is not None:
        found.append(Section(f"Last evening, {view['evening']['date']}", _evening(view["evening"], names, seat), True))
    found.append(Section("Talk", _talk(view, names, seat)))
    if seat is not None:
        found.append(Section("Your planner", _planner(view, names, seat), True))
    down = [
        f"a card for the {buried['day']} day, whose row was full"
        + (f", drawn by {say.whom(buried['by'], names, seat)}" if buried["by"] is not None else "")
        + (f": {card_text(buried['card'])}" if buried["card"] else "")
        for buried in view["discards"]["down"]
    ]
    up = [f"{name.partition('-')[0]} day: {card_text(name)}" for name in view["discards"]["up"]]
    return [
        *found,
        Section("Discards", [f"Face up: {write.listed(up)}.", f"Face down: {write.listed(down)}."], detail=True),
        Section("Neighbourhoods", _places(view), detail=True),
        Section("Tasks", _tasks(view), detail=True),
    ]


def _table(view: View, names: list[str], seat: int | None) -> list[str]:
    top = f", the top one for the {view['deck']['top']} day" if view["deck"]["top"] else ""
    aim = "the richest of those who travel out wins" if view["ranked"] else "nobody wins: travel out"
    looks = f", {say.plural(view['looks'], 'look')} left" if view["looks"] else ""
    lines = [
        f"{say.capitalize(view['date'])}: day {view['day']} of {view['last_day']}, {view['phase']}. Turn:"
        f" {write.player(view['turn'], names, seat)} ({STEPS[view['step']]}{looks});"
        f" {write.player(view['starter'], names, seat)} began the day.",
        f"Event cards left: {view['deck']['left']}{top}. Aim: {aim}.",
        "Where: "
        + "; ".join(
            f"{place['name']} {write.people(place['pile'], names, seat)}" for place in view["places"] if place["pile"]
        )
        + ".",
    ]
    offer = view["offer"]
    if offer is not None:
        what = "a journey" if offer["kind"] == "journey" else "work"
        lines.append(f"Offered: {what} in {offer['place']} for {lira(offer['amount'])} ({card_text(offer['card'])}).")
    if view["asked"] is not None:
        lines.append(f"Asked for help and not answered yet: {say.whom(view['asked'], names, seat)}.")
    if view["ending"] is not None:
        lines.append(f"The game is over: {ENDINGS[view['ending']]}.")
    return lines + write.result(view["result"], names, seat)


def _players(view: View, names: list[str], seat: int | None) -> list[str]:
    return [f"{write.player(each['seat'], names, seat)}: {_person(each)}" for each in view["players"]]


def _person(person: Person) -> str:
    was = f"was in {person['was']}" if person["was"] else "not yet anywhere"
    if person["out"] is not None:
        where = f"travelled out on the {date(person['out']['day'])} for {lira(person['out']['cost'])}, {was}"
    elif person["jail"] is not None:
        where = f"in jail until the {date(person['jail']['until'])}, fine {lira(person['jail']['fine'])}, {was}"
    else:
        where = f"in {person['place']}" + (f" ({was})" if person["was"] != person["place"] else "")
    obstacle, chance = person["obstacle"], person["opportunity"]
    looked = f"; looked at {write.listed(map(_spot, person['looked_at']))}" if person["looked_at"] else ""
    return (
        f"{lira(person['money'])}, {where}. Task {obstacle['name']}"
        f" {'complete' if obstacle['complete'] else 'not complete'} ({_progress(obstacle)});"
        f" {chance['name']} {f'complete since day {done}' if (done := chance['complete']) else 'not complete'}"
        f" ({_progress(chance)}){looked}"
        f"{'; fined last evening' if person['fined'] else ''}."
    )


def _progress(progress: Progress) -> str:
    done = "".join("X" if circle else "-" for circle in progress["circles"])
    if progress["place"] is None:
        return f"parts {done}"
    days = "" if progress["days"] is None else f" on day {say.join_or([str(day) for day in progress['days']] or ['-'])}"
    return f"parts {done}, next in {progress['place']}{days}"


def _row(row: Row, names: list[str], seat: int | None) -> str:
    cards = [_square(square, names, seat) for square in row["squares"] if square["lies"]]
    return f"{row['day']} day: {'; '.join(cards) or 'no card'}."


def _square(square: Square, names: list[str], seat: int | None) -> str:
    card = square.get("card")
    what = card_text(card) if card else "face down"
    more = [f"due on day {square.get('due')}"]
    if square.get("sideways"):
        more.append("sideways")
    if square.get("up"):
        more.append("face up")
    if square.get("looked"):
        more.append(f"seen by {write.people(square['looked'], names, seat)}")
    return f"{square['square']} {what} ({', '.join(more)})"


def _evening(evening: Evening, names: list[str], seat: int | None) -> list[str]:
    squares = [f"square {each['square']} {card_text(each['card'])}" for each in evening["squares"]]
    others = [card_text(card) for card in evening["cards"]]
    lines = [f"Day {evening['day']}: {write.listed(others)} ({write.listed(squares)})."]
    if evening["raids"]:
        lines.append(
            f"Raids: {evening['raids']}, in {write.listed(evening['raided'])}; fine {lira(evening['fine'])}, jail until"
            f" day {evening['until']}."
        )
    for who, card in zip(evening["completed"], evening["cards_completed"], strict=False):
        lines.append(f"{write.player(who, names, seat)} completed {card}.")
    for kind, words in (("fined", "Fined"), ("jailed", "Jailed"), ("spared", "Showed a work permit")):
        seats: list[int] = evening[kind]  # type: ignore[literal-required]
        if seats:
            lines.append(f"{words}: {write.people(seats, names, seat)}.")
    return lines


def _talk(view: View, names: list[str], seat: int | None) -> list[str]:
    lines = []
    for question in view["questions"]:
        lines.append(
            f"{write.player(question['from'], names, seat)} asked {_whom(question['to'], names, seat)} what"
            f" {_spot(question)} is, for {lira(question['price'])}."
            f" Said no: {write.people(question['noes'], names, seat)}."
            f" Would answer: {write.people(question['answers'], names, seat)}."
        )
    for request in view["requests"]:
        lines.append(
            f"{write.player(request['from'], names, seat)} asked {_whom(request['to'], names, seat)} for"
            f" {lira(request['amount'])}. Said no: {write.people(request['noes'], names, seat)}."
        )
    for offer in view.get("offers", []):
        what = f", that it is {card_text(offer['card'])}" if "card" in offer else ""
        lines.append(
            f"{write.player(offer['from'], names, seat)} would tell {say.whom(offer['to'], names, seat)} what"
            f" {_spot(offer)} is, for {lira(offer['price'])}{what}."
        )
    reply = view.get("reply")
    if reply is not None:
        to = say.whom(reply["to"], names, seat)
        lines.append(f"You offered to tell {to} that {_spot(reply)} is {card_text(reply['card'])}.")
    dialogue = view.get("dialogue")
    if dialogue is not None:
        lines.append(_dialogue(dialogue, names, seat))
    words = view.get("words")
    if words is not None:
        last = f" The last: {_last(words['last'], names, seat)}" if words["last"] is not None else ""
        lines.append(f"Said to you so far: {words['count']}.{last}")
        lines.append(f"You may talk {_more(view.get('talks_left', 0))} today.")
    if view.get("short"):
        lines.append(f"You are {lira(view['short'])} short of what you could do at once.")
    return lines


def _dialogue(dialogue: Dialogue, names: list[str], seat: int | None) -> str:
    to = "your planner" if dialogue["to"] is None else _whom(dialogue["to"], names, seat)
    parts = [f"You have turned to {to}"]
    if dialogue["about"] is not None:
        parts.append(f"about {_spot(dialogue['about'])}")
    if dialogue["page"] is not None:
        parts.append(f"at the page of day {dialogue['page']}")
    if dialogue["subject"] is not None:
        parts.append(f"to say it is {subject_text(dialogue['subject'])}")
    if dialogue["statement"] is not None:
        parts.append(f"that it is {card_text(dialogue['statement'])}")
    if dialogue["answering"]:
        parts.append("in answer to a question")
    return ", ".join(parts) + "."


def _last(words: Words, names: list[str], seat: int | None) -> str:
    parts = [f"{write.player(words['from'], names, seat)} {SAYINGS[words['what']]}"]
    if "week" in words:
        parts.append(f"for week {words['week']}")
    if "day" in words and "square" in words:
        parts.append(f"about card {words['square']} of the {words['day']} day")
    card = words.get("card")
    if card:
        parts.append(f"that it is {card_text(card)}")
    if "price" in words:
        parts.append(f"for {lira(words['price'])}")
    return " ".join(parts) + "."


def _planner(view: View, names: list[str], seat: int) -> list[str]:
    lines = [
        f"{say.capitalize(_spot(entry))}, due on day {entry['due']}: {_entry(entry, names, seat)}."
        for entry in view.get("planner", [])
    ]
    lines += [f"Your notes, {_day(day)}." for day in view.get("notes", [])]
    for page in view.get("pages", []):
        days = "; ".join(map(_day, page["days"])) or "nothing"
        weeks = say.join_and([str(week) for week in page["weeks"]])
        lines.append(f"{write.player(page['from'], names, seat)} showed you week {weeks} of a planner: {days}.")
    lines += [
        f"What {write.player(trust['seat'], names, seat)} has told you so far: {trust['true']} true,"
        f" {trust['false']} false."
        for trust in view.get("trust", [])
        if trust["true"] or trust["false"]
    ]
    lines.append(f"You may write {_more(view.get('notes_left', 0))} today.")
    return lines


def _entry(entry: Entry, names: list[str], seat: int) -> str:
    parts = [card_text(entry["card"]) if entry["card"] else "not seen"]
    if entry["written"] != entry["card"]:
        parts.append(f"written: {card_text(entry['written']) if entry['written'] else 'nothing'}")
    parts += [f"{write.player(heard['from'], names, seat)} said {card_text(heard['card'])}" for heard in entry["heard"]]
    parts += [f"you told {say.whom(told['to'], names, seat)} {card_text(told['card'])}" for told in entry["told"]]
    return "; ".join(parts)


def _day(day: Mapping[str, Any]) -> str:
    return f"day {day['day']}, {day_text(dict(day))}"


def _places(view: View) -> list[str]:
    return [
        f"{place['name']}: {say.plural(place['eyes'], 'look')}, {say.plural(place['cards'], 'card')} to draw; next to"
        f" {write.listed(PLACES[other] for other in NEIGHBOURS[at])}; raided by {_raids(at)}."
        for at, place in enumerate(view["places"])
    ]


def _raids(place: int) -> str:
    if place in RAIDED_BY_ONE:
        return "one police card"
    return "two police cards" if place in RAIDED_BY_MORE else "none"


def _tasks(view: View) -> list[str]:
    names = [card["name"] for each in view["players"] for card in (each["obstacle"], each["opportunity"])]
    return [f"{name}: {TASKS[name]['task']} {TASKS[name].get('bonus', '')}".rstrip() for name in dict.fromkeys(names)]


def _whom(to: Partner, names: list[str], seat: int | None) -> str:
    return "everybody" if to == "all" else say.whom(to, names, seat)


def _spot(spot: Spot) -> str:
    return f"card {spot['square']} of the {spot['day']} day"


def _more(count: int) -> str:
    return "no more" if not count else "once more" if count == 1 else f"{count} more times"
