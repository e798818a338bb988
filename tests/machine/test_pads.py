"""Number pads in the machine: two games without a panel, nothing at a console, USB sound."""

import base64
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.machine.conftest import Installed, Workshop
from tests.machine.machine import Machine, copy_disk
from tests.machine.sound import HEAD_BYTES, distance, envelope, recorded
from tests.machine.table import CONFIG, PYTHON, RUNS, Figures, bring, keys, on_disk, random_moves
from tests.pi_app.pilot import TWO, Pilot

MOVES = random_moves(21)
SHORT = "0 0 5 0 10 20 30 40"
NUMERI = ("numeri", "--players", TWO, "--tag", f"BoardData={SHORT}")
QCODES = {
    **{str(digit): f"kp_{digit}" for digit in range(10)},
    "*": "kp_add",
    "#": "kp_enter",
}
CODES = {**{str(digit): f"KP{digit}" for digit in range(10)}, "*": "KPPLUS", "#": "KPENTER"}
SCRIPT = "/run/uinput_pads.py"
FIFO = "/run/pad.fifo"
COUNT = """
from pathlib import Path
from pi_app.store import Reader
games = Reader.of(Path("/var/lib/beisitzer/games"))
print(len(games.load(games.latest_game()).tokens))
"""
WAKEUPS = (
    "cat /proc/{process}/task/*/status | awk '/^voluntary_ctxt/ {{ n += $2 }} END {{ print n }}'"
)
SAID = "/var/lib/beisitzer/said"
SAY = f"""\
#!/bin/sh
# says it, and writes down what
test -e {SAID} || {{ echo "$@"; espeak-ng --stdout "$@" | base64 -w 0; }} > {SAID}
exec espeak-ng "$@"
"""
ESPEAK_HZ = 22_050
NEARER = 0.8
"""So much nearer the sentence has to be than the same sound backwards, as loud and as long."""


class Table:
    """The machine with the emulator's own keyboard, no panel, and a sound card on USB."""

    def __init__(self, workshop: Workshop, installed: Installed) -> None:
        folder = workshop.folder / "pads"
        self.disk = copy_disk(installed.disk, folder)
        self.games = copy_disk(installed.games, folder / "store")
        self.heard = folder / "heard.wav"
        sound = f"wav,id=sound,path={self.heard},out.frequency=48000"
        more = ["-device", "usb-kbd,id=keyboard", "-audiodev", sound]
        more += ["-device", "usb-audio,id=card,audiodev=sound"]
        self.machine = Machine(workshop.image, self.disk, games=self.games, more=more)
        self.machine.wait_for(RUNS, 900)

    def begin(self, *game: str) -> None:
        """Lay out a new game; the service goes on with it once it has the keyboard."""
        self.machine.ok("systemctl stop beisitzer; systemctl reset-failed beisitzer")
        self.machine.ok(bring(*game))
        self.machine.ok("systemctl start beisitzer")
        self.has_pads(1)

    def has_pads(self, count: int) -> None:
        """Wait until the service has taken so many pads since it started."""
        said = "journalctl --no-pager _PID=$(systemctl show -P MainPID beisitzer)"
        self.machine.wait_for(f"test $({said} | grep -c 'number pad .* on ') -ge {count}")

    def types(self, keys: str) -> None:
        """Press keys of the emulator's own keyboard."""
        for key in keys:
            self.machine.send_keys(QCODES.get(key, key))

    def presses(self, keys: str) -> None:
        """Press keys of the pad by uinput."""
        self.machine.ok(f"echo {' '.join(CODES[key] for key in keys)} > {FIFO}")

    def played(self, count: int) -> None:
        """Wait until so many moves are stored."""
        self.machine.wait_for(f"test $(python3 -c '{_quoted(COUNT)}') -ge {count}", 600)

    def stored(self) -> tuple[str, ...]:
        """Return the moves on the disk."""
        copy = self.machine.folder / "copy"
        self.machine.ok("sync")
        self.machine.cut((self.games, copy))
        return on_disk(copy, self.machine.folder / "read")

    def console(self) -> str:
        """Return what arrived at the console so far, in hexadecimal."""
        return self.machine.ok("od -An -tx1 /run/console")


def _quoted(script: str) -> str:
    return script.replace("'", "'\\''")


@pytest.fixture(scope="module", name="table")
def _table(workshop: Workshop, installed: Installed) -> Iterator[Table]:
    table = Table(workshop, installed)
    machine = table.machine
    try:
        text = Path(__file__).with_name("uinput_pads.py").read_text("utf-8")
        machine.ok(f"cat > {SCRIPT} << 'END'\n{text}\nEND\nmodprobe uinput")
        # whoever logs in at the machine reads there: a stand-in that writes down all of it
        machine.ok(
            "setsid sh -c 'exec < /dev/tty1; stty raw -echo; exec cat > /run/console'"
            " > /dev/null 2>&1 &"
        )
        yield table
    finally:
        machine.kill()


@cache
def numeri_game(seed: int = 5) -> tuple[str, tuple[str, ...]]:
    """Return the keys of a whole game of numeri on a short board, and its moves."""
    chance = random.Random(seed)
    pilot = Pilot.game("numeri", BoardData=SHORT)
    pressed = ""
    while pilot.ctx.store.game_on_table() is not None:
        key = "#" if pilot.frame.body.choices is not None else str(chance.randint(1, 6))
        pilot.key(key)
        pressed += key
    return pressed, pilot.tokens()


def test_without_the_service_the_keyboard_reaches_the_console(table: Table) -> None:
    """What the tests below rule out would be seen."""
    table.machine.ok("systemctl stop beisitzer")
    table.types("abc")
    table.machine.wait_for("test $(stat -c %s /run/console) -ge 3")
    assert table.console() == "61 62 63"
    table.machine.send_keys("ctrl", "alt", "f2")
    table.machine.wait_for("grep -q tty2 /sys/class/tty/tty0/active")
    table.machine.send_keys("ctrl", "alt", "f1")
    table.machine.wait_for("grep -q tty1 /sys/class/tty/tty0/active")


def test_just4fun_is_played_to_the_end_on_a_usb_keyboard_that_is_pulled_out_meanwhile(
    table: Table, figures: Figures
) -> None:
    table.begin()
    before = table.console()
    half = len(MOVES) // 2
    for number, move in enumerate(MOVES, 1):
        table.types(keys(move))
        if number == half:
            table.played(half)
            table.machine.unplug("keyboard")
            table.machine.plug("keyboard", "usb-kbd", bus="usb.0")
            table.has_pads(2)
    table.played(len(MOVES))
    assert table.stored() == MOVES
    assert table.console() == before
    figures.note(f"Just 4 Fun on a USB keyboard: {len(MOVES)} moves, nothing at the console")


def test_numeri_is_played_to_the_end_on_a_bluetooth_pad_beside_the_keyboard(table: Table) -> None:
    pressed, moves = numeri_game(6)
    command = f"setsid {PYTHON} {SCRIPT} serve {FIFO} 'BT Pad' 5 > /run/pad.log 2>&1 &"
    table.machine.ok(f"{command}\nfor i in $(seq 100); do test -p {FIFO} && exit; sleep 0.2; done")
    table.begin(*NUMERI)
    table.has_pads(2)
    before = table.console()
    table.presses(pressed)
    table.played(len(moves))
    assert table.stored() == moves
    assert table.console() == before


def test_a_full_keyboard_neither_switches_terminals_nor_restarts_the_machine(table: Table) -> None:
    table.begin()
    table.machine.send_keys("ctrl", "alt", "f2")
    table.machine.send_keys("alt", "right")
    table.machine.send_keys("ctrl", "alt", "delete")
    table.machine.send_keys("ctrl", "c")
    table.types(keys(MOVES[0]))
    table.played(1)
    assert table.machine.ok("cat /sys/class/tty/tty0/active") == "tty1"
    assert table.machine.ok("systemctl is-system-running || true") in ("running", "degraded")


def test_backspace_that_is_held_on_a_pad_takes_back_the_move(table: Table) -> None:
    """The kernel repeats the key meanwhile."""
    table.begin()
    table.has_pads(2)
    table.presses(keys(MOVES[0]))
    table.played(1)
    table.machine.ok(f"echo BACKSPACE:1500 > {FIFO}")
    table.machine.wait_for(f"test $(python3 -c '{_quoted(COUNT)}') = 0")


def test_a_reader_that_was_stopped_for_two_seconds_says_that_keys_were_lost(table: Table) -> None:
    table.begin()
    table.has_pads(2)
    process = table.machine.unit("MainPID")["MainPID"]
    table.machine.ok(f"kill -STOP {process}")
    table.presses("1" * 40)
    table.machine.ok(f"sleep 3; kill -CONT {process}")
    table.machine.wait_for("journalctl --no-pager -u beisitzer | grep -q 'BT Pad: keys were lost'")
    assert table.machine.unit("MainPID")["MainPID"] == process


def test_an_idle_rig_with_two_pads_wakes_less_than_sixty_times_a_second(
    table: Table, figures: Figures
) -> None:
    process = table.machine.unit("MainPID")["MainPID"]
    script = WAKEUPS.format(process=process)
    words = table.machine.ok(f"sleep 5; {script}; sleep 20; {script}")
    before, after = map(int, words.split())
    rate = (after - before) / 20
    figures.note(f"idle with two pads: {rate:.1f} wakeups a second")
    assert rate < 60


def test_the_voice_speaks_through_a_usb_sound_card(table: Table, figures: Figures) -> None:
    """What it was asked to say is written down, said once more to a file, and compared."""
    machine = table.machine
    assert "USB" in machine.ok("cat /proc/asound/cards")
    apt = "DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends"
    machine.ok(f"{apt} espeak-ng", 3600)
    machine.ok(f"cat > /usr/local/bin/say << 'END'\n{SAY}END\nchmod 755 /usr/local/bin/say")
    for setting in ('voice.level="everything"', 'voice.command="say -v {language} -- {text}"'):
        machine.ok(f"{CONFIG} --set '{setting}'")
    table.begin()
    machine.wait_for(f"test -s {SAID}")
    machine.ok("sleep 20; systemctl stop beisitzer")
    words = machine.ok(f"head -1 {SAID}")
    wave = base64.b64decode(machine.ok(f"sed -n 2p {SAID}"))
    wanted = envelope(wave[HEAD_BYTES:], ESPEAK_HZ, 1)
    heard = recorded(table.heard)
    found, backwards = distance(heard, wanted), distance(heard, wanted[::-1])
    figures.note(f"USB sound: {words!r}, {found:.2f} from it, {backwards:.2f} backwards")
    assert found < backwards * NEARER
