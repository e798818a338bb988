"""The generator's settings, for both languages: `-D language=de` chooses German."""

import tomllib
from pathlib import Path

from sphinx.application import Sphinx

from tools.site import hooks
from tools.site.navigation import ROOT

_HERE = Path(__file__).parent

project = "Beisitzer"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "version"
]
project_copyright = ""
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
locale_dirs = [str(_HERE / "locale")]
templates_path = [str(_HERE / "templates")]

myst_heading_anchors = 4
# links that tools.site.sources writes: to the other language, and to files that are copied
myst_url_schemes = {
    "http": None,
    "https": None,
    "page": {"url": "{{path}}", "classes": ["other-language"]},
    "part": {"url": "{{path}}#{{fragment}}", "classes": ["other-language"]},
    "copy": {"url": "{{path}}"},
}

# docstrings say `name` of everything that is code
default_role = "literal"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
viewcode_line_numbers = False

html_theme = "furo"
html_title = f"Beisitzer {version}"
html_static_path = [str(_HERE / "static")]
html_css_files = ["site.css"]
html_js_files = ["found.js"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# summaries are fetched, which browsers forbid to a page that was opened from a folder
html_show_search_summary = False
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/language.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/only-english.html",
        "sidebar/scroll-end.html",
    ]
}
pygments_style = "default"


def setup(app: Sphinx) -> None:
    """Add what this project's pages and docstrings need."""
    hooks.connect(app)
