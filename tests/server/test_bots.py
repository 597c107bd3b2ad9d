"""Bots at a table: they think in separate processes within a deadline, and their failures stop nobody."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.players import worker
from grandtour.server.background.bot_pool import BotPool
from grandtour.server.background.process_pool import WARM_UP_TIMEOUT
from tests.engine.tiny import Rendezvous
from tests.server import bad_bots
from tests.server.client import PATIENCE, Api

T = TypeVar("T")
GAME = catalogue.game("round-trip")
ITCHY_FEET = catalogue.game("itchy-feet")


def think(use: Callable[[BotPool], Awaitable[T]], deadline: float = 20.0, processes: int = 1) -> T:
    async def main() -> T:
        bot_pool = BotPool(processes, deadline)
        try:
            return await use(bot_pool)
        finally:
            bot_pool.close()

    return asyncio.run(main())


def position(game: Game = GAME) -> State:
    options = {option.name: option.default for option in game.options}
    state: State = game.new(2, options, QuickDice(1))
    return state


def trouble(kind: type[Rendezvous]) -> State:
    state = kind()
    state.seats, state.chosen, state.dice = 2, vec[i64]([-1, -1]), QuickDice(1)
    return state


@contextmanager
def quietly(caplog: pytest.LogCaptureFixture, words: str) -> Iterator[None]:
    """Expects an error with these words in the log."""
    caplog.clear()
    yield
    assert words in caplog.text


@pytest.mark.parametrize("bot", ["random", "easy", "normal", "hard"])
def test_a_bot_chooses_a_legal_move(bot: str) -> None:
    state = position()
    seat = state.waiting()[0]
    move, why = think(lambda bot_pool: bot_pool.choose(bot, GAME, state, seat))
    assert move in state.legal(seat)
    assert why is None


def test_a_bot_that_takes_too_long_makes_a_random_move_and_the_next_bot_can_think(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stuck, state = trouble(bad_bots.Endless), position()
    seat = state.waiting()[0]

    async def use(bot_pool: BotPool) -> tuple[Any, Any]:
        late = await bot_pool.choose("normal", GAME, stuck, 0)
        # The stuck process ends by itself; the next bot has a new one, and its full time.
        bot_pool.deadline = 20.0
        return late, await bot_pool.choose("normal", GAME, state, seat)

    with quietly(caplog, "thought too long"):
        (move, why), (after, fine) = think(use, deadline=0.3)
    assert (move in stuck.legal(0), why) == (True, "late")
    assert (after in state.legal(seat), fine) == (True, None)


@pytest.mark.parametrize(
    ("kind", "words"), [(bad_bots.Crashing, "BrokenProcessPool"), (bad_bots.Failing, "what is this?")]
)
def test_a_bot_that_fails_makes_a_random_move(
    kind: type[Rendezvous], words: str, caplog: pytest.LogCaptureFixture
) -> None:
    state = trouble(kind)
    with quietly(caplog, words):
        move, why = think(lambda bot_pool: bot_pool.choose("normal", GAME, state, 0))
    assert (move in state.legal(0), why) == (True, "failed")


def test_a_hard_bot_without_time_plays_like_a_normal_one_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(worker, "think", bad_bots.fail_to_think_ahead)
    state = position()
    seat = state.waiting()[0]
    with quietly(caplog, "the bot hard failed"):
        move, why = think(lambda bot_pool: bot_pool.choose("hard", GAME, state, seat))
    assert (move in state.legal(seat), why) == (True, "hasty")


async def prepared(bot_pool: BotPool) -> dict[int, list[str]]:
    """The games that each bot process has prepared for."""
    asked = [bot_pool._pool.run(20.0, bad_bots.prepared_here) for _ in range(4)]
    return dict(await asyncio.gather(*asked))


def test_every_process_prepares_for_a_game_before_it_thinks_about_it() -> None:
    state = position(ITCHY_FEET)
    seat = state.waiting()[0]

    async def use(bot_pool: BotPool) -> dict[int, list[str]]:
        await bot_pool.choose("hard", ITCHY_FEET, state, seat)
        # Now two bots think, the second of them in a process that has not been used yet.
        await asyncio.gather(*(bot_pool.choose("hard", ITCHY_FEET, state, seat) for _ in range(4)))
        return await prepared(bot_pool)

    found = think(use, processes=2)
    assert list(found.values()) == [[ITCHY_FEET.name], [ITCHY_FEET.name]]


def test_a_process_that_replaces_a_broken_one_prepares_again() -> None:
    state = position(ITCHY_FEET)
    seat = state.waiting()[0]

    async def use(bot_pool: BotPool) -> dict[int, list[str]]:
        await bot_pool.choose("hard", ITCHY_FEET, state, seat)
        with pytest.raises(BrokenProcessPool):
            await bot_pool._pool.run(20.0, bad_bots.die)
        assert not bot_pool._prepared_for(ITCHY_FEET)
        await bot_pool.choose("hard", ITCHY_FEET, state, seat)
        return await prepared(bot_pool)

    assert list(think(use).values()) == [[ITCHY_FEET.name]]


def test_hard_bots_get_extra_time_until_every_process_has_prepared_and_again_after_a_broken_pool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two processes. The first one gets the first two bots, so the third bot is the first in the second process."""
    state = position()
    seat = state.waiting()[0]
    processes = iter([1, 1, 2, 3, 4])
    deadlines: list[float] = []

    async def use(bot_pool: BotPool) -> None:
        async def run(deadline: float, work: object, *_: object) -> int:
            if work is worker.prepare:
                return next(processes)
            deadlines.append(deadline)
            return state.legal(seat)[0]

        monkeypatch.setattr(bot_pool._pool, "run", run)
        for _ in range(5):
            await bot_pool.choose("hard", GAME, state, seat)
        bot_pool._pool.generation += 1
        for _ in range(3):
            await bot_pool.choose("hard", GAME, state, seat)

    think(use, deadline=2.0, processes=2)
    first, later = 2.0 + WARM_UP_TIMEOUT, 2.0
    assert deadlines == [first, first, first, later, later, first, first, later]


def test_bots_think_less_when_many_are_asked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def use(bot_pool: BotPool) -> None:
        async def note(deadline: float, work: object, player: str, *_: object) -> int:
            if work is worker.think:
                asked.append(player)
            await asyncio.sleep(0)
            return state.legal(seat)[0]

        monkeypatch.setattr(bot_pool._pool, "run", note)
        await asyncio.gather(*(bot_pool.choose("hard", GAME, state, seat) for _ in range(4)))
        await bot_pool.choose("normal", GAME, state, seat)

    state = position()
    seat = state.waiting()[0]
    think(use)
    assert asked == ["hard:1000ms", "hard:500ms", "hard:333ms", "hard:250ms", "normal"]


def test_a_random_move_replaces_a_bots_illegal_move(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(worker, "think", bad_bots.cheat)
    state = position()
    seat = state.waiting()[0]
    with quietly(caplog, "not legal"):
        move, why = think(lambda bot_pool: bot_pool.choose("normal", GAME, state, seat))
    assert (move in state.legal(seat), why) == (True, "failed")


def test_a_bot_that_crashes_its_process_does_not_stop_other_bots(
    caplog: pytest.LogCaptureFixture,
) -> None:
    state, deadly = position(), trouble(bad_bots.Crashing)
    seat = state.waiting()[0]

    async def use(bot_pool: BotPool) -> list[Any]:
        asked = [bot_pool.choose("normal", GAME, state, seat) for _ in range(4)]
        return await asyncio.gather(*asked[:2], bot_pool.choose("normal", GAME, deadly, 0), *asked[2:])

    with quietly(caplog, "failed"):
        answers = think(use)
    legal = {id(state): state.legal(seat), id(deadly): deadly.legal(0)}
    assert all(move in legal[id(state)] for move, _ in answers[:2] + answers[3:])
    assert answers[2][0] in legal[id(deadly)]


def test_the_table_says_when_a_bots_move_was_random(rendezvous: None, api: Api) -> None:
    # Another process does not know this game, so the bot in it cannot think.
    opened = api.open("me", "normal", game="rendezvous")
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(lambda moves: moves[0], moves=1)
        me.until(me.over)
        (told,) = (event for event in me.events.values() if event.get("by") == "bot")
        assert told["text"][-1] == "The bot found no move, so it made a random one."


def test_a_bot_does_not_move_once_a_person_has_taken_its_seat(serving: Any) -> None:
    api = serving(bot_pause=0.5)
    opened = api.open("me", "normal", options={"start": "2"})
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], place["secret"]) as ada:
        ada.play(random.Random(1).choice, moves=2)
        assert {event["by"] for event in ada.events.values() if event["kind"] == "move"} == {"person"}


def test_bots_do_not_pause_if_all_players_have_switched_pauses_off(serving: Any) -> None:
    api: Api = serving(bot_pause=10 * PATIENCE)
    opened = api.open("me", "random", options={"start": "1"})
    with api.join(opened["table"], opened["secret"]) as client:
        client.send({"type": "bot-pause", "on": False})
        while not any(event.get("by") == "bot" for event in client.events.values()):
            client.play(random.Random(1).choice, moves=1)


def test_a_bots_choice_does_not_depend_on_hidden_cards() -> None:
    state = position()
    for n in range(40):
        seat = state.waiting()[0]
        again = state.imagine(seat, QuickDice(1000 + n))
        move = GAME.choose(state.imagine(seat, QuickDice(n)), seat, QuickDice(7))
        assert GAME.choose(again.imagine(seat, QuickDice(n)), seat, QuickDice(7)) == move
        state.play(seat, move)


def test_a_bot_answers_out_of_turn_while_the_game_waits_for_a_person(api: Api) -> None:
    opened = api.open("me", "normal", game="journey-istanbul", options={"start": "1"})
    with api.join(opened["table"], opened["secret"]) as me:
        me.until(me.my_turn)
        for move in ({"do": "talk", "to": 1}, {"do": "request", "amount": 1000}):
            assert me.move(move)["type"] == "ack"
        me.until(lambda: any(event.get("by") == "bot" for event in me.events.values()))
        (told,) = (event for event in me.events.values() if event.get("by") == "bot")
        assert told["text"][-1].endswith("says no to you.")
        me.until(lambda: bool(me.now["n"] == me.last))
        assert me.now["waiting"] == [0], "it was not the bot's turn"
