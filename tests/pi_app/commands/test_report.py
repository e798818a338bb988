"""One file that helps to mend a fault and says nothing about anybody."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pi_app.commands.cli import main
from pi_app.commands.report import anonymize
from pi_app.store.store import Store


def test_the_report_has_everything_and_no_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    log = tmp_path / "beisitzer" / "beisitzer.log"
    log.parent.mkdir()
    log.write_text("Zoë of 192.168.7.20 at fe80:0:0:0:1:2:3:4 was told: Max leads\n")
    store = Store(tmp_path / "t.db")
    tags = {"Game": "just4fun", "Players": "Zoë yellow, Max Müller red", "Event": "Omas Geburtstag"}
    old = store.begin({"Game": "just4fun", "Players": "Max yellow, Beisitzer red"})
    store.append(old, 0, "5", None)
    game = store.begin(tags)
    store.append(game, 0, "7+8", None)
    store.append(game, 1, "<red 7x2; to-move=Max Müller>", None)
    file = tmp_path / "report.txt"
    result = CliRunner().invoke(main, ["report", str(file), "--store", str(tmp_path / "t.db")])
    assert result.exit_code == 0, result.output
    text = file.read_text("utf-8")
    for private_word in ("Zoë", "Müller", "Max", "Omas", "192.168.7.20", "fe80:", str(Path.home())):
        assert private_word not in text, private_word
    for part in ("== Program", "== Settings", "== Rig", "== Record", "== Log"):
        assert part in text
    for helpful in (
        "== Program\nBeisitzer ",
        "Python 3",
        "language =",
        "OLED",
        "7+8",
        "to-move=Player2",
    ):
        assert helpful in text, helpful


def test_a_report_can_be_had_without_a_store_or_with_a_broken_one(tmp_path: Path) -> None:
    (tmp_path / "t.db").write_text("junk")
    for name, says in (("t.db", "cannot be read"), ("none.db", "no game was stored")):
        result = CliRunner().invoke(main, ["report", "-", "--store", str(tmp_path / name)])
        assert result.exit_code == 0
        assert says in result.output


def test_a_report_of_a_damaged_store_says_so_and_hides_names_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store = Store(path)
    game = store.begin({"Game": "just4fun", "Players": "Zora yellow, Ben red"})
    for n, token in enumerate(("7+8", "5")):
        store.append(game, n, token, None)
    store.close()
    path.write_bytes(path.read_bytes().replace(b"5played", b"6played", 1))
    result = CliRunner().invoke(main, ["report", "-", "--store", str(path)])
    assert result.exit_code == 1
    assert "the store is damaged" in result.stdout
    assert "7+8 played" in result.stdout
    assert "Zora" not in result.stdout
    assert "is damaged" in result.stderr


def test_names_inside_other_words_stay() -> None:
    assert anonymize("An anchor. An!", {"An": "Player1"}) == "Player1 anchor. Player1!"


def test_a_name_is_hidden_however_its_words_are_spaced() -> None:
    names = {"Max Müller": "Player1"}
    assert anonymize("Max  Müller red; to-move=Max Müller", names) == "Player1 red; to-move=Player1"


def test_every_home_serial_number_and_name_is_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    log = tmp_path / "beisitzer" / "beisitzer.log"
    log.parent.mkdir()
    log.write_text(
        "/home/oma/games.db /root/x.db /Users/Opa/y\nErna0 played, Known sat there\n"
        "/dev/serial/by-id/usb-Raspberry_Pi_Pico_E6614C311B7E6F35-if00 is busy\n"
        "Serial\t\t: 00000000abcdef01, serial number=ABC-77X\n"
        "machine 0123456789abcdef0123456789abcdef, 3 games, pin 27\n"
    )
    store = Store(tmp_path / "t.db")
    for number in range(120):
        store.begin({"Game": "numeri", "Players": f"Erna{number} yellow, Ben red"})
    store.remember("players", '[{"name": "Known"}]')
    store.close()
    result = CliRunner().invoke(main, ["report", "-", "--store", str(tmp_path / "t.db")])
    said = result.stdout.partition("== Log")[2]
    hidden = (
        "oma",
        "root",
        "Opa",
        "Erna",
        "Known",
        "E6614C",
        "abcdef01",
        "77X",
        "0123456789abcdef",
    )
    for private_word in hidden:
        assert private_word not in said, private_word
    for helpful in ("~/games.db", "Raspberry_Pi_Pico_SERIAL-if00 is busy", "3 games, pin 27"):
        assert helpful in said, helpful


@pytest.mark.parametrize("where", ["-", "report.txt"])
def test_a_traceback_names_modules_and_no_folders(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "beisitzer" / "beisitzer.log"
    log.parent.mkdir()
    log.write_text(
        "Traceback (most recent call last):\n"
        '  File "/srv/Omas Club/beisitzer/pi_app/run/loop.py", line 12, in press\n'
        '  File "/opt/club/lib/python3.13/site-packages/luma/core/device.py", line 3\n'
        '  File "/media/club/bot.py", line 1, in bot\n'
        "OSError: [Errno 28] No space left: '/mnt/Omas Club/games.db'\n"
        "see /media/club/list.txt, /dev/i2c-1 and /etc/beisitzer.toml\n"
    )
    said = CliRunner().invoke(main, ["report", where, "--store", str(tmp_path / "t.db")]).stdout
    if where != "-":
        said = (tmp_path / where).read_text("utf-8")
    told = said.partition("== Log\n")[2]
    for folder in ("/srv", "/opt", "/media", "/mnt", "Omas", "club"):
        assert folder not in told, folder
    for helpful in (
        'File "pi_app/run/loop.py", line 12, in press',
        'File "luma/core/device.py", line 3',
        'File "bot.py", line 1',
        "'games.db'",
        "see list.txt, /dev/i2c-1 and /etc/beisitzer.toml",
    ):
        assert helpful in told, helpful
