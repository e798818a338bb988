"""`beisitzer web`: serves the pages for phones, in a separate process."""

import logging
from pathlib import Path

import click

from pi_app.commands.console import refuse
from pi_app.phones.protocol import WebSettings, socket_path
from pi_app.settings.last_good import load_or_last
from pi_app.settings.schema import ENGLISH
from pi_app.system import log as logs
from pi_app.system.host import addresses
from pi_app.texts.libraries import library_words

IDLE_MIN = 10
"""Minutes without an open page after which the server ends, if systemd starts it on demand."""
STANDARD_INPUT = 0


@click.command()
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="NUMBER",
    help="Port of the pages instead of the one in the settings; systemd passes its own.",
)
@click.option(
    "--socket",
    "path",
    type=click.Path(path_type=Path),
    help="FILE of the companion's socket.",
)
@click.option(
    "--idle",
    type=click.IntRange(0, 1440),
    metavar="MINUTES",
    help="End after MINUTES without an open page; 0: never. Under systemd: 10.",
)
@click.option("--attached", is_flag=True, help="End when standard input ends.")
def web(port: int | None, path: Path | None, idle: int | None, *, attached: bool) -> None:
    """Let phones in the same network show the board, press keys and see their players' hands.

    Shows what the companion shows and forwards keys from paired phones; you may restart it at any
    time.
    """
    try:
        from pi_app.phones.web.app import application
        from pi_app.phones.web.relay import Relay
        from pi_app.phones.web.server import WebServer
        from pi_app.phones.web.sockets import handed_over, opened
    except ImportError as error:
        refuse(library_words(ENGLISH, error, "uvicorn", "pip install 'beisitzer[web]'"))
    sockets = handed_over()
    minutes = idle
    if minutes is None:
        minutes = IDLE_MIN if sockets else 0  # sockets come from systemd
    if not sockets:
        port = port or load_or_last()[0].settings.of(WebSettings).port
        try:
            sockets = [opened(port)]
        except OSError as error:
            refuse(f"port {port} cannot be used ({error.strerror or error}): name another --port")
        for address in addresses() or ("localhost",):
            click.echo(f"http://{address}:{port}/")
    # a file of its own: the companion writes the other one
    if not logs.to_journal():
        logs.set_up(logs.log_file().with_name("web.log"))
    else:
        logs.set_up()
    # otherwise every malformed request would add a line to the log
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    relay = Relay(path or socket_path())
    server = WebServer(application(relay), relay.close, minutes * 60 or None)  # None: never end
    if attached:
        server.end_with(STANDARD_INPUT)
    server.run(sockets)
