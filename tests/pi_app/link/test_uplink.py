"""Whatever is lost on the way, all arrives in the end and once; no bytes stop the link."""

import random
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from pi_app.link.contract import Ack, EventBatch, RefusedEvent, payload, read_payload, topic
from pi_app.link.mqtt.broker import Publication
from pi_app.link.mqtt.session import HELLO_S, LinkMemory, TableSession
from pi_app.link.mqtt.uplink import RETRIES_S, Newest, Uplink
from tests.stand_ins.hub import Hub
from tests.stand_ins.table import TableInMemory, result

TABLE = "table-01"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Line:
    """A broker's end of a session: keeps what is published, confirms it, and may be full."""

    lost = None
    wants_write = False

    def __init__(self) -> None:
        self.sent: list[Publication] = []

    def publish(self, letter: Publication) -> int:
        self.sent.append(letter)
        return len(self.sent)

    def subscribe(self, *_filters: str) -> int:
        return 1

    def take(self, leaf: str) -> list[dict[str, Any]]:
        """Return the payloads published on a topic since the last call."""
        name = topic(TABLE, leaf)
        found = [read_payload(each.payload) for each in self.sent if each.topic == name]
        self.sent = [each for each in self.sent if each.topic != name]
        return found


class Talk:
    """A session with a line and a clock of its own."""

    def __init__(self, table: TableInMemory, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self.line = Line()
        self.table = table
        memory = LinkMemory("boot", "machine", "1")
        self.session = TableSession(TABLE, table, memory, self.clock, home=True)
        self.session.attach(self.line)  # type: ignore[arg-type]  # what a session needs of a broker
        self.session.welcomed()
        self.session.tick()

    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds
        for news in self.table.news(0):
            self.session.take(news)
        self.session.tick()

    def come(self, leaf: str, facts: dict[str, Any]) -> None:
        name = topic(TABLE, leaf)
        self.session.came(name, payload(facts), retained=False, mark="")
        self.session.tick()

    def numbers(self) -> list[list[int]]:
        """Return the numbers of each message with events since the last call."""
        return [[event["seq"] for event in each["events"]] for each in self.line.take("up/events")]


def acked(table: TableInMemory, upto: int, **more: Any) -> dict[str, Any]:
    return Ack("hub-1", table.store, upto, **more).facts()


def test_events_wait_for_the_answer_to_the_hello_and_not_for_ever() -> None:
    table = TableInMemory()
    table.add(3)
    talk = Talk(table)
    assert len(talk.line.take("up/hello")) == 1
    assert talk.numbers() == []
    talk.come("down/ack", acked(table, 1))
    assert talk.numbers() == [[2, 3]]
    silent = Talk(table)
    silent.pass_time(3.1)
    assert silent.numbers() == [[2, 3]]


def test_what_is_not_acknowledged_is_sent_again_ever_more_rarely() -> None:
    table = TableInMemory()
    table.add(2)
    talk = Talk(table)
    talk.come("down/ack", acked(table, 0))
    assert talk.numbers() == [[1, 2]]
    sent = []
    for second in range(140):
        talk.pass_time(1)
        sent += [second + 1 for _ in talk.numbers()]
    assert sent[0] == RETRIES_S[0]
    pauses = [b - a for a, b in pairwise(sent)]
    assert pauses == sorted(pauses)
    assert pauses[-1] == RETRIES_S[-1]


def test_gaps_are_filled_first_and_what_the_hub_has_is_left_out() -> None:
    table = TableInMemory()
    table.add(50)
    talk = Talk(table)
    talk.come("down/ack", acked(table, 40, missing=(41, 42, 45)))
    assert talk.numbers()[:2] == [[41, 42], [45]]


def test_a_lower_upto_sends_again_from_there() -> None:
    table = TableInMemory()
    table.add(45)
    talk = Talk(table)
    talk.come("down/ack", acked(table, 45))
    talk.numbers()
    talk.come("down/ack", acked(table, 7))
    assert talk.numbers() == [list(range(8, 46))]


def test_a_refused_event_is_never_sent_again_by_itself() -> None:
    table = TableInMemory()
    table.add(4)
    talk = Talk(table)
    refused = (RefusedEvent(3, "record"),)
    talk.come("down/ack", acked(table, 1, refused=refused))
    assert talk.numbers() == [[2], [4]]
    talk.pass_time(RETRIES_S[0] + 1)
    assert 3 not in chain(*talk.numbers())


def test_what_the_table_may_forget_and_a_restored_hub_wants_is_said_to_be_lost() -> None:
    table = TableInMemory()
    table.add(6)
    talk = Talk(table)
    talk.come("down/ack", acked(table, 5, closed=3))
    talk.line.take("up/events")
    assert sorted(table.kept) == [4, 5, 6]
    talk.come("down/ack", acked(table, 1, closed=0))
    events = [event for each in talk.line.take("up/events") for event in each["events"]]
    assert [(event["seq"], event["kind"]) for event in events[:2]] == [(2, "lost"), (3, "lost")]
    assert [event["seq"] for event in events[2:]] == [4, 5, 6]


def test_another_store_begins_with_a_hello_and_from_1() -> None:
    table = TableInMemory()
    table.add(3)
    talk = Talk(table)
    talk.come("down/ack", acked(table, 9))  # more than this card has
    hellos = talk.line.take("up/hello")
    assert [hello["store"] for hello in hellos] == ["store-1", "store-1-2"]
    assert hellos[1]["previous"] == ["store-1"]
    talk.come("down/ack", acked(table, 0))
    assert talk.numbers()[-1] == [1, 2, 3]


def test_a_hello_goes_every_five_minutes() -> None:
    talk = Talk(TableInMemory())
    talk.line.take("up/hello")
    talk.pass_time(HELLO_S - 1)
    assert talk.line.take("up/hello") == []
    talk.pass_time(2)
    assert len(talk.line.take("up/hello")) == 1


def test_home_assistant_is_told_again_when_it_starts() -> None:
    talk = Talk(TableInMemory())
    place = f"homeassistant/device/beisitzer_{TABLE}/config"

    def told() -> int:
        return len([each for each in talk.line.sent if each.topic == place])

    assert told() == 1
    talk.session.came("homeassistant/status", b"online", retained=True, mark="")
    talk.session.came("homeassistant/status", b"offline", retained=False, mark="")
    talk.session.tick()
    assert told() == 1
    talk.session.came("homeassistant/status", b"online", retained=False, mark="")
    talk.session.tick()
    assert told() == 2


class LossyEvening:
    """A table, a hub and a wire between them that loses things by chance."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.table, self.clock = TableInMemory(), Clock()
        self.hub: dict[int, dict[str, Any]] = {}
        self.backup: dict[int, dict[str, Any]] = {}
        self.connect()

    def connect(self) -> None:
        self.talk = Talk(self.table, self.clock)

    def disturb(self) -> None:
        """Let something happen, or several things."""
        if self.chance.random() < 0.4 and self.table.last < 200:
            self.table.add(self.chance.randint(1, 30))
        if self.chance.random() < 0.1:
            self.connect()
        if self.chance.random() < 0.05:
            self.backup = dict(self.hub)
        if self.chance.random() < 0.03:
            self.hub = dict(self.backup)

    def step(self, loss: float) -> None:
        """Carry what was said, each message and each answer lost with this probability."""
        for hello in self.talk.line.take("up/hello"):
            if self.chance.random() >= loss:
                assert hello["store"] == self.table.store
                self._answer()
        for facts in self.talk.line.take("up/events"):
            if self.chance.random() < loss:
                continue
            for event in EventBatch.read(facts).events:
                assert self.hub.setdefault(event["seq"], event) == event
            if self.chance.random() >= loss:
                self._answer()
        self.talk.pass_time(self.chance.choice((0.1, 1.0, 7.0)))

    def _answer(self) -> None:
        self.talk.come(
            "down/ack", Hub(events={self.table.store: self.hub}).ack(self.table.store).facts()
        )


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_lost_all_arrives_once_and_in_order(seed: int) -> None:
    """Messages, answers, connections and the hub's disk are lost by chance, and then no more."""
    evening = LossyEvening(seed)
    for _ in range(120):
        evening.disturb()
        evening.step(0.4)
    evening.connect()  # a hub that was restored is noticed by its answer to a hello
    for _ in range(200):
        evening.step(0.0)
    table, hub = evening.table, evening.hub
    assert table.last > 100
    assert sorted(hub) == list(range(1, table.last + 1))
    assert table.upto == table.last
    assert hub[table.last] == result(table.last, f"store-1-{table.last}")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
KEYS = ("v", "hub", "store", "upto", "missing", "refused", "closed", "era", "rev", "evening")
LEAVES = ("down/ack", "down/seat", "down/say", "availability", "down/other")


@given(
    st.sampled_from(LEAVES),
    st.binary(max_size=200)
    | st.dictionaries(
        st.sampled_from((*KEYS, "round", "game", "seats", "id", "text", "for_s")), JSON
    ).map(lambda facts: payload({**facts, "v": 1}) if _is_json(facts) else b"{"),
    st.booleans(),
)
@hypothesis_settings(deadline=None)
def test_no_bytes_that_come_in_stop_the_link(leaf: str, data: bytes, retained: bool) -> None:
    table = TableInMemory()
    table.hub = "hub-1"
    table.add(2)
    talk = Talk(table)
    talk.session.came(topic(TABLE, leaf), data, retained=retained, mark="")
    talk.session.tick()
    assert table.upto <= 2
    talk.come("down/ack", acked(table, 1))
    assert table.upto == 1


def _is_json(facts: dict[str, Any]) -> bool:
    try:
        payload(facts)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("size", [64 * 1024 + 1, 1_000_000])
def test_a_payload_that_is_too_long_is_dropped(size: int) -> None:
    table = TableInMemory()
    talk = Talk(table)
    text = "x" * size
    data = b'{"v":1,"id":"a","for_s":60,"text":"' + text.encode() + b'"}'
    talk.session.came(topic(TABLE, "down/say"), data, retained=False, mark="")
    talk.session.tick()
    assert table.said == []


def test_of_a_flood_the_oldest_are_dropped() -> None:
    table = TableInMemory()
    talk = Talk(table)
    for number in range(1000):
        facts = {"id": f"n{number}", "text": "x", "for_s": 60}
        talk.session.came(topic(TABLE, "down/say"), payload(facts), retained=False, mark="")
    talk.session.tick()
    assert [each.id for each in table.said] == [f"n{number}" for number in range(900, 1000)]


@given(st.lists(st.floats(0, 5), min_size=1, max_size=40))
def test_however_a_second_is_laid_it_holds_two_values_and_the_last_one_goes(
    gaps: list[float],
) -> None:
    newest: Newest[int] = Newest()
    now, gone = 0.0, []
    for number, gap in enumerate(gaps):
        newest.put(number)
        end = now + gap
        while now <= end:
            if (value := newest.take(now)) is not None:
                gone.append((now, value))
            due = newest.due(now)
            if now + due > end or due == 0.0:
                break
            now += due
        now = end
    now += newest.due(now) if newest.due(now) < 10 else 0
    if (value := newest.take(now)) is not None:
        gone.append((now, value))
    assert gone[-1][1] == len(gaps) - 1
    times = [time for time, _ in gone]
    assert all(times[i + 2] - times[i] > 1.0 for i in range(len(times) - 2))


def test_an_uplink_without_work_is_never_due() -> None:
    table = TableInMemory()
    assert Uplink(table.outbox(), 0.0).due(0.0) == float("inf")
