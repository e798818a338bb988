"""Why a device does not work, and when to try it again."""

import errno
from collections.abc import Callable, Mapping, Sequence

REASONS = {
    "no-gpiozero": "gpiozero is not installed",
    "no-luma": "luma.oled is not installed",
    "no-lgpio": "lgpio is not installed",
    "no-rpigpio": "RPi.GPIO is not installed",
    "no-spidev": "spidev is not installed",
    "no-evdev": "python-evdev is not installed",
    "broken-library": "a library does not load",
    "rpigpio-on-pi5": "RPi.GPIO does not work on a Pi 5, lgpio does",
    "no-gpio": "this machine has no GPIO pins",
    "no-header": "no GPIO chip of this machine has the header's pins",
    "no-permission": "no permission to use it",
    "no-bus": "its bus is not enabled",
    "no-answer": "it does not answer",
    "pin-in-use": "something else uses its pin",
    "no-folder": "lgpio finds no folder to write to",
    "failed": "it failed",
}
"""Every code and its meaning, in the language of the log."""


class Backoff:
    """Decides when to try again after failures, with a pause after each.

    After the first failure in a row the pause is the first of `pauses_s`, in seconds of `clock`,
    and so on; the last one repeats. Without failures it is due at once.
    """

    def __init__(self, pauses_s: Sequence[float], clock: Callable[[], float]) -> None:
        self._pauses_s = pauses_s
        self._clock = clock
        self._due_at = 0.0
        self.failures = 0
        """The number of failures in a row."""

    @property
    def due(self) -> bool:
        """Whether the pause is over."""
        return not self.failures or self._clock() >= self._due_at

    @property
    def wait_s(self) -> float:
        """The rest of the pause in seconds."""
        return max(0.0, self._due_at - self._clock()) if self.failures else 0.0

    def note_failure(self) -> None:
        """Note a failure: the next pause begins."""
        last = len(self._pauses_s) - 1
        self._due_at = self._clock() + self._pauses_s[min(self.failures, last)]
        self.failures += 1

    def hurry(self) -> None:
        """End this pause; the next one is not shortened."""
        self._due_at = min(self._due_at, self._clock())

    def note_success(self) -> None:
        """Note that it works: the next pause is the first one again."""
        self.failures = 0


class DeviceError(Exception):
    """A device that cannot be used: the part, one of the codes above, and details."""

    def __init__(
        self, part: str, code: str, detail: str = "", holders: Mapping[int, str] | None = None
    ) -> None:
        reason = REASONS[code]
        super().__init__(f"{part} is not used: {reason}{f' ({detail})' if detail else ''}")
        self.part = part
        self.code = code
        self.detail = detail
        self.holders = dict(holders or {})
        """The users of its pins by BCM number, as far as the kernel knows them."""

    def with_holders(self, holders: Mapping[int, str]) -> "DeviceError":
        """Return the same error with the users of its pins."""
        if not holders:
            return self
        detail = ", ".join(f"GPIO {pin}: {name}" for pin, name in sorted(holders.items()))
        return DeviceError(self.part, self.code, detail, holders)


_BY_CLASS = {
    "DeviceNotFoundError": "no-bus",
    "DevicePermissionError": "no-permission",
    "GPIOPinInUse": "pin-in-use",
    "PinInvalidPin": "no-gpio",
    "BadPinFactory": "no-gpio",
}
"""Codes by the names of luma's and gpiozero's classes, which are not imported for this."""
_BY_ERRNO = {
    errno.ENOENT: "no-bus",
    errno.ENODEV: "no-bus",
    errno.EACCES: "no-permission",
    errno.EPERM: "no-permission",
    errno.EREMOTEIO: "no-answer",
    errno.EIO: "no-answer",
    errno.ENXIO: "no-answer",
    errno.ETIMEDOUT: "no-answer",
    errno.EBUSY: "pin-in-use",
}
_BY_LIBRARY = {
    "gpiozero": "no-gpiozero",
    "luma": "no-luma",
    "lgpio": "no-lgpio",
    "RPi": "no-rpigpio",
    "spidev": "no-spidev",
    "evdev": "no-evdev",
}


def device_error(part: str, error: BaseException) -> DeviceError:
    """Return the DeviceError for an exception of the pin and bus libraries."""
    if isinstance(error, DeviceError):
        return error
    # luma raises an error without a number while it handles the driver's, which has one
    causes = (error, error.__context__)
    detail = str(error)
    for cause in causes:
        if isinstance(cause, ModuleNotFoundError):
            library = (cause.name or "").split(".")[0]
            return DeviceError(part, _BY_LIBRARY.get(library, "broken-library"), str(cause))
        if isinstance(cause, ImportError):  # it is installed, but not what it needs
            return DeviceError(part, "broken-library", str(cause))
    for cause in causes:
        if isinstance(cause, OSError) and cause.errno in _BY_ERRNO:
            return DeviceError(part, _BY_ERRNO[cause.errno], detail)
    if "GPIO busy" in detail:  # lgpio's errors have neither class nor number
        return DeviceError(part, "pin-in-use", detail)
    code = _BY_CLASS.get(type(error).__name__, "failed")
    return DeviceError(part, code, detail or type(error).__name__)
