"""What the panel keeps while its line has no room, and what it says of itself unasked."""

import pytest

from firmware.panel.line import encode
from firmware.panel.session import ANSWERS, HELLO_MS, ROOM, STALE_MS, Session
from tests.hardware.serial_panel.wire import Buzzer

SESSION = "0a1b2c3d"


class Panel:
    """A panel in a session, and what it sends."""

    def __init__(self) -> None:
        self.outputs = Buzzer()
        self.session = Session(self.outputs)
        self.hear(f"HELLO 1 beisitzer {SESSION}", 0)
        self.said(0)

    def hear(self, body: str, now: int) -> None:
        self.session.receive(encode(body), now)

    def said(self, now: int, *, room: bool = True) -> list[str]:
        return [line[1:-5] for line in self.session.tick(now, room=room).decode().splitlines()]


@pytest.fixture
def panel() -> Panel:
    return Panel()


def test_keys_wait_for_room_and_then_come_all_and_in_order(panel: Panel) -> None:
    for number in range(ROOM // 2):
        panel.session.press(str(number % 10), 10 * number)
        panel.session.release(str(number % 10), 10 * number + 5)
    for now in range(200, 5_000, 10):
        assert panel.said(now, room=False) == []
    heard = []
    for sequence in range(ROOM):
        (line,) = panel.said(5_000 + sequence)
        heard.append(line.split(" ", 3)[3])
        panel.hear(f"ACK {SESSION} {sequence}", 5_000 + sequence)
    assert heard == [f"{n % 10} {how}" for n in range(ROOM // 2) for how in ("down", "up 5")]
    assert panel.outputs.bad == 0


def test_a_press_that_found_no_room_for_over_eight_seconds_is_beeped_and_never_sent(
    panel: Panel,
) -> None:
    panel.session.press("5", 0)
    for now in range(1_000, STALE_MS + 1_000, 1_000):
        panel.hear("PING 1", now)
        panel.said(now, room=False)
    assert panel.outputs.bad == 0
    panel.said(STALE_MS + 10, room=False)
    assert panel.outputs.bad == 1
    assert not [line for line in panel.said(STALE_MS + 20) if line.startswith("KEY")]


def test_a_press_that_was_sent_once_is_kept_though_there_is_no_room_to_send_it_again(
    panel: Panel,
) -> None:
    panel.session.press("5", 0)
    down = f"KEY {SESSION} 0 5 down"
    assert panel.said(0) == [down]
    for now in range(1_000, STALE_MS + 3_000, 1_000):
        panel.hear("PING 1", now)
        panel.said(now, room=False)
    assert down in panel.said(STALE_MS + 3_000)
    assert panel.outputs.bad == 0


def test_of_the_answers_that_find_no_room_the_latest_are_kept(panel: Panel) -> None:
    for number in range(100):
        panel.hear(f"PING {number}", number)
        panel.said(number, room=False)
    assert panel.said(100) == [f"PONG {number}" for number in range(100 - ANSWERS, 100)]


def test_a_display_found_within_a_session_is_told_of_until_texts_come(panel: Panel) -> None:
    panel.outputs.rows = 0
    panel.hear("HELLO 1 beisitzer deadbeef", 10)
    assert panel.said(10)[0].endswith("text=0x20")
    panel.outputs.rows = 4
    said = [(now, line) for now in range(20, 2_100, 10) for line in panel.said(now)]
    assert [now for now, _ in said] == [20, 20 + HELLO_MS, 20 + 2 * HELLO_MS]
    assert {line.split(" ")[4] for _, line in said} == {"session=deadbeef"}
    assert all(line.endswith("text=4x20") for _, line in said)
    panel.hear("TEXT 0 Anna", 2_200)
    assert [panel.said(now) for now in range(2_200, 9_000, 100)] == [[]] * 68
