"""The program that speaks: espeak-ng itself into a file, and programs that hang or die."""

from __future__ import annotations

import shutil
import sys
import wave
from array import array
from pathlib import Path

import pytest

from pi_app.displays.sound.speaking import CommandSynthesizer, Sentence, Speaking, arguments
from pi_app.settings.schema import VoiceSettings
from tests.stand_ins.waiting import wait_for

COMMAND = VoiceSettings().command
espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


def recorded(
    tmp_path: Path, text: str, language: str, volume: int = 100
) -> tuple[array[int], float]:
    """Return the samples that the shipped command speaks, into a file, and their seconds."""
    path = tmp_path / f"{language}-{volume}-{len(text)}.wav"
    command = COMMAND.replace("espeak-ng", f"espeak-ng -w {path}", 1)
    speaking = CommandSynthesizer(command, volume).start(Sentence(text, language))
    wait_for(speaking.has_ended)
    with wave.open(str(path)) as file:
        samples = array("h", file.readframes(file.getnframes()))
        return samples, file.getnframes() / file.getframerate()


def loudest(samples: array[int]) -> int:
    return max(map(abs, samples))


SHORT = {"de": "Anna ist dran.", "en": "Anna is to move."}
LONG = {
    "de": "Neunundzwanzig ist gesperrt. Anna führt mit zwei. Ben zieht drei Karten.",
    "en": "Twenty-nine is blocked. Anna leads by two. Ben draws three cards.",
}


@espeak
@pytest.mark.parametrize("language", ["de", "en"])
def test_a_sentence_is_heard_for_as_long_as_it_takes_to_say_it(
    tmp_path: Path, language: str
) -> None:
    short, short_s = recorded(tmp_path, SHORT[language], language)
    long, long_s = recorded(tmp_path, LONG[language], language)
    assert loudest(short) > 3000
    assert loudest(long) > 3000
    for text, seconds in ((SHORT[language], short_s), (LONG[language], long_s)):
        assert 0.03 * len(text) < seconds < 0.2 * len(text)
    assert long_s > 2 * short_s


@espeak
def test_german_and_english_have_voices_of_their_own(tmp_path: Path) -> None:
    german, _ = recorded(tmp_path, LONG["de"], "de")
    english, _ = recorded(tmp_path, LONG["de"], "en")
    assert german != english


@espeak
def test_the_volume_is_followed(tmp_path: Path) -> None:
    loud, _ = recorded(tmp_path, SHORT["de"], "de", 100)
    low, _ = recorded(tmp_path, SHORT["de"], "de", 25)
    assert 0 < loudest(low) < loudest(loud) / 2


@espeak
def test_a_sentence_that_looks_like_an_option_is_said(tmp_path: Path) -> None:
    samples, _ = recorded(tmp_path, "--version", "en")
    assert loudest(samples) > 3000


def test_no_shell_reads_a_sentence() -> None:
    text = "$(touch x); `id` \"Anna\" {volume} 'Ben'"
    assert arguments("say -v {language} -a{volume} '{text}!'", Sentence(text, "de"), 80) == [
        "say",
        "-v",
        "de",
        "-a80",
        f"{text}!",
    ]


def python(program: str) -> str:
    return f"{sys.executable} -c '{program}'"


def test_without_a_place_for_the_text_it_comes_by_the_input(tmp_path: Path) -> None:
    out = tmp_path / "said"
    program = f'import sys; open("{out}", "w").write(sys.argv[1] + sys.stdin.read())'
    speaking = CommandSynthesizer(python(program) + " {language}", 80).start(
        Sentence("Ärger, Anna?", "de")
    )
    wait_for(speaking.has_ended)
    assert out.read_text("utf-8") == "deÄrger, Anna?\n"


def hanging(tmp_path: Path) -> tuple[Speaking, Path]:
    """Start a program that hangs with a child of its own; the path appears once both run."""
    there = tmp_path / "there"
    program = (
        "import subprocess, sys, time; "
        f'subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]); '
        f'open("{there}", "w").close(); time.sleep(600)'
    )
    return CommandSynthesizer(python(program), 80).start(Sentence("x", "en")), there


def test_a_program_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    speaking, there = hanging(tmp_path)
    wait_for(there.exists)
    assert not speaking.has_ended()
    group = speaking._process.pid  # type: ignore[attr-defined]
    speaking.stop()
    assert speaking.has_ended()
    wait_for(lambda: not _alive(group))
    speaking.stop()


def _alive(group: int) -> bool:
    """Whether anything but the dead of this process group is left."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, pgrp = stat.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(pgrp) == group and state not in "ZX":
            return True
    return False


def test_a_program_that_dies_is_over() -> None:
    speaking = CommandSynthesizer(python("import os; os.kill(os.getpid(), 9)"), 80).start(
        Sentence("x", "en")
    )
    wait_for(speaking.has_ended)
    speaking.stop()


@pytest.mark.parametrize("command", ["no-such-program {text}", "'unclosed", " "])
def test_a_command_that_is_none_is_told_apart(command: str) -> None:
    with pytest.raises((OSError, ValueError)):
        CommandSynthesizer(command, 80).start(Sentence("x", "en"))
