"""The store as the link's source: like the companion's socket, while nobody plays."""

from contextlib import closing
from pathlib import Path

import pytest

from pi_app.link.contract import Ack
from pi_app.link.outbox import ClubJoined
from pi_app.link.protocol import LinkSource, LinkSourceError, TableState
from pi_app.link.store_source import StoreSource
from pi_app.store.lock import StoreLock
from tests.pi_app.link.test_outbox import Rig

JOINED = ClubJoined("table-07@club:8883")


def played(path: Path, games: int, *, names: bool = False) -> Path:
    rig = Rig(path, names=names)
    for _ in range(games):
        rig.play()
    rig.store.close()
    return path


def test_what_a_companion_left_is_sent_from_the_store_and_stays_acknowledged(
    tmp_path: Path,
) -> None:
    path = played(tmp_path / "t.db", 3)
    source: LinkSource = StoreSource(path, JOINED)
    state = source.outbox()
    assert (state.last, state.waiting) == (3, 3)
    assert source.news(0) == [state, TableState(waiting=3)]
    assert source.news(0) == []
    answer = source.events(1)
    assert [event["seq"] for event in answer.events] == [1, 2, 3]
    assert source.ack(Ack("hub-2", "other", 3)) == state
    acked = source.ack(Ack("hub-1", answer.store, 2))
    assert acked.waiting == 1
    assert source.news(0) == [acked]
    source.close()
    with closing(StoreSource(path, JOINED)) as again:
        assert again.outbox() == acked


def test_a_store_that_a_companion_uses_is_refused(tmp_path: Path) -> None:
    path = played(tmp_path / "t.db", 1)
    lock = StoreLock(path)
    with pytest.raises(LinkSourceError) as found:
        StoreSource(path, JOINED)
    assert found.value.code == "locked"
    lock.release()
    source = StoreSource(path, JOINED)
    with pytest.raises(LinkSourceError):
        StoreSource(path, JOINED)
    source.close()


def test_a_mistyped_name_becomes_no_store(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with pytest.raises(LinkSourceError) as found:
        StoreSource(path, JOINED)
    assert found.value.code == "store"
    assert not path.exists()


def test_names_that_may_go_no_more_stay(tmp_path: Path) -> None:
    path = played(tmp_path / "t.db", 2, names=True)
    with closing(StoreSource(path, JOINED)) as source:
        assert "Anna" not in str(source.events(1))
