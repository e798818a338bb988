"""What other distributions register is attached, offered and set like what is shipped."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import games
from pi_app import registry
from pi_app.settings import schema
from pi_app.settings.file import SettingsError, parse
from tests.pi_app.commands.called import run

LANTERN = """\
from dataclasses import dataclass
from typing import Annotated

from click import Option

from hardware.config import Says
from pi_app.registry import Registration
from pi_app.run.extras import Extra, UnavailableError
from pi_app.settings.schema import ExtraTable

REGISTRATION = Registration("lantern:EXTRA", {"lantern": "lantern:LanternSettings"})


@dataclass(frozen=True)
class LanternSettings(ExtraTable):
    table = "lantern"

    height: Annotated[int, Says("how high it hangs", 1, 9)] = 3


class Lantern(Extra):
    options = (Option(["--lantern"], is_flag=True, help="Hang up a lantern."),)

    def wanted(self, settings, start):
        return start.options["lantern"]

    def attach(self, program, start):
        height = program.ctx.settings.of(LanternSettings).height
        raise UnavailableError(f"no hook at {height}")


EXTRA = Lantern()
"""


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install an extra, and one that cannot be loaded."""
    entries = tmp_path / "lantern.dist-info" / "entry_points.txt"
    entries.parent.mkdir()
    entries.write_text(
        "[beisitzer.extras]\nlantern = lantern:REGISTRATION\nbroken = no_such_module:EXTRA\n"
    )
    (tmp_path / "lantern.py").write_text(LANTERN)
    monkeypatch.syspath_prepend(tmp_path)
    caches = (registry._installed, schema.find_class, schema.definitions, games._entry_files)
    for cached in caches:
        cached.cache_clear()
    yield
    sys.modules.pop("lantern", None)
    for cached in caches:
        cached.cache_clear()


def test_its_option_is_offered_and_it_is_attached_with_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEISITZER_CONFIG", str(tmp_path / "settings.toml"))
    (tmp_path / "settings.toml").write_text("[lantern]\nheight = 5\n")
    (tmp_path / "keys").write_text("")
    words = ["play", "--keys", str(tmp_path / "keys"), "--display", "none"]
    assert "Hang up a lantern." in run("play", "--help").output
    assert run(*words).exit_code == 0
    refused = run(*words, "--lantern")
    assert (refused.exit_code, refused.stderr) == (2, "beisitzer: no hook at 5\n")


def test_its_settings_are_checked_like_all_others() -> None:
    file = Path("settings.toml")
    assert schema.value_of(parse({file: "lantern.height = 9"}).settings, "lantern.height") == 9
    with pytest.raises(SettingsError, match="a whole number from 1 to 9"):
        parse({file: "lantern.height = 10"})
    assert "lantern.height" in schema.definitions()


def test_one_that_cannot_be_loaded_is_left_out_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert len(list(registry.load_all("extras"))) == len(registry.SHIPPED["extras"]) + 1
    assert "broken is left out: no_such_module:EXTRA cannot be loaded" in caplog.text


@pytest.mark.parametrize("group", ["extras", "displays"])
def test_everything_shipped_can_be_loaded_with_its_settings(group: registry.Group) -> None:
    for registration in registry.SHIPPED[group].values():
        assert registry.resolve(registration.place) is not None
        for name, place in registration.tables.items():
            assert registry.resolve(place).table == name
