"""Translates the help of every command: click does the layout, the catalogues have the words."""

import re
from collections.abc import Iterable
from typing import Any

import click

from pi_app.commands.console import texts
from pi_app.commands.usage import placeholders
from pi_app.texts.language import Texts

PROGRAM = "beisitzer"


class HelpContext(click.Context):
    """The context of a command whose help is in the table's language, or in that of --lang."""

    def make_formatter(self) -> click.HelpFormatter:
        tx = texts(self.params.get("lang"))
        return _HelpFormatter(tx, width=self.terminal_width, max_width=self.max_content_width)


def add_help(command: click.Command, example: str) -> click.Command:
    """Make a command and its subcommands show translated help with an example; return it."""
    command.epilog = example
    subcommands = command.commands.values() if isinstance(command, click.Group) else ()
    for any_command in (command, *subcommands):
        any_command.context_class = HelpContext
    return command


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a help text, each in one line as in the catalogues."""
    return [" ".join(part.split()) for part in text.split("\n\n")]


WORDS_OF_CLICK = (
    *("Usage:", "Options", "Commands", "Show this message and exit."),
    *("required", "default"),
)
"""Words that click itself writes; the catalogues translate them too."""
_ADDED = re.compile(r"\brequired\b(?=[;\]])|\bdefault\b(?=: )")


class _HelpFormatter(click.HelpFormatter):
    """Translates what click would write in English."""

    def __init__(self, tx: Texts, **widths: Any) -> None:
        super().__init__(**widths)
        self._tx = tx

    def _translate(self, text: str) -> str:
        return self._tx("cli", text) if text else ""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        start = prefix if prefix is not None else f"{self._translate('Usage:')} "
        super().write_usage(prog, placeholders(self._tx, args), start)

    def write_heading(self, heading: str) -> None:
        super().write_heading(self._translate(heading))

    def write_text(self, text: str) -> None:
        if text.startswith(f"{PROGRAM} "):  # commands are the same in every language
            tx = self._tx
            super().write_text(tx("cli", "Example: {call}", call=text))
            return
        super().write_text("\n\n".join(self._translate(part) for part in paragraphs(text)))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        translated = []
        for name, text in rows:
            # click may add two spaces and [required] or the default
            words, gap, added = text.partition("  [")
            added = _ADDED.sub(lambda word: self._translate(word[0]), added)
            translated.append(
                (placeholders(self._tx, name), f"{self._translate(words)}{gap}{added}")
            )
        super().write_dl(translated, col_max, col_spacing)
