"""Phones at the table: let in while the settings say so, or as long as the program runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from pi_app.displays.terminal_chart import code_rows
from pi_app.extras.machine import ask_network, before_pairing, has_wifi_service
from pi_app.extras.services import serves_pages, service_switch
from pi_app.run.extras import Extra, Start, UnavailableError
from pi_app.run.loop import Companion
from pi_app.settings.schema import value_of, with_value
from pi_app.system.host import echo_styled, listens
from pi_app.view.output import DeferredOutput, Output


class PhonesExtra(Extra):
    """Opens the socket for phones; the option `--web` serves the pages as well."""

    options: Sequence[click.Option] = (
        click.Option(
            ["--web"],
            is_flag=True,
            help="Let phones in: serve pages, and print their address and a code.",
        ),
    )

    def attach(self, program: Companion, start: Start) -> None:
        serves = bool(start.options.get("web"))
        if serves and not serves_pages():
            raise UnavailableError("uvicorn is missing. Do: pip install 'beisitzer[web]'")
        ctx = program.ctx
        switch = None if serves else service_switch(ctx, "web")
        left_on = switch is not None and switch.is_on  # the program ended with phones on
        is_barred = start.scripted and not serves
        if serves:
            ctx.settings = with_value(ctx.settings, "web.enabled", value=True)

        def is_on() -> bool:
            return "web" in ctx.settings.extras and bool(value_of(ctx.settings, "web.enabled"))

        def make() -> Output:
            from pi_app.phones.menu import pages_port
            from pi_app.phones.output import Phones

            pairing = partial(before_pairing, ctx)
            phones = Phones(program, switch, before_pairing=pairing, barred=is_barred)
            phones.pairing.is_served = lambda: listens(pages_port(ctx))
            if has_wifi_service():
                phones.table.ask_wifi = partial(ask_network, ctx)
            return phones

        later: DeferredOutput[Any] = DeferredOutput(
            "phones", lambda: not is_barred and (is_on() or left_on), make, dials=False
        )
        program.places["phones"] = lambda *_: later.make_now().menu()
        program.invitation = lambda: later.make_now().invitation()
        program.offered["phones"] = later.make_now
        ctx.invites = is_on
        ctx.guests.append(lambda: later.make_now().pairing.owners() if is_on() else ())
        program.follow(later)
        if serves:
            program.beginning.append(partial(_serve_pages, program, later))


def _serve_pages(program: Companion, later: DeferredOutput[Any]) -> None:
    """Serve pages while the program runs; print their addresses, and let a first phone in."""
    from pi_app.extras.web_process import Process, WebProcess
    from pi_app.phones.menu import matrix, pages_port
    from pi_app.phones.protocol import WebSettings

    ctx, phones = program.ctx, later.make_now()
    port = ctx.settings.of(WebSettings).port
    program.follow(WebProcess(lambda: Process(port), lambda: announce_no_pages(program), ctx.clock))
    urls = ctx.urls(pages_port(ctx))
    if not urls:
        click.echo(ctx.texts("line", "No network."))
        return
    if not phones.pairing.browsers:
        program.stack.append(phones.invitation())
    for row in code_rows(matrix(urls[0])):
        echo_styled(row, fg="black", bg="bright_white")
    for url in urls:
        click.echo(url)
    click.echo(ctx.texts("cli", "Hold D, or press p, to see the address and a code at the table."))


def announce_no_pages(program: Companion) -> None:
    """Show at the table that pages cannot be served, and where to look for the reason."""
    from pi_app.phones.menu import pages_port

    ctx, port = program.ctx, pages_port(program.ctx)
    program.bulletin.tell(
        ctx.texts("alert", "No pages for phones. Is port {port} taken? See web.log.", port=port)
    )
    program.show()


PHONES = PhonesExtra()
