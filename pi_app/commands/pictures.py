"""Pictures that a command draws into a file: which names they may have, and writing them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pi_app.commands.console import refuse, system_words, texts
from pi_app.settings.schema import either
from pi_app.texts.language import Texts

if TYPE_CHECKING:
    from PIL.Image import Image

    from pi_app.view.drawing import Drawing


def png_only(ctx: click.Context, _: click.Parameter, path: Path | None) -> Path | None:
    """Return the path of an option whose picture is a PNG; status 2 for another ending."""
    return _ending(ctx, path, ".png")


def png_or_svg(ctx: click.Context, _: click.Parameter, path: Path | None) -> Path | None:
    """Return the path of an option whose picture is a PNG or an SVG; status 2 for another."""
    return _ending(ctx, path, ".png", ".svg")


def _ending(ctx: click.Context, path: Path | None, *ends: str) -> Path | None:
    if path is not None and path.suffix.lower() not in ends:
        tx = texts(ctx.params.get("lang"))
        kinds = either(list(ends), tx)
        refuse(tx("cli", "{path}: the name must end in {choices}", path=path, choices=kinds))
    return path


def save_picture(tx: Texts, picture: Image | Drawing, path: Path) -> None:
    """Write a picture as its name ends, or end with status 2."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path)
    except (OSError, ValueError) as error:
        refuse(f"{path}: {system_words(tx, error)}")
