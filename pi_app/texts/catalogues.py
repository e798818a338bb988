"""Compiling the text catalogues: `python -m pi_app.texts.catalogues`, and while building.

Other games' catalogues too: `python -m pi_app.texts.catalogues FOLDER`.

Needs Babel, which the running companion does not.
"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

FOLDER = Path(__file__).parent / "locale"


def compile_catalogues(folder: Path = FOLDER) -> None:
    """Compile every .po that is newer than its .mo."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for po in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        mo = po.with_suffix(".mo")
        if mo.exists() and mo.stat().st_mtime > po.stat().st_mtime:
            continue
        # several processes may compile at once
        temporary = mo.with_suffix(f".{os.getpid()}")
        with po.open("rb") as source, temporary.open("wb") as target:
            catalogue = read_po(source)
            # else it holds the time of its compiling, and no image is built twice alike
            catalogue.creation_date = datetime.fromtimestamp(0, UTC)
            write_mo(target, catalogue)
        temporary.replace(mo)


if __name__ == "__main__":
    for folder in sys.argv[1:] or [str(FOLDER)]:
        compile_catalogues(Path(folder))
