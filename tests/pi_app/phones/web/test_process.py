"""`beisitzer play --web`: the companion and its pages begin and end together."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from pi_app.extras import services
from pi_app.extras.phones import announce_no_pages
from pi_app.extras.web_process import STEADY_S, WebProcess
from pi_app.phones.pairing import Pairing
from pi_app.run.loop import Companion
from pi_app.screens.context import Context
from pi_app.screens.starting.home import HomeScreen
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.system.host import listens
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.view.frame import Frame, Header, Viewers
from pi_app.view.inputs import KeyQueue
from tests.pi_app.commands.called import run
from tests.pi_app.phones.client import Client
from tests.ports import free_port
from tests.stand_ins.waiting import PATIENCE_S, wait_for


def answers(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def companion(port: int, *options: str) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """Run a companion whose keys come from a pipe; its folder has room for a socket's name."""
    with tempfile.TemporaryDirectory(prefix="b") as folder:
        settings = Path(folder, "settings.toml")
        settings.write_text(f"[web]\nport = {port}\n")
        environ = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
        environ |= {
            "BEISITZER_CONFIG": str(settings),
            "XDG_RUNTIME_DIR": folder,
            "XDG_STATE_HOME": folder,
            "XDG_DATA_HOME": folder,
        }
        environ.pop("RUNTIME_DIRECTORY", None)
        command = [
            sys.executable,
            "-m",
            "pi_app",
            "play",
            "just4fun",
            "--keys",
            "-",
            "--lang",
            "en",
        ]
        process = subprocess.Popen(
            [*command, "--display", "plain", *options],
            env=environ,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield process, Path(folder, "beisitzer", "remote.sock")
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # the pages' process has its output too
            process.communicate(timeout=PATIENCE_S)


def test_the_pages_come_and_go_with_the_companion() -> None:
    port = free_port()
    with companion(port, "--web") as (process, path):
        wait_for(path.exists)
        with Client(path) as client:
            assert client.frame()["secret"], "the code is on show and on no page"
            wait_for(lambda: answers(port))
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE_S) as page:
                assert page.status == 200
            said, _ = process.communicate("<", timeout=PATIENCE_S)
        assert process.returncode == 0, said
        assert f":{port}" in said or "No network." in said
        assert '"title": "Yellow"' in said, "the key led back to the game"
        assert not path.exists()
        wait_for(lambda: not answers(port))


def test_the_code_is_on_show_only_once_the_port_listens() -> None:
    port = free_port()
    with companion(port, "--web") as (process, _):
        assert process.stdout is not None
        for line in process.stdout:
            if re.search(r'"\d{3} \d{3}"|No network', line):
                break
        assert answers(port)
        process.kill()


def test_address_and_code_are_one_key_away_at_the_second_start_too(tmp_path: Path) -> None:
    known = Pairing(tmp_path / "games.phones", lambda: 0.0)
    known.pair(known.show_code(), "the phone of the first start")
    with companion(free_port(), "--web", "--store", str(tmp_path / "games")) as (process, _):
        said, _ = process.communicate("MENU_HELD", timeout=PATIENCE_S)
    game, _, shown = said.partition('"title": "Phone"')
    assert '"title": "Yellow"' in game, "no code is on show by itself"
    assert re.search(r'"\d{3} \d{3}"|A moment|No network', shown), said


def pages_of(companion: int) -> int | None:
    """Return the process that a companion's process has started; None without one."""
    children = Path(f"/proc/{companion}/task/{companion}/children").read_text("ascii").split()
    return int(children[0]) if children else None


def is_running(process: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    return False


def test_pages_that_were_killed_are_served_again_and_end_with_a_companion_that_is_killed() -> None:
    port = free_port()
    with companion(port, "--web") as (process, _):
        wait_for(lambda: answers(port))
        first = pages_of(process.pid)
        assert first is not None
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: pages_of(process.pid) not in {None, first})
        wait_for(lambda: answers(port))
        pages = pages_of(process.pid)
        assert pages is not None
        process.kill()
        process.wait(PATIENCE_S)
        wait_for(lambda: not is_running(pages))
        socket.create_server(("", port)).close()


class Pages:
    """A process for pages that ends when a test says so."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.closed = False

    def poll(self) -> int | None:
        return self.status

    def close(self) -> None:
        self.closed = True


class Table:
    """Pages at a clock of its own: what was started, and how often the table was told."""

    def __init__(self) -> None:
        self.now = 0.0
        self.started: list[Pages] = []
        self.told = 0
        self.pages = WebProcess(self._begin, self._tell, lambda: self.now)
        self.pages.show(Frame(Header("table"), viewers=Viewers.ALL))

    def _begin(self) -> Pages:
        self.started.append(Pages())
        return self.started[-1]

    def _tell(self) -> None:
        self.told += 1

    def wait(self) -> float:
        """Do what is due now; return how long nothing is due then."""
        self.pages.poll()
        wait = self.pages.poll_every_s()
        assert wait is not None
        return wait

    def end(self) -> None:
        """Let the running process end, and wait until the next one is started."""
        count = len(self.started)
        self.started[-1].status = 1
        self.now += self.wait()
        while len(self.started) == count:
            self.now += self.wait()


def test_pages_that_end_are_started_again_after_a_pause_that_grows() -> None:
    table = Table()
    for pause in (1, 2, 4, 8, 16, 32, 60, 60):
        table.started[-1].status = 1
        assert table.wait() == pause
        assert table.started[-1].closed
        count = len(table.started)
        table.now += pause - 0.5
        assert table.wait() == 0.5
        assert len(table.started) == count
        table.now += 0.5
        table.wait()
        assert len(table.started) == count + 1
    table.pages.close()
    assert table.started[-1].closed


def test_the_table_is_told_after_the_third_time() -> None:
    table = Table()
    table.end()
    table.end()
    assert table.told == 0
    table.end()
    assert table.told == 1
    for _ in range(9):
        table.end()
    assert table.told == 1, "it knows"


def test_pages_that_were_served_for_long_are_no_trouble() -> None:
    table = Table()
    for _ in range(9):
        table.now += STEADY_S
        table.wait()
        table.end()
    assert table.told == 0


def test_a_process_that_cannot_be_started_is_tried_again() -> None:
    began = 0

    def begin() -> Pages:
        nonlocal began
        began += 1
        raise OSError("no room for another process")

    now = 0.0
    pages = WebProcess(begin, lambda: None, lambda: now)
    for _ in range(3):
        pages.show(Frame(Header("table"), viewers=Viewers.ALL))
        pages.poll()
    assert began == 1
    now = pages.poll_every_s() or 0.0
    pages.poll()
    assert began == 2
    pages.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_table_is_told_says_what_to_do(language: str) -> None:
    tx = Texts(language)
    keys = KeyQueue()
    ctx = Context(tx, Settings(), Store(":memory:"), lambda: 0.0)
    program = Companion(ctx, HomeScreen(ctx), keys, [])
    program.show()
    announce_no_pages(program)
    assert program.frame is not None
    assert program.frame.alert is not None
    assert "8080" in program.frame.alert.text
    assert "web.log" in program.frame.alert.text


def test_without_the_option_nobody_is_let_in() -> None:
    port = free_port()
    with companion(port) as (process, path):
        said, _ = process.communicate("5", timeout=PATIENCE_S)
        assert process.returncode == 0, said
        assert not path.exists()


def test_what_is_missing_for_pages_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "find_spec", lambda _: None)
    result = run("play", "--web")
    assert result.exit_code == 2
    assert "uvicorn is missing. Do: pip install" in result.output


def test_a_port_listens_as_soon_as_a_socket_does_and_no_longer(tmp_path: Path) -> None:
    """Also for IPv4 alone; where no kernel says anything, nothing is waited for."""
    port = free_port()
    assert not listens(port)
    for address in ("0.0.0.0", "::"):  # noqa: S104  # in a test
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.create_server((address, port), family=family):
            assert listens(port)
        assert not listens(port)
    assert listens(port, tmp_path)
