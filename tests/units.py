"""The units as systemd reads them: each with the drop-ins that apply to it."""

import re
from pathlib import Path

from tools.image import system
from tools.package import SYSTEMD, UNITS

CARD_UNITS = system.CARD / "usr/lib/systemd/system"
KINDS = (".service", ".socket", ".path", ".timer")
WINDOW = SYSTEMD / "machine/usr/share/beisitzer/window.conf"


def units(*kinds: str) -> list[Path]:
    """Return the units of every machine, in the order of their names."""
    return sorted(path for path in UNITS.iterdir() if path.suffix in (kinds or KINDS))


def drop_ins(unit: Path) -> list[Path]:
    """Return the files beside a unit that systemd reads after it, in its order."""
    folders = [unit.with_name(f"{unit.name}.d")]
    stem = unit.stem.partition("@")[0]
    while "-" in stem:
        stem = stem.rpartition("-")[0]
        folders.append(unit.with_name(f"{stem}-{unit.suffix}.d"))
    found = {path.name: path for folder in reversed(folders) for path in folder.glob("*.conf")}
    return [found[name] for name in sorted(found)]


def lines(unit: Path) -> list[tuple[str, str]]:
    """Return name and value of each setting of a unit and its drop-ins."""
    texts = [path.read_text("utf-8") for path in (unit, *drop_ins(unit))]
    return re.findall(r"(?m)^(\w+)=(.*)$", "\n".join(texts))


def settings(unit: Path) -> dict[str, list[str]]:
    """Return the values of each setting, in the order in which systemd reads them."""
    found: dict[str, list[str]] = {}
    for name, value in lines(unit):
        found.setdefault(name, []).append(value)
    return found
