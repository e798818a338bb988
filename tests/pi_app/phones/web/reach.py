"""Whether everybody can use a page: contrasts, names for what is heard, sizes for a finger."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

TOUCH = 48
"""What is touched is at least so wide and high, in CSS pixels (about 9 mm)."""
TOUCHED = "button:visible, a:visible, input:visible, select:visible, summary:visible"

CUT = """() => [...document.querySelectorAll("button, a, .seat, .verdict, h1")]
    .filter((each) => !each.closest(".unseen") && each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.textContent)"""


def serious(page: Page) -> list[str]:
    """Return what the checker finds serious on the page, and where."""
    return [
        f"{found['id']}: {found['help']}: {[node['target'] for node in found['nodes']][:3]}"
        for found in Axe().run(page).response["violations"]
        if found["impact"] in ("serious", "critical")
    ]


def out_of_reach(page: Page) -> list[str]:
    """Return words that are cut, and what a finger misses: too small, or beside the page."""
    assert page.viewport_size is not None
    width = page.viewport_size["width"]
    found: list[str] = page.evaluate(CUT)
    touched = page.locator(TOUCHED).all()
    assert len(touched) > 3
    for each in touched:
        is_box = each.get_attribute("type") in ("checkbox", "radio")  # their label is touched
        box = (each.locator("xpath=..") if is_box else each).bounding_box()
        assert box is not None
        is_small = min(box["width"], box["height"]) < TOUCH - 0.5
        if is_small or not 0 <= box["x"] <= width - box["width"] + 0.5:
            found.append(f"{each.inner_text() or each.get_attribute('name')}: {box}")
    return found
