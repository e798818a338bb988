"""`beisitzer play --web`: the companion and its pages begin and end together."""

import os
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
from click.testing import CliRunner

from pi_app.commands import web_process
from pi_app.commands.cli import main
from tests.pi_app.displays.remote.client import PATIENCE_S, Client, wait_for


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


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
        assert f":{port}/pair#" in said or "No network." in said
        assert '"title": "Yellow"' in said, "the key led back to the game"
        assert not path.exists()
        wait_for(lambda: not answers(port))


def test_without_the_option_nobody_is_let_in() -> None:
    port = free_port()
    with companion(port) as (process, path):
        said, _ = process.communicate("5", timeout=PATIENCE_S)
        assert process.returncode == 0, said
        assert not path.exists()


def test_what_is_missing_for_pages_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_process, "find_spec", lambda _: None)
    result = CliRunner().invoke(main, ["play", "--web"])
    assert result.exit_code == 2
    assert "uvicorn is missing: pip install" in result.output
