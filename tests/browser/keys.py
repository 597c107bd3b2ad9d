"""Pressing things with keys alone, and seeing all the way where the focus is."""

from typing import Any

from playwright.sync_api import Locator, Page

FAR = 80
"""More stops than any page has between two things."""

FOCUS = """() => {
  const here = document.activeElement;
  if (!here || here === document.body) return null;
  const outlined = [here, here.closest('label')].some((part) => {
    const style = part && getComputedStyle(part);
    return style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  });
  const box = here.getBoundingClientRect();
  const near = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return { what: here.outerHTML.slice(0, 160), outlined, near };
}"""

WAY = f"""(target) => {{
  const here = document.activeElement ?? document.body;
  const focus = ({FOCUS})();
  if (here === target) return {{ focus, key: null, link: target.matches('a') }};
  const group = target.hasAttribute('data-piece') ? target.closest('[role=group]') : null;
  const back = here.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING && here !== document.body;
  return {{ focus, key: group?.contains(here) ? 'ArrowRight' : back ? 'Shift+Tab' : 'Tab' }};
}}"""


class Keys:
    """Tab goes from part to part, arrows go from piece to piece, Enter and Space press: a link, only Enter."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._presses = 0

    def press(self, target: Locator) -> None:
        """Go there and press it."""
        is_link = self.go(target)
        self._presses += 1
        self.page.keyboard.press("Enter" if is_link or self._presses % 2 else "Space")

    def go(self, target: Locator) -> bool:
        """Go there, and see the focus at every stop. Whether it is a link."""
        for stops in range(FAR):
            way = target.evaluate(WAY)
            if stops:
                _is_seen(way["focus"])
            if way["key"] is None:
                return bool(way["link"])
            self.page.keyboard.press(way["key"])
        raise AssertionError(f"the keyboard does not reach {target}")

    def look(self) -> None:
        """Whatever has the focus shows it."""
        _is_seen(self.page.evaluate(FOCUS))


def _is_seen(focus: dict[str, Any] | None) -> None:
    if focus is not None:
        assert focus["outlined"], f"nobody can see that the focus is on {focus['what']}"
        assert focus["near"], f"the focus is out of sight, on {focus['what']}"
