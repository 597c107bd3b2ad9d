"""The HTTP requests about passports. The secret of a passport is always in the body."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from grandtour.server.http import requests
from grandtour.server.http.endpoint import Endpoint, body_of, registry_of
from grandtour.server.http.responses import answer
from grandtour.server.limits import address_of

MAX_ORIGIN: Final = 200


async def post_passports(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await body_of(request, requests.WantedPassport)
    await registry.addresses.passport(address_of(request.scope.get("client")))
    return answer(await registry.passports.create(wanted.name, wanted.picture, wanted.device))


async def post_me(request: Request) -> Response:
    shown = await body_of(request, requests.ShownPassport)
    passports = registry_of(request).passports
    return answer(await passports.me(await passports.holder(shown.passport)))


async def post_change(request: Request) -> Response:
    wanted = await body_of(request, requests.ChangedPassport)
    passports = registry_of(request).passports
    holder = await passports.holder(wanted.passport)
    return answer(await passports.change(holder, wanted.name, wanted.picture, wanted.public))


async def post_link(request: Request) -> Response:
    shown = await body_of(request, requests.ShownPassport)
    passports = registry_of(request).passports
    return answer(await passports.link(await passports.holder(shown.passport)))


async def post_join(request: Request) -> Response:
    used = await body_of(request, requests.UsedLink)
    return answer(await registry_of(request).passports.join(used.code, used.device))


async def post_sign_off(request: Request) -> Response:
    named = await body_of(request, requests.NamedDevice)
    passports = registry_of(request).passports
    return answer(await passports.sign_off(await passports.holder(named.passport), named.device))


async def post_forget(request: Request) -> Response:
    registry = registry_of(request)
    shown = await body_of(request, requests.ShownPassport)
    return answer(await registry.forget(await registry.passports.holder(shown.passport)))


async def post_games(request: Request) -> Response:
    registry = registry_of(request)
    shown = await body_of(request, requests.ShownPassport)
    return answer(await registry.history.games(await registry.passports.holder(shown.passport)))


async def post_companions(request: Request) -> Response:
    registry = registry_of(request)
    registry.addresses.profile(address_of(request.scope.get("client")))
    shown = await body_of(request, requests.ShownPassport)
    return answer(await registry.history.companions(await registry.passports.holder(shown.passport)))


async def post_invite(request: Request) -> Response:
    wanted = await body_of(request, requests.InvitedPerson)
    return answer(await registry_of(request).invite(request.path_params["table"], wanted))


async def post_report(request: Request) -> Response:
    registry = registry_of(request)
    registry.addresses.profile(address_of(request.scope.get("client")))
    shown = await body_of(request, requests.ShownPassport)
    holder = await registry.passports.holder(shown.passport)
    return answer(await registry.history.report(holder, request.path_params["table"]))


async def post_notices(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await body_of(request, requests.WantedNotices)
    holder = await registry.passports.holder(wanted.passport)
    return answer(await registry.notices.change(holder, wanted, request.headers.get("origin", "")[:MAX_ORIGIN]))


async def post_daily(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await body_of(request, requests.WantedDaily)
    holder = await registry.passports.holder(wanted.passport)
    address = address_of(request.scope.get("client"))
    await registry.addresses.table(address)
    return answer(await registry.daily.play(request.path_params["game"], holder, address))


async def post_deals(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await body_of(request, requests.WantedDay)
    holder = None if wanted.passport is None else await registry.passports.holder(wanted.passport)
    return answer(await registry.daily.results(holder, wanted.day))


async def post_profile(request: Request) -> Response:
    registry = registry_of(request)
    registry.addresses.profile(address_of(request.scope.get("client")))
    shown = await body_of(request, requests.ShownPassport)
    return answer(await registry.profiles.own(await registry.passports.holder(shown.passport)))


async def get_profile(request: Request) -> Response:
    registry = registry_of(request)
    registry.addresses.profile(address_of(request.scope.get("client")))
    return answer(await registry.profiles.public(request.path_params["id"]))


async def get_notes(request: Request) -> Response:
    registry = registry_of(request)
    async with registry.visit(request.path_params["table"]) as session:
        return answer(await registry.history.notes(session.table))


async def post_note(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await body_of(request, requests.WrittenNote)
    holder = await registry.passports.holder(wanted.passport)
    async with registry.visit(request.path_params["table"]) as session:
        return answer(await registry.history.write_note(holder, session.table, wanted.step, wanted.text))


async def post_quick(request: Request) -> Response:
    wanted = await body_of(request, requests.WantedQuick)
    address = address_of(request.scope.get("client"))
    return answer(await registry_of(request).quick_match.play(request.path_params["game"], wanted, address))


PEOPLE: Final = (
    Endpoint(
        "GET",
        "/api/tables/{table}/notes",
        get_notes,
        "What players wrote about a finished match.",
        list[requests.ReplayNote],
    ),
    Endpoint(
        "POST",
        "/api/tables/{table}/notes",
        post_note,
        "Write a note about a moment of one's match.",
        list[requests.ReplayNote],
        requests.WrittenNote,
    ),
    Endpoint(
        "POST",
        "/api/passport/profile",
        post_profile,
        "One's own profile.",
        requests.Profile,
        requests.ShownPassport,
    ),
    Endpoint("GET", "/api/people/{id}", get_profile, "Somebody's public profile.", requests.Profile),
    Endpoint(
        "POST",
        "/api/games/{game}/daily",
        post_daily,
        "Play the deal of the day.",
        requests.OpenedTable,
        requests.WantedDaily,
    ),
    Endpoint(
        "POST",
        "/api/daily",
        post_deals,
        "The deals of a day, and how people did.",
        list[requests.DailyDeal],
        requests.WantedDay,
    ),
    Endpoint(
        "POST",
        "/api/passport/notices",
        post_notices,
        "Which notices one gets, and where.",
        requests.NoticeSettings,
        requests.WantedNotices,
    ),
    Endpoint(
        "POST",
        "/api/games/{game}/quick",
        post_quick,
        "Play with anyone who waits.",
        requests.OpenedTable,
        requests.WantedQuick,
    ),
    Endpoint(
        "POST", "/api/passports", post_passports, "Make a passport.", requests.NewPassport, requests.WantedPassport
    ),
    Endpoint("POST", "/api/passport", post_me, "One's own passport.", requests.Me, requests.ShownPassport),
    Endpoint(
        "POST", "/api/passport/change", post_change, "Change one's passport.", requests.Me, requests.ChangedPassport
    ),
    Endpoint(
        "POST",
        "/api/passport/link",
        post_link,
        "A link that gives the passport to another device.",
        requests.DeviceLink,
        requests.ShownPassport,
    ),
    Endpoint("POST", "/api/passport/join", post_join, "Use such a link.", requests.NewPassport, requests.UsedLink),
    Endpoint("POST", "/api/passport/sign-off", post_sign_off, "Sign a device out.", requests.Me, requests.NamedDevice),
    Endpoint(
        "POST", "/api/passport/forget", post_forget, "Forget a person.", requests.Forgotten, requests.ShownPassport
    ),
    Endpoint(
        "POST",
        "/api/passport/companions",
        post_companions,
        "People the holder has played with.",
        list[requests.Companion],
        requests.ShownPassport,
    ),
    Endpoint(
        "POST",
        "/api/tables/{table}/invite",
        post_invite,
        "Invite somebody to a table.",
        requests.Invited,
        requests.InvitedPerson,
    ),
    Endpoint(
        "POST",
        "/api/tables/{table}/report",
        post_report,
        "What the holder did in a finished match.",
        requests.MatchReport,
        requests.ShownPassport,
    ),
    Endpoint("POST", "/api/passport/games", post_games, "One's own games.", requests.MyGames, requests.ShownPassport),
)
