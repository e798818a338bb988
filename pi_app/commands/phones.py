"""Lets phones take part in the table that `beisitzer play` referees."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import click

from pi_app.commands.console import echo_styled
from pi_app.commands.machine import ask_network, before_pairing, has_wifi_service
from pi_app.displays.terminal_chart import code_rows
from pi_app.run.extras import Extra, LaterExtra
from pi_app.run.loop import Companion
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.system.host import HELPER_SOCKET, state_folder

log = logging.getLogger(__name__)


class ServiceSwitch:
    """Starts and stops the service of phones ("web") or of the link ("link").

    `note` is a file that exists while the service is on, so that a restarted companion knows
    whether it left the service running; nothing else reads it.
    """

    def __init__(self, name: str, note: Path, at: Path = HELPER_SOCKET) -> None:
        self._name = name
        self._note = note
        self._at = at
        self._asking = Lock()
        self._wanted = False
        self._told: bool | None = None

    @property
    def is_on(self) -> bool:
        """Whether the service was turned on last."""
        return self._note.exists()

    def __call__(self, on: bool) -> None:
        """Turn the service on or off, in a thread: the helper may take a second."""
        self._wanted = on
        try:
            self._note.touch() if on else self._note.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s cannot be changed: %s", self._note, error)
        Thread(target=self._ask, name=f"{self._name} service", daemon=True).start()

    def _ask(self) -> None:
        from pi_app.card.helper import HelperError, call  # only needed where systemd runs us

        with self._asking:  # the last call decides
            on = self._wanted
            if on == self._told:
                return
            try:
                call("service-switch", at=self._at, name=self._name, on=on)
                self._told = on
            except HelperError as error:
                log.warning("the service %s cannot be switched: %s", self._name, error)


def service_switch(ctx: Context, name: str) -> ServiceSwitch | None:
    """Return the switch of a service; None where systemd does not run the companion."""
    folder = state_folder()
    if folder is None or not ctx.appliance:
        return None
    return ServiceSwitch(name, folder / f"{name}.on")


def add_phones(program: Companion, *, scripted: bool) -> Callable[[], Any]:
    """Let phones in as soon as the settings allow them; never if keys come from a script.

    Return what makes the output that has the socket, if need be, and gives it.
    """
    ctx = program.ctx
    switch = service_switch(ctx, "web")

    def make() -> Extra:
        from pi_app.phones.output import Phones  # a table without phones does without

        pairing = partial(before_pairing, ctx)
        phones = Phones(program, switch, before_pairing=pairing, barred=scripted)
        if has_wifi_service():
            phones.table.ask_wifi = partial(ask_network, ctx)
        return phones

    left_on = switch is not None and switch.is_on  # phones were on when the program ended

    def is_wanted(settings: Settings) -> bool:
        return not scripted and (settings.web.enabled or left_on)

    later = LaterExtra(ctx.settings, is_wanted, make)
    program.places["phones"] = lambda *_: later.menu()
    program.invitation = later.invitation
    program.follow(later)
    return later.make_now


def serve_pages(program: Companion, phones: Any) -> None:
    """Serve pages for `phones` while the program runs; print their addresses."""
    from pi_app.phones.menu import matrix  # as above
    from pi_app.phones.web.process import Process, WebProcess

    ctx = program.ctx
    port = ctx.settings.web.port
    program.follow(WebProcess(lambda: Process(port), lambda: announce_no_pages(program), ctx.clock))
    urls = ctx.urls(ctx.web_port)
    if not urls:
        click.echo(ctx.texts("line", "No network."))
        return
    page = "/"
    if not phones.pairing.browsers:  # the first phone can pair at once
        program.stack.append(phones.invitation())
        page = f"/pair#{phones.pairing.code}"
    for row in code_rows(matrix(urls[0] + page)):
        echo_styled(row, fg="black", bg="bright_white")
    for url in urls:
        click.echo(url + page)
    click.echo(ctx.texts("cli", "Hold D, or press p, to see the address and a code at the table."))


def announce_no_pages(program: Companion) -> None:
    """Show at the table that pages cannot be served, and where to look for the reason."""
    ctx = program.ctx
    text = ctx.texts(
        "alert", "No pages for phones. Is port {port} taken? See web.log.", port=ctx.web_port
    )
    program.bulletin.tell(text)
    program.show()
