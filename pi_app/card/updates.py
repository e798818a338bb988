"""A newer program on a card: tells that it is ready, and starts anew with it.

Root's updater (`systemd/update.py`) fetches it and leaves notes in the folder of the programs.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from pi_app.card.helper import HelperError, call
from pi_app.card.machine_pages import WaitingScreen
from pi_app.run.loop import Companion
from pi_app.screens.base import OK, TICK, Action, Item, Pop, Push, Quit
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import SettingsMenu
from pi_app.system.regular import open_regular
from pi_app.texts.language import Text
from pi_app.view.frame import Frame
from pi_app.view.output import Output

log = logging.getLogger(__name__)

IDLE_S = 1800.0
"""How long nobody has touched a key when the program starts anew by itself."""
POLL_S = 60.0
LOOKING_S = 900.0
"""How long somebody who asked is kept waiting; it is looked on after that."""
MOST_BYTES = 1 << 12

_FAULTS = {
    "no-source": Text("line", "This card knows no address of updates."),
    "unreachable": Text("line", "Updates could not be fetched. Is there a network?"),
    "untrusted": Text("line", "The updates are not signed by a known key: none was taken."),
    "unfit": Text("line", "The newer version needs a newer card: save to a stick, flash it."),
    "space": Text("line", "Too little space is free for an update."),
    "": Text("line", "The update failed. Nothing was changed."),
}


@dataclass(frozen=True, slots=True)
class Looked:
    """When it was looked for updates last, and the code of what was wrong; "" for nothing."""

    at: datetime
    fault: str


class Updates:
    """What root's updater has noted; `running` is the version of this program."""

    def __init__(
        self,
        folder: Path,
        running: str,
        ask: Callable[..., dict[str, Any]] = call,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder = folder
        self.running = running
        self._ask = ask
        self._pause = pause

    def ready(self) -> str:
        """Return the version that a restart would bring; "" if it is this one."""
        return next((v for v in (self._led("next"), self._led("current")) if v), "")

    def refused(self) -> str:
        """Return the version that showed no first frame; "" if none was refused."""
        return self._read("refused").strip()

    def looked(self) -> Looked | None:
        """Return how the last look went; None before the first one."""
        try:
            note = json.loads(self._read("looked"))
            return Looked(datetime.fromtimestamp(int(note["at"]), UTC), str(note["fault"]))
        except (ValueError, KeyError, TypeError, OverflowError, OSError, RecursionError):
            return None

    def switch(self) -> None:
        """Let the next start be that of the ready, or else the refused, version.

        HelperError if that failed.
        """
        if not self._led("current"):
            self._ask("update-switch")

    def look(self) -> None:
        """Look for a newer version, until it is ready or it is known why not; for a thread."""
        before = self._stamp()
        self._ask("update-look")
        for _ in range(int(LOOKING_S)):
            if self._stamp() != before:
                return
            self._pause(1)
        raise HelperError("no-answer", {})

    def _stamp(self) -> tuple[int, int]:
        try:
            about = (self._folder / "looked").stat()
        except OSError:
            return 0, 0
        return about.st_ino, about.st_mtime_ns

    def _led(self, link: str) -> str:
        """Return the version that a link leads to; "" if that is the running one, or none."""
        try:
            version = str((self._folder / link).readlink())
        except OSError:
            return ""
        return "" if version == self.running else version

    def _read(self, name: str) -> str:
        try:
            with open_regular(self._folder / name) as file:
                return file.read(MOST_BYTES).decode("utf-8", "replace")
        except OSError:
            return ""


class UpdateWatch(Output):
    """Starts the program anew with a newer version when nobody has touched a key for long."""

    name = "updates"

    def __init__(self, program: Companion, updates: Updates) -> None:
        self._program = program
        self._updates = updates
        self._touched_at = program.ctx.clock()
        self._asks = False
        """Whether the helper is being asked."""

    def note_key(self) -> None:
        self._touched_at = self._program.ctx.clock()

    def poll_every_s(self) -> float | None:
        return POLL_S

    def poll(self) -> None:
        if self._is_due() and not self._asks and (version := self._updates.ready()):
            self._asks = True
            worker, end = self._program.ctx.worker, partial(self._end, version)
            if worker.begin(lambda _: self._switch(), end, idle=True) is None:
                self._asks = False

    def _is_due(self) -> bool:
        ctx = self._program.ctx
        # games that are in memory only would be lost
        wanted = ctx.settings.updates.take != "off" and ctx.store.trouble is None
        return wanted and ctx.clock() - self._touched_at >= IDLE_S

    def _switch(self) -> bool:
        try:
            self._updates.switch()
        except HelperError as error:
            log.warning("no switch to the newer version: %s", error)
            return False
        return True

    def _end(self, version: str, switched: bool | None) -> None:  # noqa: FBT001  # called with the job's answer
        self._asks = False
        if not switched:
            self.note_key()  # again after as long a time
        elif self._is_due():  # else a key came meanwhile
            log.info("nobody plays: starting anew as %s", version)
            self._program.quit = Quit(power="again")


def system_items(ctx: Context, updates: Updates) -> tuple[Item, ...]:
    """Return the line of the System menu."""
    tx, version = ctx.texts, updates.ready()
    label = tx("item", "{version} ready: restart?", version=version) if version else ""
    return (
        (
            label or tx("title", "Updates"),
            lambda: Push(TICK, screen=UpdatesMenu(ctx, updates)),
        ),
    )


class UpdatesMenu(SettingsMenu):
    """What plays, what is ready, what went wrong; looking now, and restarting now."""

    def __init__(self, ctx: Context, updates: Updates) -> None:
        super().__init__(ctx)
        self._updates = updates

    def heading(self) -> str:
        return self.tx("title", "Updates")

    def frame(self) -> Frame:
        frame = super().frame()
        lines = frame.body.lines or self._lines()
        return replace(frame, body=replace(frame.body, lines=lines))

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
            items.append((tx("item", "Restart with {version}", version=ready), self._restart))
        elif refused:
            items.append((tx("item", "Try {version} again", version=refused), self._restart))
        items.append((tx("item", "Look now"), self._look))
        setting = "updates.take"
        items.append(
            (
                describe(self.ctx, setting),
                lambda: Push(TICK, screen=setting_screen(self.ctx, setting)),
            )
        )
        return tuple(items)

    def _restart(self) -> Action:
        line = self.tx("line", "A moment ...")
        screen = WaitingScreen(
            self.ctx,
            self.heading(),
            line,
            lambda _: self._updates.switch(),
            lambda _: Quit(OK, "again"),
        )
        return Push(TICK, screen=screen)

    def _look(self) -> Action:
        line = self.tx("line", "Looking. That may take some minutes ...")
        screen = WaitingScreen(
            self.ctx, self.heading(), line, lambda _: self._updates.look(), lambda _: Pop(OK)
        )
        return Push(TICK, screen=screen)
