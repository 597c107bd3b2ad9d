"""A view of Word Traveler as text. A space is named by its column and row, and by its place."""

from collections.abc import Iterable
from typing import Final

from grandtour.engine import text as write
from grandtour.engine import words as say
from grandtour.engine.text import Section
from grandtour.games.word_traveler.parts import SIZE, SPACE_NAMES
from grandtour.games.word_traveler.view_types import AskedArrow, BestClue, Card, Journey, Plan, Sheet, Step, View

STEPS: Final[dict[Step, str]] = {
    "ready": "getting ready",
    "plan": "planning",
    "guess": "the locals are guessing",
    "over": "the trip is over",
}


def text(view: View, names: list[str], seat: int | None) -> list[Section]:
    """Everything in the view."""
    found = [Section("Table", _table(view, names, seat)), Section("Players", _players(view, names, seat))]
    if view["journey"] is not None:
        found.append(Section("The journey", _journey(view["journey"], view, names, seat)))
    if "plan" in view:
        planned = view["step"] in ("guess", "over")
        found.append(Section("Your words and plan", _plan(view["plan"], view), planned))
        found.append(Section("Your map", _map(view), planned))
    for sheet in view["sheets"]:
        found.append(Section(f"Journey of day {sheet['day']}", _sheet(sheet, view, names, seat), detail=True))
    if view["best_clue"] is not None:
        found.append(Section("The best clue", [_best_clue(view["best_clue"], view, names, seat)]))
    return [*found, Section(f"{view['city']}, row by row from the north", _city(view), detail=True)]


def _table(view: View, names: list[str], seat: int | None) -> list[str]:
    places = [f"{each['at']}{' (collected)' if each['collected'] else ''}" for each in view["souvenirs"]]
    lines = [
        f"{view['city']}, day {view['day']} of 2: {STEPS[view['step']]}. {say.plural(view['arrows'], 'arrow')} each;"
        f" {write.player(view['first'], names, seat)} first; journeys over today: {view['gone']}.",
        f"Score of the team: {view['score']}. Souvenirs at {write.listed(places)} points. Rating so far:"
        f" {view['rating']}; the chart: {write.listed(view['chart'])}.",
    ]
    limits = view["limits"]
    if limits["planning"] or limits["discussion"]:
        lines.append(f"Limits: planning {_limit(limits['planning'])}, discussion {_limit(limits['discussion'])}.")
    if view["clock"] is not None:
        lines.append(f"A clock runs: {view['clock']['of']}, {view['clock']['seconds']} seconds.")
    if view["silent"] is not None:
        silent = view["silent"]
        lines.append(f"Silent now: {write.people(silent['seats'], names, seat)} ({silent['rule']}: {silent['reason']})")
    return lines + write.result(view["result"], names, seat)


def _limit(seconds: int) -> str:
    return f"{seconds} seconds" if seconds else "no limit"


def _players(view: View, names: list[str], seat: int | None) -> list[str]:
    lines = []
    for player in view["players"]:
        parts = [f"marker on {_space(player['marker'], view)}"]
        parts += (
            ["ready"] * player["ready"] + ["done planning"] * player["done"] + ["has traveled"] * player["traveled"]
        )
        if player["moved"]:
            parts.append(f"moved footprints {say.plural(player['moved'], 'time')}")
        lines.append(f"{write.player(player['seat'], names, seat)}: {', '.join(parts)}.")
    return lines


def _journey(journey: Journey, view: View, names: list[str], seat: int | None) -> list[str]:
    lines = [f"{write.player(journey['seat'], names, seat)} sets out from {_space(journey['start'], view)}."]
    lines += [_arrow(arrow, view, names, seat) for arrow in journey["arrows"]]
    decides = "now" if journey["deciding"] else "if the locals cannot agree"
    lines.append(f"Words not used: {write.listed(journey['unused'])}.")
    lines.append(
        f"Agreed: {write.people(journey['agreed'], names, seat)}. Decides {decides}:"
        f" {say.whom(journey['left_neighbour'], names, seat)}."
    )
    return lines


def _arrow(arrow: AskedArrow, view: View, names: list[str], seat: int | None) -> str:
    text = f"Arrow {arrow['arrow']} {arrow['to']}: {write.listed(arrow['words'])}. "
    if arrow["footprint"] is None or arrow["placed_by"] is None:
        text += "No footprint"
    else:
        text += f"Footprint on {_space(arrow['footprint'], view)}, by {say.whom(arrow['placed_by'], names, seat)}"
    if arrow["sure"] is not None:
        text += f", {arrow['sure']}"
    if arrow["again"]:
        text += ", placed once more"
    keeps = f"; it may move to {write.listed(arrow['keeps'])} without lifting others" if arrow["keeps"] else ""
    return f"{text}{keeps}."


def _plan(plan: Plan, view: View) -> list[str]:
    lines = [f"Your words: {write.listed(map(_card, plan['hand']))}.", f"You start from {_space(plan['start'], view)}."]
    for arrow in plan["arrows"]:
        aim = "no aim" if arrow["aim"] is None else f"{arrow['to']} to {_space(arrow['aim'], view)}"
        lines.append(f"Arrow {arrow['arrow']}: {aim}; words: {write.listed(arrow['words'])}.")
    lines.append(f"Arrows that would be read now: {plan['used']}. Changes left: {plan['changes_left']}.")
    return lines + ([plan["lacks"]] if plan["lacks"] else [])


def _card(card: Card) -> str:
    if card["arrow"] is None:
        return card["word"]
    side = f"{card['side']} side " if card["side"] == "black" else ""
    return f"{card['word']} ({side}under arrow {card['arrow']}, place {card['rank']})"


def _map(view: View) -> list[str]:
    symbols = view.get("map")
    if symbols is None:
        return ["You see it when the sand timer starts."]
    circles = [space for space, symbol in zip(SPACE_NAMES, symbols, strict=True) if symbol == "o"]
    stars = [space for space, symbol in zip(SPACE_NAMES, symbols, strict=True) if symbol == "*"]
    return [
        f"Stars (2 points): {_spaces(stars, view)}.",
        f"Circles (1 point): {_spaces(circles, view)}.",
    ]


def _sheet(sheet: Sheet, view: View, names: list[str], seat: int | None) -> list[str]:
    lines = [
        f"{write.player(sheet['seat'], names, seat)} from {_space(sheet['start'], view)}:"
        f" {say.plural(sheet['points'], 'point')}. Words not used: {write.listed(sheet['unused'])}."
    ]
    for stop in sheet["arrows"]:
        lines.append(
            f"- Arrow {stop['arrow']} {stop['to']}: {write.listed(stop['words'])}."
            f" Meant {_space(stop['meant'], view)}, guessed {_space(stop['guess'], view)}:"
            f" {say.plural(stop['points'], 'point')}."
        )
    marks = [f"{space} {symbol}" for space, symbol in zip(SPACE_NAMES, sheet["map"], strict=True) if symbol != "."]
    lines.append(f"The map: {write.listed(marks)} (o a circle, * a star).")
    return lines


def _best_clue(clue: BestClue, view: View, names: list[str], seat: int | None) -> str:
    return (
        f"Day {clue['day']}, {write.player(clue['seat'], names, seat)}, arrow {clue['arrow']} {clue['to']}:"
        f" {write.listed(clue['words'])} for {_space(clue['space'], view)}, one of {clue['choices']};"
        f" {say.plural(clue['points'], 'point')}."
    )


def _city(view: View) -> list[str]:
    if view["places"] is None:
        return ["The names of the places are hidden. Columns A to G, rows 1 to 7; D4 is the centre."]
    return [_spaces(SPACE_NAMES[row : row + SIZE], view) for row in range(0, len(SPACE_NAMES), SIZE)]


def _spaces(spaces: Iterable[str], view: View) -> str:
    return write.listed(_space(space, view) for space in spaces)


def _space(space: str, view: View) -> str:
    """A space by its column, its row and its place."""
    places = view["places"]
    return space if places is None else f"{space} {places[SPACE_NAMES.index(space)]}"
