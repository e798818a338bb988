"""The outbox: every result that was shown reaches the hub once, and nothing else does."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Refusal, Result
from engines.record import parse
from pi_app.link.contract import MOST_PAYLOAD, Ack, RefusedEvent, payload
from pi_app.link.outbox import GAME, AckError, ClubJoined, Outbox
from pi_app.link.results import game_facts, in_parts
from pi_app.store.database import Connect, connect_to
from pi_app.store.store import Store
from pi_app.table.table import Table
from tests.pi_app.store.faults import Faults
from tests.stand_ins.hub import Hub, bodies, deliver

TAGS = {
    "Game": "just4fun",
    "Players": "Anna yellow, Ben red",
    "Position": "yellow 1 14 30; red 2 3 4",
    "Event": "Annas Fest",
}
END = "12+12"
"""The move that ends this game at any time."""
NOW = datetime(2026, 11, 23, 19, 2, 11, tzinfo=UTC)


class Rig:
    """A store with an outbox, which may be closed and opened again."""

    def __init__(
        self,
        path: Path | str = ":memory:",
        *,
        names: bool = False,
        connect: Connect = connect_to,
    ) -> None:
        self.path = path
        self.connect = connect
        self.joined: ClubJoined | None = ClubJoined("table-07@club:8883", names)
        self.now = NOW
        self.sure = True
        self.open()

    def open(self) -> None:
        self.store = Store(self.path, self.connect, now=lambda: self.now)
        self.box = self.store.follow(
            lambda db: Outbox(db, lambda: self.joined, lambda: self.now, lambda _: self.sure)
        )

    def reopen(self) -> None:
        self.store.close()
        self.open()

    def begin(self, **tags: str) -> Table:
        return Table.begin(self.store, TAGS | tags)

    def play(self, *tokens: str, **tags: str) -> Table:
        table = self.begin(**tags)
        for token in tokens or (END,):
            put(table, token)
        return table


def put(table: Table, token: str) -> None:
    move = table.judge(token)
    assert not isinstance(move, Refusal), move
    table.play(move)


@pytest.fixture(name="rig")
def _rig() -> Iterator[Rig]:
    rig = Rig()
    with closing(rig.store):
        yield rig


def test_a_result_is_an_event_as_the_contract_writes_it(rig: Rig) -> None:
    table = rig.begin()
    rig.now += timedelta(minutes=29, seconds=29)
    rig.box._begun.clear()  # as after a restart: the clock says how long it took
    put(table, END)
    (event,) = bodies(rig.box)
    assert event.pop("game_id")
    record = parse(event.pop("record"))
    assert event == {
        "seq": 1,
        "kind": "result",
        "revision": 0,
        "evening": None,
        "round": None,
        "game": "just4fun",
        "began": "2026-11-23T19:02:11Z",
        "ended": "2026-11-23T19:31:40Z",
        "lasted_s": 1769,
        "clock": "sure",
        "seats": [
            {"seat": 1, "p": None, "rank": 1, "points": None, "won": True},
            {"seat": 2, "p": None, "rank": 2, "points": None, "won": False},
        ],
        "reason": "row",
    }
    assert record.tokens == (END,)
    assert record.tags == {
        "Game": "just4fun",
        "Players": "S1 yellow, S2 red",
        "Position": TAGS["Position"],
    }


def test_an_assigned_game_says_its_evening_its_round_and_its_people(rig: Rig) -> None:
    facts = game_facts("e7k2", 3, ("p17", None))
    table = Table.begin(rig.store, TAGS, {GAME: facts.text()})
    put(table, END)
    (event,) = bodies(rig.box)
    assert (event["game_id"], event["evening"], event["round"]) == (facts.id, "e7k2", 3)
    assert [seat["p"] for seat in event["seats"]] == ["p17", None]


def test_a_number_in_place_of_a_name_is_a_person(rig: Rig) -> None:
    rig.play(Players="17 yellow, P3 red")
    (event,) = bodies(rig.box)
    assert [seat["p"] for seat in event["seats"]] == ["p17", "p3"]


@pytest.mark.parametrize("began_sure", [True, False])
@pytest.mark.parametrize("ended_sure", [True, False])
def test_times_are_left_out_while_the_clock_is_unsure(
    rig: Rig, began_sure: bool, ended_sure: bool
) -> None:
    rig.sure = began_sure
    table = rig.begin()
    rig.sure = ended_sure
    put(table, END)
    (event,) = bodies(rig.box)
    assert (event["began"] is not None) is began_sure
    assert (event["ended"] is not None) is ended_sure
    assert event["clock"] == ("sure" if began_sure and ended_sure else "unsure")
    assert event["lasted_s"] == 0


def test_names_leave_only_if_they_may(rig: Rig) -> None:
    rig.joined = ClubJoined("club", names=True)
    rig.play()
    (event,) = bodies(rig.box)
    assert [seat["show"] for seat in event["seats"]] == ["Anna", "Ben"]
    assert "Annas Fest" in event["record"]


def test_no_name_is_in_any_byte_of_an_event(rig: Rig) -> None:
    values = " ".join(f"{n}" for n in range(1, 37))
    tags = {"Start": "Ben", "BoardData": values, "Board": "Zoës"}
    table = rig.begin(Players="Zoë yellow, Ben red", **tags)
    put(table, "<yellow 1 left=0; red 2 left=0; to-move=Ben>")
    table.undo()
    data = json.dumps(bodies(rig.box), ensure_ascii=False)
    assert "S2" in data
    for name in ("Zoë", "Ben", "Annas"):
        assert name not in data


def test_a_name_in_a_correction_goes_as_its_seat(rig: Rig) -> None:
    table = rig.begin()
    put(table, "<yellow 1 14 30; red 2 3 4; to-move=Ben>")
    put(table, "9")
    put(table, END)
    (event,) = bodies(rig.box)
    assert "to-move=S2" in event["record"]
    assert "Ben" not in event["record"]


def test_a_game_that_began_without_a_hub_is_never_sent(rig: Rig) -> None:
    rig.joined = None
    table = rig.begin()
    rig.joined = ClubJoined("club")
    put(table, END)
    table.undo()
    table.redo()
    assert rig.box.waiting == 0
    assert rig.store.recall_under("link/") == {}


def test_a_game_that_goes_on_without_the_link_is_still_sent(rig: Rig) -> None:
    table = rig.begin()
    rig.joined = None
    put(table, END)
    assert rig.box.waiting == 1


def test_games_that_were_settled_or_set_over_are_results_and_imported_ones_are_not(
    rig: Rig,
) -> None:
    result = Result(("Anna",), "points", {"points": {"Anna": 9, "Ben": 2}})
    elsewhere = (TAGS, ("5",), NOW.isoformat(), result)
    rig.store.add_all([elsewhere])
    assert rig.box.waiting == 0
    rig.store.add_all([(TAGS, (), NOW.isoformat(), result)], here=True)
    (event,) = bodies(rig.box)
    assert [seat["points"] for seat in event["seats"]] == [9, 2]
    Table.begin(rig.store, TAGS | {"Position": "yellow 1x2 left=0; red 7 left=0"})
    assert [each["kind"] for each in bodies(rig.box)] == ["result"] * 2


def test_corrections_after_the_end_raise_the_revision_of_the_same_game(rig: Rig) -> None:
    table = rig.play("5", "6", END)
    table.undo()
    table.redo()
    table.rewrite(["7", "6", END])
    table.rewrite(["7", "6", END])  # the same again is no correction
    events = bodies(rig.box)
    assert [(each["kind"], each["revision"]) for each in events] == [
        ("result", 0),
        ("withdrawn", 1),
        ("result", 2),
        ("result", 3),
    ]
    assert len({each["game_id"] for each in events}) == 1
    assert [each["seq"] for each in events] == [1, 2, 3, 4]


def test_what_waits_is_counted_until_the_hub_has_it_and_kept_until_the_evening_is_closed(
    rig: Rig,
) -> None:
    for _ in range(3):
        rig.play()
    hub = Hub()
    assert rig.box.waiting == 3
    deliver(rig.box, hub)
    assert rig.box.waiting == 0
    assert len(bodies(rig.box)) == 3
    hub.closed = 2
    rig.box.ack(hub.ack(rig.box.state().store))
    assert [each["seq"] for each in rig.box.events(1).events] == [3]
    rig.play()
    assert [each["seq"] for each in rig.box.events(1).events] == [3, 4]


def test_a_restored_hub_gets_again_what_it_does_not_have(rig: Rig) -> None:
    for _ in range(5):
        rig.play()
    hub, restored = Hub(), Hub()
    deliver(rig.box, hub)
    store = rig.box.state().store
    restored.take(store, rig.box.events(1, 2).events)
    assert rig.box.ack(restored.ack(store)).waiting == 3
    deliver(rig.box, restored)
    assert restored.results == hub.results


def test_acks_of_another_hub_or_for_another_store_change_nothing(rig: Rig) -> None:
    rig.play()
    hub = Hub()
    deliver(rig.box, hub)
    before = rig.box.state()
    for ack, code in (
        (Ack("hub-2", before.store, 0), "hub"),
        (Ack("hub-1", "other", 0), "store"),
    ):
        with pytest.raises(AckError) as found:
            rig.box.ack(ack)
        assert found.value.code == code
        assert rig.box.state() == before
    assert before.hub == "hub-1"
    rig.joined = ClubJoined("table-07@elsewhere")
    assert rig.box.state().hub is None
    assert rig.box.ack(Ack("hub-2", before.store, 0)).hub == "hub-2"


@pytest.mark.parametrize("by_conflict", [True, False])
def test_a_restored_card_takes_a_new_id_once_and_sends_all_anew(
    tmp_path: Path, by_conflict: bool
) -> None:
    rig = Rig(tmp_path / "t.db")
    hub = Hub()
    for _ in range(3):
        rig.play()
    deliver(rig.box, hub)
    rig.store.close()
    old = (tmp_path / "t.db").read_bytes()
    rig.open()
    rig.play()
    rig.play()
    deliver(rig.box, hub)
    store = rig.box.state().store
    rig.store.close()
    (tmp_path / "t.db").write_bytes(old)
    rig.open()
    played = 3 if by_conflict else 1  # more than the hub had, or fewer
    for _ in range(played):
        rig.play()
    deliver(rig.box, hub)
    state = rig.box.state()
    assert state.previous == (store,)
    assert state.waiting == 0
    assert len(hub.results) == 5 + played
    assert not hub.disputed
    rig.store.close()


def test_a_hub_that_never_ends_saying_conflict_is_heard_once(rig: Rig) -> None:
    rig.play()
    first = rig.box.state().store
    rig.box.ack(Ack("hub-1", first, 0, (), (RefusedEvent(1, "conflict"),)))
    second = rig.box.state().store
    assert second != first
    with pytest.raises(AckError):
        rig.box.ack(Ack("hub-1", second, 0, (), (RefusedEvent(1, "conflict"),)))
    assert rig.box.state().store == second
    assert rig.box.events(1).events
    assert rig.box.ack(Ack("hub-1", second, 1)).waiting == 0
    assert rig.box.ack(Ack("hub-1", second, 9)).store != second


def test_a_record_that_is_too_long_goes_in_parts_that_join_again(rig: Rig) -> None:
    hub = Hub()
    table = rig.begin()
    tokens = [f"<yellow 1 14 30 {n % 9 + 15}; red 2 3 4>" for n in range(5000)]
    table.rewrite([*tokens, END])
    events = bodies(rig.box)
    head, *parts = events
    assert head["record"] is None
    assert [part["part"] for part in parts] == list(range(1, head["parts"] + 1))
    assert {part["of"] for part in parts} == {head["seq"]}
    store = rig.box.state().store
    seq = 1
    while batch := rig.box.events(seq).events:
        assert len(payload({"store": store, "events": list(batch)})) <= MOST_PAYLOAD
        seq += len(batch)
    deliver(rig.box, hub)
    (result,) = hub.results.values()
    assert parse(result["record"]).tokens == (*tokens, END)


@given(st.text(min_size=1).map(lambda text: text * (200_000 // len(text))))
@settings(max_examples=8, deadline=None)
def test_parts_are_whole_characters_and_each_fits_a_message(text: str) -> None:
    event = {"kind": "result", "game_id": "g", "revision": 0, "record": text}
    _, *parts = in_parts(event)
    if parts:
        assert "".join(part["text"] for part in parts) == text
    for part in parts:
        payload({"store": "s" * 16, "events": [{"seq": 2**40, "of": 2**40, **part}]})


def test_names_that_may_go_no_more_are_taken_out_of_what_waits_and_corrected_at_the_hub(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path / "t.db", names=True)
    hub = Hub()
    rig.play()
    deliver(rig.box, hub)
    undone = rig.play("5", "6", END)
    undone.rewrite(["7", "6", END])
    undone.undo()  # the edit, then the last move
    undone.undo()
    rig.play()
    rig.joined = ClubJoined("table-07@club:8883")
    rig.box.forget_names()
    rig.box.forget_names()
    assert "Anna" not in json.dumps(bodies(rig.box))
    deliver(rig.box, hub)
    assert not hub.disputed
    assert len(hub.results) == 2
    assert "Anna" not in json.dumps(list(hub.results.values()))
    rig.reopen()
    assert rig.store.news() == []
    rig.store.close()


# --- any sequence


class Evening:
    """A table, its games and a hub; its acts are what may happen."""

    def __init__(self, path: Path) -> None:
        self.rig = Rig(path)
        self.tables: list[Table] = []
        self.hub = Hub()
        self.copy()

    def play(self) -> None:
        self.tables.append(self.rig.play())

    def undo(self) -> None:
        if self.tables:
            self.tables[-1].undo()

    def redo(self) -> None:
        if self.tables:
            self.tables[-1].redo()

    def correct(self) -> None:
        if self.tables:
            number = 5 + len(self.tables[0].tokens())
            self.tables[0].rewrite([str(number), "6", END])

    def send(self) -> None:
        """Send one message whose ack is lost."""
        state = self.rig.box.state()
        if events := self.rig.box.events(state.upto + 1, 2).events:
            self.hub.take(state.store, events)

    def deliver(self) -> None:
        deliver(self.rig.box, self.hub)

    def send_last_first(self) -> None:
        """Send the last event before the others: a gap that closes late."""
        state = self.rig.box.state()
        if events := self.rig.box.events(state.last, 1).events:
            self.rig.box.ack(self.hub.take(state.store, events))

    def reopen(self) -> None:
        self.rig.reopen()
        store = self.rig.store
        self.tables = [Table.resume(store, store.load(table.id)) for table in self.tables]

    def switch(self) -> None:
        self.rig.joined = None if self.rig.joined else ClubJoined("table-07@club:8883")

    def lose_hub(self) -> None:
        """Restore the hub as it was at its beginning."""
        self.hub = Hub()

    def copy(self) -> None:
        """Copy the card."""
        self.rig.store.close()
        self.card = Path(self.rig.path).read_bytes(), list(self.tables)
        self.rig.open()

    def restore(self) -> None:
        """Put the copy of the card back."""
        self.rig.store.close()
        content, tables = self.card
        Path(self.rig.path).write_bytes(content)
        self.rig.open()
        self.tables = list(tables)

    @property
    def finished(self) -> dict[str, tuple[str, ...]]:
        """What the hub must count: the moves of each game that is over, by its id."""
        found = {}
        for table in self.tables:
            facts = self.rig.box._game_facts(table.id)
            if facts is not None and table.position.result is not None:
                found[facts.id] = table.tokens()
        return found


ACTS: tuple[Callable[[Evening], None], ...] = (
    Evening.play, Evening.undo, Evening.redo, Evening.correct, Evening.send, Evening.deliver,
    Evening.send_last_first, Evening.reopen, Evening.switch, Evening.lose_hub,
)  # fmt: skip


RESTORING: tuple[Callable[[Evening], None], ...] = (
    Evening.play, Evening.send, Evening.deliver, Evening.send_last_first, Evening.reopen,
    Evening.copy, Evening.restore,
)  # fmt: skip


@given(st.lists(st.sampled_from(RESTORING), max_size=25))
@settings(max_examples=60, deadline=None)
def test_whatever_card_is_restored_the_hub_counts_each_game_that_is_on_it_once(
    tmp_path_factory: pytest.TempPathFactory, acts: list[Callable[[Evening], None]]
) -> None:
    evening = Evening(tmp_path_factory.mktemp("store") / "t.db")
    for act in acts:
        act(evening)
    evening.deliver()
    counted = {game: parse(event["record"]).tokens for game, event in evening.hub.results.items()}
    assert evening.finished.items() <= counted.items()
    assert not evening.hub.disputed
    assert evening.rig.box.waiting == 0
    evening.rig.store.close()


@given(st.lists(st.sampled_from(ACTS), max_size=25))
@settings(max_examples=60, deadline=None)
def test_whatever_happens_the_hub_counts_each_finished_game_once(
    tmp_path_factory: pytest.TempPathFactory, acts: list[Callable[[Evening], None]]
) -> None:
    evening = Evening(tmp_path_factory.mktemp("store") / "t.db")
    for act in acts:
        act(evening)
    evening.rig.joined = ClubJoined("table-07@club:8883")
    evening.deliver()
    results = evening.hub.results
    counted = {game: parse(event["record"]).tokens for game, event in results.items()}
    assert counted == evening.finished
    assert not evening.hub.disputed
    state = evening.rig.box.state()
    assert sorted(evening.hub.events.get(state.store, {})) == list(range(1, state.last + 1))
    assert state.waiting == 0
    evening.rig.store.close()


# --- a card that fails


@pytest.mark.parametrize(
    "code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT]
)
@pytest.mark.parametrize("after", [False, True])
def test_results_of_a_card_that_fails_in_any_statement_arrive_once_when_it_can_be_written(
    tmp_path: Path, code: int, after: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    for first in range(1, 200, 7):
        faults = Faults(None, code, after=after)
        path = tmp_path / f"{first}-{code}-{after}.db"
        rig = Rig(path, connect=faults.connect)
        hub = Hub()
        rig.play("5", "6", END)
        deliver(rig.box, hub)
        faults.count, faults.first = 0, first
        games = [rig.play("5", "6", END) for _ in range(3)]
        games[0].rewrite(["7", "6", END])
        games[1].undo()
        state = rig.box.state()
        if rig.store.trouble is not None:  # nothing goes out that may not be there tomorrow
            assert rig.box.events(1).events == ()
            with pytest.raises(AckError):
                rig.box.ack(Ack("hub-1", state.store, 9))
        broken, faults.first = faults.count >= first, None
        assert rig.store.retry()
        deliver(rig.box, hub)
        records = sorted(parse(event["record"]).tokens for event in hub.results.values())
        assert records == [("5", "6", END), ("5", "6", END), ("7", "6", END)], first
        assert not hub.disputed
        rig.store.close()
        if not broken:
            break
    else:
        pytest.fail("the statements never came to an end")


# --- another store in its place


def test_what_waits_goes_along_when_an_older_state_is_loaded_and_nothing_counts_twice(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path / "t.db")
    hub = Hub()
    for _ in range(2):
        rig.play()
    deliver(rig.box, hub)
    old = rig.box.state()
    rig.store.close()
    saved = tmp_path / "saved.db"
    saved.write_bytes((tmp_path / "t.db").read_bytes())
    rig.open()
    sent = rig.play("5", "6", END)
    deliver(rig.box, hub)
    waits = rig.play("7", "6", END)
    assert rig.box.waiting == 1
    rig.store.replace_all(saved)
    rig.reopen()
    assert [sent.id, waits.id] == [3, 4]
    assert rig.store.latest_game() == 2
    assert rig.box.waiting == 3  # the two of the older state again, and what waited
    deliver(rig.box, hub)
    state = rig.box.state()
    assert state.previous == (old.store,)
    tokens = sorted(parse(event["record"]).tokens for event in hub.results.values())
    assert tokens == [(END,), (END,), ("5", "6", END), ("7", "6", END)]
    assert not hub.disputed
    rig.store.close()


def test_a_rescued_store_says_what_it_has_lost_and_sends_the_rest_anew(tmp_path: Path) -> None:
    rig = Rig(tmp_path / "t.db")
    hub = Hub()
    games = [rig.play("5", "6", END) for _ in range(6)]
    store = rig.box.state().store
    hub.take(store, rig.box.events(1, 2).events)
    rig.store.close()
    content = (tmp_path / "t.db").read_bytes()
    at = content.find(b'"kind":"result"', content.find(b'"kind":"result"') + 1)
    (tmp_path / "t.db").write_bytes(content[:at] + b"?" + content[at + 1 :])
    rig.open()
    (news,) = rig.store.news()
    assert news.recovered is not None
    assert rig.store.latest_game() == len(games)
    deliver(rig.box, hub)
    state = rig.box.state()
    assert state.previous == (store,)
    kinds = [event["kind"] for event in bodies(rig.box)]
    assert kinds.count("lost") == 1
    # the game itself was not damaged: its result is sent again
    assert len(hub.results) == len(games)
    assert not hub.disputed
    rig.store.close()
