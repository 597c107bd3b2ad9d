"""Quick matches: people who ask for the same game are seated together, and bots soon take the free seats."""

from tests.server.client import Api
from tests.server.conftest import Serving
from tests.server.test_passports import passport, refused


def quick(api: Api, game: str = "round-trip", **more: str) -> dict[str, str]:
    found: dict[str, str] = api.post(f"/api/games/{game}/quick", more)
    return found


def test_two_people_who_ask_for_the_same_game_are_seated_together(api: Api) -> None:
    mine = quick(api, name="Ada")
    with api.join(mine["table"], mine["secret"]) as ada:
        assert quick(api, "itchy-feet", name="Cleo")["table"] != mine["table"], "another game is another table"
        theirs = quick(api, name="Bruno")
        assert theirs["table"] == mine["table"]
        ada.until(lambda: ada.table["seats"][1]["name"] == "Bruno")
        assert (ada.table["quick"], ada.table["public"], ada.table["state"]) == (True, True, "waiting")
        assert "Bots take the free seats" in ada.now["prompt"]["text"]


def test_two_people_who_ask_at_the_same_moment_are_seated_together(serving: Serving) -> None:
    api = serving(quick_arrival=60.0)
    mine = quick(api, name="Ada")
    assert quick(api, name="Bruno")["table"] == mine["table"], "Ada's browser had no time to connect"


def test_nobody_is_seated_at_an_abandoned_table(serving: Serving) -> None:
    api = serving(quick_arrival=0.0)
    left = quick(api, "postcards-home", name="Ada")
    assert quick(api, "postcards-home", name="Bruno")["table"] != left["table"]


def test_bots_take_the_free_seats_after_a_moment(serving: Serving) -> None:
    api = serving(quick_wait=0.0)
    mine = quick(api, name="Ada")
    with api.join(mine["table"], mine["secret"]) as ada:
        ada.until(lambda: ada.table["state"] == "playing")
        assert [seat["kind"] for seat in ada.table["seats"]] == ["person", "bot", "bot"]


def test_nobody_is_matched_with_themselves(api: Api) -> None:
    secret = passport(api)["secret"]
    first = quick(api, "journey-istanbul", passport=secret)
    with api.join(first["table"], passport=secret) as here:
        assert here.seat == 0
        assert quick(api, "journey-istanbul", passport=secret)["table"] != first["table"]


def test_a_game_that_does_not_exist_is_refused(api: Api) -> None:
    assert refused(api, "/api/games/chess/quick", {})["code"] == "unknown-game"
