"""Checks for a phone 360 pixels wide: nothing may be cut off."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.player import Player

WIDE, HIGH = 360, 740

CUT_OFF = """(wide) => {
  const found = [];
  const leaves = (box) => box.left < -0.5 || box.right > wide + 0.5;
  const hidden = (one) => !one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const forTheEar = (one) => one && (getComputedStyle(one).clipPath === 'inset(50%)' || forTheEar(one.parentElement));
  const unseen = (one) => hidden(one) || forTheEar(one);
  const scrolls = (one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowX);

  if (document.documentElement.scrollWidth > wide)
    found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const one of document.querySelectorAll('button, a, input, select, summary')) {
    const box = one.getBoundingClientRect();
    if (!unseen(one) && leaves(box)) found.push(`${one.outerHTML.slice(0, 80)} leaves the screen`);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const holder = text.parentElement;
    if (!text.data.trim() || holder.closest('svg') || unseen(holder)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
    if (boxes.some(leaves)) found.push(`"${text.data.trim()}" leaves the screen`);
    for (let one = holder; one && !scrolls(one); one = one.parentElement) {
      if (getComputedStyle(one).overflowX === 'visible') continue;
      const edge = one.getBoundingClientRect();
      if (boxes.some((box) => box.left < edge.left - 1 || box.right > edge.right + 1))
        found.push(`"${text.data.trim()}" is cut short`);
    }
  }
  return [...new Set(found)];
}"""


def assert_nothing_cut_off(page: Page, where: str) -> None:
    found = page.evaluate(CUT_OFF, WIDE)
    assert not found, f"{where}: {'; '.join(found)}"


def assert_hand_within_reach(player: Player) -> None:
    """Fails unless every ticket is on the screen without scrolling, and wide enough for a finger."""
    for held in player.hand.all():
        name = held.get_attribute("data-ticket")
        expect(held, f"{name} is not all on the screen").to_be_in_viewport(ratio=0.99)
        box = held.bounding_box()
        assert box is not None
        assert box["width"] >= 44, f"{name} is too narrow for a finger: {box}"


def visit_on_phone(visit: Visits, path: str) -> Page:
    return visit(path, size=(WIDE, HIGH), touch=True)
