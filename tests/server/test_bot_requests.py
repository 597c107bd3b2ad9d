"""Requests to bot servers and what is done with their responses, without a database."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, TypeVar

import msgspec
import pytest

from grandtour import __version__
from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.server.background.bot_requests import WantedMove, position_in, wanted_move
from grandtour.server.background.bot_servers import BotServers
from grandtour.server.metrics import Metrics
from grandtour.server.storage.store import BotServer, Cluster
from tests.server.client import settings_for

T = TypeVar("T")
GAME = catalogue.game("round-trip")
Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def position(game: Game = GAME, moves: int = 0) -> State:
    options = {option.name: option.default for option in game.options}
    state: State = game.new(game.players[0], options, QuickDice(1))
    chance = random.Random(moves)
    for _ in range(moves):
        after = state.clone()
        seat = after.waiting()[0]
        after.play(seat, chance.choice(after.legal(seat)))
        if not after.waiting() or after.waiting()[0] < 0:
            break
        state = after
    return state


def encoded_request(state: State, seat: int, dice: int) -> bytes:
    return msgspec.json.encode(wanted_move("normal", GAME, state.imagine(seat, QuickDice(dice)), seat, 7))


@pytest.mark.parametrize("name", sorted(catalogue.games()))
@pytest.mark.parametrize("moves", [0, 12])
def test_a_position_is_unchanged_after_sending(name: str, moves: int) -> None:
    game = catalogue.game(name)
    state = position(game, moves)
    seat = state.waiting()[0]
    imagined = state.imagine(seat, QuickDice(3))
    text = msgspec.json.encode(wanted_move("normal", game, imagined, seat, 7))
    found, again = position_in(msgspec.json.decode(text, type=WantedMove))
    assert (found, type(again), again.dump()) == (game, type(imagined), imagined.dump())
    assert again.legal(seat) == imagined.legal(seat)


def test_a_request_does_not_depend_on_hidden_information() -> None:
    state = position(moves=6)
    seat = state.waiting()[0]
    other = state.imagine(seat, QuickDice(1000))
    assert other.dump() != state.dump(), "the hidden cards are dealt again"
    assert encoded_request(other, seat, 3) == encoded_request(state, seat, 3)


def change(**changes: Any) -> WantedMove:
    state = position()
    given = msgspec.structs.asdict(wanted_move("normal", GAME, state, state.waiting()[0], 7))
    return WantedMove(**{**given, **changes})


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"version": "0.0.1"}, "other-version", f"This is Grand Tour {__version__}, not 0.0.1."),
        ({"rules": 99}, "other-version", "Version 99 of the rules"),
        ({"kind": "os:system"}, "other-version", "Positions of"),
        ({"kind": "not.imported:State"}, "other-version", "Positions of"),
        ({"imagined": {**position().dump(), "new_field": 1}}, "other-version", "Positions of"),
        (
            {"imagined": {name: value for name, value in position().dump().items() if name != "seats"}},
            "other-version",
            "Positions of",
        ),
        ({"game": "chess"}, "unknown-game", "chess"),
        ({"seat": 9}, "malformed", "no move"),
    ],
)
def test_a_request_from_a_server_with_other_rules_is_refused(changes: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(Refusal, match=words) as refused:
        position_in(change(**changes))
    assert refused.value.code == code


def asking(use: Callable[[BotServers], Awaitable[T]], folder: Any, answers: list[Answer], **changes: Any) -> T:
    """Use bots with bot servers that respond like this, and are asked in this order."""

    async def main() -> T:
        servers = [await asyncio.start_server(answer, "127.0.0.1", 0) for answer in answers]
        rows = [
            BotServer(str(n), f"127.0.0.1:{each.sockets[0].getsockname()[1]}", "", __version__, 1, n)
            for n, each in enumerate(servers)
        ]
        rows = [row._replace(**changes) for row in rows]
        store: Any = SimpleNamespace(cluster=Cluster([""], rows), secret="secret")
        bots = BotServers(store, settings_for(folder), Metrics())
        try:
            return await use(bots)
        finally:
            bots.close()
            for server in servers:
                server.close()

    return asyncio.run(main())


def answering(status: int, body: object, heard: list[str]) -> Answer:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append((await reader.readuntil(b"\r\n\r\n")).decode())
        text = json.dumps(body).encode()
        writer.write(b"HTTP/1.1 %d Yes\r\nContent-Length: %d\r\n\r\n%b" % (status, len(text), text))
        writer.close()

    return answer


async def hanging_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.close()


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n")
    # Wait until the client gives up.
    await reader.read()
    while await reader.read(1 << 16):
        pass
    writer.close()


async def choose(bots: BotServers) -> tuple[int, Any, dict[str, int]]:
    state = position()
    seat = state.waiting()[0]
    move, why = await bots.choose("normal", GAME, state, seat)
    assert move in state.legal(seat)
    return move, why, dict(bots._metrics.bot_requests.counts)


def legal() -> list[int]:
    state = position()
    return state.legal(state.waiting()[0])


def test_the_least_busy_bot_server_decides(tmp_path: Any) -> None:
    heard: list[str] = []
    good = answering(200, {"move": legal()[-1], "why": "hasty"}, heard)
    other = answering(200, {"move": legal()[0]}, [])
    assert asking(choose, tmp_path, [good, other]) == (legal()[-1], "hasty", {"answered": 1})
    assert "x-grandtour-secret: secret\r\n" in heard[0]


@pytest.mark.parametrize(
    ("bad", "outcome"),
    [
        (hanging_up, "lost"),
        (silent, "lost"),
        (answering(200, {"move": 10**6}, []), "lost"),
        (answering(200, "what?", []), "lost"),
        (answering(500, "", []), "refused"),
        (answering(400, {"code": "other-version", "rule": None, "reason": "Other rules."}, []), "refused"),
    ],
)
def test_another_bot_server_decides_if_one_fails(
    tmp_path: Any, bad: Answer, outcome: str, caplog: pytest.LogCaptureFixture
) -> None:
    good = answering(200, {"move": legal()[-1]}, [])

    async def twice(bots: BotServers) -> tuple[int, Any, dict[str, int]]:
        assert await choose(bots) == (legal()[-1], None, {outcome: 1, "answered": 1})
        return await choose(bots)

    # The one that failed is not asked again at once.
    assert asking(twice, tmp_path, [bad, good]) == (legal()[-1], None, {outcome: 1, "answered": 2})
    assert "the bot server at 127.0.0.1:" in caplog.text


def test_without_a_usable_bot_server_the_server_runs_the_bot_itself(tmp_path: Any) -> None:
    heard: list[str] = []
    never = answering(200, {"move": legal()[-1]}, heard)
    _, why, asked = asking(choose, tmp_path, [never], version="0.0.1")
    assert (why, asked, heard) == (None, {}, [])
