"""How a round goes at each table, from what the table itself says."""

import json
from pathlib import Path
from typing import Any

import pytest

from club.evening import acts
from club.evening.sentences import PROGRESS_WORDS
from club.evening.shown.status import PROGRESS, round_status
from club.hub.inbox import Inbox
from club.store.live import current_evening
from pi_app.link.contract import topic
from pi_app.texts.language import Texts
from tests.club.judging.desk import WHO, Desk
from tests.club.parts import result_event
from tests.pi_app.commands.called import run


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def state(desk: Desk, answer: str | None = None, phase: str = "idle", **others: Any) -> bytes:
    """Return what a table says of the round, and of what is played there."""
    playing = phase != "idle"
    assignment = {"evening": desk.evening, "round": 1, "era": 1, "rev": 9, "answer": answer}
    facts: dict[str, Any] = {
        "v": 1,
        "boot": "b1",
        "n": 7,
        "game": "just4fun" if playing else None,
        "phase": phase,
        "turn": None,
        "players": 2 if playing else 0,
        "waiting": 0,
        "assignment": {**assignment, **others} if answer else None,
    }
    return json.dumps(facts).encode()


def progress(desk: Desk) -> list[str]:
    with desk.database.read() as connection:
        status = round_status(connection, current_evening(connection))
    assert status is not None
    return [each.progress for each in status.groups]


SAID: dict[str, tuple[str | None, str, dict[str, Any], str]] = {
    "nothing of the round": (None, "idle", {}, "unheard"),
    "an earlier round": ("started", "playing", {"round": 3}, "unheard"),
    "another evening's": ("offered", "idle", {"evening": "e9"}, "unheard"),
    "what was said before the round changed": ("offered", "idle", {"rev": 0}, "unheard"),
    "it is offered": ("offered", "idle", {}, "offered"),
    "it is offered after another game": ("offered", "playing", {}, "busy"),
    "it was refused": ("refused", "idle", {}, "refused"),
    "it is played": ("started", "playing", {}, "playing"),
    "it is over": ("started", "over", {}, "over"),
    "it was left": ("started", "idle", {}, "left"),
}


@pytest.mark.parametrize("said", SAID)
def test_the_organiser_sees_what_became_of_the_assignment(
    desk: Desk, tmp_path: Path, said: str
) -> None:
    answer, phase, others, expected = SAID[said]
    assert progress(desk) == ["offline", "offline"]
    desk.take(0, b"online", "availability")
    assert progress(desk) == ["silent", "offline"]
    desk.take(0, state(desk, answer, phase, **others), "state")
    assert progress(desk) == [expected, "offline"]
    for language in ("en", "de"):
        shown = run("club", "status", "--state", tmp_path, "--lang", language).stdout
        assert Texts(language).say(PROGRESS_WORDS, expected) in shown.splitlines()[1]
    tables = json.loads(run("club", "tables", "--state", tmp_path, "--json").stdout)
    assert [each["assignment"] for each in tables] == [expected, "offline"]
    assert [each["game"] for each in tables] == ["just4fun" if phase == "playing" else None, None]


def test_a_result_is_all_that_counts_in_the_end(desk: Desk) -> None:
    desk.take(0, b"online", "availability")
    desk.take(0, state(desk, "refused"), "state")
    desk.send(0, result_event(1, desk.people_at(0), evening=desk.evening, in_round=1))
    assert progress(desk) == ["done", "offline"]


def test_only_what_comes_after_it_was_keyed_otherwise_is_to_be_decided(
    desk: Desk, tmp_path: Path
) -> None:
    def to_decide() -> list[tuple[str, int]]:
        shown = run("club", "status", "--state", tmp_path, "--json").stdout
        return [(each["store"], each["seq"]) for each in json.loads(shown)["proposals"]]

    def key(table: int) -> None:
        first, second = desk.people_at(table)
        with desk.database.write() as writing:
            acts.key_result(writing, WHO, 1, {first: 2, second: 1})

    here, late = (
        result_event(1, desk.people_at(n), game_id=f"g{n}", evening=desk.evening, in_round=1)
        for n in (0, 1)
    )
    desk.send(0, here)
    key(0)
    assert desk.verdicts()["store-0", 1] == (False, "locked")
    assert to_decide() == [], "the organiser has corrected it"
    key(1)
    desk.send(1, late)
    assert to_decide() == [("store-1", 1)]


def test_a_group_beyond_the_last_table_has_its_result_keyed(tmp_path: Path) -> None:
    assert progress(Desk(tmp_path, tables=1)) == ["offline", "unplaced"]


def test_every_progress_has_its_words() -> None:
    assert set(PROGRESS) == set(PROGRESS_WORDS)


@pytest.mark.parametrize("junk", [b"", b"{}", b'{"v":1,"phase":"flying"}', b"\xff" * 70_000])
def test_junk_for_a_state_changes_nothing(desk: Desk, junk: bytes) -> None:
    desk.take(0, b"online", "availability")
    desk.take(0, state(desk, "offered"), "state")
    desk.take(0, junk, "state")
    assert progress(desk) == ["offered", "offline"]


def test_of_a_tables_states_only_what_says_something_new_is_taken_in(desk: Desk) -> None:
    inbox = Inbox()
    turns = [
        state(desk, "started", "playing").replace(b'"n": 7', f'"n": {n}'.encode())
        for n in range(50)
    ]
    for payload in (state(desk, "offered"), *turns, state(desk, "started", "over")):
        inbox.put(topic("table-01", "state"), payload, False)  # the wire's signature
    assert len(inbox.take(0)) == 3
    inbox.forget_states()
    inbox.put(topic("table-01", "state"), state(desk, "started", "over"), True)
    assert len(inbox.take(0)) == 1
