"""A separate process: `beisitzer play` without any device, up to its first frame.

Its argument is the store, whose game it continues. It prints one line of JSON: peak resident memory
in KiB, loaded modules. There are no keys, so that it ends when the frame is shown.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path


def main(store: str) -> None:
    """Start like the command, but with default settings instead of this machine's."""
    from pi_app.commands.cli import main as beisitzer

    settings, keys = Path(f"{store}.toml"), Path(f"{store}.keys")
    for path in (settings, keys):
        path.touch()
    os.environ |= {"BEISITZER_CONFIG": str(settings), "LANGUAGE": "en"}
    # without a game the one in the store is continued
    game = () if Path(store).exists() else ("just4fun", "--players", "Anna yellow, Ben red")
    with suppress(SystemExit):
        beisitzer(["play", *game, "--display", "none", "--keys", str(keys), "--store", store])
    status = Path("/proc/self/status").read_text("utf-8")
    # the "high water mark" of the resident memory, in KiB
    peak = int(status.partition("VmHWM:")[2].split()[0])
    sys.stdout.write(json.dumps({"peak_kib": peak, "modules": sorted(sys.modules)}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
