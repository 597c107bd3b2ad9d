"""The exception for refused requests, used in every part of the project."""

from typing import NamedTuple


class Refusal(Exception):
    """A request was refused, and nothing has changed.

    `code` is for programs, `reason` is one sentence for people, `rule` is the paragraph it comes from, if any.
    """

    def __init__(self, code: str, reason: str, rule: str | None = None) -> None:
        super().__init__(code, reason, rule)
        self.code = code
        self.reason = reason
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}" if self.rule else self.reason

    def __reduce__(self) -> tuple[type["Refusal"], tuple[str, str, str | None]]:
        return (Refusal, (self.code, self.reason, self.rule))

    def to_json(self) -> dict[str, str | None]:
        return {"code": self.code, "rule": self.rule, "reason": self.reason}


def short(value: object) -> str:
    """A value from outside, quoted for use in a sentence and cut to one line."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class Objection(NamedTuple):
    """Why the referee refuses a move: the paragraph, and a sentence to the player."""

    rule: str
    reason: str
