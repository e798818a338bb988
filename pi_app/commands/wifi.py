"""`beisitzer wifi`: keeps the table's own Wi-Fi, in a separate process that systemd starts."""

import sys
from dataclasses import replace

import click

from pi_app.commands.console import refuse
from pi_app.network.policy import LOOK_S, Pauses
from pi_app.phones.web.sockets import handed_over
from pi_app.settings.schema import ENGLISH
from pi_app.system import log as logs
from pi_app.system.host import state_folder
from pi_app.texts.libraries import library_words

IDLE_S = 60.0
"""How long it waits for another request when no Wi-Fi is wanted."""
BEGIN_ANEW = 3
"""The exit status with which systemd starts it again, with another country's rules."""


@click.command()
@click.option(
    "--look",
    type=click.IntRange(5, 3600),
    default=int(LOOK_S),
    show_default=True,
    metavar="SECONDS",
    help="How often the own Wi-Fi ends for a look around, while no phone is in it.",
)
def wifi(look: int) -> None:
    """Keep the table's own Wi-Fi; systemd starts it when the companion asks for it."""
    from pi_app.network.manager import JeepneyBus, Manager, ManagerError
    from pi_app.network.service import Service, serve

    sockets = handed_over()
    folder = state_folder()
    if not sockets or folder is None:
        refuse("systemd starts this: systemctl status beisitzer-wifi.socket", 1)
    logs.set_up()
    try:
        manager = Manager(JeepneyBus())
    except ImportError as error:
        refuse(library_words(ENGLISH, error, "jeepney", "pip install 'beisitzer[wifi]'"))
    except ManagerError as error:
        refuse(f"there is no D-Bus here: {error}", 1)
    service = Service(manager, folder, pauses=replace(Pauses(), look=float(look)))
    service.load()
    serve(service, sockets[0], IDLE_S)
    if service.new_country:
        sys.exit(BEGIN_ANEW)
