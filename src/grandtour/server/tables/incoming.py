# compiled
"""Moves as they arrive, which nearly all messages of clients are: read and begun without waking anyone."""

from collections.abc import Callable
from typing import Final

from grandtour.protocol import messages
from grandtour.protocol.messages import Move
from grandtour.server.buckets import Bucket
from grandtour.server.tables.client import Client
from grandtour.server.tables.moves import Moves

MOVE: Final = '"move"'
MOVE_WITHIN: Final = 20
"""What is among the first letters of a message that makes a move, as nearly all programs write it."""
LONGEST_FRAME: Final = 2048
TEXT_FRAME: Final = 0x81
"""The first byte of a frame with a whole text message."""


def masked_text(data: bytes) -> int:
    """Where the text begins if this is one short text frame of a client and nothing else; otherwise 0. Its mask is in
    the four bytes before."""
    length = len(data)
    if length < 6 or length > LONGEST_FRAME or data[0] != TEXT_FRAME or data[1] < 128:
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
        longest: int,
        failed: Callable[[Exception, str], None],
        ended: Callable[[], None],
    ) -> None:
        """`longest` is in characters. `failed` is called with the reason why a move failed and with its id, `ended`
        when a move that was begun is over, either way."""
        self._client: Final = client
        self._table: Final = table
        self._pace: Final = pace
        self._longest: Final = longest
        self._failed: Final = failed
        self._ended: Final = ended
        self._id = ""

    def begin_move(self, text: str | bytes) -> bool:
        """Begin a move as soon as it has arrived, if the table is free, as it nearly always is. Returns False if the
        message is something else, or has to wait for its turn. There is only one move at a time."""
        if isinstance(text, bytes) or len(text) > self._longest or MOVE not in text[:MOVE_WITHIN]:
            return False
        if self._client.closing is not None or not self._table.free:
            return False
        try:
            move = messages.decode(text)
        except Exception:
            # What is wrong with it is said when it is read again.
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
            self._failed(failure, self._id)
        self._ended()
