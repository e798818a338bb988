"""Options for picture files, with a check of the name's ending, and saving the pictures."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pi_app.commands.console import refuse, system_words, texts
from pi_app.texts.common import join_choices
from pi_app.texts.language import Texts

_F = TypeVar("_F", bound=Callable[..., Any])


def picture_option(name: str, words: str, *ends: str) -> Callable[[_F], _F]:
    """Return an option for a picture's file; status 2 if its name has none of these endings."""

    def check_ending(ctx: click.Context, _: click.Parameter, path: Path | None) -> Path | None:
        if path is not None and path.suffix.lower() not in ends:
            tx = texts(ctx.params.get("lang"))
            kinds = join_choices(tx, ends)
            refuse(tx("cli", "{path}: the name must end in {choices}", path=path, choices=kinds))
        return path

    return click.option(name, type=click.Path(path_type=Path), callback=check_ending, help=words)


def save_picture(tx: Texts, save: Callable[[Path], object], path: Path) -> None:
    """Save a picture in the format of its name's ending, or end with status 2."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path)
    except (OSError, ValueError) as error:
        refuse(f"{path}: {system_words(tx, error)}")
