"""Signals that end the program, heard even where the main thread is about to wait."""

import os
import signal
from collections.abc import Callable
from threading import Thread

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def on_ending_signal(stop: Callable[[], object]) -> None:
    """Let a thread of its own call `stop` when the program is told to end.

    A handler of Python's runs between two steps of the main thread: one that comes after a look
    at a flag and before the wait for it is lost, and one that takes a lock may wait for itself.
    The number that the system's own handler writes into a pipe is neither.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    Thread(target=_listen, args=(reading, stop), name="signals", daemon=True).start()
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in ENDING:
        signal.signal(number, lambda *_: None)


def on_early_end(note: Callable[[], object]) -> None:
    """Let a SIGTERM that comes before the first frame be noted; it ends the program as ever."""

    def end(number: int, _frame: object) -> None:
        note()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    signal.signal(signal.SIGTERM, end)


def _listen(reading: int, stop: Callable[[], object]) -> None:
    while number := os.read(reading, 1):
        if number[0] in ENDING:
            stop()
