"""The server is killed many times while people and bots play, and must not lose anything that it acknowledged."""

import random
import signal
import sqlite3
import time
from pathlib import Path

from grandtour.server.storage import store_format
from tests.server.client import Api
from tests.server.conftest import Starting
from tests.server.regulars import Address, Regulars
from tests.server.test_passports import finish, passport, refused
from tests.server.test_spectators import Watcher, chat_of

KILLS = 30


def numbers(store: Path) -> dict[str, list[int]]:
    """The numbers of the records of each table."""
    found: dict[str, list[int]] = {}
    db = sqlite3.connect(store, isolation_level=None)
    store_format.flush_all(db)
    for table, n in db.execute("SELECT id, n FROM log ORDER BY id, n"):
        found.setdefault(table, []).append(n)
    db.close()
    return found


def test_a_server_killed_under_load_loses_nothing_it_acknowledged(starting: Starting, tmp_path: Path) -> None:
    address = Address()
    chance = random.Random(1)
    tables = [["me", "open"], ["me", "open"], ["me", "open", "open"], ["me", "normal"], ["me", "normal", "random"]]
    regulars = [Regulars(seats, address, seed) for seed, seats in enumerate(tables)]
    for regular in regulars:
        regular.start()
    try:
        for _ in range(KILLS):
            server = starting()
            address.url = server.url
            time.sleep(chance.uniform(0.02, 0.7))
            code, said = server.end(signal.SIGKILL)
            assert code == -signal.SIGKILL, f"the server ended before it was killed: {said}"
        server = starting()
        address.url = server.url
        before = [regular.moves for regular in regulars]
        Api(server.url).until(
            lambda: all(
                regular.failure or regular.moves > moves for regular, moves in zip(regulars, before, strict=True)
            )
        )
    finally:
        address.closing = True
        for regular in regulars:
            regular.join()
    server.end(signal.SIGTERM)
    for regular in regulars:
        assert regular.failure is None, f"{regular.kinds}: {regular.failure!r}"
    moves = sum(regular.moves for regular in regulars)
    assert moves > KILLS, f"there was no load: {moves} moves"
    for table, found in numbers(tmp_path / "grandtour.db").items():
        assert found == list(range(len(found))), f"the numbers of table {table} have a gap: {found}"


def test_acknowledged_changes_about_people_survive_a_kill(starting: Starting) -> None:
    """Passports, notices, notes, spectators' chat and the deal of the day: the server is killed after each response."""
    server = starting()

    def restart() -> Api:
        nonlocal server
        assert server.end(signal.SIGKILL)[0] == -signal.SIGKILL
        server = starting()
        return Api(server.url)

    mine = passport(Api(server.url), "Ada")
    body = {"passport": mine["secret"]}
    api = restart()
    assert api.post("/api/passport", body)["name"] == "Ada"
    api.post("/api/passport/change", {**body, "name": "Bea", "public": True})
    link = api.post("/api/passport/link", body)
    api = restart()
    assert api.get(f"/api/people/{mine['me']['id']}")["name"] == "Bea"
    other = api.post("/api/passport/join", {"code": link["code"], "device": "phone"})
    api = restart()
    assert refused(api, "/api/passport/join", {"code": link["code"]})["code"] == "wrong-link", "a link can be used once"
    assert api.post("/api/passport", {"passport": other["secret"]})["name"] == "Bea"
    api.post("/api/passport/notices", {**body, "on": True})
    opened = api.open("me", "random", options={"turn_limit": 10}, passport=mine["secret"])
    with Watcher(api, opened["table"], "Carla") as carla:
        assert carla.ask("say", text="hello")["type"] == "ack"
    api = restart()
    assert api.post("/api/passport/notices", body)["on"]
    finish(api, opened["table"], opened["secret"])
    note = {**body, "step": 1, "text": "here it turned"}
    api.post(f"/api/tables/{opened['table']}/notes", note)
    today = api.post("/api/games/postcards-home/daily", body)
    api = restart()
    assert [one["text"] for one in api.get(f"/api/tables/{opened['table']}/notes")] == ["here it turned"]
    with Watcher(api, opened["table"]) as carla:
        carla.until(lambda: bool(chat_of(carla)))
        assert chat_of(carla) == [("Carla", "hello")]
    assert api.post("/api/games/postcards-home/daily", body)["table"] == today["table"], "the first attempt continues"
    api.post("/api/passport/forget", body)
    api = restart()
    assert refused(api, "/api/passport", body)["code"] == "wrong-passport"
