"""Signals on the loudspeaker, where there is no buzzer: a program plays them, in a thread.

Sound goes where the system sends it by default. After a failure, such as a loudspeaker pulled out,
the next signal tries again.
"""

import logging
import shlex
import subprocess
import wave
from array import array
from functools import cache
from io import BytesIO
from queue import SimpleQueue
from threading import Thread

from hardware.outputs.buzzer import SOUNDS, Sound
from pi_app.displays.rig import sounds_of
from pi_app.settings.schema import Settings, SoundSettings
from pi_app.view.frame import Signal
from pi_app.view.output import Output

log = logging.getLogger(__name__)

RATE_HZ = 16_000
"""Samples a second."""
LOUD = 6000
"""The amplitude, of 32767: a square wave is loud."""
LONGEST_S = 5.0
"""A program that takes longer is ended."""
WAITING_SIGNAL_LIMIT = 2
"""Limit of waiting signals: nobody could tell more apart."""


class SpeakerOutput(Output):
    """Plays the buzzer's sounds; "tick" only while nothing else sounds."""

    name = "speaker"

    def __init__(self, sounds: SoundSettings) -> None:
        self._settings = sounds
        self._wanted = sounds_of(sounds)
        self._orders: SimpleQueue[Sound | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._sounding = False
        """Whether the thread plays a sound now."""
        self._failed = False
        """Whether the program failed before, which is logged only once."""

    def signal(self, signal: Signal) -> None:
        sound = signal.value
        # how many may wait before this one
        most_before = 0 if sound == "tick" else WAITING_SIGNAL_LIMIT
        if sound not in self._wanted or self.waiting > most_before:
            return
        if self._thread is None:
            self._thread = Thread(target=self.run, name="speaker", daemon=True)
            self._thread.start()
        self._orders.put(sound)

    def configure(self, settings: Settings) -> None:
        self._wanted = sounds_of(settings.sounds)

    @property
    def waiting(self) -> int:
        """How many signals wait or sound."""
        return self._orders.qsize() + self._sounding

    def finish(self, wait_s: float | None = None) -> None:
        """Play waiting sounds and end; wait at most so many seconds for that."""
        if self._thread is not None:
            self._orders.put(None)
            self._thread.join(wait_s)

    def close(self) -> None:
        """Fall silent after the sounds that wait."""
        self.finish(1.0)

    def run(self) -> None:
        """Play sounds until the end, in the thread."""
        while (sound := self._orders.get()) is not None:
            self._sounding = True
            try:
                subprocess.run(  # noqa: S603  # the owner's own command, and no shell
                    shlex.split(self._settings.command),
                    input=wave_of(sound),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=LONGEST_S,
                    check=False,
                )
            except (OSError, ValueError, subprocess.SubprocessError) as error:
                if not self._failed:
                    log.info("no sound on the loudspeaker, trying again at the next: %s", error)
                self._failed = True
            self._sounding = False


@cache
def wave_of(sound: Sound) -> bytes:
    """Return a sound of the buzzer as a WAV file: 16 bits, one channel."""
    samples = array("h")
    for beep in SOUNDS[sound]:
        for index in range(RATE_HZ * beep.ms // 1000):
            high = (index * beep.hz * 2 // RATE_HZ) % 2  # which half of the square wave
            sample = LOUD if high else -LOUD
            samples.append(sample if beep.hz else 0)  # without a pitch it is a pause
    file = BytesIO()
    with wave.open(file, "wb") as sound_file:
        sound_file.setparams((1, samples.itemsize, RATE_HZ, len(samples), "NONE", ""))
        sound_file.writeframes(samples.tobytes())
    return file.getvalue()
