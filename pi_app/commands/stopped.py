"""`beisitzer stopped`: shows a message when the companion no longer starts.

It needs as little as possible: no store and no screens; after a mistake in the settings it uses the
last good ones.
"""

from collections.abc import Callable, Sequence
from threading import Event

import click

from hardware.config import has_dial
from hardware.keys import Key
from pi_app.commands.console import refuse
from pi_app.displays.rig import open_rig_output
from pi_app.displays.serial_panel import open_panel
from pi_app.run.pads import PadsInput
from pi_app.run.signals import on_ending_signal
from pi_app.settings.last_good import load_or_last
from pi_app.texts.language import Texts, language_for
from pi_app.view.frame import Body, Frame, Header, Viewers, soft
from pi_app.view.output import Output

TICK_S = 1.0
"""How often the displays are polled, and failed parts tried again."""


@click.command()
def stopped() -> None:
    """Show that the companion has stopped; end when MENU is held, so systemd can restart it."""
    settings = load_or_last()[0].settings
    ended = Event()
    on_ending_signal(ended.set)
    hear = listener(ended)
    rig = open_rig_output(settings, hear)
    outputs: list[Output] = [] if rig is None else [rig]
    # uses the settings' port; nothing to wake, as the loop below polls
    outputs += open_panel(settings.panel, None, hear, lambda: None)
    if outputs and settings.pads.enabled:  # pads alone show nothing
        outputs.append(PadsInput(settings.pads, hear, lambda: None, "en", appliance=True))
    if not outputs:
        refuse("nothing is there to say on that the companion stopped", 1)
    try:
        tx = Texts(language_for(settings.language))
        wait_for_menu(outputs, message(tx, dials=has_dial(settings)), ended)
    finally:
        for output in reversed(outputs):
            output.close()


def listener(ended: Event) -> Callable[[Key], bool]:
    """Return a function for keys that sets `ended` when MENU or a dial's key is held."""

    def hear(key: Key) -> bool:
        if key in (Key.MENU_HELD, Key.PUSH_HELD, Key.STICK_RIGHT_HELD):
            ended.set()
        return True

    return hear


def wait_for_menu(outputs: Sequence[Output], frame: Frame, ended: Event) -> None:
    """Show the frame until `ended` is set; meanwhile poll the displays."""
    for output in outputs:
        output.show(frame)
    while not ended.wait(TICK_S):
        for output in outputs:
            output.poll()


def message(tx: Texts, *, dials: bool) -> Frame:
    """Return the frame with the message; `dials`: for a rig without digits."""
    hold = tx("line", "Hold the push to restart.") if dials else tx("line", "Hold D to restart.")
    return Frame(
        Header("Beisitzer"),
        Body(
            lines=(
                tx("line", "The companion has stopped. No move is lost."),
                hold,
            )
        ),
        keys=soft((Key.PUSH if dials else Key.MENU, tx("soft", "hold"))),
        viewers=Viewers.ALL,
    )
