"""The System menu: settings, health, restart and switching off."""

from dataclasses import replace
from functools import partial

from pi_app.screens.base import (
    TICK,
    Action,
    ConfirmScreen,
    Item,
    Open,
    PageScreen,
    Push,
    Quit,
    Screen,
)
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import SettingsMenu
from pi_app.screens.players_and_settings.health import health
from pi_app.view.frame import Frame


class SystemMenu(SettingsMenu):
    """Settings that can be changed at the table, and switching off."""

    def heading(self) -> str:
        return self.tx("title", "System")

    def frame(self) -> Frame:
        return with_notice(self.ctx, super().frame())

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        entries: list[Item] = [
            (tx("item", "Language"), partial(self._settings, "language")),
            (tx("item", "Sounds"), partial(self._settings, "sounds")),
            (tx("item", "Voice"), partial(self._settings, "voice")),
            (tx("item", "Displays"), partial(self._settings, "display")),
            (tx("title", "Phone"), lambda: Open(TICK, "phones")),
            (tx("title", "All settings"), self._settings),
            (
                tx("title", "Health"),
                lambda: Push(PageScreen(self.ctx, tx("title", "Health"), health(self.ctx))),
            ),
        ]
        entries += [item for items in self.ctx.system_items for item in items()]
        if self.ctx.appliance:
            entries += [
                (
                    tx("item", "Restart"),
                    lambda: Push(_power_screen(self.ctx, "restart", tx("title", "Restart?"))),
                ),
                (tx("item", "Switch off"), lambda: Push(stop_screen(self.ctx))),
            ]
            # in safe mode, after failed starts, people can ask for a start with everything
            if self.ctx.before is not None and self.ctx.before.safe_mode:
                entries.append((tx("item", "Normal start"), lambda: Quit(TICK, "again")))
        else:
            entries.append((tx("item", "Quit"), lambda: Quit(TICK)))
        return tuple(entries)

    def _settings(self, name: str = "") -> Action:
        """Open a setting, the settings of a table, or all tables."""
        from pi_app.screens.players_and_settings.every_setting import change_settings  # rare

        return change_settings(self.ctx, name)


def stop_screen(ctx: Context) -> Screen:
    """Return the question whether to switch off, or to end the program on people's own computer."""
    if ctx.appliance:
        return _power_screen(ctx, "off", ctx.texts("title", "Switch off?"))
    return _power_screen(ctx, "stay", ctx.texts("title", "Stop?"))


def _power_screen(ctx: Context, power: str, title: str) -> Screen:
    """Return a question; "no" comes first."""
    rows = (ctx.texts("item", "no"), ctx.texts("item", "yes"))
    return ConfirmScreen(ctx, title, rows, partial(Quit, TICK, power))


def with_notice(ctx: Context, frame: Frame) -> Frame:
    """Return a menu's frame with the sentence that concerns the whole table, if there is room."""
    notice = "" if frame.body.lines else ctx.notice
    return replace(frame, body=replace(frame.body, lines=(notice,))) if notice else frame
