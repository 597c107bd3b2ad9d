"""Pressing things with keys alone, and seeing all the way where the focus is."""

from playwright.sync_api import Locator, Page

FAR = 80
"""More stops than any page has between two things."""

LOOK = """(target) => {
  const here = document.activeElement ?? document.body;
  if (here === target) return { there: true };
  const group = target.hasAttribute('data-piece') ? target.closest('[role=group]') : null;
  const back = here.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING && here !== document.body;
  return { there: false, key: group?.contains(here) ? 'ArrowRight' : back ? 'Shift+Tab' : 'Tab' };
}"""

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


class Keys:
    """Tab goes from part to part, arrows go from piece to piece, Enter and Space press: a link, only Enter."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._presses = 0

    def press(self, target: Locator) -> None:
        """Go there and press it."""
        self.go(target)
        self._presses += 1
        is_link = target.evaluate("(target) => target.matches('a')")
        self.page.keyboard.press("Enter" if is_link or self._presses % 2 else "Space")

    def go(self, target: Locator) -> None:
        """Go there, and see the focus at every stop."""
        for _ in range(FAR):
            way = target.evaluate(LOOK)
            if way["there"]:
                return
            self.page.keyboard.press(way["key"])
            self.look()
        raise AssertionError(f"the keyboard does not reach {target}")

    def look(self) -> None:
        """Whatever has the focus shows it."""
        focus = self.page.evaluate(FOCUS)
        if focus is not None:
            assert focus["outlined"], f"nobody can see that the focus is on {focus['what']}"
            assert focus["near"], f"the focus is out of sight, on {focus['what']}"
