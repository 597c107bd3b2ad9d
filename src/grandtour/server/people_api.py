"""The HTTP requests about passports. The secret of a passport is always in the body."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from grandtour.server import requests
from grandtour.server.endpoint import Endpoint, body_of, registry_of
from grandtour.server.limits import address_of
from grandtour.server.responses import answer


async def post_passports(request: Request) -> Response:
    registry = registry_of(request)
    wanted = await body_of(request, requests.WantedPassport)
    registry.addresses.passport(address_of(request.scope.get("client")))
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
    shown = await body_of(request, requests.ShownPassport)
    return answer(await registry.history.companions(await registry.passports.holder(shown.passport)))


async def post_invite(request: Request) -> Response:
    wanted = await body_of(request, requests.InvitedPerson)
    return answer(await registry_of(request).invite(request.path_params["table"], wanted))


async def post_report(request: Request) -> Response:
    registry = registry_of(request)
    shown = await body_of(request, requests.ShownPassport)
    holder = await registry.passports.holder(shown.passport)
    return answer(await registry.history.report(holder, request.path_params["table"]))


async def post_quick(request: Request) -> Response:
    wanted = await body_of(request, requests.WantedQuick)
    address = address_of(request.scope.get("client"))
    return answer(await registry_of(request).quick(request.path_params["game"], wanted, address))


PEOPLE: Final = (
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
    Endpoint("POST", "/api/passport/sign-off", post_sign_off, "Sign a device off.", requests.Me, requests.NamedDevice),
    Endpoint(
        "POST", "/api/passport/forget", post_forget, "Forget a person.", requests.Forgotten, requests.ShownPassport
    ),
    Endpoint(
        "POST",
        "/api/passport/companions",
        post_companions,
        "Those one has played with.",
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
        "What one did in a finished match.",
        requests.MatchReport,
        requests.ShownPassport,
    ),
    Endpoint("POST", "/api/passport/games", post_games, "One's own games.", requests.MyGames, requests.ShownPassport),
)
