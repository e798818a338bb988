"""Speaking through a program such as espeak-ng, sentence by sentence.

Sentences that no longer matter are dropped.
"""

from __future__ import annotations

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import subprocess

log = logging.getLogger(__name__)

LOOK_S = 0.02
"""How often to check whether a sentence has ended, in seconds."""
LONGEST_S = 5.0
PER_LETTER_S = 0.3
"""A synthesizer that takes longer than LONGEST_S, and PER_LETTER_S for each letter, is ended.

Even slow ones say eight letters a second.
"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words to say, in "de" or "en"; a `call` is for everybody."""

    text: str
    language: str
    call: bool = False


class Speaking(Protocol):
    """A sentence that is being spoken."""

    def has_ended(self) -> bool:
        """Tell whether it has ended, well or badly."""

    def stop(self) -> None:
        """End it at once."""


class Synthesizer(Protocol):
    """A program or library that speaks."""

    def start(self, sentence: Sentence) -> Speaking:
        """Begin to speak and return at once; OSError or ValueError if that fails."""


def arguments(command: str, sentence: Sentence, volume: int) -> list[str]:
    """Return the program and its arguments; ValueError for unclosed quotes.

    The command is split first, so a sentence always stays within its one argument.
    """
    import shlex  # not needed without a voice

    values = {
        "{text}": sentence.text,
        "{language}": sentence.language,
        "{volume}": str(volume),
    }
    return [_fill_in(word, values) for word in shlex.split(command)]


def _fill_in(word: str, values: dict[str, str]) -> str:
    """Return a word with its placeholders filled in; placeholders within the values stay."""
    # the leftmost placeholder; only what follows it is searched again
    places = ((word.find(name), name) for name in values if name in word)
    start, name = min(places, default=(-1, ""))
    if start < 0:
        return word
    return word[:start] + values[name] + _fill_in(word[start + len(name) :], values)


class CommandSynthesizer:
    """Runs the command for each sentence, without a shell, in its own process group."""

    def __init__(self, command: str, volume: int) -> None:
        self.command = command
        self.volume = volume

    def start(self, sentence: Sentence) -> Speaking:
        """Begin to speak; OSError if the program is missing, ValueError for an invalid command."""
        import subprocess  # as above

        words = arguments(self.command, sentence, self.volume)
        if not words:
            raise ValueError("the voice's command is empty")
        piped = "{text}" not in self.command  # then the program reads its input
        process = subprocess.Popen(  # noqa: S603  # the owner's own command, and no shell
            words,
            stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that `stop` also ends what a script has started
        )
        if process.stdin is not None:
            # a program may end without reading; a sentence fits into the pipe, so this never waits
            with suppress(OSError), process.stdin as pipe:
                pipe.write(f"{sentence.text}\n".encode())
        return RunningProgram(process)


class RunningProgram:
    """A program that speaks; processes that it started end with it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def stop(self) -> None:
        if self._process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):  # it may have ended by now
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


class Speaker:
    """A queue of sentences for one synthesizer. It has no thread: call `tick`."""

    def __init__(self, synthesizer: Synthesizer, clock: Callable[[], float]) -> None:
        self.synthesizer = synthesizer
        self._clock = clock
        self._waiting: deque[Sentence] = deque()
        self._now: Sentence | None = None
        """The sentence being said."""
        self._speaking: Speaking | None = None
        """The program that says it."""
        self._until = 0.0
        """When the program counts as hanging."""
        self._failed = False
        """Whether the last program could not be started, which is logged only once."""

    @property
    def busy(self) -> bool:
        """Whether a sentence is being said or waits."""
        return self._speaking is not None or bool(self._waiting)

    def hush(self) -> None:
        """Fall silent at once and drop all waiting sentences."""
        self._waiting.clear()
        self._stop()

    def say(self, sentences: Iterable[Sentence]) -> None:
        """Say these instead of earlier sentences; earlier calls are still said to their end."""
        self._waiting = deque(sentence for sentence in self._waiting if sentence.call)
        if self._now is not None and not self._now.call:
            self._stop()
        self._waiting.extend(sentences)

    def tick(self) -> float | None:
        """Start the next sentence if it is time; return in how many seconds to call again.

        None while there is nothing to say.
        """
        speaking = self._speaking
        if speaking is not None and (speaking.has_ended() or self._clock() >= self._until):
            if not speaking.has_ended():
                log.warning("the voice hung and was ended")
            self._stop()
        # leaves out a sentence that cannot be started
        while self._speaking is None and self._waiting:
            self._start(self._waiting.popleft())
        return LOOK_S if self._speaking is not None else None

    def _start(self, sentence: Sentence) -> None:
        try:
            self._speaking = self.synthesizer.start(sentence)
        except (OSError, ValueError) as error:
            if not self._failed:
                log.warning("the voice failed, trying again at the next sentence: %s", error)
            self._failed = True
            return
        self._failed = False
        self._now = sentence
        self._until = self._clock() + LONGEST_S + PER_LETTER_S * len(sentence.text)

    def _stop(self) -> None:
        if self._speaking is not None:
            self._speaking.stop()
        self._speaking = self._now = None
