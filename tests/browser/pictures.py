"""Takes the screenshots in docs/pictures from a real server: `make pictures`.

Normal bots play every seat for a while. Then one seat is handed back, and the page is photographed when it is that
seat's turn.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.browser.conftest import QUIET, settle
from tests.browser.positions import Place
from tests.browser.serving import ServerProcess
from tests.server.client import PATIENCE, Api

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
SIZE: ViewportSize = {"width": 1280, "height": 800}


class Scene(NamedTuple):
    """A table to photograph: its game, the number of bots, and the number of events before the picture."""

    game: str
    bots: int
    events: int
    options: dict[str, Any] | None = None
    strength: str = "normal"


SCENES = (
    Scene("round-trip", 2, 45, strength="easy"),
    Scene("ticket-to-ride-italy", 2, 110),
    Scene("itchy-feet", 3, 60, {"special_items": True, "postcards": True, "characters": True}),
    Scene("journey-istanbul", 3, 60),
    Scene("word-traveler", 2, 40),
    Scene("postcards-home", 2, 40),
)


def main() -> None:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-headless-shell")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        try:
            api = Api(server.url)
            for scene in SCENES:
                photograph(browser, api, bring_to(api, scene).link, scene.game)
        finally:
            browser.close()
            server.stop()


def bring_to(api: Api, scene: Scene) -> Place:
    """Open tables until one is far enough, not over, and waits for the first seat."""
    seats = [{"kind": "me", "name": "Ada"}, *({"kind": "bot", "bot": scene.strength} for _ in range(scene.bots))]
    while True:
        opened = api.post("/api/tables", {"game": scene.game, "seats": seats, "options": scene.options or {}})
        place = Place(opened["table"], opened["seat"], opened["secret"])
        with api.join(place.table, place.secret) as client:
            client.ask("bot", seat=client.seat, bot=scene.strength)
            client.until(lambda: client.last >= scene.events or client.over())
            client.ask("bot", seat=client.seat, bot=None)
            client.until(client.my_turn)
            if not client.over():
                return place


def photograph(browser: Browser, api: Api, path: str, name: str) -> None:
    context = browser.new_context(base_url=api.url, viewport=SIZE, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto(path)
    arrive(page)
    file = PICTURES / f"{name}.png"
    page.screenshot(path=file)
    context.close()
    Image.open(file).convert("RGB").quantize(256).save(file, optimize=True)
    print(f"{file.name}: {file.stat().st_size // 1024} KB")


def arrive(page: Page) -> None:
    """Wait until nothing moves, and dismiss what only a newcomer sees."""
    expect(page.get_by_test_id("prompt")).to_be_visible()
    newcomer = page.get_by_role("button", name="I know this game")
    if newcomer.is_visible():
        newcomer.click()
    page.evaluate("document.fonts.ready")
    settle(page)


if __name__ == "__main__":
    main()
