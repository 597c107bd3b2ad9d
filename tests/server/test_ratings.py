"""Ratings: rated tables, the scale of the bots, and statistics after a game."""

import re

import pytest

from grandtour.arena.play import Seating, starting_position
from grandtour.engine import catalogue
from grandtour.engine.options import check_options
from grandtour.players import STRENGTHS
from grandtour.server.people import ratings
from grandtour.server.people.ratings import NEW, Rating, Scale, after_match, plays_like
from tests.server.client import Api, Message
from tests.server.test_passports import SHORT, games, passport, play, refused

RATED = {"game": "round-trip", "public": True, "rated": True, "options": SHORT}


@pytest.fixture
def scale(monkeypatch: pytest.MonkeyPatch) -> None:
    bots = {"random": (10.0, 1.0, 100), "easy": (20.0, 1.0, 100), "normal": (30.0, 1.0, 100)}
    monkeypatch.setattr(ratings, "_scales", lambda: {"round-trip": Scale(bots, {"2": [3.0, -3.0]})})


def rated_table(api: Api, *people: Message) -> str:
    seats = [{"kind": "open"} for _ in people]
    table: str = api.post("/api/tables", {**RATED, "seats": seats})["table"]
    secrets = [api.sit(table, passport=person["secret"])["secret"] for person in people]
    play(api, table, *secrets)
    for person in people:
        api.until(lambda person=person: bool(games(api, person["secret"])["finished"]))  # type: ignore[misc]
    return table


def without_a_trip(moves: list[Message]) -> Message:
    """Never make a round trip, so that the other player does at least as well."""
    return next((move for move in moves if move["do"] != "lay"), moves[0])


def report(api: Api, table: str, person: Message) -> Message:
    found: Message = api.post(f"/api/tables/{table}/report", {"passport": person["secret"]})
    return found


def test_winning_raises_a_rating_and_losing_lowers_it(scale: None) -> None:
    won, lost = after_match("round-trip", [NEW, NEW], [1.0, 0.0])
    assert won is not None
    assert lost is not None
    assert won.mu > NEW.mu > lost.mu
    assert won.sigma < NEW.sigma, "the ratings are more certain"
    assert won.games == 1


def test_winning_from_a_better_seat_counts_less(scale: None) -> None:
    first, second = (
        after_match("round-trip", [NEW, NEW], [1.0, 0.0])[0],
        after_match("round-trip", [NEW, NEW], [0, 1])[1],
    )
    assert first is not None
    assert second is not None
    assert first.mu < second.mu, "a win from the worse seat should count more"


def test_a_bots_rating_is_fixed_and_an_unmeasured_bot_does_not_count(scale: None) -> None:
    assert after_match("round-trip", [NEW, "easy"], [1.0, 0.0])[1] is None
    alone = after_match("round-trip", [NEW, "hard"], [1.0, 0.0])[0]
    assert alone is not None
    assert (alone.mu, alone.sigma) == (NEW.mu, NEW.sigma)


@pytest.mark.parametrize(
    ("mu", "words"), [(5.0, "random −"), (10.5, "random"), (20.0, "easy"), (22.0, "easy +"), (40.0, "normal +")]
)
def test_a_rating_is_compared_with_the_bots(scale: None, mu: float, words: str) -> None:
    assert plays_like("round-trip", Rating(mu, 1.0, 1)) == words


def test_without_a_measured_bot_there_is_no_comparison(scale: None) -> None:
    assert plays_like("itchy-feet", NEW) is None


def test_the_scale_covers_every_competitive_game() -> None:
    for game in catalogue.games().values():
        scale = ratings.scale_of(game.name)
        if game.team:
            assert not scale.bots
            continue
        assert set(scale.bots) == set(STRENGTHS), game.name
        assert scale.bots["hard"][0] > scale.bots["normal"][0] > scale.bots["random"][0], game.name
        assert {"2", "3"} <= set(scale.seats), game.name
        for seats, worth in scale.seats.items():
            assert len(worth) == int(seats)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_scale_corrects_for_the_seat_where_it_matters(seats: int) -> None:
    """In Istanbul the first seat wins more often, so a win from it counts less than a win from the last."""
    first = after_match("journey-istanbul", [NEW] * seats, [1.0, *[0.0] * (seats - 1)])[0]
    last = after_match("journey-istanbul", [NEW] * seats, [*[0.0] * (seats - 1), 1.0])[-1]
    assert first is not None
    assert last is not None
    assert last.mu - first.mu > 0.05


def test_the_bots_figures_are_those_of_the_studies() -> None:
    for game in catalogue.games().values():
        if game.study is None:
            continue
        options = check_options(game.options, {})
        state = starting_position(game, options, 1, Seating(1, (0,) * game.players[0]))
        names = set(game.study.figures_of(state, [])[0])
        for size, bots in ratings.scale_of(game.name).counts.items():
            for bot, means in bots.items():
                assert set(means) == names, f"measure the figures of {game.name} again: {size} seats, {bot}"
        assert ratings.scale_of(game.name).counts, game.name


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"seats": [{"kind": "me"}, {"kind": "bot"}]}, "A rated table needs seats for at least two people."),
        ({"seats": [{"kind": "me"}, {"kind": "open"}], "public": False}, "Rated tables are public"),
        (
            {"game": "word-traveler", "seats": [{"kind": "me"}, {"kind": "open"}], "options": {}},
            "everyone plays together",
        ),
    ],
)
def test_an_impossible_rated_table_is_refused(api: Api, wanted: Message, words: str) -> None:
    before = len(api.get("/api/tables"))
    answer = refused(api, "/api/tables", {**RATED, **wanted})
    assert answer["code"] == "bad-options"
    assert words in answer["reason"]
    assert len(api.get("/api/tables")) == before


def test_a_rated_match_does_not_start_with_one_person(api: Api) -> None:
    opened = api.post("/api/tables", {**RATED, "seats": [{"kind": "me"}, {"kind": "open"}]})
    with api.join(opened["table"], opened["secret"]) as me:
        assert "needs two people" in me.ask("start")["reason"]
        assert "needs two people" in me.ask("bot", seat=1, bot="normal")["reason"]
        assert (me.table["state"], me.table["rated"], me.table["hints"]) == ("waiting", True, False)


def test_rated_tables_have_no_undo(api: Api) -> None:
    opened = api.post("/api/tables", {**RATED, "seats": [{"kind": "me"}, {"kind": "open"}]})
    place = api.sit(opened["table"])
    with api.join(opened["table"], opened["secret"]) as one, api.join(opened["table"], place["secret"]) as two:
        mover = one if one.asked() else two
        mover.play(lambda moves: moves[0], moves=1)
        assert not mover.now["undo"]
        answer = mover.ask("undo", at=mover.last)
        assert answer["code"] == "not-offered"


def test_a_rated_match_changes_ratings_once_and_reports_statistics(api: Api) -> None:
    ada, bruno = passport(api), passport(api, "Bruno")
    table = rated_table(api, ada, bruno)
    mine, theirs = report(api, table, ada), report(api, table, bruno)
    assert mine["rated"]
    assert (mine["before"]["games"], mine["after"]["games"]) == (0, 1)
    result = api.get(f"/api/tables/{table}")["result"]
    change = [one["after"]["mu"] - one["before"]["mu"] for one in (mine, theirs)]
    assert (change[0] > change[1]) == (result[0] > result[1]) or result[0] == result[1]
    kinds = [count["kind"] for count in mine["counts"]]
    assert kinds == ["round trips", "tickets laid", "tickets taken", "exchanges"]
    assert all(count["usual"] is None for count in mine["counts"]), "there was no match before"
    again = report(api, rated_table(api, ada, bruno), ada)
    assert (again["before"]["games"], again["after"]["games"]) == (1, 2)
    assert again["counts"][0]["usual"] == mine["counts"][0]["mine"]


@pytest.mark.parametrize("how", ["conceded", "left", "came back"])
def test_letting_a_bot_play_counts_as_last_place(api: Api, how: str) -> None:
    """Otherwise a strong bot would earn rating for a person, and a bot's move would be a hint."""
    ada, bruno = passport(api), passport(api, "Bruno")
    table = api.post("/api/tables", {**RATED, "seats": [{"kind": "open"}, {"kind": "open"}]})["table"]
    stays, leaves = (api.sit(table, passport=person["secret"])["secret"] for person in (ada, bruno))
    with api.join(table, leaves) as client:
        if how == "conceded":
            client.ask("concede")
        else:
            client.ask("bot", seat=1, bot="normal")
            if how == "came back":
                client.ask("bot", seat=1, bot=None)
    play(api, table, *([stays, leaves] if how == "came back" else [stays]), choose=without_a_trip)
    for person in (ada, bruno):
        api.until(lambda person=person: bool(games(api, person["secret"])["finished"]))  # type: ignore[misc]
    won, lost = (report(api, table, person) for person in (ada, bruno))
    assert won["after"]["mu"] - won["before"]["mu"] > 1, "the other player has won"
    assert lost["before"]["mu"] - lost["after"]["mu"] > 1
    if how != "came back":
        assert lost["like"] is None
        [game] = api.post("/api/passport/profile", {"passport": bruno["secret"]})["games"]
        assert (game["played"], game["won"]) == (1, 0)


def test_a_rated_rematch_waits_for_a_second_person(api: Api) -> None:
    ada, bruno = passport(api), passport(api, "Bruno")
    table = rated_table(api, ada, bruno)
    with api.join(table, passport=ada["secret"]) as client:
        client.ask("rematch")
    [next_one] = games(api, ada["secret"])["running"]
    with api.join(next_one["table"]["table"], passport=ada["secret"]) as client:
        assert re.fullmatch(r"Waiting for .+\. A rated game needs two people\.", client.now["prompt"]["text"])


def test_only_those_who_played_get_a_report(api: Api) -> None:
    ada, bruno = passport(api), passport(api, "Bruno")
    table = rated_table(api, ada, bruno)
    stranger = passport(api, "Cleo")
    assert refused(api, f"/api/tables/{table}/report", {"passport": stranger["secret"]})["code"] == "wrong-seat"
    opened = api.open("me", "open", passport=ada["secret"])
    body = {"passport": ada["secret"]}
    assert refused(api, f"/api/tables/{opened['table']}/report", body)["code"] == "not-over"


def test_the_report_of_a_first_match_names_a_similar_bot(api: Api, scale: None) -> None:
    person = passport(api)
    opened = api.open("me", "random", options=SHORT, passport=person["secret"])
    play(api, opened["table"], opened["secret"])
    api.until(lambda: bool(games(api, person["secret"])["finished"]))
    found = report(api, opened["table"], person)
    won = api.get(f"/api/tables/{opened['table']}")["result"][0]
    assert found["after"] is None, "it was not rated"
    assert found["like"] == ("easy +" if won else "random +")
