"""axe-core finds nothing serious in what a page shows."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import ROOT, settle

AXE = (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
BAD = ["serious", "critical"]
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that night could break and day not."""
# A rule says how bad it is to break it: the others need not be looked at.
RUN = """async ([bad, only, where]) => {
  const rules = axe._audit.rules.filter(({ enabled, impact }) => enabled && bad.includes(impact)).map(({ id }) => id);
  const runOnly = { type: 'rule', values: only ?? rules };
  return (await axe.run(where, { runOnly, resultTypes: ['violations'], preload: false })).violations;
}"""


def everyone_can_use(page: Page, night: bool = True, inside: str = "html", outside: str = "") -> None:
    """By day and by night; by day alone where another test has seen the same colours.

    `inside` is all that is new on the page since it was looked at last, `outside` what has been looked at before.
    """
    where = {"include": [inside], "exclude": [outside] if outside else []}
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE + "; undefined")
    settle(page)
    _nothing_serious(page, where)
    if night:
        page.emulate_media(color_scheme="dark")
        settle(page)
        _nothing_serious(page, where, COLOURS)
        page.emulate_media(color_scheme="light")


def _nothing_serious(page: Page, where: dict[str, list[str]], only: list[str] | None = None) -> None:
    found: list[dict[str, Any]] = page.evaluate(RUN, [BAD, only, where])
    told = [_told(one) for one in found]
    assert not told, " | ".join(told)


def _told(one: dict[str, Any]) -> str:
    return f"{one['help']} ({one['id']}): {'; '.join(node['html'][:120] for node in one['nodes'][:3])}"
