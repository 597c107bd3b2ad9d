"""The lease as a small model: servers that start, sleep, wake, lose their connection and die in any order, and a clock.

The rules run the real SQL, on SQLite in memory with a simulated clock. Each server knows only what it was told, and
writes whenever it believes that it has the table. Three things must hold. The log is a single sequence. Every
acknowledged write is in it once. And a table can be taken as soon as the lease of its last owner has ended.
"""

import sqlite3

import pytest
from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from grandtour.server.storage import leases, store_format
from grandtour.server.storage.leases import LEASE, Head, Server
from grandtour.server.storage.store import TableElsewhere, TableRow, create_table

SERVERS = ("ada", "ben", "cem")
TABLE = "table"

servers = strategies.sampled_from(SERVERS)


class Lease(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None)
        store_format.create(self.db)
        self.db.executescript(leases.SCHEMA)
        for column, kind in leases.HEAD_COLUMNS.items():
            self.db.execute(f"ALTER TABLE heads ADD COLUMN {column} {kind}")
        self.now = 1000.0
        self.names: dict[str, str] = {}
        """The name under which each server that runs is registered; a new one after each start."""
        self.believes: dict[str, Head] = {}
        """The last record of the table as known to each server that believes it has the table."""
        self.asleep: set[str] = set()
        self.acknowledged: list[bytes] = []
        self.highest = 0
        self.started = 0
        create_table(self.db, TableRow(TABLE, self.now, True, b"card"), [b"made"])

    def awake(self, server: str) -> bool:
        return server in self.names and server not in self.asleep

    @rule(server=servers)
    def start(self, server: str) -> None:
        if server not in self.names:
            self.started += 1
            self.names[server] = f"{server}-{self.started}"
            leases.register(self.db, Server(self.names[server], "", ""), self.now)

    @rule(server=servers)
    def kill(self, server: str) -> None:
        self.names.pop(server, None)
        self.believes.pop(server, None)
        self.asleep.discard(server)

    @rule(server=servers)
    def end(self, server: str) -> None:
        """Shut a server down properly, so that others may take its tables at once."""
        if self.awake(server):
            leases.unregister(self.db, self.names[server])
            self.kill(server)

    @rule(server=servers)
    def fall_asleep(self, server: str) -> None:
        self.asleep.add(server)

    @rule(server=servers)
    def wake(self, server: str) -> None:
        """Wake a server, which still believes what it believed before."""
        self.asleep.discard(server)

    @rule(seconds=strategies.sampled_from((0.5, 1.0, LEASE + 0.1)))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule(server=servers)
    def renew(self, server: str) -> None:
        if self.awake(server) and not leases.renew(self.db, self.names[server], self.now):
            self.believes.pop(server, None)
            del self.names[server]
            self.start(server)

    @rule(server=servers)
    def claim(self, server: str) -> None:
        if not self.awake(server):
            return
        try:
            head = leases.claim(self.db, TABLE, self.names[server], self.now)
        except TableElsewhere:
            return
        assert head is not None
        assert head.fence > self.highest, "a fence was given twice"
        self.highest = head.fence
        self.believes[server] = head
        assert self.stored() == len(self.acknowledged), "a server that takes a table must have all acknowledged writes"

    @rule(server=servers)
    def release(self, server: str) -> None:
        if self.awake(server) and server in self.believes:
            leases.release(self.db, TABLE, self.names[server], self.believes.pop(server).fence)

    @precondition(lambda self: self.believes)
    @rule(server=servers)
    def write(self, server: str) -> None:
        """Write as `APPEND` does, from a server that believes it has the table. It is acknowledged if a row changed."""
        if not self.awake(server) or server not in self.believes:
            return
        fence, n, last = self.believes[server]
        record = b"%d by %b" % (n + 1, server.encode())
        after = store_format.next_sum(last, record)
        changed = self.db.execute(
            "UPDATE heads SET n = ?, sum = ? WHERE id = ? AND n = ? AND sum = ? AND fence = ?",
            (n + 1, after, TABLE, n, last, fence),
        )
        if changed.rowcount == 1:
            assert fence == self.highest, "a server has written after another had taken the table"
            self.db.execute("INSERT INTO log VALUES (?, ?, ?, ?)", (TABLE, n + 1, record, after))
            self.acknowledged.append(record)
            self.believes[server] = Head(fence, n + 1, after)
        else:
            del self.believes[server]

    @rule(server=servers)
    def an_awake_server_can_take_the_table(self, server: str) -> None:
        """Once the leases of all others have ended, a server that is awake gets the table."""
        if self.awake(server):
            self.now += LEASE + 0.1
            self.renew(server)
            self.claim(server)
            assert server in self.believes

    def stored(self) -> int:
        found: int = self.db.execute("SELECT n FROM heads WHERE id = ?", (TABLE,)).fetchone()[0]
        return found

    @invariant()
    def every_acknowledged_write_is_there_once(self) -> None:
        assert store_format.checked_records(self.db, TABLE) == [b"made", *self.acknowledged]

    def teardown(self) -> None:
        self.db.close()


TestLease = Lease.TestCase
TestLease.settings = settings(max_examples=40, stateful_step_count=40, deadline=None, derandomize=True)


def test_the_model_finds_a_lease_without_a_fence(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the fence were not increased, a server that slept could write. The model must detect this."""
    claim = leases.claim

    def unfenced(db: sqlite3.Connection, table: str, server: str, now: float) -> Head | None:
        head = claim(db, table, server, now)
        db.execute("UPDATE heads SET fence = 1")
        return None if head is None else Head(1, head.n, head.sum)

    monkeypatch.setattr(leases, "claim", unfenced)
    machine = Lease()
    machine.begin()
    machine.start("ada")
    machine.claim("ada")
    machine.wait(LEASE + 0.1)
    machine.start("ben")
    with pytest.raises(AssertionError):
        machine.claim("ben")
    machine.teardown()
