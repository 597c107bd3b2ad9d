# compiled
"""What each seat may see of The Journey: Istanbul.

A view is built up from what is public and what belongs to the seat, never stripped down from a fuller one.
The words are in `words.py`.
"""

from collections.abc import Sequence
from typing import Any, Final

from grandtour.engine import words as say
from grandtour.engine.state import unchanged
from grandtour.games.journey_istanbul.mechanics import tasks
from grandtour.games.journey_istanbul.parts import (
    BILL,
    CARDS,
    DAYS,
    DISCOUNT,
    DRIVER,
    JAIL,
    JOURNEY,
    LAST_DAY,
    N_DAYS,
    OBSTACLES,
    OPPORTUNITIES,
    OUT,
    PLACES,
    SQUARES,
    WEEKS,
    date,
    money,
    symbols,
)
from grandtour.games.journey_istanbul.rules import (
    STEP_JOURNEY,
    STEP_OVER,
    STEP_WORK,
    STEPS,
    State,
)
from grandtour.games.journey_istanbul.state import (
    EV_DAY,
    SELL_TO,
    SQUARE_BASE,
    TALK_SIZE,
    last_evening,
)
from grandtour.games.journey_istanbul.view_talk import (
    notes_of,
    pages_of,
    questions_to,
    requests_to,
    said_of,
    seats_in,
    show_talk,
    square_of,
    statement_of,
)
from grandtour.games.journey_istanbul.view_types import (
    Buried,
    Discards,
    Ending,
    Entry,
    EveningOffer,
    Jail,
    Out,
    Person,
    Place,
    Row,
    Spot,
    Square,
    Trust,
    View,
)
from grandtour.games.journey_istanbul.words import describe, describe_move, lira, prompt_text

__all__ = ["describe", "describe_move", "final", "prompt", "view"]

SLOTS: Final = len(DAYS) * SQUARES
CHEAPEST_JOURNEY: Final = min(card.amount for card in CARDS if card.kind == JOURNEY)


def view(state: State, seat: int | None) -> View:
    """Everything a seat may see, as JSON. A spectator (None) sees only what is public."""
    return _add_private(state, seat, _public_view(state))


def views(
    state: State, seats: Sequence[int | None], before: State | None = None, known: Sequence[View] = ()
) -> list[View]:
    """The views of several seats, which share what everybody sees. If players have only talked since an earlier
    position, what is on the table is taken from its views."""
    if before is None or len(known) != len(seats) or not known or not _same_table(state, before):
        seen = _public_view(state)
        return [_add_private(state, seat, seen) for seat in seats]
    # Questions and offers may concern every seat; other talk concerns only those who say and hear it.
    asked = _offers_changed(state, before)
    help_from = _asked_for_help(state)
    questions = questions_to(state, None) if asked else []
    requests = requests_to(state, None) if asked else []
    found: list[View] = []
    for number, seat in enumerate(seats):
        now = known[number]
        if asked:
            now = now.copy()
            now["asked"] = help_from
            now["questions"] = questions
            now["requests"] = requests
        found.append(now if seat is None else _view_after_talk(state, seat, now, before, asked))
    return found


def _offers_changed(state: State, before: State) -> bool:
    """Whether anybody's question, answer or offer has changed."""
    for seat in range(state.seats):
        if not unchanged(state.talk, before.talk, TALK_SIZE * seat + SELL_TO, TALK_SIZE * (seat + 1)):
            return True
    return False


def _same_table(state: State, before: State) -> bool:
    """Whether nothing has changed except what players say and write."""
    return (
        state.step == before.step
        and state.turn == before.turn
        and state.day == before.day
        and state.looks == before.looks
        and state.sideways == before.sideways
        and state.revealed == before.revealed
        and state.gone == before.gone
        and state.drawn == before.drawn
        and state.done == before.done
        and state.fined == before.fined
        and state.card == before.card
        and state.asked == before.asked
        and state.freed == before.freed
        and state.bank == before.bank
        and state.arrivals == before.arrivals
        and unchanged(state.sheet, before.sheet)
        and unchanged(state.looked, before.looked)
        and unchanged(state.peeked, before.peeked)
        and unchanged(state.deck, before.deck)
        and unchanged(state.buried, before.buried)
        and unchanged(state.place, before.place)
        and unchanged(state.arrived, before.arrived)
        and unchanged(state.money, before.money)
        and unchanged(state.obstacle, before.obstacle)
        and unchanged(state.opportunity, before.opportunity)
        and unchanged(state.visits, before.visits)
        and unchanged(state.left, before.left)
        and unchanged(state.paid, before.paid)
        and unchanged(state.bonus, before.bonus)
        and unchanged(state.release, before.release)
        and unchanged(state.fine_card, before.fine_card)
        and unchanged(state.out_day, before.out_day)
        and unchanged(state.out_cost, before.out_cost)
        and unchanged(state.evening, before.evening)
    )


def _view_after_talk(state: State, seat: int, old: View, before: State, asked: bool) -> View:
    """A seat's view if players have only talked since the `old` one. It is the `old` one itself if nothing in it has
    changed."""
    pairs = 2 * state.seats
    pages = 2 * WEEKS * state.seats
    first, end = WEEKS * seat, WEEKS * (seat + 1)
    talked = asked or not unchanged(state.talk, before.talk, TALK_SIZE * seat, TALK_SIZE * (seat + 1))
    knew = unchanged(state.knows, before.knows)
    planned = (
        knew
        and unchanged(state.heard, before.heard)
        and unchanged(state.written, before.written, N_DAYS * seat, N_DAYS * (seat + 1))
    )
    trusted = unchanged(state.truths, before.truths, pairs * seat, pairs * (seat + 1))
    noted = unchanged(state.boxes, before.boxes, first, end) and unchanged(state.notes, before.notes, first, end)
    shown = unchanged(state.pages, before.pages, pages * seat, pages * (seat + 1))
    if planned and trusted and noted and shown and not talked:
        return old
    seen = old.copy()
    if not knew:
        _show_sheet(state, seat, seen, [_row(state, row, None) for row in range(len(DAYS))])
    if talked:
        show_talk(state, seat, seen)
    if not planned:
        seen["planner"] = _planner(state, seat)
    if not trusted:
        seen["trust"] = _trust(state, seat)
    if not noted:
        seen["notes"] = notes_of(state, seat)
    if not shown:
        seen["pages"] = pages_of(state, seat)
    return seen


def _public_view(state: State) -> View:
    """What everybody sees."""
    over = state.step == STEP_OVER
    evening = state.step in (STEP_JOURNEY, STEP_WORK)
    return {
        "phase": "over" if over else "evening" if evening else "turn",
        "step": STEPS[state.step],
        "turn": int(state.turn),
        "asked": _asked_for_help(state),
        "day": int(state.day),
        "last_day": LAST_DAY,
        "date": date(int(state.day)),
        "starter": int(state.starter),
        "looks": int(state.looks),
        "ranked": bool(state.ranked),
        "places": _places(state),
        "sheet": [_row(state, row, None) for row in range(len(DAYS))],
        "deck": {"left": len(CARDS) - int(state.drawn), "top": _back_of_top_card(state)},
        "discards": _discards(state, None),
        "players": [_player(state, other) for other in range(state.seats)],
        "offer": _offer(state) if evening else None,
        "evening": last_evening(state) if state.evening[EV_DAY] else None,
        "questions": questions_to(state, None),
        "requests": requests_to(state, None),
        "ending": ending(state) if over else None,
        "result": state.result(),
    }


def _add_private(state: State, seat: int | None, seen: View) -> View:
    """Add what only this seat sees to what everybody sees."""
    seen = seen.copy()
    if seat is not None:
        seen["you"] = seat
        _show_sheet(state, seat, seen, seen["sheet"])
        if seat in [lying["by"] for lying in seen["discards"]["down"]]:
            seen["discards"] = _discards(state, seat)
        seen["planner"] = _planner(state, seat)
        seen["short"] = int(state.short(seat)) * BILL
        seen["trust"] = _trust(state, seat)
        seen["notes"] = notes_of(state, seat)
        seen["pages"] = pages_of(state, seat)
        show_talk(state, seat, seen)
    return seen


def _show_sheet(state: State, seat: int, seen: View, shared: list[Row]) -> None:
    """Add the event sheet with the cards that this seat knows."""
    seen["sheet"] = [
        _row(state, row, seat) if _knows_some(state, row, seat) else shared[row] for row in range(len(DAYS))
    ]


def ending(state: State) -> Ending:
    """How the game ended."""
    if all(state.place[seat] == OUT for seat in range(state.seats)):
        return "all"
    return "days" if state.day == LAST_DAY else "cards"


def _places(state: State) -> list[Place]:
    eyes, cards = symbols(int(state.seats))
    return [
        {"name": name, "eyes": eyes[place], "cards": cards[place], "pile": _pile(state, place)}
        for place, name in enumerate(PLACES)
    ]


def _pile(state: State, place: int) -> list[int]:
    """The seats whose markers lie in a place, the lowest first."""
    here = [seat for seat in range(state.seats) if state.place[seat] == place]
    return sorted(here, key=lambda seat: state.arrived[seat])


def _row(state: State, row: int, seat: int | None) -> Row:
    squares: list[Square] = []
    for slot in range(SQUARES * row, SQUARES * row + SQUARES):
        lies = state.sheet[slot] >= 0
        up = lies and not state.hidden(slot)
        square: Square = {"square": slot - SQUARES * row + 1, "lies": lies}
        if lies:
            square["sideways"] = bool(state.sideways >> slot & 1)
            square["due"] = int(state.due(slot))
            square["looked"] = seats_in(state, state.looked[slot])
            square["up"] = up
            known = up or (seat is not None and state.known(seat, slot) >= 0)
            square["card"] = CARDS[state.sheet[slot]].name if known else None
        squares.append(square)
    return {"day": DAYS[row], "squares": squares}


def _knows_some(state: State, row: int, seat: int) -> bool:
    """Whether a seat knows a card in this row that lies face down."""
    return any(state.known(seat, slot) >= 0 for slot in range(SQUARES * row, SQUARES * row + SQUARES))


def _back_of_top_card(state: State) -> str | None:
    return DAYS[CARDS[state.deck[state.drawn]].day] if state.drawn < len(CARDS) else None


def _discards(state: State, seat: int | None) -> Discards:
    """The cards that were revealed, and the backs of those that were discarded because their row was full."""
    up = [card.name for number, card in enumerate(CARDS) if state.gone >> number & 1]
    down: list[Buried] = []
    for row, day in enumerate(DAYS):
        if state.buried[row] >= 0:
            by = int(state.buried[len(DAYS) + row])
            known = seat is not None and by == seat
            card = CARDS[state.buried[row]].name if known else None
            down.append({"day": day, "by": by if by >= 0 else None, "card": card})
    return {"up": up, "down": down}


def _player(state: State, seat: int) -> Person:
    place = state.place[seat]
    jail: Jail | None = None
    out: Out | None = None
    if place == JAIL:
        jail = {"fine": CARDS[state.fine_card[seat]].amount * BILL, "until": int(state.release[seat])}
    if place == OUT:
        out = {"day": int(state.out_day[seat]), "cost": int(state.out_cost[seat]) * BILL}
    return {
        "seat": seat,
        "place": PLACES[place] if place < JAIL else None,
        "was": _last_place(state, seat),
        "money": int(state.money[seat]) * BILL,
        "obstacle": {
            "name": OBSTACLES[state.obstacle[seat]],
            "complete": bool(state.done >> seat & 1),
            **tasks.obstacle(state, seat),
        },
        "opportunity": {
            "name": OPPORTUNITIES[state.opportunity[seat]],
            "complete": int(state.bonus[seat]),
            **tasks.opportunity(state, seat),
        },
        "looked_at": _looked_at(int(state.peeked[seat])),
        "fined": bool(state.fined >> seat & 1),
        "jail": jail,
        "out": out,
    }


def _looked_at(peeked: int) -> list[Spot]:
    """The squares looked at in a turn, in order. A square looked at twice is listed twice."""
    squares: list[Spot] = []
    while peeked:
        peeked, slot = divmod(peeked, SQUARE_BASE)
        squares.insert(0, square_of(slot - 1))
    return squares


def _last_place(state: State, seat: int) -> str | None:
    """The last place of a seat in the city. For a player in jail or out, it is the place they left."""
    days = [int(state.visits[len(PLACES) * seat + place]) for place in range(len(PLACES))]
    return PLACES[days.index(max(days))] if any(days) else None


def _offer(state: State) -> EveningOffer:
    """The journey or the work that is offered to the turn's player."""
    card, seat = state.card, state.turn
    journey = state.step == STEP_JOURNEY
    amount = state.cost(seat, card) if journey else state.wage(seat, card)
    return {
        "kind": "journey" if journey else "work",
        "card": CARDS[card].name,
        "place": PLACES[CARDS[card].place],
        "amount": int(amount) * BILL,
    }


def _asked_for_help(state: State) -> int | None:
    """The seat that the turn's player waits for after asking everybody for money."""
    seat = int(state.asked_for_help()) if state.step != STEP_OVER else -1
    return seat if seat >= 0 else None


def _planner(state: State, seat: int) -> list[Entry]:
    """The face-down cards as this seat knows them: what it saw, wrote, was told and told others."""
    entries = []
    for slot in range(SLOTS):
        if not state.hidden(slot):
            continue
        known = state.known(seat, slot)
        heard = [(other, state.claim(seat, other, slot)) for other in range(state.seats)]
        told = [(other, state.claim(other, seat, slot)) for other in range(state.seats)]
        if known < 0 and not state.entry(seat, slot) and not any(said for _, said in heard + told):
            continue
        entry: Entry = {
            **square_of(slot),
            "due": int(state.due(slot)),
            "card": CARDS[known].name if known >= 0 else None,
            "written": said_of(slot, int(state.entry(seat, slot))),
            "heard": [{"from": other, "card": statement_of(slot, int(said))} for other, said in heard if said],
            "told": [{"to": other, "card": statement_of(slot, int(said))} for other, said in told if said],
        }
        entries.append(entry)
    return sorted(entries, key=lambda entry: int(entry["due"]))


def _trust(state: State, seat: int) -> list[Trust]:
    """How often the statements of each seat to this one have proved true and false."""
    rows: list[Trust] = []
    for other in range(state.seats):
        pair = 2 * (state.seats * seat + other)
        rows.append({"seat": other, "true": int(state.truths[pair]), "false": int(state.truths[pair + 1])})
    return rows


def prompt(state: State, seat: int | None) -> dict[str, Any]:
    """What the seat should do now, or whom it is waiting for, with the paragraphs that explain it."""
    return prompt_for_view(view(state, seat), seat)


def prompt_for_view(seen: View, seat: int | None) -> dict[str, Any]:
    """The same, from the seat's view."""
    text, rules = prompt_text(seen, seat)
    return say.prompt(text, *rules)


def final(state: State) -> list[dict[str, Any]]:
    """The final result of each seat: who travelled out, when and at what price, and what the others still lacked.

    Without a winner there is no score and no money to compare: some made the journey, some did not.
    """
    result = state.result() or []
    rows = []
    for seat in range(state.seats):
        out = state.place[seat] == OUT
        cash = int(state.money[seat]) * BILL
        lines: list[dict[str, Any]] = []
        if out:
            cost = int(state.out_cost[seat]) * BILL
            lines.append({"label": "Travelled out", "value": date(int(state.out_day[seat]))})
            if state.ranked:
                lines.append({"label": "Money before the journey", "value": lira(cash + cost)})
                lines.append({"label": "Price of the journey", "value": f"−{lira(cost)}"})
        else:
            lines.append({"label": "Still in Istanbul", "value": _whereabouts(state, seat)})
            task = "completed" if state.done >> seat & 1 else "not completed"
            lines.append({"label": OBSTACLES[state.obstacle[seat]], "value": task})
            lines.append({"label": "Still needed", "value": _what_was_missing(state, seat)})
        if state.ranked:
            lines.append({"label": "Money left", "value": lira(cash)})
            won = bool(result and result[seat])
            rows.append({"seat": seat, "score": cash if out else 0, "won": won, "lines": lines})
        else:
            outcome = "made the journey" if out else "did not make it"
            rows.append({"seat": seat, "score": None, "won": False, "lines": lines, "outcome": outcome})
    return rows


def _what_was_missing(state: State, seat: int) -> str:
    """What a seat lacked to travel out."""
    lacked = [] if state.done >> seat & 1 else ["the task"]
    cheapest = CHEAPEST_JOURNEY - (DISCOUNT if state.opportunity[seat] == DRIVER and state.bonus[seat] else 0)
    if state.money[seat] < cheapest:
        lacked.append(f"{money(int(cheapest - state.money[seat]))} for the cheapest journey")
    if state.place[seat] == JAIL:
        lacked.append("freedom")
    return say.join_and(lacked) if lacked else "only a journey from where they were"


def _whereabouts(state: State, seat: int) -> str:
    place = state.place[seat]
    return "in jail" if place == JAIL else f"in {PLACES[place]}"
