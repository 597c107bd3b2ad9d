"""How a server is set up, and what it allows. Every limit has a name and one place."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple


class Rate(NamedTuple):
    """So many a second in the long run, so many at once."""

    a_second: float
    at_once: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What one client, one address and the whole house may ask for."""

    message_bytes: int = 16 * 1024
    """Of one message on a socket."""
    frame_bytes: int = 64 * 1024
    """A message beyond this is cut off unread by the socket itself; one between the two gets an answer."""
    body_bytes: int = 16 * 1024
    """Of the body of a request."""
    tour_bytes: int = 512 * 1024
    """Of a `.tour` file that is sent in."""
    messages: Rate = field(default=Rate(20, 40))
    """Of one socket."""
    frames: Rate = field(default=Rate(50, 200))
    """Of one socket, of every kind: messages, fragments of them, pings and pongs."""
    chat: Rate = field(default=Rate(1, 8))
    """Of one seat, over however many sockets."""
    address_chat: Rate = field(default=Rate(4, 40))
    """Of one address, at all tables."""
    requests: Rate = field(default=Rate(40, 240))
    """Of one address, to anything under /api/ but its health, and for sockets."""
    all_requests: Rate = field(default=Rate(300, 3000))
    """Of one address, the files of the page included."""
    connections: int = 100
    """Open at once from one address, whatever they are used for; those of a trusted proxy are not counted."""
    all_connections: int = 4500
    """Open at once; fewer where the machine gives the server fewer file descriptors."""
    connections_reserved: int = 32
    """Beyond those: kept for asking after the server's health."""
    replays: int = 2
    """Of one address, at once."""
    all_replays: int = 16
    """At once, worked out one after another."""
    replay_bytes: int = 64 * 1024 * 1024
    """Of one replay, as JSON."""
    packed_replay_bytes: int = 4 * 1024 * 1024
    """Of one replay, compressed, as it is held and sent."""
    tables: Rate = field(default=Rate(0.1, 30))
    """Opened by one address."""
    sockets: int = 40
    """Open at once from one address."""
    all_sockets: int = 4000
    """Open at once."""
    tables_waiting: int = 500
    """In memory, for players who are still to come. Beyond this the oldest where nobody is gives way: it leaves the
    memory, and comes back when somebody opens its link."""
    address_tables_waiting: int = 20
    """Of these, opened by one address; beyond this its own oldest gives way."""
    tables_in_memory: int = 2000
    """Beyond this, tables where nobody is give way; they stay in the store."""
    hints: Rate = field(default=Rate(0.5, 6))
    """Of one seat, over however many sockets."""
    hints_waiting: int = 4
    """In the whole house, at once."""
    address_hints_waiting: int = 2
    """Of these, for one address."""
    reviews: int = 2
    """Of finished matches, in the whole house, at once."""
    address_reviews: int = 1
    """Of these, for one address."""
    events_a_table: int = 5000
    """Beyond this a table takes moves only; moves are bounded by the game."""
    outbox_bytes: int = 16 * 1024 * 1024
    """What may wait to be sent to one socket before it is given up as too slow."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a server has to know. Times are in seconds."""

    data: Path
    """The folder with the store."""
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = 8000
    """The port to listen on; 0 takes a free one."""
    page: Path = Path(__file__).parent / "page"
    """The folder with the built page."""
    origins: frozenset[str] = frozenset()
    """Addresses of pages, besides the server's own, that may speak to it: "https://example.org"."""
    hosts: frozenset[str] = frozenset()
    """The names by which the server is reached, such as "play.example.org"; "*" for any. Addresses in figures,
    localhost and the machine's own name are always good."""
    proxies: frozenset[str] = frozenset()
    """The addresses or networks of reverse proxies that are believed about whom they speak for."""
    proxy_header: Literal["x-forwarded-for", "forwarded"] = "x-forwarded-for"
    """The header in which they say so. The proxy has to set or extend it itself: the other one is not read."""
    bot_processes: int = 2
    """Processes in which bots think."""
    bot_deadline: float = 5.0
    """For one move of a bot; beyond it a move is drawn."""
    bot_thought: float = 1.0
    """How long a bot that thinks ahead may do so when few are asked at once; well within the deadline."""
    hint_budget: str = "1000ms"
    """What the hard bot may spend on a hint: a time, or a number of iterations."""
    hint_deadline: float = 6.0
    """For one hint."""
    review_budget: str = "150ms"
    """What the hard bot may spend on each decision of a finished match, and as much again on what it cost."""
    review_decisions: int = 100
    """Of one seat of one match, at most."""
    review_deadline: float = 90.0
    """For one seat of one match."""
    bot_pause: float = 0.6
    """How long a bot's move is held back, so that people can follow."""
    patiences: tuple[float, ...] = (0, 60, 120, 300, 600)
    """How long a table may be told to wait for someone who is away before a bot moves; 0 is for ever."""
    host_grace: float = 30.0
    """How long a host may be away before the next person present is host."""
    seat_grace: float = 120.0
    """How long somebody has to be away before the host may give their seat back."""
    hello_deadline: float = 10.0
    """For the first message on a socket."""
    header_deadline: float = 10.0
    """For the head of a request, from the opening of the connection or the first byte on."""
    body_deadline: float = 20.0
    """For the body of a request."""
    send_deadline: float = 15.0
    """A client that takes next to nothing of what waits for it in this time is cut off."""
    close_deadline: float = 5.0
    """A connection that is being closed is cut off after this, whatever has not been taken."""
    replay_deadline: float = 10.0
    """For working out a replay."""
    replay_send_deadline: float = 60.0
    """For sending one."""
    lobby_refresh: float = 1.0
    """For how long one answer to the question for the public tables is good for everybody."""
    idle: float = 600.0
    """A table where nobody is and nothing happens leaves the memory after this; it stays in the store."""
    listed: float = 24 * 3600.0
    """How long a table stays in the lobby's list."""
    listed_waiting: float = 3600.0
    """How long a table that waits for players, with nobody there, stays in the list."""
    limits: Limits = field(default_factory=Limits)
