"""The link carries what waits to a hub, over a real Mosquitto, and what comes down to the table."""

import json

from pi_app.link.protocol import TableEvent, TableState, TableTurn
from tests.pi_app.link.mosquitto import Mosquitto, needed
from tests.stand_ins.hub import KeepingHub
from tests.stand_ins.table import RunningLink, TableInMemory, settings

pytestmark = needed


def test_all_that_waits_arrives_once_and_in_order(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    table = TableInMemory("store-a")
    table.add(100)
    with RunningLink(table, settings(shared_broker, "table-01")):
        hub.wait_for(lambda: not table.outbox().waiting)
    assert hub.committed.order == [("store-a", seq) for seq in range(1, 101)]
    assert table.upto == 100
    assert len([name for name, _ in hub.bytes if name.endswith("up/events")]) == 3


def test_a_clean_stop_says_offline_itself(shared_broker: Mosquitto, hub: KeepingHub) -> None:
    name = "beisitzer/1/table-02/availability"

    def said() -> list[bytes]:
        return [data for topic, data in hub.bytes if topic == name]

    with RunningLink(TableInMemory(), settings(shared_broker, "table-02")):
        hub.wait_for(lambda: said()[-1:] == [b"online"])
    hub.wait_for(lambda: said()[-1:] == [b"offline"])


def test_state_goes_at_most_twice_a_second_and_the_newest_wins(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    table = TableInMemory()

    def states() -> list[dict[str, object]]:
        name = "beisitzer/1/table-03/state"
        return [json.loads(data) for topic, data in hub.bytes if topic == name]

    with RunningLink(table, settings(shared_broker, "table-03")):
        hub.wait_for(lambda: len(states()) == 1)
        for players in range(2, 12):
            turn = TableTurn(1, "red", "#c00000")
            table.coming.append(TableState("numeri", "playing", turn, players))
            table.coming.append(TableEvent("turn", 1))
        hub.wait_for(lambda: bool(states()) and states()[-1]["players"] == 11)
    assert len(states()) == 2
    assert [state["n"] for state in states()] == [1, 2]
    assert states()[-1] == {
        "v": 1,
        "boot": "boot-1",
        "n": 2,
        "game": "numeri",
        "phase": "playing",
        "turn": {"seat": 1, "colour": "red", "hex": "#c00000"},
        "players": 11,
        "waiting": 0,
        "assignment": None,
    }
    signals = [data for topic, data in hub.bytes if topic == "beisitzer/1/table-03/signal"]
    assert signals == [b'{"v":1,"event_type":"turn","seat":1}']
