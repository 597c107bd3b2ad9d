"""`grandtour mcp` with the SDK's own client: language models read, sit down, play, talk and save."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult

from grandtour.cli.mcp import make_server, position_text, structure_of
from grandtour.cli.mcp_seats import LocalSeat, Room
from grandtour.engine import tour
from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.players.local_table import LocalTable

Json = dict[str, Any]
QUICK: dict[str, Json] = {
    "round-trip": {"turn_limit": 10},
    "itchy-feet": {"turn_limit": 10, "special_items": True, "events": True},
    "word-traveler": {"timer": 0},
}


class Model:
    """A client that calls tools."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def ask(self, tool: str, **arguments: Any) -> Json:
        """The structured result of a tool."""
        answer = await self.client.call_tool(tool, arguments)
        assert not answer.is_error, f"{tool} is refused: {text(answer)}"
        assert text(answer), f"{tool} says nothing"
        found: Json = answer.structured_content or {}
        return found

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The sentence with which a tool refuses."""
        answer = await self.client.call_tool(tool, arguments)
        assert answer.is_error, f"{tool} is not refused: {text(answer)}"
        assert "\n" not in text(answer), f"more than a sentence: {text(answer)}"
        return text(answer)

    async def play_on(self, seat: str, luck: random.Random, moves: int = 2000) -> Json:
        """Play at random to the end, without moves out of turn."""
        now = await self.ask("look", seat=seat)
        for _ in range(moves):
            if now["over"]:
                return now
            if now["your_turn"]:
                now = await self.ask("play", seat=seat, move=luck.choice(now["legal"])["move"])
            else:
                now = await self.ask("wait", seat=seat, seconds=20)
        raise AssertionError("the game does not end")


def text(answer: CallToolResult) -> str:
    return "\n".join(part.text for part in answer.content if part.type == "text")


def with_model(
    work: Callable[[Model], Coroutine[Any, Any, None]], folder: Path, servers: list[str] | None = None
) -> None:
    async def run() -> None:
        async with Client(make_server(servers, folder)) as client:
            await work(Model(client))

    asyncio.run(run())


@pytest.mark.parametrize("name", games())
def test_a_model_plays_a_whole_game_and_saves_it(name: str, tmp_path: Path) -> None:
    async def work(model: Model) -> None:
        opened = await model.ask("open_table", game=name, bots=["random"], options=QUICK.get(name, {}))
        now = await model.play_on(opened["seat"], random.Random(3))
        ended = await model.ask("result", seat=opened["seat"])
        assert ended["result"] == now["result"]
        saved = await model.ask("save_match", seat=opened["seat"], file="match.tour")
        assert saved["file"] == str(tmp_path / "match.tour")
        results.append(now["result"])

    results: list[Any] = []
    with_model(work, tmp_path)
    match, names = tour.load((tmp_path / "match.tour").read_text("utf-8"))
    assert match.result() == results[0], "the saved match ends differently"
    assert names == ["Model", "Nellie (random bot)"]


def test_two_models_play_each_other_and_talk(tmp_path: Path) -> None:
    async def work(model: Model) -> None:
        mine = await model.ask("open_table", game="postcards-home", bots=[], name="Ada")
        yours = await model.ask("join_table", link=mine["links"][0], name="Blaise")
        assert yours["names"] == ["Ada", "Blaise"]
        assert "taken" in await model.refused("join_table", link=mine["links"][0])
        await model.ask("say", seat=mine["seat"], text="Have a good trip!")
        heard = await model.ask("wait", seat=yours["seat"], seconds=0)
        assert "Ada says: Have a good trip!" in heard["news"]
        one, two = await asyncio.gather(
            model.play_on(mine["seat"], random.Random(1)), model.play_on(yours["seat"], random.Random(2))
        )
        assert one["result"] == two["result"]

    with_model(work, tmp_path)


def test_invalid_input_is_refused_with_a_sentence_and_changes_nothing(tmp_path: Path) -> None:
    async def work(model: Model) -> None:
        assert "There is no game" in await model.refused("open_table", game="chess")
        assert "3 bots for 1 seats" in await model.refused("open_table", game="round-trip", bots=["easy"] * 3)
        assert "hold no seat" in await model.refused("look", seat="x" * 900)
        assert "Models may not use the server" in await model.refused(
            "open_table", game="round-trip", server="http://192.0.2.1/"
        )
        assert "Models may not use the server" in await model.refused("join_table", link="file:///etc/passwd")
        assert "does not respond" in await model.refused("join_table", link="http://127.0.0.1:9/table/abc")
        assert "no paragraph" in await model.refused("read_rulebook", game="round-trip", number="RT-999")
        seat = (await model.ask("open_table", game="round-trip", bots=["random"]))["seat"]
        before = await model.ask("look", seat=seat)
        assert "RT-" in await model.refused("play", seat=seat, move={"do": "give", "ticket": "Milano-Roma"})
        assert "A move is an object" in await model.refused("play", seat=seat, move={})
        assert "There is no move" in await model.refused("play", seat=seat, move={"do": "x" * 5000})
        assert "arguments of play are wrong" in await model.refused("play", seat=seat, move=7)
        assert "arguments of play are wrong" in await model.refused("play")
        assert "it has no 'colour'" in await model.refused("look", seat=seat, colour="red")
        assert "it has no 'player'" in await model.refused("open_table", game="round-trip", player=4)
        assert "arguments of wait are wrong" in await model.refused("wait", seat=seat, seconds=1e9)
        assert "at most 500" in await model.refused("say", seat=seat, text="a" * 501)
        assert "not over" in await model.refused("result", seat=seat)
        assert "once it is over" in await model.refused("save_match", seat=seat)
        assert await model.ask("look", seat=seat) == before, "a refusal has changed something"

    with_model(work, tmp_path)


def test_a_match_is_saved_in_the_folder_and_nowhere_else(tmp_path: Path) -> None:
    async def work(model: Model) -> None:
        seat = (await model.ask("open_table", game="postcards-home", bots=["random"]))["seat"]
        await model.play_on(seat, random.Random(1))
        for name in ("../out.tour", "/tmp/out.tour", ".tour", "a.txt", "a/b.tour", "a\n.tour"):
            assert "not a valid name for a match" in await model.refused("save_match", seat=seat, file=name)
        await model.ask("save_match", seat=seat, file="a.tour")
        assert "already" in await model.refused("save_match", seat=seat, file="a.tour")
        assert [path.name for path in (tmp_path / "kept").iterdir()] == ["a.tour"]

    with_model(work, tmp_path / "kept")


@pytest.mark.parametrize("name", games())
def test_two_worlds_that_a_seat_cannot_tell_apart_give_equal_answers(name: str) -> None:
    """Everything that the tools say about a position, for the real one and one that the seat imagines."""
    game = games()[name]
    match = Match(game, 2, QUICK.get(name, {}), 5)
    dice = QuickDice(1)
    for moves in range(24):
        seat = moves % 2
        if match.over:
            break
        answers = []
        for state in (match.state.clone(), match.state.imagine(seat, QuickDice(moves))):
            table = LocalTable(match, ["Ada", "Blaise"], {})
            real, match.state = match.state, state
            held = LocalSeat(Room(table), seat)
            held._told = len(table.story)
            now = asyncio.run(held.look())._replace(seconds_left=None)
            answers.append((position_text(held, now, False), structure_of(held, now)))
            match.state = real
        assert answers[0] == answers[1], f"the results for seat {seat} depend on hidden information"
        for _ in range(5):
            if not match.over:
                mover = match.waiting()[0]
                legal = match.legal(mover)
                match.play(mover, legal[dice.below(len(legal))])


def test_rulebooks_can_be_read(tmp_path: Path) -> None:
    async def work(model: Model) -> None:
        listed = await model.ask("list_games")
        assert [game["name"] for game in listed["games"]] == list(games())
        whole = await model.ask("read_rulebook", game="round-trip")
        one = await model.ask("read_rulebook", game="round-trip", number="RT-14")
        assert one["text"] in whole["text"]

    with_model(work, tmp_path)
