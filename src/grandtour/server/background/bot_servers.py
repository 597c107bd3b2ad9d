"""Bots of a server that shares its store: the store's bot servers choose their moves, if there are any."""

import asyncio
import contextlib
import logging
import random
import time
from collections import Counter
from typing import Final

import msgspec

from grandtour import __version__
from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.server.background.bot_pool import BotPool
from grandtour.server.background.bot_requests import KEEP_ALIVE_INTERVAL, PATH, ChosenMove, wanted_move
from grandtour.server.background.process_pool import WARM_UP_TIMEOUT
from grandtour.server.forwarding import post
from grandtour.server.metrics import Metrics
from grandtour.server.settings import Settings
from grandtour.server.storage.leases import LEASE, RENEW_INTERVAL
from grandtour.server.storage.store import BotServer, SharedStore
from grandtour.server.tables.records import FallbackReason

log = logging.getLogger(__name__)

SILENCE_TIMEOUT: Final = 3 * KEEP_ALIVE_INTERVAL
"""A bot server that sends nothing for this many seconds is considered hung."""
UNREACHABLE_PAUSE: Final = LEASE + 2 * RENEW_INTERVAL
"""Seconds for which a bot server that did not respond is not asked again. After that, a dead one's row has expired."""

REFUSED_PAUSE: Final = 60.0
"""Seconds for which a bot server that refuses a game is not asked about it."""


class BotServers(BotPool):
    """The bots of all tables of a server. The least busy bot server is asked first, then the others. If none of them
    responds, a process of this server chooses the move."""

    def __init__(self, store: SharedStore, settings: Settings, metrics: Metrics) -> None:
        super().__init__(max(1, settings.bot_processes), settings.bot_deadline, settings.bot_thought, metrics)
        self._store = store
        self._asked_of: Counter[str] = Counter()
        """The number of moves that this server is waiting for, by address of the bot server."""
        self._avoided: dict[tuple[str, str], float] = {}
        """Until when a bot server is not asked about a game."""

    @property
    def known(self) -> list[BotServer]:
        """The bot servers with the same version of Grand Tour."""
        return [each for each in self._store.cluster.bot_servers if each.version == __version__]

    def gauges(self) -> dict[str, tuple[str, object]]:
        return super().gauges() | {
            "grandtour_bot_servers": ("Bot servers that this server can ask.", len(self.known)),
            "grandtour_bot_servers_thinking": (
                "Bot moves in progress or waiting at all bot servers, as of a second ago.",
                sum(each.pending for each in self.known),
            ),
        }

    async def _decide(
        self, bot: str, game: Game, imagined: State, seat: int, seed: int
    ) -> tuple[int | None, FallbackReason | None]:
        request = msgspec.json.encode(wanted_move(bot, game, imagined, seat, seed))
        asked: set[str] = set()
        # Looked up each time, because another bot server may have started in the meantime.
        while (address := self._least_busy(game, asked)) is not None:
            asked.add(address)
            outcome = "cancelled"
            self._asked_of[address] += 1
            try:
                async with asyncio.timeout(2 * self.deadline + WARM_UP_TIMEOUT):
                    chosen = await self._ask_server(address, request)
                if chosen.move not in imagined.legal(seat):
                    raise ValueError("the move is not legal")
                outcome = "answered"
                return chosen.move, chosen.why
            except Refusal as refusal:
                outcome = "refused"
                log.warning("the bot server at %s refuses to think about %s: %s", address, game.name, refusal)
            except (OSError, TimeoutError, ValueError) as error:
                outcome = "lost"
                log.warning("the bot server at %s does not answer: %s", address, str(error) or type(error).__name__)
            finally:
                self._asked_of -= Counter({address: 1})
                self._metrics.bot_requests.add(outcome)
            pause = REFUSED_PAUSE if outcome == "refused" else UNREACHABLE_PAUSE
            self._avoided[address, game.name] = time.monotonic() + pause
        return await super()._decide(bot, game, imagined, seat, seed)

    def _least_busy(self, game: Game, asked: set[str]) -> str | None:
        """The address of the least busy bot server that may be asked about a game and has not been asked yet."""
        now = time.monotonic()
        self._avoided = {key: until for key, until in self._avoided.items() if until > now}
        found = [each for each in self.known if each.address not in asked]
        found = [each for each in found if (each.address, game.name) not in self._avoided]

        def load(each: BotServer) -> tuple[float, float]:
            return max(each.pending, self._asked_of[each.address]) / each.processes, random.random()

        return min(found, key=load).address if found else None

    async def _ask_server(self, address: str, request: bytes) -> ChosenMove:
        """A move from a bot server. Raises an error if it sends nothing for `SILENCE_TIMEOUT`."""
        status, text = await post(address, PATH, self._store.secret, request, SILENCE_TIMEOUT)
        if status == 200:
            return msgspec.json.decode(text, type=ChosenMove)
        said: dict[str, str | None] = {}
        with contextlib.suppress(msgspec.DecodeError):
            said = msgspec.json.decode(text, type=dict[str, str | None])
        raise Refusal(said.get("code") or "failed", said.get("reason") or f"It answers with status {status}.")


def bots_for(settings: Settings, metrics: Metrics, store: SharedStore | None) -> BotPool:
    """The bots of a server."""
    if store is not None:
        return BotServers(store, settings, metrics)
    return BotPool(settings.bot_processes, settings.bot_deadline, settings.bot_thought, metrics)
