"""What a page says in a third language: words that were left in English, texts cut short."""

import json
import re
from collections.abc import Iterable

from playwright.sync_api import Page

from pi_app.view.multitap import LETTERS
from tests.pi_app.phones.web.layout import LONG, SHORT
from tests.scenes import scenes

Size = tuple[int, int]
SIZES: tuple[Size, ...] = ((360, 640), (412, 915), (768, 1024), (1280, 800), (1920, 1080))
"""Two phones, a tablet, a laptop and a television."""

ENGLISH = """(allowed) => {
  const found = new Set();
  const look = (text) => {
    for (const [word] of (text ?? "").matchAll(/\\p{L}{3,}/gu)) {
      // the pseudo-language has an accent on each vowel
      if (!/[aeiouy]/i.test(word) || allowed.includes(word)) continue;
      found.add(`${word} in ${text.slice(0, 50)}`);
    }
  };
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest("script,style")) look(node.data);
  }
  for (const each of document.querySelectorAll("body *")) {
    for (const name of ["aria-label", "title", "placeholder", "alt"]) look(each.getAttribute(name));
  }
  return [...found];
}"""
SHORTENED = """() => [...document.querySelectorAll("body *")].filter((each) => {
  const style = getComputedStyle(each);
  const wide = style.textOverflow === "ellipsis" && each.scrollWidth > each.clientWidth + 1;
  const high = style.webkitLineClamp !== "none" && each.scrollHeight > each.clientHeight + 1;
  return each.checkVisibility() && (wide || high);
}).map((each) => each.textContent.slice(0, 40))"""


def words_in(value: object) -> frozenset[str]:
    """Return all words of a value: what people at the table say, not the page."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return frozenset(re.findall(r"[^\W\d_]+", text))


KEPT = words_in(
    "Anna Ben Clara David Dora Emil Frieda Hans Beisitzer beisitzer numeri Sequence Einmaleins "
    "Just Fun http https local Chrome Android English Deutsch JSON"
) | {*LETTERS.values()}
"""Names of people, games, languages and browsers, addresses, the letters of the keypad."""


PEOPLE = frozenset(
    name
    for scene in scenes()
    for name in re.findall(r"(\w+) \w+(?:,|$)", scene.tags.get("Players", ""))
)
"""Who plays in scenes."""


def english(page: Page, others: Iterable[str] = ()) -> list[str]:
    """Return what a page that speaks the pseudo-language says in plain words."""
    allowed = KEPT | PEOPLE | words_in([*LONG, *SHORT]) | {*others}
    found: list[str] = page.evaluate(ENGLISH, sorted(allowed))
    return [f"left in English: {each}" for each in found]


def shortened(page: Page) -> list[str]:
    """Return the texts that a page ends before their end."""
    found: list[str] = page.evaluate(SHORTENED)
    return found
