# interpreted
"""JSON of any value. This file is interpreted because compiled ones cannot import msgspec."""

from collections.abc import Callable
from typing import Any

import msgspec

encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
"""A value as JSON. It is called several times for each move, so no function is around it."""
