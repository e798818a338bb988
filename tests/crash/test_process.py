"""The companion as a process: full disks, two of them, failed starts, no listener."""

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from pi_app.system.starts import RunState
from tests.crash.process import GAME, Process, stored

NO_CACHE = {"PYTHONDONTWRITEBYTECODE": "1"}
"""Without it the limit would cut the files of compiled modules, which later starts read."""


def limit_files(size: int) -> Callable[[], None]:
    """Return what makes the kernel refuse to let any file of a process grow beyond a size."""

    def limit() -> None:
        most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))

    return limit


@pytest.mark.parametrize("size", [0, 20_000, 22_400])
def test_on_a_full_disk_the_game_goes_on_and_is_written_when_there_is_room(
    tmp_path: Path, size: int
) -> None:
    path = tmp_path / "t.db"
    long = ("--tag", f"Event={'x' * 22_000}")  # so that the largest size is reached in mid-game
    process = Process(path, *GAME, *long, before=limit_files(size), environ=NO_CACHE)
    moves = [str(number) for number in (5, 6, 7, 8, 9, 10, 11, 12)]
    for move in moves:
        process.keys(f"{move} #")
    assert process.wait_for(lambda: process.shows_move("Ben", "12")), process.frames[-1:]
    assert process.wait_for(lambda: any("alert" in frame for frame in process.frames))
    assert any(frame.get("corner", "").startswith("!") for frame in process.frames)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.prlimit(process.process.pid, resource.RLIMIT_FSIZE, (most, most))
    status, error = process.end()
    assert (status, error) == (0, "")
    assert stored(path) == (tuple(moves), ())


def test_moves_that_could_not_be_written_to_the_end_are_said_so(tmp_path: Path) -> None:
    process = Process(tmp_path / "t.db", *GAME, before=limit_files(0), environ=NO_CACHE)
    process.keys("5 #")
    assert process.wait_for(lambda: process.shows_move("Anna", "5"))
    status, error = process.end()
    assert status == 1
    assert error.count("\n") == 1
    assert "could not be written" in error


def test_the_second_companion_on_a_store_refuses_and_the_first_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    first = Process(path, *GAME)
    first.keys("5 #")
    assert first.wait_for(lambda: "details" in str(first.frames) and len(first.frames) > 1)
    second = Process(path)
    status, error = second.end()
    assert status == 2
    assert error.count("\n") == 1
    assert str(path) in error
    first.keys("6 #")
    assert first.end()[0] == 0
    assert stored(path) == (("5", "6"), ())


@pytest.mark.parametrize(
    ("item", "status", "says"), [("Switch off", 210, "unplug"), ("Restart", 211, "Restart")]
)
def test_the_unit_hears_by_the_exit_status_what_the_menu_asked_for(
    tmp_path: Path, item: str, status: int, says: str
) -> None:
    process = Process(tmp_path / "t.db", environ={"BEISITZER_APPLIANCE": "1"})
    process.choose("System", item)
    process.keys("2")
    assert process.wait_for(lambda: says in str(process.frames[-1:])), process.frames[-1:]
    assert process.end() == (status, "")
    again = Process(tmp_path / "t.db")
    assert again.wait_for(lambda: bool(again.frames))
    again.end()
    assert "Restarted" not in str(again.frames)


@pytest.mark.parametrize(
    ("item", "service", "status"),
    [("", {}, 1), ("", {"INVOCATION_ID": "x"}, 0), ("Switch off", {"INVOCATION_ID": "x"}, 210)],
)
def test_a_card_that_cannot_be_written_lets_the_service_end_and_the_machine_go_off(
    tmp_path: Path, item: str, service: dict[str, str], status: int
) -> None:
    (tmp_path / "file").touch()
    environ = {"BEISITZER_APPLIANCE": "1", **service}
    process = Process(tmp_path / "file" / "t.db", environ=environ)
    assert process.wait_for(lambda: bool(process.frames))
    if item:
        process.choose("System", item)
        process.keys("2")
        assert process.wait_for(lambda: "unplug" in str(process.frames[-1:]))
    ended, error = process.end()
    assert ended == status
    assert "could not be written" in error


def test_quit_ends_well_while_whoever_sends_the_keys_may_send_more(tmp_path: Path) -> None:
    process = Process(tmp_path / "t.db")
    process.choose("System", "Quit")
    process.process.wait(60)  # before its standard input is closed
    assert process.end() == (0, "")


def test_after_a_kill_the_game_goes_on_and_says_what_was_dropped(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    process = Process(path, *GAME)
    process.keys("5 #")
    process.keys("11 * 1")
    assert process.wait_for(lambda: "11+1" in str(process.frames[-1:]).replace(" ", ""))
    process.kill()
    again = Process(path)
    assert again.wait_for(lambda: bool(again.frames))
    again.end()
    assert "Restarted" in str(again.frames[0]["lines"])
    assert "entry" not in again.frames[0]
    assert {"name": "Anna", "text": "5"} in again.frames[0]["moves"]
    after = Process(path)
    after.wait_for(lambda: bool(after.frames))
    after.end()
    assert "Restarted" not in str(after.frames[0])


BEGUN = """
import signal, sys
from pathlib import Path
from pi_app.run.session import Run
run = Run(Path(sys.argv[1]))
print("begun", flush=True)
signal.pause()
"""


@pytest.mark.parametrize(("end", "failed"), [(signal.SIGTERM, 0), (signal.SIGKILL, 2)])
def test_a_start_that_is_stopped_has_not_failed_and_one_that_is_killed_has(
    tmp_path: Path, end: signal.Signals, failed: int
) -> None:
    path = tmp_path / "t.db"
    for _ in range(2):
        command = [sys.executable, "-c", BEGUN, str(path)]
        service = {**os.environ, "INVOCATION_ID": "x"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=service) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            process.send_signal(end)
            assert process.wait(60) == -end
    assert RunState(path).begin().failed == failed


def test_after_two_failed_starts_there_is_a_safe_mode_that_keeps_the_game(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    process = Process(path, *GAME)
    process.keys("5 #")
    process.end()
    for _ in range(2):
        assert not RunState(path).begin().safe_mode
    safe = Process(path)
    safe.wait_for(lambda: bool(safe.frames))
    safe.keys("#")
    assert safe.wait_for(lambda: safe.shows_move("Anna", "5")), safe.frames
    safe.end()
    assert "Safe mode" in safe.frames[0]["alert"]["text"]
    choices = safe.frames[0]["choices"]
    assert choices["items"][choices["selected"]]["text"] == "Continue: Just 4 Fun"
    normal = Process(path)
    normal.wait_for(lambda: bool(normal.frames))
    normal.end()
    assert "alert" not in normal.frames[0]


def test_safe_mode_keeps_the_hardware_and_is_left_at_the_keys(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(
        "language = 'de'\n[panel]\nport = '/dev/null/panel'\n[oled]\naddress = 0x3D\n"
    )
    environ = {"BEISITZER_CONFIG": str(settings), "BEISITZER_APPLIANCE": "1"}
    path = tmp_path / "t.db"
    for _ in range(2):
        assert not RunState(path).begin().safe_mode
    safe = Process(path, environ=environ)
    assert safe.wait_for(lambda: "Safe mode" in str(safe.frames[:1]))
    safe.choose("System", "Normal")
    assert safe.wait_for(lambda: "Restarting" in str(safe.frames[-1:])), safe.frames[-1:]
    assert safe.end() == (212, "")
    normal = Process(path, environ=environ)
    assert normal.wait_for(lambda: bool(normal.frames))
    normal.end()
    assert "alert" not in normal.frames[0]


@pytest.mark.parametrize("service", [{}, {"INVOCATION_ID": "x"}])
def test_settings_with_a_mistake_wait_until_it_is_mended_and_the_last_ones_count(
    tmp_path: Path, service: dict[str, str]
) -> None:
    settings = tmp_path / "settings.toml"
    environ = {"BEISITZER_CONFIG": str(settings)} | service
    pink = "[display]\ntheme = 'pink'\n"
    for text, colours in (
        (pink, "dark"),  # nothing has worked yet: the defaults count
        (pink.replace("pink", "light"), "light"),
        (pink, "light"),
        (pink.replace("pink", "dark"), "dark"),
    ):
        settings.write_text(text)
        process = Process(tmp_path / "t.db", environ=environ)
        process.choose("System", "Displays", "Window colours")
        chosen = partial(_is_marked, process, colours)
        assert process.wait_for(chosen), process.frames[-1:]
        assert process.end()[0] == 0
        told = "Mend settings.toml, line 2: display.theme" in str(process.frames[0].get("alert"))
        assert told is (text == pink)


def test_a_mistake_that_is_mended_at_the_table_is_told_no_longer(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("[display]\ntheme = 'pink'\n")
    process = Process(tmp_path / "t.db", environ={"BEISITZER_CONFIG": str(settings)})
    process.choose("System", "Displays", "Window colours", "light")
    assert process.wait_for(partial(_is_marked, process, "Window colours: light"))
    process.keys("<")
    assert process.wait_for(lambda: process.frames[-1].get("title") == "System")
    process.end()
    menus = [frame for frame in process.frames if frame.get("title") == "System"]
    told = ["Mend settings.toml, line 2: display.theme" in str(menu.get("lines")) for menu in menus]
    assert (told[0], told[-1]) == (True, False)
    assert settings.read_text() == '[display]\ntheme = "light"\n'


def _is_marked(process: Process, row: str) -> bool:
    return process.marked() == row


def test_an_import_beside_a_game_is_refused_and_reading_beside_it_sees_whole_moves(
    tmp_path: Path,
) -> None:
    path, record = tmp_path / "t.db", tmp_path / "record.txt"
    record.write_text('[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n\n5 6\n')
    words = [sys.executable, "-m", "pi_app"]
    process = Process(path, *GAME)
    for number in range(5, 9):
        process.keys(f"{number} #")
        assert process.wait_for(lambda: f"'text': '{number}'" in str(process.frames[-1:]))  # noqa: B023
        shown = subprocess.run(
            [*words, "export", "--store", path], capture_output=True, text=True, check=True
        )
        assert shown.stdout.split()[-1] == str(number)
        refused = subprocess.run(
            [*words, "import", record, "--store", path], capture_output=True, text=True, check=False
        )
        assert (refused.returncode, "a companion is using" in refused.stderr) == (2, True)
    process.end()
    assert stored(path) == (("5", "6", "7", "8"), ())
    subprocess.run([*words, "import", record, "--store", path], check=True)
    assert len(list(path.glob("000*"))) == 2


def test_systemd_hears_that_it_is_ready_and_alive_from_the_process_itself(tmp_path: Path) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager,
    ):
        address = str(Path(folder) / "notify")
        manager.bind(address)
        manager.settimeout(30)
        environ = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "300000"}
        process = Process(tmp_path / "t.db", environ=environ)
        heard = [manager.recv(100) for _ in range(3)]
        assert process.wait_for(lambda: bool(process.frames))
        process.end()
        manager.settimeout(0)
        while heard[-1] != b"STOPPING=1":
            heard.append(manager.recv(100))
    assert heard[:3] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]


def test_nothing_listens_on_the_network(tmp_path: Path) -> None:
    process = Process(tmp_path / "t.db", *GAME)
    process.keys("5 #")
    assert process.wait_for(lambda: len(process.frames) > 1)
    own: set[str] = set()
    for link in Path(f"/proc/{process.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            if found := re.fullmatch(r"socket:\[(\d+)\]", str(link.readlink())):
                own.add(found[1])
    network = {
        line.split()[9]
        for table in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")
        if (file := Path(f"/proc/{process.process.pid}/net/{table}")).exists()
        for line in file.read_text().splitlines()[1:]
    }
    process.end()
    assert not own & network
