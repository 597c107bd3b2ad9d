# compiled
"""What each seat may see of Word Traveler, and the words for moves and events.

A view is built up from what is public and what belongs to the seat, never stripped down from a fuller one.
"""

from typing import Any, Final

from grandtour.engine import words as say
from grandtour.engine.events import Event
from grandtour.engine.vocabulary import Named
from grandtour.games.word_traveler.parts import (
    CITIES,
    DIRECTIONS,
    HAND,
    MAX_ARROWS,
    MAX_CHANGES,
    N_SOUVENIRS,
    PLACES,
    RATINGS,
    SIZE,
    SOUVENIRS,
    SPACE_NAMES,
    SPACES,
    SURENESS,
    SYMBOLS,
    WORDS,
)
from grandtour.games.word_traveler.rules import State
from grandtour.games.word_traveler.state import STEP_GUESS, STEP_OVER, STEP_PLAN, STEP_READY, direction_of
from grandtour.games.word_traveler.view_types import (
    AskedArrow,
    BestClue,
    Card,
    Clock,
    Journey,
    Plan,
    PlannedArrow,
    Player,
    ReadArrow,
    Sheet,
    Silence,
    Step,
    Stop,
    View,
    Way,
)

STEPS: Final[dict[int, Step]] = {STEP_READY: "ready", STEP_PLAN: "plan", STEP_GUESS: "guess", STEP_OVER: "over"}


def view(state: State, seat: int | None) -> View:
    """Everything a seat may see, as JSON. A spectator (None) sees only what is public."""
    seen: View = {
        "city": CITIES[state.city],
        "places": list(PLACES[state.city]) if state.names else None,
        "day": int(state.day) + 1,
        "step": STEPS[state.step],
        "arrows": int(state.arrows()),
        "first": int(state.starter),
        "gone": int(state.gone),
        "limits": {"planning": int(state.timer), "discussion": int(state.discussion)},
        "clock": clock(state),
        "silent": silent(state),
        "score": int(state.score),
        "souvenirs": [{"at": at, "collected": bool(state.score >= at)} for at in SOUVENIRS[int(state.seats)]],
        "rating": RATINGS[state.souvenirs()],
        "players": [_player(state, other) for other in range(state.seats)],
        "journey": _journey(state) if state.step == STEP_GUESS else None,
        "sheets": _sheets(state),
        "chart": list(RATINGS),
        "best_clue": _best_clue(state) if state.step == STEP_OVER else None,
        "result": state.result(),
    }
    if seat is not None:
        seen["you"] = seat
        seen["map"] = SYMBOLS[state.maps[seat]][state.day] if state.step != STEP_READY else None
        seen["plan"] = _plan(state, seat)
    return seen


def clock(state: State) -> Clock | None:
    """The clock that runs now and the seconds it is set to; `run` changes each time it restarts."""
    run = int(10 * state.day + state.gone)
    if state.step == STEP_PLAN and state.timer:
        return {"of": "planning", "seconds": int(state.timer), "run": run}
    if state.step == STEP_GUESS and state.discussion and not state.deciding and state.seats > 2 and not state.unread():
        return {"of": "discussion", "seconds": int(state.discussion), "run": run}
    return None


def silent(state: State) -> Silence | None:
    """Who may not talk now, and why."""
    if state.step != STEP_GUESS:
        return None
    reason = "You travel: remain silent until the reveal."
    return {"seats": [int(state.traveler())], "rule": "WT-40", "reason": reason}


def _player(state: State, seat: int) -> Player:
    said = bool(state.done >> seat & 1)
    before = state.step in (STEP_READY, STEP_PLAN)
    return {
        "seat": seat,
        "marker": SPACE_NAMES[state.marker[seat]],
        "ready": (state.step != STEP_READY or said) and not state.unread() >> seat & 1,
        "done": not before or (state.step == STEP_PLAN and said),
        "traveled": not before and bool(state.turn_of(seat) < state.gone),
        "moved": int(state.steps[seat]) if state.step == STEP_GUESS else 0,
    }


def _plan(state: State, seat: int) -> Plan:
    """A player's own plan for today."""
    journey = state.journey_of(seat)
    here = state.start[journey]
    arrows: list[PlannedArrow] = []
    for arrow in range(state.arrows()):
        there = state.aim[MAX_ARROWS * journey + arrow]
        arrows.append(
            {
                "arrow": arrow + 1,
                "aim": SPACE_NAMES[there] if there >= 0 else None,
                "to": DIRECTIONS[direction_of(here, there)] if there >= 0 else None,
                "words": state.words(journey, arrow),
            }
        )
        here = there
    used, lacks = _readable_arrows(arrows)
    return {
        "start": SPACE_NAMES[state.start[journey]],
        "arrows": arrows,
        "hand": [
            _card(state.hand[i], state.put[i], state.rank[i]) for i in range(HAND * journey, HAND * journey + HAND)
        ],
        "used": used,
        "lacks": lacks if state.step == STEP_PLAN else None,
        "changes_left": int(MAX_CHANGES - state.changes[seat]),
    }


def _readable_arrows(arrows: list[PlannedArrow]) -> tuple[int, str | None]:
    """The number of arrows that would be read if planning ended now, and what the next one lacks."""
    for n, arrow in enumerate(arrows):
        lacks = " and ".join(what for what, there in (("aim", arrow["aim"]), ("word", arrow["words"])) if not there)
        if lacks:
            rest = any(later["aim"] or later["words"] for later in arrows[n:])
            return n, f"Arrow {n + 1} has no {lacks.replace(' and ', ' and no ')}." if rest else None
    return len(arrows), None


def _card(word: int, put: int, rank: int) -> Card:
    return {
        "word": WORDS[word],
        "arrow": int(put + 1) // 2 if put else None,
        "side": None if not put else "white" if put % 2 else "black",
        "rank": int(rank) if put else None,
    }


def _journey(state: State) -> Journey:
    """What the traveler has announced, and where the footprints stand."""
    traveler = int(state.traveler())
    journey = state.journey_of(traveler)
    arrows = []
    for n, arrow in enumerate(_read_out(state, journey)):
        there = state.feet[MAX_ARROWS * journey + n]
        keeps = [
            SPACE_NAMES[space]
            for space in range(SPACES)
            if state.can_stand(n, space) and space != there and state.fits(journey, n, space)
        ]
        asked: AskedArrow = {
            **arrow,
            "footprint": SPACE_NAMES[there] if there >= 0 else None,
            "placed_by": int(state.placer[n]) if there >= 0 else None,
            "sure": SURENESS[state.sure[n] - 1] if state.sure[n] else None,
            "again": bool(state.again >> n & 1),
            "keeps": keeps,
        }
        arrows.append(asked)
    return {
        "seat": traveler,
        "start": SPACE_NAMES[state.start[journey]],
        "arrows": arrows,
        "unused": state.words(journey, -1),
        "agreed": [seat for seat in range(state.seats) if state.agreed >> seat & 1],
        "left_neighbour": int(state.left_neighbour()),
        "deciding": bool(state.deciding),
    }


def _read_out(state: State, journey: int) -> list[ReadArrow]:
    """Arrows and words as the traveler announces them."""
    here = state.start[journey]
    read: list[ReadArrow] = []
    for arrow in range(state.used[journey]):
        there = state.aim[MAX_ARROWS * journey + arrow]
        to: Way = DIRECTIONS[direction_of(here, there)]
        read.append({"arrow": arrow + 1, "to": to, "words": state.words(journey, arrow)})
        here = there
    return read


def _sheets(state: State) -> list[Sheet]:
    """The journeys that are over: the stops that were meant and guessed, and their points."""
    sheets: list[Sheet] = []
    for day in range(state.day + 1):
        over = state.seats if day < state.day else state.gone if state.step != STEP_PLAN else 0
        for turn in range(over):
            seat = int((state.starter + turn) % state.seats)
            journey = state.seats * day + seat
            arrows: list[Stop] = [
                {
                    **arrow,
                    "meant": SPACE_NAMES[state.aim[MAX_ARROWS * journey + n]],
                    "guess": SPACE_NAMES[state.feet[MAX_ARROWS * journey + n]],
                    "points": int(state.points[MAX_ARROWS * journey + n]),
                }
                for n, arrow in enumerate(_read_out(state, journey))
            ]
            sheets.append(
                {
                    "day": day + 1,
                    "seat": seat,
                    "start": SPACE_NAMES[state.start[journey]],
                    "map": SYMBOLS[state.maps[seat]][day],
                    "arrows": arrows,
                    "unused": state.words(journey, -1),
                    "points": sum(arrow["points"] for arrow in arrows),
                }
            )
    return sheets


def _best_clue(state: State) -> BestClue | None:
    """The best clue to a stop that was guessed right: the one with the most spaces to choose from. Ties are broken by
    more points, then by fewer words."""
    best: tuple[tuple[int, int, int], BestClue] | None = None
    for sheet in _sheets(state):
        here = sheet["start"]
        for arrow in sheet["arrows"]:
            if arrow["meant"] == arrow["guess"]:
                choices = _line_length(here, arrow["to"])
                rank = (choices, arrow["points"], -len(arrow["words"]))
                if best is None or rank > best[0]:
                    clue: BestClue = {
                        "day": sheet["day"],
                        "seat": sheet["seat"],
                        "space": arrow["guess"],
                        "choices": choices,
                        "arrow": arrow["arrow"],
                        "to": arrow["to"],
                        "words": arrow["words"],
                        "points": arrow["points"],
                    }
                    best = rank, clue
            here = arrow["guess"]
    return best[1] if best else None


def _line_length(here: str, to: Way) -> int:
    """The number of spaces in a direction."""
    column, row = "ABCDEFG".index(here[0]), int(here[1]) - 1
    return {"north": row, "south": SIZE - 1 - row, "west": column, "east": SIZE - 1 - column}[to]


def prompt(state: State, seat: int | None) -> dict[str, Any]:
    """What the seat should do now, or whom it is waiting for, with the paragraphs that explain it."""
    if state.step == STEP_OVER:
        found = say.plural(state.souvenirs(), "golden souvenir", zero="no")
        return say.prompt(f"The trip is over: {found}, {RATINGS[state.souvenirs()]}.", "WT-67", "WT-68")
    if state.step == STEP_READY:
        return _prompt_to_be_ready(state, seat)
    if state.step == STEP_PLAN:
        return _prompt_to_plan(state, seat)
    return _prompt_to_guess(state, seat)


def _prompt_to_be_ready(state: State, seat: int | None) -> dict[str, Any]:
    awaited = [other for other in range(state.seats) if not state.done >> other & 1]
    if seat is None or seat not in awaited:
        verb = "is" if len(awaited) == 1 else "are"
        names = say.join_and([say.placeholder(other) for other in awaited])
        return say.prompt(f"{names} {verb} not ready yet. The sand timer starts when everyone is.", "WT-19")
    before = "Look at your words" if not state.day else "Talk it over"
    return say.prompt(f"{before}, and say when you are ready: then the sand timer starts.", "WT-19")


def _prompt_to_plan(state: State, seat: int | None) -> dict[str, Any]:
    busy = [other for other in range(state.seats) if not state.done >> other & 1]
    if seat is None or seat not in busy:
        verb = "is" if len(busy) == 1 else "are"
        return say.prompt(f"{say.join_and([say.placeholder(other) for other in busy])} {verb} still planning.", "WT-33")
    plan = _plan(state, seat)
    if plan["changes_left"] == 0:
        return say.prompt("You cannot change your plan any more today: finish planning.", "WT-36")
    if plan["lacks"]:
        arrow = plan["arrows"][plan["used"]]
        name = f"arrow {arrow['arrow']}"
        aim = "" if arrow["aim"] else f"aim {name} at a stop"
        words = "" if arrow["words"] else f"place words under {'it' if aim else name}"
        missing = " and ".join(part for part in (aim, words) if part)
        return say.prompt(f"{say.capitalize(missing)}, or finish without it.", "WT-31", "WT-34")
    if plan["used"] == 0:
        return say.prompt("Aim your first arrow at a stop and place words under it.", "WT-21", "WT-22")
    if plan["used"] == state.arrows():
        return say.prompt("All your arrows have words. Change your plan, or finish planning.", "WT-32", "WT-33")
    return say.prompt(f"Aim arrow {plan['used'] + 1} and place words under it, or finish planning.", "WT-24", "WT-29")


def _prompt_to_guess(state: State, seat: int | None) -> dict[str, Any]:
    traveler, left = int(state.traveler()), int(state.left_neighbour())
    if seat == traveler:
        return say.prompt("The locals are guessing your path. Remain silent until the reveal.", "WT-40")
    if seat is None:
        return say.prompt(f"The locals are guessing the path of {say.placeholder(traveler)}.", "WT-42")
    if state.deciding and seat != left:
        return say.prompt(f"{say.placeholder(left)} decides where {say.placeholder(traveler)} stops.", "WT-47")
    if state.unread() >> seat & 1:
        return say.prompt(
            "See what the last journey scored. The time to discuss starts when every local has seen it.", "WT-48"
        )
    journey = state.journey_of(traveler)
    missing = [n + 1 for n in range(state.used[journey]) if state.feet[MAX_ARROWS * journey + n] < 0]
    if missing:
        asked = f"Where does {say.placeholder(traveler)} want to stop?"
        return say.prompt(f"{asked} Place {_footprints(missing)}.", "WT-42", "WT-45")
    if state.deciding:
        return say.prompt("You decide: move the footprints, or leave them.", "WT-47")
    if state.agreed >> seat & 1:
        return say.prompt("You agree. The others have not agreed yet.", "WT-46")
    return say.prompt("Do you agree with the footprints? If not, move them.", "WT-46", "WT-43")


def describe(event: Event, names: list[str], seat: int | None) -> str:
    """One sentence for an event, as seen by a seat; "" if there is nothing to say."""
    return SENTENCES[event["event"]](event, names, seat)


def _arrived(event: Event, names: list[str], seat: int | None) -> str:
    return f"Welcome to {event['city']}! {say.who(event['first'], names, seat, 'travel')} first."


def _day(event: Event, names: list[str], seat: int | None) -> str:
    return f"Day {event['day']} begins: ten words and {event['arrows']} arrows each."


def _ready(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'are', 'is')} ready."


def _planning(event: Event, names: list[str], seat: int | None) -> str:
    return f"The sand timer starts: {_time(event['seconds'])} to plan."


def _planned(event: Event, names: list[str], seat: int | None) -> str:
    """Tells a player which later arrows have moved because an earlier one was changed."""
    kept = [one for one in event.get("moved", []) if one["space"]]
    lost = [one["arrow"] for one in event.get("moved", []) if not one["space"]]
    told = [f"Arrow {one['arrow']} keeps its direction and leads to {_where(one)} now." for one in kept]
    if lost:
        told.append(f"{_numbered('Arrow', lost)} {'leads' if len(lost) == 1 else 'lead'} nowhere now.")
    return " ".join(told)


def _done(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'are', 'is')} done planning."


def _time_up(event: Event, names: list[str], seat: int | None) -> str:
    if event["of"] == "planning":
        return "Time is up: planning is over."
    left = event["decides"]
    return f"Time is up: {say.whom(left, names, seat)} {say.does(left, seat, 'decide')}."


def _announced(event: Event, names: list[str], seat: int | None) -> str:
    if not event["arrows"]:
        return (
            f"{say.who(event['seat'], names, seat, 'stay')} at {event['start']}: no arrow has both an aim and a word."
        )
    moves = "; ".join(f"{arrow['to']}, {', '.join(arrow['words'])}" for arrow in event["arrows"])
    return f"{say.who(event['seat'], names, seat, 'ask')} the way: {moves}."


def _footprint(event: Event, names: list[str], seat: int | None) -> str:
    verb, onto = ("move", "to") if event["came"] else ("place", "on")
    text = f"{say.who(event['seat'], names, seat, verb)} footprint {event['number']} {onto} {_where(event)}"
    if event["lifted"]:
        text += f"; {_footprints(event['lifted'])} no longer {'fits' if len(event['lifted']) == 1 else 'fit'}"
    return text + "."


def _sure(event: Event, names: list[str], seat: int | None) -> str:
    who = say.who(event["seat"], names, seat, "are", "is")
    if event["how"] == SURENESS[0]:
        return f"{who} only guessing footprint {event['number']}."
    return f"{who} {event['how']} of footprint {event['number']}."


def _agreed(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'agree')} with the footprints."


def _asked(event: Event, names: list[str], seat: int | None) -> str:
    whom = say.whom(event["decides"], names, seat)
    return f"{say.who(event['seat'], names, seat, 'ask')} for a decision: it is up to {whom} now."


def _revealed(event: Event, names: list[str], seat: int | None) -> str:
    return f"{say.who(event['seat'], names, seat, 'reveal')} the map."


def _stop(event: Event, names: list[str], seat: int | None) -> str:
    text = f"Stop {event['number']}: {_where(event)}"
    if event["meant"] == event["space"]:
        text += ", as intended"
    else:
        meant = event["meant_place"] or event["meant"]
        text += f"; {'you' if event['seat'] == seat else 'they'} meant {meant}"
    return f"{text}: {say.plural(event['points'], 'point', zero='no')}."


def _souvenir(event: Event, names: list[str], seat: int | None) -> str:
    return f"The team collects a golden souvenir, number {event['souvenirs']}!"


def _ended(event: Event, names: list[str], seat: int | None) -> str:
    points = say.plural(event["score"], "point", zero="no")
    found = say.plural(event["souvenirs"], "golden souvenir", zero="no")
    return f"The trip is over: {points}, {found}. You are all {event['rating']}!"


SENTENCES: Final[dict[str, say.Sentence]] = {
    "arrived": _arrived,
    "day": _day,
    "ready": _ready,
    "planning": _planning,
    "planned": _planned,
    "done": _done,
    "time-up": _time_up,
    "journey": _announced,
    "footprint": _footprint,
    "sure": _sure,
    "agreed": _agreed,
    "asked": _asked,
    "revealed": _revealed,
    "stop": _stop,
    "souvenir": _souvenir,
    "ended": _ended,
}


def describe_move(state: State, named: Named) -> str:
    """A move in a few words, for a button or a hint."""
    match named["do"]:
        case "aim":
            return f"Aim arrow {named['arrow']} at {_space_name(state, named['space'])}"
        case "place":
            return f"Place “{named['word']}” under arrow {named['arrow']}"
        case "take-back":
            return f"Take “{named['word']}” back"
        case "done":
            return "Finish planning"
        case "footprint":
            return f"Footprint {named['number']} on {_space_name(state, named['space'])}"
        case "sure":
            return f"Footprint {named['number']}: {named['how']}"
        case "agree":
            return "Agree"
        case "ask":
            return "Ask the left neighbour to decide"
        case "ready":
            return "Ready to plan"
    return "Time is up"


def final(state: State) -> list[dict[str, Any]]:
    """The final result of each seat. The score is the team's points; each of the seat's stops is a line."""
    sheets = _sheets(state)
    rows = []
    for seat in range(state.seats):
        lines: list[dict[str, Any]] = []
        for sheet in sheets:
            if sheet["seat"] == seat:
                lines += [_line(state, sheet, arrow) for arrow in sheet["arrows"]]
        mine = sum(sheet["points"] for sheet in sheets if sheet["seat"] == seat)
        lines.append({"label": "Points on these journeys", "value": mine})
        lines.append({"label": "Team points", "value": int(state.score)})
        lines.append({"label": "Golden souvenirs", "value": f"{state.souvenirs()} of 6"})
        lines.append({"label": "Your team", "value": RATINGS[state.souvenirs()]})
        rows.append({"seat": seat, "score": int(state.score), "won": state.souvenirs() == N_SOUVENIRS, "lines": lines})
    return rows


def _space_name(state: State, space: str) -> str:
    """The place on a space, or its coordinates where names are hidden."""
    return state.place_name(SPACE_NAMES.index(space)) or space


def _line(state: State, sheet: Sheet, arrow: Stop) -> dict[str, Any]:
    value = f"{_space_name(state, arrow['guess'])}: {arrow['points']}"
    if arrow["meant"] != arrow["guess"]:
        value += f" (meant: {_space_name(state, arrow['meant'])})"
    words = ", ".join(arrow["words"])
    return {"label": f"Day {sheet['day']}, {arrow['to']}: {words}", "value": value}


def _footprints(numbers: list[int]) -> str:
    """Footprints by their numbers: "footprint 2", "footprints 4 and 5"."""
    return _numbered("footprint", numbers)


def _numbered(what: str, numbers: list[int]) -> str:
    return f"{what}{'s' if len(numbers) > 1 else ''} {say.join_and([str(n) for n in numbers])}"


def _time(seconds: int) -> str:
    """A time in minutes, or in seconds if it is not a whole number of minutes: "4 minutes", "90 seconds"."""
    if seconds % 60 == 0:
        return say.plural(seconds // 60, "minute", zero="no")
    return say.plural(seconds, "second", zero="no")


def _where(event: Event) -> str:
    return str(event["place"] or event["space"])
