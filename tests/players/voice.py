"""Playing by ear: a pilot that sees no display, and what it hears."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from hardware.keys import Key
from pi_app.displays.sound.speaking import Sentence, Speaker
from pi_app.displays.sound.voice import Narrator
from pi_app.settings.schema import VoiceSettings
from pi_app.view.frame import Frame, Signal
from pi_app.view.key_script import read_keys
from pi_app.view.output import Output
from tests.pi_app.pilot import Pilot


class Said:
    """A sentence of the fake synthesizer: it goes on until it is told that it ended."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.ended = False
        self.stopped = False

    def has_ended(self) -> bool:
        return self.ended or self.stopped

    def stop(self) -> None:
        self.stopped = True


class FakeSynthesizer:
    """Speaks nothing, and remembers what it was to say; `broken` raises."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self.broken: Exception | None = None

    def start(self, sentence: Sentence) -> Said:
        if self.broken is not None:
            raise self.broken
        self.said.append(Said(sentence))
        return self.said[-1]

    @property
    def texts(self) -> list[str]:
        return [said.sentence.text for said in self.said]


class Ear(Output):
    """The voice without its thread: whatever it would say of a frame is heard at once."""

    name = "ear"

    def __init__(self, pilot: Pilot, level: str) -> None:
        self.pilot = pilot
        self.synthesizer = FakeSynthesizer()
        voice = VoiceSettings(level=level)  # type: ignore[arg-type]
        self.narrator = Narrator(voice, self.synthesizer, pilot.clock)
        self.refused = False

    def show(self, frame: Frame) -> None:
        self.narrator.show(self.pilot.ctx.texts, frame, refused=self.refused)
        self.refused = False
        self.finish()

    def signal(self, signal: Signal) -> None:
        self.refused = signal is Signal.BAD

    def poll(self) -> None:
        if self.refused:
            self.refused = False
            self.narrator.repeat()
            self.finish()

    def finish(self) -> None:
        """Let everything be said that waits."""
        speaker: Speaker = self.narrator.speaker
        while speaker.tick() is not None:
            self.synthesizer.said[-1].ended = True


class Listener:
    """Somebody who cannot look: presses keys, and knows only what is said after them."""

    def __init__(self, pilot: Pilot, level: str = "everything") -> None:
        self.pilot = pilot
        self.ear = Ear(pilot, level)
        voice = VoiceSettings(level=level)  # type: ignore[arg-type]
        pilot.ctx.settings = replace(pilot.ctx.settings, voice=voice)
        pilot.program.outputs = [*pilot.program.outputs, self.ear]
        pilot.program.frame = None
        pilot.program.show()
        self.notes: list[str] = []
        """The transcript: keys, and indented below them what was said."""
        self.heard: list[str] = []
        self._note("", self._new())

    def _new(self) -> list[str]:
        said = self.ear.synthesizer.said
        self.heard = [one.sentence.text for one in said]
        said.clear()
        return self.heard

    def _note(self, keys: str, heard: Iterable[str]) -> None:
        self.notes += [f"> {keys}"] if keys else []
        self.notes += [f"    {text}" for text in heard]

    def press(self, keys: str | Iterable[Key]) -> list[str]:
        """Press keys one after the other; return what is said after the last one."""
        for key in read_keys(keys) if isinstance(keys, str) else keys:
            self._press(key)
        return self.heard

    def _press(self, key: Key) -> None:
        self.pilot.program.press(key)
        self.ear.poll()
        self._note(key.value, self._new())

    def hears(self, *words: str) -> bool:
        """Whether what was said last has one of these words."""
        return any(word in text for text in self.heard for word in words)

    def until(self, press: str, heard: Callable[[], bool]) -> None:
        """Press a key until something is heard, as somebody does who looks for a line."""
        for _ in range(20):
            if heard():
                return
            self.press(press)
        raise AssertionError(f"it was never said: {self.heard}")
