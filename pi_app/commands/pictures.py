"""Pictures that a command draws into a file: which names they may have, and writing them."""

from collections.abc import Callable
from pathlib import Path

import click

from pi_app.commands.console import refuse, system_words, texts
from pi_app.texts.common import either
from pi_app.texts.language import Texts


def png_only(ctx: click.Context, _: click.Parameter, path: Path | None) -> Path | None:
    """Return the path of an option whose picture is a PNG; status 2 for another ending."""
    return _ending(ctx, path, ".png")


def png_or_svg(ctx: click.Context, _: click.Parameter, path: Path | None) -> Path | None:
    """Return the path of an option whose picture is a PNG or an SVG; status 2 for another."""
    return _ending(ctx, path, ".png", ".svg")


def _ending(ctx: click.Context, path: Path | None, *ends: str) -> Path | None:
    if path is not None and path.suffix.lower() not in ends:
        tx = texts(ctx.params.get("lang"))
        kinds = either(tx, ends)
        refuse(tx("cli", "{path}: the name must end in {choices}", path=path, choices=kinds))
    return path


def save_picture(tx: Texts, save: Callable[[Path], object], path: Path) -> None:
    """Let a picture save itself as its name ends, or end with status 2."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path)
    except (OSError, ValueError) as error:
        refuse(f"{path}: {system_words(tx, error)}")
