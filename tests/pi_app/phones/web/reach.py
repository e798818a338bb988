"""Whether everybody can use a page: contrasts, names for what is heard, sizes for a finger."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

TOUCH = 48
"""What is touched is at least so wide and high, in CSS pixels (about 9 mm)."""

CUT = """() => [...document.querySelectorAll("button, a, .seat, .verdict, h1")]
    .filter((each) => !each.closest(".unseen") && each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.textContent)"""

TOUCHED = """() => [...document.querySelectorAll("button, a, input, select, summary")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map((each) => {
      const touched = ["checkbox", "radio"].includes(each.type) ? each.parentElement : each;
      const { x, width, height } = touched.getBoundingClientRect();
      return { name: each.innerText || each.name, x, width, height, seen: each.offsetWidth > 0 };
    })
    .filter((each) => each.seen)"""
"""What is touched and where it is; of a box to be ticked the label is touched."""


def serious(page: Page, *rules: str) -> list[str]:
    """Return what the checker finds serious on the page, by all its rules or these, and where."""
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    return [
        f"{found['id']}: {found['help']}: {[node['target'] for node in found['nodes']][:3]}"
        for found in Axe().run(page, options=options).response["violations"]
        if found["impact"] in ("serious", "critical")
    ]


def out_of_reach(page: Page) -> list[str]:
    """Return words that are cut, and what a finger misses: too small, or beside the page."""
    assert page.viewport_size is not None
    width = page.viewport_size["width"]
    found: list[str] = page.evaluate(CUT)
    touched = page.evaluate(TOUCHED)
    assert len(touched) >= 3
    for each in touched:
        is_small = min(each["width"], each["height"]) < TOUCH - 0.5
        if is_small or not 0 <= each["x"] <= width - each["width"] + 0.5:
            found.append(f"{each['name']}: {each}")
    return found
