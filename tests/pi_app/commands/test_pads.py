"""`beisitzer pads`: what is there, what each key does, and the chart."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hardware.config import PadsConfig
from hardware.errors import DeviceError
from hardware.keys import Key
from hardware.pads import InputDevice
from hardware.pads.table import CODES, PRINTED, table_of
from pi_app.commands.cli import main
from pi_app.commands.key_chart import key_chart, key_words
from pi_app.settings.file import ENVIRONMENT
from pi_app.texts.language import LANGUAGES, Texts

PAD = InputDevice(
    "/dev/input/event3",
    "Numpad",
    "usb-1",
    frozenset(code for name, code in CODES.items() if name.startswith("KP")),
)
Run = Callable[..., Result]


class FakePads:
    """Pads on which somebody has pressed two keys."""

    def __init__(
        self, _config: PadsConfig, _put: Callable[[Key], object], *, watch: Callable[[int], object]
    ) -> None:
        self._watch = watch

    def start(self) -> None:
        self._watch(CODES["KPDOT"])
        self._watch(240)

    def close(self) -> None:
        """There is nothing to close."""


@pytest.fixture(name="run")
def _run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr("pi_app.commands.pads.find", lambda: [PAD])
    monkeypatch.setattr("pi_app.commands.pads.try_open", lambda _path: None)
    monkeypatch.setattr("pi_app.commands.pads.Pads", FakePads)

    def run(*arguments: str, settings: str = "") -> Result:
        file = tmp_path / "settings.toml"
        file.write_text(settings)
        env = {ENVIRONMENT: str(file), "LC_ALL": "C"}
        return CliRunner().invoke(main, ("pads", *arguments), env=env)

    return run


def test_pads_and_their_keys_are_listed_with_the_kernels_names(run: Run) -> None:
    result = run("--seconds", "0", settings='pads.keys = ["KPDOT=BACK"]')
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        "Numpad (usb-1)",
        "KPDOT: C back; held: take back the move",
        "240: -",
    ]


def test_without_a_pad_it_says_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.commands.pads.find", list)
    result = run()
    assert result.exit_code == 1
    assert "no number pad is plugged in" in result.output


def test_a_pad_that_may_not_be_read_names_the_remedy(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = DeviceError("pads", "no-permission")
    monkeypatch.setattr("pi_app.commands.pads.try_open", lambda _path: error)
    result = run()
    assert result.exit_code == 1
    assert "usermod -aG input" in result.output


def test_a_chart_has_the_changes_of_the_settings(run: Run, tmp_path: Path) -> None:
    chart = tmp_path / "pad.html"
    result = run("--chart", str(chart), "--lang", "de", settings='pads.keys = ["KPDOT=DIE4"]')
    assert result.exit_code == 0, result.output
    assert "<b>.</b>Würfel 4" in chart.read_text("utf-8")


def test_a_chart_that_cannot_be_written_is_one_sentence(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("--chart", str(tmp_path / "file" / "pad.html"))
    assert result.exit_code != 0
    assert "Traceback" not in result.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_of_the_table_is_told_on_the_chart(language: str) -> None:
    tx = Texts(language)
    page = key_chart(tx)
    for key in set(PRINTED.values()):
        assert key_words(tx, key) in page, key


def test_a_key_that_does_nothing_is_blank_on_the_chart() -> None:
    table = table_of(PadsConfig(keys=("KPSLASH=none",)))
    assert "<b>/</b><td>" in key_chart(Texts("en"), table)
