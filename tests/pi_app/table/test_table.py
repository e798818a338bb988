"""What the table shows is what the store holds."""

from pathlib import Path

import pytest

from engines.game import Refusal
from engines.notation import Fault
from engines.record import Note
from pi_app.store import Store
from pi_app.table.revision import revise
from pi_app.table.table import COMMENTS, TIP, Table, comments_of, comments_text

TAGS = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}


def play(table: Table, token: str) -> None:
    move = table.position.parse(token)
    assert not isinstance(move, Refusal)
    table.play(move)


def reloaded(path: Path) -> Table:
    store = Store(path)
    game = store.latest_game()
    assert game is not None
    return Table.resume(store, store.load(game))


def test_a_move_is_in_the_file_when_play_returns(tmp_path: Path) -> None:
    table = Table.begin(Store(tmp_path / "t.db"), TAGS)
    play(table, "5+11+13")
    assert reloaded(tmp_path / "t.db").tokens() == ("5+11+13",)


def test_a_refused_move_leaves_table_and_store_as_they_were(tmp_path: Path) -> None:
    table = Table.begin(Store(tmp_path / "t.db"), TAGS)
    with pytest.raises(Fault):
        play(table, "19+18")
    assert table.tokens() == ()
    assert reloaded(tmp_path / "t.db").tokens() == ()


def test_undo_and_redo_survive_a_restart(tmp_path: Path) -> None:
    table = Table.begin(Store(tmp_path / "t.db"), TAGS)
    for token in ("5", "6", "7", "8"):
        play(table, token)
    table.undo()
    table.undo()
    again = reloaded(tmp_path / "t.db")
    assert (again.tokens(), again.undone) == (("5", "6"), ["7", "8"])
    again.redo()
    assert reloaded(tmp_path / "t.db").tokens() == ("5", "6", "7")
    assert reloaded(tmp_path / "t.db").undone == ["8"]


def test_a_new_move_replaces_what_was_taken_back_but_deletes_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.db")
    table = Table.begin(store, TAGS)
    for token in ("5", "6"):
        play(table, token)
    table.undo()
    play(table, "7")
    assert table.redo() is None
    assert reloaded(tmp_path / "t.db").tokens() == ("5", "7")
    (file,) = (tmp_path / "t.db").glob("0001-*")
    assert [token in file.read_text() for token in ('"5"', '"6"', '"7"')] == [True, True, True]


def test_another_move_takes_the_place_of_the_comment_too_but_a_tip_was_shown() -> None:
    store = Store(":memory:")
    table = Table.begin(store, TAGS)
    game = store.latest_game()
    assert game is not None
    for token in ("5", "6"):
        play(table, token)
    first = Note(1, "a good start")
    notes = (first, Note(2, "a blunder"), Note(2, TIP), Note(3, "later"))
    store.set_note(game, COMMENTS, comments_text(notes))
    table.undo()
    play(table, "7")
    assert comments_of(store, game) == (first, Note(2, TIP))


def test_undo_of_everything_is_the_start_and_says_when_nothing_is_left() -> None:
    table = Table.begin(Store(":memory:"), TAGS)
    for token in ("5", "6", "7"):
        play(table, token)
    for _ in range(3):
        assert table.undo() is not None
    assert table.undo() is None
    assert table.position == table.start


def test_rewriting_the_past_replaces_it_whole_or_not_at_all(tmp_path: Path) -> None:
    table = Table.begin(Store(tmp_path / "t.db"), TAGS)
    for token in ("5", "6"):
        play(table, token)
    with pytest.raises(Fault):
        table.rewrite(["5", "99"])
    assert reloaded(tmp_path / "t.db").tokens() == ("5", "6")
    table.rewrite(["5", "9", "7"])
    assert reloaded(tmp_path / "t.db").tokens() == ("5", "9", "7") == table.tokens()


def test_the_result_is_stored_with_the_move_that_ended_the_game(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.db")
    table = Table.begin(store, TAGS | {"Position": "yellow 1 14 30; red 2"})
    play(table, "12+12")
    assert store.game_on_table() is None
    table.undo()
    assert store.game_on_table() == table.id


def test_a_refused_course_is_not_taken() -> None:
    table = Table.begin(Store(":memory:"), {"Game": "just4fun", "Players": "A yellow, B red"})
    revision = revise(table.start, table.start, ["5", "junk", "99", "6"])
    assert revision.tokens == ("5", "6")
    assert [(item.number, item.refusal.code) for item in revision.casualties] == [
        (2, "bad-move"),
        (3, "unknown-card"),
    ]
