"""The voice as an output: takes frames as every display does, speaks in its own thread."""

import logging
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread

from pi_app.displays.sound.speaking import CommandSynthesizer, Sentence, Speaker, Synthesizer
from pi_app.settings.schema import Settings, VoiceSettings
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame, Heed, Signal, Utterance
from pi_app.view.output import Output
from pi_app.view.reading import read_out

log = logging.getLogger(__name__)

FAREWELL_S = 4.0
"""How long the last sentence may take before the machine goes off, in seconds."""

Order = Callable[["Narrator"], None]
"""An order for the voice's thread; None in the queue ends the thread."""


class VoiceOutput(Output):
    """Hands frames to a thread. A key costs one entry in a queue, nothing if the voice is off."""

    name = "voice"

    def __init__(
        self,
        settings: Settings,
        texts: Callable[[], Texts],
        *,
        synthesizer: Callable[[VoiceSettings], Synthesizer] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make the voice; `texts` returns those of the table's current language."""
        self._texts = texts
        self._make = synthesizer or (lambda voice: CommandSynthesizer(voice.command, voice.volume))
        self._clock = clock
        self._settings = settings.voice
        self._orders: SimpleQueue[Order | None] = SimpleQueue()
        self._thread: Thread | None = None
        """The voice's thread; None until the first sentence."""
        self._refused = False
        """Whether the last key was refused, and nothing has been shown since."""

    def show(self, frame: Frame) -> None:
        if self._settings.level == "off":
            return
        refused, self._refused = self._refused, False
        tx = self._texts()
        if self._thread is None:
            narrator = Narrator(self._settings, self._make(self._settings), self._clock)
            self._thread = Thread(
                target=narrator.run, args=(self._orders,), name="voice", daemon=True
            )
            self._thread.start()
        self._orders.put(lambda narrator: narrator.show(tx, frame, refused=refused))

    def signal(self, signal: Signal) -> None:
        self._refused = signal is Signal.BAD

    def note_key(self) -> None:
        self._refused = False
        if self._thread is not None:
            self._orders.put(Narrator.hush)

    def poll(self) -> None:
        """Repeat the sentences of the frame if a refused key changed nothing."""
        if self._refused and self._thread is not None:
            self._refused = False
            self._orders.put(Narrator.repeat)

    def configure(self, settings: Settings) -> None:
        """Take over level, volume and command."""
        if settings.voice == self._settings:
            return
        voice = self._settings = settings.voice
        if self._thread is not None:
            self._orders.put(lambda narrator: narrator.configure(voice, self._make(voice)))

    def leave(self, frame: Frame) -> None:
        """Say the last frame, and wait a moment until it is said."""
        self.note_key()
        self.show(frame)
        self._end(FAREWELL_S, Narrator.finish)

    def close(self) -> None:
        self._end(1.0, Narrator.hush)

    def _end(self, wait_s: float, last: Order) -> None:
        if self._thread is None:
            return
        self._orders.put(last)
        self._orders.put(None)
        self._thread.join(wait_s)
        self._thread = None


class Narrator:
    """Turns frames into sentences and speaks them; runs in the voice's thread."""

    def __init__(
        self, voice: VoiceSettings, synthesizer: Synthesizer, clock: Callable[[], float]
    ) -> None:
        self.level = voice.level
        self.speaker = Speaker(synthesizer, clock)
        self._clock = clock
        self._tx: Texts | None = None
        self._shown: tuple[Utterance, ...] = ()
        """The sentences of the previous frame, said or not."""

    def configure(self, voice: VoiceSettings, synthesizer: Synthesizer) -> None:
        """Take over another level, volume or command."""
        self.level = voice.level
        self.speaker.synthesizer = synthesizer
        if voice.level == "off":
            self.hush()

    def show(self, tx: Texts, frame: Frame, *, refused: bool = False) -> None:
        """Say the sentences of this frame that differ from the previous one's.

        `refused`: the key that led here was refused, so everybody hears why.
        """
        utterances = frame.speech() if frame.speech is not None else read_out(frame)
        # in another language every sentence is new
        changed = new_utterances(utterances, self._shown) if tx is self._tx else utterances
        self._tx, self._shown = tx, utterances
        self._say(tx, changed or (utterances if refused else ()), refused=refused)

    def repeat(self) -> None:
        """Repeat the sentences of the frame, because a key had no effect."""
        if self._tx is not None:
            self._say(self._tx, self._shown, refused=True)

    def hush(self) -> None:
        """Fall silent."""
        self.speaker.hush()

    def finish(self) -> None:
        """Say the waiting sentences, for at most FAREWELL_S."""
        end = self._clock() + FAREWELL_S
        while (wait_s := self.speaker.tick()) is not None and self._clock() < end:
            time.sleep(wait_s)
        self.hush()

    def _say(self, tx: Texts, utterances: tuple[Utterance, ...], *, refused: bool) -> None:
        from pi_app.texts.aloud import spell_out  # only needed by a voice

        wanted = {Heed.CALL} | ({Heed.REFUSAL} if refused else set())
        if self.level == "everything":
            wanted = set(Heed)
        sentences = [
            Sentence(spell_out(tx, utterance.text), tx.language, utterance.heed is Heed.CALL)
            for utterance in utterances
            if utterance.heed in wanted
        ]
        if sentences:
            self.speaker.say(sentences)

    def run(self, orders: SimpleQueue[Order | None]) -> None:
        """Carry out orders until one is None.

        An exception, for instance from a game's speech, is logged and does not end the thread.
        """
        while True:
            next_tick_s = self.speaker.tick()
            try:
                order = orders.get(timeout=next_tick_s)
            except Empty:
                continue
            if order is None:
                return
            try:
                order(self)
            except Exception:
                log.exception("a sentence failed")


def new_utterances(
    now: tuple[Utterance, ...], before: tuple[Utterance, ...]
) -> tuple[Utterance, ...]:
    """Return the sentences from the first one on that differs from the one before."""
    same = 0
    for one, other in zip(now, before, strict=False):  # one of them may be longer
        if one != other:
            break
        same += 1
    return now[same:]
