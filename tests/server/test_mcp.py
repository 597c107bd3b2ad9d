"""Language models at tables of a running server."""

import asyncio
import random
from pathlib import Path

from mcp import Client

from grandtour.cli.mcp import make_server
from grandtour.engine import tour
from tests.server.client import Api
from tests.test_mcp import Model

SHORT = {"turn_limit": 10}


def test_two_models_play_each_other_on_a_server(api: Api, tmp_path: Path) -> None:
    """Each has its own client and server process; they share only the table's link."""

    async def run() -> None:
        async with Client(make_server([], tmp_path / "a")) as one, Client(make_server([], tmp_path / "b")) as two:
            ada, blaise = Model(one), Model(two)
            opened = await ada.ask("open_table", game="round-trip", bots=[], name="Ada", options=SHORT, server=api.url)
            assert opened["view"] is None, "the match has begun without the second player"
            assert "not over" in await ada.refused("result", seat=opened["seat"])
            joined = await blaise.ask("join_table", link=opened["links"][0], name="Blaise")
            await blaise.ask("say", seat=joined["seat"], text="Good luck!")
            heard = await ada.ask("wait", seat=opened["seat"], seconds=10)
            assert "Blaise says: Good luck!" in heard["news"]
            wrong = {"do": "give", "ticket": "Milano-Roma"}
            assert "RT-" in await ada.refused("play", seat=opened["seat"], move=wrong)
            ends = await asyncio.gather(
                ada.play_on(opened["seat"], random.Random(1)), blaise.play_on(joined["seat"], random.Random(2))
            )
            assert ends[0]["result"] == ends[1]["result"]
            await ada.ask("save_match", seat=opened["seat"], file="match.tour")
            again = await ada.ask("join_table", link=joined["seat_link"])
            assert again["you"] == joined["you"], "a seat's own link leads to another seat"
            wrong_link = opened["links"][0] + "#seat=0.wrong"
            refused = await ada.refused("join_table", link=wrong_link)
            assert refused == "This link does not belong to a seat at this table."

    asyncio.run(run())
    match, names = tour.load((tmp_path / "a" / "match.tour").read_text("utf-8"))
    assert match.over
    assert names == ["Ada", "Blaise"]
