"""The host sends what the panel shows again and again, but never much of it at once."""

from collections import defaultdict
from itertools import pairwise

import pytest

from hardware.serial_panel.protocol import encode
from hardware.serial_panel.session import STATE_S, HostSession

STEP_MS = 10
LENGTH_MS = 60_000
SLACK_MS = 2 * STEP_MS


class Host:
    """A host with a panel that answers; notes at which millisecond each line went out."""

    def __init__(self, lamps: int, rows: int) -> None:
        self.session = HostSession(lambda: "0a1b2c3d")
        self.session.set_rows([f"row {row}" for row in range(rows)])
        self.hello = (
            f"HELLO 1 pico 1.0 session=0a1b2c3d keys=22 lamps={lamps} buzzer=1 text={rows}x20"
        )
        self.now = 0
        self.sent: list[tuple[int, str]] = []
        self.say(self.hello)

    def say(self, body: str) -> None:
        self.session.receive(encode(body), self.now / 1000)

    def run(self, length: int, step: int = STEP_MS) -> None:
        for _ in range(length // step):
            for line in self.session.tick(self.now / 1000).decode().splitlines():
                body = line[1:-5]
                if body.startswith("PING"):
                    self.say("PONG" + body[4:])
                else:
                    self.sent.append((self.now, body))
            self.now += step

    def times(self) -> dict[str, list[int]]:
        """Give when each lamp and each row was sent."""
        found = defaultdict(list)
        for at, body in self.sent:
            found[body.rsplit(" ", 1)[0] if body.startswith("LAMP") else body].append(at)
        return found


@pytest.mark.parametrize(("lamps", "rows"), [(6, 4), (6, 0), (0, 4), (0, 0), (16, 8)])
def test_every_lamp_and_row_is_sent_every_five_seconds_but_one_at_a_time(
    lamps: int, rows: int
) -> None:
    host = Host(lamps, rows)
    host.session.set_lamps(range(lamps))
    host.run(LENGTH_MS)
    times = host.times()
    assert len(times) == lamps + rows
    for sent in times.values():
        later = [at for at in sent if at >= STATE_S * 1000]
        gaps = [second - first for first, second in pairwise(later)]
        assert len(gaps) >= 9
        assert max(gaps) <= STATE_S * 1000 + SLACK_MS
    refreshed = [at for at, _ in host.sent if at]
    every = STATE_S * 1000 / max(1, lamps + rows)
    between = [second - first for first, second in pairwise(refreshed)]
    assert all(gap >= every - SLACK_MS for gap in between)


def test_the_whole_state_goes_out_at_once_after_each_hello() -> None:
    host = Host(6, 4)
    host.session.set_lamps([1])
    host.run(7_000)
    host.say(host.hello)
    at = host.now
    host.run(3_000)
    assert len([body for sent, body in host.sent if sent == at]) == 10
    assert not [body for sent, body in host.sent if sent > at], "the next turn comes after 5 s"


def test_a_row_that_changed_between_two_turns_is_sent_as_it_is_now() -> None:
    host = Host(0, 2)
    host.run(6_000)
    host.session.set_rows(["new", "row 1"])
    host.sent.clear()
    host.run(10_000)
    assert {body for _, body in host.sent} == {"TEXT 0 new", "TEXT 1 row 1"}


def test_a_host_that_slept_does_not_send_what_it_missed() -> None:
    host = Host(6, 4)
    host.run(6_000)
    host.now += 8_000
    host.sent.clear()
    host.run(1_000)
    assert len(host.sent) <= 4


def test_a_panel_whose_display_was_found_later_gets_its_rows() -> None:
    host = Host(6, 4)
    host.say(host.hello.replace("4x20", "0x0"))
    host.run(1_000)
    assert not [body for _, body in host.sent if body.startswith("TEXT")]
    host.say(host.hello)
    host.run(1_000)
    assert len([body for _, body in host.sent if body.startswith("TEXT")]) == 4
