"""The HTTP requests about passports. The secret of a passport is always in the body."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from grandtour.server.http import requests
from grandtour.server.http.endpoint import Endpoint, parse_body, registry_of
from grandtour.server.http.responses import json_response
from grandtour.server.limits import address_of

MAX_ORIGIN: Final = 200


async def post_passports(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await parse_body(request, requests.WantedPassport)
    await registry.addresses.passport(address_of(request.scope.get("client")))
    return json_response(await registry.passports.create(wanted.name, wanted.picture, wanted.device))


async def post_me(request: Request) -> Response:
    shown = await parse_body(request, requests.ShownPassport)
    passports = registry_of(request).passports
    return json_response(await passports.me(await passports.holder(shown.passport)))


async def post_change(request: Request) -> Response:
    wanted = await parse_body(request, requests.ChangedPassport)
    passports = registry_of(request).passports
    holder = await passports.holder(wanted.passport)
    return json_response(await passports.change(holder, wanted.name, wanted.picture, wanted.public))


async def post_link(request: Request) -> Response:
    shown = await parse_body(request, requests.ShownPassport)
    passports = registry_of(request).passports
    return json_response(await passports.link(await passports.holder(shown.passport)))


async def post_join(request: Request) -> Response:
    used = await parse_body(request, requests.UsedLink)
    return json_response(await registry_of(request).passports.join(used.code, used.device))


async def post_sign_off(request: Request) -> Response:
    named = await parse_body(request, requests.NamedDevice)
    passports = registry_of(request).passports
    return json_response(await passports.sign_off(await passports.holder(named.passport), named.device))


async def post_forget(request: Request) -> Response:
    registry = registry_of(request)
    shown = await parse_body(request, requests.ShownPassport)
    return json_response(await registry.forget(await registry.passports.holder(shown.passport)))


async def post_games(request: Request) -> Response:
    registry = registry_of(request)
    shown = await parse_body(request, requests.ShownPassport)
    return json_response(await registry.history.games(await registry.passports.holder(shown.passport)))


async def post_companions(request: Request) -> Response:
    registry = registry_of(request)
    registry.addresses.profile(address_of(request.scope.get("client")))
    shown = await parse_body(request, requests.ShownPassport)
    return json_response(await registry.history.companions(await registry.passports.holder(shown.passport)))


async def post_invite(request: Request) -> Response:
    wanted = await parse_body(request, requests.InvitedPerson)
    return json_response(await registry_of(request).invite(request.path_params["table"], wanted))


async def post_report(request: Request) -> Response:
    registry = registry_of(request)
    registry.addresses.profile(address_of(request.scope.get("client")))
    shown = await parse_body(request, requests.ShownPassport)
    holder = await registry.passports.holder(shown.passport)
    return json_response(await registry.history.report(holder, request.path_params["table"]))


async def post_notices(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await parse_body(request, requests.WantedNotices)
    holder = await registry.passports.holder(wanted.passport)
    return json_response(await registry.notices.change(holder, wanted, request.headers.get("origin", "")[:MAX_ORIGIN]))


async def post_daily(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await parse_body(request, requests.WantedDaily)
    holder = await registry.passports.holder(wanted.passport)
    address = address_of(request.scope.get("client"))
    await registry.addresses.table(address)
    return json_response(await registry.daily.play(request.path_params["game"], holder, address))


async def post_deals(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await parse_body(request, requests.WantedDay)
    holder = None if wanted.passport is None else await registry.passports.holder(wanted.passport)
    return json_response(await registry.daily.results(holder, wanted.day))


async def post_profile(request: Request) -> Response:
    registry = registry_of(request)
    registry.addresses.profile(address_of(request.scope.get("client")))
    shown = await parse_body(request, requests.ShownPassport)
    return json_response(await registry.profiles.own(await registry.passports.holder(shown.passport)))


async def get_profile(request: Request) -> Response:
    registry = registry_of(request)
    registry.addresses.profile(address_of(request.scope.get("client")))
    return json_response(await registry.profiles.public(request.path_params["id"]))


async def get_notes(request: Request) -> Response:
    registry = registry_of(request)
    async with registry.visit(request.path_params["table"]) as session:
        return json_response(await registry.history.notes(session.table))


async def post_note(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await parse_body(request, requests.WrittenNote)
    holder = await registry.passports.holder(wanted.passport)
    async with registry.visit(request.path_params["table"]) as session:
        return json_response(await registry.history.write_note(holder, session.table, wanted.step, wanted.text))


async def post_quick(request: Request) -> Response:
    wanted = await parse_body(request, requests.WantedQuick)
    address = address_of(request.scope.get("client"))
    return json_response(await registry_of(request).quick_match.play(request.path_params["game"], wanted, address))


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
        "Write a note about a moment of your match.",
        list[requests.ReplayNote],
        requests.WrittenNote,
    ),
    Endpoint(
        "POST",
        "/api/passport/profile",
        post_profile,
        "Your own profile.",
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
        "Your notice settings.",
        requests.NoticeSettings,
        requests.WantedNotices,
    ),
    Endpoint(
        "POST",
        "/api/games/{game}/quick",
        post_quick,
        "Join a quick match.",
        requests.OpenedTable,
        requests.WantedQuick,
    ),
    Endpoint(
        "POST", "/api/passports", post_passports, "Make a passport.", requests.NewPassport, requests.WantedPassport
    ),
    Endpoint("POST", "/api/passport", post_me, "Your passport.", requests.Me, requests.ShownPassport),
    Endpoint(
        "POST", "/api/passport/change", post_change, "Change your passport.", requests.Me, requests.ChangedPassport
    ),
    Endpoint(
        "POST",
        "/api/passport/link",
        post_link,
        "A link that gives the passport to another device.",
        requests.DeviceLink,
        requests.ShownPassport,
    ),
    Endpoint(
        "POST",
        "/api/passport/join",
        post_join,
        "Add this device to a passport, with such a link.",
        requests.NewPassport,
        requests.UsedLink,
    ),
    Endpoint("POST", "/api/passport/sign-off", post_sign_off, "Sign a device out.", requests.Me, requests.NamedDevice),
    Endpoint(
        "POST",
        "/api/passport/forget",
        post_forget,
        "Delete a person's passport and data.",
        requests.Forgotten,
        requests.ShownPassport,
    ),
    Endpoint(
        "POST",
        "/api/passport/companions",
        post_companions,
        "People you have played with.",
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
        "Your figures in a finished match.",
        requests.MatchReport,
        requests.ShownPassport,
    ),
    Endpoint(
        "POST", "/api/passport/games", post_games, "Your tables and matches.", requests.MyGames, requests.ShownPassport
    ),
)
