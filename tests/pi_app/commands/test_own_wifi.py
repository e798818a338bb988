"""The own Wi-Fi costs a table nothing that has none, and its menu is there where the service is."""

import socket
import subprocess
import sys
from pathlib import Path

from pi_app.commands.own_wifi import add_own_wifi
from tests.pi_app.pilot import Pilot

TABLE = """
import sys, time
from dataclasses import replace
from pathlib import Path
from hardware.keys import Key
from pi_app.commands.own_wifi import add_own_wifi
from pi_app.run.loop import Companion
from pi_app.screens.context import Context
from pi_app.screens.starting.home import HomeScreen
from pi_app.settings.schema import Settings, WifiSettings
from pi_app.store.store import Store
from pi_app.texts.language import Texts
from pi_app.view.inputs import KeyQueue

def imported():
    return [name for name in sys.modules if name.startswith(("pi_app.network", "jeepney"))]

ctx = Context(Texts("en"), Settings(), Store(":memory:"), time.monotonic)
program = Companion(ctx, HomeScreen(ctx), KeyQueue(), [])
add_own_wifi(program, scripted=False, at=Path(sys.argv[1]))
program.show()
program.press(Key.DOWN)
assert not imported(), imported()
ctx.settings = replace(ctx.settings, wifi=WifiSettings(own="needed"))
program.show()
assert "pi_app.network.follow" in imported()
assert "jeepney" not in imported(), "the service is another process"
"""


def test_a_table_without_it_imports_nothing_of_it(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as service:
        service.bind(str(tmp_path / "wifi.sock"))
        words = [sys.executable, "-c", TABLE, str(tmp_path / "wifi.sock")]
        subprocess.run(words, check=True, env={"PATH": "", "LC_ALL": "C.UTF-8"})


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
