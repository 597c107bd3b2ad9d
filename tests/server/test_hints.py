"""Hints: the hard bot sees only the player's own view, answers only that player, and blocks nobody."""

import asyncio
import json
from typing import Any

import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.players import worker
from grandtour.players.lookahead import WIDTH
from grandtour.server.background.hint_pool import HintPool
from grandtour.server.settings import Limits, Rate
from tests.server import bad_bots
from tests.server.client import PLENTY, Api, Client, Message, Server, settings_for
from tests.server.conftest import Serving
from tests.server.test_bots import quietly, trouble

GAME = catalogue.game("round-trip")
QUICK = {"hint_budget": "20", "hint_deadline": 20.0}
SHORT = {"turn_limit": 10, "start": "1"}


def position(seed: int = 1) -> State:
    state: State = GAME.new(2, {option.name: option.default for option in GAME.options}, QuickDice(seed))
    for n in range(12):
        mover = state.waiting()[0]
        state.play(mover, GAME.choose(state.imagine(mover, QuickDice(n)), mover, QuickDice(n)))
    return state


def hint(client: Client, id: str = "hint") -> Message:
    """Ask for a hint. Returns the hint, or the refusal."""
    client.send({"type": "hint", "id": id})
    return answer(client, id)


def answer(client: Client, id: str = "hint") -> Message:
    while True:
        message = client.receive()
        if message["type"] in ("hint", "refused") and message["id"] == id:
            return message


@pytest.fixture(scope="module")
def hint_server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server whose hints take twenty iterations."""
    server = Server(settings_for(tmp_path_factory.mktemp("hints"), **QUICK))
    yield Api(server.url)
    server.stop()


def test_a_hint_is_up_to_three_moves_in_words_best_first(hint_server: Api) -> None:
    opened = hint_server.open("me", "normal", options={"start": "1"})
    with hint_server.join(opened["table"], opened["secret"]) as me:
        told = hint(me)
        assert told["type"] == "hint", f"a hint is refused: {told}"
        assert (told["n"], told["own"]) == (me.last, False)
        assert 20 - WIDTH < told["looked"] <= 20, "moves are compared in the same worlds: none is left half compared"
        legal = {json.dumps(one["move"]): one["text"] for one in me.now["legal"]}
        assert 1 <= len(told["moves"]) <= 3
        assert all(legal[json.dumps(one["move"])] == one["text"] for one in told["moves"])
        assert all(one["cost"] is None for one in told["moves"])
        assert all("turns from the grand tour." in one["why"] for one in told["moves"]), "a hint has a reason"
        shares = [one["share"] for one in told["moves"]]
        assert shares == sorted(shares, reverse=True)
        assert 0 < sum(shares) <= 1.01
        assert me.move(told["moves"][0]["move"])["type"] == "ack", "a hinted move can be played"


def test_a_hint_is_private_and_not_an_event(hint_server: Api) -> None:
    opened = hint_server.open("me", "open", options=SHORT)
    place = hint_server.sit(opened["table"], "Ada")
    table = opened["table"]
    with (
        hint_server.join(table, opened["secret"]) as me,
        hint_server.join(table, place["secret"]) as ada,
        hint_server.join(table) as spectator,
    ):
        before = me.last
        assert hint(me)["type"] == "hint"
        assert me.last == before
        me.ask("say", text="That was a good idea")
        for other in (ada, spectator):
            while other.last == before:
                other.receive()
            assert all(message["type"] != "hint" for message in other.received)


def test_only_a_seat_that_is_to_move_gets_a_hint(hint_server: Api) -> None:
    opened = hint_server.open("me", "open", options=SHORT)
    with hint_server.join(opened["table"], opened["secret"]) as me:
        assert hint(me)["reason"] == "The game has not begun yet."
    place = hint_server.sit(opened["table"], "Ada")
    with hint_server.join(opened["table"], place["secret"]) as ada:
        refused = hint(ada)
        assert refused["code"] == "wrong-seat"
        assert refused["reason"] == "It is not your turn, so there is no hint."
    with hint_server.join(opened["table"]) as spectator:
        assert hint(spectator)["code"] == "wrong-seat"


def test_there_is_no_hint_while_a_bot_plays_the_seat(serving: Serving) -> None:
    api = serving(bot_pause=30.0)
    opened = api.open("me", "normal", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        me.ask("bot", seat=0, bot="normal")
        assert hint(me)["reason"] == "A bot is playing for you; take your seat back first."


def test_a_table_can_be_opened_without_hints(hint_server: Api) -> None:
    wanted = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "bot"}], "options": SHORT, "hints": False}
    opened = hint_server.post("/api/tables", wanted)
    with hint_server.join(opened["table"], opened["secret"]) as me:
        assert me.table["hints"] is False
        assert hint(me)["code"] == "not-offered"


def test_a_hint_is_stale_when_the_game_has_moved_on(serving: Serving) -> None:
    api = serving(hint_budget="1500ms")
    opened = api.open("me", "normal", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        me.send({"type": "hint", "id": "slow"})
        assert me.move(me.moves()[0])["type"] == "ack", "a player waiting for a hint cannot move"
        assert answer(me, "slow")["code"] == "stale"


def test_only_one_hint_at_a_time(serving: Serving) -> None:
    api = serving(hint_budget="1000ms")
    opened = api.open("me", "normal", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me, api.join(opened["table"], opened["secret"]) as same:
        me.send({"type": "hint", "id": "first"})
        me.ask("bot", seat=0, bot=None)
        refused = hint(same, "second")
        assert (refused["code"], refused["reason"]) == ("busy", "The bot is already thinking about your move.")
        assert answer(me, "first")["type"] == "hint"


def test_too_many_hints_are_refused_without_closing_the_socket(serving: Serving) -> None:
    api = serving(**QUICK, limits=Limits(tables=PLENTY, requests=PLENTY, hints=Rate(0.001, 1)))
    opened = api.open("me", "normal", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        assert hint(me, "1")["type"] == "hint"
        assert hint(me, "2")["code"] == "too-much"
        assert me.move(me.moves()[0])["type"] == "ack"


def test_hints_are_refused_while_the_server_is_busy(serving: Serving) -> None:
    api = serving(limits=Limits(tables=PLENTY, requests=PLENTY, hints_waiting=0))
    opened = api.open("me", "normal", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        refused = hint(me)
        assert refused["code"] == "busy"
        assert refused["reason"] == "The hint bot is busy: ask again in a moment."


@pytest.mark.parametrize("seed", [1, 2])
def test_a_hint_does_not_depend_on_hidden_cards(seed: int) -> None:
    state = position(seed)
    seat = state.waiting()[0]
    imagined = state.imagine(seat, QuickDice(5))
    for n in range(3):
        redealt = state.imagine(seat, QuickDice(100 + n)).imagine(seat, QuickDice(5))
        told, again = (worker.ponder("hard:40", GAME.name, world, seat, 9, 20.0) for world in (imagined, redealt))
        assert told == again, "a hint depends on what this seat cannot see"


def with_hint_pool(use: Any) -> Any:
    async def main() -> Any:
        hint_pool = HintPool(4, 20.0, "10")
        try:
            return await use(hint_pool)
        finally:
            hint_pool.close()

    return asyncio.run(main())


def test_a_killed_hint_process_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    state, deadly = position(), trouble(bad_bots.Crashing)
    seat = state.waiting()[0]

    async def use(hint_pool: HintPool) -> Any:
        with pytest.raises(Refusal, match="could not think"):
            await hint_pool.hint(GAME, deadly, 0)
        return await hint_pool.hint(GAME, state, seat)

    with quietly(caplog, "the hint bot failed"):
        from_bot, looked, suggestions = with_hint_pool(use)
    assert (from_bot, looked) == (False, 10)
    assert all(suggestion.move in state.legal(seat) for suggestion in suggestions)


def test_a_hint_that_takes_too_long_is_stopped_and_refused_as_busy(caplog: pytest.LogCaptureFixture) -> None:
    state, stuck = position(), trouble(bad_bots.Endless)
    seat = state.waiting()[0]

    async def use(hint_pool: HintPool) -> Any:
        hint_pool.deadline = 0.3
        with pytest.raises(Refusal, match="ask again in a moment"):
            await hint_pool.hint(GAME, stuck, 0)
        hint_pool.deadline = 20.0
        return await hint_pool.hint(GAME, state, seat)

    with quietly(caplog, "thought too long"):
        _, _, suggestions = with_hint_pool(use)
    assert suggestions
