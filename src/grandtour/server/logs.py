"""The log: one line per event on standard error, with its time and level.

Nothing that a client sends is logged: no seat secrets, no chat, no names. The level "debug" is not offered, because
uvicorn and websockets would log frames.
"""

import logging
import sys
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec

Format = Literal["text", "json"]
Level = Literal["info", "warning", "error"]
CONNECTIONS: Final = ("connection open", "connection closed")
LEVELS: Final = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


class TextFormatter(logging.Formatter):
    """`2026-05-04T12:00:00.123Z WARNING grandtour.server.registry: no table opened`, then any traceback."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return _time(record.created)


class JsonFormatter(logging.Formatter):
    """One JSON object for each line, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _time(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def _is_not_about_a_client(record: logging.LogRecord) -> bool:
    """Filters out the lines in which uvicorn logs the client and the table of each socket."""
    return record.name != "uvicorn.error" or not ("WebSocket" in str(record.msg) or str(record.msg) in CONNECTIONS)


def set_up(format: Format, level: Level) -> None:
    """Set up logging for this process, including uvicorn's lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if format == "json" else TextFormatter())
    handler.addFilter(_is_not_about_a_client)
    logging.basicConfig(handlers=[handler], level=LEVELS[level], force=True)
    logging.captureWarnings(True)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
