"""A newer version: lets root search, says that it is ready, and lets root install it.

The names of the files of root's updater (`systemd/update.py`) show its progress.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pi_app.card.helper import HelperError, call
from pi_app.card.machine_pages import WaitingScreen
from pi_app.card.settings import UpdateSettings
from pi_app.run.loop import Companion
from pi_app.screens.base import OK, Action, Item, Pop, Push
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import SettingsMenu
from pi_app.texts.language import Text
from pi_app.view.frame import Frame, Viewers
from pi_app.view.output import Output

log = logging.getLogger(__name__)

IDLE_S = 1800.0
"""A newer version is installed after this time without a key."""
FIRST_LOOK_S, LOOK_EVERY_S = 1200.0, 6 * 3600.0
"""When to search for a newer version: first, not while a game begins; then regularly."""
POLL_S = 60.0
WAITING_S = 900.0
"""How long the page waits for the answer; root continues after that."""

_FAULTS = {
    "no-source": Text("line", "No address of updates is known here."),
    "unreachable": Text("line", "Updates could not be fetched. Is there a network?"),
    "untrusted": Text("line", "The updates are not signed by a known key: none was taken."),
    "unfit": Text("line", "The newer version needs a newer system: use apt, or flash a new card."),
    "space": Text("line", "Too little space is free for an update."),
    "": Text("line", "The update failed. Nothing was changed."),
}


@dataclass(frozen=True, slots=True)
class Looked:
    """The last search's time, and its error's code; "" without an error."""

    at: datetime
    fault: str


class Updates:
    """The files of root's updater; `running` is this program's version."""

    def __init__(
        self,
        folder: Path,
        running: str,
        ask: Callable[..., dict[str, Any]] = call,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder = folder
        self.running = running
        self.ask = ask
        self._pause = pause

    def ready(self) -> str:
        """Return the version that is ready to install; "" if there is none."""
        return self._version("ready")

    def refused(self) -> str:
        """Return the version that was refused, as it showed no first frame; "" if there is none."""
        return self._version("refused")

    def looked(self) -> Looked | None:
        """Return the last search; None before the first one."""
        try:
            fault = (self._folder / "looked").read_text("utf-8", "replace")
            at = datetime.fromtimestamp((self._folder / "looked").stat().st_mtime, UTC)
        except OSError:
            return None
        return Looked(at, fault)

    def finish(self, name: str, **values: str) -> None:
        """Let root search or install, and wait for the result; for a thread.

        Root stops this program before it installs. HelperError if it fails.
        """
        before = self._stamp()
        self.ask(name, **values)
        for _ in range(int(WAITING_S)):
            if self._stamp() != before:
                return
            self._pause(1)
        raise HelperError("no-answer")

    def _stamp(self) -> tuple[int, int]:
        try:
            about = (self._folder / "looked").stat()
        except OSError:
            return 0, 0
        return about.st_ino, about.st_mtime_ns

    def _version(self, kind: str) -> str:
        """Return the version of a package in the folder; "" if there is none, or it is running."""
        found = (path.stem.removeprefix(f"{kind}-") for path in self._folder.glob(f"{kind}-*.deb"))
        return next((version for version in found if version != self.running), "")


class UpdateWatch(Output):
    """Lets root search regularly, and install after a long time without a key."""

    name = "updates"

    def __init__(self, program: Companion, updates: Updates) -> None:
        self._program = program
        self._updates = updates
        self._touched_at = program.ctx.clock()
        self._look_at = self._touched_at + FIRST_LOOK_S
        self._asks = False
        """Whether the helper is being asked."""

    def note_key(self) -> None:
        self._touched_at = self._program.ctx.clock()

    def poll_every_s(self) -> float | None:
        return POLL_S

    def poll(self) -> None:
        ctx = self._program.ctx
        if self._asks or ctx.settings.of(UpdateSettings).take == "off":
            return
        # games in memory only would be lost
        idle = ctx.store.trouble is None and ctx.clock() - self._touched_at >= IDLE_S
        if idle and self._updates.ready():
            log.info("nobody plays: installing %s", self._updates.ready())
            self.note_key()  # if that fails, try again after the same time
            self._request("update-install")
        elif ctx.clock() >= self._look_at:
            self._look_at = ctx.clock() + LOOK_EVERY_S
            self._request("update-look", suite=ctx.settings.of(UpdateSettings).take)

    def _request(self, name: str, **values: str) -> None:
        def send() -> None:
            try:
                self._updates.ask(name, **values)
            except HelperError as error:
                log.warning("no update: %s", error)

        def end(_: None) -> None:
            self._asks = False

        self._asks = True
        if self._program.ctx.worker.begin(lambda _: send(), end, idle=True) is None:
            self._asks = False


def system_items(ctx: Context, updates: Updates) -> tuple[Item, ...]:
    """Return the line of the System menu."""
    tx, version = ctx.texts, updates.ready()
    label = tx("item", "{version} ready: install?", version=version) if version else ""
    return ((label or tx("title", "Updates"), lambda: Push(UpdatesMenu(ctx, updates))),)


class UpdatesMenu(SettingsMenu):
    """Shows running and ready versions and the last error; searches or restarts on request."""

    viewers = Viewers.ALL

    def __init__(self, ctx: Context, updates: Updates) -> None:
        super().__init__(ctx)
        self._updates = updates

    def heading(self) -> str:
        return self.tx("title", "Updates")

    def frame(self) -> Frame:
        self.lines = self._lines()
        return super().frame()

    def _lines(self) -> tuple[str, ...]:
        tx, updates = self.tx, self._updates
        ready, refused, looked = updates.ready(), updates.refused(), updates.looked()
        lines = [f"Beisitzer {updates.running}"]
        if refused and not ready:
            lines.append(tx("line", "{version} did not start.", version=refused))
        if looked is not None and looked.fault:
            lines.append(tx.say(_FAULTS, looked.fault if looked.fault in _FAULTS else ""))
        elif looked is not None and not ready:
            when = looked.at.astimezone().strftime("%Y-%m-%d %H:%M")
            lines.append(tx("line", "Nothing newer, {when}.", when=when))
        return tuple(lines)

    def entries(self) -> tuple[Item, ...]:
        from pi_app.screens.players_and_settings.every_setting import (
            setting_screen,  # rarely needed
        )
        from pi_app.screens.players_and_settings.setting_words import describe

        tx, ready, refused = self.tx, self._updates.ready(), self._updates.refused()
        items: list[Item] = []
        if ready:
            items.append((tx("item", "Install {version}", version=ready), self._install))
        elif refused:
            items.append((tx("item", "Try {version} again", version=refused), self._install))
        items.append((tx("item", "Look now"), self._check_now))
        setting = "updates.take"
        words = describe(self.ctx, setting)
        return (*items, (words, lambda: Push(setting_screen(self.ctx, setting))))

    def _install(self) -> Action:
        line = self.tx("line", "Installing. The table comes back by itself ...")
        return self._push(line, "update-install")

    def _check_now(self) -> Action:
        line = self.tx("line", "Looking. That may take some minutes ...")
        suite = self.ctx.settings.of(UpdateSettings).take
        return self._push(line, "update-look", suite="stable" if suite == "off" else suite)

    def _push(self, line: str, name: str, **values: str) -> Action:
        screen = WaitingScreen(
            self.ctx,
            self.heading(),
            line,
            lambda _: self._updates.finish(name, **values),
            lambda _: Pop(OK),
        )
        return Push(screen)
