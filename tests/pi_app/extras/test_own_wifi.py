"""The menu of the own Wi-Fi is there where the service is."""

import socket
from pathlib import Path

from pi_app.extras.machine import WifiExtra
from pi_app.run.extras import Start
from pi_app.settings.schema import Settings
from tests.pi_app.pilot import Pilot


def test_the_menu_is_there_where_the_service_is(tmp_path: Path) -> None:
    pilot = Pilot(None, "en")
    items = pilot.ctx.system_items
    extra = WifiExtra(tmp_path / "wifi.sock")
    assert not extra.wanted(Settings(), Start())
    with socket.socket(socket.AF_UNIX) as service:
        service.bind(str(tmp_path / "wifi.sock"))
        assert not extra.wanted(Settings(), Start(scripted=True))
        assert extra.wanted(Settings(), Start())
        extra.attach(pilot.program, Start())
    assert [label for each in items for label, _ in each()] == ["Own Wi-Fi"]
