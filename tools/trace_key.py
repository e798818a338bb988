"""`python -m tools.trace_key [KEYS]`: counts the calls with which one ENTER plays a move.

KEYS is the script before that ENTER, by default the cards of a second move of Just 4 Fun. It counts
only the project's own functions (and comprehensions where Python calls them) and their files,
without the stand-ins of `bench`; the store is in memory and no display is attached.
"""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

from bench.keys import program
from hardware.keys import Key
from pi_app.view.key_script import read_keys

ROOT = str(Path(__file__).parent.parent)
SECOND_MOVE = "12*7# 5*11*13# 12*7# 9*5"


def main(script: str = SECOND_MOVE) -> int:
    """Print the files with their calls, the most called first, then both totals."""
    table = program("just4fun")
    table.play_script(read_keys(script))
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _arg: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(ROOT) and not path.startswith(f"{ROOT}/bench/"):
            calls[path.removeprefix(f"{ROOT}/")] += 1

    sys.setprofile(count)
    table.press(Key.ENTER)
    sys.setprofile(None)
    for file, number in calls.most_common():
        sys.stdout.write(f"{number:5} {file}\n")
    sys.stdout.write(f"{calls.total()} calls in {len(calls)} files\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
