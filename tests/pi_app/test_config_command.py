"""`beisitzer config`: the effective settings as TOML, with their origins."""

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pi_app.commands.cli import main
from pi_app.settings.file import ENVIRONMENT, parse
from pi_app.settings.schema import Settings, entries


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text("# mine\nlanguage = 'de'\n\n[oled]\naddress = 0x3D\n")
    return path


def run(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["config", *arguments], env={ENVIRONMENT: str(file)})


@pytest.mark.parametrize("arguments", [(), ("--explain",)])
def test_what_is_printed_is_a_settings_file(file: Path, arguments: tuple[str, ...]) -> None:
    result = run(file, *arguments)
    assert result.exit_code == 0
    again = parse({Path("again"): result.output}).settings
    assert again == parse({file: file.read_text()}).settings
    assert again != Settings()
    assert set(tomllib.loads(result.output)) > {"language", "oled", "keypad"}


def test_each_value_says_where_it_comes_from(file: Path) -> None:
    lines = run(file).output.splitlines()
    assert f'language = "de"  # {file}:2' in lines
    assert f"address = 0x3d  # {file}:5" in lines
    assert 'driver = "ssd1306"  # default' in lines


def test_explaining_says_of_each_setting_what_is_allowed(file: Path) -> None:
    output = run(file, "--explain").output
    for entry in entries():
        assert entry.text in output
        assert entry.allowed in output


def test_json_has_every_setting_once(file: Path) -> None:
    found = json.loads(run(file, "--json").output)
    assert [item["key"] for item in found] == [entry.key for entry in entries()]
    address = next(item for item in found if item["key"] == "oled.address")
    assert address == {"key": "oled.address", "value": 0x3D, "file": str(file), "line": 5}


def test_a_mistake_is_one_line_and_status_2(file: Path) -> None:
    file.write_text("[oled]\naddress = 'x'\n")
    result = run(file)
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert f"{file}, line 2: oled.address" in result.output
