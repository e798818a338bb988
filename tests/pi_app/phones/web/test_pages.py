"""The pages as files: small, all from here, in the table's words and the window's colours."""

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from club.web.words import PAGES as CLUB_PAGES
from pi_app.displays.window.theme import DARK, LIGHT, PLAYERS, RGB, SHADES, STRANGER, Theme
from pi_app.phones.web.files import _EXPORT, _IMPORT, PAGES, PageFiles, _stripped
from pi_app.phones.web.words import words
from pi_app.texts.language import Texts
from pi_app.view.frame import Mark, Tone

CODE = sorted(PAGES.glob("*.js"))
BUDGET = 45_000
"""Bytes of a first load, as they are sent; a frame of the table comes on top."""
REQUESTS = 8
"""The most requests of a first load: the page, what it names, its words, the stream, the seats."""


class Tags(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] in ("script", "style") and data.strip() != "{}":
            assert not data.strip(), "the page says code or style in itself"


def page() -> list[tuple[str, dict[str, str]]]:
    return Tags(bytes(PageFiles(PAGES).page(Texts("en"), {}).body).decode()).found


def files(folder: Path, **texts: str) -> dict[str, bytes]:
    """Write a page that names its script and its style; return what is served, by name."""
    texts = {"page.html": "/static/a.js /static/a.css /static/b.png", "b.png": "png", **texts}
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    made = PageFiles(folder)
    return {name.partition(".")[2][13:]: data for name, (data, _) in made._files.items()}


def test_a_first_load_is_small_with_everything_that_belongs_to_it() -> None:
    served = PageFiles(PAGES)
    named = {value for _, each in page() for key, value in each.items() if key in ("src", "href")}
    kinds = {name.rsplit(".", 1)[1] for name in named}
    assert kinds == {"css", "js", "png", "webmanifest"}
    sent = [served._files[name.rsplit("/", 1)[1]][0] for name in named]
    sent.append(bytes(served.page(Texts("de"), words(Texts("de"))).body))
    assert sum(len(gzip.compress(data)) for data in sent) <= BUDGET
    # one icon is fetched only when the page is put on a home screen
    assert len(named) - 1 + len(["page", "stream", "seats"]) <= REQUESTS


def test_code_is_served_without_what_only_people_read(tmp_path: Path) -> None:
    served = files(
        tmp_path,
        a_js="""// Why.

/** What it does.
 * @param {string} a */
function f(a) {
  // how
  const b = /** @type {Element} */ (a);
  (b).focus("// no comment"); // beside code
  /* one */ g("https://a.example/*"); /* two
*/
}
""",
        a_css="/* why */\n\na {\n  b: c; /* d */\n}\n",
    )
    assert (
        served["js"].decode()
        == """const $a = (() => {
function f(a) {
const b = (a);
(b).focus("// no comment"); // beside code
/* one */ g("https://a.example/*"); /* two
*/
}
return {  };
})();
"""
    )
    assert served["css"] == b"a {\nb: c; /* d */\n}\n"


def test_a_script_comes_in_one_file_after_all_that_it_imports(tmp_path: Path) -> None:
    served = files(
        tmp_path,
        a_js=(
            'import * as b from "./b.js";\nimport { c as d } from "./c.js";\n'
            'import "./d.js";\nb.f(d);\n'
        ),
        b_js='import { c } from "./c.js";\nexport const f = (x) => x + c;\n',
        c_js="export const c = 2;\n",
        d_js="export async function g() {}\n",
        a_css='@import "./b.css";\na {}\n',
        b_css="b {}\n",
    )
    assert served["css"] == b"b {}\na {}\n"
    assert (
        served["js"].decode()
        == """const $c = (() => {
const c = 2;
return { c };
})();
const $b = (() => {
const { c } = $c;
const f = (x) => x + c;
return { f };
})();
const $d = (() => {
async function g() {}
return { g };
})();
const $a = (() => {
const b = $b;
const { c: d } = $c;
b.f(d);
return {  };
})();
"""
    )


def test_a_files_name_changes_with_what_is_in_it_or_in_a_file_that_it_names(tmp_path: Path) -> None:
    def names(**texts: str) -> set[str]:
        files(tmp_path, **{"a_js": "", "a_css": "", **texts})
        return set(PageFiles(tmp_path)._files)

    before = names()
    assert names() == before
    assert len(names(a_js="1;\n") - before) == 1
    of_one = names(a_js='import "./b.js";\n', b_js="1;\n")
    assert len(of_one - names(a_js='import "./b.js";\n', b_js="2;\n")) == 1


def test_a_script_imports_and_exports_only_what_becomes_one_file_and_has_no_text_over_lines() -> (
    None
):
    for path in CODE:
        code = path.read_text("utf-8")
        for word, found in (("import", _IMPORT), ("export", _EXPORT)):
            lines = re.findall(rf"^{word}\b", code, re.MULTILINE)
            assert len(lines) == len(found.findall(code)), path.name
        assert not re.search(r"(?<!typeof )\bimport\(", code), path.name
        for line in _stripped(code).splitlines():
            assert line.count("`") % 2 == 0, path.name
            assert not line.endswith("\\"), path.name


def test_no_file_lies_there_that_the_page_does_not_want() -> None:
    wanted = {"page.html"}
    for path in PAGES.iterdir():
        if path.suffix in (".html", ".js", ".css", ".webmanifest"):
            text = path.read_text("utf-8")
            wanted |= set(re.findall(r'import (?:.* from )?"\./(.+?)"', text))
            wanted |= set(re.findall(r"/static/([\w.-]+)", text))
    assert {path.name for path in PAGES.iterdir()} == wanted


def test_the_page_says_no_script_and_no_style_in_itself() -> None:
    for tag, attributes in page():
        assert tag != "style"
        assert tag != "script" or {"src", "id"} & set(attributes)
        assert not any(name == "style" or name.startswith("on") for name in attributes)


DANGERS = ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", '"style"')


def test_no_text_ever_becomes_markup_code_or_a_style_attribute_or_comes_from_elsewhere() -> None:
    for path in PAGES.glob("*.*"):
        if path.suffix == ".png":
            continue
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "//" not in re.sub(r"//[ /].*|/\*.*?\*/", "", text, flags=re.DOTALL), path.name
        assert [each for each in DANGERS if each in text and path in CODE] == [], path.name


@pytest.mark.parametrize("folder", [PAGES, CLUB_PAGES])
def test_scripts_ask_for_texts_where_the_catalogues_find_them(folder: Path) -> None:
    for path in folder.glob("*.js"):
        for call in re.findall(r"\bt\((?!\")([^)]*)\)", path.read_text("utf-8")):
            is_name = re.fullmatch(r"`(colour|game)-\$\{\w+\}`", call)
            assert is_name or path.name == "words.js", f"{path.name} asks for {call}"


def test_every_mark_and_every_colour_has_a_word() -> None:
    board, said = (PAGES / "board.js").read_text("utf-8"), words(Texts("de"))
    assert all(re.search(rf"\b{mark}: t\(", board) for mark in Mark)
    assert {f"colour-{colour}" for colour in PLAYERS} <= said.keys()
    assert said["language"] == "de"
    assert said["My hand"] == "Meine Hand"


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
