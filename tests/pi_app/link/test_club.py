"""A table in a club: each latest revision counts exactly once, whatever becomes of hub and link."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pi_app.link.contract import HelloAnswer, ResultsAnswer, TableState
from pi_app.link.ends import club, https, pauses
from tests.stand_ins.hub import CUT, CUT_LATER, HANG, FakeHub, HubDisk, Json
from tests.stand_ins.table import RESULT, DirectTable, RunningClub
from tests.stand_ins.waiting import wait_for

OTHER = {"winners": ["Ben"], "reason": "points", "points": {"17": 20, "Ben": 31}}


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pauses be short: a test has no minutes."""
    for module in (pauses, club):
        monkeypatch.setattr(module, "RETRIES_S", (0.01, 0.02, 0.05))
    for name, seconds in {"TWICE_S": 0.2, "JOIN_AGAIN_S": 0.2, "POLL_S": 0.05}.items():
        monkeypatch.setattr(club, name, seconds)


@pytest.fixture
def table(hub: FakeHub) -> DirectTable:
    table = DirectTable()
    table.join(hub)
    return table


@pytest.fixture
def link(hub: FakeHub, table: DirectTable) -> Iterator[RunningClub]:
    link = RunningClub(hub, table)
    yield link
    link.kill()


def sent(hub: FakeHub) -> list[list[Json]]:
    return [facts["results"] for path, facts, _ in list(hub.heard) if path == "/results"]


def wait_until_judged(link: RunningClub) -> None:
    async def waiting() -> int:
        return link.table.outbox.waiting

    link.show()
    # The outbox belongs to the loop's thread: another one may see its list half read, thus empty.
    wait_for(lambda: link.do(waiting) == 0, "all results to be judged")


def expected(table: DirectTable) -> dict[str, int]:
    """Return which revision of each game is the latest, as the hub knows it."""
    outbox = DirectTable(table.store).outbox
    return {each.game_id: each.sent for each in outbox.last_games(1000)}


# --- what is said


def test_a_table_says_hello_on_each_connection_and_its_state_after_it(
    hub: FakeHub, link: RunningClub
) -> None:
    wait_for(lambda: "/news" in hub.paths() and "/state" in hub.paths())
    assert all(paths[0] == "/hello" for paths in hub.accepted if paths)
    facts = [facts for path, facts, _ in hub.heard if path == "/hello"]
    assert len({each["boot"] for each in facts}) == 1
    for _, facts_, headers in list(hub.heard):
        assert headers["Machine"] == "machine-1"
        assert headers["Authorization"] == f"Bearer {hub.disk.token}"
        assert facts_.get("v", 2) == 2
    link.show(game="numeri", phase="playing", players=3)
    wait_for(lambda: hub.heard[-1][1].get("game") == "numeri")
    assert TableState.read(hub.heard[-1][1]).assignment is None


def test_results_go_in_batches_and_each_is_judged_once(hub: FakeHub, table: DirectTable) -> None:
    for _ in range(101):
        table.play()
    link = RunningClub(hub, table)
    wait_until_judged(link)
    link.kill()
    assert [len(batch) for batch in sent(hub)] == [40, 40, 21]
    assert hub.disk.counted() == expected(table)


def test_only_the_highest_revision_is_sent(hub: FakeHub, table: DirectTable) -> None:
    game = table.play()
    for result in (OTHER, None, RESULT, OTHER):
        table.store.end(table.outbox, game, result)
    link = RunningClub(hub, table)
    wait_until_judged(link)
    table.store.end(table.outbox, game, None)
    wait_until_judged(link)
    link.kill()
    (first,), (last,) = sent(hub)
    assert (first["revision"], first["seats"][1]["won"]) == (4, True)
    assert last == {"game_id": first["game_id"], "revision": 5, "withdrawn": True}


# --- what is in the way


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ((401, {"error": "token"}), "token"),
        ((409, {"error": "twice"}), "twice"),
        ((403, {"error": "unconfirmed"}), "unconfirmed"),
        ((410, {"error": "version", "speaks": [3]}), "version"),
        ((429, {"error": "rate"}, {"Retry-After": "0"}), "busy"),
        ((503, {"error": "busy"}, {"Retry-After": "0"}), "busy"),
        ((500, {"error": "fault"}), "fault"),
        ((200, {"v": 2, "hub": "hub-2", "era": "e", "had": 0, "has": 0}), "hub"),
        ((200, {"v": 2, "hub": "hub-1"}), "fault"),
        ((200, {"hub": ["hub-1"], "era": 7, "had": -1, "has": "x"}), "fault"),
    ],
)
def test_what_hello_hears_is_reported_and_until_it_is_over_nothing_else_is_sent(
    hub: FakeHub, table: DirectTable, reply: Any, why: str
) -> None:
    table.play()
    hub.meddle = lambda path, _: reply if path == "/hello" else None
    link = RunningClub(hub, table)
    wait_for(lambda: hub.paths().count("/hello") >= 3)
    assert set(hub.paths()) == {"/hello"}
    assert set(link.reports) == {why}
    hub.meddle = lambda _path, _facts: None
    wait_until_judged(link)
    wait_for(lambda: link.reports[-1] == "")
    link.kill()


@pytest.mark.parametrize("spoil", [(413, {}), (422, {}), (500, {}), (200, {"v": 2}), HANG])
def test_a_batch_that_fails_is_halved_and_a_single_result_goes_behind_all_others(
    hub: FakeHub, table: DirectTable, spoil: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(https, "ANSWER_S", 0.3)
    for _ in range(8):
        table.play()
    poison = table.store.games[3].game_id

    def meddle(path: str, facts: Json) -> Any:
        games = [each["game_id"] for each in facts.get("results", ())]
        return spoil if path == "/results" and poison in games else None

    hub.meddle = meddle
    link = RunningClub(hub, table)
    wait_for(lambda: table.outbox.waiting == 1)
    hub.meddle = lambda _path, _facts: None
    wait_until_judged(link)
    link.kill()
    batches = [[each["game_id"] for each in batch] for batch in sent(hub)]
    alone = batches.index([poison])
    assert [len(batch) for batch in batches[:3]] == [8, 4, 2]
    assert batches[alone : alone + 3] == [[poison]] * 3
    assert poison not in batches[alone + 3]
    assert batches[-1] == [poison]


def test_a_reused_connection_that_breaks_is_used_again_at_once_after_a_hello(
    hub: FakeHub, table: DirectTable, link: RunningClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (pauses, club):
        monkeypatch.setattr(module, "RETRIES_S", (1000.0,))
    wait_until_judged(link)
    wait_for(lambda: link.reports and "/news" in hub.paths())
    for spoiled in (CUT, CUT_LATER):
        once = [spoiled]
        hub.meddle = lambda path, _, once=once: once.pop() if once and path == "/results" else None  # type: ignore[misc]
        table.play()
        wait_until_judged(link)
    assert set(link.reports) == {""}


# --- restored hubs and cards


@pytest.mark.parametrize("era", ["era-2", ""])
def test_a_hub_that_was_restored_gets_everything_once_more(
    hub: FakeHub, table: DirectTable, link: RunningClub, era: str
) -> None:
    table.play()
    wait_until_judged(link)
    old = hub.backup()
    for _ in range(3):
        table.play()
    wait_until_judged(link)
    hub.restore(old, era)
    wait_for(lambda: hub.disk.counted() == expected(table))
    wait_until_judged(link)


def test_results_of_another_hub_stay_until_it_is_joined_again(
    hub: FakeHub, table: DirectTable, link: RunningClub, tmp_path: Path
) -> None:
    table.play()
    wait_until_judged(link)
    link_two = None
    other = FakeHub(tmp_path / "other", HubDisk(hub="hub-2"))
    other.start()
    hub.kill()
    own = table.play()
    link.kill()
    try:
        table.join(other)
        new = table.play()
        link_two = RunningClub(other, table)
        wait_until_judged(link_two)
        assert list(other.disk.counted()) == [table.store.games[new].game_id]
    finally:
        other.kill()
        if link_two is not None:
            link_two.kill()
    table.join(hub)
    assert table.outbox.waiting == 1
    assert table.outbox.results("hub-1", 0, 5).results[0]["game_id"] == (
        table.store.games[own].game_id
    )
    hub.start()
    link.__init__(hub, table)  # type: ignore[misc]  # the fixture ends it
    wait_until_judged(link)


def test_a_card_that_was_rolled_back_numbers_on_above_what_the_hub_holds(
    hub: FakeHub, table: DirectTable
) -> None:
    game = table.play()
    link = RunningClub(hub, table)
    wait_until_judged(link)
    old = deepcopy(table.store)
    for result in (OTHER, RESULT, OTHER):
        table.store.end(table.outbox, game, result)
    wait_until_judged(link)
    link.kill()
    card = DirectTable(old)
    link = RunningClub(hub, card)
    card.store.end(card.outbox, game, None)
    wait_until_judged(link)
    (mine,) = card.outbox.last_games(9)
    assert mine.verdict is not None
    assert (mine.sent, mine.verdict.counts, mine.verdict.highest) == (1, False, 3)
    card.store.end(card.outbox, game, RESULT)
    wait_until_judged(link)
    (mine,) = card.outbox.last_games(9)
    assert (mine.sent, mine.verdict and mine.verdict.counts) == (4, True)
    hub.restore(hub.backup(), "era-2")  # numbers stay when everything is sent again
    wait_until_judged(link)
    wait_for(lambda: card.outbox.last_games(9)[0].sent == 4 and card.outbox.waiting == 0)
    link.kill()
    assert hub.disk.counted() == {mine.game_id: 4}


# --- news


@pytest.mark.usefixtures("link")
def test_news_reach_the_table_and_those_that_are_not_valid_are_ignored(
    hub: FakeHub, table: DirectTable
) -> None:
    wait_for(hub.streams)
    hub.tell("say", {"id": "s1", "text": "Round 4\x1b[2J" + "!" * 700, "for_s": 600})
    seats = [{"seat": 2, "p": None, "show": "Ben"}, {"seat": 1, "p": "p17", "show": "Anna"}]
    for bad in ({"rev": "x"}, {"rev": 2, "round": 3, "evening": "e", "game": "numeri"}, {}):
        hub.tell("seat", bad)
    seat = {"rev": 2, "evening": "e7k2", "round": 3, "game": "numeri", "seats": seats, "team": 1}
    hub.tell("seat", seat)
    hub.tell("standings", {"v": 2})
    hub.tell("say", {"id": "s2", "text": "Last", "for_s": 600})
    hub.tell("say", {"id": "s3", "text": "x", "for_s": -1})
    wait_for(lambda: len(table.told) >= 4)
    assert [kind for kind, _ in table.told] == ["seat", "say", "seat", "say"]
    assert table.told[2][1].assignment.people == ("p17", None)  # type: ignore[attr-defined]


def test_a_verdict_that_was_changed_stands_above_an_answer_that_was_asked_for_earlier(
    hub: FakeHub, table: DirectTable, link: RunningClub
) -> None:
    wait_for(lambda: "/news" in hub.paths())
    game = table.store.games[table.play()].game_id

    def meddle(path: str, facts: Json) -> Any:
        if path != "/results":
            return None
        reply = hub.answer(path, facts, hub.disk.token)
        hub.decide(game, 0, "refused", "organiser")
        wait_for(lambda: table.outbox.last_games(1)[0].verdict)
        return reply

    hub.meddle = meddle
    wait_until_judged(link)
    wait_for(lambda: len(hub.paths()) > 3)
    (mine,) = table.outbox.last_games(1)
    assert mine.verdict is not None
    assert (mine.verdict.verdict, mine.verdict.why) == ("refused", "organiser")


def test_a_stream_that_a_proxy_buffers_is_asked_for_once_in_a_while(
    hub: FakeHub, table: DirectTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(https, "SILENCE_S", 0.05)
    monkeypatch.setattr(https, "ANSWER_S", 0.05)
    hub.meddle = lambda path, _: HANG if path == "/news" else None
    link = RunningClub(hub, table)
    wait_for(lambda: "/news?once" in hub.paths())
    wait_for(lambda: [kind for kind, _ in table.told] == ["seat"] * len(table.told) != [])
    link.kill()


# --- everything at once


def chaos(seed: int, folder: Path) -> None:
    """Play, correct, kill, restore and cut at random; in the end everything counts once."""
    random = Random(seed)
    hub, table = FakeHub(folder), DirectTable()
    hub.start()
    table.join(hub)
    link = RunningClub(hub, table)
    backups = [hub.backup()]
    games: list[int] = []
    spoiled: list[Any] = [CUT, CUT_LATER, (500, {}), (503, {}, {"Retry-After": "0"}), (413, {})]
    spoiled += [(200, {"v": 2}), (409, {"error": "twice"}), (422, {}), (401, {"error": "token"})]
    try:
        for _ in range(40):
            match random.randrange(9):
                case 0:
                    hub.kill()
                    hub.start()
                case 1:
                    backups.append(hub.backup())
                case 2:
                    hub.restore(
                        random.choice(backups), random.choice(["", f"era-{random.random()}"])
                    )
                case 3:
                    link.kill()
                    table.restart()
                    link = RunningClub(hub, table)
                case 4:
                    share = random.choice([0.0, 0.5])
                    hub.meddle = lambda _path, _facts, share=share: (  # type: ignore[misc]
                        random.choice(spoiled) if random.random() < share else None
                    )
                case 5 if games:
                    result = random.choice([RESULT, OTHER, None])
                    table.store.end(table.outbox, random.choice(games), result)
                case _:
                    games.append(table.play())
            link.show()
        hub.meddle = lambda _path, _facts: None

        def is_settled() -> bool:
            link.show()
            return table.outbox.waiting == 0 and hub.disk.counted() == expected(table)

        wait_for(is_settled, f"seed {seed}")
    finally:
        link.kill()
        hub.kill()


@pytest.mark.parametrize("seed", range(4))
def test_each_latest_revision_counts_exactly_once_whatever_happens(
    seed: int, tmp_path: Path
) -> None:
    chaos(seed, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(100, 140))
def test_the_same_all_night(seed: int, tmp_path: Path) -> None:
    chaos(seed, tmp_path)


def test_every_answer_of_the_stand_in_is_one_of_the_contract(hub: FakeHub) -> None:
    """A hub that says something else would prove nothing."""
    result = {"game_id": "g" * 16, "revision": 0, "withdrawn": True}
    _, hello = hub.answer("/hello", {}, hub.disk.token)[:2]
    _, answer = hub.answer("/results", {"results": [result]}, hub.disk.token)[:2]
    assert HelloAnswer.read(hello).has == 0
    assert ResultsAnswer.read(answer).verdicts[0].counts
