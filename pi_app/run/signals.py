"""Signals that end the program, even if the main thread is about to wait."""

import os
import signal
from collections.abc import Callable
from threading import Thread

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def on_ending_signal(stop: Callable[[], object]) -> None:
    """Let a separate thread call `stop` when a signal ends the program.

    A Python handler runs between two steps of the main thread: a signal between the check of a flag
    and the wait for it would be lost, and a handler that takes a lock may deadlock. Neither happens
    to the number that the system's own handler writes into a pipe.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)  # `set_wakeup_fd` takes no other

    def listen() -> None:
        while number := os.read(reading, 1):
            if number[0] in ENDING:
                stop()

    Thread(target=listen, name="signals", daemon=True).start()
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in ENDING:
        # any Python handler makes the number go into the pipe; this one does nothing
        signal.signal(number, lambda *_: None)


def on_early_end(note: Callable[[], object]) -> None:
    """Call `note` if a SIGTERM comes before the first frame; it still ends the program."""

    def end(number: int, _frame: object) -> None:
        note()
        # systemd must see that the signal ended the program
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    signal.signal(signal.SIGTERM, end)
