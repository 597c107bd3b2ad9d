"""Quick matches: anyone is seated with anyone, and bots come after a moment."""

from tests.server.client import Api
from tests.server.conftest import Serving
from tests.server.test_passports import passport, refused


def quick(api: Api, game: str = "round-trip", **more: str) -> dict[str, str]:
    found: dict[str, str] = api.post(f"/api/games/{game}/quick", more)
    return found


def test_two_people_who_ask_for_the_same_game_meet(api: Api) -> None:
    mine = quick(api, name="Ada")
    with api.join(mine["table"], mine["secret"]) as ada:
        assert quick(api, "itchy-feet", name="Cleo")["table"] != mine["table"], "another game is another table"
        theirs = quick(api, name="Bruno")
        assert theirs["table"] == mine["table"]
        ada.until(lambda: ada.table["seats"][1]["name"] == "Bruno")
        assert (ada.table["quick"], ada.table["public"], ada.table["state"]) == (True, True, "waiting")
        assert "Bots take the free seats" in ada.now["prompt"]["text"]


def test_nobody_is_seated_at_a_table_that_was_left(api: Api) -> None:
    left = quick(api, "postcards-home", name="Ada")
    assert quick(api, "postcards-home", name="Bruno")["table"] != left["table"]


def test_bots_take_the_free_seats_after_a_moment(serving: Serving) -> None:
    api = serving(quick_wait=0.0)
    mine = quick(api, name="Ada")
    with api.join(mine["table"], mine["secret"]) as ada:
        ada.until(lambda: ada.table["state"] == "playing")
        assert [seat["kind"] for seat in ada.table["seats"]] == ["person", "bot", "bot"]


def test_a_passport_does_not_meet_itself(api: Api) -> None:
    secret = passport(api)["secret"]
    first = quick(api, "journey-istanbul", passport=secret)
    with api.join(first["table"], passport=secret) as here:
        assert here.seat == 0
        assert quick(api, "journey-istanbul", passport=secret)["table"] != first["table"]


def test_a_game_that_does_not_exist_is_refused(api: Api) -> None:
    assert refused(api, "/api/games/chess/quick", {})["code"] == "unknown-game"
