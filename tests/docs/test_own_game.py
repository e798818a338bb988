"""The guide for authors of games names what is there."""

import pkgutil
import re
from pathlib import Path

import beisitzer
from pi_app.texts.language import SLOTS
from tests.docs.pages import page

GUIDE = page("docs/own-game.md")
PACKAGE = Path(beisitzer.__file__).parent


def first_cells(heading: str) -> list[str]:
    """Return the code in the first column of the table below a heading."""
    table = GUIDE.text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)`", table, re.M)


def test_the_guide_names_every_file_of_a_new_game() -> None:
    template = PACKAGE / "template"
    for name in first_cells("Start"):
        assert (template / name.replace("halma", "newgame")).exists(), name


def test_the_guide_says_of_every_file_of_the_suite_what_it_holds() -> None:
    suite = {path.name for path in (PACKAGE / "testing").glob("test_*.py")}
    assert set(first_cells("The suite")) == suite


def test_the_guide_has_every_slot_with_its_room() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\w+) \| (.+) \|$", GUIDE.text, re.M)
    rooms = {slot: (int(pixels), rows) for slot, pixels, rows, _ in rows}
    assert rooms == {slot: (room.pixels, str(room.rows or "any")) for slot, room in SLOTS.items()}
    faces = {slot: room.face for slot, room in SLOTS.items() if room.face != "text"}
    assert faces == {
        slot: face for slot, _, _, words in rows for face in faces.values() if f"`{face}`" in words
    }


def test_what_the_guide_names_of_the_public_package_can_be_imported() -> None:
    names = set(re.findall(r"beisitzer(?:\.[A-Za-z]+)+", GUIDE.text)) - {"beisitzer.games"}
    assert len(names) > 5
    for name in names:
        pkgutil.resolve_name(name)
