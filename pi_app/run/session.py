"""One run of the companion around its loop: lock, run state, safe mode, log."""

import logging
from contextlib import suppress
from pathlib import Path

from pi_app.run.loop import Companion, home
from pi_app.run.opening import Wish, first_screen
from pi_app.run.signals import on_early_end
from pi_app.run.systemd import is_service
from pi_app.screens.base import Screen
from pi_app.screens.context import Context
from pi_app.screens.playing.turn import TurnScreen
from pi_app.settings.file import Loaded
from pi_app.settings.last_good import keep
from pi_app.settings.schema import Settings, keep_essentials
from pi_app.store import StoreLock
from pi_app.system import log as logs
from pi_app.system.starts import Before, RunState
from pi_app.view.frame import Body, Frame, Header, Viewers

log = logging.getLogger(__name__)


class Run:
    """One run of the companion with the store in this file; without a file it writes nothing."""

    def __init__(self, store: Path | None, settings: str = "") -> None:
        """Begin the run; StoreInUseError if another companion has the store.

        `settings` are its settings in words (`RunState`).
        """
        self.before: Before | None = None
        self._lock = self._state = self._handler = None
        if store is not None:
            self._handler = logs.set_up()
            try:
                self._lock = StoreLock(store)
            except BaseException:
                self._close()
                raise
            state = self._state = RunState(store, settings)
            before = self.before = state.begin()
            if is_service():
                # an installation restarts the service within seconds, which is no failure
                on_early_end(lambda: state.note_refusal(before))
            fields = {"EVENT": "started", "FAILED_STARTS": before.failed}
            log.info("started, the last run: %s", before, extra={"journal": fields})

    @property
    def safe(self) -> bool:
        """Whether this is safe mode, because the starts before this one failed."""
        return self.before is not None and self.before.safe_mode

    def settings(self, settings: Settings) -> Settings:
        """Return the settings to use: in safe mode the defaults on the same hardware and store."""
        return keep_essentials(settings) if self.safe else settings

    def first_screen(self, ctx: Context, wish: Wish) -> Screen:
        """Return the first screen; a game resumed after a crash tells what must be keyed again."""
        if self.safe and wish.tags is None:  # the unfinished game may be the cause
            return home(ctx)
        first = first_screen(ctx, wish)
        # None: there was no run before
        crashed = self.before is not None and self.before.clean is False
        if crashed and isinstance(first, TurnScreen):
            first.turn.tell(
                ctx.texts("line", "Restarted: what was not confirmed must be keyed again."),
                *first.turn.notice,  # `tell` replaces the notice that the screen began with
            )
        return first

    def tell(self, program: Companion) -> None:
        """Show an alert in safe mode that says how to leave it."""
        if self.safe:
            tx = program.ctx.texts
            program.bulletin.tell(
                tx("alert", "Safe mode: game in the menu. Leave it under System.")
            )

    def note_ready(self, loaded: Loaded | None = None) -> None:
        """Note that the first frame is shown, with these settings unless this is safe mode."""
        if self._state is not None:
            self._state.note_ready()
            if loaded is not None and not self.safe:
                keep(loaded)

    def note_refusal(self) -> None:
        """Note that the program did not start and printed why.

        At a terminal this is no failed start, because somebody reads the sentence; a service's
        counts as failed.
        """
        if self._state is not None and self.before is not None and not is_service():
            self._state.note_refusal(self.before)
        self._close()

    def end(self) -> None:
        """Note that the run ended properly."""
        if self._state is not None:
            self._state.end()
        self._close()

    def _close(self) -> None:
        if self._lock is not None:
            self._lock.close()
        if self._handler is not None:
            logging.getLogger().removeHandler(self._handler)
            with suppress(OSError):  # closing writes the buffered lines: the card may be full
                self._handler.close()


def farewell(ctx: Context, power: str) -> Frame:
    """Return the last frame, which stays on the OLED while the machine switches off."""
    tx = ctx.texts
    lines: tuple[str, ...] = (tx("line", "You may unplug now."),)
    if power in ("restart", "again"):
        lines = (tx("line", "Restarting ..."),)
    elif ctx.store.trouble is not None:
        lines = (tx("line", "The last moves could not be stored."), *lines)
    return Frame(Header("Beisitzer"), Body(lines=lines), viewers=Viewers.ALL)
