"""Changing a setting at the table."""

import logging
from dataclasses import replace

from pi_app.screens.base import PageScreen
from pi_app.screens.context import Context

log = logging.getLogger(__name__)


def change(ctx: Context, key: str, value: object) -> bool:
    """Change a setting immediately; tell whether it could be stored for the next start."""
    table, _, name = key.rpartition(".")  # "language" is in no table
    if table:
        changed_table = replace(getattr(ctx.settings, table), **{name: value})
        ctx.settings = replace(ctx.settings, **{table: changed_table})
    else:
        ctx.settings = replace(ctx.settings, **{name: value})  # type: ignore[arg-type]
    try:
        ctx.save(key, value)
    except (OSError, ValueError) as error:
        log.warning("the setting %s could not be stored: %s", key, error)
        return False
    return True


def not_stored_page(ctx: Context, title: str) -> PageScreen:
    """Return a page saying that a change holds only until the program ends."""
    line = ctx.texts("line", "This could not be stored: it holds until the next start.")
    return PageScreen(ctx, title, (line,))
