"""Notices to people who are not at the table: it is their turn, they are invited, or the game is over.

Nobody is notified about a table that is open on their screen. A notice waits for a short time before it is sent. Other
notices to the same person that arrive meanwhile are merged with it, and notices that are no longer true are dropped.
Waiting notices are stored, so they survive a restart. A server takes a notice out of the store before it sends it, so
each notice is sent once, even with several servers.
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
from grandtour.engine.words import join_and
from grandtour.server.http.requests import NoticeSettings, WantedNotices
from grandtour.server.limits import Bucket, too_much
from grandtour.server.people import web_push
from grandtour.server.people.outgoing import Outgoing
from grandtour.server.people.passports import Holder
from grandtour.server.settings import Settings
from grandtour.server.storage import notice_store, people_store
from grandtour.server.storage.database import Database as Db
from grandtour.server.storage.notice_store import Preference, Subscription, WaitingNotice
from grandtour.server.storage.store import Store
from grandtour.server.tables.records import Moved, Over, Record, Started, Undone
from grandtour.server.tables.session import Session

log = logging.getLogger(__name__)

VAPID_KEY_NAME: Final = "vapid"
"""The name under which the store keeps the private key of Web Push."""
MAX_CONCURRENT: Final = 8
"""The number of people to whom notices are sent at the same time."""
MAX_LINES: Final = 5
"""The number of games listed in one message; the rest are only counted. Push services accept at most four kilobytes."""
TIMEOUT_PAUSE: Final = 600.0
"""Seconds for which nothing is sent to a person after one of their push services or webhooks timed out."""
MAX_CHANGE_LIMITS: Final = 1000
"""The number of rate limits kept in memory before full ones are dropped."""
MENTION_ESCAPES: Final = str.maketrans("@<>", "\uff20\u2039\u203a")
"""Characters with which chat services mark mentions, replaced by look-alikes: a player's name must not alert anyone."""
GONE_STATUSES: Final = (404, 410)
"""The statuses with which a push service reports that a subscription has ended."""
TIMED_OUT: Final = -1
"""Returned in place of a status if the response took too long."""
DEFAULT_CONTACT: Final = "mailto:operator@example.org"

Kind = Literal["turn", "invited", "over"]


class Notice(NamedTuple):
    """Something that a person may want to know. The person is given by the key of their seat or by their passport."""

    kind: Kind
    table: str
    title: str
    """The game's title."""
    names: tuple[str, ...]
    """The other players, or the person who invites. Empty after a restart."""
    seat: int
    key: str
    passport: str = ""
    since: float = 0.0
    """Since when it has been their turn."""


class NoticeMessage(NamedTuple):
    """The message that is sent: a title, a text, and the path of the page that it opens."""

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
        """Notices that are not stored yet, by kind, table, and the person's seat key or passport."""
        self._waiting: dict[tuple[Kind, str, str], tuple[Notice, float]] = {}
        """Stored notices, by kind, table and passport, each with the time at which it may be sent."""
        self._added = asyncio.Event()
        self._last_sent: dict[str, float] = {}
        """When each person was last notified."""
        self._paused_until: dict[str, float] = {}
        """Until when nothing is sent to people whose push services or webhooks timed out."""
        self._change_limits: dict[str, Bucket] = {}
        """How often each passport may still change its settings."""
        self._private_key: str | None = None
        self._public_key = ""
        self._sending: set[asyncio.Task[None]] = set()
        self._send_slots = asyncio.Semaphore(MAX_CONCURRENT)
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        tasks = [self._task, *self._sending]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        with contextlib.suppress(Refusal, OSError):
            await self._store_fresh()
        self._outgoing.close()

    def changed(self, session: Session, records: list[Record]) -> None:
        """Queue notices for the players whose turn it is after these records, or for all if the game is over."""
        table = session.table
        for record in records:
            if isinstance(record, Over):
                for seat in table.people():
                    self._queue(session, "over", seat)
            elif isinstance(record, (Started, Moved, Undone)):
                mover = None if isinstance(record, Started) else record.seat
                for seat, since in table.waiting_since.items():
                    if since == record.time and seat != mover and table.seats[seat].bot is None:
                        self._queue(session, "turn", seat, since)

    def invited(self, table: str, title: str, by: str, passport: str) -> None:
        """Queue a notice that somebody is invited to a table."""
        self._add(Notice("invited", table, title, (by,), -1, "", passport))

    def rematch(self, before: Session | None, after: Session, by: str) -> None:
        """Invite the players of a table to its rematch. Those who are looking at the old table see it there."""
        for seat, now in enumerate(after.table.seats):
            if now.owner is not None and now.key is None:
                old = before.table.seat_by_key(now.owner.key) if before is not None else None
                if before is None or old is None or not is_looking(before, old):
                    table = after.table
                    self._add(Notice("invited", table.id, table.game.title, (by,), seat, now.owner.key))

    async def settings_of(self, holder: Holder) -> NoticeSettings:
        def work(db: Db) -> tuple[Preference, list[Subscription]]:
            return notice_store.preference(db, holder.passport), notice_store.subscriptions(db, holder.passport)

        preference, devices = await self._store.run(work, writes=False)
        here = any(device.device == holder.device for device in devices)
        return NoticeSettings(preference.wanted, preference.webhook, await self._browser_key(), here, len(devices))

    async def change(self, holder: Holder, wanted: WantedNotices, page: str) -> NoticeSettings:
        """Change the settings that are given. Adding a webhook or a browser turns notices on."""
        push, webhook = wanted.push, wanted.webhook
        if (wanted.on, push, webhook) == (msgspec.UNSET,) * 3:
            return await self.settings_of(holder)
        if len(self._change_limits) >= MAX_CHANGE_LIMITS:
            self._change_limits = {
                passport: bucket for passport, bucket in self._change_limits.items() if not bucket.full
            }
        if not self._change_limits.setdefault(holder.passport, Bucket(self._settings.limits.notice_changes)).take():
            raise too_much("You have changed this setting too often. Wait a moment.")
        if isinstance(push, msgspec.Struct):
            web_push.check_keys(push.p256dh, push.auth)
            await self._outgoing.check(push.endpoint)
            if await self._browser_key() is None:
                raise Refusal("not-offered", "This server cannot send notices to browsers.")
        if isinstance(webhook, str) and webhook:
            await self._outgoing.check(webhook)

        def work(db: Db) -> None:
            now = notice_store.preference(db, holder.passport)
            on = bool(push) or bool(webhook) or now.wanted
            if wanted.on is not msgspec.UNSET:
                on = wanted.on
            hook = webhook if isinstance(webhook, str) else now.webhook
            notice_store.set_preference(db, holder.passport, Preference(on, hook, page or now.page))
            if push is None:
                notice_store.unsubscribe(db, holder.device)
            elif isinstance(push, msgspec.Struct):
                given = Subscription(holder.device, holder.passport, push.endpoint, push.p256dh, push.auth)
                notice_store.subscribe(db, given)

        await self._store.run(work)
        return await self.settings_of(holder)

    async def _browser_key(self) -> str | None:
        """The public key that browsers need to subscribe; None if this server cannot send to browsers."""
        if self._private_key is None and web_push.available():
            fresh = await asyncio.to_thread(web_push.new_key)
            key = await self._store.run(lambda db: people_store.server_secret(db, VAPID_KEY_NAME, fresh))
            self._public_key = await asyncio.to_thread(web_push.public_key, key)
            # Set last, so that no other task sees the private key without the public one.
            self._private_key = key
        return self._public_key or None

    def _queue(self, session: Session, kind: Kind, seat: int, since: float = 0.0) -> None:
        """Queue a notice to the person in a seat, unless they are looking at the table."""
        table = session.table
        key = table.seats[seat].key
        if key is not None and not is_looking(session, seat):
            others = tuple(name for other, name in enumerate(table.names()) if other != seat and name)
            self._add(Notice(kind, table.id, table.game.title, others, seat, key, "", since))

    def _add(self, notice: Notice) -> None:
        if len(self._fresh) + len(self._waiting) < self._settings.limits.notices_waiting:
            self._fresh[notice.kind, notice.table, notice.key or notice.passport] = notice
            self._added.set()

    async def _run(self) -> None:
        """Store and send notices until the task is cancelled."""
        try:
            await self._browser_key()
        except Exception:
            log.exception("the key for notices could not be created")
        try:
            await self._resume()
        except Exception:
            log.exception("the notices of the last run could not be read")
        while True:
            self._added.clear()
            try:
                await self._store_fresh()
                await self._send_due()
            except Exception:
                log.exception("notices could not be stored or sent")
            first = min((due for _, due in self._waiting.values()), default=None)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if first is None else max(0.0, first - time.time())):
                    await self._added.wait()

    async def _resume(self) -> None:
        """Load the notices that were not sent before a restart.

        They wait the full time again, because players who come back to the table need no notice.
        """
        due = time.time() + self._settings.notice_wait
        for kept in await self._store.run(notice_store.all_waiting, writes=False):
            kind = cast(Kind, kept.kind)
            passport = "" if kept.key else kept.passport
            notice = Notice(kind, kept.table, kept.title, (), kept.seat, kept.key, passport, kept.since)
            self._waiting[kind, kept.table, kept.passport] = notice, due

    async def _store_fresh(self) -> None:
        """Store new notices to people who want notices."""
        fresh = dict(self._fresh)
        if not fresh:
            return
        found = await self._store.run(lambda db: _by_passport(db, list(fresh.values())), writes=False)
        accepted = {
            (notice.kind, notice.table, passport): notice for passport, notices in found.items() for notice in notices
        }
        per_person = Counter(passport for _, _, passport in self._waiting)
        for key in list(accepted):
            if key not in self._waiting:
                per_person[key[2]] += 1
                if per_person[key[2]] > self._settings.limits.person_notices_waiting:
                    del accepted[key]

        def work(db: Db) -> None:
            for (kind, table, passport), notice in accepted.items():
                row = WaitingNotice(passport, kind, table, notice.title, notice.seat, notice.key, notice.since)
                notice_store.add_waiting(db, row)

        if accepted:
            await self._store.run(work)
        due = time.time() + self._settings.notice_wait
        self._waiting |= {key: (notice, due) for key, notice in accepted.items()}
        for key, notice in fresh.items():
            if self._fresh.get(key) is notice:
                del self._fresh[key]

    async def _send_due(self) -> None:
        now = time.time()
        # If one notice to a person is due, all their other notices are sent with it.
        people_due = {key[2] for key, (_, at) in self._waiting.items() if at <= now}
        due = {key: notice for key, (notice, _) in self._waiting.items() if key[2] in people_due}
        self._last_sent = {who: at for who, at in self._last_sent.items() if at > now - self._settings.notice_pause}
        self._paused_until = {who: until for who, until in self._paused_until.items() if until > now}
        for key, notice in list(due.items()):
            last = self._last_sent.get(key[2])
            if last is None:
                del self._waiting[key]
            else:
                # This person was notified recently, so the notice waits until the pause is over.
                self._waiting[key] = notice, last + self._settings.notice_pause
                del due[key]
        if not due:
            return
        taken = await self._store.run(
            lambda db: {key for key in due if notice_store.take(db, passport=key[2], kind=key[0], table=key[1])}
        )
        people: dict[str, list[Notice]] = {}
        for key, notice in due.items():
            if key in taken and key[2] not in self._paused_until and self._still_true(notice):
                people.setdefault(key[2], []).append(notice)
        for passport, notices in people.items():
            if len(self._sending) >= self._settings.limits.notices_waiting:
                log.warning("notices are dropped: too many are being sent")
                break
            self._last_sent[passport] = now
            task = asyncio.create_task(self._send(passport, merged_message(notices)))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    def _still_true(self, notice: Notice) -> bool:
        """Whether a notice is still worth sending. If the table is not in memory, nothing has changed here."""
        session = self._sessions.get(notice.table)
        if session is None:
            return True
        table, seat = session.table, notice.seat
        if notice.kind == "invited":
            return table.phase == "waiting" and seat not in session.here()
        if table.seats[seat].key != notice.key or is_looking(session, seat):
            return False
        return notice.kind == "over" or (
            table.phase == "playing" and table.waiting_since.get(seat) == notice.since and table.seats[seat].bot is None
        )

    async def _send(self, passport: str, message: NoticeMessage) -> None:
        """Send a message to all devices and the webhook of a person at the same time."""

        def work(db: Db) -> tuple[Preference, list[Subscription]]:
            return notice_store.preference(db, passport), notice_store.subscriptions(db, passport)

        try:
            async with self._send_slots:
                preference, devices = await self._store.run(work, writes=False)
                if not preference.wanted:
                    return
                requests = [self._push(device, message) for device in devices]
                if preference.webhook:
                    body = webhook_body(preference, message)
                    requests.append(self._post(preference.webhook, {"Content-Type": "application/json"}, body))
                if TIMED_OUT in await asyncio.gather(*requests):
                    self._paused_until[passport] = time.time() + TIMEOUT_PAUSE
        except Exception:
            log.exception("a notice could not be sent")

    async def _push(self, device: Subscription, message: NoticeMessage) -> int:
        if self._private_key is None:
            return 0
        text = web_push.payload(message.title, message.body, message.path)
        try:
            headers, body = await asyncio.to_thread(
                web_push.request_for, device, text, self._private_key, self._contact()
            )
        except Exception:
            # The browser's keys are invalid, so the subscription is deleted.
            status = GONE_STATUSES[0]
        else:
            status = await self._post(device.endpoint, headers, body)
        if status in GONE_STATUSES:
            await self._store.run(lambda db: notice_store.unsubscribe(db, device.device))
        return status

    async def _post(self, url: str, headers: dict[str, str], body: bytes) -> int:
        """Send a request once and return the status: 0 if it fails, `TIMED_OUT` if it takes too long."""
        try:
            return await self._outgoing.post(url, headers, body)
        except TimeoutError:
            log.info("a notice could not be sent in time")
            return TIMED_OUT
        except (Refusal, OSError) as error:
            log.info("a notice could not be sent: %s", error)
            return 0

    def _contact(self) -> str:
        """The address at which push services can reach the operator of this server."""
        hosts = sorted(host for host in self._settings.hosts if "." in host)
        return self._settings.notice_contact or (f"https://{hosts[0]}" if hosts else DEFAULT_CONTACT)


def is_looking(session: Session, seat: int) -> bool:
    """Whether the person in this seat has the table open in a visible page."""
    return any(client.seat == seat and client.visible for client in session.clients)


def merged_message(notices: list[Notice]) -> NoticeMessage:
    """One message about all these notices."""
    lines = [_line(notice) for notice in notices]
    if len(notices) == 1:
        [notice] = notices
        others = f"With {join_and(list(notice.names))}." if notice.names and notice.kind != "invited" else ""
        return NoticeMessage(lines[0], others, f"/table/{notice.table}")
    more = [f"and {len(lines) - MAX_LINES} more"] if len(lines) > MAX_LINES else []
    return NoticeMessage(f"News from {len(lines)} games", "; ".join(lines[:MAX_LINES] + more) + ".", "/games")


def webhook_body(preference: Preference, message: NoticeMessage) -> bytes:
    """A message as JSON. Chat services show `text` or `content`."""
    text = f"{message.title}. {message.body}".removesuffix(" ").translate(MENTION_ESCAPES)
    link = f"{preference.page}{message.path}" if preference.page else message.path
    title = message.title.translate(MENTION_ESCAPES)
    return msgspec.json.encode({"title": title, "text": f"{text} {link}", "content": f"{text} {link}", "url": link})


def _line(notice: Notice) -> str:
    match notice.kind:
        case "turn":
            return f"Your turn — {notice.title}"
        case "invited":
            return f"{notice.names[0] if notice.names else 'Somebody'} invites you — {notice.title}"
        case "over":
            return f"The game is over — {notice.title}"


def _by_passport(db: Db, notices: list[Notice]) -> dict[str, list[Notice]]:
    """The notices for each person who wants notices. Seats taken without a passport get none."""
    found: dict[str, list[Notice]] = {}
    for notice in notices:
        passports = (
            [notice.passport]
            if notice.passport
            else [place.passport for place in people_store.places_at(db, notice.table) if place.key == notice.key]
        )
        for passport in passports:
            if notice_store.preference(db, passport).wanted:
                found.setdefault(passport, []).append(notice)
    return found
