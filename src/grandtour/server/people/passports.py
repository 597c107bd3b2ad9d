"""Passports identify a person on all their devices, without an account or an e-mail address.

A device holds a secret, `ID.TOKEN`. The id is the key in the store, and the whole secret is compared by its hash.
"""

import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple, get_args

import msgspec

from grandtour.engine.refusal import Refusal
from grandtour.server.http.requests import DeviceInfo, DeviceLink, Me, NewPassport, Picture
from grandtour.server.storage import people_store
from grandtour.server.storage.database import Database as Db
from grandtour.server.storage.people_store import Device, Passport, Place
from grandtour.server.storage.store import Store
from grandtour.server.tables.table import MAX_NAME_LENGTH, Table, hash_secret, iso_time, one_line

MAX_DEVICES: Final = 20
MAX_DEVICE_NAME: Final = 60
SEEN_INTERVAL: Final = 300.0
"""Seconds after which the time at which a device was last seen is written again."""
DEFAULT_NAME: Final = "Traveller"


class Holder(NamedTuple):
    """A person who has sent a valid secret: their passport, and the device that holds the secret."""

    passport: str
    device: str
    name: str


def not_valid() -> Refusal:
    return Refusal(
        "wrong-passport", "This passport is not known here: it was forgotten, or this device was signed out."
    )


class Passports:
    """All passports. Nothing is cached in memory, so servers see each other's changes."""

    def __init__(self, store: Store, link_time: float, signed_off: Callable[[str], Awaitable[None]]) -> None:
        """`link_time` is the number of seconds for which a link to another device is valid. `signed_off` is called with
        each device that is signed out."""
        self._store = store
        self._link_time = link_time
        self._signed_off = signed_off

    async def create(self, name: str, picture: Picture, device: str) -> NewPassport:
        now = time.time()
        made = Passport(_new_id(), _clean_name(name), picture, now, False)
        secret, row = _new_device(made.id, device, now)
        await self._store.run(lambda db: people_store.add_passport(db, made, row))
        return NewPassport(secret, _me(made, [row], row.id))

    async def holder(self, secret: str) -> Holder:
        """The person who has this secret. Refuses an unknown secret."""
        id, _, _ = secret.partition(".")
        key = hash_secret(secret)

        def work(db: Db) -> tuple[Device, Passport] | None:
            device = people_store.device(db, id)
            # An unknown id takes as long to check as a known one.
            valid = secrets.compare_digest(device.key if device is not None else hash_secret(""), key)
            passport = people_store.passport(db, device.passport) if device is not None and valid else None
            return (device, passport) if device is not None and passport is not None else None

        found = await self._store.run(work, writes=False)
        if found is None:
            raise not_valid()
        device, passport = found
        now = time.time()
        if now - device.seen > SEEN_INTERVAL:
            await self._store.run(lambda db: people_store.set_last_seen(db, device.id, now))
        return Holder(passport.id, device.id, passport.name)

    async def me(self, holder: Holder) -> Me:
        def work(db: Db) -> tuple[Passport | None, list[Device]]:
            return people_store.passport(db, holder.passport), people_store.devices(db, holder.passport)

        passport, devices = await self._store.run(work, writes=False)
        if passport is None:
            raise not_valid()
        return _me(passport, devices, holder.device)

    async def change(self, holder: Holder, name: str | None, picture: Picture | None, public: bool | None) -> Me:
        def work(db: Db) -> None:
            now = people_store.passport(db, holder.passport)
            if now is not None:
                people_store.change_passport(
                    db,
                    holder.passport,
                    now.name if name is None else _clean_name(name),
                    now.picture if picture is None else picture,
                    now.shown if public is None else public,
                )

        await self._store.run(work)
        return await self.me(holder)

    async def link(self, holder: Holder) -> DeviceLink:
        """A code that gives the passport to one other device. It replaces older codes, and expires soon."""
        id, expires = _new_id(), time.time() + self._link_time
        code = f"{id}.{secrets.token_urlsafe(24)}"
        key = hash_secret(code)
        await self._store.run(lambda db: people_store.set_link(db, holder.passport, id, key, expires))
        return DeviceLink(code, self._link_time)

    async def join(self, code: str, device: str) -> NewPassport:
        """Give the passport to another device."""
        id, _, _ = code.partition(".")
        key, now = hash_secret(code), time.time()

        def work(db: Db) -> tuple[str, str] | Refusal:
            link = people_store.find_link(db, id)
            if not secrets.compare_digest(link[1] if link is not None else hash_secret(""), key) or link is None:
                return Refusal("wrong-link", "This link has been used, or replaced by a newer one.")
            passport, _, expires = link
            if now > expires:
                return Refusal("wrong-link", "This link is too old: make a new one on the other device.")
            if len(people_store.devices(db, passport)) >= MAX_DEVICES:
                return Refusal("too-much", f"A passport can be on {MAX_DEVICES} devices: sign one out first.")
            people_store.delete_link(db, passport)
            secret, row = _new_device(passport, device, now)
            people_store.add_device(db, row)
            return secret, row.id

        done = await self._store.run(work)
        if isinstance(done, Refusal):
            raise done
        secret, new = done
        found = await self.holder(secret)
        return NewPassport(secret, await self.me(Holder(found.passport, new, found.name)))

    async def sign_off(self, holder: Holder, device: str) -> Me:
        """Sign out a device, which may be the holder's own."""
        if not await self._store.run(lambda db: people_store.delete_device(db, holder.passport, device)):
            raise Refusal("unknown-device", "This passport has no such device.")
        await self._signed_off(device)
        return await self.me(holder)

    async def sat_down(self, holder: Holder, table: Table, seat: int) -> None:
        """Record that somebody has taken a seat."""
        key = table.seats[seat].key
        assert key is not None
        place = Place(holder.passport, table.id, seat, key, table.game.name, time.time(), None, None, None)
        await self._store.run(lambda db: people_store.save_place(db, place))

    async def key_at(self, holder: Holder, table: str) -> str | None:
        """The key of the seat that a person has at a table; None if they have none."""
        place = await self._store.run(lambda db: people_store.place(db, holder.passport, table), writes=False)
        return None if place is None else place.key

    async def move_to_rematch(self, before: str, after: Table) -> None:
        """Record the seats of a rematch, in which people keep the keys of their seats."""
        seats: dict[str, int] = {}
        for seat, record in enumerate(after.seats):
            key = record.key or (record.owner.key if record.owner is not None else None)
            if key is not None:
                seats[key] = seat
        now = time.time()

        def work(db: Db) -> None:
            for place in people_store.places_at(db, before):
                if place.key in seats:
                    moved = Place(
                        place.passport, after.id, seats[place.key], place.key, after.game.name, now, None, None, None
                    )
                    people_store.save_place(db, moved)

        await self._store.run(work)

    async def add_mentions(self, original: str, branch: str) -> None:
        """Record that a branch of a match shows the names of its players, in the same seats."""

        def work(db: Db) -> None:
            for place in people_store.places_at(db, original):
                people_store.add_mention(db, place.passport, branch, place.seat)

        await self._store.run(work)


def _new_device(passport: str, name: str, now: float) -> tuple[str, Device]:
    id = _new_id()
    secret = f"{id}.{secrets.token_urlsafe(32)}"
    return secret, Device(id, passport, hash_secret(secret), one_line(name)[:MAX_DEVICE_NAME] or "A browser", now, now)


def _me(passport: Passport, devices: list[Device], device: str) -> Me:
    listed = [DeviceInfo(one.id, one.name, iso_time(one.made), iso_time(one.seen), one.id == device) for one in devices]
    return Me(passport.id, passport.name, picture_of(passport.picture), passport.shown, listed)


def picture_of(stored: str) -> Picture:
    """A stored picture, or the first picture if the stored one no longer exists."""
    found: Picture = msgspec.convert(stored if stored in get_args(Picture) else get_args(Picture)[0], Picture)
    return found


def _clean_name(name: str) -> str:
    return one_line(name)[:MAX_NAME_LENGTH].strip() or DEFAULT_NAME


def _new_id() -> str:
    return secrets.token_hex(8)
