"""A store in any older format is migrated to the current one without losing anything."""

import asyncio
import contextlib
import hashlib
import random
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.server import admin
from grandtour.server.storage import store_format
from grandtour.server.storage.sqlite_store import FILE, SqliteStore
from grandtour.server.tables import records
from grandtour.server.tables.records import Made, Moved, Said, SeatRecord, Started
from grandtour.server.tables.table import hash_secret
from tests.server.conftest import Serving
from tests.server.test_store import with_store

FIRST = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, made REAL NOT NULL, public INTEGER NOT NULL, card BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX tables_made ON tables (public, made);
CREATE TABLE log (
    id TEXT NOT NULL REFERENCES tables (id), n INTEGER NOT NULL, record BLOB NOT NULL, PRIMARY KEY (id, n)
) WITHOUT ROWID;
PRAGMA user_version = 1;
"""
"""The first version of format 1."""
TESTED = "CREATE TABLE tested (id INTEGER PRIMARY KEY CHECK (id = 1), time REAL NOT NULL);"
"""The part that a later version added to format 1."""
HEADS = """
CREATE TABLE heads (
    id TEXT PRIMARY KEY REFERENCES tables (id), n INTEGER NOT NULL, sum BLOB NOT NULL, time REAL NOT NULL,
    chat INTEGER NOT NULL
) WITHOUT ROWID;
ALTER TABLE log ADD COLUMN sum BLOB NOT NULL DEFAULT x'';
PRAGMA user_version = 2;
"""
"""The part that format 2 added: checksums."""
FORMAT_3 = Path(__file__).with_name("format-3.sql").read_text("utf-8")
"""Format 3 added people, clocks and curves."""
FORMAT_4 = Path(__file__).with_name("format-4.sql").read_text("utf-8")
"""Format 4 added notices, spectators and notes."""
FORMATS = {
    "1, the first": FIRST,
    "1, the last": FIRST + TESTED,
    "2": FIRST + TESTED + HEADS,
    "3": FORMAT_3,
    "4": FORMAT_4,
}
SHAPE = "2ce995363e20cd8c"
"""A digest of all that format 5 stores."""
MADE = 1_700_000_000.0
SECRET = "the secret of the first seat"


def log_of_a_match() -> list[records.Record]:
    game, dice = catalogue.game("round-trip"), random.Random(1)
    seats = [SeatRecord("Ada", hash_secret(SECRET)), SeatRecord("Bea", hash_secret("another"))]
    match = Match(game, 2, {"turn_limit": 10}, bytes(32))
    made = Made(game.name, match.version, match.options, seats, True, MADE, bytes(32).hex())
    log: list[records.Record] = [made, Started(time=MADE + 1)]
    for number in range(6):
        seat = match.waiting()[0]
        move = dice.choice(match.legal(seat))
        match.play(seat, move)
        log.append(Moved(seat, move, "person", f"m{number}", time=MADE + 10 + number))
    return [*log, Said(0, "hello", "s")]


def make_store(file: Path, schema: str) -> None:
    file.parent.mkdir(exist_ok=True)
    db = sqlite3.connect(file)
    db.executescript(schema)
    for table in ("aaaaaaaaaaaa", "bbbbbbbbbbbb"):
        db.execute("INSERT INTO tables VALUES (?, ?, 1, ?)", (table, MADE, b"{}"))
        stored = [records.encode(record) for record in log_of_a_match()]
        if "heads" in schema:
            last = store_format.insert_records(db, table, 0, store_format.first_sum(table), stored)
            db.execute("INSERT INTO heads VALUES (?, ?, ?, ?, 1)", (table, len(stored) - 1, last, MADE + 15))
        else:
            db.executemany("INSERT INTO log VALUES (?, ?, ?)", [(table, n, data) for n, data in enumerate(stored)])
    db.commit()
    db.close()


@pytest.mark.parametrize("format", FORMATS)
def test_matches_in_an_older_store_can_be_continued(tmp_path: Path, serving: Serving, format: str) -> None:
    store = tmp_path / FILE
    make_store(store, FORMATS[format])
    stored = [records.encode(record) for record in log_of_a_match()]
    api = serving()
    with api.join("aaaaaaaaaaaa", SECRET) as me:
        assert (me.seat, me.last) == (0, len(stored) - 1)
        assert me.ask("say", text="after all this time")["type"] == "ack"
    assert api.post("/api/passports", {"name": "Ada"})["me"]["name"] == "Ada"
    checked = admin.verify(store)
    assert (checked.tables, checked.records, checked.problems) == (2, 2 * len(stored) + 1, [])
    used = {listed.table: listed.used for listed in admin.listing(store)}
    assert used["bbbbbbbbbbbb"] == MADE + 15, "the time of the last move"
    assert used["aaaaaaaaaaaa"] > used["bbbbbbbbbbbb"]


def columns(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """The name, type, key and nullability of each column, by table."""
    with contextlib.closing(sqlite3.connect(file)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        info = {table: db.execute(f"PRAGMA table_info({table})").fetchall() for table in tables}
        return {table: sorted((name, kind, *rest[::2]) for _, name, kind, *rest in info[table]) for table in tables}


@pytest.mark.parametrize("format", FORMATS)
def test_a_migrated_store_has_the_tables_and_columns_of_a_new_one(tmp_path: Path, format: str) -> None:
    make_store(tmp_path / "old.db", FORMATS[format])
    for name in ("old.db", "new.db"):
        asyncio.run(SqliteStore(tmp_path / name).close())
    assert columns(tmp_path / "old.db") == columns(tmp_path / "new.db")


def test_a_change_of_the_schema_or_records_needs_a_new_format() -> None:
    stored = msgspec.json.schema(records.Record)
    shape = without_descriptions(stored), " ".join((store_format.SCHEMA + store_format.RECENT_SCHEMA).split())
    digest = hashlib.blake2b(msgspec.json.encode(shape, order="sorted"), digest_size=8).hexdigest()
    assert digest == SHAPE, (
        "What is stored has changed. An older server may not be able to read it: increase FORMAT in store_format.py,"
        f" write a migration if one is needed, add the former schema to FORMATS here, and set SHAPE to {digest!r}."
    )


def without_descriptions(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: without_descriptions(value) for key, value in schema.items() if key != "description"}
    return [without_descriptions(each) for each in schema] if isinstance(schema, list) else schema


def test_the_old_store_is_kept(tmp_path: Path) -> None:
    make_store(tmp_path / "test.db", FIRST)
    with_store(tmp_path, lambda store: store.load("aaaaaaaaaaaa"))
    kept = sqlite3.connect(tmp_path / "test.db.format-1")
    assert kept.execute("PRAGMA user_version").fetchone() == (1,)
    assert kept.execute("SELECT count(*) FROM log").fetchone() == (2 * len(log_of_a_match()),)
    kept.close()
    assert (tmp_path / "test.db.format-1").stat().st_mode & 0o077 == 0


def test_an_older_server_refuses_a_newer_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For example, servers of format 2 cannot read branches, guided games, rematches and passports."""
    with_store(tmp_path, lambda store: store.check())
    newest = store_format.FORMAT
    assert newest >= 3
    for older in range(1, newest):
        monkeypatch.setattr(store_format, "FORMAT", older)
        with pytest.raises(Refusal, match=f"has format {newest}; this program reads formats up to {older}"):
            SqliteStore(tmp_path / "test.db")


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "test.db"
    make_store(file, FIRST)

    def fail(*_: object) -> bytes:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(store_format, "insert_records", fail)
        with pytest.raises(Refusal, match="disk is full"):
            SqliteStore(file)
    db = sqlite3.connect(file)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    db.close()
    assert len(with_store(tmp_path, lambda store: store.load("aaaaaaaaaaaa"))) == len(log_of_a_match())


def test_a_backup_can_be_made_before_a_migration_and_restored_after_it(tmp_path: Path, serving: Serving) -> None:
    make_store(tmp_path / FILE, FIRST)
    assert admin.backup(tmp_path / FILE, tmp_path / "old") == 2
    with pytest.raises(Refusal, match="format 1"):
        admin.listing(tmp_path / FILE)
    assert admin.restore(tmp_path / FILE, tmp_path / "old", force=True) == 2
    assert serving().get("/api/tables/bbbbbbbbbbbb")["state"] == "playing"


def test_single_tables_can_be_restored_from_an_older_backup(tmp_path: Path) -> None:
    make_store(tmp_path / "old.db", FIRST)
    with_store(tmp_path, lambda store: store.check())
    restored = admin.restore_tables(tmp_path / "test.db", tmp_path / "old.db", ["bbbbbbbbbbbb"])
    assert restored == ["bbbbbbbbbbbb"]
    checked = admin.verify(tmp_path / "test.db")
    assert (checked.tables, checked.records, checked.problems) == (1, len(log_of_a_match()), [])
