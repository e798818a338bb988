"""`beisitzer doctor --watch`: tries picture, lamp and sound, and shows what each key sends."""

from collections.abc import Callable
from threading import Event

import click

from hardware.framebuffer import Framebuffer
from hardware.keys import Key
from hardware.pads import PadCalls, Pads
from hardware.pads.table import CODES, table_of
from hardware.rig import Rig
from hardware.serial_panel import PanelStatus, SerialPanel
from hardware.serial_panel.session import Heard
from hardware.typefaces import HEADLINE, NUMERALS
from pi_app.commands.console import OutputError
from pi_app.commands.device_sentences import port_trouble
from pi_app.displays.rig import RigOutput, open_rig_output
from pi_app.run.signals import on_ending_signal
from pi_app.settings.schema import Settings
from pi_app.texts.language import Text, Texts
from pi_app.texts.printable import shorten

LOOK_S = 1.5
"""How long the lamp has each colour."""
POLL_S = 0.1
"""How often the rig is polled, in seconds."""
_NAMES = {code: name for name, code in CODES.items()}
"""The kernel's name of a pad's key by its number."""
_WORDS = {
    Key.STAR: Text("cli", "* next card"),
    Key.ENTER: Text("cli", "# done"),
    Key.UP: Text("cli", "A up"),
    Key.DOWN: Text("cli", "B down"),
    Key.BACK: Text("cli", "C back; held: take back the move"),
    Key.MENU: Text("cli", "D menu; held: phones"),
    Key.BACK_HELD: Text("cli", "take back the move"),
    Key.MENU_HELD: Text("cli", "phones"),
}


def key_words(tx: Texts, key: Key | None) -> str:
    """Say what a key does at the table; "" if it does nothing."""
    if key is None:
        return ""
    if key.die is not None:
        return tx("cli", "die {face}", face=key.die)
    return key.value if key.digit is not None else tx.say(_WORDS, key)


def line_words(heard: Heard) -> str:
    """Return a line from the panel, with the reason if it was dropped."""
    # a line may end with CR and LF; bytes that are not ASCII are shown as \\xNN
    text = heard.line.rstrip(b"\r").decode("ascii", "backslashreplace")
    text = shorten("".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text))
    if heard.message is not None:
        return text
    return f"dropped ({heard.fault.value if heard.fault else 'words'}): {text}"


def status_words(tx: Texts, status: PanelStatus) -> str:
    """Say that the panel was found, or why it was not."""
    port = status.port or ""
    return f"{port} {port_trouble(tx, status.problem.value)}".strip() if status.problem else port


def watch(tx: Texts, settings: Settings, seconds: float) -> None:
    """Write a line for each key until Ctrl-C: where it is, what it sends, what that does."""
    done = Event()

    def write(line: str) -> None:
        try:
            click.echo(line)
        except OutputError:
            done.set()  # the reader has ended, as in `| head`

    def heard_at(place: str) -> Callable[[Key], bool]:
        def hear(key: Key) -> bool:
            write(f"{place}: {key.value} {key_words(tx, key)}".rstrip())
            return True

        return hear

    table = table_of(settings.pads)

    def show_code(code: int) -> None:
        name = _NAMES.get(code, str(code))
        write(f"pads: {name} {key_words(tx, table.get(name)) or '-'}")

    rig = open_rig_output(settings, heard_at("rig"))
    pads = Pads(settings.pads, PadCalls(lambda _key: True, watch=show_code))
    panel = SerialPanel(
        settings.panel,
        heard_at("panel"),
        watch=lambda heard: write(f"panel: {line_words(heard)}"),
        changed=lambda status: write(f"panel: {status_words(tx, status)}"),
    )
    on_ending_signal(done.set)
    if rig is not None:
        try_outputs(rig.rig, done)
    click.echo(tx("cli", "Press keys; Ctrl-C ends."))
    pads.start()
    panel.start()
    _poll(rig, done, seconds)
    pads.close()
    panel.close()
    if rig is not None:
        rig.close()


def _poll(rig: RigOutput | None, done: Event, seconds: float) -> None:
    """Poll the rig until the time is up or `done`; pads and panel have threads of their own."""
    waited = 0.0
    while not done.wait(POLL_S) and waited < seconds:
        waited += POLL_S
        if rig is not None:
            rig.poll()


def try_outputs(rig: Rig, done: Event) -> None:
    """Show a picture, let the lamp be red, green and blue, and sound the end of a game."""
    rig.show(trial_picture())
    for colour in ("FF0000", "00FF00", "0000FF", "000000"):
        rig.light(colour)
        done.wait(LOOK_S)
    rig.sound("win")


def trial_picture() -> Framebuffer:
    """Return a test picture that shows a wrong offset, a wrong controller or dead rows."""
    picture = Framebuffer()
    picture.frame(0, 0, 128, 64)
    picture.text(6, 5, "Beisitzer", HEADLINE)
    picture.text(6, 22, "10♥♠♦♣", NUMERALS)
    picture.tag(4, 48, 120, 11)
    picture.text(6, 49, "ÄÖÜäöüß 0123456789", on=False)
    return picture
