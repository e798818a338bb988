"""What the rig on the header costs while nobody plays, under the real lgpio on a simulated chip.

A wakeup is a thread of the process being scheduled after a wait; lgpio alone causes 50 of them a
second. Left out if there is no C compiler or no lgpio.
"""

import tempfile
import time
from pathlib import Path

from bench.figure import Figure
from tools.gpio import Machine, NoMachineError

SECONDS = 4.0
WAKEUPS, CPU_PERCENT, KEY_MS = 60, 0.5, 30
"""The budgets: wakeups a second, share of a core, milliseconds from a key to the queue."""
ROW, COLUMN, A, B = 5, 12, 25, 26
"""The pins of a key's row and column, and of the encoder."""
PRESSES, CLICKS = 20, 200


def _measure_idle(machine: Machine) -> list[Figure]:
    figures = []
    cases = (("", ""), (" after a tick", "sound tick"), (", lamp lit", "light FFFF00"))
    for name, command in cases:
        if command:
            machine.say(command)
        machine.load(0.5)  # a moment that is not measured, until the sound is over
        load = machine.load(SECONDS)
        figures += [
            Figure(f"idle rig{name}: wakeups", load.wakeups, "1/s", WAKEUPS),
            Figure(f"idle rig{name}: CPU", load.cpu_percent, "%", CPU_PERCENT),
        ]
    machine.say("light 000000")
    return figures


def _measure_delays_ms(machine: Machine) -> list[float]:
    """Return the delay of each of some key presses in milliseconds, sorted."""
    late = []
    for _ in range(PRESSES):
        expected = len(machine.heard) + 1
        start = time.monotonic()
        machine.finger("join", ROW, COLUMN)
        machine.wait_for(lambda keys=expected: len(machine.heard) >= keys)  # type: ignore[misc]
        _, heard_at = machine.heard[-1]
        late.append(1000 * (heard_at - start))
        machine.finger("part", ROW, COLUMN)
        machine.load(0.1)  # a moment, in which the contact is open for long enough
    return sorted(late)


def _measure_held_key(machine: Machine) -> Figure:
    machine.finger("join", ROW, COLUMN)
    machine.load(0.2)  # a moment that is not measured: the press itself
    calls = machine.load(1).calls
    machine.finger("part", ROW, COLUMN)
    machine.load(0.2)  # and the release, before the next measurement
    return Figure("held key: calls of the chip", calls, "1/s")


def _count_clicks(machine: Machine) -> float:
    """Turn the encoder as fast as possible; return how many of its clicks were received."""
    before = len(machine.heard)
    for _ in range(CLICKS):
        for word, line in (("low", A), ("low", B), ("free", A), ("free", B)):
            machine.finger(word, line)
    machine.wait_for(lambda: len(machine.heard) - before >= CLICKS, 5)
    return len(machine.heard) - before


def figures() -> list[Figure]:
    """Return the figures; ImportError if the chip cannot be simulated."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with Machine(Path(folder)) as machine:
                results = _measure_idle(machine)
                late = _measure_delays_ms(machine)
                # the one in the middle
                results.append(Figure("key to queue, one of 20", late[PRESSES // 2], "ms", KEY_MS))
                results.append(Figure("key to queue, the latest of 20", late[-1], "ms"))
                results.append(_measure_held_key(machine))
                clicks = _count_clicks(machine)
        except NoMachineError as error:
            raise ImportError(str(error)) from error
    results.append(Figure("encoder: clicks heard of 200", clicks, "", CLICKS, higher=True))
    return results
