"""A reload or a lost connection loses nothing."""

import json
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from tests.browser.conftest import Visits
from tests.browser.player import Player
from tests.browser.positions import hoard, of_people, until
from tests.browser.serving import Wire
from tests.server.client import Api

Message = dict[str, Any]


def record_sockets(page: Page) -> list[list[tuple[str, Message]]]:
    """The messages on each socket that the page opens from now on: ("sent" or "heard", message)."""
    sockets: list[list[tuple[str, Message]]] = []

    def opened(socket: WebSocket) -> None:
        line: list[tuple[str, Message]] = []
        sockets.append(line)
        socket.on("framesent", lambda frame: line.append(("sent", json.loads(frame))))
        socket.on("framereceived", lambda frame: line.append(("heard", json.loads(frame))))

    page.on("websocket", opened)
    return sockets


def test_a_reload_loses_nothing_at_the_table(visit: Visits, api: Api) -> None:
    place, _ = until(api, lambda client: len(client.now["view"]["hand"]) > 3)
    player = Player(visit(place.link)).wait()
    shown = [player.tickets(), player.prompt.inner_text(), player.log.inner_text()]
    assert len(shown[0]) > 3
    player.page.reload()
    player.wait()
    assert [player.tickets(), player.prompt.inner_text(), player.log.inner_text()] == shown


def test_after_a_lost_connection_only_missed_events_are_sent(visit: Visits, api: Api, wire: Wire) -> None:
    visit.expect(wire.address)
    ada, bruno = of_people(api, "Ada", "Bruno")
    page = visit("/about", by=wire)
    sockets = record_sockets(page)
    page.goto(bruno.link)
    player = Player(page)
    expect(player.prompt).to_contain_text("Ada is taking a ticket.")
    expect(player.pile("Milano")).to_be_visible()
    with api.join(ada.table, ada.secret) as client:
        before = client.last
        wire.cut()
        expect(page.get_by_test_id("connection")).to_contain_text("Connection lost")
        client.play(hoard, moves=2)
        missed = list(range(before + 1, client.last + 1))
        assert missed
        wire.mend()
        player.wait()
    expect(page.get_by_test_id("connection")).not_to_contain_text("Connection lost")
    expect(player.log).to_contain_text("Ada takes a ticket from the")

    hello, *rest = sockets[-1]
    assert hello[0] == "sent"
    assert hello[1]["last"] == before, "the page asks for what comes after the last event it has"
    heard = [message["n"] for way, message in rest if way == "heard" and message["type"] == "event"]
    assert heard == missed
    player.move()


def test_a_move_made_offline_is_played_once_after_reconnecting(visit: Visits, api: Api, wire: Wire) -> None:
    visit.expect(wire.address)
    ada, _ = of_people(api, "Ada", "Bruno")
    player = Player(visit(ada.link, by=wire)).wait()
    wire.cut()
    expect(player.page.get_by_test_id("connection")).to_contain_text("Connection lost")
    player.open_piles.first.click()
    wire.mend()
    expect(player.hand).to_have_count(1)
    expect(player.refusal).to_be_hidden()
    expect(player.log.get_by_text("You take")).to_have_count(1)


def test_a_part_of_the_page_that_could_not_be_loaded_is_loaded_after_reconnecting(visit: Visits, wire: Wire) -> None:
    visit.expect(wire.address)
    page = visit("/", by=wire)
    expect(page.get_by_test_id("quick-round-trip")).to_be_visible()
    wire.cut()
    with page.expect_event("requestfailed"):
        page.get_by_role("link", name="My games", exact=True).click()
    # Another try has failed, too: the page is still there, and waits.
    page.wait_for_event("requestfailed")
    wire.mend()
    expect(page.get_by_role("heading", name="My games")).to_be_visible()
