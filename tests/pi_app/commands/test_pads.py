"""`beisitzer doctor --watch` says what keys send, and what that does."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from hardware.config import PadsConfig, PanelConfig
from hardware.keys import Key
from hardware.pads.device import PadCalls
from hardware.pads.table import CODES
from pi_app.settings.file import ENVIRONMENT
from tests.pi_app.commands import called

Run = Callable[..., Result]


class FakePads:
    """Pads on which somebody has pressed two keys."""

    def __init__(self, _config: PadsConfig, calls: PadCalls) -> None:
        self._watch = calls.watch

    def start(self) -> None:
        self._watch(CODES["KPDOT"])
        self._watch(240)

    def close(self) -> None:
        """There is nothing to close."""


class FakePanel:
    """A panel on which somebody has pressed a key."""

    def __init__(self, _config: PanelConfig, put: Callable[[Key], object], **_: object) -> None:
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
        return called.run(*arguments, environ={ENVIRONMENT: str(file), "LC_ALL": "C"})

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
