"""`beisitzer config`: the effective settings as TOML, with their origins."""

import tomllib
from pathlib import Path

import pytest
from click.testing import Result

from pi_app.settings.file import ENVIRONMENT, candidates, parse
from pi_app.settings.schema import Settings, entries
from pi_app.texts.language import Texts
from tests.pi_app.commands.called import run


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text("# mine\nlanguage = 'de'\n\n[oled]\naddress = 0x3D\n")
    return path


def config(file: Path, *arguments: str) -> Result:
    return run("config", *arguments, environ={ENVIRONMENT: str(file)})


@pytest.mark.parametrize("arguments", [(), ("--explain",)])
def test_what_is_printed_is_a_settings_file(file: Path, arguments: tuple[str, ...]) -> None:
    result = config(file, *arguments)
    assert result.exit_code == 0
    again = parse({Path("again"): result.output}).settings
    assert again == parse({file: file.read_text()}).settings
    assert again != Settings()
    assert set(tomllib.loads(result.output)) > {"language", "oled", "keypad"}


def test_each_value_says_where_it_comes_from(file: Path) -> None:
    lines = config(file).output.splitlines()
    assert f'language = "de"  # {file}:2' in lines
    assert f"address = 0x3d  # {file}:5" in lines
    assert 'driver = "ssd1306"  # Vorgabe' in lines


def test_without_a_file_it_says_where_it_looked_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.commands.config.load", lambda: parse({}))
    monkeypatch.setattr("pi_app.commands.config.texts", lambda: Texts("de"))
    first, *others = run("config").output.splitlines()
    assert first == "# keine Einstellungsdatei; gesucht wurde:"
    assert others[: len(candidates())] == [f"#   {path}" for path in candidates()]


def test_explaining_says_of_each_setting_what_is_allowed(file: Path) -> None:
    output = config(file, "--explain").output
    for entry in entries(Texts("de")):
        assert entry.text in output
        assert entry.allowed in output


@pytest.mark.parametrize("command", ["config", "doctor"])
def test_a_mistake_is_one_line_and_status_2(file: Path, command: str) -> None:
    file.write_text("[oled]\naddress = 'x'\n")
    result = run(command, environ={ENVIRONMENT: str(file)})
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert f"{file}, line 2: oled.address" in result.output


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        ("", ["dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000", "gpio_pin=7"]),
        ("[oled]\nport = 3\n[power_button]\nenabled = false\n", []),
        ("[oled]\nenabled = false\n[power_button]\npin = 3\n", ["gpio_pin=3"]),
        (
            "[oled]\nbus = 'spi'\n[lamp]\nenabled = false\n[encoder]\npush = 'none'\n"
            "[power_button]\npin = 14\n",
            ["dtparam=spi=on", "gpio_pin=14"],
        ),
    ],
)
def test_the_boot_configuration_follows_the_settings(
    file: Path, settings: str, lines: list[str]
) -> None:
    file.write_text(settings)
    printed = config(file, "--boot").output.split()
    assert len(printed) == len(lines)
    for line, wanted in zip(printed, lines, strict=True):
        assert wanted in line


def test_a_setting_is_changed_and_comments_stay(file: Path) -> None:
    for change in ("language=en", "oled.rotate = 180", 'display.show=["oled", "window"]'):
        result = config(file, "--set", change)
        assert (result.exit_code, result.output) == (0, f"{file}\n")
    text = file.read_text()
    assert text.startswith('# mine\nlanguage = "en"\n')
    settings = parse({file: text}).settings
    assert (settings.language, settings.oled.rotate) == ("en", 180)
    assert settings.display.show == ("oled", "window")
    assert settings.oled.address == 0x3D


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("language", "KEY=VALUE"),
        ("colour=red", "Einstellungen: colour: "),
        ("oled.drivr=red", "oled.drivr: diese Einstellung gibt es nicht; ist driver gemeint?"),
        ("language.x=1", "Einstellungen: language.x: "),
        ("oled=1", "Einstellungen: oled: 1 ist nicht erlaubt; erlaubt: [oled]"),
        ("language=qq", "language"),
        ("keypad.rows=[1,2]", "keypad.rows"),
        ("buzzer.pin=8", "GPIO8"),
    ],
)
def test_a_change_that_is_not_allowed_is_one_line(file: Path, change: str, words: str) -> None:
    before = file.read_text()
    result = config(file, "--set", change)
    assert result.exit_code == 2
    assert words in result.output
    assert result.output.count("\n") == 1
    assert file.read_text() == before


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run(tmp_path / "file" / "settings.toml", "--set", "language=en")
    assert result.exit_code in (1, 2)
    assert result.output.count("\n") == 1


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('language "de"', 1),
        ('language = """de', 1),
        ('language = "de"\nlanguage = "en"', 2),
        ("[oled\n", 1),
        ("[keypad]\nrows = [1, 2", 2),
        ("x = 2026-02-30", 1),
        ("x = " + "[\n" * 5_000, 5_000),
    ],
)
def test_what_is_no_toml_is_told_with_its_line_and_what_is_allowed(
    file: Path, text: str, line: int
) -> None:
    file.write_text(text)
    mistake = "das ist kein TOML: [Tabelle] oder Schlüssel = Wert, jedes einmal, Texte in "
    assert f"settings.toml, Zeile {line}: {mistake}" in config(file).output
