"""A client of the socket for tests, and a companion whose loop runs beside them."""

from __future__ import annotations

import json
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, Self

from beisitzer.testing.pilot import choose
from hardware.keys import Key
from pi_app.extras.link import ClubPart, add_link
from pi_app.link.settings import ClubSettings
from pi_app.phones.output import Phones
from pi_app.phones.pairing import Pairing
from pi_app.phones.protocol import WebSettings
from pi_app.run.opening import Wish, companion, first_screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.store import Reader, Store
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.output import Output
from tests.pi_app.pilot import Recorder
from tests.stand_ins.waiting import PATIENCE_S, wait_for

Line = dict[str, Any]


class Client:
    """One connection; what arrives is kept until somebody asks for it."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE_S)
        try:
            wait_for(partial(connected, self.socket, path))
        except BaseException:
            self.socket.close()
            raise
        self.lines: list[Line] = []
        self.newest: Line = {}
        """The last frame that was taken, with its number as `n`."""
        self._taken = b""
        self._ids = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def line(self) -> Line:
        """Return the next line; EOFError where the companion has hung up."""
        while b"\n" not in self._taken:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError
            self._taken += data
        line, _, self._taken = self._taken.partition(b"\n")
        found: Line = json.loads(line)
        self.lines.append(found)
        if found["kind"] == "frame":
            self.newest = {**found["frame"], "n": found["n"]}
        return found

    def until(self, wanted: Callable[[Line], bool]) -> Line:
        """Return the next line that is wanted."""
        while not wanted(line := self.line()):
            pass
        return line

    def frame(self, wanted: Callable[[Line], bool] = lambda _: True) -> Line:
        """Return the next frame that is wanted."""
        found = self.until(lambda line: line["kind"] == "frame" and wanted(line["frame"]))
        frame: Line = found["frame"]
        return frame

    def ask(self, kind: str, **fields: Any) -> Line:
        """Send a request and return its answer."""
        self._ids += 1
        identity = f"{kind}-{self._ids}"
        self.send(json.dumps({"kind": kind, "id": identity, **fields}).encode() + b"\n")
        return self.until(lambda line: line.get("id") == identity)


class Phone(Client):
    """A paired browser that keys with numbers of its own."""

    def __init__(self, path: Path, token: str) -> None:
        super().__init__(path)
        self.token = token
        self.epoch = str(self.until(lambda line: line["kind"] == "hello")["epoch"])
        self.n = 0

    def key(self, key: str | Line, **fields: Any) -> Line:
        """Press a key, or tap with {"tap": NAME}."""
        self.n += 1
        pressed = {"key": key} if isinstance(key, str) else key
        asked = {"token": self.token, "epoch": self.epoch, "n": self.n, **pressed}
        if "seen" not in fields:
            self.own("who")  # before its answer comes the newest frame
            asked["seen"] = self.newest["keyed"]
        return self.ask("key", **{**asked, **fields})

    def keys(self, *keys: str) -> None:
        for key in keys:
            answer = self.key(key)
            assert answer.get("ok"), answer

    def own(self, kind: str, **fields: Any) -> Line:
        """Ask for something with the browser's token."""
        return self.ask(kind, token=self.token, **fields)

    def now(self) -> Line:
        """Return what goes with a request for the present position."""
        return {"epoch": self.epoch, "seen": self.own("seats")["position"]}

    def play(self, seat: int, move: str, **fields: Any) -> Line:
        self.n += 1
        asked = {"n": self.n, "seat": seat, "move": move}
        return self.own("play", **{**self.now(), **asked, **fields})

    def undo(self, seat: int, **fields: Any) -> Line:
        self.n += 1
        return self.own("undo", **{**self.now(), "n": self.n, "seat": seat, **fields})

    def sit(self, seat: int, **fields: Any) -> Line:
        return self.own("claim", **{**self.now(), "seat": seat, **fields})

    def rise(self, seat: int) -> Line:
        return self.own("release", **self.now(), seat=seat)

    def tip(self, seat: int, cards: str) -> Line:
        return self.own("tip", **self.now(), seat=seat, cards=cards)


class Table:
    """A companion with its loop in a thread of its own, and a socket for phones and the link.

    `link` are the club's settings of a table with a place for the link, None for one without.
    """

    def __init__(
        self,
        folder: Path,
        tags: dict[str, str] | None = None,
        outputs: tuple[Output, ...] = (),
        language: str = "en",
        switch: Callable[[bool], None] | None = None,
        *,
        phones: bool = True,
        link: ClubSettings | None = None,
        new_game: bool = False,
    ) -> None:
        settings = Settings().plus(WebSettings(enabled=phones), link or ClubSettings())
        self.store = Store(folder / "games")
        self.ctx = Context(Texts(language), settings, self.store, time.monotonic)
        self.club = None if link is None else ClubPart(self.ctx)
        self.keys = KeyQueue()
        self.recorder = Recorder()
        first = first_screen(self.ctx, Wish(tags, new_game=new_game))
        self.program = companion(self.ctx, first, self.keys, [self.recorder, *outputs])
        self.phones = Phones(self.program, switch, folder / "r.sock")
        self.program.places["phones"] = lambda *_: self.phones.menu()
        self.program.invitation = self.phones.invitation
        self.ctx.invites = lambda: phones
        self.program.follow(self.phones)
        if self.club is not None:
            add_link(self.program, self.club, lambda: self.phones)
        self.thread = Thread(target=self.program.run, daemon=True)
        self.thread.start()
        self.do(lambda: None)  # the loop is there
        if phones or settings.of(ClubSettings).enabled:
            wait_for(lambda: self.phones.server is not None)
            self.wait()

    def wait(self) -> None:
        """Wait until phones can connect, or it is certain that none can."""
        assert self.phones.server is not None
        assert self.phones.server.listening.wait(PATIENCE_S)

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

    def choose(self, *rows: str) -> None:
        """Choose entries of lists by their English words, each as soon as it is on show."""
        for row in rows:
            self.see(partial(has_row, row=row))
            self.do(partial(choose, self.program, row))

    def do(self, act: Callable[[], object]) -> None:
        """Let the loop do something, and wait until it is done."""
        done: list[object] = []
        wait_for(lambda: self.keys.post(lambda: done.append(act())))
        wait_for(lambda: done)

    def change(self, **link: object) -> None:
        """Change settings of the club as the menu does."""

        def act() -> None:
            settings = self.ctx.settings
            values: Any = link
            self.ctx.settings = settings.plus(replace(settings.of(ClubSettings), **values))
            self.program.show()

        self.do(act)

    @property
    def pairing(self) -> Pairing:
        return self.phones.pairing

    @property
    def path(self) -> Path:
        return self.phones.path

    def phone(self, name: str = "Firefox") -> Phone:
        """Return a browser that has just been paired."""
        token = self.pairing.pair(self.pairing.show_code(), name)
        assert isinstance(token, str)
        return Phone(self.path, token)

    def tokens(self) -> tuple[str, ...]:
        """Return the moves that the file has of the game begun last.

        Read by a connection of its own: two threads in one connection may wait for each other.
        """
        assert self.ctx.store.path is not None
        games = Reader.of(self.ctx.store.path)
        game = games.latest_game()
        return () if game is None else games.load(game).tokens

    def end(self) -> None:
        self.keys.stop()
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()
        for output in reversed(self.program.outputs):
            output.close()
        self.store.close()


def has_row(frame: Frame, row: str) -> bool:
    """Tell whether a list on show has a row that begins with these words."""
    choices = frame.body.choices
    return choices is not None and any(item.startswith(row) for item in choices.items)


@contextmanager
def table(
    tags: dict[str, str] | None = None, folder: Path | None = None, **options: Any
) -> Iterator[Table]:
    """Open a table for a while, in a folder whose name is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="b") as own:
        opened = Table(folder or Path(own), tags, **options)
        try:
            yield opened
        finally:
            opened.end()


def connected(client: socket.socket, path: Path) -> bool:
    """Connect, unless nobody listens yet or too many others are just about to."""
    try:
        client.connect(str(path))
    except (BlockingIOError, ConnectionRefusedError, FileNotFoundError):
        return False
    return True
