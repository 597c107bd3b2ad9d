"""Notices to people who are not at the table: it is their turn, they are invited, or the game is over.

Nobody is notified of a table that they are looking at. A notice waits a little; whatever else there is to say by then
goes along, and what is no longer true is not said. Notices that wait are stored, and are due after a restart. Whoever
takes one out of the store sends it, so that it is sent once, also by several servers.
"""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, cast

import msgspec

from grandtour.engine.refusal import Refusal
from grandtour.engine.words import all_of
from grandtour.server.http.requests import NoticeSettings, WantedNotices
from grandtour.server.limits import Bucket, too_much
from grandtour.server.people import web_push
from grandtour.server.people.outgoing import Outgoing
from grandtour.server.people.passports import Holder
from grandtour.server.settings import Settings
from grandtour.server.storage import notice_store, people_store
from grandtour.server.storage.database import Database as Db
from grandtour.server.storage.notice_store import Subscription, Waiting, Wish
from grandtour.server.storage.store import Store
from grandtour.server.tables.records import Moved, Over, Record, Started, Undone
from grandtour.server.tables.session import Session

log = logging.getLogger(__name__)

KEY: Final = "vapid"
"""The name under which the store keeps the key of Web Push."""
AT_ONCE: Final = 8
"""People who are notified at once."""
MAX_LINES: Final = 5
"""Games that are named in one message; the others are counted. A push service takes four kilobytes."""
FAILED_PAUSE: Final = 600.0
"""Seconds for which nothing is sent to somebody whose notices take too long to send."""
MAX_CHANGES: Final = 1000
"""Passports that have changed their notices lately, before those of them who may again are forgotten."""
HARMLESS: Final = str.maketrans("@<>", "\uff20\u2039\u203a")
"""Chat services call people when a text has their marks; a player's name is only a name."""
GONE: Final = (404, 410)
"""What a push service answers when a browser does not want notices any more."""
LATE: Final = -1
"""In place of a status: the answer took too long."""
NOBODY: Final = "mailto:operator@example.org"

Kind = Literal["turn", "invited", "over"]


class Notice(NamedTuple):
    """Something that a person may want to know. The person is whoever has the seat with this key, or the passport."""

    kind: Kind
    table: str
    title: str
    """The game's title."""
    names: tuple[str, ...]
    """The others at the table, or the one who invites; not known after a restart."""
    seat: int
    key: str
    passport: str = ""
    since: float = 0.0
    """Since when it has been their turn."""


class Told(NamedTuple):
    """What is sent: a line, another one, and where a press on it leads."""

    title: str
    body: str
    path: str


class Notices:
    """The notices of all tables on this server."""

    def __init__(self, store: Store, settings: Settings, sessions: Mapping[str, Session]) -> None:
        self._store = store
        self._settings = settings
        self._sessions = sessions
        self._outgoing = Outgoing(settings.notice_deadline, settings.notice_anywhere)
        self._fresh: dict[tuple[Kind, str, str], Notice] = {}
        """Notices that are not stored yet, by kind, table, and the person's seat or passport."""
        self._waiting: dict[tuple[Kind, str, str], tuple[Notice, float]] = {}
        """Stored notices, by kind, table and passport, each with the time at which it may be sent."""
        self._news = asyncio.Event()
        self._told: dict[str, float] = {}
        """When each person was last notified."""
        self._failed: dict[str, float] = {}
        """Until when nothing is sent to people whose notices took too long to send."""
        self._changes: dict[str, Bucket] = {}
        self._key: str | None = None
        self._public = ""
        self._sending: set[asyncio.Task[None]] = set()
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._task = asyncio.create_task(self._watch())

    async def close(self) -> None:
        tasks = [self._task, *self._sending]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        with contextlib.suppress(Refusal, OSError):
            await self._keep_fresh()
        self._outgoing.close()

    def changed(self, session: Session, records: list[Record]) -> None:
        """A table has changed: note those whose turn it is now, and those who may not know that it is over."""
        table = session.table
        for record in records:
            if isinstance(record, Over):
                for seat in table.people():
                    self._note(session, "over", seat)
            elif isinstance(record, (Started, Moved, Undone)):
                mover = None if isinstance(record, Started) else record.seat
                for seat, since in table.asked.items():
                    if since == record.time and seat != mover and table.seats[seat].bot is None:
                        self._note(session, "turn", seat, since)

    def invited(self, table: str, title: str, by: str, passport: str) -> None:
        """Somebody is invited to a table."""
        self._add(Notice("invited", table, title, (by,), -1, "", passport))

    def rematch(self, before: Session | None, after: Session, by: str) -> None:
        """People are asked to play on at another table. Those who look at the one before see that."""
        for seat, now in enumerate(after.table.seats):
            if now.owner is not None and now.key is None:
                old = before.table.seat_with(now.owner.key) if before is not None else None
                if before is None or old is None or not is_looking(before, old):
                    table = after.table
                    self._add(Notice("invited", table.id, table.game.title, (by,), seat, now.owner.key))

    async def settings_of(self, holder: Holder) -> NoticeSettings:
        def work(db: Db) -> tuple[Wish, list[Subscription]]:
            return notice_store.wish(db, holder.passport), notice_store.subscriptions(db, holder.passport)

        wish, devices = await self._store.run(work, writes=False)
        here = any(device.device == holder.device for device in devices)
        return NoticeSettings(wish.wanted, wish.webhook, await self._public_key(), here, len(devices))

    async def change(self, holder: Holder, wanted: WantedNotices, page: str) -> NoticeSettings:
        """Change what somebody wants, if anything. Naming a place to send notices to turns them on."""
        push, webhook = wanted.push, wanted.webhook
        if (wanted.on, push, webhook) == (msgspec.UNSET,) * 3:
            return await self.settings_of(holder)
        if len(self._changes) >= MAX_CHANGES:
            self._changes = {who: bucket for who, bucket in self._changes.items() if not bucket.full}
        if not self._changes.setdefault(holder.passport, Bucket(self._settings.limits.notice_changes)).take():
            raise too_much("You have changed this often; wait a moment.")
        if isinstance(push, msgspec.Struct):
            web_push.check_keys(push.p256dh, push.auth)
            await self._outgoing.check(push.endpoint)
            if await self._public_key() is None:
                raise Refusal("not-offered", "This server cannot send notices to browsers.")
        if isinstance(webhook, str) and webhook:
            await self._outgoing.check(webhook)

        def work(db: Db) -> None:
            now = notice_store.wish(db, holder.passport)
            on = bool(push) or bool(webhook) or now.wanted
            if wanted.on is not msgspec.UNSET:
                on = wanted.on
            hook = webhook if isinstance(webhook, str) else now.webhook
            notice_store.set_wish(db, holder.passport, Wish(on, hook, page or now.page))
            if push is None:
                notice_store.unsubscribe(db, holder.device)
            elif isinstance(push, msgspec.Struct):
                given = Subscription(holder.device, holder.passport, push.endpoint, push.p256dh, push.auth)
                notice_store.subscribe(db, given)

        await self._store.run(work)
        return await self.settings_of(holder)

    async def _public_key(self) -> str | None:
        """The key that browsers need to subscribe; None if this server cannot send to browsers."""
        if self._key is None and web_push.available():
            fresh = await asyncio.to_thread(web_push.new_key)
            key = await self._store.run(lambda db: people_store.own_secret(db, KEY, fresh))
            self._public = await asyncio.to_thread(web_push.public_key, key)
            # Last: whoever asks in the meantime must not find one key without the other.
            self._key = key
        return self._public or None

    def _note(self, session: Session, kind: Kind, seat: int, since: float = 0.0) -> None:
        table = session.table
        key = table.seats[seat].key
        if key is not None and not is_looking(session, seat):
            others = tuple(name for other, name in enumerate(table.names()) if other != seat and name)
            self._add(Notice(kind, table.id, table.game.title, others, seat, key, "", since))

    def _add(self, notice: Notice) -> None:
        if len(self._fresh) + len(self._waiting) < self._settings.limits.notices_waiting:
            self._fresh[notice.kind, notice.table, notice.key or notice.passport] = notice
            self._news.set()

    async def _watch(self) -> None:
        """Send what has waited long enough."""
        try:
            await self._public_key()
        except Exception:
            log.exception("the key for notices could not be made")
        try:
            await self._resume()
        except Exception:
            log.exception("the notices of the last run could not be read")
        while True:
            self._news.clear()
            try:
                await self._keep_fresh()
                await self._send_due()
            except Exception:
                log.exception("notices could not be kept or sent")
            first = min((due for _, due in self._waiting.values()), default=None)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if first is None else max(0.0, first - time.time())):
                    await self._news.wait()

    async def _resume(self) -> None:
        """Read the notices that were not sent before a restart.

        They wait once more: those who come back to the table see it themselves.
        """
        due = time.time() + self._settings.notice_wait
        for kept in await self._store.run(notice_store.waiting, writes=False):
            kind = cast(Kind, kept.kind)
            passport = "" if kept.key else kept.passport
            notice = Notice(kind, kept.table, kept.title, (), kept.seat, kept.key, passport, kept.since)
            self._waiting[kind, kept.table, kept.passport] = notice, due

    async def _keep_fresh(self) -> None:
        """Store the notices of those who want any."""
        fresh = dict(self._fresh)
        if not fresh:
            return
        found = await self._store.run(lambda db: _whose(db, list(fresh.values())), writes=False)
        kept = {(one.kind, one.table, passport): one for passport, notices in found.items() for one in notices}
        held = Counter(passport for _, _, passport in self._waiting)
        for key in list(kept):
            if key not in self._waiting:
                held[key[2]] += 1
                if held[key[2]] > self._settings.limits.person_notices_waiting:
                    del kept[key]

        def work(db: Db) -> None:
            for (kind, table, passport), one in kept.items():
                notice_store.keep(db, Waiting(passport, kind, table, one.title, one.seat, one.key, one.since))

        if kept:
            await self._store.run(work)
        due = time.time() + self._settings.notice_wait
        self._waiting |= {key: (notice, due) for key, notice in kept.items()}
        for key, notice in fresh.items():
            if self._fresh.get(key) is notice:
                del self._fresh[key]

    async def _send_due(self) -> None:
        now = time.time()
        # Whatever else there is to say to somebody goes along.
        people_due = {key[2] for key, (_, at) in self._waiting.items() if at <= now}
        due = {key: notice for key, (notice, _) in self._waiting.items() if key[2] in people_due}
        self._told = {who: at for who, at in self._told.items() if at > now - self._settings.notice_pause}
        self._failed = {who: until for who, until in self._failed.items() if until > now}
        for key, notice in list(due.items()):
            last = self._told.get(key[2])
            if last is None:
                del self._waiting[key]
            else:
                # Said soon enough, with whatever comes until then.
                self._waiting[key] = notice, last + self._settings.notice_pause
                del due[key]
        if not due:
            return
        taken = await self._store.run(
            lambda db: {key for key in due if notice_store.take(db, passport=key[2], kind=key[0], table=key[1])}
        )
        people: dict[str, list[Notice]] = {}
        for key, notice in due.items():
            if key in taken and key[2] not in self._failed and self._stands(notice):
                people.setdefault(key[2], []).append(notice)
        for passport, notices in people.items():
            if len(self._sending) >= self._settings.limits.notices_waiting:
                log.warning("notices are dropped: too many are being sent")
                break
            self._told[passport] = now
            task = asyncio.create_task(self._tell(passport, told_of(notices)))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    def _stands(self, notice: Notice) -> bool:
        """Whether a notice is still worth sending. A table that is not in memory has not changed here."""
        session = self._sessions.get(notice.table)
        if session is None:
            return True
        table, seat = session.table, notice.seat
        if notice.kind == "invited":
            return table.phase == "waiting" and seat not in session.here()
        if table.seats[seat].key != notice.key or is_looking(session, seat):
            return False
        return notice.kind == "over" or (
            table.phase == "playing" and table.asked.get(seat) == notice.since and table.seats[seat].bot is None
        )

    async def _tell(self, passport: str, told: Told) -> None:
        """Send a message to all places of a person at once, so that nobody takes longer than the deadline."""

        def work(db: Db) -> tuple[Wish, list[Subscription]]:
            return notice_store.wish(db, passport), notice_store.subscriptions(db, passport)

        try:
            async with self._at_once:
                wish, devices = await self._store.run(work, writes=False)
                if not wish.wanted:
                    return
                places = [self._push(device, told) for device in devices]
                if wish.webhook:
                    places.append(self._post(wish.webhook, {"Content-Type": "application/json"}, _hook(wish, told)))
                if LATE in await asyncio.gather(*places):
                    self._failed[passport] = time.time() + FAILED_PAUSE
        except Exception:
            log.exception("a notice could not be sent")

    async def _push(self, device: Subscription, told: Told) -> int:
        if self._key is None:
            return 0
        text = web_push.payload(told.title, told.body, told.path)
        try:
            headers, body = await asyncio.to_thread(web_push.request_for, device, text, self._key, self._contact())
        except Exception:
            # Keys that fit no browser.
            status = GONE[0]
        else:
            status = await self._post(device.endpoint, headers, body)
        if status in GONE:
            await self._store.run(lambda db: notice_store.unsubscribe(db, device.device))
        return status

    async def _post(self, url: str, headers: dict[str, str], body: bytes) -> int:
        """Send a request and return the status; 0 if that fails, `LATE` if it takes too long. It is not tried again:
        there will be other notices."""
        try:
            return await self._outgoing.post(url, headers, body)
        except TimeoutError:
            log.info("a notice could not be sent in time")
            return LATE
        except (Refusal, OSError) as error:
            log.info("a notice could not be sent: %s", error)
            return 0

    def _contact(self) -> str:
        """Whom push services may write to about this server."""
        named = sorted(host for host in self._settings.hosts if "." in host)
        return self._settings.notice_contact or (f"https://{named[0]}" if named else NOBODY)


def is_looking(session: Session, seat: int) -> bool:
    """Whether the person in this seat has the table before their eyes."""
    return any(client.seat == seat and client.visible for client in session.clients)


def told_of(notices: list[Notice]) -> Told:
    """One message about all these notices."""
    lines = [_line(notice) for notice in notices]
    if len(notices) == 1:
        [notice] = notices
        others = f"With {all_of(list(notice.names))}." if notice.names and notice.kind != "invited" else ""
        return Told(lines[0], others, f"/table/{notice.table}")
    more = [f"and {len(lines) - MAX_LINES} more"] if len(lines) > MAX_LINES else []
    return Told(f"{len(lines)} games would like to see you", "; ".join(lines[:MAX_LINES] + more) + ".", "/games")


def _hook(wish: Wish, told: Told) -> bytes:
    """A message as JSON. Chat services show `text` or `content`."""
    text = f"{told.title}. {told.body}".removesuffix(" ").translate(HARMLESS)
    link = f"{wish.page}{told.path}" if wish.page else told.path
    title = told.title.translate(HARMLESS)
    return msgspec.json.encode({"title": title, "text": f"{text} {link}", "content": f"{text} {link}", "url": link})


def _line(notice: Notice) -> str:
    match notice.kind:
        case "turn":
            return f"Your turn — {notice.title}"
        case "invited":
            return f"{notice.names[0] if notice.names else 'Somebody'} invites you — {notice.title}"
        case "over":
            return f"The game is over — {notice.title}"


def _whose(db: Db, notices: list[Notice]) -> dict[str, list[Notice]]:
    """The notices of each person who wants any. A seat without a passport has nobody to notify."""
    found: dict[str, list[Notice]] = {}
    for notice in notices:
        passports = (
            [notice.passport]
            if notice.passport
            else [place.passport for place in people_store.places_at(db, notice.table) if place.key == notice.key]
        )
        for passport in passports:
            if notice_store.wish(db, passport).wanted:
                found.setdefault(passport, []).append(notice)
    return found
