"""A table with a stick: its games and settings, and what is saved on the stick."""

import zipfile
from collections.abc import Callable
from pathlib import Path

from beisitzer.testing.pilot import keys_to
from pi_app.card.stick_menu import StickMenu
from pi_app.run.loop import home
from pi_app.screens.base import Push
from pi_app.view.frame import Frame
from tests.pi_app.card.sticks import FolderStick
from tests.pi_app.pilot import Pilot, choices_of
from tests.pi_app.store.faults import TAGS


class Table:
    """A table with its store in a file, its settings, and a stick."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.state.mkdir(parents=True)
        self.settings = self.state / "settings.toml"
        self.stick = FolderStick(folder / "stick")
        self.open()

    def open(self) -> None:
        """Start the program."""
        self.store = self.state / "games"
        self.pilot = Pilot(store=self.store)
        ctx = self.pilot.ctx

        def items() -> tuple[tuple[str, Callable[[], Push]]]:
            menu = StickMenu(ctx, self.stick, self.settings, self.store)
            return (("USB stick", lambda: Push(menu)),)

        ctx.system_items.append(items)

    def restart(self) -> None:
        """End the program and start it again."""
        self.pilot.ctx.store.close()
        self.open()

    def play(self, *tokens: str) -> None:
        """Begin a game and store these moves of it."""
        game = self.pilot.ctx.store.begin(TAGS)
        for n, token in enumerate(tokens):
            self.pilot.ctx.store.append(game, n, token, None)

    def games(self) -> list[tuple[str, ...]]:
        store = self.pilot.ctx.store
        numbers = range(1, (store.latest_game() or 0) + 1)
        return [store.load(number).tokens for number in numbers if store.find_game(number)]

    def choose(self, *words: str) -> Frame:
        self.pilot.program.stack = [home(self.pilot.ctx)]
        self.pilot.program.show()
        self.pilot.choose("System", "USB stick", *words)
        return self.settle()

    def settle(self) -> Frame:
        """Let everything end that goes on outside the loop."""
        for _ in range(4):
            self.pilot.wait(0)
        return self.pilot.frame

    def then(self, *words: str) -> Frame:
        for word in words:
            self.pilot.choose(word)
            self.settle()
        return self.pilot.frame

    def load(self, what: str, index: int = 0) -> Frame:
        """Load the state of this number from the stick."""
        self.choose("Load from stick")
        self.pilot.key(keys_to(choices_of(self.pilot.frame), index))
        self.settle()
        return self.then(what)


def said(frame: Frame) -> str:
    return " ".join(frame.body.lines)


def leftovers(table: Table) -> set[str]:
    """Return what is in the table's folder besides what belongs there."""
    known = {"games", "settings.toml"}
    return {each.name for each in table.state.iterdir()} - known


def rows(table: Table) -> tuple[str, ...]:
    choices = choices_of(table.pilot.frame)
    return choices.items


def saved_table(table: Table) -> None:
    """Save two games with German settings, lose the second; play another, change the settings."""
    table.play("7 12", "8 9")
    table.play("11")
    table.settings.write_text('language = "de"\n')
    table.choose("Save to stick")
    store = table.pilot.ctx.store
    table.play("3")
    (lost,) = table.store.glob("0002-*")
    store.close()
    lost.unlink()
    (table.store / "index.db").unlink(missing_ok=True)
    table.open()
    table.settings.write_text('language = "en"\n')


def repacked(
    packed: bytes,
    folder: Path,
    change: Callable[[dict[str, bytes]], object],
    method: int = zipfile.ZIP_STORED,
) -> bytes:
    """Return an archive whose files were changed."""
    file = folder / "changed.zip"
    file.write_bytes(packed)
    with zipfile.ZipFile(file) as old:
        files = {name: old.read(name) for name in old.namelist()}
    change(files)
    with zipfile.ZipFile(file, "w", method) as new:
        for name, data in files.items():
            new.writestr(name, data)
    return file.read_bytes()
