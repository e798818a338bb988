"""A separate process: starts the companion on a simulated rig, up to its first frame.

Then it prints one line of JSON: CPU seconds since the process began, peak resident memory in KiB,
loaded modules.
"""

import json
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path


def main(store: str, extra: str = "") -> None:
    """Start the companion like the service up to its first frame, with simulated devices.

    Its displays are those of the settings; `extra` is "window" to add one, like the installer.
    """
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    import pi_app.commands.play  # noqa: F401  # what the real start imports counts too
    from hardware.simulation import SimulatedI2c, SimulatedOled
    from pi_app.displays.rig import open_rig_output
    from pi_app.run.opening import (
        NoDisplayError,
        Wish,
        companion,
        first_screen,
        open_context,
        open_displays,
    )
    from pi_app.settings.file import load
    from pi_app.view.inputs import KeyQueue
    from pi_app.view.output import Output

    settings = load().settings
    ctx = open_context(settings, Path(store))
    first = first_screen(
        ctx, Wish({"Game": "just4fun", "Players": "Anna yellow, Ben red"}, new_game=False)
    )
    queue = KeyQueue()
    bus = SimulatedI2c(SimulatedOled("ssd1306"))
    rig = open_rig_output(settings, queue.put, factory=MockFactory(pin_class=MockPWMPin), bus=bus)
    outputs: list[Output] = [] if rig is None else [rig]
    if extra == "window":
        settings = replace(settings, display=replace(settings.display, show=("oled", "window")))
    with suppress(NoDisplayError):
        outputs += open_displays("auto", queue, ctx.texts, settings)
    program = companion(ctx, first, queue, outputs)
    program.show()
    cpu_s = time.process_time()
    # ru_maxrss would count the process that started this one
    status = Path("/proc/self/status").read_text("utf-8")
    peak = int(status.partition("VmHWM:")[2].split()[0])
    facts = {"cpu_s": cpu_s, "peak_kib": peak, "modules": sorted(sys.modules)}
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()
    for output in program.outputs:
        output.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
