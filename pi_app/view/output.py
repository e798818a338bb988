"""Outputs: displays, lamp, buzzer, voice. A dead one must not stop the others."""

import logging
from collections.abc import Callable
from typing import Generic, TypeVar

from hardware.errors import Backoff
from hardware.keys import Key
from pi_app.settings.schema import Settings
from pi_app.view.frame import Frame, Signal

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""The longest pause before a failed output is tried again, in seconds."""
# the pauses after the first failure, the second one, ...
_PAUSES_S = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, RETRY_S)


class Output:
    """Something that shows frames and signals; each method may do nothing."""

    name = "output"
    dials = True
    """Whether it shows the dial of a rig without digits; a phone has digits of its own."""

    def show(self, frame: Frame) -> None:
        """Show this frame."""

    def signal(self, signal: Signal) -> None:
        """Signal that something was accepted, refused, won or merely keyed."""

    def note_key(self) -> None:
        """Note that a key was pressed, before it has any effect."""

    def poll(self) -> None:
        """Do regular work (window events, dimming)."""

    def poll_every_s(self) -> float | None:
        """Return how often to call `poll`, in seconds; None: never."""
        return None

    def stuck_keys(self) -> tuple[Key, ...]:
        """Return its keys that have been down too long for a finger."""
        return ()

    def lost_keys(self) -> bool:
        """Return whether keys were lost since the last call."""
        return False

    def configure(self, settings: Settings) -> None:
        """Apply settings that were changed at the table (brightness, sounds)."""

    def leave(self, frame: Frame) -> None:
        """Show the last frame, which stays while the machine goes off; release the device."""
        self.show(frame)
        self.close()

    def close(self) -> None:
        """Release the device."""


T = TypeVar("T", bound=Output)


class DeferredOutput(Output, Generic[T]):
    """An output that is made when it is first wanted, and then shows the last frame.

    `make` imports and makes it; `is_wanted` is called with each frame and change of settings.
    """

    def __init__(
        self, name: str, is_wanted: Callable[[], bool], make: Callable[[], T], *, dials: bool = True
    ) -> None:
        self.name = name
        self.dials = dials
        self._is_wanted = is_wanted
        self._make = make
        self._made: T | None = None
        self._frame: Frame | None = None

    def make_now(self) -> T:
        """Return the output, and make it if needed."""
        if self._made is None:
            self._made = self._make()
            if self._frame is not None:
                self._made.show(self._frame)  # catches up
        return self._made

    def make_if_wanted(self) -> None:
        """Make the output if it is wanted and there is something to show."""
        if self._made is None and self._frame is not None and self._is_wanted():
            self.make_now()

    def show(self, frame: Frame) -> None:
        self._frame = frame
        if self._made is not None:
            self._made.show(frame)
        else:
            self.make_if_wanted()

    def signal(self, signal: Signal) -> None:
        if self._made is not None:
            self._made.signal(signal)

    def configure(self, settings: Settings) -> None:
        if self._made is not None:
            self._made.configure(settings)
        else:
            self.make_if_wanted()

    def poll(self) -> None:
        if self._made is not None:
            self._made.poll()

    def poll_every_s(self) -> float | None:
        return None if self._made is None else self._made.poll_every_s()

    def leave(self, frame: Frame) -> None:
        if self._made is not None:
            self._made.leave(frame)

    def close(self) -> None:
        if self._made is not None:
            self._made.close()


class FaultTolerantOutput(Output):
    """An output whose failures do not reach the loop; no other class catches them.

    The first failure logs one line. After it, each new frame is tried at once, everything else only
    after a pause.
    """

    def __init__(self, output: Output, clock: Callable[[], float]) -> None:
        self.output = output
        self.name = output.name
        self.dials = output.dials
        self._backoff = Backoff(_PAUSES_S, clock)
        self._frame: Frame | None = None
        """The frame shown last, to show it again after a failure."""

    def show(self, frame: Frame) -> None:
        self._frame = frame
        self._try(lambda: self.output.show(frame), now=True)

    def signal(self, signal: Signal) -> None:
        self._try(lambda: self.output.signal(signal))

    def note_key(self) -> None:
        self._try(self.output.note_key)

    def poll(self) -> None:
        frame = self._frame
        # after a failure the output may show something else: give it the frame again
        if self._backoff.failures and frame is not None:
            self._try(lambda: self.output.show(frame))
        else:
            self._try(self.output.poll)

    def poll_every_s(self) -> float | None:
        if self._backoff.failures:
            return self._backoff.wait_s
        return self.output.poll_every_s()

    def stuck_keys(self) -> tuple[Key, ...]:
        return self.output.stuck_keys()

    def lost_keys(self) -> bool:
        return self.output.lost_keys()

    def configure(self, settings: Settings) -> None:
        self._try(lambda: self.output.configure(settings))

    def leave(self, frame: Frame) -> None:
        self._try(lambda: self.output.leave(frame))

    def close(self) -> None:
        self._try(self.output.close)

    def _try(self, act: Callable[[], None], *, now: bool = False) -> None:
        """Call `act` and note whether it fails.

        After a failure calls are skipped until its pause is over, unless `now`.
        """
        if not (now or self._backoff.due):
            return
        try:
            act()
        except Exception as error:  # noqa: BLE001  # whatever a driver raises, the game goes on
            if not self._backoff.failures:
                log.warning("%s failed, trying again later: %s", self.name, error)
            self._backoff.note_failure()
        else:
            if self._backoff.failures:
                log.info("%s works again", self.name)
            self._backoff.note_success()
