"""The SQL about deals of the day. The table of attempts is in `people_store.py`."""

from typing import Any, Final, NamedTuple

from grandtour.server.storage.database import Database as Db


class Attempt(NamedTuple):
    """Somebody's first attempt at a deal. The bots' attempt (par) has no passport. Place, score and share are None
    until its match is over; `stored` says whether the match is still in the store."""

    table: str
    passport: str | None
    name: str
    place: int | None
    score: float | None
    share: float | None
    stored: bool


NO_SCORE: Final = -1e9
"""The score that sorts an attempt without a score last."""
_SCORE: Final = f"COALESCE(deals.score, {NO_SCORE})"
_FIND: Final = (
    "SELECT deals.table_id, deals.passport, deals.name, deals.place, deals.score, deals.share, tables.id"
    " FROM deals LEFT JOIN tables ON tables.id = deals.table_id WHERE deals.game = ? AND deals.day = ?"
)


def attempts(db: Db, game: str, day: str, limit: int) -> list[Attempt]:
    """The finished attempts of people, best first."""
    rows = db.execute(
        f"{_FIND} AND deals.share IS NOT NULL AND deals.passport IS NOT NULL"
        f" ORDER BY deals.share DESC, {_SCORE} DESC, deals.table_id LIMIT ?",
        (game, day, limit),
    )
    return [_attempt(row) for row in rows.fetchall()]


def counts(db: Db, game: str, day: str, attempt: Attempt | None) -> tuple[int, int]:
    """The number of finished attempts of people, and the number of those that were better than this one."""
    share, score = (attempt.share, attempt.score) if attempt is not None else (None, None)
    row: Any = db.execute(
        f"SELECT COUNT(*), COALESCE(SUM(CASE WHEN share > ? OR (share = ? AND {_SCORE} > ?) THEN 1 ELSE 0 END), 0)"
        " FROM deals WHERE game = ? AND day = ? AND share IS NOT NULL AND passport IS NOT NULL",
        (share or 0.0, share or 0.0, NO_SCORE if score is None else score, game, day),
    ).fetchone()
    return int(row[0]), int(row[1])


def attempt_of(db: Db, game: str, day: str, passport: str | None) -> Attempt | None:
    """The attempt of a person, or of the bots if `passport` is None."""
    if passport is None:
        row = db.execute(f"{_FIND} AND deals.passport IS NULL", (game, day)).fetchone()
    else:
        row = db.execute(f"{_FIND} AND deals.passport = ?", (game, day, passport)).fetchone()
    return None if row is None else _attempt(row)


def add_attempt(db: Db, game: str, day: str, passport: str | None, name: str, table: str) -> str:
    """Record an attempt, unless there has been one already. Returns the table of the first attempt."""
    first = attempt_of(db, game, day, passport)
    if first is not None:
        return first.table
    db.execute(
        "INSERT INTO deals VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL)",
        (table, day, game, passport, name),
    )
    return table


def set_result(db: Db, table: str, place: int, score: float | None, share: float) -> None:
    db.execute(
        "UPDATE deals SET place = ?, score = ?, share = ? WHERE table_id = ? AND share IS NULL",
        (place, score, share, table),
    )


def _attempt(row: tuple[str, str | None, str, int | None, float | None, float | None, str | None]) -> Attempt:
    return Attempt(*row[:6], row[6] is not None)
