"""Signals on the loudspeaker: the buzzer's sounds as files, by any program, and no fault."""

import io
import shlex
import sys
import wave as wav
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.outputs.buzzer import SOUNDS
from pi_app.displays.sound.loudspeaker import RATE_HZ, SpeakerOutput, wave_of
from pi_app.settings.schema import SoundSettings
from pi_app.view.frame import Signal


def playing(folder: Path) -> str:
    """Return a command that adds the length of what it is given to a file."""
    log = str(folder / "log")
    script = f"import sys; open({log!r}, 'a').write(f'{{len(sys.stdin.buffer.read())}} ')"
    return shlex.join([sys.executable, "-c", script])


@pytest.mark.parametrize("sound", SOUNDS)
def test_a_sound_is_a_file_as_long_as_the_buzzer_plays_it(sound: str) -> None:
    name = next(each for each in SOUNDS if each == sound)
    with wav.open(io.BytesIO(wave_of(name))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        wanted_ms = sum(beep.ms for beep in SOUNDS[name])
        assert file.getnframes() * 1000 / RATE_HZ == pytest.approx(wanted_ms, abs=1)


def test_a_tone_has_its_pitch_and_a_rest_is_silent() -> None:
    with wav.open(io.BytesIO(wave_of("turn"))) as file:
        data = file.readframes(file.getnframes())
    samples = [
        int.from_bytes(data[at : at + 2], "little", signed=True) for at in range(0, len(data), 2)
    ]
    assert set(samples[: RATE_HZ * 150 // 1000]) == {0}
    tone = samples[RATE_HZ * 150 // 1000 :][: RATE_HZ * 30 // 1000]
    rises = sum(one < 0 < other for one, other in pairwise(tone))
    assert rises == pytest.approx(2349 * 0.03, abs=2)


def test_signals_are_played_by_the_command_and_muted_ones_are_not(tmp_path: Path) -> None:
    speaker = SpeakerOutput(SoundSettings(command=playing(tmp_path), bad=False))
    for signal in (Signal.BAD, Signal.OK):
        speaker.signal(signal)
    speaker.finish()
    assert (tmp_path / "log").read_text() == f"{len(wave_of('ok'))} "


def test_ticks_give_way_to_other_signals_and_a_flood_is_left_out() -> None:
    speaker = SpeakerOutput(SoundSettings(command="true"))
    speaker.run = lambda: None  # type: ignore[method-assign]  # nothing is played meanwhile
    for signal in (Signal.OK, Signal.TICK, *[Signal.TURN] * 9):
        speaker.signal(signal)
    assert speaker.waiting == 3


@pytest.mark.parametrize("command", ["/no/such/program", "false", "'unclosed"])
def test_a_missing_loudspeaker_is_no_fault_and_is_logged_once_at_most(
    command: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    speaker = SpeakerOutput(SoundSettings(command=command))
    speaker.signal(Signal.OK)
    speaker.signal(Signal.WIN)
    speaker.finish()
    assert caplog.text.count("no sound") == (command != "false")
