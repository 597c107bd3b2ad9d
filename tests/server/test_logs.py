"""Every line of the log has a time and a level, and none contains a secret."""

import json
import logging
import random
import re
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from grandtour.server import logs
from grandtour.server.storage import store_format
from grandtour.server.storage.sqlite_store import FILE
from grandtour.server.tables import records
from grandtour.server.tables.records import Made
from tests.server.client import Api
from tests.server.conftest import Starting

CHAT = "the cake is under the stairs"
TEXT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (INFO|WARNING|ERROR) [a-z_.]+: .+")


def live(starting: Starting, data: Path, log_format: str) -> tuple[str, set[str]]:
    """Cause many kinds of errors on a server. Returns its log, and texts that must not be in it."""
    server = starting(log_format=log_format, log_level="info")
    api = Api(server.url)
    opened = api.open("me", "random", options={"turn_limit": 10})
    waiting = api.open("me", "open")
    place = api.sit(waiting["table"], "Ada Lovelace")
    passport = api.post("/api/passports", {"name": "Ada Lovelace", "device": "A laptop"})["secret"]
    link = api.post("/api/passport/link", {"passport": passport})["code"]
    assert api.request("POST", "/api/passport", {"passport": passport + "x"})[0] == 403
    assert api.request("POST", "/api/passport/join", {"code": link + "x", "device": "A phone"})[0] >= 400
    secrets = {opened["secret"], waiting["secret"], place["secret"], passport, link, CHAT, "Ada Lovelace"}
    with api.join(opened["table"], opened["secret"]) as me:
        assert me.ask("say", text=CHAT)["type"] == "ack"
        me.send({"type": "say", "text": CHAT})
        assert me.answer(None)["code"] == "malformed"
        me.play(random.Random(1).choice)
    api.request("POST", f"/api/tables/{opened['table']}/sit", {"secret": place["secret"] + "x"})
    with api.socket(f"{opened['table']}/socket?secret={place['secret']}&x=") as bare:
        bare.send('{"type": "hello", "secret": "' + place["secret"])
    _, said = server.end(signal.SIGTERM)
    db = sqlite3.connect(data / FILE, isolation_level=None)
    store_format.flush_all(db)
    tables = [records.decode(record) for (record,) in db.execute("SELECT record FROM log WHERE n = 0")]
    assert db.execute("UPDATE log SET sum = randomblob(16) WHERE n = 3").rowcount > 0
    db.close()
    assert len(tables) == 2
    for made in tables:
        assert isinstance(made, Made)
        secrets |= {made.dice, *(seat.key for seat in made.seats if seat.key)}
    again = starting(log_format=log_format, log_level="info")
    assert Api(again.url).request("GET", f"/api/tables/{opened['table']}")[0] == 410
    _, said_again = again.end(signal.SIGTERM)
    assert "record 3 of table" in said_again
    return said + said_again, secrets


@pytest.mark.parametrize("format", ["text", "json"])
def test_a_log_has_times_and_levels_and_no_secrets(starting: Starting, tmp_path: Path, format: str) -> None:
    said, secrets = live(starting, tmp_path, format)
    lines = [line for line in said.splitlines() if not line.startswith("Grand Tour is open at")]
    loggers = set()
    for line in lines:
        if format == "json":
            told = json.loads(line)
            assert {"time", "level", "logger", "message"} <= set(told)
            loggers.add(told["logger"])
        else:
            assert TEXT.fullmatch(line), f"no time or no level: {line}"
            loggers.add(line.split()[2].rstrip(":"))
    assert {"uvicorn.error", "grandtour.server.registry"} <= loggers, "a line was not written by the log"
    assert "127.0.0.1" not in "".join(lines), "an address is in the log"
    for secret in secrets:
        assert secret not in said, "a secret is in the log"


def test_a_traceback_stays_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    before = logging.root.handlers[:], logging.root.level
    try:
        logs.set_up("json", "warning")
        try:
            raise ValueError("on\ntwo lines")
        except ValueError:
            logging.getLogger("grandtour.test").exception("it\nfailed")
        logging.getLogger("grandtour.test").info("nobody hears this")
    finally:
        logging.captureWarnings(False)
        logging.root.handlers[:], logging.root.level = before
    (line,) = capsys.readouterr().err.splitlines()
    told: dict[str, Any] = json.loads(line)
    assert (told["level"], told["message"]) == ("error", "it\nfailed")
    assert "ValueError: on\ntwo lines" in told["exception"]


def test_debug_lines_of_websockets_are_never_logged() -> None:
    assert set(logs.LEVELS) == {"info", "warning", "error"}, "frames would be logged, and secrets in them"
    assert min(logs.LEVELS.values()) > logging.DEBUG
