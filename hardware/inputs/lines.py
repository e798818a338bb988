"""The header's lines for inputs: contacts to ground, and a keypad's rows.

With lgpio the lines are requested from the kernel (`hardware.chip`); any other pins of gpiozero
are used directly.
"""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from hardware.chip import ChipInputs, ChipRows, chip_path

L = TypeVar("L")

LOOK_S: Final = 0.01
"""The time between two reads of contacts without edges to watch, in seconds."""


class Inputs(Protocol):
    """Contacts that close to ground, counted from 0."""

    def read_closed(self) -> list[bool]:
        """Return for each contact whether it is closed now."""

    def edges(self) -> list[tuple[int, bool]]:
        """Return (contact, closed) for the edges since the last call, the oldest first."""

    def fileno(self) -> int | None:
        """Return the file descriptor that becomes readable with an edge; None: `wake` is called."""

    @property
    def every_s(self) -> float | None:
        """The time between two reads in seconds; None if edges can be watched."""

    def close(self) -> None:
        """Release the pins."""


class RowPins(Protocol):
    """Lines that are pulled low or float; driven high, two keys would short their rows."""

    def pull(self, rows: Collection[int]) -> None:
        """Pull these rows low, counted from 0, and let the others float."""

    def close(self) -> None:
        """Release the pins."""


class _Claim:
    """Reserves pins so that gpiozero gives them to nobody else."""

    def __init__(self, factory: Any, numbers: Sequence[int]) -> None:
        self._factory = factory
        self._numbers = numbers

    def _conflicts_with(self, _other: object) -> bool:
        """Answer gpiozero, which asks whether another device may have the same pin, too."""
        return True

    def open(
        self, chip: str, open_lines: Callable[[str, Sequence[int], Callable[[], None]], L]
    ) -> L:
        """Reserve the pins and open lines of this kind, which release them when they close."""
        try:
            self._factory.reserve_pins(self, *self._numbers)
            return open_lines(chip, self._numbers, self._release)
        except BaseException:
            self._release()
            raise

    def _release(self) -> None:
        self._factory.release_all(self)


class _Pins:
    """gpiozero's pins by their numbers."""

    def __init__(self, factory: Any, numbers: Sequence[int]) -> None:
        from gpiozero import GPIODevice

        self._devices: list[Any] = []
        try:
            for number in numbers:
                self._devices.append(GPIODevice(number, pin_factory=factory))
        except BaseException:
            self.close()
            raise
        self._pins = [device.pin for device in self._devices]

    def close(self) -> None:
        """Release the pins."""
        for device in reversed(self._devices):
            device.close()


class PinInputs(_Pins):
    """Contacts on gpiozero's pins; an edge calls `wake`, from any thread.

    RPi.GPIO cannot watch edges on kernels from 6.6 on: with it the contacts are read regularly.
    """

    def __init__(self, factory: Any, numbers: Sequence[int], wake: Callable[[], None]) -> None:
        super().__init__(factory, numbers)
        self._wake = wake
        self.every_s = LOOK_S if type(factory).__name__ == "RPiGPIOFactory" else None
        self._last = [False] * len(numbers)
        self._edges: deque[tuple[int, bool]] = deque()
        # pins hold only weak references to these
        self._listeners = [partial(self._note, contact) for contact in range(len(numbers))]
        try:
            for pin, listener in zip(self._pins, self._listeners, strict=True):
                pin.input_with_pull("up")
                if self.every_s is not None:
                    continue
                # `Contact` debounces
                pin.bounce = None
                pin.edges = "both"
                pin.when_changed = listener
        except BaseException:
            self.close()
            raise

    def _note(self, contact: int, _ticks: float, state: object) -> None:
        """Keep an edge that gpiozero reports; a closed contact has the state 0."""
        self._edges.append((contact, not state))
        self._wake()

    def read_closed(self) -> list[bool]:
        """Return for each contact whether it is closed now."""
        return [not pin.state for pin in self._pins]

    def edges(self) -> list[tuple[int, bool]]:
        """Return the edges since the last call, with the states that came with them."""
        if self.every_s is not None:
            last, self._last = self._last, self.read_closed()
            self._edges += [
                (contact, new) for contact, new in enumerate(self._last) if new != last[contact]
            ]
        # counted first: another thread may add edges meanwhile
        return [self._edges.popleft() for _ in range(len(self._edges))]

    def fileno(self) -> None:
        """Return None: `wake` is called."""


class PinRows(_Pins):
    """A keypad's rows on gpiozero's pins."""

    def pull(self, rows: Collection[int]) -> None:
        """Pull these rows low, counted from 0, and let the others float."""
        # the others float first, so that never more rows are low than asked for
        for row, pin in enumerate(self._pins):
            if row not in rows:
                pin.input_with_pull("floating")
        for row in rows:
            self._pins[row].output_with_state(0)


def open_inputs(factory: Any, numbers: Sequence[int], wake: Callable[[], None]) -> Inputs:
    """Open contacts; an edge calls `wake` unless it makes `fileno` readable."""
    if (chip := _chip(factory)) is None:
        return PinInputs(factory, numbers, wake)
    return _Claim(factory, numbers).open(chip, ChipInputs)


def open_rows(factory: Any, numbers: Sequence[int]) -> RowPins:
    """Open a keypad's rows, all of them floating."""
    if (chip := _chip(factory)) is None:
        return PinRows(factory, numbers)
    return _Claim(factory, numbers).open(chip, ChipRows)


def _chip(factory: Any) -> str | None:
    """Return the chip's device file if the factory is lgpio's, which alone names its chip."""
    chip = getattr(factory, "chip", None)
    return chip_path(chip) if isinstance(chip, int) else None
