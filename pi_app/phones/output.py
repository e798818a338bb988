"""Phones and tablets as one more output: frames go to the clients of the socket."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from pi_app.phones.frames import frame_data
from pi_app.phones.menu import PairScreen, PhoneMenu
from pi_app.phones.pairing import Pairing
from pi_app.phones.protocol import VERSION, WebSettings, socket_mode, socket_path
from pi_app.phones.reception import Reception
from pi_app.phones.server import LinkPlace, Server
from pi_app.phones.table import RemoteTable
from pi_app.run.loop import Companion
from pi_app.screens.base import Screen
from pi_app.settings.schema import Settings
from pi_app.view.frame import Frame
from pi_app.view.output import Output

log = logging.getLogger(__name__)

ENOUGH = 2
"""With fewer paired phones, the table page shows how to join."""


class Phones(Output):
    """Keeps the socket open while the settings switch phones on.

    `switch` lets systemd open the port while phones are on; None without systemd. `path` is the
    socket's file; None: the default, where both processes look for it. `before_pairing`
    returns the screen that comes before the given one when a phone is let in.
    """

    name = "phones"
    dials = False

    def __init__(
        self,
        program: Companion,
        switch: Callable[[bool], None] | None = None,
        path: Path | None = None,
        before_pairing: Callable[[Callable[[], Screen]], Screen] = lambda pair: pair(),
        *,
        barred: bool = False,
    ) -> None:
        store_path = program.ctx.store.path
        # a store in memory has no path: then the paired phones are forgotten at the end
        file = store_path and store_path.with_name(f"{store_path.name}.phones")
        self.ctx = program.ctx
        self.pairing = Pairing(file, program.ctx.clock, now=program.ctx.now)
        self.table = RemoteTable(
            program, self.pairing, lambda: self._shown, lambda: self._keyed_frame
        )
        self.table.changed = self._send_again
        self.path = path or socket_path()
        self.epoch = ""
        """A random name for the time since the socket was opened."""
        self.server: Server | None = None
        self._settings = program.ctx.settings
        self._switch = switch
        self._barred = barred
        self._place: LinkPlace | None = None
        self._shown = 0
        """The number of the newest frame, counted from 1."""
        self._inputs, self._keyed_frame = 0, 0
        """The number of inputs so far, and of the first frame after the last input."""
        self._frame: Frame | None = None
        self._hello = self._greeting()
        # called in the server's thread, but only the loop may show anything
        self.pairing.changed = lambda: program.keys.post(self._paired)
        self._program = program
        self._before_pairing = before_pairing

    def _paired(self) -> None:
        """Show that a phone was paired or forgotten, and let each page check its pairing."""
        self._program.show()
        self._greet(always=True)

    def attach(self, place: LinkPlace | None) -> None:
        """Give the link a place on the socket, which is open for it alone too, or take it away."""
        self._place = place
        if self.server is not None:
            self.server.place = place
        if self._frame is not None:
            self._follow()

    @property
    def lets_in(self) -> bool:
        """Whether phones are on."""
        return self._settings.of(WebSettings).enabled and not self._barred

    def menu(self) -> Screen:
        return PhoneMenu(self.ctx, self.pairing, self.invitation)

    def invitation(self) -> Screen:
        return self._before_pairing(lambda: PairScreen(self.ctx, self.pairing))

    def show(self, frame: Frame) -> None:
        """Send a frame to all clients; the first one opens the socket if phones are on."""
        self._count_frame()
        first = self._frame is None
        self._frame = frame
        if self.server is not None:
            self._send(self.server, frame)
        elif first:
            self._follow()

    def _send_again(self) -> None:
        """Send the frame again with a new number for `news`, because a seat has changed."""
        self._count_frame()
        if self.server is not None and self._frame is not None:
            self._send(self.server, self._frame)

    def _count_frame(self) -> None:
        self._shown += 1
        if self._inputs != self._program.inputs:
            self._inputs, self._keyed_frame = self._program.inputs, self._shown

    def _send(self, server: Server, frame: Frame) -> None:
        numbers = {"news": self.table.news(), "keyed": self._keyed_frame}
        line = partial(_line, self._shown, frame, self.table.on_show(), numbers)
        server.show(self._shown, line)

    def configure(self, settings: Settings) -> None:
        """Open or close the socket; send a new hello if language or theme has changed."""
        self._settings = settings
        self._follow()
        self._greet()

    def _greet(self, *, always: bool = False) -> None:
        """Send the hello again if it has changed, or with `always` in any case."""
        last_hello = self._hello
        self._hello = self._greeting()
        if self.server is not None and (always or last_hello != self._hello):
            self.server.announce(self._hello)

    def _follow(self) -> None:
        """Open or close the socket as the settings say, and the port."""
        on = self.lets_in
        if not on and self._place is None:
            if self.server is not None:
                self.server.announce({"kind": "off"})
            self.close()
        elif self.server is None:
            self._open()
        else:
            self.server.let_phones(ask=on)
        if self._switch is not None:
            self._switch(on)

    def leave(self, frame: Frame) -> None:
        """Send the last frame and announce the intended end; close the socket."""
        self.show(frame)
        if self.server is not None:
            self.server.announce({"kind": "ends"})
        self.close()

    def close(self) -> None:
        """Close the socket."""
        server, self.server = self.server, None
        if server is not None:
            server.stop()

    def _open(self) -> None:
        # a new server does not remember earlier requests, so their repetitions must not count
        self.epoch = os.urandom(8).hex()
        self._hello = self._greeting()
        ctx = self.ctx
        server = Server(self.path, socket_mode(), lambda: self._hello, lambda: ctx.texts)
        reception = Reception(self.table, self.pairing, self.epoch, lambda: ctx.texts, server.post)
        server.place, server.open_to_phones = self._place, self.lets_in
        server.start(reception.ask)
        self.server = server
        if self._frame is not None:
            self._send(server, self._frame)

    def _greeting(self) -> dict[str, Any]:
        return {
            "kind": "hello",
            "version": VERSION,
            "epoch": self.epoch,
            "language": self.ctx.texts.language,
            "theme": self._settings.display.theme,
            "invites": len(self.pairing.browsers) < ENOUGH,
            "first": self.pairing.welcomes,
            "joined": self.pairing.joined if self.pairing.code else None,
            "wifi": self.table.ask_wifi is not None,
        }


def _line(n: int, frame: Frame, game: str | None, numbers: dict[str, int]) -> dict[str, Any]:
    return {"kind": "frame", "n": n, "frame": {**frame_data(frame, game), **numbers}}
