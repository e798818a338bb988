"""A storm on the panel's line: none lost, none doubled, none out of order, none beeped wrong."""

from collections import defaultdict

from tests.hardware.serial_panel.wire import Press, Table
from tests.options import Options

PRESSES, PRESSES_A_FAULT = 3000, 10


class Storm:
    """Faults and presses at random; a session that ends takes with it what had not arrived."""

    def __init__(self, seed: int) -> None:
        self.table = Table(seed, damage=0.05)
        self.presses = self.faults = 0

    def fault(self) -> None:
        """Cut the line for up to 10 s, both ways or one, pull the plug, or kill a side."""
        table = self.table
        self.faults += 1
        match table.chance.choice(("cut", "cut", "cut", "one way", "replug", "panel", "host")):
            case "cut":
                table.outage(table.chance.randint(100, 10_000))
            case "one way":
                length = table.chance.randint(100, 10_000)
                line = table.chance.choice((table.up, table.down))
                line.outages = [(table.now, table.now + length)]
            case "replug":
                table.replug()
            case "panel":
                table.start_panel()
            case "host":
                table.start_host()

    def rage(self, presses: int) -> None:
        """Let it rage until all was pressed, then let the line come to rest."""
        while self.presses < presses:
            self.fault()
            for _ in range(PRESSES_A_FAULT):
                self.presses += 1
                self.table.tap()
                self.table.run(self.table.chance.randint(60, 400))
            if self.faults % 3:
                self.table.settle()
        self.table.up.damage = self.table.down.damage = 0
        self.table.settle()


def _by_session(presses: list[Press]) -> dict[str, list[Press]]:
    found: dict[str, list[Press]] = defaultdict(list)
    for press in presses:
        found[press.session].append(press)
    return found


def test_a_storm_loses_doubles_and_beeps_no_press_wrongly(options: Options) -> None:
    presses = PRESSES * options.times
    storm = Storm(seed=18)
    storm.rage(presses)
    table = storm.table
    assert (storm.presses, storm.faults) == (presses, presses // PRESSES_A_FAULT)
    beeped, died = set(map(id, table.dropped)), set(map(id, table.died))
    heard = _by_session(table.heard)
    arrived = 0
    for session, pressed in _by_session(table.pressed).items():
        counted = [press for press in pressed if id(press.event) not in beeped]
        keys = [press.key for press in heard.pop(session, [])]
        arrived += len(keys)
        first, rest = counted[: len(keys)], counted[len(keys) :]
        assert keys == [press.key for press in first], "doubled, out of order or beeped wrong"
        assert all(id(press.event) in died for press in rest), "lost"
    assert heard == {}, "heard though never pressed"
    assert arrived > 2 * presses // 3
