"""The SQL about deals of the day. The table of attempts is in `people_store.py`."""

from typing import Any, Final, NamedTuple

from grandtour.server.storage.database import Database as Db


class Attempt(NamedTuple):
    """A first attempt at a deal; that of the bots (par) has no passport. Place, score and share are None until it is
    over; `kept` says whether its match is still stored."""

    table: str
    passport: str | None
    name: str
    place: int | None
    score: float | None
    share: float | None
    kept: bool


NO_SCORE: Final = -1e9
"""What orders an attempt without a score: last."""
_SCORE: Final = f"COALESCE(deals.score, {NO_SCORE})"
_FIND: Final = (
    "SELECT deals.table_id, deals.passport, deals.name, deals.place, deals.score, deals.share, tables.id"
    " FROM deals LEFT JOIN tables ON tables.id = deals.table_id WHERE deals.game = ? AND deals.day = ?"
)


def attempts(db: Db, game: str, day: str, limit: int) -> list[Attempt]:
    """People's attempts that are over, the best first."""
    found = db.execute(
        f"{_FIND} AND deals.share IS NOT NULL AND deals.passport IS NOT NULL"
        f" ORDER BY deals.share DESC, {_SCORE} DESC, deals.table_id LIMIT ?",
        (game, day, limit),
    )
    return [_attempt(row) for row in found.fetchall()]


def counts(db: Db, game: str, day: str, than: Attempt | None) -> tuple[int, int]:
    """How many people's attempts are over, and how many of them did better than this one."""
    share, score = (than.share, than.score) if than is not None else (None, None)
    row: Any = db.execute(
        f"SELECT COUNT(*), COALESCE(SUM(CASE WHEN share > ? OR (share = ? AND {_SCORE} > ?) THEN 1 ELSE 0 END), 0)"
        " FROM deals WHERE game = ? AND day = ? AND share IS NOT NULL AND passport IS NOT NULL",
        (share or 0.0, share or 0.0, NO_SCORE if score is None else score, game, day),
    ).fetchone()
    return int(row[0]), int(row[1])


def own(db: Db, game: str, day: str, passport: str | None) -> Attempt | None:
    """The attempt of a person, or of the bots."""
    if passport is None:
        row = db.execute(f"{_FIND} AND deals.passport IS NULL", (game, day)).fetchone()
    else:
        row = db.execute(f"{_FIND} AND deals.passport = ?", (game, day, passport)).fetchone()
    return None if row is None else _attempt(row)


def begin(db: Db, game: str, day: str, passport: str | None, name: str, table: str) -> str:
    """Note an attempt, unless there was one before. Returns the table of the first."""
    first = own(db, game, day, passport)
    if first is not None:
        return first.table
    db.execute(
        "INSERT INTO deals VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL)",
        (table, day, game, passport, name),
    )
    return table


def finish(db: Db, table: str, place: int, score: float | None, share: float) -> None:
    db.execute(
        "UPDATE deals SET place = ?, score = ?, share = ? WHERE table_id = ? AND share IS NULL",
        (place, score, share, table),
    )


def _attempt(row: tuple[str, str | None, str, int | None, float | None, float | None, str | None]) -> Attempt:
    return Attempt(*row[:6], row[6] is not None)
