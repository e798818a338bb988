"""How much help the companion shows a player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pi_app.context import Context

HelpLevel = Literal["none", "sums", "legal"]


def help_level(ctx: Context, name: str) -> HelpLevel:  # noqa: ARG001
    """Return the help level of the player with this name: everybody has the settings' one."""
    return ctx.settings.help.level
