"""The HTTP part: games, rulebooks, the lobby, finished matches, the page."""

import gzip
import random
import urllib.request
from pathlib import Path
from typing import Any

import msgspec
import pytest
from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine import catalogue, tour
from grandtour.engine.dice import SealedDice, seal
from grandtour.engine.match import Match
from grandtour.server.http.api import ENDPOINTS
from grandtour.server.http.rulebook import as_html
from tests.server.client import Api, Message

SHORT = {"turn_limit": 10}


@pytest.fixture(scope="module")
def finished(api: Api) -> str:
    """A finished match in which seat 0 was a person's."""
    opened = api.open("me", "normal", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(1).choice)
    table: str = opened["table"]
    return table


def test_all_games_are_listed(api: Api) -> None:
    games: list[Message] = api.get("/api/games")
    assert {game["name"] for game in games} >= set(catalogue.games())
    game = next(game for game in games if game["name"] == "round-trip")
    assert game["players"] == [2, 4]
    assert [bot["name"] for bot in game["bots"]] == ["random", "easy", "normal", "hard"]
    assert {"name", "label", "help", "default", "alone", "choices", "words"} == set(game["options"][0])
    for game in games:
        for option in game["options"]:
            assert len(option["words"]) == len(option["choices"])
    timer = next(one for game in games for one in game["options"] if one["name"] == "timer")
    assert timer["words"][timer["choices"].index(240)] == "4 minutes"


def test_a_rulebook_has_numbered_paragraphs(api: Api) -> None:
    book = api.get("/api/games/round-trip/rulebook")
    paragraphs = [paragraph for section in book["sections"] for paragraph in section["paragraphs"]]
    assert book["title"] == "Round Trip Italy"
    assert book["short"].startswith("<ul>"), "a newcomer gets the game in a few lines"
    assert [paragraph["id"] for paragraph in paragraphs] == [f"RT-{n + 1}" for n in range(len(paragraphs))]
    assert all(paragraph["html"].startswith("<p>") for paragraph in paragraphs)
    assert any(paragraph["ruling"] for paragraph in paragraphs)


def test_html_in_a_rulebook_is_escaped() -> None:
    book = as_html("# A\n\n## B\n\n**AB-1** *(ruling)* One <script>x</script>\n\n- two\n\n**AB-2** Three.\n", "")
    (section,) = book.sections
    assert [(paragraph.id, paragraph.ruling) for paragraph in section.paragraphs] == [("AB-1", True), ("AB-2", False)]
    assert "<script>" not in section.paragraphs[0].html
    assert "<li>two</li>" in section.paragraphs[0].html


def test_the_lobby_lists_public_tables_newest_first(serving: Any) -> None:
    api = serving()
    first = api.open("me", "open", public=True)["table"]
    api.open("me", "open", public=False)
    second = api.open("me", "normal", public=True)["table"]
    listed: list[Message] = api.get("/api/tables")
    assert [(card["table"], card["state"]) for card in listed] == [(second, "playing"), (first, "waiting")]
    api.sit(first, "Ada")
    assert [card["state"] for card in api.get("/api/tables")] == ["playing", "playing"]


def test_an_abandoned_waiting_table_leaves_the_lobby(serving: Any) -> None:
    api = serving(listed_waiting=0)
    opened = api.open("me", "open", public=True)
    assert api.get("/api/tables") == []
    with api.join(opened["table"], opened["secret"]):
        assert [seat["here"] for seat in api.get("/api/tables")[0]["seats"]] == [True, False]
    assert api.get(f"/api/tables/{opened['table']}")["state"] == "waiting", "its link still works"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"game": 7}, "malformed"),
        ({"options": {"speed": 3}}, "bad-options"),
        ({"options": {"turn_limit": 11}}, "bad-options"),
        ({"options": []}, "malformed"),
        ({"seats": []}, "malformed"),
        ({"seats": [{"kind": "me"}]}, "bad-options"),
        ({"seats": [{"kind": "bot"}] * 5}, "bad-options"),
        ({"seats": [{"kind": "me"}, {"kind": "me"}]}, "malformed"),
        ({"seats": [{"kind": "me"}, {"kind": "king"}]}, "malformed"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "deep-thought"}]}, "unknown-player"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "/bin/cat"}]}, "unknown-player"),
        ({"seats": [{"kind": "me", "secret": "x"}, {"kind": "bot"}]}, "malformed"),
        ({"dice": "loaded"}, "malformed"),
    ],
)
def test_an_impossible_table_is_refused_with_a_reason(api: Api, change: Message, code: str) -> None:
    wanted = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "bot"}], **change}
    before = api.get("/api/health")["tables"]
    status, refused = api.request("POST", "/api/tables", wanted)
    assert (status // 100, refused["code"]) == (4, code)
    assert refused["reason"].endswith(".")
    assert api.get("/api/health")["tables"] == before


@pytest.mark.parametrize("body", [b"", b"nonsense", b"\xff\xfe", b"[" * 10_000, b'"text"'])
def test_a_body_that_is_not_json_is_refused(api: Api, body: bytes) -> None:
    status, refused = api.request("POST", "/api/tables", body)
    assert (status, refused["code"]) == (400, "malformed")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "not-found"),
        ("GET", "/api/tables/nosuchtable1", 404, "unknown-table"),
        ("GET", "/api/tables/nosuchtable1/replay", 404, "unknown-table"),
        ("GET", "/api/games/chess/rulebook", 404, "unknown-game"),
        ("DELETE", "/api/tables", 405, "wrong-method"),
        ("POST", "/api/health", 405, "wrong-method"),
    ],
)
def test_errors_are_json(api: Api, method: str, path: str, status: int, code: str) -> None:
    answer = api.request(method, path)
    assert (answer[0], answer[1]["code"]) == (status, code)


def test_a_long_body_is_refused(api: Api) -> None:
    status, refused = api.request("POST", "/api/tables", b" " * 20_000)
    assert (status, refused["code"]) == (413, "too-large")


def test_a_running_match_cannot_be_inspected(api: Api) -> None:
    table = api.open("me", "normal")["table"]
    for what in ("replay", "replay?seat=1", "tour", "dice"):
        status, refused = api.request("GET", f"/api/tables/{table}/{what}")
        assert (status, refused["code"]) == (409, "not-over")


def test_a_finished_match_can_be_saved_and_replayed(api: Api, finished: str) -> None:
    _, text, headers = api.fetch("GET", f"/api/tables/{finished}/tour")
    assert finished in headers["content-disposition"]
    match, names = tour.load(text)
    info = api.get(f"/api/tables/{finished}")
    assert match.result() == info["result"]
    assert names == [seat["name"] for seat in info["seats"]]


def test_a_replay_has_every_step(api: Api, finished: str) -> None:
    told = api.get(f"/api/tables/{finished}/replay?seat=0")
    assert [step["n"] for step in told["steps"]] == list(range(len(told["steps"])))
    assert (told["steps"][0]["seat"], told["steps"][0]["move"]) == (None, None)
    assert all((step["move"] is not None) == (step["seat"] == 0) for step in told["steps"])
    assert told["steps"][-1]["view"]["result"] == told["result"]
    assert [final["seat"] for final in told["final"]] == [0, 1]


def test_a_replay_shows_what_the_seat_saw(api: Api, finished: str) -> None:
    with api.join(finished) as spectator:
        seen = [event for event in spectator.events.values() if event["kind"] in ("start", "move")]
    told = api.get(f"/api/tables/{finished}/replay")
    assert [step["events"] for step in told["steps"]] == [event["events"] for event in seen]
    assert [step["text"] for step in told["steps"]] == [event["text"] for event in seen]
    assert all("hand" not in step["view"] for step in told["steps"])


def test_a_file_replays_like_its_table(api: Api, finished: str) -> None:
    _, text, _ = api.fetch("GET", f"/api/tables/{finished}/tour")
    assert api.post("/api/replay?seat=1", text.encode()) == api.get(f"/api/tables/{finished}/replay?seat=1")


def test_a_replay_with_open_hands_shows_every_hand(api: Api, finished: str) -> None:
    told = api.get(f"/api/tables/{finished}/replay?seat=all")
    public = api.get(f"/api/tables/{finished}/replay")
    for seat in (0, 1):
        seen = api.get(f"/api/tables/{finished}/replay?seat={seat}")
        for step, own in zip(told["steps"], seen["steps"], strict=True):
            hand = next(part["lines"] for part in step["hands"][seat]["parts"] if part["title"] == "Your tickets")
            assert len(hand) == max(len(own["view"]["hand"]), 1)
    for step in told["steps"]:
        del step["hands"]
    assert told == public


def test_every_random_number_of_a_finished_match_is_shown(api: Api, finished: str) -> None:
    told = api.get(f"/api/tables/{finished}/dice")
    assert seal(bytes.fromhex(told["secret"])) == api.get(f"/api/tables/{finished}")["seal"]
    dice = SealedDice(bytes.fromhex(told["secret"]))
    for draw in (draw for step in told["steps"] for draw in step["draws"]):
        if draw["kind"] == "number":
            assert draw["value"] == dice.below(draw["below"])
        else:
            cards = vec[i64](draw["before"])
            dice.shuffle(cards, 0, len(cards))
            assert draw["after"] == list(cards)
    match, _ = tour.load(api.fetch("GET", f"/api/tables/{finished}/tour")[1])
    assert dice.dump() == match.state.dice.dump(), "the match drew other numbers, or more"
    assert api.post("/api/dice", tour.save(match).encode()) == told


def test_dice_that_were_not_sealed_cannot_be_checked(api: Api) -> None:
    simulated = tour.save(Match(catalogue.game("round-trip"), 2, None, 5))
    assert api.request("POST", "/api/dice", simulated.encode())[1]["code"] == "bad-file"


@pytest.mark.parametrize(
    "spoil", [lambda t: t[:-30], lambda t: t.replace("Milano", "Roma"), lambda t: "hello", lambda t: ""]
)
def test_a_damaged_file_is_refused_with_a_reason(api: Api, finished: str, spoil: Any) -> None:
    _, text, _ = api.fetch("GET", f"/api/tables/{finished}/tour")
    status, refused = api.request("POST", "/api/replay", spoil(text).encode())
    assert (status, refused["code"]) == (400, "bad-file")
    assert refused["reason"].endswith(".")


@pytest.mark.parametrize(("seat", "code"), [("7", "wrong-seat"), ("-1", "malformed"), ("x", "malformed")])
def test_a_replay_for_an_unknown_seat_is_refused(api: Api, finished: str, seat: str, code: str) -> None:
    assert api.request("GET", f"/api/tables/{finished}/replay?seat={seat}")[1]["code"] == code


def test_the_openapi_document_describes_every_endpoint(api: Api) -> None:
    described = api.get("/api/openapi.json")
    served = {(endpoint.path, endpoint.method.lower()) for endpoint in ENDPOINTS}
    assert {(path, method) for path, methods in described["paths"].items() for method in methods} == served
    text = msgspec.json.encode(described).decode()
    for name in described["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in text, f"{name} is described and never used"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>Grand Tour</title>")
    (folder / "assets" / "page-1a2b3c.js").write_text("play()")
    (folder / "favicon.svg").write_text("<svg/>")
    (tmp_path / "private.txt").write_text("not for you")
    return folder


def test_every_address_of_the_page_returns_the_document(serving: Any, page: Path) -> None:
    api = serving(page=page)
    for path in ("/", "/table/abc", "/replay/abc", "/rules/round-trip", "/about"):
        status, text, headers = api.fetch("GET", path)
        assert (status, text, headers["cache-control"]) == (200, "<title>Grand Tour</title>", "no-cache")


def test_an_unknown_address_returns_the_page_but_an_unknown_file_does_not(serving: Any, page: Path) -> None:
    api = serving(page=page)
    assert api.fetch("GET", "/nothing")[:2] == (404, "<title>Grand Tour</title>")
    for path in ("/assets/gone.js", "/api/nothing", "/api"):
        status, text, _ = api.fetch("GET", path)
        assert status == 404
        assert "<title>" not in text


def test_files_with_a_hash_in_their_name_may_be_cached(serving: Any, page: Path) -> None:
    api = serving(page=page)
    assert api.fetch("GET", "/assets/page-1a2b3c.js")[2]["cache-control"].endswith("immutable")
    assert api.fetch("GET", "/favicon.svg")[2]["cache-control"] == "no-cache"


def test_texts_are_sent_in_the_smallest_form_the_browser_accepts(serving: Any, page: Path) -> None:
    (page / "assets" / "page-1a2b3c.js.br").write_bytes(b"as Brotli")
    (page / "assets" / "page-1a2b3c.js.gz").write_bytes(gzip.compress(b"as gzip"))
    (page / "index.html.gz").write_bytes(gzip.compress(b"the document"))
    api = serving(page=page)

    def sent(path: str, taken: str) -> tuple[str | None, bytes]:
        request = urllib.request.Request(api.url + path, headers={"Accept-Encoding": taken})
        with urllib.request.urlopen(request) as answer:
            assert answer.headers["Vary"] == "Accept-Encoding", "a cache must not mix them up"
            if path.startswith("/assets"):
                assert answer.headers["Content-Type"].startswith("text/javascript")
                assert answer.headers["Cache-Control"].endswith("immutable")
            return answer.headers["Content-Encoding"], answer.read()

    file = "/assets/page-1a2b3c.js"
    assert sent(file, "gzip, deflate, br") == ("br", b"as Brotli")
    assert sent(file, "gzip, br;q=0")[0] == "gzip"
    assert sent(file, "identity") == (None, b"play()")
    for address in ("/", "/rules/round-trip"):
        encoding, body = sent(address, "br, gzip")
        assert (encoding, gzip.decompress(body)) == ("gzip", b"the document")


def test_long_responses_are_compressed(serving: Any) -> None:
    request = urllib.request.Request(
        serving().url + "/api/games/round-trip/rulebook", headers={"Accept-Encoding": "gzip"}
    )
    with urllib.request.urlopen(request) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert b"RT-1" in gzip.decompress(answer.read())


@pytest.mark.parametrize(
    "path", ["/../private.txt", "/assets/../../private.txt", "/%2e%2e/private.txt", "//private.txt"]
)
def test_nothing_outside_the_page_is_served(serving: Any, page: Path, path: str) -> None:
    status, text, _ = serving(page=page).fetch("GET", path)
    assert status == 404
    assert "not for you" not in text


def test_a_missing_page_says_how_to_build_it(serving: Any, tmp_path: Path) -> None:
    status, text, _ = serving(page=tmp_path / "nowhere").fetch("GET", "/")
    assert status == 503
    assert "not built" in text
