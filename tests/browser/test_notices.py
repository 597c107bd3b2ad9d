"""How the page notifies a player of their turn: the title of the tab, a sound, and the browser's notifications."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits, eventually
from tests.browser.positions import of_people
from tests.browser.serving import ServerProcess, Wire
from tests.browser.test_people import with_passport
from tests.server.client import Api, Client
from tests.server.test_notices import Browser, Inbox, pass_turn, signed_claims
from tests.server.test_passports import passport

TITLE = "Round Trip Italy · Grand Tour"
TURN = [659, 880]
"""The two notes of the sound for one's turn, in hertz."""

LISTEN = """
  // A page in the background gets no frames, and a machine of tests has no loudspeaker.
  window.heard = [];
  window.leave = () => {
    for (const [name, value] of [['hidden', true], ['visibilityState', 'hidden']])
      Object.defineProperty(document, name, { configurable: true, get: () => value });
    window.requestAnimationFrame = () => 0;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const nothing = () => undefined;
  const gain = { setValueAtTime: nothing, linearRampToValueAtTime: nothing, exponentialRampToValueAtTime: nothing };
  window.AudioContext = class { currentTime = 0; destination = {}; resume = async () => undefined; };
  window.GainNode = class { gain = gain; connect = (to) => to; };
  window.OscillatorNode = class {
    constructor(_, { frequency }) { this.start = () => window.heard.push(frequency); }
    connect = (to) => to;
    stop = nothing;
  };
"""


SUBSCRIBE = """
  // As if the browser had a push service: it cannot be reached from here.
  Notification.requestPermission = async () => 'granted';
  const bytes = (text) => {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(letters, (one) => one.charCodeAt(0)).buffer;
  };
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    window.key = applicationServerKey;
    return { endpoint: subscription.endpoint, getKey: (name) => bytes(subscription[name]) };
  };
"""


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    made = Inbox()
    yield made
    made.close()


def heard(page: Page) -> list[int]:
    """The tones that have been played since the last call."""
    found: list[int] = page.evaluate("heard.splice(0)")
    return found


def leave(page: Page) -> None:
    """Look at another tab."""
    page.evaluate("leave()")


def waiting_in_the_background(visit: Visits, api: Api) -> tuple[Page, Client, Client]:
    """Ada has moved on her page and looks at another one, while it is Bruno's turn."""
    ada, bruno = of_people(api, "Ada", "Bruno")
    page = visit("/about", alone=True, moving=True)
    page.add_init_script(LISTEN)
    page.goto(ada.link)
    expect(page, "it is her turn").to_have_title(f"● Your turn · {TITLE}")
    # Browsers allow no sound before the first press.
    page.get_by_test_id("prompt").click()
    me, other = api.join(ada.table, ada.secret), api.join(bruno.table, bruno.secret)
    pass_turn(me, other)
    expect(page).to_have_title(TITLE)
    leave(page)
    heard(page)
    return page, me, other


def test_a_page_in_the_background_announces_the_turn_by_its_title_and_a_sound(visit: Visits, api: Api) -> None:
    page, me, other = waiting_in_the_background(visit, api)
    with me, other:
        pass_turn(other, me)
        expect(page).to_have_title(f"● Your turn · {TITLE}")
        assert eventually(page, lambda: page.evaluate("heard.length") == len(TURN))
        assert heard(page) == TURN, "and nothing of what Bruno did is heard"


def test_sounds_can_be_switched_off(visit: Visits, api: Api) -> None:
    page, me, other = waiting_in_the_background(visit, api)
    page.get_by_role("button", name="Sounds: on").click()
    with me, other:
        pass_turn(other, me)
        expect(page).to_have_title(f"● Your turn · {TITLE}")
        assert heard(page) == []


def test_a_browser_subscribes_to_notices_gets_them_and_unsubscribes(
    visit: Visits, inbox: Inbox, tmp_path: Path
) -> None:
    """Everything is real except the push service, which runs on this machine and forwards what it gets."""
    browser = Browser()
    with ServerProcess(tmp_path, notice_anywhere=True, notice_wait=0.0, notice_pause=0.0) as server:
        wire = Wire(server.url)
        api = Api(server.url)
        ada = passport(api)
        page = with_passport(visit, ada, "/about", by=wire, installed=True)
        page.add_init_script(f"window.subscription = {json.dumps(browser.keys(f'{inbox.url}/push/1'))};{SUBSCRIBE}")
        page.goto("/passport")
        panel = page.get_by_test_id("notices")
        panel.get_by_test_id("notices-here").click()
        expect(panel.get_by_role("status")).to_have_text("Notices are on for this device.")
        key: str = page.evaluate("window.key")

        opened = api.open("me", "open", options={"turn_limit": 10, "start": "1"}, passport=ada["secret"])
        api.sit(opened["table"], "Bruno")
        assert eventually(page, lambda: bool(inbox.got))
        path, headers, body = inbox.got[0]
        assert path == "/push/1"
        assert signed_claims(headers["Authorization"], key)["aud"] == inbox.url
        sent = browser.read(body)
        assert sent["url"] == f"/table/{opened['table']}"
        assert delivered(page, wire.url, sent) == ["Your turn — Round Trip Italy", "With Bruno.", sent["url"]]

        panel.get_by_test_id("notices-off").click()
        expect(panel.get_by_role("status")).to_have_text("All notices are off.")
        told = api.post("/api/passport/notices", {"passport": ada["secret"]})
        assert (told["on"], told["devices"]) == (False, 1)
        page.goto("about:blank")
        wire.close()


def delivered(page: Page, origin: str, message: dict[str, object]) -> list[str]:
    """Hand a message to the page's service worker. Returns the notice that it shows: a browser without a screen shows
    none, so what would be shown is noted."""
    [worker] = page.context.service_workers
    worker.evaluate(
        """() => {
          self.shown = null;
          registration.showNotification = async (title, { body, data }) => void (self.shown = [title, body, data.url]);
        }"""
    )
    session = page.context.new_cdp_session(page)
    registrations: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registrations.extend(one["registrationId"] for one in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    assert eventually(page, lambda: bool(registrations))
    wanted = {"origin": origin, "registrationId": registrations[0], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", wanted)
    assert eventually(page, lambda: worker.evaluate("self.shown") is not None)
    shown: list[str] = worker.evaluate("self.shown")
    return shown
