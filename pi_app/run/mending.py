"""Shows the progress while a damaged store is mended; checks a large store for damage."""

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from pi_app.files.worker import Job
from pi_app.run.systemd import notify
from pi_app.screens.context import Context
from pi_app.store.check import CHECKED_BYTES
from pi_app.store.database import Damage
from pi_app.store.migrations import ERRORS
from pi_app.texts.language import Texts
from pi_app.view.frame import Body, Frame, Header, Viewers
from pi_app.view.output import FaultTolerantOutput, Output

SHOWN_EVERY_S = 0.25
WAIT_S = 30
"""Each message asks systemd to wait so many more seconds."""
_BAR_CHARACTERS = 14

log = logging.getLogger(__name__)


class Mending:
    """Shows the progress of mending (0 to 1); `outputs` opens the displays when first needed.

    A short mending is not shown. While the progress is 0 the store is being checked, and only
    systemd is told that this takes a while.
    """

    def __init__(
        self,
        tx: Texts,
        outputs: Callable[[], Sequence[Output]],
        clock: Callable[[], float],
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._tx = tx
        self._outputs = outputs
        self._clock = clock
        self._environ = environ
        self._opened: list[FaultTolerantOutput] | None = None
        self._shown_at: float | None = None
        """When the progress was shown last, at first when the mending began."""

    def __call__(self, share: float) -> None:
        """Show the progress, at most every SHOWN_EVERY_S."""
        now = self._clock()
        if self._shown_at is None:
            self._shown_at = now  # so the first SHOWN_EVERY_S pass without a picture
        if now - self._shown_at < SHOWN_EVERY_S:
            return
        self._shown_at = now
        with suppress(OSError):  # systemd's socket may be gone: the mending goes on
            notify(f"EXTEND_TIMEOUT_USEC={WAIT_S * 1_000_000}\nWATCHDOG=1", self._environ)
        if not share:  # still only checking: people see nothing
            return
        if self._opened is None:
            self._opened = [FaultTolerantOutput(output, self._clock) for output in self._outputs()]
        for output in self._opened:
            output.show(progress_frame(self._tx, share))


def progress_frame(tx: Texts, share: float) -> Frame:
    """Return a frame with a sentence and a bar of characters, for every display."""
    share = min(1.0, max(0.0, share))
    done = round(share * _BAR_CHARACTERS)
    return Frame(
        Header("Beisitzer"),
        Body(
            big=f"{share:.0%}",
            lines=(
                "#" * done + "-" * (_BAR_CHARACTERS - done),
                tx("line", "The store is being mended."),
            ),
        ),
        viewers=Viewers.ALL,
    )


def check_store_in_background(ctx: Context) -> None:
    """Check a large store, which the start checks only in part, and mend it if it is damaged."""
    path = ctx.store.path
    if path is None or not path.exists() or path.stat().st_size <= CHECKED_BYTES:
        return

    def find(job: Job) -> Damage | None:
        from pi_app.store.archive import find_damage  # a start does not need it

        try:
            return find_damage(path, job.pause)
        except (*ERRORS, OSError) as error:
            log.warning("the store could not be checked: %s", error)
            return None

    def mend(damage: Damage | None) -> None:
        if damage is not None:
            ctx.store.mend(damage)

    ctx.worker.begin(find, mend, idle=True)
