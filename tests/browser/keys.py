"""Uses the page with the keyboard only, and checks that the focus is never lost and always visible."""

from typing import Any

from playwright.sync_api import Locator, Page

MAX_STOPS = 80
"""The maximum number of stops between two elements."""

FOCUS = """() => {
  const here = document.activeElement;
  if (!here || here === document.body) return null;
  const outlined = [here, here.closest('label')].some((part) => {
    const style = part && getComputedStyle(part);
    return style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  });
  const box = here.getBoundingClientRect();
  const near = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  // The middle of a route may be a gap, through which the one beside it is seen.
  const besides = top !== null && !here.contains(top) && !top.contains(here) && !here.ownerSVGElement?.contains(top);
  const covered = near && besides;
  return { what: here.outerHTML.slice(0, 160), outlined, near, covered };
}"""

STEPS_TO = f"""(target) => {{
  const here = document.activeElement ?? document.body;
  const focus = ({FOCUS})();
  if (here === target) return {{ focus, key: null, link: target.matches('a') }};
  const group = target.hasAttribute('data-piece') ? target.closest('[role=group]') : null;
  const back = here.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING && here !== document.body;
  return {{ focus, key: group?.contains(here) ? 'ArrowRight' : back ? 'Shift+Tab' : 'Tab' }};
}}"""


REGAINED = """async (loaded) => {
  if (performance.timeOrigin !== loaded) return true;
  for (let frames = 0; frames < 30; frames++) {
    if (document.activeElement && document.activeElement !== document.body) return true;
    // A part that waits for the server has no enabled button yet.
    if (document.querySelector('[aria-busy=true]')) frames = 0;
    await new Promise(requestAnimationFrame);
  }
  return false;
}"""
"""Whether something has the focus, or soon has it again after what had it was removed, or the page was loaded again."""


class Keys:
    """Tab moves between parts, arrows between pieces; Enter and Space press buttons, Enter follows links."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._presses = 0
        self._loaded = 0.0

    def press(self, target: Locator) -> None:
        """Move the focus to an element and press it."""
        if self._presses:
            # It moves on with the next frame.
            assert self.page.evaluate(REGAINED, self._loaded), f"the focus was lost on the way to {target}"
        is_link = self.go(target)
        self._presses += 1
        self._loaded = self.page.evaluate("performance.timeOrigin")
        self.page.keyboard.press("Enter" if is_link or self._presses % 2 else "Space")

    def go(self, target: Locator) -> bool:
        """Move the focus to an element, checking it at every stop. Returns whether it is a link."""
        for stops in range(MAX_STOPS):
            way = target.evaluate(STEPS_TO)
            if stops:
                _is_seen(way["focus"])
            if way["key"] is None:
                return bool(way["link"])
            self.page.keyboard.press(way["key"])
        raise AssertionError(f"the keyboard does not reach {target}")

    def look(self) -> None:
        """Fails if the focused element does not show the focus."""
        _is_seen(self.page.evaluate(FOCUS))


def _is_seen(focus: dict[str, Any] | None) -> None:
    if focus is not None:
        assert focus["outlined"], f"the focus is not visible on {focus['what']}"
        assert focus["near"], f"the focus is out of sight, on {focus['what']}"
        assert not focus["covered"], f"the focus is hidden by something else, on {focus['what']}"
