"""Starts the companion in a process of its own, and prints one line of JSON at the first frame.

Its arguments are a store, which may have a game to continue, and "rig" for a simulated rig;
otherwise there is no device. It prints its CPU seconds, the peak of resident memory in MiB, and the
modules.
"""

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from bench.figure import most_memory_mib

NEW_GAME = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}


def start_bare(store: Path) -> None:
    """Start like the command, but with default settings instead of this machine's.

    There are no keys, so that it ends when the frame is shown.
    """
    from pi_app.commands.cli import main as beisitzer

    settings, keys = Path(f"{store}.toml"), Path(f"{store}.keys")
    for path in (settings, keys):
        path.touch()
    os.environ |= {"BEISITZER_CONFIG": str(settings), "LANGUAGE": "en"}
    game = () if store.exists() else (NEW_GAME["Game"], "--players", NEW_GAME["Players"])
    with suppress(SystemExit):
        beisitzer(["play", *game, "--display", "none", "--keys", str(keys), "--store", str(store)])


def start_on_rig(store: Path) -> None:
    """Start like the service, with simulated devices; print the line at the first frame."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    import pi_app.commands.play  # noqa: F401  # what the real start imports counts too
    from hardware.rig import RigPorts
    from pi_app.displays.rig import open_rig_output
    from pi_app.run.extras import NoDisplayError, Start, open_display
    from pi_app.run.opening import Wish, companion, first_screen, open_context
    from pi_app.settings.file import load
    from pi_app.view.inputs import KeyQueue
    from pi_app.view.output import Output
    from tools.simulation import SimulatedI2c, SimulatedOled

    settings = load().settings
    ctx = open_context(settings, store)
    first = first_screen(ctx, Wish(NEW_GAME, new_game=False))
    queue = KeyQueue()
    bus = SimulatedI2c(SimulatedOled("ssd1306"))
    rig = open_rig_output(settings, queue.put, RigPorts(MockFactory(pin_class=MockPWMPin), bus))
    outputs: list[Output] = [] if rig is None else [rig]
    program = companion(ctx, first, queue, outputs)
    with suppress(NoDisplayError):
        open_display(program, Start())
    program.show()
    print_facts()
    for output in program.outputs:
        output.close()


def print_facts() -> None:
    """Print CPU time, memory and modules as one line."""
    cpu_s = time.process_time()
    facts = {"cpu_s": cpu_s, "peak_mib": most_memory_mib(), "modules": sorted(sys.modules)}
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if "rig" in sys.argv:
        start_on_rig(Path(sys.argv[1]))
    else:
        start_bare(Path(sys.argv[1]))
        print_facts()
