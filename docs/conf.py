"""The site that `make site` makes of these pages and of those that tools/pages.py writes.

The pages lie where a code host shows them, so the sources are the whole repository. Links are
written as paths of files, which both follow.
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tools.pages import write_reference  # noqa: E402  # found by the path above

project = "Beisitzer"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "version"
]
project_copyright = ""
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click"]
root_doc = "docs/index"
include_patterns = ["*.md", "reference/*.md", "docs/**.md"]
exclude_patterns = [".venv*", "build", "dist"]

myst_heading_anchors = 4
# docstrings say `name` of everything that is code
default_role = "literal"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"Beisitzer {version}"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# summaries are fetched, which browsers forbid to a page that was opened from a folder
html_show_search_summary = False


def read_docstring(
    _app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Let indented blocks of a docstring be code, as they are meant, in place of quotations."""
    read: list[str] = []
    for line in lines:
        before = next((each for each in reversed(read) if each.strip()), "")
        begins = line.startswith("    ") and read and not read[-1].strip()
        if begins and not before.startswith(("  ", "- ")) and not before.endswith("::"):
            read += ["::", ""]
        read.append(line)
    lines[:] = read


def quote_example(_app: Sphinx, _context: Any, lines: list[str]) -> None:
    """Let the example below a command's options be code."""
    lines[:] = ["::", "", *(f"    {line}" for line in lines)] if any(lines) else []


def list_contents(_app: Sphinx, name: str, source: list[str]) -> None:
    """Let the links of the page of contents be the site's contents too."""
    if name == root_doc:
        pages = dict.fromkeys(re.findall(r"\]\(([^)#]+\.md)\)", source[0]))
        listed = "\n".join(pages)
        source[0] += f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{listed}\n```\n"
        source[0] += "\n## To look up\n\n```{toctree}\n:glob:\n\n../reference/*\n```\n"


def setup(app: Sphinx) -> None:
    """Write the pages to look up, and connect the hooks."""
    write_reference(ROOT / "reference")
    app.connect("source-read", list_contents)
    app.connect("autodoc-process-docstring", read_docstring)
    app.connect("sphinx-click-process-epilog", quote_example)
