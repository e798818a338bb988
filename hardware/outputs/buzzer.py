"""The buzzer and its sounds. Playing never blocks: the tone follows the clock."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from hardware.device import Device, Site, Topic

Sound = Literal["tick", "ok", "again", "row", "turn", "bad", "win"]


@dataclass(frozen=True)
class Beep:
    """A beep of `hz` (0: a rest) for `ms`."""

    hz: int
    ms: int


SOUNDS: dict[Sound, tuple[Beep, ...]] = {
    "tick": (Beep(2600, 12),),
    "ok": (Beep(1568, 60), Beep(2093, 90)),
    "again": (Beep(1568, 60), Beep(2093, 60), Beep(0, 60), Beep(1568, 60), Beep(2093, 90)),
    "row": (Beep(1568, 70), Beep(1976, 70), Beep(2349, 70), Beep(3136, 200)),
    "turn": (Beep(0, 150), Beep(2349, 30), Beep(0, 60), Beep(2349, 30)),
    "bad": (Beep(330, 140), Beep(0, 50), Beep(262, 220)),
    "win": (
        Beep(1047, 120),
        Beep(1319, 120),
        Beep(1568, 120),
        Beep(0, 40),
        Beep(1568, 90),
        Beep(2093, 320),
    ),
}


def tone_at(sound: Sound, elapsed_s: float) -> int | None:
    """Return the frequency at a time after the start, 0 in a rest, None after the end."""
    end = 0.0
    for tone in SOUNDS[sound]:
        end += tone.ms / 1000
        if elapsed_s < end:
            return tone.hz
    return None


class _Playing(NamedTuple):
    """A sound and when it began."""

    sound: Sound
    began: float

    def tone_at(self, now: float) -> int | None:
        """Return its frequency at this time, 0 in a rest, None after the end."""
        return tone_at(self.sound, now - self.began)


class Buzzer(Device):
    """A piezo buzzer. A new sound replaces the current one, except "turn", which waits for its end.

    "tick" is dropped while another sound plays.
    """

    name = "buzzer"
    follows = ("sound",)

    def tell(self, _topic: Topic, value: Any) -> None:
        """Play a sound."""
        self.play(value)

    def __init__(self, site: Site) -> None:
        """Open it, silent."""
        from gpiozero import DigitalOutputDevice, PWMOutputDevice

        config = site.config.buzzer
        self._passive = config.kind == "passive"
        kind = PWMOutputDevice if self._passive else DigitalOutputDevice
        self._device: Any = kind(config.pin, pin_factory=site.pins())
        self._wake, self._clock = site.wake, site.clock
        if self._passive:
            self._device.frequency = None
        self._playing: _Playing | None = None
        self._next: Sound | None = None
        """The sound that waits for the end of this one."""
        self._hz = 0
        """The tone that the pin gives now."""

    def play(self, sound: Sound) -> None:
        """Start a sound."""
        now = self._clock()
        playing = self._playing
        is_sounding = playing is not None and playing.tone_at(now) is not None
        if sound == "tick" and is_sounding:
            return
        if sound == "turn" and is_sounding:
            self._next = sound
            return
        self._playing, self._next = _Playing(sound, now), None
        self._wake()

    def poll(self, now: float) -> bool:
        """Set the tone for this time; tell whether the sound continues."""
        playing = self._playing
        hz = playing.tone_at(now) if playing else None
        # `play` may have replaced the sound meanwhile, from the loop's thread
        if hz is None and self._playing is playing:
            self._playing = _Playing(self._next, now) if self._next is not None else None
            self._next = None
        self._set(hz or 0)
        return self._playing is not None

    def _set(self, hz: int) -> None:
        if hz == self._hz:
            return
        self._hz = hz
        if not self._passive:
            self._device.value = 1 if hz else 0
        elif hz:
            self._device.frequency = hz
            self._device.value = 0.5  # on for half of each period: the loudest
        else:
            # a tone of no width would still wake the machine thousands of times a second
            self._device.value = 0
            self._device.frequency = None

    def close(self) -> None:
        """Fall silent and release the pin."""
        self._device.close()
