"""What `beisitzer play` offers on a machine of its own: a USB stick."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pi_app.screens.base import TICK, Item, Push
from pi_app.screens.context import Context
from pi_app.settings.file import user_file
from pi_app.system.host import HELPER_SOCKET


def add_stick(ctx: Context, helper: Path = HELPER_SOCKET) -> None:
    """Add the stick's menu to the System menu, if this machine has the helper."""
    if ctx.store.path is not None and helper.is_socket():
        ctx.system_items.append(partial(_items, ctx, ctx.store.path))


def _items(ctx: Context, store: Path) -> Sequence[Item]:
    def open_menu() -> Push:
        from pi_app.card.stick import HelpersSticks  # a table without sticks does without
        from pi_app.card.stick_menu import StickMenu

        return Push(TICK, screen=StickMenu(ctx, HelpersSticks(), user_file(), store))

    return ((ctx.texts("title", "USB stick"), open_menu),)
