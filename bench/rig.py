"""How often a rig wakes up while nobody plays, under the real lgpio on a simulated chip.

A wakeup is a thread of the process being scheduled after a wait; lgpio alone causes 50 of them a
second. Left out if there is no C compiler or no lgpio.
"""

import tempfile
from pathlib import Path

from bench.figure import Figure
from tools.gpio import Machine, NoMachineError


def figures() -> list[Figure]:
    """Return the wakeups a second; ImportError if the chip cannot be simulated."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with Machine(Path(folder)) as machine:
                machine.load(0.5)  # a moment that is not measured: the start
                return [Figure("wakeups of an idle rig", machine.load(4).wakeups, "1/s", 60)]
        except NoMachineError as error:
            raise ImportError(str(error)) from error
