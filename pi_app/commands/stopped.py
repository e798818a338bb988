"""`beisitzer stopped`: what is left to do when the companion does not start any more.

Relies on as little as possible: no store, no screens, default settings if there is a mistake
in them.
"""

import signal
from collections.abc import Callable
from threading import Event

import click

from hardware.keys import Key
from hardware.rig import Rig, open_rig
from pi_app.displays.oled import paint
from pi_app.displays.rig import care_of
from pi_app.settings.file import SettingsError, load
from pi_app.settings.schema import Settings
from pi_app.texts.language import Texts, language_for
from pi_app.view.frame import Frame, soft

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
    rig = open_rig(settings, listener(told), care=care_of(settings))
    if rig is None:
        click.echo("beisitzer: there is no rig to say on that the companion stopped", err=True)
        raise SystemExit(1)
    try:
        wait_for_menu(rig, Texts(language_for(settings.language)), told)
    finally:
        rig.close()


def listener(told: Event) -> Callable[[Key], None]:
    """Return what sets `told` when it hears MENU held."""

    def hear(key: Key) -> None:
        if key is Key.MENU_HELD:
            told.set()

    return hear


def wait_for_menu(rig: Rig, tx: Texts, told: Event) -> None:
    """Show the message until `told` is set; the rig is looked after meanwhile."""
    rig.show(paint(message(tx)))
    while not told.wait(TICK_S):
        rig.tick()


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
