"""Seats: secrets, the host, bots, and people who take over a seat and give it back."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from grandtour.engine import catalogue
from grandtour.server.tables.records import Made, SeatRecord
from grandtour.server.tables.table import Table
from tests.server.client import Api, Client, Message, Server, settings_for
from tests.server.test_passports import passport

LONG = {"turn_limit": 60, "start": "1"}


def seats(client: Client) -> list[tuple[str, str | None, bool]]:
    return [(seat["kind"], seat["bot"], seat["here"]) for seat in client.table["seats"]]


def refusal(api: Api, path: str, body: Any) -> Message:
    status, answer = api.request("POST", path, body)
    assert 400 <= status < 500, f"it is not refused: {answer}"
    refused: Message = answer
    return refused


def test_a_match_starts_when_every_seat_is_taken(api: Api) -> None:
    opened = api.open("me", "open", "open")
    with api.join(opened["table"], opened["secret"]) as host:
        assert (host.now["view"], host.now["legal"]) == (None, [])
        assert host.now["prompt"]["text"] == "Waiting for 2 more players, or start with bots."
        assert host.move({"do": "end-turn"})["reason"] == "The game has not begun yet."
        api.sit(opened["table"], "Ada")
        api.sit(opened["table"], "Bruno")
        host.until(lambda: host.now["view"] is not None)
        assert [host.events[n]["kind"] for n in sorted(host.events)] == ["seat", "seat", "start"]
        assert [seat["name"] for seat in host.table["seats"]] == ["Player 1", "Ada", "Bruno"]
        assert host.table["state"] == "playing"


def test_the_host_can_start_early_with_bots_in_the_open_seats(api: Api) -> None:
    opened = api.open("me", "open", "open", options={"start": "1"})
    with api.join(opened["table"], opened["secret"]) as host:
        answer = host.ask("start", id="go")
        assert host.events[answer["n"]]["kind"] == "start"
        assert [kind for kind, _, _ in seats(host)] == ["person", "bot", "bot"]
        assert host.ask("start", id="go") == answer, "a second request changes nothing"
        assert host.ask("start")["code"] == "not-legal"


def test_only_the_host_may_start(api: Api) -> None:
    opened = api.open("me", "open", "open")
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], place["secret"]) as guest:
        assert guest.table["host"] == 0
        assert guest.ask("start")["code"] == "not-host"


def test_the_first_to_sit_down_is_host_if_the_opener_has_no_seat(api: Api) -> None:
    opened = api.open("open", "open", "open")
    place = api.sit(opened["table"], "Ada", seat=2)
    api.sit(opened["table"], "Bruno", seat=0)
    assert api.get(f"/api/tables/{opened['table']}")["host"] == place["seat"] == 2


def test_the_host_can_put_a_bot_in_an_open_seat(api: Api) -> None:
    opened = api.open("me", "open", "open", options={"start": "1"})
    with api.join(opened["table"], opened["secret"]) as host:
        host.ask("bot", seat=1, bot="random")
        assert seats(host)[1] == ("bot", "random", False)
        assert host.table["state"] == "waiting"
        host.ask("bot", seat=2, bot="normal")
        host.until(lambda: host.now["view"] is not None)


def test_a_taken_seat_is_refused(api: Api) -> None:
    opened = api.open("me", "open", "open")
    path = f"/api/tables/{opened['table']}/sit"
    assert refusal(api, path, {"seat": 0, "name": "Eve"})["code"] == "taken"
    assert refusal(api, path, {"seat": 7, "name": "Eve"})["code"] == "wrong-seat"
    api.sit(opened["table"], "Ada", seat=1)
    assert refusal(api, path, {"seat": 1, "name": "Eve"})["reason"] == "Ada sits there already."


def test_names_are_one_line_and_unique(api: Api) -> None:
    opened = api.open("me", "open", "open", "open")
    for name in ("  Ada\nLovelace\u202e ", "Ada Lovelace", "x" * 60):
        api.sit(opened["table"], name)
    shown = api.get(f"/api/tables/{opened['table']}")["seats"]
    assert [seat["name"] for seat in shown] == ["Player 1", "Ada Lovelace", "Ada Lovelace 2", "x" * 24]


def test_a_secret_returns_to_the_same_seat(api: Api) -> None:
    opened = api.open("me", "open")
    place = api.sit(opened["table"], "Ada")
    assert api.sit(opened["table"], secret=place["secret"]) == place
    wrong = refusal(api, f"/api/tables/{opened['table']}/sit", {"name": "", "secret": "wrong"})
    assert wrong["code"] == "wrong-secret"


def test_a_person_takes_over_a_bots_seat_and_gives_it_back(api: Api) -> None:
    opened = api.open("me", "normal", options=LONG)
    with api.join(opened["table"], opened["secret"]) as me:
        place = api.sit(opened["table"], "Ada")
        assert place["seat"] == 1
        with api.join(opened["table"], place["secret"]) as ada:
            assert ada.events[ada.last]["text"] == ["You sit down."]
            me.play(lambda moves: moves[0], moves=1)
            while me.now["legal"]:
                me.move({"do": "end-turn"})
            ada.until(ada.my_turn)
            assert seats(ada)[1] == ("person", None, True), "nobody moves for her"
            ada.play(lambda moves: moves[0], moves=1)

            assert ada.ask("bot", seat=1, bot="normal")["type"] == "ack"
            ada.until(lambda: ada.now["waiting"] == [0])
            assert seats(ada)[1] == ("person", "normal", True)
            assert ada.now["prompt"]["text"] == "A bot plays for you."
            assert ada.move({"do": "end-turn"})["reason"] == "A bot is playing for you; take your seat back first."
            assert ada.ask("undo", at=ada.last)["code"] == "wrong-seat"

            assert ada.ask("bot", seat=1, bot=None)["type"] == "ack"
            assert ada.events[ada.last]["text"] == ["You take over from the bot."]
            assert seats(ada)[1] == ("person", None, True)


def test_a_seat_that_a_bot_plays_for_a_person_is_not_free(api: Api) -> None:
    opened = api.open("me", "normal", options=LONG)
    with api.join(opened["table"], opened["secret"]) as me:
        me.ask("bot", seat=0, bot="random")
        wanted = {"seat": 0, "name": "Eve"}
        assert refusal(api, f"/api/tables/{opened['table']}/sit", wanted)["code"] == "taken"


def test_the_host_can_let_a_bot_play_for_an_absent_player_who_may_return(api: Api) -> None:
    opened = api.open("me", "open", options={"start": "2", "turn_limit": 60})
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as host:
        with api.join(opened["table"], place["secret"]):
            host.until(lambda: seats(host)[1][2])
            assert host.ask("bot", seat=1, bot="normal")["reason"] == "Ada is here and playing."
        host.until(lambda: not seats(host)[1][2])
        assert host.ask("bot", seat=1, bot="normal")["type"] == "ack"
        host.until(host.my_turn)
        with api.join(opened["table"], place["secret"]) as ada:
            assert (ada.seat, seats(ada)[1]) == (1, ("person", "normal", True))
            assert host.ask("bot", seat=1, bot=None)["code"] == "not-host"
            assert ada.ask("bot", seat=1, bot=None)["type"] == "ack"


def test_only_the_host_may_change_another_seat(api: Api) -> None:
    opened = api.open("me", "open", "normal", options=LONG)
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], place["secret"]) as ada:
        assert ada.ask("bot", seat=0, bot="normal")["code"] == "not-host"
        assert ada.ask("bot", seat=2, bot="random")["code"] == "not-host"


@pytest.fixture
def no_grace(tmp_path: Path) -> Iterator[Api]:
    """A server on which a seat can be freed as soon as its owner is gone, and whose bots pause before moving."""
    server = Server(settings_for(tmp_path, seat_grace=0.0, bot_pause=0.5))
    yield Api(server.url)
    server.stop()


@pytest.mark.parametrize(("others", "then"), [(["open"], ("open", None)), ([], ("bot", "normal"))])
def test_the_host_can_free_the_seat_of_somebody_who_left(
    no_grace: Api, others: list[str], then: tuple[str, str | None]
) -> None:
    """Before the match the seat is open again; during it, a bot plays it until somebody takes it."""
    opened = no_grace.open("me", "open", *others, options={"start": "2", "turn_limit": 60})
    place = no_grace.sit(opened["table"], "Ada")
    with no_grace.join(opened["table"], opened["secret"]) as host:
        with no_grace.join(opened["table"], place["secret"]) as ada:
            host.until(lambda: seats(host)[1][2])
            assert host.ask("free", seat=1)["reason"] == "Ada is here."
            assert ada.ask("free", seat=0)["code"] == "not-host"
        host.until(lambda: not seats(host)[1][2])
        assert host.ask("free", seat=1)["type"] == "ack"
        host.until(lambda: seats(host)[1] == (*then, False))
        if not others:
            host.until(lambda: any(event.get("by") == "bot" for event in host.events.values()))
        assert no_grace.sit(opened["table"], "Bruno", seat=1)["seat"] == 1
        host.until(lambda: seats(host)[1][0] == "person")
        with pytest.raises(AssertionError, match="wrong-secret"):
            no_grace.join(opened["table"], place["secret"])


def test_the_host_cannot_free_a_seat_right_after_a_lost_connection(api: Api) -> None:
    """The attack: `free` right after the other's socket closed, then `sit`, which shows the hidden hand."""
    opened = api.open("me", "open", options={"start": "2", "turn_limit": 60})
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as host:
        with api.join(opened["table"], place["secret"]):
            host.until(lambda: seats(host)[1][2])
        host.until(lambda: not seats(host)[1][2])
        refused = host.ask("free", seat=1)
        assert (refused["type"], refused["code"]) == ("refused", "taken")
        assert refused["reason"].startswith("Ada may come back: the seat can be freed up in 1")
        path = f"/api/tables/{opened['table']}/sit"
        assert refusal(api, path, {"seat": 1, "name": "Eve"})["code"] == "taken"
        with api.join(opened["table"], place["secret"]) as ada:
            assert (ada.seat, seats(ada)[1]) == (1, ("person", None, True))


def test_a_seat_freed_during_a_match_gets_a_bot_before_another_person(no_grace: Api) -> None:
    opened = no_grace.open("me", "open", options={"start": "2", "turn_limit": 60})
    no_grace.sit(opened["table"], "Ada")
    path = f"/api/tables/{opened['table']}/sit"
    with no_grace.join(opened["table"], opened["secret"]) as host:
        assert host.ask("free", seat=1)["type"] == "ack"
        refused = refusal(no_grace, path, {"seat": 1, "name": "Eve"})
        assert refused["reason"] == "Nellie has just taken over there: wait until the bot has moved."
        assert refusal(no_grace, path, {"name": "Eve"})["code"] == "taken", "a request for any free seat was accepted"
        host.until(lambda: any(event.get("by") == "bot" for event in host.events.values()))
        assert no_grace.sit(opened["table"], "Bruno", seat=1)["seat"] == 1


@pytest.mark.parametrize("others", [["open"], []], ids=["waiting", "playing"])
def test_the_owner_can_return_to_a_freed_seat_until_it_is_taken(no_grace: Api, others: list[str]) -> None:
    opened = no_grace.open("me", "open", *others, options=LONG)
    place = no_grace.sit(opened["table"], "Ada")
    with no_grace.join(opened["table"], opened["secret"]) as host:
        assert host.ask("free", seat=1)["type"] == "ack"
        with no_grace.join(opened["table"], place["secret"]) as ada:
            assert (ada.seat, seats(ada)[1]) == (1, ("person", None, True))
            assert ada.table["seats"][1]["name"] == "Ada"
            assert ada.events[ada.last]["text"] == ["You sit down." if others else "You take over from the bot."]
        host.until(lambda: not seats(host)[1][2])
        assert host.ask("free", seat=1)["type"] == "ack"
        assert no_grace.sit(opened["table"], secret=place["secret"]) == place


def test_the_owner_can_return_after_a_restart_even_if_a_bot_plays(serving: Any) -> None:
    api = serving(seat_grace=0.0)
    opened = api.open("me", "open", "open", options=LONG)
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as host:
        assert host.ask("free", seat=1)["type"] == "ack"
        assert host.ask("start")["type"] == "ack", "bots sit down on the open seats"
        assert host.ask("bot", seat=1, bot="easy")["type"] == "ack"
    api = serving(seat_grace=0.0)
    with api.join(opened["table"], place["secret"]) as ada:
        assert (ada.seat, seats(ada)[1]) == (1, ("person", None, True))


def test_spectators_can_watch_but_not_play(api: Api) -> None:
    opened = api.open("me", "normal", options=LONG)
    with api.join(opened["table"]) as spectator:
        assert spectator.seat is None
        for type, fields in (
            ("move", {"at": 1, "move": {"do": "end-turn"}}),
            ("undo", {"at": 1}),
            ("start", {}),
            ("bot", {"seat": 0, "bot": "normal"}),
        ):
            assert spectator.ask(type, **fields)["code"] == "wrong-seat"


def test_a_wrong_secret_is_refused(api: Api) -> None:
    opened = api.open("me", "normal")
    socket = api.socket(opened["table"])
    with pytest.raises(AssertionError, match="wrong-secret"):
        Client(socket, "not the secret", 0)
    socket.close()


def test_everyone_sees_who_comes_and_goes(api: Api) -> None:
    opened = api.open("me", "open", "open")
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as host:
        before = host.last
        ada, again = (api.join(opened["table"], place["secret"]) for _ in range(2))
        host.until(lambda: seats(host)[1] == ("person", None, True))
        ada.close()
        again.ask("say", text="I am here in another window")
        host.until(lambda: host.last > before)
        assert seats(host)[1] == ("person", None, True)
        again.close()
        host.until(lambda: seats(host)[1] == ("person", None, False))


def test_people_can_chat(api: Api) -> None:
    opened = api.open("me", "open", "open")
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as host, api.join(opened["table"], place["secret"]) as ada:
        n = ada.ask("say", text=" Ciao!\u0007 <b>Shall we?</b> ")["n"]
        host.until(lambda: host.last == n)
        said = host.events[n]
        assert (said["kind"], said["seat"], said["text"]) == ("say", 1, "Ciao!  <b>Shall we?</b>")


def test_seats_survive_a_restart(serving: Any) -> None:
    api = serving()
    opened = api.open("me", "open", "open", public=True)
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as host:
        host.ask("bot", seat=2, bot="random")
    before = api.get("/api/tables")
    api = serving()
    assert api.get("/api/tables") == before
    assert api.sit(opened["table"], secret=place["secret"]) == place
    assert api.get(f"/api/tables/{opened['table']}")["host"] == 0


def test_only_the_four_built_in_bots_are_accepted(api: Api) -> None:
    offered = [bot["name"] for bot in api.get("/api/games")[0]["bots"]]
    assert offered == ["random", "easy", "normal", "hard"], "the weakest first"
    for odd in ("hard:1000000", "./a-program", "/usr/bin/env", "nobody"):
        seats = [{"kind": "me"}, {"kind": "bot", "bot": odd}]
        status, refusal = api.request("POST", "/api/tables", {"game": "round-trip", "seats": seats})
        assert (status // 100, refusal["code"]) == (4, "unknown-player"), f"{odd} may play"
    opened = api.open("me", "easy")
    with api.join(opened["table"], opened["secret"]) as me:
        assert me.ask("bot", seat=1, bot="hard:1000000")["code"] == "unknown-player"
        assert me.ask("bot", seat=1, bot="hard")["type"] == "ack"
        me.until(lambda: me.table["seats"][1]["bot"] == "hard")


def test_a_bot_name_from_an_older_store_is_shown_as_its_strength() -> None:
    game = catalogue.game("round-trip")
    seats = [SeatRecord("Ada", "key"), SeatRecord("Nellie", None, "greedy")]
    table = Table("table", Made(game.name, game.version, {"start": "2"}, seats, False, 0.0, "00" * 32))
    for step in table.start():
        table.apply(step)
    assert table.info().seats[1].bot == "normal"
    assert table.bot_to_move() == (1, "normal")


def test_a_bot_plays_to_the_end_for_somebody_who_conceded(api: Api, rendezvous: None) -> None:
    made = api.open("me", "open", game="rendezvous")
    place = api.sit(made["table"], "Bruno")
    with api.join(made["table"], made["secret"]) as ada, api.join(made["table"], place["secret"]) as bruno:
        answer = bruno.ask("concede", id="enough")
        assert answer["type"] == "ack"
        assert bruno.ask("concede", id="enough") == answer, "a second request changes nothing"
        ada.until(lambda: ada.table["seats"][1]["conceded"])
        said = [text for event in ada.events.values() for text in event["text"]]
        assert "Bruno concedes. A bot plays on to the end." in said
        assert bruno.ask("bot", seat=1, bot=None)["code"] == "not-legal", "there is no way back"
        assert bruno.ask("bot", seat=1, bot="random")["type"] == "ack", "another bot may play on"
        ada.move({"do": "meet", "place": "Pier", "hour": 10})
        ada.until(ada.over)
        assert ada.events[ada.last]["text"][-1] == "Bruno had conceded: a bot played on."
        bruno.until(bruno.over)
        assert bruno.events[bruno.last]["text"][-1] == "You had conceded: a bot played on."


def test_a_match_that_has_not_begun_or_is_over_cannot_be_conceded(api: Api) -> None:
    made = api.open("me", "open")
    with api.join(made["table"], made["secret"]) as ada, api.join(made["table"]) as spectator:
        assert ada.ask("concede")["code"] == "not-legal"
        assert spectator.ask("concede")["code"] == "wrong-seat"


def test_a_request_for_a_seat_that_is_sent_again_gets_the_same_seat(api: Api) -> None:
    opened = api.open("me", "open", "open")
    asked: Message = {"name": "Ada", "id": "a random text, only mine"}
    first = api.sit(opened["table"], **asked)
    assert api.sit(opened["table"], **asked) == first
    with api.join(opened["table"], first["secret"]) as ada:
        assert ada.seat == first["seat"]
        assert [seat["kind"] for seat in ada.table["seats"]] == ["person", "person", "open"]
    other = api.sit(opened["table"], "Bruno", id="another random text")
    assert (other["seat"], other["secret"] != first["secret"]) == (2, True)
    assert api.sit(opened["table"], **asked) == first, "also after the game has begun"


def test_two_copies_of_a_request_for_a_seat_at_the_same_time_get_one_seat(api: Api) -> None:
    opened = api.open("me", "open", "open")
    with ThreadPoolExecutor(4) as pool:
        copies = [pool.submit(api.sit, opened["table"], "Ada", id="a random text, only mine") for _ in range(4)]
        places = [copy.result() for copy in copies]
    assert places == places[:1] * 4
    kinds = [seat["kind"] for seat in api.get(f"/api/tables/{opened['table']}")["seats"]]
    assert kinds == ["person", "person", "open"]


def test_the_same_id_gives_another_secret_at_another_table_and_short_ids_are_refused(api: Api) -> None:
    secrets = {api.sit(api.open("me", "open")["table"], id="a random text, only mine")["secret"] for _ in range(2)}
    assert len(secrets) == 2
    status, refused = api.request("POST", f"/api/tables/{api.open('me', 'open')['table']}/sit", {"id": "short"})
    assert (status, refused["code"]) == (400, "malformed")


def test_a_request_for_a_seat_with_a_passport_can_be_sent_again(api: Api) -> None:
    secret = passport(api)["secret"]
    opened = api.open("me", "open", "open")
    asked: Message = {"passport": secret, "id": "a random text, only mine"}
    first = api.sit(opened["table"], **asked)
    assert api.sit(opened["table"], **asked) == first
    again = refusal(api, f"/api/tables/{opened['table']}/sit", {"passport": secret, "id": "another random text"})
    assert again["code"] == "taken"
