"""`beisitzer stopped`: what is left to do when the companion does not start any more.

Relies on as little as possible: no store, no screens, default settings if there is a mistake
in them.
"""

import signal
from threading import Event
from typing import Any

import click

from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.displays.rig import care_of
from pi_app.frame import Frame, soft
from pi_app.settings import SettingsError, load
from pi_app.settings_schema import Settings
from pi_app.texts import Texts, language_for

TICK_S = 1.0
"""The OLED is refreshed, and a part that failed tried again, so often."""


@click.command()
def stopped() -> None:
    """Show that the companion has stopped; end when MENU is held, so that it can restart."""
    try:
        settings = load().settings
    except SettingsError:
        settings = Settings()
    told = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    if not wait_for_menu(settings, told):
        click.echo("beisitzer: there is no rig to say on that the companion stopped", err=True)
        raise SystemExit(1)


def wait_for_menu(settings: Settings, told: Event, **simulated: Any) -> bool:
    """Show the message until MENU is held or `told` is set; False where there is no rig."""
    from hardware.rig import open_rig

    def hear(key: Key) -> None:
        if key is Key.MENU_HELD:
            told.set()

    rig = open_rig(settings, hear, care=care_of(settings), **simulated)
    if rig is None:
        return False
    try:
        rig.show(paint(message(Texts(language_for(settings.language)))))
        while not told.wait(TICK_S):
            rig.tick()
    finally:
        rig.close()
    return True


def message(tx: Texts) -> Frame:
    """Return what the table sees."""
    return Frame(
        "Beisitzer",
        lines=(
            tx("line", "The companion has stopped. No move is lost."),
            tx("line", "Hold D to restart."),
        ),
        softkeys=soft((Key.MENU, tx("soft", "hold"))),
    )
