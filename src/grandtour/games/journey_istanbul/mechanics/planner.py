# compiled
"""The journey planners: what their owners write in them, true or not, and what they show to others."""

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.events import event
from grandtour.engine.state import write_run
from grandtour.games.journey_istanbul.knowledge import Knowledge
from grandtour.games.journey_istanbul.mechanics.moves import ERASE, NOTE, OPEN_PAGE, TICK, WRITE
from grandtour.games.journey_istanbul.parts import (
    ALL,
    BOXES,
    CARD_NAMES,
    DAYS,
    LAST_DAY,
    MAX_NOTES_PER_DAY,
    N_DAYS,
    NOTES,
    OUT,
    SLOTS,
    SQUARES,
    WEEKS,
    date,
    statement_name,
)
from grandtour.games.journey_istanbul.state import ABOUT, BIT, NOTES_WRITTEN, PAGE, SHOWN_BIT, SUBJECT, TALK_SIZE, TO
from grandtour.games.journey_istanbul.view_types import DayNotes

WRITE_LIMIT: Final[i64] = MAX_NOTES_PER_DAY
BOX_COUNT: Final[i64] = len(BOXES)
NOTE_COUNT: Final[i64] = len(NOTES)
NOTE_BITS: Final[i64] = 5


class Planner(Knowledge):
    """The rules for writing in a planner and showing it."""

    def _planner_moves(self, me: i64, moves: vec[i64], count: i64) -> i64:
        """Append the moves for writing and erasing."""
        at = TALK_SIZE * me
        to = self.talk[at + TO]
        if to < 0:
            if self.talk[at + NOTES_WRITTEN] < WRITE_LIMIT:
                moves[count] = WRITE
                count += 1
            return count
        if to != me:
            return count
        about = self.talk[at + ABOUT]
        erase = False
        if about < 0:
            return write_run(moves, count, OPEN_PAGE, OPEN_PAGE + LAST_DAY)
        if about > PAGE:
            count = write_run(moves, count, TICK, TICK + BOX_COUNT)
            count = write_run(moves, count, NOTE, NOTE + NOTE_COUNT)
            erase = self.note(me, about - PAGE) > 0
        else:
            erase = self.talk[at + SUBJECT] < 0 and self.entry(me, about) > 0
        if erase:
            moves[count] = ERASE
            count += 1
        return count

    def _play_planner(self, me: i64, m: i64) -> None:
        at = TALK_SIZE * me
        about = self.talk[at + ABOUT]
        if m == WRITE:
            self.talk[at + NOTES_WRITTEN] += 1
            self.talk[at + TO] = me
        elif m < TICK:
            self.talk[at + ABOUT] = PAGE + 1 + m - OPEN_PAGE
        else:
            if m < NOTE:
                week = WEEKS * me + (about - PAGE - 1) // N_DAYS
                self.boxes = self.boxes[:]
                self.boxes[week] ^= BIT[BOX_COUNT * ((about - PAGE - 1) % N_DAYS) + m - TICK]
            elif m < ERASE:
                self._set_note(me, about - PAGE, m - NOTE + 1)
            elif about > PAGE:
                self._set_note(me, about - PAGE, 0)
            else:
                self._write(me, about, 0)
            self._stop_talking(me)
        self._talk_in_private()

    def note(self, seat: i64, day: i64) -> i64:
        """The note of a seat for an absolute day, counted from 1; 0 for none."""
        return self.notes[WEEKS * seat + (day - 1) // N_DAYS] >> (NOTE_BITS * ((day - 1) % N_DAYS)) & 31

    def _set_note(self, seat: i64, day: i64, note: i64) -> None:
        at = WEEKS * seat + (day - 1) // N_DAYS
        shift = NOTE_BITS * ((day - 1) % N_DAYS)
        self.notes = self.notes[:]
        self.notes[at] = self.notes[at] & ~(31 * BIT[shift]) | note << shift

    def _whisper(self, seats: i64, words: dict[str, Any]) -> None:
        """Tell only some seats what was said. The others get the same empty event for any message."""
        if self.events is not None:
            private: dict[int, dict[str, Any]] = {int(s): words for s in range(self.seats) if seats >> s & 1}
            self.events.append(event("whisper", private))

    def _talk_in_private(self) -> None:
        """Record an event that tells nobody anything."""
        if self.events is not None:
            self.events.append(event("whisper", {}))

    def _listeners(self, me: i64, to: i64) -> i64:
        """The seats spoken to, except those who have travelled out."""
        if to != ALL:
            return i64(1) << to
        seats: i64 = 0
        for other in range(self.seats):
            if other != me and self.place[other] != OUT:
                seats |= i64(1) << other
        return seats

    def _show_page(self, me: i64, to: i64, week: i64) -> None:
        """Show a week of the planner as its owner has written it, true or not."""
        listeners = self._listeners(me, to)
        cards: list[dict[str, Any]] = []
        for slot in range(i64(SLOTS)):
            said = self.entry(me, slot)
            if said and (self.due(slot) - 1) // N_DAYS == week:
                for other in range(self.seats):
                    if listeners >> other & 1:
                        self._hear(other, me, slot, said)
                if self.events is not None:
                    cards.append({**square_of(slot), "card": statement_name(int(slot // SQUARES), int(said))})
        self.pages = self.pages[:]
        for other in range(self.seats):
            if listeners >> other & 1:
                at = 2 * WEEKS * (self.seats * other + me) + week
                self.pages[at] = self.boxes[WEEKS * me + week]
                self.pages[at + WEEKS] = self.notes[WEEKS * me + week] | BIT[SHOWN_BIT]
        if self.events is not None:
            words = {"what": "shown", "seat": int(me), "to": name_of(to), "week": int(week) + 1, "cards": cards}
            days = days_of(int(week), int(self.boxes[WEEKS * me + week]), int(self.notes[WEEKS * me + week]))
            self._whisper(listeners | i64(1) << me, {**words, "days": days})

    def _show_known(self, me: i64, to: i64, week: i64) -> None:
        """Show the true cards of a week, as in version 1 of the rules. The listeners then know these cards."""
        listeners = self._listeners(me, to)
        shown: dict[int, dict[str, Any]] = {}
        if self.events is not None:
            words = {"what": "shown", "seat": int(me), "to": name_of(to), "week": int(week) + 1}
            shown = {s: {**words, "cards": []} for s in range(self.seats) if (listeners | i64(1) << me) >> s & 1}
        for slot in range(i64(SLOTS)):
            card = self.known(me, slot)
            if card >= 0 and (self.due(slot) - 1) // N_DAYS == week:
                for seat, told in shown.items():
                    if not self.knows[slot] >> seat & 1:
                        told["cards"].append({**square_of(slot), "card": CARD_NAMES.name(card)})
                self.knows[slot] |= listeners
                if to == ALL:
                    self.looked[slot] |= listeners | i64(1) << me
        if self.events is not None:
            self.events.append(event("whisper", shown))


def name_of(to: i64) -> Any:
    """The listener as events name it: a seat or "all"."""
    return "all" if to == ALL else int(to)


def square_of(slot: i64) -> dict[str, Any]:
    """A square of the sheet as events name it."""
    return {"day": DAYS[slot // SQUARES], "square": int(slot % SQUARES) + 1}


def days_of(week: int, boxes: int, notes: int) -> list[DayNotes]:
    """The days of a week, counted from 0, for which a planner has ticked boxes or a note."""
    found: list[DayNotes] = []
    for day in range(N_DAYS):
        ticked = [name for box, name in enumerate(BOXES) if boxes >> (len(BOXES) * day + box) & 1]
        note = notes >> (int(NOTE_BITS) * day) & 31
        if ticked or note:
            absolute = N_DAYS * week + day + 1
            text = NOTES[note - 1] if note else None
            found.append({"day": absolute, "date": date(absolute), "boxes": ticked, "note": text})
    return found
