"""The pages as files: small, all from here, in the table's words and the window's colours."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import pi_app.phones.web
from pi_app.displays.window.theme import DARK, LIGHT, PLAYERS, RGB, SHADES, STRANGER, Theme
from pi_app.phones.web.app import served
from pi_app.phones.web.words import words
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.view.frame import Mark, Tone
from pi_app.view.keying import LETTERS

PAGES = Path(pi_app.phones.web.__file__).parent / "pages"
NAMES = ("table", "keys", "hand", "history", "pair", "network")
CODE = sorted(PAGES.glob("*.js"))
BUDGET = 60_000
"""Bytes of a first load, before compression."""


class Tags(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(served(PAGES / f"{page}.html").decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] in ("script", "style"):
            assert not data.strip(), "the page says code or style in itself"


def first_load(page: str) -> set[str]:
    """Return the names of all files that a browser fetches for a page."""
    wanted = [f"{page}.html"]
    for _, attributes in Tags(page).found:
        if attributes.get("rel") != "apple-touch-icon":  # fetched when it is put on a home screen
            wanted += [attributes[name] for name in ("src", "href") if name in attributes]
    found: set[str] = set()
    while wanted:
        name = wanted.pop().rsplit("/", 1)[-1]
        if name in found:
            continue
        found.add(name)
        if name.endswith(".js"):
            wanted += re.findall(r'from "(.+?)"', (PAGES / name).read_text("utf-8"))
    return found


@pytest.mark.parametrize("page", NAMES)
def test_a_first_load_is_small_with_everything_that_belongs_to_it(page: str) -> None:
    files = first_load(page)
    assert {"style.css", "manifest.webmanifest", "icon.png", f"{page}.js"} <= files
    said = [json.dumps(words(Texts(language), page), ensure_ascii=False) for language in LANGUAGES]
    texts = max(len(text.encode()) for text in said)
    assert sum(len(served(PAGES / name)) for name in files) + texts <= BUDGET


def test_code_is_served_without_what_only_people_read(tmp_path: Path) -> None:
    (script := tmp_path / "a.js").write_text(
        """// Why.

/** What it does.
 * @param {string} a */
function f(a) {
  // how
  const b = /** @type {Element} */ (a);
  /** @type {Element} */ (b).focus("// no comment"); // beside code
  /* one */ g("https://a.example/*"); /* two
  */
}
""",
        "utf-8",
    )
    assert (
        served(script).decode()
        == """function f(a) {
const b = (a);
(b).focus("// no comment"); // beside code
/* one */ g("https://a.example/*"); /* two
*/
}
"""
    )
    (style := tmp_path / "a.css").write_text("/* why */\n\na {\n  b: c; /* d */\n}\n", "utf-8")
    assert served(style) == b"a {\nb: c; /* d */\n}\n"


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.name)
def test_no_text_of_the_code_spans_lines_whose_indents_are_left_out(path: Path) -> None:
    for line in served(path).decode().splitlines():
        assert line.count("`") % 2 == 0
        assert not line.endswith("\\")


def test_no_file_lies_there_that_no_page_wants() -> None:
    wanted = {name for page in NAMES for name in first_load(page)}
    icons = json.loads((PAGES / "manifest.webmanifest").read_text("utf-8"))["icons"]
    later = {name for path in CODE for name in re.findall(r'import\("./(.+?)"\)', path.read_text())}
    wanted |= later | {icon["src"].rsplit("/", 1)[-1] for icon in icons}
    wanted |= {"icon.png", "head.html"}  # and the head of all pages
    assert {path.name for path in PAGES.iterdir()} == wanted


@pytest.mark.parametrize("page", NAMES)
def test_a_page_says_no_script_and_no_style_in_itself(page: str) -> None:
    for tag, attributes in Tags(page).found:
        assert tag != "style"
        assert tag != "script" or "src" in attributes
        assert not any(name == "style" or name.startswith("on") for name in attributes)


@pytest.mark.parametrize("path", sorted(PAGES.glob("*.*")), ids=lambda path: path.name)
def test_nothing_comes_from_another_host(path: Path) -> None:
    if path.suffix == ".png":
        return
    text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    assert "//" not in re.sub(r"//[ /].*|/\*.*?\*/", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.name)
def test_no_text_ever_becomes_markup_code_or_a_style_attribute(path: Path) -> None:
    code = path.read_text("utf-8")
    for danger in (
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        '"style"',
    ):
        assert danger not in code


def _asked() -> tuple[set[str], set[str]]:
    """Return the names of words that the code asks for, and the beginnings of those it makes."""
    names: set[str] = set()
    begun: set[str] = set()
    for path in CODE:
        code = path.read_text("utf-8")
        names |= set(re.findall(r'"([a-z][\w-]*)"', code))
        begun |= set(re.findall(r"t\(`([\w-]+-)\$\{", code))
    return names, begun


def test_the_code_asks_for_words_that_are_there() -> None:
    said = words(Texts("en"))
    for path in CODE:
        for name in re.findall(r'\bt\("([\w-]+)"', path.read_text("utf-8")):
            assert name in said, f"{path.name} asks for {name}"
    for begin in _asked()[1]:
        assert any(name.startswith(begin) for name in said), begin


def test_every_word_is_asked_for() -> None:
    names, begun = _asked()
    for name in words(Texts("en")).keys() - {"language"}:
        assert name in names or any(name.startswith(begin) for begin in begun), name


def test_every_mark_and_every_colour_has_a_word() -> None:
    said = words(Texts("de"))
    assert {f"mark-{mark}" for mark in Mark} <= said.keys()
    assert {f"colour-{colour}" for colour in PLAYERS} <= said.keys()
    assert said["language"] == "de"
    assert said["page-hand"] == "Meine Hand"


def test_the_phone_writes_the_letters_that_the_digits_have() -> None:
    said = words(Texts("en"))
    assert {digit: said[f"digit-{digit}"] for digit in range(10)} == LETTERS


def _hex(colour: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def test_stones_and_fields_have_the_window_s_colours_and_shapes() -> None:
    code = (PAGES / "stone.js").read_text("utf-8")
    for colour, paint in PLAYERS.items():
        ink = "WHITE" if paint.ink == (255, 255, 255) else "BLACK"
        assert f'{colour}: ["{_hex(paint.fill)}", {ink}, "{paint.shape}"]' in code
    assert f'["{_hex(STRANGER.fill)}", BLACK, "{STRANGER.shape}"]' in code
    shades = ", ".join(f'"{_hex(shade)}"' for shade in SHADES)
    assert f"SHADES = [{shades}]" in (PAGES / "board.js").read_text("utf-8")
    for colour, paint in PLAYERS.items():
        assert f".of-{colour} {{ --own: {_hex(paint.fill)}; }}" in _style()


def _style() -> str:
    return (PAGES / "style.css").read_text("utf-8")


@pytest.mark.parametrize(("theme", "at"), [(DARK, 0), (LIGHT, 1)])
def test_the_themes_have_the_window_s_colours(theme: Theme, at: int) -> None:
    block = re.findall(r":root(?:\[.*?\])? \{(.*?)\n\}", _style(), re.DOTALL)[at]
    set_here = dict(re.findall(r"--([\w-]+): (#\w+);", block))
    wanted = {
        "ground": theme.background,
        "panel": theme.area,
        "text": theme.text,
        "faint": theme.faint,
        "line": theme.line,
        "pressed": theme.pressed,
        **{str(tone): theme.tones[tone] for tone in Tone},
        **{f"{tone}-tint": theme.tints[tone] for tone in Tone},
    }
    for name, colour in wanted.items():
        assert set_here[name] == _hex(colour), name
