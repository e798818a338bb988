"""Settings files: where they are found, what is refused and how, what saving keeps."""

import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.config import LampConfig, OledConfig
from pi_app.settings.file import (
    APPLIANCE,
    ENVIRONMENT,
    Loaded,
    SettingsError,
    candidates,
    load,
    parse,
    save,
    user_file,
)
from pi_app.settings.schema import Settings, definitions, entries, fit, toml_value, value_of
from pi_app.system.toml_text import lines_of

FILE = Path("/etc/one.toml")


def read(text: str) -> Loaded:
    return parse({FILE: text})


def refused(text: str) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        read(text)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.fixture(name="environ")
def _environ(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "settings.toml"
    path.write_text("")
    return {ENVIRONMENT: str(path)}


def test_no_file_means_the_reference_rig() -> None:
    loaded = parse({})
    assert loaded.settings == Settings()
    assert dict(loaded.origins) == {}
    assert loaded.settings.lamp == LampConfig()
    assert loaded.settings.oled.address == 0x3C


def test_every_setting_can_be_written_as_it_is_documented() -> None:
    text = "".join(f"{entry.key} = {entry.default}\n" for entry in entries())
    loaded = read(text)
    assert loaded.settings == Settings()
    assert list(loaded.origins) != []
    assert set(loaded.origins) == set(definitions())
    assert all(entry.text and entry.allowed for entry in entries())


def test_the_later_file_wins_key_by_key() -> None:
    first, second = Path("/a"), Path("/b")
    loaded = parse(
        {
            first: "language = 'de'\n[sounds]\ntick = false\nwin = false\n",
            second: "[sounds]\n\n# loud\nwin = true\n",
        }
    )
    assert loaded.settings.language == "de"
    assert not loaded.settings.sounds.tick
    assert loaded.settings.sounds.win
    assert (loaded.origins["sounds.win"].file, loaded.origins["sounds.win"].line) == (second, 4)
    assert (loaded.origins["sounds.tick"].file, loaded.origins["sounds.tick"].line) == (first, 3)
    assert "sounds.ok" not in loaded.origins


@pytest.mark.parametrize(
    ("text", "line", "key", "says"),
    [
        ("[lamp]\n\nred = 28\n", 3, "lamp.red", "a pin, GPIO0 to GPIO27"),
        ("lamp.red = -1", 1, "lamp.red", "a pin, GPIO0 to GPIO27"),
        ("lamp = { red = true }", 1, "lamp.red", "a pin"),
        ("language = 'zz'", 1, "language", '"auto", "de"'),
        ("\n[oled]\naddress = 0x80\n", 3, "oled.address", "a whole number from 0x8 to 0x77"),
        ("[oled]\naddress = '0x3C'\n", 2, "oled.address", "from 0x8 to 0x77"),
        ("[oled]\nrotate = 90", 2, "oled.rotate", "0 or 180"),
        ("[sounds]\nok = 1", 2, "sounds.ok", "true or false"),
        ("[display]\ndim_after_s = 1.5", 2, "display.dim_after_s", "(s)"),
        ("[display]\nshow = []", 2, "display.show", '"oled", "window" or "terminal"'),
        ("[display]\nshow = ['oled', 'tv']", 2, "display.show", '"oled"'),
        ("[keypad]\nrows = [\n 1,\n 2]\n", 2, "keypad.rows", "a list of 4 pins, GPIO0 to GPIO27"),
        ("[keypad]\nrows = [5, 5, 13, 19]", 2, "keypad.rows", "none of them twice"),
        ("keypad.layout = ['123A', '456B', '789C', 'xyzw']", 1, "keypad.layout", "4 texts"),
        ("encoder.push = 'none '", 1, "encoder.push", '"none"'),
        ("store.path = ''", 1, "store.path", "a text"),
        ('store.path = "a\\u0000b"', 1, "store.path", "a text"),
        (f"lamp.red = {'9' * 4000}", 1, "lamp.red", "a pin, GPIO0 to GPIO27"),
        ("lamp.red = 2026-01-01", 1, "lamp.red", "a pin, GPIO0 to GPIO27"),
        ("oled = 3", 1, "oled", "[oled]"),
        ("[[oled]]\nport = 1", 1, "oled", "[oled]"),
    ],
)
def test_a_wrong_value_is_refused_with_file_line_key_and_what_is_allowed(
    text: str, line: int, key: str, says: str
) -> None:
    error = refused(text)
    assert (error.file, error.line, error.key) == (FILE, line, key)
    assert str(error).startswith(f"{FILE}, line {line}: {key}: ")
    assert says in str(error)


@pytest.mark.parametrize(
    ("text", "key", "near"),
    [
        ("langauge = 'de'", "langauge", "did you mean language?"),
        ("[display]\ndim_after = 3", "display.dim_after", "did you mean dim_after_s?"),
        ("[die_button]\npins = 3", "die_button", "did you mean die_buttons?"),
        ("[sounds]\nxyzzy = 3", "sounds.xyzzy", "tick, ok, bad, win"),
        ("language.x = 1", "language", '"auto"'),
        ("sounds.tick.x = 1", "sounds.tick", "true or false"),
        ('"a\\nb" = 1', "a\nb", ""),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_name(text: str, key: str, near: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read(text)
    assert caught.value.key == key
    assert near in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = \n", 1),
        ("language = 'de'\n[sounds\n", 2),
        ("language = 'de'\nlanguage = 'en'\n", 2),
        ('store.path = "', 1),
        ("[sounds]\n\nx = [1,\n", 3),
        (f"\n\nlamp.red = {'9' * 6000}\n", 3),
        (f"\nx = {'[' * 5000}", 2),
        ("\0", 1),
    ],
)
def test_what_is_no_toml_is_refused_with_its_line(text: str, line: int) -> None:
    error = refused(text)
    assert error.code == "syntax"
    assert error.line == line


@settings(max_examples=100)
@given(st.text(max_size=60))
def test_junk_is_read_or_refused_in_one_line(text: str) -> None:
    with suppress(SettingsError):
        assert set(read(text).origins) <= set(definitions())


@pytest.mark.parametrize(
    ("text", "keys", "line"),
    [
        ("[buzzer]\npin = 9", ("buzzer.pin", "lamp.red"), 2),
        ("[lamp]\nred = 18", ("lamp.red", "buzzer.pin"), 2),
        ("[encoder]\na = 26", ("encoder.a", "encoder.b"), 2),
        ("[keypad]\nrows = [5, 6, 13, 2]", ("keypad.rows", "oled.port"), 2),
        ("[oled]\nbus = 'spi'\n", ("oled.bus", "encoder.push"), 2),
        ("[lamp]\nenabled=false\n[encoder]\npush='none'\n[oled]\nbus='spi'", ("oled.bus",), 6),
        ("[oled]\nbus='spi'\n[encoder]\npush='none'\n[power_button]\npin=1", ("oled.bus",), 2),
    ],
)
def test_two_devices_on_one_pin_are_refused_naming_both(
    text: str, keys: tuple[str, ...], line: int
) -> None:
    error = refused(text)
    assert error.code == "same-pin"
    assert error.line == line
    for key in keys:
        assert key in str(error)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("oled.bus='spi'\nlamp.enabled=false\npower_button.enabled=false", "SPI"),
        ("lamp.red = 2", "I2C"),
    ],
)
def test_a_pin_that_comes_with_a_bus_says_so(text: str, words: str) -> None:
    assert words in str(refused(text))


def test_the_pins_of_a_part_that_is_switched_off_are_free() -> None:
    assert read("[buzzer]\npin = 9\n[lamp]\nenabled = false\n").settings.buzzer.pin == 9
    spi = "[oled]\nbus='spi'\n[lamp]\nenabled=false\n[encoder]\npush='none'\n"
    assert read(spi + "[power_button]\nenabled = false").settings.oled.bus == "spi"
    assert read("[keypad]\nrows = [5, 6, 13, 2]\n[oled]\nport = 3").settings.keypad.rows[3] == 2


@pytest.mark.parametrize(
    ("text", "keys", "line"),
    [
        ("a = 1\nb = '''\nc = 2\n'''\nc = 3", ("c",), 5),
        ("# c = 1\n\n[t]\nc = 2", ("t", "c"), 4),
        ("t = { a = 1, c = [\n1,\n2] }", ("t", "c"), 1),
        ("[t]\na = 1", ("t",), 1),
        ("[t]\na = 1", ("t", "b"), 0),
    ],
)
def test_the_line_is_where_the_statement_starts(
    text: str, keys: tuple[str, ...], line: int
) -> None:
    assert lines_of(text).get(keys, 0) == line


def test_the_named_file_alone_is_read(environ: dict[str, str]) -> None:
    assert candidates(environ) == (Path(environ[ENVIRONMENT]),)
    Path(environ[ENVIRONMENT]).write_text("language = 'en'", "utf-8-sig")
    assert load(environ).settings.language == "en"


def test_without_the_variable_the_users_file_comes_last() -> None:
    found = candidates({})
    assert found[0] == Path("/etc/beisitzer.toml")
    assert found[-1] == user_file({})
    assert len(set(found)) == 3


def test_a_named_file_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no such file") as caught:
        load({ENVIRONMENT: str(tmp_path / "none.toml")})
    assert caught.value.code == "unreadable"


def test_a_service_without_a_settings_file_has_the_defaults(tmp_path: Path) -> None:
    environ = {ENVIRONMENT: str(tmp_path / "none.toml"), APPLIANCE: "1"}
    assert load(environ).settings == Settings()
    save("language", "de", environ)
    assert load(environ).settings.language == "de"


@pytest.mark.parametrize("data", [b"\xfc\xfe", None])
def test_what_cannot_be_read_is_refused(environ: dict[str, str], data: bytes | None) -> None:
    path = Path(environ[ENVIRONMENT])
    path.unlink()
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)
    with pytest.raises(SettingsError) as caught:
        load(environ)
    assert caught.value.code == "unreadable"
    assert str(path) in str(caught.value)


def test_saving_keeps_comments_order_and_mode(environ: dict[str, str]) -> None:
    path = Path(environ[ENVIRONMENT])
    path.write_text("# mine\n[sounds] # loud\ntick = true # no!\n\n[lamp]\nred = 9\n")
    path.chmod(0o600)
    assert save("sounds.tick", False, environ) == path
    assert path.read_text() == "# mine\n[sounds] # loud\ntick = false # no!\n\n[lamp]\nred = 9\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    save("language", "de", environ)
    save("keypad.rows", (6, 5, 13, 19), environ)
    assert path.read_text().startswith("# mine\n")
    read_back = load(environ).settings
    assert (read_back.language, read_back.keypad.rows) == ("de", (6, 5, 13, 19))
    assert list(path.parent.iterdir()) == [path]


def test_saving_makes_the_file_and_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.toml"
    save("sounds.win", False, {ENVIRONMENT: str(path)})
    assert not load({ENVIRONMENT: str(path)}).settings.sounds.win


@pytest.mark.parametrize(
    ("key", "value"), [("sounds.tick", 3), ("sounds.tock", True), ("lamp.red", 18), ("", 1)]
)
def test_saving_a_mistake_is_refused_and_changes_nothing(
    environ: dict[str, str], key: str, value: Any
) -> None:
    path = Path(environ[ENVIRONMENT])
    path.write_text("[sounds]\nok = false\n")
    with pytest.raises(SettingsError):
        save(key, value, environ)
    assert path.read_text() == "[sounds]\nok = false\n"


def test_saving_follows_a_link_to_the_file(environ: dict[str, str], tmp_path: Path) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(environ[ENVIRONMENT])
    save("language", "en", {ENVIRONMENT: str(link)})
    assert link.is_symlink()
    assert load(environ).settings.language == "en"


def test_a_failed_write_leaves_the_old_file_alone(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(environ[ENVIRONMENT])
    path.write_text("language = 'de'\n")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save("language", "en", environ)
    assert path.read_text() == "language = 'de'\n"
    assert list(path.parent.iterdir()) == [path]


def test_values_are_written_so_that_they_read_back() -> None:
    plain = Settings()
    for key, (kind, says) in definitions().items():
        value = value_of(plain, key)
        read_back = value_of(read(f"{key} = {toml_value(value, says)}").settings, key)
        assert read_back == fit(kind, says, value) == value


def test_the_first_column_follows_the_controller() -> None:
    assert OledConfig().first_column == 0
    assert OledConfig(driver="sh1106").first_column == 2
    assert OledConfig(driver="sh1106", offset=0).first_column == 0


def test_a_long_file_costs_no_more_for_each_line(environ: dict[str, str]) -> None:
    comments = "# what somebody wanted to remember about this rig\n" * 5_000
    path = Path(environ["BEISITZER_CONFIG"])
    path.write_text(f'{comments}[display]\n{comments}theme = "light"\n[sounds]\ntick = false\n')
    begun = time.process_time()
    loaded = load(environ)
    save("sounds.ok", value=False, environ=environ)
    assert time.process_time() - begun < 20  # it took 45 s and more
    assert loaded.origins["display.theme"].line == 10_002
    assert load(environ).settings.sounds.ok is False


@pytest.mark.parametrize(
    "text",
    [
        "a." * 100_000 + "a = 1",
        "a" * 500_000 + " = 1",
        "a = " + "[" * 5_000,
        "a = " + "[\n" * 5_000,
        "language = " + "9" * 5_000,
        "\n" * 20_000 + "language = [\n" + "9" * 3_000 + "9" * 1_000 + "]",
        "\n" * 20_000 + "language = 1" + "0" * 4_000 + "0" * 50,
        "".join(f"key{n} = {n}\n" for n in range(20_000)),
        "[keypad]\nrows = [" + "1," * 200_000 + "]",
        "x" * 3 * 1024 * 1024,
    ],
)
def test_a_file_of_garbage_is_refused_at_once_in_one_short_line(
    environ: dict[str, str], text: str
) -> None:
    Path(environ["BEISITZER_CONFIG"]).write_text(text)
    begun = time.process_time()
    with pytest.raises(SettingsError) as caught:
        load(environ)
    assert time.process_time() - begun < 5
    said = f"beisitzer: {caught.value}"
    assert len(said) <= 200
    assert said.isprintable()


BEFORE = (
    "# [no] = table",
    "",
    "'quoted key' = 1",
    'text = """\nlanguage = 1\n[lamp]\n"""',
    "text = '''\n#'''",
    "list = [ # =\n \"]\", '[',\n]",
    "dotted . key = {a = [1], b = '}'}",
    '"a\\"b" = "\\\\"',
)


@given(st.sampled_from(sorted(definitions())), st.lists(st.sampled_from(BEFORE)))
def test_a_key_is_found_behind_whatever_stands_before_it(key: str, before: list[str]) -> None:
    table, _, name = key.rpartition(".")
    above = "".join(f"[other{n}]\n{text}\n" for n, text in enumerate(before))
    above += f"[{table}]\n" if table else "[last]\n"
    line = above.count("\n") + 1
    wanted = (table, name) if table else ("last", name)
    assert lines_of(f"{above}{name} = 1\n")[wanted] == line
