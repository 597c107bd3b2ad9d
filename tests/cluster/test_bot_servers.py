"""Bot servers as real processes: servers share them, and games continue if they fail."""

import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from grandtour import __version__
from tests.cluster.conftest import Cluster
from tests.cluster.database import Postgres, parent_of
from tests.server.client import PATIENCE, Api, Client, Process
from tests.server.regulars import LOST

AGES = 100 * PATIENCE
"""A thinking time that no test waits for."""
OPTIONS = {"turn_limit": 200, "start": "1"}


class BotProcess:
    """A bot server, as `grandtour bots` runs it."""

    def __init__(self, url: str, first: str = "", **settings: Any) -> None:
        call = f"serve_bots(store={url!r}, **{ {'bot_processes': 1, **settings}!r})"
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"{first}\nfrom grandtour.server import serve_bots; {call}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline().startswith("Bots are ready")

    def close(self) -> None:
        """End it and all processes it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate(timeout=PATIENCE)


Thinking = Callable[..., BotProcess]


@pytest.fixture
def thinking(url: str) -> Iterator[Thinking]:
    started: list[BotProcess] = []

    def start(**settings: Any) -> BotProcess:
        started.append(BotProcess(url, **settings))
        return started[-1]

    yield start
    for each in started:
        each.close()


def bot_servers(url: str) -> list[tuple[str, str, int]]:
    """The address, version and queue of all that are alive."""
    with psycopg.connect(url) as db:
        return db.execute(
            "SELECT address, version, asked FROM bot_servers WHERE seen > extract(epoch FROM now()) - 3"
        ).fetchall()


def metric(api: Api, name: str) -> dict[str, float]:
    """The values of a metric, by server."""
    found = re.findall(rf'^{re.escape(name)}.*server="(\d+)"\}} (\S+)$', api.fetch("GET", "/metrics")[1], re.M)
    return {server: float(value) for server, value in found}


def requests(api: Api) -> dict[str, int]:
    """The number of moves that a server, or all on the machine, has requested from bot servers, by outcome."""
    text = api.fetch("GET", "/metrics")[1]
    found = re.findall(r'^grandtour_bot_requests_total\{outcome="(\w+)".*\} (\d+)$', text, re.M)
    return {outcome: int(count) for outcome, count in found}


def known_to(*apis: Api, count: int = 1) -> None:
    """Wait until these servers, which are all on this machine, know this many bot servers."""
    pattern = re.compile(rf"^grandtour_bot_servers(\{{.*\}})? {count}$", re.M)
    apis[0].until(lambda: len(pattern.findall(apis[0].fetch("GET", "/metrics")[1])) == len(apis))


def moves_of_bots(client: Any) -> int:
    return sum(event.get("by") == "bot" for event in client.events.values())


def caught_up(client: Client, n: int) -> bool:
    return bool(client.now["n"] >= n)


def play_together(*people: Client, moves: int) -> None:
    """Let people make this many moves at a table."""
    for _ in range(moves):
        latest = max(each.last for each in people)
        for each in people:
            each.until(partial(caught_up, each, latest))
        mover = next(each for each in people if each.asked())
        assert mover.move(mover.moves()[0])["type"] == "ack"


@contextmanager
def asked(api: Api, url: str) -> Iterator[Any]:
    """A table whose hard bot is thinking, at a bot server."""
    with ExitStack() as tables:
        joined: list[Client] = []

        def is_asked() -> bool:
            if not joined or joined[-1].over():
                opened = api.open("me", "hard", options=OPTIONS)
                joined.append(tables.enter_context(api.join(opened["table"], opened["secret"])))
            if any(row[2] for row in bot_servers(url)):
                return True
            me = joined[-1]
            # Nothing has been read since the last move, and the bot may have moved with the server's own help.
            time.sleep(0.1)  # A client that asks faster than this for seconds is thrown out.
            me.send({"type": "ping"})
            while me.receive()["type"] != "pong":
                pass
            if me.now["legal"] and me.asked():
                me.play(lambda moves: moves[0], moves=1)
            return False

        api.until(is_asked)
        yield joined[-1]


def test_two_servers_share_one_bot_server(cluster: Cluster, thinking: Thinking, url: str) -> None:
    thinking()
    ((address, version, _),) = bot_servers(url)
    assert version == __version__
    servers = cluster(2)
    known_to(*servers)
    for api in servers:
        opened = api.open("me", "normal", options=OPTIONS)
        with api.join(opened["table"], opened["secret"]) as me:
            while moves_of_bots(me) < 3:
                me.play(random.Random(1).choice, moves=1)
    port = address.rpartition(":")[2]
    # The metrics of a machine include those of its bot server.
    servers[0].until(lambda: len(metric(servers[0], "grandtour_bot_seconds_count")) == 3)
    answered = metric(servers[0], 'grandtour_bot_requests_total{outcome="answered"')
    assert len(answered) == 2
    assert min(answered.values()) >= 3
    thought = metric(servers[0], "grandtour_bot_seconds_count")
    assert thought[port] >= sum(answered.values()), "a move was not chosen by the bot server"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_games_continue_if_a_bot_server_dies_or_hangs_during_a_move(
    number: signal.Signals, cluster: Cluster, thinking: Thinking, url: str
) -> None:
    slow = thinking(bot_thought=AGES, bot_deadline=AGES)
    (api,) = cluster(1, bot_thought=0.1)
    known_to(api)
    with asked(api, url) as me:
        before = moves_of_bots(me)
        # Only the process that servers speak to: the one that thinks has to notice.
        slow.process.send_signal(number)
        other = api.open("me", "open", options=OPTIONS)
        place = api.sit(other["table"], "Ada")
        with api.join(other["table"], other["secret"]) as one, api.join(other["table"], place["secret"]) as two:
            play_together(one, two, moves=5)
        me.until(lambda: moves_of_bots(me) > before)
        # Once it is known to be gone, it is not asked any more.
        known_to(api, count=0)
        lost, known = requests(api), moves_of_bots(me)
        assert set(lost) == {"lost"}
        while moves_of_bots(me) == known and not me.over():
            me.play(lambda moves: moves[0], moves=1)
        assert requests(api) == lost
    if number == signal.SIGSTOP:
        # Awake again, it is asked again.
        slow.process.send_signal(signal.SIGCONT)
        known_to(api)
        with asked(api, url):
            pass


def test_another_bot_server_takes_over_when_one_is_killed(cluster: Cluster, thinking: Thinking, url: str) -> None:
    slow = thinking(bot_thought=AGES, bot_deadline=AGES)
    (api,) = cluster(1)
    known_to(api)
    with asked(api, url) as me:
        before = moves_of_bots(me)
        thinking(bot_thought=0.1)
        known_to(api, count=2)
        slow.process.kill()
        me.until(lambda: moves_of_bots(me) > before)
    # The bot may have gone on with its turn since.
    assert set(requests(api)) == {"lost", "answered"}


def test_a_bot_server_is_asked_again_after_the_database_was_killed(
    cluster: Cluster, thinking: Thinking, url: str, postgres: Postgres
) -> None:
    thinking()
    (api,) = cluster(1)
    known_to(api)
    opened = [api.open("me", "normal", options=OPTIONS)]
    postgres.kill()
    postgres.start()

    def play_on() -> bool:
        """Until a bot server has answered again. Meanwhile moves cannot be stored, or the server's own bots answer."""
        with suppress(*LOST), api.join(opened[-1]["table"], opened[-1]["secret"]) as me:
            before, answered = moves_of_bots(me), requests(api).get("answered", 0)
            while moves_of_bots(me) == before:
                me.until(me.my_turn)
                if me.over():
                    opened.append(api.open("me", "normal", options=OPTIONS))
                    return False
                if me.move(me.moves()[0])["type"] == "refused":
                    return False
            return requests(api).get("answered", 0) > answered
        return False

    api.until(play_on)


def test_a_stranger_without_the_secret_is_refused(thinking: Thinking, url: str) -> None:
    thinking()
    ((address, _, _),) = bot_servers(url)
    with psycopg.connect(url) as db:
        (secret,) = db.execute("SELECT value FROM shared WHERE name = 'secret'").fetchone() or ("",)

    def ask(path: str, body: bytes | None, shown: str) -> int:
        headers = {"x-grandtour-secret": shown} if shown else {}
        try:
            with urllib.request.urlopen(urllib.request.Request(f"http://{address}{path}", body, headers)) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    for shown in ("", "wrong", secret[:-1]):
        assert ask("/bots/move", b"{}", shown) == 404
        assert ask("/metrics", None, shown) == 404
    assert ask("/bots/move", b"{}", secret) == 400
    assert ask("/metrics", None, secret) == 200


def test_a_bot_server_of_another_version_is_not_asked(cluster: Cluster, thinking: Thinking, url: str) -> None:
    thinking(first="import grandtour; grandtour.__version__ = '0.0.1'")
    assert [version for _, version, _ in bot_servers(url)] == ["0.0.1"]
    (api,) = cluster(1)
    opened = api.open("me", "normal", options=OPTIONS)
    with api.join(opened["table"], opened["secret"]) as me:
        while not moves_of_bots(me):
            me.play(random.Random(1).choice, moves=1)
    assert requests(api) == {}


def test_a_bot_server_with_other_rules_refuses_and_the_server_uses_its_own_bot(
    cluster: Cluster, thinking: Thinking, url: str
) -> None:
    thinking(first="from grandtour.games import round_trip; round_trip.GAME.rules.clear()")
    (api,) = cluster(1)
    known_to(api)
    opened = api.open("me", "normal", options=OPTIONS)
    with api.join(opened["table"], opened["secret"]) as me:
        while not moves_of_bots(me):
            me.play(random.Random(1).choice, moves=1)
        assert not any("random one" in line for event in me.events.values() for line in event.get("text", []))
    assert set(requests(api)) == {"refused"}


def test_a_bot_server_that_is_stopped_removes_its_row(thinking: Thinking, url: str) -> None:
    bots = thinking()
    bots.process.terminate()
    said, _ = bots.process.communicate(timeout=PATIENCE)
    assert (bots.process.returncode, said, bot_servers(url)) == (0, "", [])


def children_of(parent: int) -> list[int]:
    """The worker processes that a process has started."""
    found = [path.parent for path in Path("/proc").glob("[0-9]*/stat") if parent_of(path) == parent]
    return [int(path.name) for path in found if b"spawn_main" in (path / "cmdline").read_bytes()]


def test_workers_share_one_bot_server_and_all_are_started_again_when_they_are_killed(
    cluster: Cluster, url: str, started: list[Process]
) -> None:
    (api,) = cluster(1, workers=2, bot_processes=1)

    def alive() -> set[str]:
        with psycopg.connect(url) as db:
            since = "seen > extract(epoch FROM now()) - 3"
            found = db.execute(
                f"SELECT id FROM servers WHERE {since} UNION SELECT id FROM bot_servers WHERE {since}".encode()
            )
            return {id for (id,) in found}

    def play() -> None:
        opened = api.open("me", "normal", options=OPTIONS)
        with api.join(opened["table"], opened["secret"]) as me:
            while not moves_of_bots(me):
                me.play(random.Random(1).choice, moves=1)

    def has_thought() -> bool:
        play()  # a server that does not know of the bot server yet, or finds it late, thinks itself
        return metric(api, "grandtour_bot_seconds_count").get(port, 0) >= 1

    api.until(lambda: len(alive()) == 3)
    before, ((first, _, _),) = alive(), bot_servers(url)
    port = first.rpartition(":")[2]
    api.until(has_thought)
    children = children_of(started[0].process.pid)
    assert len(children) == 3
    for child in children:
        os.kill(child, signal.SIGKILL)
    api.until(lambda: len(alive() - before) == 3)
    play()


def test_bots_need_a_database(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "from grandtour.cli import main; main(['bots'])"],
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
    )
    assert ended.returncode == 1
    assert "a database that servers share, such as --store postgresql://" in ended.stderr
