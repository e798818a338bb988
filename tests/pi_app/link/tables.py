"""A companion with its loop and its socket, and a link's connection to it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

from hardware.keys import Key
from pi_app.commands.table_link import Club, LaterLink, add_link
from pi_app.phones.output import Phones
from pi_app.run.opening import Wish, companion, first_screen
from pi_app.screens.context import Context
from pi_app.settings.schema import LinkSettings, Settings, WebSettings
from pi_app.store.store import Store
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.output import FaultTolerantOutput
from tests.pi_app.phones.client import PATIENCE_S, Client, Line, wait_for
from tests.pi_app.pilot import Recorder

ON = LinkSettings(enabled=True, user="table-07")
OVER_SOON = {
    "Game": "just4fun",
    "Players": "Anna yellow, Ben red",
    "Position": "yellow 1 14 30; red 2 3 4",
}
WINS = ("1", "2", "STAR", "1", "2", "ENTER")


class LinkTable:
    """A table with a place for the link; `phones` says whether phones are let in too."""

    def __init__(
        self,
        folder: Path,
        tags: dict[str, str] | None,
        *,
        link: LinkSettings = ON,
        phones: bool = False,
        language: str = "en",
        new_game: bool = False,
    ) -> None:
        settings = Settings(web=WebSettings(enabled=phones), link=link)
        self.store = Store(folder / "games.db")
        self.ctx = Context(Texts(language), settings, self.store, time.monotonic)
        self.club = Club(self.ctx)
        self.keys = KeyQueue()
        self.recorder = Recorder()
        first = first_screen(self.ctx, Wish(tags, new_game=new_game))
        self.program = companion(self.ctx, first, self.keys, [self.recorder])
        self.phones = Phones(self.program, None, folder / "r.sock")
        self.program.follow(self.phones)
        add_link(self.program, self.club, lambda: self.phones)
        self.path = folder / "r.sock"
        self.thread = Thread(target=self.program.run, daemon=True)
        self.thread.start()
        self.do(lambda: None)  # the loop is there
        if link.enabled or phones:
            wait_for(self.path.exists)

    @property
    def later(self) -> LaterLink:
        output = self.program.outputs[-1]
        assert isinstance(output, FaultTolerantOutput)
        assert isinstance(output.output, LaterLink)
        return output.output

    @property
    def frame(self) -> Frame:
        return self.recorder.frames[-1]

    def press(self, *names: str) -> None:
        for name in names:
            self.keys.put(Key(name))

    def see(self, wanted: Callable[[Frame], object]) -> Frame:
        """Wait until the table shows what is wanted."""
        wait_for(lambda: self.recorder.frames and wanted(self.frame))
        return self.frame

    def do(self, act: Callable[[], object]) -> None:
        """Let the loop do something, and wait until it is done."""
        done: list[object] = []
        wait_for(lambda: self.keys.post(lambda: done.append(act())))
        wait_for(lambda: done)

    def change(self, **link: object) -> None:
        """Change settings of the link as the menu does."""

        def act() -> None:
            settings = self.ctx.settings
            values: Any = link
            self.ctx.settings = replace(settings, link=replace(settings.link, **values))
            self.program.show()

        self.do(act)

    def end(self) -> None:
        self.keys.stop()
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()
        for output in reversed(self.program.outputs):
            output.close()
        self.store.close()


@contextmanager
def table(
    tags: dict[str, str] | None = None, folder: Path | None = None, **options: Any
) -> Iterator[LinkTable]:
    """Open a table for a while, in a folder whose name is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="b") as own:
        opened = LinkTable(folder or Path(own), tags, **options)
        try:
            yield opened
        finally:
            opened.end()


class Link(Client):
    """The link's process as the companion knows it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        assert self.line()["kind"] == "hello"

    def take(self) -> Line:
        return self.ask("link", version=2)

    def news(self, kind: str, wanted: Callable[[Line], object] = lambda _: True) -> Line:
        """Return the next line of this kind that is wanted."""
        return self.until(lambda line: line["kind"] == kind and bool(wanted(line)))
