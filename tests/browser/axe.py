"""Checks a page with axe-core, which must find nothing serious."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import ROOT, settle

AXE = (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
BAD = ["serious", "critical"]
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that can fail in dark mode although they pass in light mode."""
# Each rule has an impact; rules with a lower one need not run.
RUN = """async ([bad, only, where]) => {
  const rules = axe._audit.rules.filter(({ enabled, impact }) => enabled && bad.includes(impact)).map(({ id }) => id);
  const runOnly = { type: 'rule', values: only ?? rules };
  return (await axe.run(where, { runOnly, resultTypes: ['violations'], preload: false })).violations;
}"""


def assert_accessible(page: Page, night: bool = True, inside: str = "html", outside: str = "") -> None:
    """Check the page in light and dark mode; only in light mode if another test has checked the same colours.

    `inside` is the part to check, `outside` a part of it that has been checked before.
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
