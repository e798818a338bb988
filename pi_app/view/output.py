"""Everything that shows or sounds: displays, lamp, buzzer. A dead one must not stop the rest."""

import logging
from collections.abc import Callable

from pi_app.settings.schema import Settings
from pi_app.view.frame import Frame, Signal

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""A failed output is tried again after this long, in seconds."""


class Output:
    """Something that follows frames and signals; each method may do nothing."""

    name = "output"

    def show(self, frame: Frame) -> None:
        """Show this frame."""

    def signal(self, signal: Signal) -> None:
        """Say that something was accepted, refused, won or merely keyed."""

    def poll(self) -> None:
        """Do what must be done now and then (window events, dimming)."""

    def poll_every_s(self) -> float | None:
        """Say how often `poll` wants to be called; None: never."""
        return None

    def configure(self, settings: Settings) -> None:
        """Take over settings that were changed at the table (brightness, sounds)."""

    def leave(self, frame: Frame) -> None:
        """Show the frame that stays while the machine goes off, and let go of the device."""
        self.show(frame)
        self.close()

    def close(self) -> None:
        """Let go of the device."""


class Guarded(Output):
    """An output whose failures are one log line each, and which is tried again later."""

    def __init__(self, output: Output, clock: Callable[[], float]) -> None:
        self.output = output
        self.name = output.name
        self._clock = clock
        self._failed_at: float | None = None
        self._frame: Frame | None = None

    def show(self, frame: Frame) -> None:
        self._frame = frame
        self._try(lambda: self.output.show(frame))

    def signal(self, signal: Signal) -> None:
        self._try(lambda: self.output.signal(signal))

    def poll(self) -> None:
        if self._failed_at is not None and self._frame is not None:
            self.show(self._frame)
        else:
            self._try(self.output.poll)

    def poll_every_s(self) -> float | None:
        return RETRY_S if self._failed_at is not None else self.output.poll_every_s()

    def configure(self, settings: Settings) -> None:
        self._try(lambda: self.output.configure(settings))

    def leave(self, frame: Frame) -> None:
        self._try(lambda: self.output.leave(frame))

    def close(self) -> None:
        self._try(self.output.close)

    def _try(self, act: Callable[[], None]) -> None:
        if self._failed_at is not None and self._clock() - self._failed_at < RETRY_S:
            return
        try:
            act()
        except Exception as error:  # noqa: BLE001  # whatever a driver raises, the game goes on
            if self._failed_at is None:
                log.warning("%s failed, trying again later: %s", self.name, error)
            self._failed_at = self._clock()
        else:
            if self._failed_at is not None:
                log.info("%s works again", self.name)
            self._failed_at = None
