"""What starts with the companion on a rig, and what must not."""

import json
import subprocess
import sys

import pytest

HEAVY = {"pygame", "rich", "textual", "numpy", "blessed", "tomlkit", "babel", "serial"}
MENUS = {
    "pi_app.screens.playing.menu",
    "pi_app.screens.playing.result",
    "pi_app.screens.starting.home",
}


@pytest.fixture(scope="module", name="loaded")
def _loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the modules that are there once a game on a rig has shown its first frame."""
    store = tmp_path_factory.mktemp("start") / "games"
    return set(json.loads(_said("-m", "bench.first_frame", str(store), "rig"))["modules"])


def _said(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def test_the_rig_shows_its_first_frame_without_heavy_libraries(loaded: set[str]) -> None:
    assert "pi_app.run.opening" in loaded
    libraries = {module.partition(".")[0] for module in loaded}
    assert {"gpiozero", "luma"} <= libraries
    assert not libraries & HEAVY


def test_a_game_shows_its_first_frame_before_the_menus_are_imported(loaded: set[str]) -> None:
    assert "pi_app.screens.playing.turn" in loaded
    assert not loaded & MENUS


@pytest.fixture(scope="module", name="bare")
def _bare(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the modules that are there once a game that goes on is shown without any device."""
    store = str(tmp_path_factory.mktemp("bare") / "games")
    _said("-m", "bench.first_frame", store)
    return set(json.loads(_said("-m", "bench.first_frame", store))["modules"])


@pytest.mark.parametrize(
    "needless",
    [
        "gpiozero",
        "hardware.serial_panel",
        "html",
        "http",
        "importlib.resources",
        "pi_app.displays.rig",
        "pi_app.displays.sound.voice",
        "pi_app.table.boards",
        "pi_app.screens.starting.history",
        "pi_app.texts.aloud",
        "ssl",
        "urllib.request",
    ],
)
def test_a_start_without_devices_imports_nothing_that_only_others_need(
    bare: set[str], needless: str
) -> None:
    assert "pi_app.screens.playing.turn" in bare
    assert needless not in bare
