"""The displays that people choose: the window, the terminal, plain lines."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence

from click import Option

from pi_app.run.extras import Display, NoDisplayError, Start, no_display
from pi_app.run.loop import Companion
from pi_app.settings.schema import Settings
from pi_app.view.output import Output

log = logging.getLogger(__name__)


class WindowChoice(Display):
    """The window, on a desktop or directly on a screen."""

    name = "window"
    options: Sequence[Option] = (
        Option(
            ["--rig"], is_flag=True, help="Draw the rig in the window: OLED, keypad, dice, lamp."
        ),
    )

    def is_asked(self, start: Start) -> bool:
        is_rig = start.options.get("rig") and start.options.get("display") is None
        return super().is_asked(start) or bool(is_rig)

    def wanted(self, settings: Settings) -> bool:
        """Tell whether to try a window: the settings ask for it, or there is a desktop.

        Without a desktop only the settings count: every Pi has a screen device, and finding out
        whether a screen is connected would load a graphics library.
        """
        show = settings.display.show
        return has_screen() if show == "auto" else self.name in show

    def open(self, program: Companion, start: Start) -> Output:
        """Open the window, with or without a desktop; NoDisplayError says what is missing."""
        ctx, keys = program.ctx, program.keys
        try:
            from pi_app.displays.window import (
                AwaitedWindow,
                DirectScreen,
                Look,
                NoWindowError,
                open_window,
            )
        except ImportError as error:
            from pi_app.texts.libraries import library_words  # only for this fault

            remedy = f"{sys.executable} -m pip install pygame-ce"
            raise NoDisplayError(library_words(ctx.texts, error, "pygame", remedy)) from None
        display, bare, rig = ctx.settings.display, not has_screen(), start.options.get("rig")
        look = Look(
            theme=display.theme,
            fullscreen=display.fullscreen,
            rig=bool(rig),
            size=(1280, 720) if rig else (800, 480),  # the rig is drawn beside the board
            fixed=display.board == "fixed",
            letters=ctx.texts.language,
            rotate=display.rotate if bare else 0,
            blank_after_s=display.blank_after_s,
        )
        if bare and (screen := DirectScreen()).awaits():
            log.info("no screen is plugged in yet: the window opens when there is one")
            return AwaitedWindow(screen, lambda: open_window(keys, look, ctx.texts, bare=True))
        try:
            return open_window(keys, look, ctx.texts, bare=bare)
        except NoWindowError as error:
            raise NoDisplayError(str(error)) from None


class TerminalChoice(Display):
    """The terminal that the program was started in."""

    name = "terminal"

    def wanted(self, settings: Settings) -> bool:
        """Tell whether input and output are a terminal."""
        return sys.stdin.isatty()

    def open(self, program: Companion, start: Start) -> Output:
        if not self.wanted(program.ctx.settings):
            raise no_display(program.ctx.texts)
        from pi_app.displays.terminal import TerminalDisplay

        return TerminalDisplay(program.keys.put, program.keys.stop)


class PlainChoice(Display):
    """Lines of JSON on standard output."""

    name = "plain"

    def open(self, program: Companion, start: Start) -> Output:
        from pi_app.displays.plain import PlainDisplay

        return PlainDisplay(sys.stdout)


def has_screen() -> bool:
    """Tell whether a display server can be reached."""
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


WINDOW, TERMINAL, PLAIN = WindowChoice(), TerminalChoice(), PlainChoice()
