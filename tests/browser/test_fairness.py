"""The browser checks whether the shuffle was fair, with the same dice as Python."""

import json
import os
import random
import re
import shutil
import subprocess

from librt.vecs import vec
from mypy_extensions import i64
from playwright.sync_api import Page, Route, expect

from grandtour.engine.dice import SealedDice, seal
from tests.browser.axe import assert_accessible
from tests.browser.conftest import ROOT, Visits
from tests.browser.narrow import HIGH, WIDE, assert_nothing_cut_off
from tests.browser.positions import finished
from tests.server.client import PATIENCE, Api

DRAW_IN_NODE = """
import { build } from 'vite';
import { readFileSync } from 'node:fs';
const lib = { entry: 'src/kit/sealedDice.ts', formats: ['es'] };
const [built] = await build({ configFile: false, logLevel: 'silent', build: { write: false, lib } });
const code = built.output[0].code;
const { SealedDice, sealOf } = await import('data:text/javascript,' + encodeURIComponent(code));
const answers = JSON.parse(readFileSync(0, 'utf8')).map(({ secret, draws }) => {
  const dice = new SealedDice(secret);
  return [sealOf(secret), draws.map((n) => (n > 0 ? dice.below(n) : dice.shuffled([...Array(-n).keys()])))];
});
process.stdout.write(JSON.stringify(answers));
"""
"""Draws with the page's own dice: a number below n, or for -n a shuffle of n cards."""


def draw(dice: SealedDice, n: int) -> int | list[int]:
    if n > 0:
        return int(dice.below(n))
    cards = vec[i64](range(-n))
    dice.shuffle(cards, 0, -n)
    return [int(card) for card in cards]


def test_the_pages_dice_match_pythons() -> None:
    rng = random.Random(7)
    asked: list[tuple[bytes, list[int]]] = []
    for _ in range(20):
        numbers = [rng.choice([1, 2, 6, rng.randrange(1, 200), rng.randrange(1, 1 << 31), 1 << 31]) for _ in range(300)]
        shuffles = [-rng.randrange(0, 110) for _ in range(5)]
        draws = [n or 1 for n in rng.sample(numbers + shuffles, 305)]
        asked.append((rng.randbytes(32), draws))
    node = shutil.which("node", path=f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}")
    assert node is not None, "the page was built without Node"
    ended = subprocess.run(
        [node, "--input-type=module", "-e", DRAW_IN_NODE],
        cwd=ROOT / "web",
        input=json.dumps([{"secret": secret.hex(), "draws": draws} for secret, draws in asked]),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ended.returncode == 0, ended.stderr
    for (secret, draws), (sealed, drawn) in zip(asked, json.loads(ended.stdout), strict=True):
        dice = SealedDice(secret)
        assert sealed == seal(secret)
        assert drawn == [draw(dice, n) for n in draws]


def check_fairness(page: Page) -> None:
    """Go to the end of the replay and check the shuffle."""
    expect(page.get_by_test_id("replay-controls")).to_be_visible()
    page.keyboard.press("End")
    page.get_by_text("Was the shuffle fair?").click()
    page.get_by_test_id("check-dice").click()


def test_a_fair_shuffle_passes_every_check(visit: Visits, api: Api) -> None:
    table = finished(api)[0].table
    page = visit(f"/replay/{table}", size=(WIDE, HIGH))
    check_fairness(page)
    fairness = page.get_by_test_id("fairness")
    expect(fairness).to_contain_text("has only the server’s word for the seal")
    expect(fairness).to_contain_text("All chance came from the secret.")
    assert_nothing_cut_off(page, "the check of the dice")
    fairness.get_by_text("Step by step").click()
    expect(fairness.get_by_role("listitem").filter(has_text="Set-up")).to_contain_text("6 shuffles (")
    assert_accessible(page, inside="[data-testid=fairness]")
    fairness.get_by_role("button", name="Set-up").click()
    expect(page.get_by_test_id("replay-controls").locator("b")).to_have_text(re.compile(r"^0 / "))


def test_a_stacked_deck_is_detected(visit: Visits, api: Api) -> None:
    table = finished(api)[0].table

    def stack_the_deck(route: Route) -> None:
        told = route.fetch().json()
        cards = told["steps"][0]["draws"][0]["after"]
        cards.append(cards.pop(next(place for place, card in enumerate(cards) if card != cards[-1])))
        route.fulfill(json=told)

    page = visit(f"/replay/{table}")
    page.route("**/dice", stack_the_deck)
    check_fairness(page)
    expect(page.get_by_test_id("fairness")).to_contain_text("Set-up differs.")


def test_the_seal_noted_during_the_match_overrides_the_servers(visit: Visits, api: Api) -> None:
    table = finished(api)[0].table
    page = visit("/about")
    noted = json.dumps([[table, "ab" * 32]])
    page.evaluate("noted => localStorage.setItem('grandtour.seals', noted)", noted)
    page.goto(f"/replay/{table}")
    check_fairness(page)
    expect(page.get_by_test_id("fairness")).to_contain_text("The seal does not match.")
