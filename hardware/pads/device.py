"""Number pads and keyboards as a device: found, taken for the table alone, read, lost, found again.

One thread reads all of them. It sleeps until a key moves, a device comes or goes, or a key that is
held is due.
"""

import errno
import logging
import os
import select
import threading
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from hardware.config import PadsConfig
from hardware.errors import DeviceError, device_error
from hardware.keys import Key, Put
from hardware.pads.reader import EV_KEY, Letters, PadEvent, PadReader
from hardware.pads.search import DEV, InputDevice, find, is_taken
from hardware.pads.table import Layout, letters_of, table_of, with_dice

LOOK_S: Final = 2.0
"""The time between two tries to open a device that is taken or forbidden."""
SOON_S: Final = 0.1
"""The time until a device with keys down is tried again."""
ROOM_S: Final = 0.01
"""The time until waiting keys are passed on again."""
READ_LIMIT: Final = 50
"""Limit of reads of one pad in a turn."""
WAITING_KEY_LIMIT: Final = 1000
"""Limit of waiting keys; further ones are lost and reported."""

_log = logging.getLogger(__name__)


class EventSource(Protocol):
    """An open device, as python-evdev has it; every method may raise OSError."""

    @property
    def fd(self) -> int:
        """Its file descriptor, readable when there are events."""

    def read(self) -> Iterable[PadEvent]:
        """Return some of the waiting events, the oldest first; BlockingIOError without any."""

    def active_keys(self) -> Sequence[Any]:
        """Return the keys that are down."""

    def grab(self) -> None:
        """Take it for ourselves alone: consoles and desktops get no more events."""

    def close(self) -> None:
        """Let it go."""


class Held(Exception):  # noqa: N818  # no error: it is tried again soon
    """A key of the device is down, and its release must reach the program that saw it go down."""


def open_source(path: str) -> EventSource:
    """Open a device; its events carry the times of the monotonic clock.

    DeviceError without python-evdev, OSError if it cannot be opened.
    """
    try:
        from evdev import InputDevice as EventDevice
    except ImportError as error:
        raise device_error("pads", error) from None
    import fcntl

    device: EventSource = EventDevice(path)
    set_clock = 0x400445A0  # EVIOCSCLOCKID
    fcntl.ioctl(device.fd, set_clock, time.CLOCK_MONOTONIC.to_bytes(4, "little"))
    return device


def try_open(path: str) -> DeviceError | None:
    """Return why a device cannot be read, None if it can; other programs keep it."""
    try:
        open_source(path).close()
    except (DeviceError, OSError) as error:
        return device_error("pads", error)
    return None


def _grab(source: EventSource) -> None:
    if source.active_keys():
        raise Held
    source.grab()


class _Watch:
    """The kernel's reports (inotify) that devices came or went, or that a right to one changed.

    `fd` is readable when there is a report.
    """

    def __init__(self, folder: Path) -> None:
        import ctypes

        self._libc = ctypes.CDLL(None)
        self._folder = os.fsencode(folder)
        self.fd: int = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)

    def renew(self) -> bool:
        """Watch the folder; tell whether it is watched now: without devices it does not exist."""
        attributes, created, deleted = 0x4, 0x100, 0x200
        wanted = attributes | created | deleted
        return bool(self._libc.inotify_add_watch(self.fd, self._folder, wanted) >= 0)

    def clear(self) -> None:
        """Remove the reports, so that `fd` is not readable until the next one."""
        with suppress(BlockingIOError):
            os.read(self.fd, 65536)

    def close(self) -> None:
        os.close(self.fd)


class _Pad:
    """An open device with its reader."""

    def __init__(self, device: InputDevice, source: EventSource, reader: PadReader) -> None:
        self.device = device
        self.source = source
        self.reader = reader


@dataclass(frozen=True, slots=True)
class PadCalls:
    """Functions that the pads' thread calls.

    `put` gets every key; it returns False if it has no room, and then the key waits. `write`
    returns the keys for a letter, () if nobody types text now. `lost` is called when keys were
    lost, `watch` with the kernel's number of each key that goes down.
    """

    put: Put
    write: Letters = lambda _letter: ()
    lost: Callable[[], object] = lambda: None
    watch: Callable[[int], object] = lambda _code: None


@dataclass(frozen=True, slots=True)
class PadPorts:
    """Finds devices in a folder and opens them; tests pass other functions."""

    search: Callable[[], list[InputDevice]] = find
    open: Callable[[str], EventSource] = open_source
    clock: Callable[[], float] = time.monotonic
    folder: Path = DEV


class Pads:
    """All number pads and keyboards that the settings give to the table; they may come and go."""

    def __init__(
        self,
        config: PadsConfig,
        calls: PadCalls,
        *,
        appliance: bool = False,
        layout: Layout = "en",
        ports: PadPorts = PadPorts(),  # a frozen value
    ) -> None:
        self._config = config
        self._calls = calls
        self._appliance = appliance
        self._letters = letters_of(layout if config.layout == "auto" else config.layout)
        self._ports = ports
        self._clock = ports.clock
        self._pads: dict[str, _Pad] = {}
        self._problems: dict[str, str] = {}
        """Why a device is not used, by its path, so that the log gets it once."""
        self._events: list[tuple[PadEvent, _Pad]] = []
        """Events that were read in the last turn but happened after it began, each with its pad.

        The next turn passes them on.
        """
        self._waiting: deque[Key] = deque()
        """The keys for which `put` had no room yet."""
        self._look_at: float | None = None
        """When to look for devices again; None: when the kernel reports a change."""
        self._stopped = False
        # `close` writes into one end of this pipe, the thread waits for the other
        self._stop_reader, self._stop_writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._run, name="pads", daemon=True)

    def start(self) -> None:
        """Start looking for pads; there need not be one yet."""
        self._thread.start()

    def close(self) -> None:
        """Let all pads go."""
        self._stopped = True
        os.write(self._stop_writer, b"!")
        if self._thread.is_alive():
            self._thread.join(2.0)
        for pad in list(self._pads.values()):
            self._drop(pad)
        os.close(self._stop_writer)
        os.close(self._stop_reader)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the pads in use."""
        return tuple(pad.device.name for pad in list(self._pads.values()))

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The keys that have been down too long to be held by a finger."""
        return tuple(key for pad in list(self._pads.values()) for key in pad.reader.presses.stuck)

    # --- the thread

    def _run(self) -> None:
        watch = _Watch(self._ports.folder)
        try:
            self._open_new_pads(watch)
            while not self._stopped:
                try:
                    self._turn(watch)
                except Exception:  # noqa: BLE001  # a bug must not silence the pads for ever
                    _log.exception("the pads' thread failed and goes on")
                    time.sleep(SOON_S)
        finally:
            watch.close()

    def _turn(self, watch: _Watch) -> None:
        """Wait until something is due, and do it."""
        waits = select.poll()
        pad_fds = [pad.source.fd for pad in self._pads.values()]
        for fd in (self._stop_reader, watch.fd, *pad_fds):
            waits.register(fd, select.POLLIN)
        reported = any(fd == watch.fd for fd, _events in waits.poll(self._timeout_ms()))
        self.hear(self._clock())
        # `hear` may have set the time: a pad that was lost may be back already
        look_due = self._look_at is not None and self._clock() >= self._look_at
        if reported or look_due:
            watch.clear()
            self._open_new_pads(watch)

    def _timeout_ms(self) -> float | None:
        """Return the milliseconds until something is due; None if nothing is."""
        times = [pad.reader.presses.due for pad in self._pads.values()] + [self._look_at]
        now = self._clock()
        waits = [max(0.0, due_at - now) for due_at in times if due_at is not None]
        waits += [ROOM_S] if self._waiting else []
        waits += [0.0] if self._events else []  # read already: pass them on at once
        # poll counts in whole milliseconds: one more, or it would wake before the time
        return min(waits) * 1000 + 1 if waits else None

    def _open_new_pads(self, watch: _Watch) -> None:
        """Open pads that are new, and note when to try again."""
        watched = watch.renew()
        wait_s = self.look()
        if not watched:
            wait_s = LOOK_S if wait_s is None else min(wait_s, LOOK_S)
        self._look_at = None if wait_s is None else self._clock() + wait_s

    # --- what it does, one step at a time

    def look(self) -> float | None:
        """Open the wanted devices that are new; return the seconds until another try, or None."""
        wait_s: float | None = None
        devices = self._ports.search()
        # a device that went and comes back is logged anew
        for path in set(self._problems) - {device.path for device in devices}:
            del self._problems[path]
        for device in devices:
            wanted = is_taken(device, self._config, appliance=self._appliance)
            if device.path in self._pads or not wanted:
                continue
            try:
                source = self._ports.open(device.path)
                try:
                    _grab(source)
                except BaseException:
                    source.close()
                    raise
                config = self._config
                table = table_of(config)
                if config.dice != "none" and device.is_called(config.dice):
                    table = with_dice(table)
                self._pads[device.path] = _Pad(
                    device, source, PadReader(table, self._letters, self._calls.write)
                )
            except Held:
                # the shortest wait of all
                wait_s = SOON_S
            except DeviceError as error:  # python-evdev is missing: waiting would not help
                self._note_problem(device, str(error))
            except OSError as error:
                self._note_problem(device, error.strerror or str(error))
                wait_s = wait_s or LOOK_S  # unless another device needs the shorter wait
            else:
                self._problems.pop(device.path, None)
                _log.info("number pad %s on %s", device.name, device.port or device.path)
        return wait_s

    def _note_problem(self, device: InputDevice, why: str) -> None:
        if self._problems.get(device.path) != why:
            _log.warning("number pad %s is not used: %s", device.name, why)
        self._problems[device.path] = why

    def _drop(self, pad: _Pad) -> None:
        """Forget a pad and its keys that are down."""
        self._pads.pop(pad.device.path, None)
        with suppress(OSError):
            pad.source.close()

    def hear(self, now: float) -> None:
        """Pass on the keys of all pads' events up to `now`, in the order in which they happened.

        While one pad is read, a key may be pressed on another pad, which was read before: events
        later than `now` wait for the next turn. All events up to `now` are read before a key counts
        as still held.
        """
        for pad in list(self._pads.values()):
            self._events += [(event, pad) for event in self._read(pad)]
        self._events.sort(key=lambda item: item[0].timestamp())
        due_count = bisect_right(self._events, now, key=lambda item: item[0].timestamp())
        events, self._events = self._events[:due_count], self._events[due_count:]
        for event, pad in events:
            if event.type == EV_KEY and event.value == 1:  # 1: it goes down
                self._calls.watch(event.code)
            self._pass_on(pad.reader.hear(event))
            if pad.reader.lost:
                pad.reader.lost = False
                _log.warning("number pad %s: keys were lost, it was read too late", pad.device.name)
                self._calls.lost()
        for pad in self._pads.values():
            self._pass_on(pad.reader.presses.note_held(now))
        self._pass_on(())  # without new keys too, so that waiting ones are tried again

    def _read(self, pad: _Pad) -> list[PadEvent]:
        """Return a pad's waiting events; one that is gone is dropped with its keys."""
        events: list[PadEvent] = []
        try:
            for _ in range(READ_LIMIT):
                events += pad.source.read()
        except BlockingIOError:
            return events
        except OSError as error:
            # ENODEV: it was pulled out, which is no fault
            log = _log.info if error.errno == errno.ENODEV else _log.warning
            log("number pad %s is gone: %s", pad.device.name, error.strerror)
            self._drop(pad)
            self._look_at = self._clock()  # it may be back already
        return events

    def _pass_on(self, keys: Iterable[Key]) -> None:
        """Put keys where there is room, else let them wait."""
        self._waiting.extend(keys)
        while self._waiting and self._calls.put(self._waiting[0]) is not False:
            self._waiting.popleft()
        if len(self._waiting) > WAITING_KEY_LIMIT:
            while len(self._waiting) > WAITING_KEY_LIMIT:
                self._waiting.pop()
            _log.warning("keys of number pads were lost: the table did not take them")
            self._calls.lost()
