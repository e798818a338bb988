"""The help of every command in the table's language: click lays it out, the catalogues say it."""

from collections.abc import Iterable
from typing import Any

import click

from pi_app.commands.console import texts
from pi_app.commands.usage import placeholders
from pi_app.texts.language import Texts


class HelpContext(click.Context):
    """The context of a command whose help is said in the table's language, or in that of --lang."""

    def make_formatter(self) -> click.HelpFormatter:
        tx = texts(self.params.get("lang"))
        return _HelpFormatter(tx, width=self.terminal_width, max_width=self.max_content_width)


def helped(command: click.Command) -> click.Command:
    """Let a command, and those in it, say their help so; return it."""
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    for one in (command, *inner):
        one.context_class = HelpContext
    return command


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a help text, each in one line: so the catalogues have them."""
    return [" ".join(part.split()) for part in text.split("\n\n")]


class _HelpFormatter(click.HelpFormatter):
    """Puts into the table's language what click would write in English."""

    def __init__(self, tx: Texts, **widths: Any) -> None:
        super().__init__(**widths)
        self._tx = tx
        self._own = _words_of_click(tx)

    def _said(self, text: str) -> str:
        return self._own.get(text) or (self._tx("cli", text) if text else "")

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        begins = prefix if prefix is not None else f"{self._own['Usage:']} "
        super().write_usage(prog, placeholders(self._tx, args), begins)

    def write_heading(self, heading: str) -> None:
        super().write_heading(self._said(heading))

    def write_text(self, text: str) -> None:
        super().write_text("\n\n".join(self._said(part) for part in paragraphs(text)))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        super().write_dl([self._row(*row) for row in rows], col_max, col_spacing)

    def _row(self, name: str, text: str) -> tuple[str, str]:
        """Return a command or an option with its help; what click adds in brackets stays."""
        words, gap, added = text.partition("  [")
        return placeholders(self._tx, name), f"{self._said(words)}{gap}{added}"


def _words_of_click(tx: Texts) -> dict[str, str]:
    return {
        "Usage:": tx("cli", "Usage:"),
        "Options": tx("cli", "Options"),
        "Commands": tx("cli", "Commands"),
        "Show this message and exit.": tx("cli", "Show this message and exit."),
    }
