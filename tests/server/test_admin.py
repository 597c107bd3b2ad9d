"""`grandtour admin`: backups, restoring, deletion and damage, while a server runs."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grandtour.cli import main
from grandtour.engine.refusal import Refusal
from grandtour.server import admin
from grandtour.server.storage.retention import REMOVED_TEXT
from grandtour.server.storage.sqlite_store import FILE, SqliteStore
from grandtour.server.storage.store_format import flush_all
from grandtour.server.tables import records
from grandtour.server.tables.records import Said
from tests.server.client import Api, Message
from tests.server.conftest import Serving, Starting
from tests.server.test_store import copy_files, row, with_store

SHORT = {"turn_limit": 10}


def played(api: Api, moves: int = 4) -> Message:
    """A table at which two people have made a few moves and one has written in the chat."""
    opened = api.open("me", "open", options=SHORT)
    place = api.sit(opened["table"], "Ada")
    dice = random.Random(1)
    with api.join(opened["table"], opened["secret"]) as me, api.join(opened["table"], place["secret"]) as you:
        assert me.ask("say", text="a word in private")["type"] == "ack"
        for _ in range(moves):
            mover, other = (me, you) if me.now["legal"] else (you, me)
            assert mover.move(dice.choice(mover.moves()))["type"] == "ack"
            while mover.now["n"] < mover.last:
                mover.receive()
            while other.now["n"] < mover.last:
                other.receive()
    return opened


def change(store: Path, sql: str, *values: object) -> None:
    """Damage a store, whose records have all been flushed before."""
    db = sqlite3.connect(store, isolation_level=None)
    flush_all(db)
    assert db.execute(sql, values).rowcount > 0, "nothing was changed"
    db.close()


def test_a_backup_made_while_people_play_is_restored_with_every_move(
    starting: Starting, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = starting()
    api = Api(server.url)
    opened = played(api)
    copy = tmp_path / "backup.db"
    with api.join(opened["table"], opened["secret"]) as me:
        before = me.last
        assert main(["admin", "backup", str(copy), "--data", str(tmp_path)]) == 0
        assert me.ask("say", text="and on it goes")["type"] == "ack"
    assert "1 table." in capsys.readouterr().out
    assert copy.stat().st_mode & 0o077 == 0, "other users can read the backup"
    elsewhere = tmp_path / "elsewhere"
    assert main(["admin", "restore", str(copy), "--data", str(elsewhere)]) == 0
    assert main(["admin", "verify", "--data", str(elsewhere)]) == 0
    (listed,) = admin.listing(elsewhere / FILE)
    assert (listed.table, listed.game, listed.phase) == (opened["table"], "round-trip", "playing")
    assert listed.records == before + 1
    server.end(signal.SIGTERM)


def test_restoring_the_whole_store_needs_force_and_a_stopped_server(starting: Starting, tmp_path: Path) -> None:
    server = starting()
    api = Api(server.url)
    first = played(api)
    store, copy = tmp_path / FILE, tmp_path / "copy"
    admin.backup(store, copy)
    with pytest.raises(Refusal, match="--force replaces it"):
        admin.backup(store, copy)
    with pytest.raises(Refusal, match="Another server is using the store"):
        admin.restore(store, copy, force=True)
    second = played(api)
    server.end(signal.SIGTERM)
    with pytest.raises(Refusal, match="--force replaces it"):
        admin.restore(store, copy)
    assert admin.restore(store, copy, force=True) == 1
    assert [listed.table for listed in admin.listing(store)] == [first["table"]]
    kept = admin.listing(store.with_name(FILE + ".replaced"))
    assert {listed.table for listed in kept} == {first["table"], second["table"]}, "the old store is lost"


def test_a_table_is_restored_from_a_backup_while_the_server_runs(tmp_path: Path, serving: Serving) -> None:
    api = serving()
    deleted, other = played(api), played(api)
    store, copy = tmp_path / FILE, tmp_path / "copy"
    admin.backup(store, copy)
    admin.delete(store, deleted["table"])
    api.until(lambda: api.get("/api/health")["sockets"] == 0)
    with api.join(other["table"], other["secret"]) as me:
        last = me.last
        assert main(["admin", "restore", str(copy), "--missing", "--data", str(tmp_path)]) == 0
        assert me.ask("say", text="nothing has happened to us")["type"] == "ack"
        assert me.last == last + 1
    with api.join(deleted["table"], deleted["secret"]) as back:
        assert [event["kind"] for event in back.events.values()].count("move") == 4
        assert back.ask("say", text="here again")["type"] == "ack"
    assert admin.verify(store).problems == []


def test_a_table_is_restored_from_files_that_were_copied_while_a_server_ran(tmp_path: Path) -> None:
    """The records that were stored last are not flushed in them."""

    async def use(store: SqliteStore) -> None:
        await store.create(row("a"), [b"0"])
        await store.append("a", 1, [b"1"])
        copy_files(tmp_path, tmp_path / "copied")

    with_store(tmp_path, use)
    store = tmp_path / "test.db"
    admin.delete(store, "a")
    assert admin.restore_tables(store, tmp_path / "copied" / "test.db", None) == ["a"]
    assert with_store(tmp_path, lambda at: at.load("a")) == [b"0", b"1"]


def test_players_are_told_when_their_table_is_restored_from_a_backup(tmp_path: Path, serving: Serving) -> None:
    api = serving()
    opened = played(api)
    store, copy = tmp_path / FILE, tmp_path / "copy"
    admin.backup(store, copy)
    restore = ["admin", "restore", str(copy), "--table", opened["table"], "--data", str(tmp_path)]
    with api.join(opened["table"], opened["secret"]) as me:
        kept = me.last
        assert me.ask("say", text="this will be lost")["type"] == "ack"
        assert main(restore) == 2, "an existing table was replaced without --force"
        assert main([*restore, "--force"]) == 0
        me.send({"type": "say", "id": "s", "text": "what now?"})
        assert me.closed() == 1008
        assert "restored from a backup" in me.received[-1]["reason"]
    with api.join(opened["table"], opened["secret"]) as back:
        assert back.last == kept
        assert back.ask("say", text="on we go")["type"] == "ack"
    assert admin.verify(store).problems == []


def test_damaged_tables_of_a_backup_are_not_restored(tmp_path: Path, serving: Serving) -> None:
    table = played(serving())["table"]
    store, copy = tmp_path / FILE, tmp_path / "copy"
    admin.backup(store, copy)
    with pytest.raises(Refusal, match="There is no table nothing in"):
        admin.restore_tables(store, copy, ["nothing"])
    change(copy, "DELETE FROM log WHERE n = 3")
    with pytest.raises(Refusal, match=f"record 3 of table {table} is missing"):
        admin.restore_tables(store, copy, [table], force=True)
    assert admin.verify(store).problems == [], "the store was touched"


@pytest.mark.parametrize("content", [b"", b"this is no database" * 100])
def test_a_file_that_is_not_a_backup_is_not_restored(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(Refusal, match="is not a backup of a store"):
        admin.restore(tmp_path / FILE, tmp_path / "file")
    assert not (tmp_path / FILE).exists()


DAMAGE = {
    "a changed move": (
        "UPDATE log SET record = CAST(replace(record, 'r', 'x') AS BLOB) WHERE n = 4",
        "Record 4 of table",
    ),
    "a record of another type": ("UPDATE log SET record = CAST(record AS TEXT) WHERE n = 4", "Record 4 of table"),
    "a missing record": ("DELETE FROM log WHERE n = 3", "Record 3 of table"),
    "a missing end": ("DELETE FROM log WHERE n = (SELECT max(n) FROM log)", "is missing"),
    "a changed checksum": ("UPDATE log SET sum = randomblob(16) WHERE n = 2", "Record 2 of table"),
    "a changed head": ("UPDATE heads SET sum = randomblob(16)", "does not match the last checksum"),
    "a lost head": ("DELETE FROM heads", "Record 0 of table"),
    "a lost log": ("DELETE FROM log", "Record 0 of table"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_verify_reports_damage(tmp_path: Path, serving: Serving, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    api = serving()
    table = played(api)["table"]
    store = tmp_path / FILE
    assert admin.verify(store).problems == []
    sql, words = DAMAGE[kind]
    change(store, sql)
    assert main(["admin", "verify", "--quick", "--data", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert words in said
    assert table in said
    assert main(["admin", "verify", table, "--data", str(tmp_path)]) == 1


def test_a_store_is_listed_and_verified_on_a_full_disk(tmp_path: Path, starting: Starting) -> None:
    """Nothing is written, although the server has not flushed its records yet."""
    server = starting()
    table = played(Api(server.url), moves=30)["table"]
    store = tmp_path / FILE
    size = {file: file.stat().st_size for file in tmp_path.glob("grandtour.db*")}
    call = "from pathlib import Path; from grandtour.server import admin;"
    call += f" store = Path({str(store)!r}); print(admin.verify(store).records, admin.listing(store)[0].records)"
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); {call}"
    told = subprocess.run([sys.executable, "-c", limited], capture_output=True, text=True, check=True).stdout
    stored, listed = told.split()
    assert stored == listed
    assert int(stored) > 30
    assert {file: file.stat().st_size for file in size} == size
    assert [one.table for one in admin.listing(store)] == [table]


def test_verify_reports_a_log_that_cannot_be_replayed_despite_good_checksums(tmp_path: Path, serving: Serving) -> None:
    table = played(serving())["table"]
    store = tmp_path / FILE
    serving()  # the server unloads the table

    async def append(at: SqliteStore) -> int:
        n = len(await at.load(table))
        await at.append(table, n, [records.encode(records.Moved(0, {"do": "nothing of the kind"}, "person"))])
        return n

    copied = tmp_path / "copied"
    copied.mkdir()
    admin.backup(store, copied / "test.db")
    n = with_store(copied, append)
    assert admin.verify(copied / "test.db", replay=False).problems == []
    (problem,) = admin.verify(copied / "test.db").problems
    assert problem.startswith(f"Record {n} of table {table} cannot be played again")


def test_a_server_does_not_load_a_damaged_table(tmp_path: Path, serving: Serving) -> None:
    table, other = (played(serving())["table"] for _ in range(2))
    change(tmp_path / FILE, "UPDATE log SET record = replace(record, 'a', 'b') WHERE n = 1 AND id = ?", table)
    api = serving()
    status, refused = api.request("GET", f"/api/tables/{table}")
    assert (status, refused["code"]) == (410, "old-table")
    assert "event 1 is damaged" in refused["reason"]
    assert api.get(f"/api/tables/{other}")["state"] == "playing"


def test_people_at_a_deleted_table_are_told(tmp_path: Path, serving: Serving) -> None:
    api = serving()
    opened = api.open("me", "open", options=SHORT)
    place = api.sit(opened["table"], "Ada")
    other = played(api)
    with (
        api.join(opened["table"], opened["secret"]) as me,
        api.join(opened["table"], place["secret"]) as you,
    ):
        assert main(["admin", "delete", opened["table"], "--data", str(tmp_path)]) == 0
        mover = me if me.now["legal"] else you
        assert mover.moves(), "nobody can move"
        mover.send({"type": "move", "id": "m", "at": mover.last, "move": mover.moves()[0]})
        for each in (me, you):
            assert each.closed() == 1008
            told = each.received[-1]
            assert (told["type"], told["code"]) == ("refused", "unknown-table")
    assert api.request("GET", f"/api/tables/{opened['table']}")[0] == 404
    assert api.get(f"/api/tables/{other['table']}")["state"] == "playing"
    with pytest.raises(Refusal, match="There is no table"):
        admin.delete(tmp_path / FILE, opened["table"])


def test_bots_at_a_deleted_table_stop(tmp_path: Path, serving: Serving) -> None:
    api = serving(metrics_from=frozenset({"127.0.0.1"}), bot_pause=0.05)
    table = api.open("random", "random", options={"turn_limit": 200})["table"]
    admin.delete(tmp_path / FILE, table)
    api.until(lambda: api.request("GET", f"/api/tables/{table}")[0] == 404)
    api.until(lambda: "grandtour_bots_thinking 0\n" in api.fetch("GET", "/metrics")[1])


def age_all(store: Path, days: float) -> None:
    change(store, "UPDATE heads SET time = ?", time.time() - days * 24 * 3600)


def chat_at(store: Path, table: str) -> list[str]:
    async def said(at: SqliteStore) -> list[str]:
        found = [records.decode(record) for record in await at.load(table)]
        return [record.text for record in found if isinstance(record, Said)]

    copied = store.parent / "copied"
    copied.mkdir(exist_ok=True)
    admin.backup(store, copied / "test.db", force=True)
    return with_store(copied, said)


def test_only_old_tables_are_pruned(tmp_path: Path, serving: Serving, capsys: pytest.CaptureFixture[str]) -> None:
    api = serving()
    store = tmp_path / FILE
    old = played(api)["table"]
    age_all(store, 91)
    new = played(api)["table"]
    for options, tables, said in (
        ("--chat --dry-run", 2, "The chat of 1 table would be deleted."),
        ("--chat", 2, "The chat of 1 table was deleted."),
        ("--dry-run", 2, "1 table would be deleted."),
        ("", 1, "1 table was deleted."),
    ):
        assert main(["admin", "prune", "--older-than", "90d", *options.split(), "--data", str(tmp_path)]) == 0
        assert capsys.readouterr().out.strip() == said
        assert len(admin.listing(store)) == tables
        if options == "--chat":
            assert (chat_at(store, old), chat_at(store, new)) == ([REMOVED_TEXT], ["a word in private"])
    assert admin.verify(store).problems == []
    assert [listed.table for listed in admin.listing(store)] == [new]


def test_a_table_where_something_has_just_happened_is_not_pruned(tmp_path: Path, serving: Serving) -> None:
    """What a running server has stored last is not flushed yet."""
    api = serving()
    opened = api.open("me", "open")
    age_all(tmp_path / FILE, 91)
    assert admin.prune(tmp_path / FILE, admin.parse_age("90d"), dry_run=True) == 1
    with api.join(opened["table"], opened["secret"]) as me:
        assert me.ask("say", text="I am back")["type"] == "ack"
        assert admin.prune(tmp_path / FILE, admin.parse_age("90d")) == 0
        assert [listed.records for listed in admin.listing(tmp_path / FILE)] == [2]
        assert me.ask("say", text="and stay")["type"] == "ack"
    assert admin.verify(tmp_path / FILE).problems == []


@pytest.mark.parametrize(
    ("settings", "left"),
    [({"keep_matches": 30.0}, 0), ({"keep_chat": 30.0}, 1), ({"keep_matches": 40.0}, 1), ({}, 1)],
)
def test_a_running_server_deletes_what_is_past_its_retention_time(
    tmp_path: Path, serving: Serving, settings: dict[str, float], left: int
) -> None:
    store = tmp_path / FILE
    table = played(serving())["table"]
    age_all(store, 35)
    api = serving(**settings)

    if left == 0:
        api.until(lambda: admin.listing(store) == [])
    if "keep_chat" in settings:
        api.until(lambda: chat_at(store, table) == [REMOVED_TEXT])
    assert len(admin.listing(store)) == left
    assert admin.verify(store).problems == []
    if left:
        assert api.get(f"/api/tables/{table}")["state"] == "playing"


def test_deleted_data_is_erased_from_the_file(tmp_path: Path, serving: Serving) -> None:
    played(serving())
    age_all(tmp_path / FILE, 2)
    admin.prune(tmp_path / FILE, admin.parse_age("1d"), chat=True)
    admin.backup(tmp_path / FILE, tmp_path / "copy")
    assert b"a word in private" not in (tmp_path / "copy").read_bytes()


@pytest.mark.parametrize("text", ["90", "d", "-1d", "1.5d", "90 days", ""])
def test_an_age_is_days_or_hours(text: str) -> None:
    with pytest.raises(Refusal, match="90d or 12h"):
        admin.parse_age(text)


def test_every_command_reports_a_missing_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("list", "verify", "delete x", "prune --older-than 1d", f"backup {tmp_path / 'b'}"):
        assert main(["admin", *command.split(), "--data", str(tmp_path / "none")]) == 2
        assert "There is no store" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
