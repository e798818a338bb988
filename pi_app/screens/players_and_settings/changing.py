"""Changing a setting at the table, and taking the change back."""

import logging
from abc import abstractmethod
from collections.abc import Callable

from pi_app.screens.base import BAD, OK, Action, MenuScreen, PageScreen, Push, Stay
from pi_app.screens.context import Context
from pi_app.settings.schema import value_of, with_value
from pi_app.texts.language import Texts, language_for
from pi_app.view.frame import Frame

log = logging.getLogger(__name__)


def change(ctx: Context, key: str, value: object) -> bool:
    """Change a setting immediately; tell whether it could be stored for the next start.

    `ctx.changed` remembers what it was before.
    """
    adopt(ctx, key, value)
    return _store(ctx, key, value)


def adopt(ctx: Context, key: str, value: object) -> None:
    """Use a setting immediately, and remember a different previous value."""
    before = value_of(ctx.settings, key)
    if (type(value), value) != (type(before), before):  # True equals 1
        ctx.changed.append((key, before))
    _set(ctx, key, value)


def undo_change(ctx: Context) -> bool:
    """Take back the last change; tell whether that could be stored."""
    key, value = ctx.changed.pop()
    _set(ctx, key, value)
    return _store(ctx, key, value)


def _set(ctx: Context, key: str, value: object) -> None:
    ctx.settings = with_value(ctx.settings, key, value=value)
    if key == "language":
        ctx.texts = Texts(language_for(str(value)))


def _store(ctx: Context, key: str, value: object) -> bool:
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


class SettingsMenu(MenuScreen):
    """A menu that changes settings: STAR takes back the last change, also one of another menu."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx, "")

    @abstractmethod
    def heading(self) -> str:
        """Return the title; asked for each frame, because the language may have changed."""

    def frame(self) -> Frame:
        self.title = self.heading()
        return super().frame()

    def star(self) -> tuple[str, Callable[[], Action]] | None:
        return (self.tx("soft", "revert"), self._undo) if self.ctx.changed else None

    def _undo(self) -> Action:
        name, _ = self.ctx.changed[-1]
        if not undo_change(self.ctx):
            return Push(not_stored_page(self.ctx, self.heading()), signals=BAD)
        from pi_app.screens.players_and_settings.setting_words import (
            describe,  # only a changed setting needs it
        )

        self._why = self.tx("line", "Again: {what}", what=describe(self.ctx, name))
        return Stay(OK)
