"""`beisitzer doctor --watch` says what keys send, `pads --chart` what a pad's keys do."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hardware.config import PadsConfig, PanelConfig
from hardware.keys import Key
from hardware.pads.table import CODES, PRINTED, table_of
from pi_app.commands.cli import main
from pi_app.commands.key_chart import key_chart, key_words
from pi_app.settings.file import ENVIRONMENT
from pi_app.texts.language import LANGUAGES, Texts

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


class FakePanel:
    """A panel on which somebody has pressed a key."""

    def __init__(self, _config: PanelConfig, put: Callable[[Key], object]) -> None:
        self._put = put

    def start(self) -> None:
        self._put(Key.DIE4)

    def close(self) -> None:
        """There is nothing to close."""


@pytest.fixture(name="run")
def _run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr("pi_app.commands.watch.Pads", FakePads)
    monkeypatch.setattr("pi_app.commands.watch.SerialPanel", FakePanel)

    def run(*arguments: str, settings: str = "") -> Result:
        file = tmp_path / "settings.toml"
        file.write_text(settings)
        env = {ENVIRONMENT: str(file), "LC_ALL": "C"}
        return CliRunner().invoke(main, arguments, env=env)

    return run


def test_the_doctor_shows_what_keys_send_and_what_that_does(run: Run) -> None:
    settings = 'pads.keys = ["KPDOT=BACK"]\nrig.enabled = false\n'
    result = run("doctor", "--watch", "--seconds", "0", settings=settings)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        "Press keys; Ctrl-C ends.",
        "pads: KPDOT C back; held: take back the move",
        "pads: 240 -",
        "panel: DIE4 die 4",
    ]


def test_a_chart_has_the_changes_of_the_settings(run: Run, tmp_path: Path) -> None:
    chart = tmp_path / "pad.html"
    result = run(
        "pads", "--chart", str(chart), "--lang", "de", settings='pads.keys = ["KPDOT=DIE4"]'
    )
    assert result.exit_code == 0, result.output
    assert "<b>.</b>Würfel 4" in chart.read_text("utf-8")


def test_a_chart_that_cannot_be_written_is_one_sentence(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("pads", "--chart", str(tmp_path / "file" / "pad.html"))
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
