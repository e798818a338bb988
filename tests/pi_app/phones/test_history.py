"""The history on a phone: pages of games, one game with its points."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from ai.evaluation import Evaluation, Point, Turn
from engines.game import Result
from engines.record import parse
from pi_app.past.evaluation import Evaluations
from pi_app.phones import history
from pi_app.phones.history import game_data, page_data
from pi_app.store import GameEntry, Store, index
from pi_app.store.journal import FactLines
from pi_app.system.worker import Worker
from pi_app.texts.language import Texts
from tests.pi_app.phones.client import table
from tests.pi_app.pilot import PlayedElsewhere, add_games, store_games

J4F = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n\n5+11+13 9 12\n'


def test_the_latest_games_are_listed_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "GAME_LIMIT", 20)
    with table() as opened:
        store_games(opened.ctx.store, *[J4F.replace("Ben", f"Ben{n}") for n in range(25)])
        with opened.phone() as client:
            first = client.own("history")
    began = datetime(2026, 3, 25, 12, tzinfo=UTC).astimezone()
    assert len(first["games"]) == 20
    assert first["games"][0] == {
        "id": 25,
        "game": "Just 4 Fun",
        "day": f"25 Mar 2026, {began:%H:%M}",
        "players": "Anna, Ben24",
        "over": False,
        "result": "not finished",
    }


def test_a_game_is_told_with_its_points() -> None:
    with table() as opened:
        store_games(opened.ctx.store, J4F)
        with opened.phone() as client:
            game = client.own("game", game=1)
            assert client.own("game", game=2)["error"] == "none"
    assert [curve["name"] for curve in game["curves"]] == ["Anna", "Ben"]
    assert len(game["curves"][0]["points"]) == 4


OVER = (
    '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow 1@36; red 6@35 5@37"]\n3 6\n'
)


def test_a_game_says_how_it_went() -> None:
    with table() as opened:
        opened.ctx.evaluations = Evaluations(Worker())
        store_games(opened.ctx.store, OVER, J4F)
        record = parse(OVER)
        points = [Point(at, (0.4, 0.6)) for at in range(len(record.tokens) + 1)]
        evaluation = Evaluation(tuple(points), (Turn(1, 0, 0.3),))
        opened.ctx.evaluations.remember(record.tags, record.tokens, evaluation)
        with opened.phone() as client:
            assert client.own("game", game=2)["course"] is None
            known = client.own("game", game=1)["course"]
    assert known["title"] == "Chances in %"
    assert known["curves"][0]["points"] == [40, 40, 40]
    assert known["curves"][0]["turns"] == [1]
    assert "Anna's chance fell by 30 percentage points" in known["lines"][1]


STRANGE = "A\u202e\x1b\0"
SEEN = "A???"


def played_strangely() -> PlayedElsewhere:
    """Return a finished game of somebody whose name no display can show."""
    tags = {"Game": "numeri", "Players": f"{STRANGE} yellow, Ben red"}
    return tags, ("3", "6"), "2026-03-01T12:00:00+00:00", Result((STRANGE,), "conceded")


def texts_of(value: object) -> Iterator[str]:
    """Yield every text in what was answered."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_of(part)


def test_what_no_display_can_show_reaches_no_phone() -> None:
    tags = {"Game": "numeri", "Players": f"{STRANGE} yellow, Ben red"}
    with table(tags) as opened:
        add_games(opened.ctx.store, [played_strangely()])
        with opened.phone() as client:
            (listed,) = client.own("history")["games"]
            game = client.own("game", game=listed["id"])
            told = client.own("statistics")
            seats = client.ask("seats")["seats"]
    assert listed["players"] == f"{SEEN}, Ben"
    assert game["curves"][0]["name"] == SEEN
    assert any(SEEN in line for report in told["reports"] for line in report["lines"])
    assert seats[0]["name"] == SEEN
    for text in texts_of([listed, game, told, seats]):
        assert text.isprintable(), repr(text)


@pytest.mark.parametrize("fields", [{"game": -1}, {"game": "1"}, {"game": 2**60}, {}])
def test_what_is_no_number_is_refused(fields: dict[str, object]) -> None:
    with table() as opened, opened.phone() as client:
        assert client.own("game", **fields)["error"] == "bad"


def test_a_very_long_game_is_told_without_its_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOVE_LIMIT", 2)
    store = Store(tmp_path / "games")
    store_games(store, J4F)
    found = game_data(Texts("en"), store, 1)
    assert found is not None
    assert found["curves"] == []
    assert found["result"]


def test_a_table_that_keeps_nothing_has_the_history_of_this_run() -> None:
    nothing = {"games": [], "statistics": ""}
    store = Store(":memory:")
    assert page_data(Texts("de"), store) == nothing
    assert game_data(Texts("de"), store, 1) is None
    store_games(store, J4F)
    assert len(page_data(Texts("de"), store)["games"]) == 1


def test_a_damaged_and_a_newer_game_say_so_in_the_list_and_on_their_pages(tmp_path: Path) -> None:
    store = Store(tmp_path / "games")
    store_games(store, J4F)
    store.close()
    (file,) = (tmp_path / "games").glob("0001-*")
    file.write_bytes(file.read_bytes().replace(b'"n":2', b'"n":3'))
    newer = FactLines()
    newer.add([{"game": 2, "format": 2}])
    (tmp_path / "games" / "0002-halma-2031-01-01.jsonl").write_bytes(newer.data)
    store, tx = Store(tmp_path / "games"), Texts("en")
    store.check_index()
    rows = page_data(tx, store)["games"]
    assert [row["result"] for row in rows] == ["by a newer program", "damaged at move 2"]
    for number, row, points in ((2, rows[0], []), (1, rows[1], [0, 29])):
        told = game_data(tx, store, number)
        assert told is not None
        assert told["result"] == row["result"]
        assert [curve["points"] for curve in told["curves"][:1]] == ([points] if points else [])


def test_a_history_that_takes_long_delays_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = Event(), Event()

    def slow(*_: object) -> dict[str, object]:
        begun.set()
        go_on.wait(60)
        return {"games": []}

    monkeypatch.setattr("pi_app.phones.history.page_data", slow)
    tags = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}
    with table(tags) as opened, opened.phone() as phone, opened.phone() as reader:
        asked = {"kind": "history", "id": "h", "token": reader.token}
        reader.send((json.dumps(asked).encode() + b"\n") * 20)
        assert begun.wait(60)
        phone.keys("5", "ENTER")
        assert opened.tokens() == ("5",)
        busy = reader.until(lambda line: line["kind"] == "answer")
        assert busy["error"] == "busy"
        go_on.set()
        assert reader.until(lambda line: line.get("ok") is True)["games"] == []


WON = (
    '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow 9 33; red 1 14 30"]\n9 12+12\n'
)


def test_statistics_are_told_of_each_game() -> None:
    with table() as opened, opened.phone() as client:
        assert client.own("statistics")["text"] == "No game was finished yet."
        store_games(opened.ctx.store, WON, WON, J4F)
        assert client.own("history")["statistics"] == "Statistics"
        told = client.own("statistics")
    (report,) = told["reports"]
    assert (report["title"], report["lines"][0]) == ("Just 4 Fun", "2 finished games")
    assert "Ben won 2 of 2 games (100 %)." in report["lines"]


def test_the_table_uses_its_lists_while_a_phone_looks_at_all_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each look at all games would keep a key waiting."""
    counted: list[int] = []
    with table() as opened, ThreadPoolExecutor(1) as loop:
        store_games(opened.ctx.store, WON)
        read = index._entry_of

        def read_slowly(row: tuple[object, ...]) -> GameEntry:
            counted.append(loop.submit(opened.ctx.store.count_games).result(20))
            return read(row)

        monkeypatch.setattr(index, "_entry_of", read_slowly)
        with opened.phone() as client:
            assert client.own("statistics")["reports"]
    assert counted == [1]
