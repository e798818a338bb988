"""`beisitzer link --store FILE`: a real store is sent without a companion, and no name with it."""

import json
from pathlib import Path

import pytest

from pi_app.link.contract import read_payload
from pi_app.store.lock import StoreLock
from tests.pi_app.link.hub import KeepingHub
from tests.pi_app.link.mosquitto import Mosquitto, needed
from tests.pi_app.link.test_outbox import Rig
from tests.pi_app.link.test_process import environment, known, start
from tests.pi_app.link.test_store_source import played
from tests.pi_app.link.wire import Wire
from tests.ports import free_port

pytestmark = needed

NAMES = ("Zebulon", "Wilhelmine", "Sommerfest")


def test_what_a_companion_left_is_sent_and_a_second_run_sends_nothing(
    shared_broker: Mosquitto, hub: KeepingHub, tmp_path: Path
) -> None:
    path = played(tmp_path / "games.db", 50)
    variables = environment(tmp_path, **known(shared_broker, "table-09"))
    for _ in range(2):
        link = start(variables, "--store", str(path), "--once")
        out, err = link.communicate(timeout=60)
        assert (link.returncode, err) == (0, "")
        assert out.count("\n") == 1
    assert [seq for _, seq in hub.committed.order] == list(range(1, 51))
    assert len(hub.committed.counted()) == 50
    assert len([name for name, _ in hub.bytes if name.endswith("up/events")]) == 2


def test_a_store_that_a_companion_has_open_is_left_alone(tmp_path: Path) -> None:
    path = played(tmp_path / "games.db", 1)
    variables = environment(tmp_path, enabled=True, user="table-09", port=free_port())
    lock = StoreLock(path)
    link = start(variables, "--store", str(path), "--once", "--patience", "5")
    _, err = link.communicate(timeout=60)
    lock.release()
    assert link.returncode == 2
    assert "a companion has this store open" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("names", [False, True])
def test_no_byte_on_the_wire_is_of_a_name_unless_names_may_leave(
    shared_broker: Mosquitto, hub: KeepingHub, tmp_path: Path, names: bool
) -> None:
    path = tmp_path / "games.db"
    rig = Rig(path, names=names)
    rig.play(Players="Zebulon yellow, Wilhelmine red", Event="Sommerfest", Annotator="Zebulon")
    rig.store.close()
    wire = Wire(shared_broker.plain_port)
    settings = known(shared_broker, "table-10", port=wire.port, insecure=True, names=names)
    settings |= {"home_assistant": True, "ca": ""}
    link = start(environment(tmp_path, **settings), "--store", str(path), "--once")
    _, err = link.communicate(timeout=60)
    wire.close()
    assert (link.returncode, err) == (0, "")
    sent = bytes(wire.up).lower()
    assert b"up/events" in sent
    assert b"homeassistant/device/beisitzer_table-10/config" in sent
    found = [name for name in NAMES if name.lower().encode() in sent]
    (event,) = (
        json.loads(data)["events"][0] for name, data in hub.bytes if name.endswith("up/events")
    )
    if names:
        assert "Zebulon" in found
        assert [seat["show"] for seat in event["seats"]] == ["Zebulon", "Wilhelmine"]
    else:
        assert found == []
        assert not any("show" in seat for seat in event["seats"])
        assert "S1 yellow, S2 red" in event["record"]
    state = [data for name, data in hub.bytes if name.endswith("table-10/state")]
    assert read_payload(state[-1])["phase"] == "idle"
