"""The pages' files for browsers: few, small, and named by their content."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from pi_app.texts.language import Texts

PAGES = Path(__file__).parent / "pages"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
"""The kinds of files that a page may name."""
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
"""A file's name changes with its content, so a browser never asks for one again."""
WORDS = b"<!-- words -->"
"""The place of the words that its scripts say."""
LANGUAGE = b'lang="en"'
PLACE = b"PLACE"
"""Stands in a page for the name of its script."""
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n", re.MULTILINE | re.DOTALL)
"""A comment in a script or a style with nothing else on its lines."""
_TYPE = re.compile(r"/\*\* @type \{[^*\n]*\} \*/ ?")
"""A type comment within a line."""
_INDENT = re.compile(r"^\s+", re.MULTILINE)
_NAMED = re.compile(rb"/static/([\w-]+\.\w+)")
_STYLE = re.compile(r'^@import "\./([\w.-]+)";\n', re.MULTILINE)
_IMPORT = re.compile(r'^import (?:(?:\* as )?(.+) from )?"\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)


class PageFiles:
    """The file `page.html` of the first folder, and all files that it names.

    A file is in the first of the folders that has one of its name. A page for each of `places` is
    made, where `page.html` names its script by PLACE. OSError if a file is missing.
    """

    def __init__(self, *folders: Path, places: Iterable[str] = ("",)) -> None:
        self._folders = folders
        self._files: dict[str, tuple[bytes, str]] = {}
        html = (folders[0] / "page.html").read_bytes()
        self._pages = {
            place: self._with_names(html.replace(PLACE, place.encode())) for place in places
        }

    def page(self, tx: Texts, words: Mapping[str, str], place: str = "") -> Response:
        """Return a response with a page and the words of its scripts."""
        # "<" is written otherwise: no word may end the element that has them all
        data = json.dumps(words, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        html = self._pages[place].replace(WORDS, data.encode())
        html = html.replace(LANGUAGE, f'lang="{tx.language}"'.encode())
        return Response(html, headers={"Cache-Control": "no-cache"}, media_type="text/html")

    def file(self, request: Request) -> Response | None:
        """Return a response with the file `name` of the address; None if there is none."""
        data, kind = self._files.get(request.path_params["name"], (None, None))
        return None if data is None else Response(data, headers=FOREVER, media_type=kind)

    def _with_names(self, text: bytes) -> bytes:
        """Return a text with the served names of the files."""
        return _NAMED.sub(lambda found: b"/static/" + self._served(found[1].decode()), text)

    def _served(self, name: str) -> bytes:
        """Prepare a file and return the name under which it is served."""
        path = self._find(name)
        if path.suffix == ".js":
            data = "".join(self._modules(path.stem, {}).values()).encode()
        elif path.suffix == ".css":
            data = _stripped(self._style(path)).encode()
        else:
            data = self._with_names(path.read_bytes())
        served = f"{path.stem}.{hashlib.sha256(data).hexdigest()[:12]}{path.suffix}"
        self._files[served] = data, TYPES[path.suffix]
        return served.encode()

    def _find(self, name: str) -> Path:
        there = (folder / name for folder in self._folders if (folder / name).is_file())
        return next(there, self._folders[0] / name)

    def _style(self, path: Path) -> str:
        """Return a style with its imported styles inserted."""
        text = path.read_text("utf-8")
        return _STYLE.sub(lambda found: self._style(self._find(found[1])), text)

    def _modules(self, name: str, done: dict[str, str]) -> dict[str, str]:
        """Add a script to `done`, after the scripts that it imports; each becomes a function.

        So one file has them all. A script may import all names or some, and may export functions
        and constants.
        """
        text = _stripped(self._find(f"{name}.js").read_text("utf-8"))
        for _, other in _IMPORT.findall(text):
            if other not in done:
                self._modules(other, done)

        def imported(found: "re.Match[str]") -> str:
            return f"const {found[1].replace(' as ', ': ')} = ${found[2]};\n" if found[1] else ""

        exported = ", ".join(_EXPORT.findall(text))
        body = _EXPORT.sub("", _IMPORT.sub(imported, text))
        done[name] = f"const ${name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
        return done


def _stripped(text: str) -> str:
    """Return a script or a style without comments and indentation."""
    return _INDENT.sub("", _TYPE.sub("", _COMMENT.sub("", text)))
