"""Settings with mistakes: a start that must not fail takes what can be read."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.settings.file import ENVIRONMENT, SettingsError, load, load_leniently
from pi_app.settings.schema import Settings, keep_essentials

HARDWARE = """
language = "de"
[panel]
port = "/dev/panel"
[oled]
bus = "spi"
[display]
show = ["oled", "window"]
theme = "light"
[sounds]
tick = false
[store]
path = "/games.db"
"""


def assert_hardware_kept(settings: Settings) -> None:
    assert settings.panel.port == "/dev/panel"
    assert settings.oled.bus == "spi"
    assert settings.store.path == "/games.db"
    assert (settings.language, settings.display.show) == ("de", ("oled", "window"))


def test_what_describes_the_machine_is_kept_and_taste_is_dropped(tmp_path: Path) -> None:
    (path := tmp_path / "settings.toml").write_text(HARDWARE)
    settings = keep_essentials(load_leniently({ENVIRONMENT: str(path)}))
    assert_hardware_kept(settings)
    assert (settings.display.theme, settings.sounds.tick) == ("dark", True)


@pytest.mark.parametrize(
    "mistake",
    [
        "[keypad]\nrows = [1]\n",
        "[oled_]\nx = 1\n",
        "[lamp]\nred =\n",
        "[lamp]\nred = = 9\nkind = 'x\n",
        "[encoder]\na = 99999999999999999999999\n",
        "[buzzer]\npin = '",
        "[[sounds]]\n",
        "\x00\n",
    ],
)
def test_a_mistake_costs_nothing_but_itself(tmp_path: Path, mistake: str) -> None:
    (path := tmp_path / "settings.toml").write_text(HARDWARE + mistake)
    environ = {ENVIRONMENT: str(path)}
    with pytest.raises(SettingsError):
        load(environ)
    assert_hardware_kept(load_leniently(environ))


@given(st.data())
def test_whatever_is_in_the_file_a_lenient_reading_ends_well(choose: st.DataObject) -> None:
    at = choose.draw(st.integers(0, len(HARDWARE) - 1))
    junk = choose.draw(st.text(max_size=4))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "settings.toml"
        path.write_text(HARDWARE[:at] + junk + HARDWARE[at + 1 :], "utf-8", "surrogatepass")
        load_leniently({ENVIRONMENT: str(path)})


def test_a_pin_that_comes_with_a_bus_says_so(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    for written, words in (
        ("[oled]\nbus = 'spi'\n[lamp]\nenabled = false\n[power_button]\nenabled = false\n", "SPI"),
        ("[lamp]\nred = 2\n", "I2C"),
    ):
        path.write_text(written)
        with pytest.raises(SettingsError, match=words):
            load({ENVIRONMENT: str(path)})
