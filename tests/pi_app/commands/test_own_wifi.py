"""The menu of the own Wi-Fi is there where the service is."""

import socket
from pathlib import Path

from pi_app.commands.machine import add_own_wifi
from tests.pi_app.pilot import Pilot


def test_the_menu_is_there_where_the_service_is(tmp_path: Path) -> None:
    pilot = Pilot(None, "en")
    items = pilot.ctx.system_items
    add_own_wifi(pilot.program, scripted=False, at=tmp_path / "wifi.sock")
    assert [label for each in items for label, _ in each()] == []
    with socket.socket(socket.AF_UNIX) as service:
        service.bind(str(tmp_path / "wifi.sock"))
        add_own_wifi(pilot.program, scripted=True, at=tmp_path / "wifi.sock")
        assert not items
        add_own_wifi(pilot.program, scripted=False, at=tmp_path / "wifi.sock")
    assert [label for each in items for label, _ in each()] == ["Own Wi-Fi"]
