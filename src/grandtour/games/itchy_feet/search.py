"""Hooks for searching players of Itchy Feet."""

from typing import Final

from grandtour.engine.game import SearchHooks
from grandtour.games.itchy_feet import bot
from grandtour.games.itchy_feet.strategy import worth

HOOKS: Final = SearchHooks(
    evaluate=worth.evaluate, rank=bot.rank, bot_decides=bot.bot_decides, quick=bot.quick, horizon=6
)
