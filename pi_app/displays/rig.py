"""The rig on the GPIO header as an output: frames on the OLED, signals on lamp and buzzer."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.settings.schema import Settings, SoundSettings
from pi_app.view.frame import Frame, Signal
from pi_app.view.output import Output

if TYPE_CHECKING:
    from hardware.config import Devices
    from hardware.oled import Care
    from hardware.outputs.buzzer import Sound
    from hardware.rig import Rig, RigPorts

COLOURS = {
    "yellow": "FFFF00",
    "red": "FF0000",
    "white": "FFFFFF",
    "pink": "FF00FF",
    "green": "00FF00",
    "blue": "0000FF",
    "orange": "FF4000",
    "black": "200030",
}
"""The lamp's colour for each player colour; mostly full red, green and blue, which need no PWM."""

DARK = "000000"
_GREEN, _RED, _WHITE = "00FF00", "FF0000", "FFFFFF"
Blinks = tuple[tuple[str | None, float], ...]
"""Colours with their seconds, in order; None is the colour of the player to move."""

BLINKS: dict[Signal, Blinks] = {
    Signal.OK: ((_GREEN, 0.5), (DARK, 0.1)),
    Signal.AGAIN: ((_GREEN, 0.3), (DARK, 0.15), (_GREEN, 0.3)),
    Signal.ROW: ((_GREEN, 0.15), (DARK, 0.15)) * 2 + ((_GREEN, 0.6),),
    Signal.BAD: ((_RED, 0.12), (DARK, 0.08)) * 3 + ((_RED, 0.2),),
    Signal.WIN: ((_WHITE, 0.4), (DARK, 0.1)) * 5 + ((_WHITE, 0.5),),
    Signal.TURN: ((DARK, 0.2), (None, 0.2), (DARK, 0.2)),
}
"""Blinks that interrupt the player's colour. Each has its own rhythm: not everybody sees
colours."""

_KINDS: dict["Sound", str] = {
    "tick": "tick",
    "ok": "ok",
    "again": "ok",
    "row": "ok",
    "turn": "turn",
    "bad": "bad",
    "win": "win",
}
"""The setting that mutes each sound."""

POLL_S = 1.0
"""The longest pause between two polls, in seconds: how soon a missing part is tried again."""


class RigOutput(Output):
    """Shows frames and signals on the rig, which itself handles missing parts."""

    name = "rig"

    def __init__(self, rig: "Rig", clock: Callable[[], float]) -> None:
        self.rig = rig
        self._clock = clock
        self._colour = DARK
        self._blinks: Blinks = ()
        """The colours that are still to come."""
        self._blink_ends: float | None = None
        """When the colour shown now ends; None while the lamp does not blink."""
        self._key_pressed = False

    def note_own_key(self) -> None:
        """Note that a key of the rig was pressed; callable from any thread."""
        self._key_pressed = True

    def show(self, frame: Frame) -> None:
        """Paint the frame; light the lamp in the colour of the player to move."""
        self.rig.touch()
        self.rig.show(paint(frame))
        self._colour = COLOURS.get(frame.header.colour or "", DARK)
        if self._blink_ends is None:  # a lamp that blinks takes the new colour when it ends
            self.rig.light(self._colour)

    def signal(self, signal: Signal) -> None:
        """Sound, and blink for accepted, refused and won moves; the next turn blinks last."""
        self.rig.sound(signal.value)
        blinks = BLINKS.get(signal, ())
        if signal is Signal.TURN and self._blink_ends is not None:
            self._blinks += blinks
        elif blinks:
            self._blinks, self._blink_ends = blinks, self._clock()
            self._light_lamp()

    def _light_lamp(self) -> None:
        """Light the lamp in the current blink's colour, at the end in the player's."""
        while self._blink_ends is not None and self._clock() >= self._blink_ends:
            if not self._blinks:
                self._blink_ends = None
                self.rig.light(self._colour)
                return
            (colour, seconds), *later = self._blinks
            self._blinks = tuple(later)
            self._blink_ends += seconds
            self.rig.light(self._colour if colour is None else colour)

    def poll(self) -> None:
        """Continue blinking, wake the OLED after a key, dim it, retry missing parts."""
        if self._key_pressed:
            self._key_pressed = False
            self.rig.touch()
        self._light_lamp()
        self.rig.tick()

    def poll_every_s(self) -> float | None:
        waits = [] if self._blink_ends is None else [max(0.0, self._blink_ends - self._clock())]
        if (due_s := self.rig.due_s()) is not None:
            waits.append(due_s)
        return min([POLL_S, *waits])

    def stuck_keys(self) -> tuple[Key, ...]:
        return self.rig.stuck

    def configure(self, settings: Settings) -> None:
        """Take over brightness, dimming and muted sounds."""
        self.rig.set_care(care_of(settings))
        self.rig.set_sounds(sounds_of(settings.sounds))

    def leave(self, frame: Frame) -> None:
        """Leave this frame on the OLED until the power goes; switch the rest off."""
        self.show(frame)
        self.rig.close(keep_picture=True)

    def close(self) -> None:
        """Switch everything off."""
        self.rig.close()


def care_of(settings: Settings) -> "Care":
    """Return the OLED's brightness, and when it dims, goes dark and shifts."""
    from hardware.oled import Care

    display = settings.display
    return Care(
        brightness=display.brightness,
        dim_brightness=display.dim_brightness,
        dim_after_s=display.dim_after_s,
        blank_after_s=display.blank_after_s,
        shift_after_s=display.shift_after_s,
    )


def sounds_of(sounds: SoundSettings) -> "tuple[Sound, ...]":
    """Return the sounds that are not muted."""
    return tuple(sound for sound, kind in _KINDS.items() if getattr(sounds, kind))


def open_rig_output(
    settings: Settings,
    put: Callable[[Key], Any],
    ports: "RigPorts | None" = None,
) -> RigOutput | None:
    """Open the rig, its keys going to `put`; None without `ports` where no rig is wanted."""
    from hardware.pins import is_wanted

    if ports is None and not is_wanted(settings.rig):
        return None
    from hardware.rig import Rig, RigPorts

    ports = ports or RigPorts()
    devices: Devices = settings
    # the setting may leave the OLED out; lamp, keys and buzzer stay
    if settings.display.show != "auto" and "oled" not in settings.display.show:
        devices = replace(devices, oled=replace(devices.oled, enabled=False))
    listeners: list[Callable[[], None]] = []  # filled with the output, which is made after the rig

    def hear(key: Key) -> object:
        for listen in listeners:
            listen()
        return put(key)

    sounds = sounds_of(settings.sounds)
    rig = Rig(devices, hear, care=care_of(settings), sounds=sounds, ports=ports)
    rig.start()
    output = RigOutput(rig, ports.clock)
    listeners.append(output.note_own_key)
    return output
