"""The page around every board: tables, the log, the prompt, hints, shortcuts and a slow server."""

import re

from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import Visits, eventually
from tests.browser.player import Player
from tests.browser.positions import against_bots, of_people
from tests.browser.serving import Wire
from tests.server.client import Api


def test_giving_up_a_seat_asks_first_and_can_be_undone(visit: Visits, api: Api) -> None:
    place = against_bots(api)
    page = visit(place.link)
    Player(page).wait()
    page.goto("/")
    row = page.get_by_role("listitem").filter(has_text="In progress")
    row.get_by_test_id("remove-table").click()
    page.get_by_test_id("keep-seat").click()
    expect(row).to_be_visible()
    row.get_by_test_id("remove-table").click()
    page.get_by_test_id("give-up-seat").press("Enter")
    expect(row).to_have_count(0)
    expect(page.get_by_test_id("undo-remove")).to_be_focused()
    page.get_by_test_id("undo-remove").click()
    expect(row).to_be_visible()
    page.goto(f"/table/{place.table}")
    expect(page.get_by_test_id("players")).to_contain_text("You")


GAP = "log => log.scrollHeight - log.scrollTop - log.clientHeight"


def test_the_log_follows_when_its_panel_changes_size(visit: Visits, api: Api) -> None:
    page = visit(of_people(api, "Ada", "Bruno")[0].link)
    log = page.get_by_test_id("log")
    Player(page).wait()
    said = page.get_by_label("Say something")

    def say(words: str) -> None:
        said.fill(words)
        said.press("Enter")
        expect(log).to_contain_text(words)

    for number in range(3):
        say(f"{'a long story ' * 35}, part {number}")
    for height, words in (("300px", "while it is low"), ("", "when it is high again")):
        # A browser that has to fit the log into another height may scroll it a little.
        page.get_by_test_id("players").evaluate(
            "(list, high) => new Promise(done => { list.style.minHeight = high;"
            " document.querySelector('[data-testid=log]').scrollTop -= 60;"
            " requestAnimationFrame(() => setTimeout(done)); })",
            height,
        )
        say(f"{'a long story ' * 9}, {words}")
        assert log.evaluate(GAP) < 40, f"the log does not follow {words}"
    log.evaluate("log => new Promise(done => { log.scrollTop -= 300; requestAnimationFrame(() => setTimeout(done)); })")
    say("one more")
    assert log.evaluate(GAP) > 100, "a reader who scrolled back is left alone"


def test_the_layout_is_stable_while_somebody_thinks(visit: Visits, api: Api) -> None:
    player = Player(visit(against_bots(api, 2).link)).wait()
    page = player.page
    page.evaluate(
        """() => {
            const heights = (window.heights = new Set());
            const players = document.querySelector('[data-testid=players]');
            new ResizeObserver(() => heights.add(players.offsetHeight)).observe(players);
        }"""
    )
    for _ in range(4):
        player.wait().move()
    player.wait()
    # A line about a player may grow with what the player has; a turn alone must not move anything.
    heights = page.evaluate("[...window.heights]")
    assert len(heights) == 1, f"the list of players changes its height: {heights}"


def test_the_host_can_let_a_bot_play_for_an_absent_player_with_one_press(visit: Visits, api: Api) -> None:
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    opened = api.post("/api/tables", {"game": "round-trip", "seats": seats, "options": {"start": "2"}, "patience": 0})
    api.sit(opened["table"], "Bruno")
    page = visit(f"/table/{opened['table']}#seat=0.{opened['secret']}")
    bruno = page.get_by_test_id("players").locator("li").nth(1)
    expect(bruno).to_contain_text("away")
    expect(bruno).not_to_contain_text("thinking")
    expect(page.get_by_test_id("prompt-note")).to_contain_text("Bruno")
    page.get_by_test_id("bot-for-absent").click()
    expect(bruno).to_contain_text("Normal bot plays")
    expect(page.get_by_test_id("bot-for-absent")).to_have_count(0)


def test_an_unanswered_request_is_shown_as_pending_and_then_as_late(visit: Visits, api: Api, wire: Wire) -> None:
    player = Player(visit(of_people(api, "Ada", "Bruno")[0].link, by=wire)).wait()
    page = player.page
    page.clock.install()
    wire.stall()
    player.open_piles.first.click()
    page.clock.run_for(1100)
    expect(page.get_by_test_id("pending")).to_have_text("Sending your move…")
    page.clock.run_for(4500)
    expect(page.get_by_test_id("connection")).to_contain_text("slow to answer")
    wire.flow()
    expect(player.open_piles).to_have_count(0)
    expect(page.get_by_test_id("pending")).to_have_count(0)
    expect(page.get_by_test_id("connection")).to_be_empty()

    page.goto("/")
    play = page.get_by_test_id("play-now-round-trip")
    expect(play).to_be_visible()
    wire.stall()
    play.click()
    page.clock.run_for(1100)
    expect(page.get_by_test_id("waiting")).to_have_text("Waiting for the server…")
    page.clock.run_for(4500)
    expect(page.get_by_test_id("waiting")).to_contain_text("slow to answer")
    wire.flow()
    expect(player.prompt).to_be_visible()
    expect(page.get_by_test_id("waiting")).to_be_empty()


BOARD_AT_REST = """async () => {
    await document.fonts.ready;
    const place = () => document.querySelector(".board").getBoundingClientRect().toJSON();
    let last = "";
    for (let frames = 0; frames < 10; frames++) {
        const now = JSON.stringify(place());
        if (now !== last) frames = 0;
        last = now;
        await new Promise(requestAnimationFrame);
    }
    return place();
}"""


def board_at(page: Page, width: int, height: int) -> object:
    """Where the board ends up in a window of this size: the layout takes several frames."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(f"innerWidth === {width}")
    return page.evaluate(BOARD_AT_REST)


def test_a_hint_does_not_move_the_board(visit: Visits, api: Api) -> None:
    player = Player(visit(against_bots(api).link)).wait()
    page = player.page
    before = board_at(page, 1280, 800)
    panel = player.button("hint-panel")
    player.button("hint").click()
    expect(panel).to_be_visible()
    after = board_at(page, 1280, 800)
    assert after == before, f"the board moved from {before} to {after}"
    expect(panel).to_be_in_viewport(ratio=0.99)

    after = board_at(page, 360, 740)
    expect(panel).to_be_in_viewport(ratio=0.99)
    panel.get_by_role("button", name="Close the hint").click()
    expect(panel).to_be_hidden()
    before = board_at(page, 360, 740)
    assert after == before, f"on a phone the board moved from {before} to {after}"


def test_escape_leaves_the_chat_and_shortcuts_are_not_typed_into_it(visit: Visits, api: Api) -> None:
    page = visit(against_bots(api).link)
    Player(page).wait()
    chat = page.get_by_label("Say something")
    page.keyboard.down("c")
    expect(chat).to_be_focused()
    page.keyboard.down("c")
    page.keyboard.up("c")
    expect(chat).to_have_value("")
    page.keyboard.type("hi")
    page.keyboard.press("Escape")
    expect(chat).not_to_be_focused()
    page.keyboard.press("r")
    expect(chat).to_have_value("hi")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_prompt_links_to_the_rulebook_once(visit: Visits, api: Api) -> None:
    page = visit(against_bots(api).link)
    Player(page).wait()
    why = page.get_by_test_id("prompt-rules")
    expect(why).to_have_accessible_name(re.compile("In the rulebook: RT-"))
    why.click()
    expect(page.get_by_role("dialog")).to_contain_text("RT-")


def test_at_1280_by_800_a_selection_covers_no_player(visit: Visits, api: Api) -> None:
    table = of_people(api, "Ada", "Bruno", "Carla", "Dino")[0].table
    page = visit(f"/table/{table}")
    selection, dock = (page.locator(part).first.bounding_box() for part in (".selecting", ".dock.left > *"))
    assert selection is not None
    assert dock is not None
    assert selection["y"] + selection["height"] <= dock["y"], "the selection covers the first player"


def test_the_board_of_round_trip_keeps_its_size(visit: Visits, api: Api) -> None:
    player = Player(visit(against_bots(api).link)).wait()
    page = player.page
    page.evaluate(
        """() => {
            const sizes = (window.sizes = new Set());
            const middle = document.querySelector('.board .middle');
            new ResizeObserver(() => sizes.add(`${middle.offsetWidth} x ${middle.offsetHeight}`)).observe(middle);
        }"""
    )
    for _ in range(6):
        player.wait().move()
    player.wait()
    sizes = page.evaluate("[...window.sizes]")
    assert len(sizes) == 1, f"the board changes its size: {sizes}"


def test_itchy_feet_needs_no_scrolling_at_1280_by_800(visit: Visits, api: Api) -> None:
    opened = api.open("me", "open", "open", "open", game="itchy-feet")
    for name in ("Bruno", "Carla", "Dino"):
        api.sit(opened["table"], name)
    page = visit(f"/table/{opened['table']}#seat=0.{opened['secret']}")
    expect(page.get_by_text("Your backpack")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") <= 800


def test_ticket_to_ride_needs_no_scrolling_at_1280_by_800(visit: Visits, api: Api) -> None:
    opened = api.open("me", "open", game="ticket-to-ride-italy")
    api.sit(opened["table"], "Bruno")
    page = visit(f"/table/{opened['table']}#seat=0.{opened['secret']}")
    expect(page.get_by_text("Keep 5 tickets")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") <= 800


def test_settings_are_in_one_place_and_remembered(visit: Visits) -> None:
    page = visit("/")
    page.get_by_role("button", name="Settings").click()
    form = page.get_by_test_id("settings")
    form.get_by_label("Your name").fill("Ada")
    form.get_by_text("At once", exact=True).click()
    form.get_by_text("Fast", exact=True).click()
    expect(form.get_by_test_id("sounds")).not_to_be_checked()
    form.get_by_test_id("patterns").check()
    page.reload()
    page.get_by_role("button", name="Settings").click()
    expect(form.get_by_label("Your name")).to_have_value("Ada")
    for chosen in ("At once", "Fast"):
        expect(form.get_by_label(chosen, exact=True)).to_be_checked()
    expect(page.locator("html[data-patterns]")).to_have_count(1)


LISTEN = """() => {
    [window.tones, window.buzzes, window.echoes] = [[], [], 0];
    const Tone = window.OscillatorNode;
    const last = {};
    window.OscillatorNode = class extends Tone {
        constructor(context, options) {
            super(context, options);
            const [tone, now] = [options.frequency, performance.now()];
            window.tones.push(tone);
            if (now - last[tone] < 50) window.echoes++;
            last[tone] = now;
        }
    };
    navigator.vibrate = (pattern) => window.buzzes.push(pattern) > 0;
}"""
"""Notes every tone and every vibration, and how often a tone comes again before one could hear it end."""


def test_sounds_speed_and_patterns_do_what_the_settings_say(visit: Visits, api: Api) -> None:
    page = visit("/about", alone=True, moving=True)
    page.add_init_script(f"({LISTEN})()")
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    place = against_bots(api)
    page.goto(place.link)
    player = Player(page)
    while not page.evaluate("buzzes.length"):
        player.wait().move()
        player.wait()
    assert page.evaluate("tones.includes(1250)"), "a card makes no sound"
    assert page.evaluate("tones.includes(880)"), "one's own turn makes no sound"
    page.get_by_role("button", name="Sounds: on").click()
    page.evaluate("tones.length = buzzes.length = 0")
    player.wait().move()
    player.wait()
    assert page.evaluate("tones.length + buzzes.length") == 0, "sounds are off, and something is heard"

    assert not any('"bot-pause","on":false' in one for one in sent)
    page.get_by_test_id("menu").click()
    page.get_by_test_id("open-settings").click()
    settings = page.get_by_test_id("settings")
    settings.get_by_text("At once", exact=True).click()
    settings.get_by_test_id("patterns").check()
    assert any('"bot-pause","on":false' in one for one in sent), "the server does not hear that bots play at once"
    pattern = page.locator("[data-token]").first.evaluate("token => getComputedStyle(token).backgroundImage")
    assert "gradient" in pattern, f"a token has no pattern: {pattern}"

    settings.get_by_test_id("sounds").check()
    settings.get_by_text("Off", exact=True).click()
    for _ in range(2):
        page.keyboard.press("Escape")
    for _ in range(4):
        player.wait().move()
        player.wait()
    assert page.evaluate("tones.includes(1250)"), "sounds are on again, and a card makes none"
    assert page.evaluate("echoes") == 0, "moves that come together are heard as one"


def test_what_happened_since_the_last_turn_is_marked(visit: Visits, api: Api) -> None:
    opened = api.open("me", "normal", options={"turn_limit": 10, "start": "2"})
    player = Player(visit(f"/table/{opened['table']}#seat={opened['seat']}.{opened['secret']}")).wait()
    since = player.page.get_by_test_id("since")
    phone = ViewportSize(width=360, height=740)
    player.page.set_viewport_size(phone)
    expect(since, "nobody who has not moved yet had a last turn").to_contain_text("So far")
    expect(since, "the news are about somebody").to_contain_text("Nellie")
    player.page.set_viewport_size({"width": 1280, "height": 560})
    while player.log.evaluate("log => log.scrollHeight < log.clientHeight + 60"):
        player.wait().move()
        player.wait()
    while not player.page.get_by_test_id("since-line").count():
        player.wait().move()
        player.wait()
    expect(player.page.get_by_test_id("since-line")).to_have_text("Since your last turn")
    assert eventually(player.page, lambda: player.log.evaluate(GAP) < 4), "the mark pushes the last line out of sight"
    player.page.set_viewport_size(phone)
    expect(since).to_contain_text("Since your last turn")
    since.click()
    expect(player.page.get_by_role("dialog", name="Log")).to_be_visible()
