"""Writes the site's reference pages from the code: settings, commands, API."""

from pathlib import Path

from pi_app.settings.schema import entries

_SETTINGS = """\
# Settings

Every setting, with its default. Write down only what you change; `beisitzer config --explain`
prints them all.
"""

_COMMANDS = """\
# Commands

`beisitzer` and `python -m pi_app` are the same. `web`, `link`, `wifi` and `stopped` are for systemd
and `play --web`.

```{eval-rst}
.. click:: pi_app.commands.cli:main
   :prog: beisitzer
   :nested: full
```
"""

_API = """\
# API reference

The modules that a program, or a game of somebody's own, may import.

```{eval-rst}
.. automodule:: engines
   :members:
   :imported-members:

.. automodule:: beisitzer.plugin
   :members:
   :no-index:

.. automodule:: beisitzer.plugin.rules
   :members:
   :imported-members:
   :no-index:

.. automodule:: beisitzer.plugin.presentation
   :members:
   :imported-members:
   :no-index:

.. automodule:: beisitzer.plugin.screens
   :members:
   :imported-members:
   :no-index:

.. automodule:: beisitzer.plugin.ai
   :members:
   :imported-members:
   :no-index:

.. automodule:: beisitzer.testing.samples
   :members:

.. automodule:: beisitzer.testing.pilot
   :members:
```
"""


def settings_page() -> str:
    lines = [_SETTINGS]
    table: str | None = None
    for entry in entries():
        outer, _, name = entry.key.rpartition(".")
        if outer != table:
            table = outer
            lines.append(f"\n## `[{outer}]`\n" if outer else "\n## Above all tables\n")
            lines += ["| setting | default | allowed | meaning |", "|---|---|---|---|"]
        unit = f" ({entry.unit})" if entry.unit else ""
        lines.append(f"| `{name}` | `{entry.default}` | {entry.allowed}{unit} | {entry.text} |")
    return "\n".join(lines) + "\n"


def write_reference(folder: Path) -> None:
    """Write the three pages into a folder of the site's sources."""
    folder.mkdir(exist_ok=True)
    pages = {"settings": settings_page(), "commands": _COMMANDS, "api": _API}
    for name, page in pages.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text("utf-8") != page:  # Sphinx reads new files again
            path.write_text(page, "utf-8")
