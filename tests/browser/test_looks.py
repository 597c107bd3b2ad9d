"""Dark mode, animations, reduced motion, and the lobby."""

import re

from playwright.sync_api import Page, expect

from grandtour.engine.catalogue import games
from tests.browser.conftest import Visits, settle
from tests.browser.player import Player
from tests.browser.positions import against_bots, prefer, reach, until
from tests.browser.test_word_traveler import in_new_york
from tests.server.client import Api, Client

COUNT_MOTION = """
window.motions = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const motion = animate.call(this, frames, options);
  if (Number(motion.effect.getComputedTiming().activeDuration) > 20) window.motions++;
  return motion;
};
for (const begins of ['animationstart', 'transitionrun'])
  addEventListener(begins, ({ target }) => {
    const lasts = (one) => Number(one.effect.getComputedTiming().activeDuration) > 20;
    if (target.getAnimations().some(lasts)) window.motions++;
  });
"""


def is_dark(page: Page) -> bool:
    settle(page)
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
    return red + green + blue < 3 * 80


def test_the_page_follows_the_systems_dark_mode(visit: Visits) -> None:
    assert is_dark(visit("/", dark=True))
    assert not is_dark(visit("/"))


def test_dark_mode_can_be_chosen_and_is_remembered(visit: Visits) -> None:
    page = visit("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("Dark", exact=True).click()
    assert is_dark(page)
    page.reload()
    assert is_dark(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("Light", exact=True).click()
    assert not is_dark(page)


def _motions(visit: Visits, api: Api, moving: bool) -> int:
    """The number of animations while a few turns were played."""
    page = visit("/about", moving=moving, alone=True)
    page.add_init_script(COUNT_MOTION)
    page.goto(against_bots(api).link)
    player = Player(page)
    for _ in range(5):
        player.wait().move()
    player.wait()
    motions: int = page.evaluate("window.motions")
    return motions


def test_cards_are_animated(visit: Visits, api: Api) -> None:
    assert _motions(visit, api, moving=True) > 5


def test_reduced_motion_stops_animations(visit: Visits, api: Api) -> None:
    assert _motions(visit, api, moving=False) == 0


def trips_that_end_the_turn(client: Client) -> list[list[str]]:
    """Round trips with two tickets from the same pile, which give no extra turn."""
    trips = [move["tickets"] for move in client.moves() if move["do"] == "lay"]
    return [trip for trip in trips if len({ticket.split("-")[0] for ticket in trip}) < len(trip)]


def test_no_move_is_offered_during_an_animation(visit: Visits, api: Api) -> None:
    place, _ = until(api, trips_that_end_the_turn)
    with api.join(place.table, place.secret) as client:
        trip = trips_that_end_the_turn(client)[0]
    player = Player(visit(place.link, moving=True)).wait()
    player.choose(*trip)
    player.button("lay").click()
    expect(player.log).to_contain_text("You make a round trip")
    assert not player.asked(), "the turn is over, and still the page offers something to do"


def test_the_lobby_offers_every_game_in_the_order_of_the_catalogue(visit: Visits) -> None:
    page = visit("/")
    posters = page.locator("[data-testid^=lobby-poster-]")
    expect(posters).to_have_count(len(games()))
    for number, name in enumerate(games()):
        poster = posters.nth(number)
        expect(poster).to_have_attribute("data-testid", f"lobby-poster-{name}")
        expect(poster).to_be_visible()
        expect(poster.get_by_role("button", name="Play now")).to_be_visible()


def test_one_click_in_the_lobby_sits_down_against_bots(visit: Visits) -> None:
    page = visit("/")
    page.get_by_test_id("play-now-round-trip").click()
    player = Player(page).wait()
    player.take(player.open_piles.first)
    expect(player.hand).to_have_count(1)


def test_events_are_announced_to_screen_readers(visit: Visits, api: Api) -> None:
    player = Player(visit(against_bots(api).link)).wait()
    spoken = player.page.get_by_test_id("announcer")
    player.take(player.open_piles.first)
    expect(spoken).to_contain_text("You take")


LINES = """words => words.map(word => {
    const text = document.createRange();
    text.selectNodeContents(word);
    return new Set([...text.getClientRects()].map(box => box.top)).size;
})"""


def test_the_widest_words_of_word_traveler_are_not_broken(visit: Visits, api: Api) -> None:
    def holds_one(client: Client) -> bool:
        hand = {card["word"] for card in client.now["view"]["plan"]["hand"]}
        return not hand.isdisjoint({"Handmade", "Questionable", "Underground"})

    page = visit(reach(api, lambda: in_new_york(api), holds_one, prefer("done")).link)
    words = page.locator("[data-testid=word] .word").filter(has_not_text="-")
    expect(words.first).to_be_visible()
    page.evaluate("document.fonts.ready")
    assert set(words.evaluate_all(LINES)) == {1}, f"a word is broken: {words.all_inner_texts()}"
