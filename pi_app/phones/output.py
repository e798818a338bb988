"""Phones and tablets as one more output: frames and signals go to whoever listens on the socket."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from pi_app.phones.pairing import Pairing
from pi_app.phones.protocol import VERSION, Lines, socket_mode, socket_path
from pi_app.phones.reception import TableDesk
from pi_app.settings.schema import Settings
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame, Signal
from pi_app.view.output import Output

log = logging.getLogger(__name__)


class Listening(Protocol):
    """The open socket; what opens it is imported by a table with phones only."""

    def show(self, n: int, frame: Lines) -> None:
        """Let everybody see frame `n`."""

    def tell(self, lines: Lines) -> None:
        """Send everybody who keeps up a line that may be lost."""

    def announce(self, lines: Lines) -> None:
        """Send everybody a line that must arrive."""

    def stop(self) -> None:
        """Close every connection."""


THEMES = {"dark": "dark", "light": "light", "day": "time"}


class RemoteOutput(Output):
    """Opens the socket while the settings say so; until then it costs nothing.

    `desk` answers what clients ask of the table, `game` names the game that is on show; both are
    called as the loop shows frames or in its turn. `texts` are the table's now. `switch` is a file
    that is there while phones are let in, None where nobody follows it.
    """

    name = "phones"

    def __init__(
        self,
        settings: Settings,
        pairing: Pairing,
        texts: Callable[[], Texts],
        desk: TableDesk,
        game: Callable[[], str | None],
        switch: Path | None = None,
    ) -> None:
        self.epoch = ""
        """Names the time since the socket was opened."""
        self.path: Path | None = None
        """The socket's file; None until it is opened, where both processes look for it."""
        self.pairing = pairing
        self.server: Listening | None = None
        self._settings = settings
        self._texts = texts
        self._desk = desk
        self._switch = switch
        self._game = game
        self._shown = 0
        self._frame: Frame | None = None
        self._hello = self._greeting()

    @property
    def shown(self) -> int:
        """The number of the newest frame, counted from 1 in each run; 0 before the first."""
        return self._shown

    def show(self, frame: Frame) -> None:
        """Let everybody see a frame; the first one opens the socket, if that is wanted."""
        self._shown += 1
        first, self._frame = self._frame is None, frame
        if self.server is not None:
            self._send(self.server, frame)
        elif first:
            self._follow()

    def _send(self, server: Listening, frame: Frame) -> None:
        server.show(self._shown, partial(_line, self._shown, frame, self._game()))

    def signal(self, signal: Signal) -> None:
        """Let browsers sound as the buzzer does."""
        if self.server is not None:
            self.server.tell(partial(_signal, signal))

    def configure(self, settings: Settings) -> None:
        """Open or close the socket; tell browsers of another language or other colours."""
        self._settings = settings
        self._follow()
        hello, self._hello = self._hello, self._greeting()
        if self.server is not None and hello != self._hello:
            self.server.announce(lambda: self._hello)

    def _follow(self) -> None:
        """Open or close the socket as the settings say, and tell systemd, where it serves pages."""
        on = self._settings.web.enabled
        if not on:
            self.close()
        elif self.server is None:
            self._open()
        if self._switch is None:
            return
        try:
            self._switch.touch() if on else self._switch.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s cannot be changed: %s", self._switch, error)

    def close(self) -> None:
        """Let everybody go."""
        server, self.server = self.server, None
        if server is not None:
            server.stop()

    def _open(self) -> None:
        # only a table with phones needs these
        from pi_app.phones.reception import Reception
        from pi_app.phones.server import Server

        # what was done before is not known any more, so keys meant for then must not count
        self.epoch = os.urandom(8).hex()
        self._hello = self._greeting()
        self.path = self.path or socket_path()
        server = Server(self.path, socket_mode(), lambda: self._hello)
        reception = Reception(self._desk, self.pairing, self.epoch, self._texts, server.post)
        server.start(reception.ask)
        self.server = server
        if self._frame is not None:
            self._send(server, self._frame)

    def _greeting(self) -> dict[str, Any]:
        return {
            "kind": "hello",
            "version": VERSION,
            "epoch": self.epoch,
            "language": self._texts().language,
            "theme": THEMES[self._settings.display.theme],
        }


def _line(n: int, frame: Frame, game: str | None) -> dict[str, Any]:
    from pi_app.phones.frames import frame_data

    return {"kind": "frame", "n": n, "frame": frame_data(frame, game)}


def _signal(signal: Signal) -> dict[str, Any]:
    return {"kind": "signal", "name": signal.value}
