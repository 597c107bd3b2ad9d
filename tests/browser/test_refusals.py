"""A refusal is shown at its piece, with the reason and a link to the rule."""

from collections.abc import Callable
from itertools import combinations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visits, settle
from tests.browser.player import Player
from tests.browser.positions import closed_piles, hoard, travel, until
from tests.server.client import Api, Client


def assert_points_at(refusal: Locator, piece: Locator) -> None:
    """Fails unless the bubble is just above or below the piece."""
    settle(refusal.page)
    bubble, target = refusal.bounding_box(), piece.bounding_box()
    assert bubble is not None
    assert target is not None
    middle = target["x"] + target["width"] / 2
    assert bubble["x"] <= middle <= bubble["x"] + bubble["width"], "the refusal stands beside the piece"
    above = target["y"] - (bubble["y"] + bubble["height"])
    below = bubble["y"] - (target["y"] + target["height"])
    assert 0 <= max(above, below) <= 24, f"the refusal is far from the piece: {bubble}, {target}"


def assert_rulebook_opens_at(player: Player, rule: str) -> None:
    player.refusal.get_by_role("button", name=rule).click()
    paragraph = player.page.locator(f"[data-testid=rulebook-drawer] [data-rule={rule}]")
    expect(paragraph).to_be_in_viewport(ratio=0.9)
    expect(paragraph).to_be_focused()


def test_a_closed_pile_shows_the_reason_with_the_rule(visit: Visits, api: Api) -> None:
    place, _ = until(api, closed_piles)
    player = Player(visit(place.link)).wait()
    closed = player.page.locator("[data-testid^=pile-]:not([data-usable])").first
    before = player.tickets()
    closed.click()
    expect(player.refusal).to_contain_text("The selection card shows")
    assert_points_at(player.refusal, closed)
    assert player.tickets() == before, "nothing has changed"
    assert_rulebook_opens_at(player, "RT-21")


def test_a_refusal_disappears_with_the_next_move(visit: Visits, api: Api) -> None:
    place, _ = until(api, closed_piles)
    player = Player(visit(place.link)).wait()
    player.page.locator("[data-testid^=pile-]:not([data-usable])").first.click()
    expect(player.refusal).to_be_visible()
    player.take(player.open_piles.first)
    expect(player.refusal).to_be_hidden()


def joins(ticket: str) -> set[str]:
    return set(ticket.split("-"))


def pairs(client: Client) -> list[tuple[str, str]]:
    """All pairs of tickets in the hand, if round trips can be made now."""
    view = client.now["view"]
    return list(combinations(view["hand"], 2)) if view["step"] == "act" else []


def apart(client: Client) -> list[tuple[str, str]]:
    return [pair for pair in pairs(client) if not joins(pair[0]) & joins(pair[1])]


def one_way(client: Client) -> list[tuple[str, str]]:
    return [pair for pair in pairs(client) if len(joins(pair[0]) & joins(pair[1])) == 1]


@pytest.mark.parametrize(("tickets", "reason"), [(apart, "does not continue from"), (one_way, "does not come back to")])
def test_tickets_that_make_no_round_trip_are_refused(
    visit: Visits, api: Api, tickets: Callable[[Client], list[tuple[str, str]]], reason: str
) -> None:
    place, _ = until(api, tickets)
    with api.join(place.table, place.secret) as client:
        first, second = tickets(client)[0]
    player = Player(visit(place.link)).wait()
    before = player.tickets()
    player.choose(first, second)
    player.button("lay").click()
    expect(player.refusal).to_contain_text(reason)
    assert_points_at(player.refusal, player.tray.locator(".."))
    assert player.tickets() == before, "nothing has changed"
    assert_rulebook_opens_at(player, "RT-38")


def same_again(client: Client) -> list[tuple[str, str]]:
    """Pairs that make a round trip of length 2, if one of that length was made before."""
    made = [trip["length"] for trip in client.now["view"]["players"][client.seat]["trips"]]
    return [pair for pair in pairs(client) if 2 in made and joins(pair[0]) == joins(pair[1])]


def test_a_repeated_length_is_refused_with_the_rule(visit: Visits, api: Api) -> None:
    place, _ = until(api, same_again, travel)
    with api.join(place.table, place.secret) as client:
        first, second = same_again(client)[0]
    player = Player(visit(place.link)).wait()
    player.choose(first, second)
    player.button("lay").click()
    expect(player.refusal).to_contain_text("You already made a round trip of length 2.")
    assert_rulebook_opens_at(player, "RT-43")


def with_an_impossible_exchange(client: Client) -> list[tuple[str, str]]:
    """Tickets for which the neighbour on that side has nothing to give."""
    view = client.now["view"]
    if view["step"] != "act":
        return []
    legal = [(move["ticket"], move["with"]) for move in client.moves() if move["do"] == "exchange"]
    every = [(ticket, side) for ticket in view["hand"] for side in view["neighbours"]]
    return [exchange for exchange in every if exchange not in legal]


def test_an_impossible_exchange_is_refused_with_the_rule(visit: Visits, api: Api) -> None:
    place, _ = until(api, with_an_impossible_exchange, hoard)
    with api.join(place.table, place.secret) as client:
        ticket, side = with_an_impossible_exchange(client)[0]
    player = Player(visit(place.link)).wait()
    player.choose(ticket)
    ask = player.button(f"exchange-{side}")
    ask.click()
    expect(player.refusal).to_contain_text("holds no")
    assert_points_at(player.refusal, ask)
    assert_rulebook_opens_at(player, "RT-33")
