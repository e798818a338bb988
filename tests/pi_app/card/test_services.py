"""Phones and the link are started and stopped by root's helper, as the table says."""

import socket
from contextlib import closing
from pathlib import Path
from queue import Queue
from threading import Thread
from time import monotonic

import pytest

from pi_app.extras.services import ServiceSwitch, service_switch
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.texts.language import Texts
from systemd.helper import SERVICES, answer_line
from tests.pi_app.card.test_helper import FakeMachine, ask
from tests.stand_ins.waiting import PATIENCE_S


class Helper:
    """Root's helper behind its socket: what it let systemd do, in order."""

    def __init__(self, at: Path, machine: FakeMachine) -> None:
        self.machine = machine
        self.done: Queue[tuple[str, ...]] = Queue()
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(at))
        self._door.listen()
        Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._door.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                connection.sendall(answer_line(lines.readline(), self.machine.machine()))
            self.done.put(tuple(self.machine.calls[-1]))


def test_a_service_is_started_and_stopped_and_only_when_that_changes(tmp_path: Path) -> None:
    machine = FakeMachine(tmp_path / "root")
    with closing(Helper(tmp_path / "helper.sock", machine)) as helper:
        switch = ServiceSwitch("web", tmp_path / "web.on", tmp_path / "helper.sock")
        seen: list[tuple[bool, tuple[str, ...]]] = []
        for wanted in (True, True, False, True):
            switch(wanted)
            assert switch.is_on is wanted
            if not seen or wanted is not seen[-1][0]:
                seen.append((wanted, helper.done.get(timeout=PATIENCE_S)))
        socket_unit, service = "beisitzer-web.socket", "beisitzer-web.service"
        start = ("systemctl", "--no-block", "start", socket_unit)
        stop = ("systemctl", "--no-block", "stop", socket_unit, service)
        assert seen == [(True, start), (False, stop), (True, start)]
        assert helper.done.empty()


@pytest.mark.parametrize("name", SERVICES)
def test_the_helper_knows_the_service_and_no_other_unit(name: str, tmp_path: Path) -> None:
    machine = FakeMachine(tmp_path)
    assert ask(machine.machine(), call="service-switch", name=name, on=True) == {"ok": {}}
    assert machine.calls[-1][:3] == ("systemctl", "--no-block", "start")
    for wrong in ("ssh", "", f"{name}.service", f"{name} ssh", f"{name}|"):
        refused = ask(machine.machine(), call="service-switch", name=wrong, on=True)
        assert refused == {"error": "argument", "argument": "name"}


def test_a_switch_is_there_only_where_systemd_runs_the_companion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, appliance, there in ((f"{tmp_path}:/other", True, True), ("/x", False, False),
                                     ("", True, False)):  # fmt: skip
        monkeypatch.setenv("STATE_DIRECTORY", folder)
        with closing(Store(tmp_path / "games")) as store:
            ctx = Context(Texts("en"), Settings(), store, monotonic, appliance=appliance)
            assert (service_switch(ctx, "web") is not None) is there
