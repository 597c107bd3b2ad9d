"""All settings and limits of a server."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple


class Rate(NamedTuple):
    """A rate limit: how many per second in the long run, and how many at once."""

    per_second: float
    burst: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits per client, per address and for the whole server."""

    message_bytes: int = 16 * 1024
    """The maximum size of a message on a socket."""
    frame_bytes: int = 64 * 1024
    """The maximum size of a frame. A larger one closes the socket; a message between the two sizes is refused."""
    body_bytes: int = 16 * 1024
    """The maximum size of a request's body."""
    tour_bytes: int = 512 * 1024
    """The maximum size of an uploaded `.tour` file."""
    messages: Rate = field(default=Rate(20, 40))
    """Messages on one socket."""
    frames: Rate = field(default=Rate(50, 200))
    """Frames of any kind on one socket: messages, fragments, pings and pongs."""
    chat: Rate = field(default=Rate(1, 8))
    """Chat lines of one seat, over all its sockets."""
    address_chat: Rate = field(default=Rate(4, 40))
    """Chat lines from one address, at all tables."""
    requests: Rate = field(default=Rate(40, 240))
    """Requests from one address to anything under /api/ except the health check, and for sockets."""
    all_requests: Rate = field(default=Rate(300, 3000))
    """All requests from one address, including files of the page."""
    connections: int = 100
    """Connections open at once from one address. Those of a trusted proxy are not counted."""
    all_connections: int = 4500
    """Connections open at once; fewer if the server has fewer file descriptors."""
    connections_reserved: int = 32
    """Further connections, reserved for health checks."""
    replays: int = 2
    """Replays for one address at once."""
    all_replays: int = 16
    """Replays for all clients at once; they are rendered one after another."""
    replay_bytes: int = 64 * 1024 * 1024
    """The maximum size of a replay as JSON."""
    packed_replay_bytes: int = 4 * 1024 * 1024
    """The maximum size of a compressed replay, as it is stored and sent."""
    tables: Rate = field(default=Rate(0.1, 30))
    """Tables opened by one address."""
    passports: Rate = field(default=Rate(0.01, 20))
    """Passports made by one address."""
    profiles: Rate = field(default=Rate(2, 40))
    """Requests from one address for profiles, companions and reports of matches, which are computed from everything a
    person has played."""
    sockets: int = 40
    """Sockets open at once from one address."""
    all_sockets: int = 4000
    """Sockets open at once."""
    tables_waiting: int = 500
    """Tables in memory that wait for players. Beyond this, the oldest abandoned one is unloaded until somebody opens
    its link."""
    address_tables_waiting: int = 20
    """Tables waiting for players that one address has opened. Beyond this, its oldest abandoned one is unloaded."""
    tables_in_memory: int = 2000
    """Tables in memory. Beyond this, abandoned tables are unloaded; they stay in the store."""
    tables_bytes: int = 512 * 1024 * 1024
    """Memory for tables, estimated from the length of their logs. Beyond this, abandoned tables are unloaded, longest
    abandoned first; if there are none, no table can be opened."""
    hints: Rate = field(default=Rate(0.5, 6))
    """Hints for one seat, over all its sockets."""
    hints_waiting: int = 4
    """Hints in progress or waiting at once."""
    address_hints_waiting: int = 2
    """Hints for one address at once."""
    reviews: int = 2
    """Reviews of finished matches in progress at once."""
    address_reviews: int = 1
    """Reviews for one address at once."""
    events_a_table: int = 5000
    """Events of a table. Beyond this it accepts only moves, whose number is limited by the game."""
    notices_waiting: int = 5000
    """Notices waiting to be sent. Beyond this, new ones are dropped."""
    person_notices_waiting: int = 50
    """Notices waiting to be sent to one person."""
    notice_changes: Rate = field(default=Rate(0.1, 10))
    """Changes of one passport's notice settings."""
    outbox_bytes: int = 16 * 1024 * 1024
    """Messages waiting for one socket before it is closed as too slow."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a server. Times are in seconds."""

    data: Path
    """The folder with the store."""
    store: str = ""
    """The database, such as "postgresql://grandtour@db.example.org/grandtour"; if empty, a SQLite file in `data`.
    Several servers can share a PostgreSQL database."""
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = 8000
    """The port to listen on; 0 takes a free one."""
    workers: int = 1
    """The number of server processes, which share the port. More than one needs a PostgreSQL database."""
    inside_host: str = "127.0.0.1"
    """The address of this machine, in a private network, at which other servers of the same database reach this one."""
    page: Path = Path(__file__).parent / "page"
    """The folder with the built page."""
    origins: frozenset[str] = frozenset()
    """Origins of other pages that may use this server, such as "https://example.org"."""
    hosts: frozenset[str] = frozenset()
    """The host names of the server, such as "play.example.org"; "*" for any. IP addresses, localhost and the machine's
    own name are always allowed."""
    proxies: frozenset[str] = frozenset()
    """The addresses or networks of trusted reverse proxies."""
    proxy_header: Literal["x-forwarded-for", "forwarded"] = "x-forwarded-for"
    """The header in which the proxies name the client. They must set or extend this header; the other one is
    ignored."""
    metrics_from: frozenset[str] = frozenset()
    """The addresses or networks that may read /metrics, directly and not through a proxy. If empty, nobody may."""
    log_format: Literal["text", "json"] = "text"
    """The format of log lines."""
    log_level: Literal["info", "warning", "error"] = "warning"
    """The lowest level that is logged."""
    keep_matches: float = 0.0
    """Days after a table's last event until the table is deleted, finished or not; 0 means never."""
    keep_chat: float = 0.0
    """Days after a table's last event until its chat is deleted; 0 means never."""
    keep_unused_passports: float = 90.0
    """Days after which a passport is deleted if no browser has used it since and nobody has played with it; 0 means
    never."""
    bot_processes: int = 2
    """The number of processes for bots. With `workers`, all servers share them; with a database, 0 leaves bots to
    `grandtour bots`."""
    bot_deadline: float = 5.0
    """The deadline for one move of a bot; after it, a random move is made."""
    bot_thought: float = 1.0
    """How long the hard bot may think when few bots are thinking at once; well below the deadline."""
    hint_budget: str = "1000ms"
    """The hard bot's budget for a hint: a time, or a number of iterations."""
    hint_deadline: float = 6.0
    """The deadline for one hint."""
    review_budget: str = "150ms"
    """The hard bot's budget for reviewing each decision of a finished match, and the same again for its cost."""
    review_decisions: int = 100
    """The maximum number of decisions reviewed for one seat of a match."""
    review_deadline: float = 90.0
    """The deadline for reviewing one seat of a match."""
    curve_points: int = 40
    """The maximum number of positions in the curve of chances of a finished match."""
    curve_budget: str = "200ms"
    """The hard bot's budget for each of these positions."""
    bot_pause: float = 0.6
    """The pause before a bot's move, so that people can follow."""
    patiences: tuple[float, ...] = (0, 60, 120, 300, 600)
    """The maximum time a table can be set to wait for an absent player before a bot moves; 0 means no limit."""
    min_time: float = 60.0
    """The shortest time that a player's clock can be set to, for the match or for each move."""
    host_grace: float = 30.0
    """How long a host may be away before the next person present becomes host."""
    seat_grace: float = 120.0
    """How long somebody must be away before the host may free their seat."""
    rematch_wait: float = 30.0
    """How long a rematch waits for the others before bots take their seats."""
    device_link: float = 600.0
    """How long a link that takes a passport to another device is valid."""
    quick_wait: float = 30.0
    """How long a quick match waits for other people before bots take the free seats."""
    quick_arrival: float = 5.0
    """How long a player of a quick match has to connect before further players are seated elsewhere."""
    notice_wait: float = 15.0
    """How long a notice waits before it is sent, so that several can be merged."""
    notice_pause: float = 60.0
    """The shortest time between two notices to one person."""
    notice_deadline: float = 10.0
    """The deadline for sending a notice to one browser or webhook."""
    notice_contact: str = ""
    """The contact address that push services get, such as "mailto:you@example.org"."""
    notice_anywhere: bool = False
    """Also send notices to private addresses and over http: only for tests, never where others can reach the server."""
    hello_deadline: float = 10.0
    """The deadline for the first message on a socket."""
    header_deadline: float = 10.0
    """The deadline for the head of a request, from the start of the connection or its first byte."""
    body_deadline: float = 20.0
    """The deadline for the body of a request."""
    send_deadline: float = 15.0
    """A client that reads almost nothing in this time, while data is waiting for it, is disconnected."""
    close_deadline: float = 5.0
    """A closing connection is ended after this time, even if not everything was read."""
    replay_deadline: float = 10.0
    """The deadline for rendering a replay."""
    replay_send_deadline: float = 60.0
    """The deadline for sending a replay."""
    lobby_refresh: float = 1.0
    """How long the list of public tables is reused."""
    idle: float = 600.0
    """An abandoned table is unloaded from memory after this time; it stays in the store."""
    listed: float = 24 * 3600.0
    """How long a table stays in the lobby's list."""
    listed_waiting: float = 3600.0
    """How long an abandoned table that waits for players stays in the list."""
    limits: Limits = field(default_factory=Limits)
