"""`beisitzer link` from outside: what it prints, how it ends, what it leaves with the broker."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.link.protocol import SwitchedOff
from pi_app.link.table import settings_copies
from pi_app.settings.schema import LinkSettings, Settings
from tests.pi_app.link.mosquitto import Mosquitto, needed
from tests.ports import free_port
from tests.stand_ins.companion import FakeCompanion, in_a_thread
from tests.stand_ins.hub import KeepingHub
from tests.stand_ins.table import TableInMemory, known
from tests.stand_ins.waiting import wait_for

pytestmark = needed


def environment(folder: Path, **settings: object) -> dict[str, str]:
    """Return the variables of a process whose settings, log and socket are in this folder."""
    lines = [f"{name} = {_toml(value)}" for name, value in settings.items()]
    (folder / "settings.toml").write_text("[link]\n" + "\n".join(lines) + "\n")
    return {
        **{name: value for name, value in os.environ.items() if name != "RUNTIME_DIRECTORY"},
        "BEISITZER_CONFIG": str(folder / "settings.toml"),
        "BEISITZER_REMOTE": str(folder / "remote.sock"),
        "XDG_STATE_HOME": str(folder),
        "LC_ALL": "C.UTF-8",
    }


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool | int) else f'"{value}"'


def start(variables: dict[str, str], *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pi_app", "link", *words]
    return subprocess.Popen(
        command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture
def place(tmp_path: Path) -> Iterator[FakeCompanion]:
    place = FakeCompanion(tmp_path / "remote.sock", outbox=TableInMemory(f"store-{tmp_path.name}"))
    with in_a_thread(place):
        yield place


def test_one_line_when_connected_and_all_that_waits_is_carried(
    shared_broker: Mosquitto, hub: KeepingHub, place: FakeCompanion, tmp_path: Path
) -> None:
    place.outbox.add(60)
    link = start(environment(tmp_path, **known(shared_broker, "table-05")))
    hub.wait_for(lambda: place.outbox.upto == 60)
    link.terminate()
    out, err = link.communicate(timeout=60)
    assert (link.returncode, err) == (0, "")
    assert out == f"connected to 127.0.0.1, port {shared_broker.port}, as table-05\n"
    assert hub.count() == 60


def test_a_broker_that_is_not_there_is_one_sentence(place: FakeCompanion, tmp_path: Path) -> None:
    place.outbox.add(1)
    variables = environment(
        tmp_path, enabled=True, host="127.0.0.1", port=free_port(), user="table-06", insecure=True
    )
    link = start(variables)
    wait_for(lambda: place.outbox.statuses)
    link.terminate()
    out, err = link.communicate(timeout=60)
    assert (link.returncode, out) == (0, "")
    assert err.count("\n") == 1
    assert "nothing listens there: check link.port" in err
    assert place.outbox.statuses[0].why == "broker"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"enabled": False}, "the link is off: set link.enabled = true"),
        ({"enabled": True}, "the settings name no table"),
    ],
)
def test_2_when_the_settings_leave_nothing_to_do(
    settings: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    link = start(environment(tmp_path, **settings))
    out, err = link.communicate(timeout=60)
    assert (link.returncode, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 0), (signal.SIGKILL, -9)]
)
def test_a_clean_stop_says_offline_and_a_kill_leaves_it_to_the_will(
    shared_broker: Mosquitto,
    hub: KeepingHub,
    place: FakeCompanion,
    tmp_path: Path,
    number: signal.Signals,
    status: int,
) -> None:
    name = "beisitzer/1/table-07/availability"

    def said() -> list[bytes]:
        return [data for topic, data in hub.bytes if topic == name]

    link = start(environment(tmp_path, **known(shared_broker, "table-07")))
    hub.wait_for(lambda: said()[-1:] == [b"online"])
    began = time.monotonic()
    link.send_signal(number)
    link.communicate(timeout=30)
    assert link.returncode == status
    hub.wait_for(lambda: said()[-1:] == [b"offline"])
    assert time.monotonic() - began < 10
    if status == 0:
        assert place.outbox.statuses[-1].why == "off"


def test_switched_off_at_the_table_it_says_offline_and_ends(
    shared_broker: Mosquitto, hub: KeepingHub, place: FakeCompanion, tmp_path: Path
) -> None:
    name = "beisitzer/1/table-09/availability"
    link = start(environment(tmp_path, **known(shared_broker, "table-09")))
    hub.wait_for(lambda: (name, b"online") in hub.bytes)
    place.last_words = SwitchedOff(again=False)
    out, err = link.communicate(timeout=60)
    assert (link.returncode, err, out.count("\n")) == (0, "", 1)
    hub.wait_for(lambda: (name, b"offline") in hub.bytes)


def test_with_other_settings_it_connects_anew(
    shared_broker: Mosquitto, place: FakeCompanion, tmp_path: Path
) -> None:
    variables = environment(tmp_path, **known(shared_broker, "table-10"))
    link = start(variables)
    assert link.stdout is not None
    assert link.stdout.readline().endswith("as table-10\n")
    environment(tmp_path, **known(shared_broker, "table-11"))
    place.last_words = SwitchedOff(again=True)
    assert link.stdout.readline().endswith("as table-11\n")
    link.terminate()
    _, err = link.communicate(timeout=60)
    assert err == ""


def test_the_service_runs_by_the_copies_that_the_companion_sends(
    shared_broker: Mosquitto, place: FakeCompanion, tmp_path: Path
) -> None:
    """Its own folder is empty at first; the last time's copies do not outlive a change."""
    (state := tmp_path / "state").mkdir(0o700)
    variables = environment(tmp_path) | {
        "BEISITZER_CONFIG": str(state / "settings.toml"),
        "STATE_DIRECTORY": str(state),
    }

    def send(table: str) -> None:
        known_there = known(shared_broker, table, password_file="/none", ca="/none")  # noqa: S106
        given = replace(Settings(), link=LinkSettings(**known_there))
        texts = (shared_broker.password_file.read_text(), shared_broker.ca.read_text())
        place.copies = settings_copies(given) | dict(
            zip(("password", "ca.pem"), texts, strict=True)
        )

    send("table-12")
    link = start(variables)
    assert link.stdout is not None
    assert link.stdout.readline().endswith("as table-12\n")
    files = {path.name: path.stat().st_mode & 0o777 for path in state.iterdir()}
    assert files == dict.fromkeys(("settings.toml", "password", "ca.pem"), 0o600)
    send("table-13")
    place.last_words = SwitchedOff(again=True)
    assert link.stdout.readline().endswith("as table-13\n")
    link.terminate()
    _, err = link.communicate(timeout=60)
    assert err == ""


def test_a_service_that_nobody_wants_ends_well(place: FakeCompanion, tmp_path: Path) -> None:
    place.refuses = "off"
    link = start(environment(tmp_path) | {"STATE_DIRECTORY": str(tmp_path)})
    _, err = link.communicate(timeout=60)
    assert link.returncode == 0, "systemd would start it again"
    assert "the companion has the link switched off" in err


def test_a_companion_that_comes_later_is_waited_for(
    shared_broker: Mosquitto, hub: KeepingHub, tmp_path: Path
) -> None:
    link = start(environment(tmp_path, **known(shared_broker, "table-08")))
    assert link.stderr is not None
    assert "no companion is there" in link.stderr.readline()
    table = TableInMemory("store-late")
    table.add(3)
    with in_a_thread(FakeCompanion(tmp_path / "remote.sock", outbox=table)):
        hub.wait_for(lambda: table.upto == 3)
        link.terminate()
        link.communicate(timeout=60)
    assert hub.committed.order == [("store-late", seq) for seq in (1, 2, 3)]


@pytest.mark.parametrize(
    ("error", "sentence", "status"),
    [("forbidden", "does not let this user", 2), ("taken", "another link runs already", 0)],
)
def test_a_place_that_is_not_given_is_told_of(
    place: FakeCompanion, tmp_path: Path, error: str, sentence: str, status: int
) -> None:
    place.refuses = error
    variables = environment(tmp_path, enabled=True, user="table-06", insecure=True)
    link = start(variables)
    assert link.stderr is not None
    assert sentence in link.stderr.readline()
    if not status:
        link.terminate()
    link.communicate(timeout=60)
    assert link.returncode == status


def test_without_the_library_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "paho.py").write_text("raise ModuleNotFoundError(name='paho')\n")
    variables = environment(tmp_path, enabled=True, user="table-06")
    variables["PYTHONPATH"] = str(tmp_path)
    _, err = start(variables).communicate(timeout=60)
    assert "pip install 'beisitzer[link]'" in err
