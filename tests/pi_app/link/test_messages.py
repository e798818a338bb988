"""Every message between companion and link, and of the contract: by bytes, by the page, by junk."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.link.contract import (
    MOST_PAYLOAD,
    Ack,
    AssignedSeat,
    Assignment,
    ContractError,
    EventBatch,
    RefusedEvent,
    Say,
    TableHello,
    clean,
    compact,
    event_hash,
    fitting,
    payload,
    person,
    read_payload,
    split_topic,
    topic,
)
from pi_app.link.hub_page import AskHub, HubAnswer
from pi_app.link.protocol import (
    Acked,
    AskEvents,
    Assigned,
    LinkStatus,
    OfferAnswer,
    OutboxState,
    SwitchedOff,
    TableEvent,
    TableState,
    TableTurn,
    TakePlace,
    Told,
    read_asked,
    read_news,
)

TURN = TableTurn(2, "red", "#c00000")
NEWS = {
    b'{"kind":"state","game":"numeri","phase":"playing","turn":{"seat":2,"colour":"red",'
    b'"hex":"#c00000"},"players":3,"waiting":4,"assignment":{"evening":"e7k2","round":3,"era":1,'
    b'"rev":2,"answer":"offered"}}': TableState(
        "numeri", "playing", TURN, 3, 4, OfferAnswer("e7k2", 3, 1, 2, "offered")
    ),
    b'{"kind":"state","game":null,"phase":"idle","turn":null,"players":0,"waiting":0,'
    b'"assignment":null}': TableState(),
    b'{"kind":"event","event_type":"row","seat":2}': TableEvent("row", 2),
    b'{"kind":"outbox","store":"9f3c","previous":["8a"],"last":41,"upto":36,"closed":30,'
    b'"waiting":5,"hub":"c1"}': OutboxState("9f3c", ("8a",), 41, 36, 30, 5, "c1"),
    b'{"kind":"off","again":true}': SwitchedOff(again=True),
    b'{"kind":"join","number":1,"host":"10.0.0.7","port":8443,"authority":"","code":""}': AskHub(
        1, "10.0.0.7"
    ),
}
ASKED = {
    b'{"kind":"link","version":2}': TakePlace(),
    b'{"kind":"events","seq":37,"most":5}': AskEvents(37, 5),
    b'{"kind":"ack","hub":"c1","store":"9f3c","upto":36,"missing":[38],"refused":[{"seq":40,'
    b'"why":"record"}],"closed":30}': Acked(
        Ack("c1", "9f3c", 36, (38,), (RefusedEvent(40, "record"),), 30)
    ),
    b'{"kind":"seat","era":1,"rev":2,"evening":"e7k2","round":3,"game":"just4fun","rules":"",'
    b'"board":null,"seats":[{"seat":1,"p":"p17","show":"Anna"}]}': Assigned(
        Assignment(1, 2, "e7k2", 3, "just4fun", "", None, (AssignedSeat(1, "p17", "Anna"),))
    ),
    b'{"kind":"say","say":"7","text":"Round 4 in five minutes","for_s":600}': Told(
        Say("7", "Round 4 in five minutes", 600)
    ),
    b'{"kind":"status","connected":false,"why":"login","detail":"table-07"}': LinkStatus(
        connected=False, why="login", detail="table-07"
    ),
    b'{"kind":"joined","number":1,"fault":"wrong","authority":"","access":null}': HubAnswer(
        1, "wrong"
    ),
}
PAYLOADS: dict[bytes, tuple[Any, object]] = {
    b'{"v":1,"hub":"c1","store":"9f3c","upto":36,"missing":[37],"refused":[{"seq":40,'
    b'"why":"record"}],"closed":30}': (
        Ack,
        Ack("c1", "9f3c", 36, (37,), (RefusedEvent(40, "record"),), 30),
    ),
    b'{"v":1,"era":1,"rev":2,"evening":"e7k2","round":3,"game":"just4fun","rules":"",'
    b'"board":null,"seats":[{"seat":1,"p":"p17","show":"Anna"}]}': (
        Assignment,
        Assignment(1, 2, "e7k2", 3, "just4fun", "", None, (AssignedSeat(1, "p17", "Anna"),)),
    ),
    b'{"v":1,"id":"7","text":"Round 4 in five minutes","for_s":600}': (
        Say,
        Say("7", "Round 4 in five minutes", 600),
    ),
    b'{"v":1,"store":"9f3c","previous":["8a"],"last":41,"machine":"m","boot":"b",'
    b'"software":"1.0.0"}': (TableHello, TableHello("9f3c", ("8a",), 41, "m", "b", "1.0.0")),
    b'{"v":1,"store":"9f3c","events":[{"seq":37,"kind":"lost"}]}': (
        EventBatch,
        EventBatch("9f3c", ({"seq": 37, "kind": "lost"},)),
    ),
}


@pytest.mark.parametrize("line", NEWS)
def test_a_line_of_the_companion_is_the_same_value_and_the_same_bytes(line: bytes) -> None:
    news = read_news(json.loads(line))
    assert news == NEWS[line]
    assert news is not None
    assert compact(news.line()) == line


@pytest.mark.parametrize("line", ASKED)
def test_a_request_of_the_link_is_the_same_value_and_the_same_bytes(line: bytes) -> None:
    facts = json.loads(line)
    asked = read_asked(facts["kind"], facts)
    assert asked == ASKED[line]
    assert compact(asked.line()) == line


@pytest.mark.parametrize("data", PAYLOADS)
def test_a_payload_is_the_same_value_and_the_same_bytes(data: bytes) -> None:
    kind, value = PAYLOADS[data]
    read: Any = kind.read(read_payload(data))
    assert read == value
    assert payload(read.facts()) == data
    more = json.loads(data) | {"later": {"unknown": [1]}}
    assert kind.read(read_payload(compact(more))) == value


def test_the_lines_on_the_page_are_these_messages() -> None:
    page = Path("docs/remote.md").read_text("utf-8").partition("## The link")[2]
    lines = [json.loads(line) for line in re.findall(r"^    (\{.*\})$", page, re.MULTILINE)]
    assert len(lines) > 8
    for line in lines:
        if line["kind"] == "answer":
            OutboxState.read(line)
        elif "id" in line:
            read_asked(line["kind"], line)
        else:
            assert read_news(line) is not None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
NAMES = sorted({name for line in (*NEWS, *ASKED, *PAYLOADS) for name in json.loads(line)})
FACTS = st.dictionaries(st.sampled_from(NAMES), JSON)
READERS: tuple[Callable[[dict[str, Any]], object], ...] = (
    read_news,
    *(partial(read_asked, json.loads(line)["kind"]) for line in ASKED),
    *(kind.read for kind, _ in PAYLOADS.values()),
)


@given(st.sampled_from(READERS), st.sampled_from([*NEWS, *ASKED, *PAYLOADS]), FACTS)
def test_whatever_is_in_a_message_it_is_read_or_refused(
    read: Callable[[dict[str, Any]], object], line: bytes, wrong: dict[str, Any]
) -> None:
    with suppress(ContractError):  # and nothing else
        assert "\u202e" not in repr(read({**json.loads(line), **wrong}))


@given(st.binary() | st.text().map(str.encode) | JSON.map(lambda v: json.dumps(v).encode()))
def test_whatever_bytes_come_they_are_read_or_refused(data: bytes) -> None:
    with suppress(ContractError):  # and nothing else
        assert read_payload(data)["v"] == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"v":2}',
        b'{"v":true}',
        b'{"v":1.0}',
        b'{"v":1,"n":NaN}',
        b'{"v":1,' + b'"x":"' + b"x" * MOST_PAYLOAD + b'"}',
        b"[" * 100_000,
        b'{"v":1,"x":"\xff"}',
    ],
    ids=range(9),
)
def test_a_payload_of_another_kind_is_refused(data: bytes) -> None:
    with pytest.raises(ContractError):
        read_payload(data)


@given(st.text(), st.integers(1, 60))
def test_a_text_of_others_is_one_line_without_characters_that_control(text: str, most: int) -> None:
    line = clean(text, most)
    assert len(line) <= most
    assert line.isprintable()


@pytest.mark.parametrize(
    ("keyed", "number"),
    [("17", "p17"), ("p17", "p17"), (" P017 ", "p17"), ("017", "p17"), ("0", "p0")]
    + [(name, None) for name in ("Anna", "", "p", "17a", "1" * 10, "-1", "p-1", "\u0661")],
)
def test_a_number_keyed_in_place_of_a_name_is_a_person(keyed: str, number: str | None) -> None:
    assert person(keyed) == number


def test_topics_are_a_tables_own() -> None:
    assert topic("table-07", "up/events") == "beisitzer/1/table-07/up/events"
    assert split_topic("beisitzer/1/table-07/up/events") == ("table-07", "up/events")
    for other in ("beisitzer/1/club/round", "beisitzer/2/table-07/state", "x", "beisitzer/1/a/b"):
        with pytest.raises(ContractError):
            split_topic(other)


@given(st.lists(st.integers(1, 30_000), max_size=60))
def test_as_many_events_go_in_a_message_as_fit_and_no_more(sizes: list[int]) -> None:
    events = [{"seq": seq, "kind": "result", "x": "ü" * n} for seq, n in enumerate(sizes, 1)]
    count = fitting("9f3c", events)
    payload({"store": "9f3c", "events": events[:count]})
    assert count <= 40
    if count < min(40, len(events)):
        with pytest.raises(ContractError):
            payload({"store": "9f3c", "events": events[: count + 1]})


def test_an_events_hash_is_that_of_its_content_whatever_its_number_and_order() -> None:
    one = {"seq": 1, "kind": "result", "points": None, "name": "Zoë"}
    assert event_hash(one) == event_hash({"name": "Zoë", "points": None, "kind": "result"})
    assert event_hash(one) != event_hash({**one, "points": 0})
