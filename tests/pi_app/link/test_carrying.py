"""What the link says of a table at a real Mosquitto."""

import json

from pi_app.link.protocol import TableEvent, TableState, TableTurn
from tests.pi_app.link.mosquitto import Mosquitto, needed
from tests.stand_ins.hub import KeepingHub
from tests.stand_ins.table import RunningLink, TableInMemory, settings

pytestmark = needed


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
