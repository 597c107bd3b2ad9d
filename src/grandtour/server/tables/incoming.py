# compiled
"""A fast path for moves, which are nearly all messages of clients: they are read and begun without waking a task."""

from collections.abc import Callable
from typing import Final

from grandtour.protocol import messages
from grandtour.protocol.messages import Move
from grandtour.server.buckets import Bucket
from grandtour.server.tables.client import Client
from grandtour.server.tables.moves import Moves

MOVE_TAG: Final = '"move"'
MOVE_TAG_WITHIN: Final = 20
"""Nearly all programs write the message of a move with this tag within so many characters."""
MAX_FRAME: Final = 2048
TEXT_FRAME: Final = 0x81
"""The first byte of a frame with a whole text message."""


def masked_text(data: bytes) -> int:
    """Where the text begins if the data is exactly one short text frame of a client; otherwise 0. The four bytes before
    the text are its mask."""
    length = len(data)
    if length < 6 or length > MAX_FRAME or data[0] != TEXT_FRAME or data[1] < 128:
        return 0
    size = data[1] - 128
    if size < 126:
        return 6 if length == 6 + size else 0
    if size > 126 or length < 8:
        return 0
    return 8 if length == 8 + 256 * data[2] + data[3] else 0


class MoveReader:
    """Begins the moves of one client."""

    def __init__(
        self,
        client: Client,
        table: Moves,
        pace: Bucket,
        max_length: int,
        on_failure: Callable[[Exception, str], None],
        on_end: Callable[[], None],
    ) -> None:
        """`max_length` is in characters. `on_failure` is called with an error and the id of the move that failed,
        `on_end` at the end of every move that was begun."""
        self._client: Final = client
        self._table: Final = table
        self._pace: Final = pace
        self._max_length: Final = max_length
        self._on_failure: Final = on_failure
        self._on_end: Final = on_end
        self._id = ""

    def begin_move(self, text: str | bytes) -> bool:
        """Begin a move at once if the table is free, as it nearly always is. Returns False if the message is not a
        move, or has to wait for its turn. The next message must not come before `on_end` has been called."""
        if isinstance(text, bytes) or len(text) > self._max_length or MOVE_TAG not in text[:MOVE_TAG_WITHIN]:
            return False
        if self._client.closing is not None or not self._table.is_free:
            return False
        try:
            move = messages.decode(text)
        except Exception:
            # The error is reported when the message is read again.
            return False
        if type(move) is not Move or not self._pace.take():
            return False
        self._id = move.id
        try:
            self._table.begin_move(self._client, move, self._end_move)
        except Exception as failure:
            self._end_move(failure)
        return True

    def _end_move(self, failure: Exception | None) -> None:
        if failure is not None:
            self._on_failure(failure, self._id)
        self._on_end()
