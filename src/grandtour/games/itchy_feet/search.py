"""Hooks for searching players of Itchy Feet."""

from typing import Final

from grandtour.engine.game import SearchHooks
from grandtour.games.itchy_feet import bot
from grandtour.games.itchy_feet.strategy import evaluation

HOOKS: Final = SearchHooks(
    evaluate=evaluation.evaluate, rank=bot.rank, bot_decides=bot.bot_decides, quick=bot.quick, horizon=6
)
