"""Several people at one table: inviting, exchanging, withdrawing, watching, and taking over from bots."""

import json
import re
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from tests.browser.conftest import Visits
from tests.browser.player import Player, player_to_move
from tests.browser.positions import (
    Place,
    against_bots,
    finished,
    of_people,
    offer_with_a_choice,
    offers_with_a_choice,
    until,
)
from tests.server.client import Api


def test_a_friend_joins_by_link_and_both_play(visit: Visits) -> None:
    host = visit("/")
    host.get_by_test_id("invite-round-trip").click()
    host.get_by_label("Your name").fill("Ada")
    host.get_by_test_id("open-table").click()
    link = host.get_by_label("Send your friends this link").input_value()

    guest = visit(link)
    guest.get_by_label("Your name").fill("Bruno")
    guest.get_by_test_id("sit").click()

    ada, bruno = Player(host), Player(guest, seed=2)
    for _ in range(5):
        player_to_move(ada, bruno).move()
    expect(ada.log).to_contain_text("Bruno takes a ticket from the")
    expect(bruno.log).to_contain_text("Ada takes a ticket from the")

    host.get_by_label("Say something to the table").fill("A fine day for a journey")
    host.get_by_role("button", name="Send").click()
    expect(bruno.log).to_contain_text("A fine day for a journey")


def two_players_before_an_exchange(visit: Visits, api: Api) -> tuple[Player, Player, dict[str, Any]]:
    """A player who may offer a ticket, the partner who would have to choose one in return, and the offer."""
    asking, giving = until(api, offers_with_a_choice)
    offer = offer_with_a_choice(api, asking)
    partner = Player(visit(giving.link))
    expect(partner.prompt).not_to_be_empty()
    return Player(visit(asking.link)).wait(), partner, offer


def test_tickets_are_exchanged_with_a_neighbour(visit: Visits, api: Api) -> None:
    asking, giving, offer = two_players_before_an_exchange(visit, api)
    asking.choose(offer["ticket"])
    asking.button(f"exchange-{offer['with']}").click()

    given = _give_something(giving)
    expect(asking.log).to_contain_text("You give")
    expect(giving.log).to_contain_text("You give")
    expect(asking.page.locator(f"[data-ticket={given}]")).not_to_have_count(0)
    expect(giving.page.locator(f"[data-ticket={offer['ticket']}]")).not_to_have_count(0)
    for player in (asking, giving):
        expect(player.button("swapped"), "the received ticket shows who gave it").to_contain_text("from ")
    assert player_to_move(asking, giving) is asking, "the turn continues after an exchange"


def _give_something(player: Player) -> str:
    """Answer an offer. Returns the name of the ticket given."""
    expect(player.prompt).to_contain_text("choose a")
    wanted = player.page.locator("[data-testid=ticket][data-usable]")
    # Nothing can be pressed while the offer is animated.
    wanted.first.wait_for()
    backs = {str(held.get_attribute("data-ticket")).split("-")[0] for held in wanted.all()}
    assert len(backs) == 1, f"only tickets of the city that is asked for are offered, not {backs}"
    given = str(wanted.first.get_attribute("data-ticket"))
    wanted.first.click()
    player.button("give").click()
    expect(player.button("give")).to_be_hidden()
    return given


def test_a_ticket_can_be_dragged_to_the_neighbour(visit: Visits, api: Api) -> None:
    asking, giving, offer = two_players_before_an_exchange(visit, api)
    neighbour = asking.page.locator(f"[data-drop={offer['with']}]")
    asking.ticket(offer["ticket"]).drag_to(neighbour)
    expect(asking.log).to_contain_text("You offer")
    _give_something(giving)
    expect(asking.log).to_contain_text("You give")


def test_an_offer_can_be_withdrawn_until_it_is_answered(visit: Visits, api: Api) -> None:
    asking, giving, offer = two_players_before_an_exchange(visit, api)
    before = asking.tickets()
    waiting = giving.prompt.inner_text()
    asking.choose(offer["ticket"])
    asking.button(f"exchange-{offer['with']}").click()
    expect(giving.prompt).to_contain_text("choose a")

    asking.button("undo").click()
    expect(asking.button("undo")).to_be_hidden()
    expect(giving.prompt).to_have_text(waiting)
    assert asking.wait().tickets() == before, "the ticket is back in the hand"
    assert player_to_move(asking, giving) is asking

    asking.choose_nothing()
    asking.choose(offer["ticket"])
    asking.button(f"exchange-{offer['with']}").click()
    _give_something(giving)
    expect(asking.log).to_contain_text("You give")
    expect(asking.button("undo")).to_be_hidden()


def record_messages(page: Page) -> list[dict[str, Any]]:
    """Record all messages that the page receives from now on."""
    messages: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: messages.append(json.loads(frame)))

    page.on("websocket", listen)
    return messages


def tickets_named(told: object) -> set[str]:
    """Every ticket named anywhere in the messages."""
    if isinstance(told, dict):
        return set().union(*(tickets_named(value) for value in told.values()))
    if isinstance(told, list):
        return set().union(*(tickets_named(value) for value in told))
    cities = str(told).split("-")
    return {str(told)} if len(cities) == 2 and all(city.istitle() for city in cities) else set()


def test_a_spectator_cannot_see_hands(visit: Visits, api: Api) -> None:
    place, _ = until(api, lambda client: len(client.now["view"]["hand"]) > 2)
    page = visit("/about", alone=True)
    told = record_messages(page)
    page.goto(f"/table/{place.table}")
    expect(page.get_by_test_id("prompt")).to_contain_text("Ada")
    expect(page.get_by_test_id("log")).to_contain_text("takes a ticket from the")
    expect(page.get_by_test_id("ticket")).to_have_count(0)
    expect(page.get_by_role("group", name="Your hand")).to_have_count(0)
    expect(page.locator("[data-usable]")).to_have_count(0)
    assert any(message["type"] == "now" for message in told)
    assert tickets_named(told) == set(), "a message to a spectator names a ticket in a hand"

    told.clear()
    page.goto(place.link)
    held = Player(page).wait().tickets()
    assert set(held) <= tickets_named(told), "the messages to the holder of a hand name its tickets"


def test_a_spectator_follows_a_seat_and_mutes_a_player(visit: Visits, api: Api) -> None:
    ada, _, carla = of_people(api, "Ada", "Bruno", "Carla")
    page = visit(f"/table/{ada.table}", alone=True)
    docks = page.locator(".dock [data-anchor^='seat:'] h2")
    expect(docks).to_have_text(["Ada", "Bruno", "Carla"])
    page.get_by_test_id("follow").select_option("Bruno")
    expect(page.get_by_test_id("followed-seat").locator("h2")).to_have_text("Bruno")
    expect(docks, "the player after Bruno sits to his left").to_have_text(["Carla", "Ada"])
    expect(page.get_by_role("group", name="Your hand")).to_have_count(0)
    page.get_by_test_id("follow").select_option("everyone")
    expect(docks).to_have_text(["Ada", "Bruno", "Carla"])

    log = page.get_by_test_id("log")
    with api.join(ada.table, ada.secret) as client:
        client.ask("say", text="I win this one")
    expect(log).to_contain_text("I win this one")
    page.get_by_text("Mute somebody").click()
    page.get_by_role("checkbox", name="Ada").check()
    expect(log).not_to_contain_text("I win this one")
    with api.join(carla.table, carla.secret) as client:
        client.ask("say", text="We shall see")
    expect(log).to_contain_text("We shall see")
    page.reload()
    expect(log).to_contain_text("We shall see")
    expect(log, "the browser stores who is muted").not_to_contain_text("I win this one")
    page.get_by_text("Mute somebody").click()
    page.get_by_role("checkbox", name="Ada").uncheck()
    expect(log).to_contain_text("I win this one")


def test_every_board_with_seats_turns_to_the_seat_that_is_followed(visit: Visits, api: Api) -> None:
    page = visit("/about", alone=True)
    for game in ("ticket-to-ride-italy", "itchy-feet", "journey-istanbul", "postcards-home"):
        seats = [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}]
        opened = api.post("/api/tables", {"game": game, "seats": seats})
        for name in ("Bruno", "Carla"):
            api.sit(opened["table"], name)
        page.goto(f"/table/{opened['table']}")
        page.get_by_test_id("follow").select_option("Bruno")
        expect(page.get_by_test_id("followed-seat"), game).to_contain_text("Bruno")


def test_a_person_can_take_over_a_bots_seat_and_give_it_back(visit: Visits, api: Api) -> None:
    host = against_bots(api)
    ada = Player(visit(host.link)).wait()

    page = visit(f"/table/{host.table}")
    page.get_by_test_id("take-over").click()
    page.get_by_label("Your name").fill("Bruno")
    page.get_by_test_id("sit").click()
    expect(page.get_by_role("group", name="Your hand")).to_be_visible()
    expect(ada.log).to_contain_text("Bruno")

    bruno = Player(page, seed=2)
    for _ in range(5):
        player_to_move(ada, bruno).move()
    expect(ada.log).to_contain_text("Bruno takes a ticket from the")

    page.get_by_test_id("menu").click()
    page.get_by_test_id("bot-for-me").click()
    back = page.get_by_role("main").get_by_role("button", name="Take my seat back")
    expect(back).to_be_visible()
    for _ in range(3):
        ada.wait().move()
    expect(bruno.page.locator("[data-usable]")).to_have_count(0)

    back.click()
    expect(back).to_be_hidden()
    while player_to_move(ada, bruno) is ada:
        ada.move()
    bruno.move()


def test_a_seats_link_opens_it_in_another_browser(visit: Visits, api: Api) -> None:
    place, _ = of_people(api, "Ada", "Bruno")
    here = Player(visit(place.link)).wait()
    here.take(here.open_piles.first)
    there = Player(visit(place.link)).wait()
    expect(there.hand).to_have_count(1)
    assert there.tickets() == here.tickets()
    assert place.secret not in there.page.url, "the secret does not stay in the address bar"


def test_the_host_can_start_with_bots_in_the_free_seats(visit: Visits, api: Api) -> None:
    opened = api.open("me", "open", "open", options={"turn_limit": 10})
    place = Place(opened["table"], opened["seat"], opened["secret"])
    page = visit(place.link)
    page.get_by_test_id("start").click()
    Player(page).wait().move()


def test_a_rematch_takes_one_press_from_each_player(visit: Visits, api: Api) -> None:
    places = of_people(api, "Ada", "Bruno")
    for place in places:
        with api.join(place.table, place.secret) as client:
            client.ask("bot", seat=client.seat, bot="random")
    with api.join(places[0].table) as spectator:
        spectator.until(spectator.over)
    host, guest = (visit(place.link) for place in places)
    expect(guest.get_by_test_id("rematch")).to_be_visible()
    host.get_by_test_id("rematch").click()
    expect(host.get_by_text("kept for Bruno")).to_be_visible()

    expect(guest.get_by_test_id("asked")).to_have_text("Ada asks for a rematch.")
    expect(guest).to_have_title("● Rematch? · Round Trip Italy · Grand Tour")
    guest.get_by_test_id("follow").click()
    ada, bruno = Player(host), Player(guest, seed=2)
    assert player_to_move(ada, bruno) is bruno, "the second player is first now"
    bruno.move()
    expect(ada.log).to_contain_text("Bruno takes a ticket from the")


def test_the_same_people_play_another_game(visit: Visits, api: Api) -> None:
    pages = [visit(place.link) for place in finished(api)]
    host, guest = pages
    host.get_by_test_id("other-games").press("Enter")
    host.get_by_test_id("next-postcards-home").press("Enter")
    expect(guest.get_by_test_id("asked")).to_have_text("Ada asks for a game of Postcards Home.")
    guest.get_by_test_id("follow").press("Enter")
    for page in pages:
        expect(page).to_have_title(re.compile("Postcards Home · Grand Tour$"))
        expect(page.get_by_test_id("players").locator("li")).to_have_count(2)
    assert host.url == guest.url
