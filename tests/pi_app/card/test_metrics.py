"""Figures for node_exporter: in its format, whole, without people, and only where wanted."""

import errno
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.card import metrics
from pi_app.card.metrics import FILE, Metrics, since_process_start_s
from pi_app.commands.card import add_metrics
from pi_app.settings.schema import HealthSettings, Settings
from tests.pi_app.card.sticks import failing
from tests.pi_app.pilot import Pilot

SAMPLE = re.compile(r'[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? -?\d+(\.\d+)?(e[+-]\d+)?')


@pytest.fixture(name="pilot")
def _pilot(tmp_path: Path) -> Pilot:
    return Pilot(
        {"Game": "just4fun", "Players": "Annegret yellow, Bertram red"}, store=tmp_path / "games.db"
    )


@pytest.fixture(name="told")
def _told(pilot: Pilot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Metrics:
    """Return the figures' output on a machine that tells of itself."""
    monkeypatch.setattr(metrics, "temperature_c", lambda: 48.3)
    monkeypatch.setattr(metrics, "throttling", lambda: ("under-voltage-since-start",))
    output = Metrics(pilot.ctx, tmp_path, lambda: 1.25)
    pilot.program.follow(output)
    pilot.program.frame = None
    pilot.program.show()
    return output


def written(folder: Path) -> dict[str, float]:
    """Return the samples in the file, held to the format."""
    found = {}
    for line in (folder / FILE).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            assert SAMPLE.fullmatch(line), line
            name, _, value = line.rpartition(" ")
            found[name.removeprefix("beisitzer_")] = float(value)
    return found


def test_the_figures_of_a_table(pilot: Pilot, told: Metrics, tmp_path: Path) -> None:
    pilot.key("5*11#")
    told.poll()
    found = written(tmp_path)
    expected = {
        'games{game="just4fun",state="unfinished"}': 1,
        "keys_total": 5,
        "errors_total": 0,
        "store_failing": 0,
        "first_frame_seconds": 1.25,
        "temperature_celsius": 48.3,
        'power_warning{warning="under-voltage-now"}': 0,
        'power_warning{warning="under-voltage-since-start"}': 1,
    }
    assert expected.items() <= found.items()
    assert found["store_bytes"] > 1000
    assert found["free_bytes"] > 1000
    assert any(name.startswith('info{version="') for name in found)


def test_nobody_is_named(pilot: Pilot, told: Metrics, tmp_path: Path) -> None:
    pilot.key("5*11#")
    told.poll()
    text = (tmp_path / FILE).read_text()
    assert "Annegret" not in text
    assert "Bertram" not in text


def test_the_file_is_replaced_whole_once_a_minute_and_others_may_read_it(
    pilot: Pilot, told: Metrics, tmp_path: Path
) -> None:
    before = os.umask(0o077)  # the service's
    told.poll()
    os.umask(before)
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o644
    first = (tmp_path / FILE).stat()
    pilot.key("5")
    told.poll()
    assert (tmp_path / FILE).stat().st_ino == first.st_ino
    pilot.clock.now += told.poll_every_s() or 0
    told.poll()
    second = (tmp_path / FILE).stat()
    assert second.st_ino != first.st_ino
    assert sorted(path.name for path in tmp_path.glob("*.prom*")) == [FILE]


def test_a_table_that_is_switched_off_leaves_no_figures(told: Metrics, tmp_path: Path) -> None:
    told.poll()
    told.close()
    assert not (tmp_path / FILE).exists()


def test_a_folder_that_cannot_be_written_is_told_to_the_log_once_each_time(
    pilot: Pilot, told: Metrics, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for times in (1, 2):
        with monkeypatch.context() as fault:
            fault.setattr(Path, "write_text", failing(errno.EROFS))
            for _ in range(3):
                told.poll()
                pilot.clock.now += 60
        assert len(caplog.records) == times
        told.poll()
        pilot.clock.now += 60


def test_the_start_of_the_process_is_read_from_the_kernel(tmp_path: Path) -> None:
    (tmp_path / "self").mkdir()
    (tmp_path / "uptime").write_text("100.50 90.00\n")
    ticks = 99 * os.sysconf("SC_CLK_TCK")
    (tmp_path / "self/stat").write_text(f"7 (a) b) S {' '.join('0' * 18)} {ticks} 0\n")
    assert since_process_start_s(tmp_path) == 1.5
    (tmp_path / "uptime").write_text("junk")
    assert since_process_start_s(tmp_path) is None


@pytest.mark.parametrize("folder", ["off", "wanted"])
def test_figures_are_written_only_where_the_settings_name_a_folder(
    pilot: Pilot, tmp_path: Path, folder: str
) -> None:
    before = len(pilot.program.outputs)
    place = folder if folder == "off" else str(tmp_path)
    pilot.ctx.settings = replace(Settings(), health=HealthSettings(folder=place))
    add_metrics(pilot.program)
    assert len(pilot.program.outputs) - before == (folder != "off")
