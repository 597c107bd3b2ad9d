"""Profiles are private unless made public, and a public profile does not show opponents whose profiles are private."""

import json
from urllib.parse import quote

import pytest

from grandtour.server.settings import Limits, Rate
from tests.server.client import PLENTY, Api, Message
from tests.server.conftest import Serving
from tests.server.test_passports import finish, games, passport, play, refused

SHORT = {"turn_limit": 10}


def profile(api: Api, mine: Message) -> Message:
    found: Message = api.post("/api/passport/profile", {"passport": mine["secret"]})
    return found


def set_public(api: Api, mine: Message, public: bool) -> None:
    api.post("/api/passport/change", {"passport": mine["secret"], "public": public})


def test_a_profile_shows_what_was_played_and_with_whom(api: Api) -> None:
    ada, bruno = passport(api, "Ada"), passport(api, "Bruno")
    assert profile(api, ada)["games"] == profile(api, ada)["opponents"] == []
    opened = api.open("me", "open", options=SHORT, passport=ada["secret"])
    place = api.sit(opened["table"], "Bruno", passport=bruno["secret"])
    play(api, opened["table"], opened["secret"], place["secret"])
    api.until(lambda: len(games(api, bruno["secret"])["finished"]) == 1)
    mine, theirs = profile(api, ada), profile(api, bruno)
    [game], [other] = mine["games"], mine["opponents"]
    assert (game["game"], game["title"], game["played"], game["rating"]) == ("round-trip", "Round Trip Italy", 1, None)
    assert game["won"] + theirs["games"][0]["won"] >= 1
    assert game["counts"]
    assert {one["usual"] for one in game["counts"]} == {one["mine"] for one in game["counts"]}, "there was one match"
    assert (other["id"], other["name"], other["games"]) == (None, "Bruno", 1)
    assert other["ahead"] + theirs["opponents"][0]["ahead"] <= 1
    # A branch is not a match that counts.
    branch = api.post(
        f"/api/tables/{opened['table']}/branches", {"step": 0, "seat": 0, "bot": "random", "passport": ada["secret"]}
    )
    finish(api, branch["table"], branch["secret"])
    api.until(lambda: len(games(api, ada["secret"])["finished"]) == 2)
    assert profile(api, ada)["games"][0]["played"] == 1

    path = f"/api/people/{ada['me']['id']}"
    hidden = api.request("GET", path)
    assert hidden == api.request("GET", "/api/people/nobody"), "a private profile looks as if there were none"
    assert hidden[1]["code"] == "unknown-person"
    set_public(api, ada, True)
    shown = api.get(path)
    assert shown["games"] == mine["games"]
    assert shown["opponents"] == [], "the opponent's profile is private"
    assert "Bruno" not in json.dumps(shown)
    set_public(api, bruno, True)
    assert [one["id"] for one in api.get(path)["opponents"]] == [bruno["me"]["id"]]
    api.post("/api/passport/forget", {"passport": bruno["secret"]})
    assert api.get(path)["opponents"] == []
    set_public(api, ada, False)
    assert api.request("GET", path) == hidden


@pytest.mark.parametrize("secret", ["nobody", "a.b", ""])
def test_a_profile_needs_a_passport(api: Api, secret: str) -> None:
    assert refused(api, "/api/passport/profile", {"passport": secret})["code"] in ("wrong-passport", "malformed")


@pytest.mark.parametrize("id", ["..", "%00", "' OR 1=1 --", "é" * 50, "x" * 3000])
def test_an_invalid_id_finds_nobody(api: Api, id: str) -> None:
    status, answer = api.request("GET", f"/api/people/{quote(id)}")
    assert status >= 400
    assert answer["code"] in ("unknown-person", "not-found")


def test_requests_for_profiles_have_their_own_limit(serving: Serving) -> None:
    """For a person with thousands of matches, each such request takes as long as dozens of moves."""
    api = serving(limits=Limits(requests=PLENTY, profiles=Rate(0.001, 4)))
    mine = passport(api)
    path = f"/api/people/{mine['me']['id']}"
    set_public(api, mine, True)
    body = {"passport": mine["secret"]}
    assert api.get(path)["id"] == profile(api, mine)["id"]
    api.post("/api/passport/companions", body)
    assert refused(api, "/api/tables/nowhere/report", body)["code"] != "too-much"
    assert api.request("GET", path)[1]["code"] == "too-much"
    for post in ("/api/passport/profile", "/api/passport/companions", "/api/tables/nowhere/report"):
        assert refused(api, post, body)["code"] == "too-much"
    assert api.post("/api/passport", body)["id"] == mine["me"]["id"], "other requests are still served"
