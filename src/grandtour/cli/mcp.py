"""A Model Context Protocol server, with which language models read rulebooks, join tables and play."""

import functools
import json
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Literal, ParamSpec

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent
from pydantic import Field, ValidationError

from grandtour import __version__
from grandtour.cli.mcp_seats import (
    MAX_CHAT_LENGTH,
    Json,
    LocalSeat,
    Position,
    RemoteSeat,
    Room,
    Seat,
    address,
    join_remote,
    open_remote,
)
from grandtour.cli.rulebook import paragraph
from grandtour.engine.catalogue import game as find_game
from grandtour.engine.catalogue import games as all_games
from grandtour.engine.refusal import Refusal, short
from grandtour.players import STRENGTHS
from grandtour.players.local_table import new_table
from grandtour.protocol.text import view_text, wrapped

P = ParamSpec("P")
MAX_SEATS: Final = 200
"""The maximum number of seats held at the same time. Beyond it, the oldest are dropped."""
MAX_LISTED: Final = 60
"""The maximum number of legal moves listed in words. The structured result has all of them."""
INSTRUCTIONS: Final = (
    "Grand Tour plays travel board games. list_games, then read_rulebook, then open_table (or join_table with a link)."
    " You get a seat; give it to every other tool. Play with play, naming one of the legal moves exactly as look gives"
    " it, until the game is over. When it is not your turn, wait. Everything you are shown is what your seat may know."
)

SeatArg = Annotated[str, Field(description="Your seat, as open_table or join_table gave it.")]
GameArg = Annotated[str, Field(description="A game's name, such as round-trip.")]
Bot = Literal["random", "easy", "normal", "hard"]


class Tables:
    """The seats that models hold, each under its own secret."""

    def __init__(self, servers: list[str], folder: Path) -> None:
        self.servers = servers
        self.folder = folder
        self._seats: dict[str, Seat] = {}
        self._invited: dict[str, LocalSeat] = {}

    def hold(self, seat: Seat) -> str:
        """Store a seat, and return the key by which tools refer to it."""
        key = secrets.token_urlsafe(9)
        self._seats[key] = seat
        while len(self._seats) > MAX_SEATS:
            del self._seats[next(iter(self._seats))]
        return key

    def invite(self, seat: LocalSeat) -> str:
        """A link with which someone else can take a seat of this process."""
        key = secrets.token_urlsafe(9)
        self._invited[key] = seat
        return f"seat:{key}"

    def invited(self, link: str) -> LocalSeat:
        found = self._invited.pop(link.removeprefix("seat:"), None)
        if found is None:
            raise Refusal("wrong-secret", "This link has no seat here, or someone has taken it.")
        return found

    @asynccontextmanager
    async def closing(self, _: object) -> AsyncIterator[None]:
        """Close the connections to servers at the end. A seat that is used again reconnects."""
        try:
            yield
        finally:
            for seat in self._seats.values():
                if isinstance(seat, RemoteSeat):
                    await seat.close()

    def seat(self, key: str) -> Seat:
        found = self._seats.get(key)
        if found is None:
            raise Refusal("wrong-secret", f"You hold no seat {short(key)}: open_table or join_table gives you one.")
        return found


def refusing(tool: Callable[P, Awaitable[CallToolResult]]) -> Callable[P, Awaitable[CallToolResult]]:
    """Turn a refusal into the tool's error: one sentence, with its paragraph."""

    @functools.wraps(tool)
    async def answer(*args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        try:
            return await tool(*args, **kwargs)
        except Refusal as refusal:
            raise ToolError(str(refusal)) from None

    return answer


class Server(MCPServer[Any]):
    """An MCP server whose errors are one sentence: the tool's own, or one that names the wrong arguments."""

    async def call_tool(self, name: str, arguments: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        for tool in await self.list_tools():
            # The SDK ignores unknown arguments, so a misspelt option would silently change nothing.
            unknown = sorted(set(arguments) - set(tool.input_schema["properties"])) if tool.name == name else []
            if unknown:
                names = ", ".join(short(each) for each in unknown)[:500]
                raise ToolError(f"The arguments of {name} are wrong: it has no {names}.")
        try:
            return await super().call_tool(name, arguments, *args, **kwargs)
        except ToolError as error:
            if isinstance(error.__cause__, ToolError):
                raise error.__cause__ from None
            if not isinstance(error.__cause__, ValidationError):
                raise
            wrong = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.__cause__.errors()]
            raise ToolError(f"The arguments of {name} are wrong: {'; '.join(wrong)[:500]}.") from None


def make_server(servers: list[str] | None = None, folder: Path | None = None) -> Server:
    """The server. Models may use tables on these servers and on this machine, and save matches in this folder."""
    tables = Tables([address(url, [url]) for url in servers or []], folder or Path("matches"))
    server = Server(
        "grandtour",
        title="Grand Tour",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        lifespan=tables.closing,
    )

    @server.tool()
    @refusing
    async def list_games() -> CallToolResult:
        """List the games: their names, players and options."""
        found: list[Json] = [
            {
                "name": game.name,
                "title": game.title,
                "summary": game.summary,
                "players": list(game.players),
                "minutes": game.minutes,
                "options": [option.to_json() for option in game.options],
            }
            for game in all_games().values()
        ]
        lines = []
        for game in found:
            low, high = game["players"]
            lines.append(f"{game['name']}: {game['title']}, {low} to {high} players. {game['summary']}")
        return _answer("\n".join(lines), {"games": found, "bots": list(STRENGTHS)})

    @server.tool()
    @refusing
    async def read_rulebook(
        game: GameArg,
        number: Annotated[str, Field(description="Only this paragraph, such as RT-14; empty for all.")] = "",
    ) -> CallToolResult:
        """Read a game's rulebook, or one paragraph of it. Refusals and prompts name paragraphs."""
        found = find_game(game)
        text = paragraph(found, number) if number else found.rulebook()
        return _answer(text, {"game": found.name, "text": text})

    @server.tool()
    @refusing
    async def open_table(
        game: GameArg,
        seats: Annotated[int, Field(description="The number of players; 0 for as few as the game allows.")] = 0,
        bots: Annotated[
            list[Bot] | None,
            Field(description="Bots for some of the other seats. The seats that are left are for others to join."),
        ] = None,
        name: Annotated[str, Field(description="Your name.", max_length=24)] = "Model",
        options: Annotated[dict[str, Any] | None, Field(description="Options of the game, by name.")] = None,
        server: Annotated[
            str, Field(description="The address of a Grand Tour server; empty to play in this process.")
        ] = "",
    ) -> CallToolResult:
        """Open a table and take its first seat. Without `bots`, normal bots take all other seats. An empty list leaves
        them open, and you get links with which others can join."""
        found = find_game(game)
        count = seats or found.players[0]
        others: list[str] = ["normal"] * (count - 1) if bots is None else [*bots]
        if len(others) > count - 1:
            raise Refusal("bad-options", f"There are {len(others)} bots for {count - 1} seats.")
        if server:
            kinds = [{"kind": "me", "name": name}, *({"kind": "bot", "bot": bot} for bot in others)]
            kinds += [{"kind": "open"}] * (count - len(kinds))
            url = address(server, tables.servers)
            remote = await open_remote(url, {"game": found.name, "seats": kinds, "options": options or {}})
            links = [f"{url}/table/{remote.id}"] if len(others) < count - 1 else []
            return await _seated(tables, remote, links, remote.link)
        people = {seat: _clean(name, []) if not seat else f"Player {seat + 1}" for seat in range(count - len(others))}
        table = new_table(found, count, options or {}, None, people, others or ["normal"])
        room = Room(table)
        mine, *rest = [LocalSeat(room, seat) for seat in people]
        async with room.changed:
            await room.run()
        return await _seated(tables, mine, [tables.invite(seat) for seat in rest], None)

    @server.tool()
    @refusing
    async def join_table(
        link: Annotated[
            str, Field(description="A link that open_table gave, or the link of a table or seat on a server.")
        ],
        name: Annotated[str, Field(description="Your name.", max_length=24)] = "Model",
    ) -> CallToolResult:
        """Take a seat by its link."""
        if link.startswith("seat:"):
            found = tables.invited(link)
            found.names[found.seat] = _clean(name, found.names)
            return await _seated(tables, found, [], None)
        remote = await join_remote(link, tables.servers, name)
        return await _seated(tables, remote, [], remote.link)

    @server.tool()
    @refusing
    async def look(
        seat: SeatArg,
        brief: Annotated[bool, Field(description="Leave out what hardly ever changes, such as the map.")] = False,
    ) -> CallToolResult:
        """What has happened since you last looked, what you see now, and your legal moves."""
        return await _shown(tables.seat(seat), brief)

    @server.tool()
    @refusing
    async def play(
        seat: SeatArg, move: Annotated[dict[str, Any], Field(description='A legal move, such as {"do": "draw"}.')]
    ) -> CallToolResult:
        """Make a move, written exactly as in the list of legal moves, and see what happens. A refused move changes
        nothing; you are told why, with the paragraph of the rulebook."""
        held = tables.seat(seat)
        await held.play(move)
        return await _shown(held, True)

    @server.tool()
    @refusing
    async def say(seat: SeatArg, text: Annotated[str, Field(description="What to say to everyone.")]) -> CallToolResult:
        """Talk to everyone at the table."""
        plain = " ".join(text.split())
        if not plain or len(plain) > MAX_CHAT_LENGTH or not plain.isprintable():
            raise Refusal("malformed", f"Say something, in at most {MAX_CHAT_LENGTH} characters.")
        await tables.seat(seat).say(plain)
        return _answer("Said.", {"said": plain})

    @server.tool()
    @refusing
    async def wait(
        seat: SeatArg,
        seconds: Annotated[float, Field(ge=0, le=600, description="The longest time to wait.")] = 30,
    ) -> CallToolResult:
        """Wait until it is your turn, someone moves or talks, or the time is up. If you could act out of turn, waiting
        means that you do not want to."""
        held = tables.seat(seat)
        await held.wait(seconds)
        return await _shown(held, True)

    @server.tool()
    @refusing
    async def result(seat: SeatArg) -> CallToolResult:
        """The final result, and how each player's score is made up."""
        held = tables.seat(seat)
        now = await held.look()
        if now.result is None:
            raise Refusal("not-over", f"The game is not over. {now.prompt}")
        return _answer("\n".join(_final(held, now)), {"result": now.result, "final": now.final})

    @server.tool()
    @refusing
    async def save_match(
        seat: SeatArg, file: Annotated[str, Field(description="A name for the file, such as first.tour.")] = ""
    ) -> CallToolResult:
        """Save a match that is over as a .tour file, which grandtour replay reads."""
        held = tables.seat(seat)
        await held.look()
        text = await held.tour()
        path = _write(tables.folder, file or f"{held.game.name}-{secrets.token_hex(3)}.tour", text)
        return _answer(f"Saved as {path}.", {"file": str(path)})

    return server


async def _seated(tables: Tables, seat: Seat, links: list[str], own: str | None) -> CallToolResult:
    """The text for a player who has just taken a seat."""
    now = await seat.look()
    key = tables.hold(seat)
    lines = [f"Your seat is {key}: pass it to the other tools. You are {seat.names[seat.seat]}."]
    lines += [f"For someone else to join: {link}" for link in links]
    structure = {"seat": key, "links": links, **structure_of(seat, now)}
    if own is not None:
        lines.append(f"The link to your own seat, to come back to it later: {own}")
        structure["seat_link"] = own
    return _answer("\n".join([*lines, "", position_text(seat, now, False)]), structure)


async def _shown(seat: Seat, brief: bool) -> CallToolResult:
    now = await seat.look()
    return _answer(position_text(seat, now, brief), structure_of(seat, now))


def structure_of(seat: Seat, now: Position) -> Json:
    """Everything that a seat is told about a position, as structured data."""
    return {
        "game": seat.game.name,
        "you": seat.seat,
        "names": seat.names,
        "your_turn": seat.seat in now.waiting,
        "over": now.result is not None,
        "prompt": now.prompt,
        "rules": now.rules,
        "legal": now.legal,
        "view": now.view,
        "news": now.news,
        "waiting": now.waiting,
        "result": now.result,
        "seconds_left": None if now.seconds_left is None else round(now.seconds_left),
    }


def position_text(seat: Seat, now: Position, brief: bool) -> str:
    """Everything that a seat is told about a position, in words: the news, the table, the prompt and the moves."""
    blocks = ["\n".join(line for sentence in now.news for line in wrapped(sentence))] if now.news else []
    if now.view is not None:
        blocks.append(view_text(seat.game, now.view, seat.names, seat.seat, brief=brief))
    rules = f" ({', '.join(now.rules)})" if now.rules else ""
    blocks.append(f"{now.prompt}{rules}")
    if now.seconds_left is not None:
        blocks.append(f"The clock: {now.seconds_left:.0f} seconds left.")
    if now.result is not None:
        blocks.append("\n".join(_final(seat, now)))
    elif now.legal:
        turn = "Your moves" if seat.seat in now.waiting else "It is not your turn, but you may"
        moves = [f"- {each['text']}: {_json(each['move'])}" for each in now.legal[:MAX_LISTED]]
        more = len(now.legal) - MAX_LISTED
        if more > 0:
            moves.append(f"- and {more} more, all in the structure under legal")
        blocks.append("\n".join([f"{turn}:", *moves]))
    else:
        blocks.append("It is not your turn: wait.")
    return "\n\n".join(blocks)


def _final(seat: Seat, now: Position) -> list[str]:
    lines = []
    for row in now.final or []:
        score = row["outcome"] if row["score"] is None else row["score"]
        lines.append(f"{seat.names[row['seat']]}: {score}{' (won)' if row['won'] else ''}")
        lines += [f"- {line['label']}: {line['value']}" for line in row["lines"]]
    return lines


def _answer(text: str, structure: Json) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structure)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _clean(name: str, taken: list[str]) -> str:
    """A name that is valid in a file and not taken."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split()) or "Model"
    return plain if plain not in taken else f"{plain} {len(taken)}"


def _write(folder: Path, file: str, text: str) -> Path:
    """Write a new file in this folder. Refuses names that lead elsewhere."""
    if not re.fullmatch(r"[\w][\w .-]{0,80}\.tour", file):
        raise Refusal(
            "bad-file", f"{short(file)} is not a valid name for a match: use letters, digits and hyphens, and .tour."
        )
    path = folder / file
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise Refusal("bad-file", f"The file {short(file)} exists already: choose another name.") from None
    except OSError as error:
        raise Refusal("bad-file", f"{short(file)} cannot be written: {error.strerror}.") from None
    return path
