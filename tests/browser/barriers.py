"""What keeps people out of a page: the rules of WCAG 2.1 AA, tried in the page itself by axe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

__all__ = ["WCAG", "barriers", "is_too_wide"]

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


RUN = """([rules, places]) => {
  const all = document.body.querySelectorAll('*');
  const within = places ? {include: places.map(place => all[place])} : document;
  return axe.run(within, {runOnly: rules, resultTypes: ['violations']});
}"""


def barriers(page: Page, places: Sequence[int] | None = None) -> list[str]:
    """Return each barrier that axe finds: the rule and the element.

    It looks at the whole page, or at those elements of its body that are counted in `places`.
    """
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE)
    found = page.evaluate(RUN, [WCAG, places])
    return [
        f"{each['id']}: {node['html'][:120]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def is_too_wide(page: Page) -> bool:
    """Whether the page would have to be pushed sideways to be read."""
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))
