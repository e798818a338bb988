"""How much help the companion shows a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_app.players import HelpLevel, known_player

if TYPE_CHECKING:
    from pi_app.context import Context

__all__ = ["HelpLevel", "help_level"]


def help_level(ctx: Context, name: str) -> HelpLevel:
    """Return the help level the player with this name chose, else the settings' one."""
    return known_player(ctx.store, name).help or ctx.settings.help.level
