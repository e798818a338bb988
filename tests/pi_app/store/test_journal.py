"""A game is a file: what any bit, any cut and any order of torn writes does to it."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.game import Result
from pi_app.store.disk import Disk, News, number_of
from pi_app.store.game import FORMAT, StoredGame, game_in, name_of
from pi_app.store.journal import Fact, FactLines
from pi_app.store.people import texts_of
from pi_app.store.store import Store
from tests.pi_app.pilot import add_games
from tests.pi_app.store.faults import TAGS, games, play_games

NAME = "0001-just4fun-2026-11-28.jsonl"
FIRST: Fact = {"game": 1, "format": FORMAT, "id": "0" * 32, "at": "2026-11-28", "tags": TAGS}


def facts_of_long_game() -> list[Fact]:
    """Return the facts of a game with every kind of fact, 58 lines long."""
    moves: list[Fact] = [{"n": n, "move": f"{n % 12 + 1}*J"} for n in range(1, 50)]
    return [
        FIRST,
        *moves,
        {"undo": 49},
        {"undo": 48},
        {"redo": 48},
        {"n": 49, "move": "12"},
        {"comments": [[1, "ein Ä in Ruhe"]]},
        {"rewrite": ["5", "6"], "undone": ["7"]},
        {"n": 3, "move": "9", "at": "2026", "result": {"winners": ["Anna"], "reason": "row"}},
        {"what nobody knows yet": {"a": 1}},
    ]


def written(facts: Sequence[Fact], together: int = 1) -> bytes:
    """Return the file's bytes of facts, so many of which are appended together."""
    lines = FactLines()
    for first in range(0, len(facts), together):
        lines.add(facts[first : first + together])
    return lines.data


def added(before: bytes, facts: Sequence[Fact]) -> bytes:
    """Return the bytes with which these facts are added to a file."""
    lines = FactLines(before)
    lines.add(facts)
    return lines.data.removeprefix(before)


def told(data: bytes) -> StoredGame | None:
    return game_in(data, NAME)


def moves_after(facts: Sequence[Fact]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the moves and the undone ones after each number of facts, from none."""
    yield (), ()
    for count in range(1, len(facts) + 1):
        game = told(written(facts[:count]))
        assert game is not None
        yield game.tokens, game.undone


FACTS = facts_of_long_game()
WHOLE = written(FACTS)
MOVES = list(moves_after(FACTS))


def test_every_flipped_bit_is_told_with_its_move_and_changes_none() -> None:
    ends = list(itertools.accumulate(len(line) + 1 for line in WHOLE.split(b"\n")[:-1]))
    for bit in range(8 * len(WHOLE)):
        data = bytearray(WHOLE)
        data[bit // 8] ^= 1 << bit % 8
        game = told(bytes(data))
        assert game is not None
        line = sum(end <= bit // 8 for end in ends)  # the one with the flipped bit
        assert game.damage is not None, bit
        if bit // 8 == len(WHOLE) - 1:  # only the last line's end is wrong
            line += 1
        tokens, undone = MOVES[line]
        assert (game.tokens, game.undone, game.damage) == (tokens, undone, len(tokens) + 1), bit


@pytest.mark.parametrize("together", [1, 3])
def test_a_file_that_ends_anywhere_has_exactly_what_was_confirmed(together: int) -> None:
    whole = written(FACTS, together)
    groups = range(0, len(FACTS), together)
    ends = [0, *(len(written(FACTS[: first + together], together)) for first in groups)]
    for length in range(len(whole) + 1):
        count = min(together * max(i for i, end in enumerate(ends) if end <= length), len(FACTS))
        game = told(whole[:length])
        assert (None if game is None else (game.tokens, game.undone, game.damage)) == (
            (*MOVES[count], None) if count else None
        )


def test_torn_appends_in_any_order_lose_nothing_that_was_confirmed() -> None:
    """Two appends were cut, with a start between them: a sector has old, first or second bytes."""
    confirmed = written(FACTS[:5])
    first = added(confirmed, [{"n": 5, "move": "11", "more": "x" * 90}])
    second = added(confirmed, [{"n": 5, "move": "12"}, {"n": 6, "move": "9", "more": "y" * 70}])
    size, longest = 32, max(len(first), len(second))
    sectors = range(0, longest, size)
    for choice in itertools.product((b"", first, second), repeat=len(sectors)):
        tail = b"".join(
            (source[at : at + size] if source else b"").ljust(size, b"\0")
            for at, source in zip(sectors, choice, strict=True)
        )
        for end in (longest, len(first), len(second)):
            game = told(confirmed + tail[:end])
            assert game is not None
            assert game.tokens[:4] == MOVES[5][0]
            whole_second = tail[: len(second)] == second
            whole_first = tail[: len(first)] == first
            if not whole_first and not whole_second:
                assert game.tokens == MOVES[5][0]


def test_an_append_behind_damage_that_is_cut_anywhere_loses_no_move_before_the_damage() -> None:
    damaged = WHOLE.replace(b'"move":"9*J"', b'"move":"8*J"', 1)
    again = damaged + added(damaged, [{"n": 8, "move": "12"}])
    before = told(damaged)
    assert before is not None
    assert before.damage == 8
    for length in range(len(damaged), len(again)):
        game = told(again[:length])
        assert game is not None
        assert (game.tokens, game.damage) == (before.tokens, 8)
        assert told(again[:length] + added(again[:length], [{"n": 8, "move": "12"}])) == told(again)
    last = told(again)
    assert last is not None
    assert (last.tokens, last.damage) == ((*before.tokens, "12"), None)


@given(st.binary(max_size=300), st.integers(0, len(WHOLE)))
def test_no_bytes_raise_an_error(junk: bytes, at: int) -> None:
    for data in (junk, WHOLE[:at] + junk, WHOLE[:at] + junk + WHOLE[at:]):
        told(data)
        texts_of(FactLines(data, each=True))


@pytest.mark.parametrize("fact", [[], 7, None, {"redo": 1}, {"rewrite": 5}, {"result": {}}])
def test_a_line_that_is_right_and_holds_no_fact_is_damage_or_an_unknown_result(
    fact: object,
) -> None:
    game = told(written([FIRST, {"n": 1, "move": "5"}, fact]))  # type: ignore[list-item]
    assert game is not None
    assert game.damage in (1, 2)


def test_what_nobody_knows_yet_is_kept_and_passed_on_also_behind_a_damage(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(WHOLE + b"damaged\n")
    store = Store(tmp_path)
    before = store.load(1)
    assert before.notes["what nobody knows yet"] == '{"a": 1}'
    store.set_note(1, "more", "x")
    again = Store(tmp_path).load(1)
    assert again == replace(before, damage=None, notes={**before.notes, "more": "x"})


@given(st.text(), st.text(), st.text(alphabet="/\0\n. x"))
def test_any_game_and_any_day_give_a_name_that_can_be_found_again(
    kind: str, began: str, more: str
) -> None:
    name = name_of(17, kind + more, began)
    assert number_of(name) == 17
    assert "/" not in name


@given(st.dictionaries(st.text(min_size=1), st.text()))
def test_any_text_of_a_note_comes_back(notes: dict[str, str]) -> None:
    store = Store(":memory:")
    game = store.begin(TAGS)
    own = {key: text for key, text in notes.items() if key not in FIRST and len(key) > 9}
    for key, text in own.items():
        store.set_note(game, key, text)
    assert {key: store.note(game, key) for key in own} == own


# --- what is remembered


def texts_in(data: bytes) -> dict[str, str]:
    return texts_of(FactLines(data, each=True))


def people(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    store = Store(tmp_path)
    store.remember_all({"players": '[{"name": "Anna"}]', "draft/numeri": '{"a": 1}'})
    for n in range(8):
        store.remember(f"tables/Anna/{n}x7", f'"{n}"')
    store.remember("draft/numeri", "J*")
    texts = {key: store.recall(key) or "" for key in ("players", "draft/numeri")}
    return tmp_path / "people.jsonl", texts | store.recall_under("")


def test_a_bit_that_flips_after_damage_was_told_is_told_too_or_changes_nothing(
    tmp_path: Path,
) -> None:
    file, texts = people(tmp_path / "s")
    damaged = file.read_bytes().replace(b"3x7", b"3x8")
    file.write_bytes(damaged)
    del texts["tables/Anna/3x7"]
    Store(tmp_path / "s")
    whole = file.read_bytes()
    for bit in range(8 * len(whole)):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        lines = FactLines(bytes(data), each=True)
        found = {key: text for key, text in texts_of(lines).items() if text}
        assert found == texts or (lines.damaged and found.items() <= texts.items()), bit
    for length in range(len(damaged), len(whole)):  # the power was cut then
        lines = FactLines(whole[:length], each=True)
        assert (texts_of(lines), lines.damaged) == (texts, True), length


def test_every_flipped_bit_of_what_is_remembered_is_told_and_hides_one_line_only(
    tmp_path: Path,
) -> None:
    file, texts = people(tmp_path / "s")
    whole = file.read_bytes()
    lines = whole.split(b"\n")[:-1]
    without = [texts_in(b"\n".join([*lines[:n], *lines[n + 1 :], b""])) for n in range(len(lines))]
    for bit in range(8 * len(whole)):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        assert FactLines(bytes(data), each=True).damaged
        found = texts_in(bytes(data))
        line = whole[: bit // 8].count(b"\n")
        if whole[bit // 8] == 10:  # two lines became one, or the last one has no end
            pair = texts_in(b"\n".join([*lines[:line], *lines[line + 2 :], b""]))
            assert found in (pair, texts)
        else:
            assert found == without[line], bit


def test_damaged_memory_is_told_once_and_stays_before_what_is_known(tmp_path: Path) -> None:
    file, texts = people(tmp_path / "s")
    damaged = file.read_bytes().replace(b"3x7", b"3x8")
    file.write_bytes(damaged)
    store = Store(tmp_path / "s")
    assert store.news() == [News.FORGOTTEN]
    assert store.recall_under("") == {k: v for k, v in texts.items() if k != "tables/Anna/3x7"}
    assert file.read_bytes().startswith(damaged)
    again = Store(tmp_path / "s")
    assert (again.news(), again.recall_under("")) == ([], store.recall_under(""))


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("act", ["fsync", "replace", ""])
@pytest.mark.parametrize("damaged", [False, True])
def test_compacting_may_end_anywhere_and_loses_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    act: str,
    error: type[BaseException],
    *,
    damaged: bool,
) -> None:
    file, texts = people(tmp_path / "s")
    with closing(Store(tmp_path / "s")) as store:
        for n in range(100):
            store.remember("draft", "x" * 2500 + str(n))
    if damaged:
        file.write_bytes(file.read_bytes().replace(b"3x7", b"3x8"))
        del texts["tables/Anna/3x7"]
        Store(tmp_path / "s").close()  # it tells the damage, and leaves it as it is
    assert file.stat().st_size > 200_000
    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        if act:
            patch.setattr(os if act == "fsync" else Path, act, Mock(side_effect=error("x")))
        Store(tmp_path / "s").remember("late", "y")
    late = {} if act and error is KeyboardInterrupt else {"late": "y"}
    assert (file.stat().st_size < 6000) is not bool(act)
    for _ in range(2):
        again = Store(tmp_path / "s")
        assert again.recall_under("") == texts | late | {"draft": "x" * 2500 + "99"}
        assert file.stat().st_size < 6000


def test_what_is_written_after_a_damage_stands_behind_it_and_the_damage_stays(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path)
    play_games(store)
    store.close()
    (file,) = tmp_path.glob("0001-*")
    before = file.read_bytes()
    damaged = before.replace(b'"7"', b'"8"', 1)
    file.write_bytes(damaged)
    store = Store(tmp_path)
    assert store.load(1).damage == 3
    assert games(store)[1:] == [(("2+3",), ("5",))]
    game_id = store.load(1).game_id
    store.append(1, 2, "11", None)
    assert file.read_bytes().startswith(damaged)
    again = Store(tmp_path).load(1)
    assert (again.tokens, again.damage, again.game_id) == (("5", "6", "11"), None, game_id)
    assert again.notes == {"chairs": '{"Ben": ["club", []]}'}


def test_a_tail_that_was_not_confirmed_goes_with_the_next_move(tmp_path: Path) -> None:
    store = Store(tmp_path)
    game = store.begin(TAGS)
    store.append(game, 0, "5", None)
    (file,) = tmp_path.glob("0001-*")
    confirmed = file.read_bytes()
    file.write_bytes(confirmed + b'12345678 3 {"n":2,"move":"6"')
    store = Store(tmp_path)
    assert store.load(game).tokens == ("5",)
    store.append(game, 1, "7", None)
    assert file.read_bytes().startswith(confirmed + b"")
    assert Store(tmp_path).load(game).tokens == ("5", "7")


def test_a_game_of_a_newer_format_is_told_and_never_written(tmp_path: Path) -> None:
    newer = written([{**FIRST, "format": FORMAT + 1}])
    (tmp_path / NAME).write_bytes(newer)
    store = Store(tmp_path)
    assert store.load(1).newer
    with pytest.raises(KeyError):
        store.append(1, 0, "5", None)
    assert store.begin(TAGS) == 2
    assert (tmp_path / NAME).read_bytes() == newer


def test_a_file_in_the_way_stays_and_the_own_one_is_written_whole(tmp_path: Path) -> None:
    disk, lines, people = Disk(tmp_path), FactLines(written(FACTS[:3])), FactLines(each=True)
    people.add([{"draft": "x"}])
    disk.hold("people.jsonl", people, is_new=True)
    disk.hold(NAME, lines, is_new=True)
    disk.retry()
    (tmp_path / NAME).write_bytes(b"somebody else's" * 90)
    (tmp_path / "people.jsonl").write_bytes(b"somebody's")
    lines.add(FACTS[3:4])
    disk.retry()
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert found == {
        NAME: written(FACTS[:4]),
        NAME.replace("0001", "0002"): b"somebody else's" * 90,
        "people.jsonl": people.data,
        "people.jsonl.other": b"somebody's",
    }
    assert disk.news == [News.GONE, News.WRITTEN]


def test_a_game_that_somebody_copied_into_the_folder_gets_a_number_of_its_own(
    tmp_path: Path,
) -> None:
    for folder in ("one", "other"):
        store = Store(tmp_path / folder)
        store.append(store.begin(TAGS), 0, "5", None)
        store.close()
    (file,) = (tmp_path / "other").glob("0001-*")
    file.rename(tmp_path / "one" / "0001-of-a-friend.jsonl")
    store = Store(tmp_path / "one")
    store.end_check(store.check_index())
    assert [game.id for game in store.list_games()] == [2, 1]
    assert store.begin(TAGS) == 3
    assert len({store.load(number).game_id for number in (1, 2, 3)}) == 3


def test_only_the_first_move_of_a_start_reads_its_games_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store(tmp_path)) as store:
        game = store.begin(TAGS)
    store = Store(tmp_path)
    with monkeypatch.context() as patch:
        read = Mock(wraps=store._disk.read)
        patch.setattr(store._disk, "read", read)
        for n in range(3):
            store.append(game, n, "5", None)
    assert read.call_count == 1
    assert store.load(game).tokens == ("5", "5", "5")


def test_damage_in_a_game_that_was_imported_hides_no_move_before_it(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (game,) = add_games(
        store, [(TAGS, ("5", "6", "7"), "2026-11-28", Result(("Anna",), "points", {}))]
    )
    whole = store.load(game)
    assert (whole.tokens, whole.ended) == (("5", "6", "7"), "2026-11-28")
    (file,) = tmp_path.glob("0001-*")
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(file.read_bytes().replace(b'"6"', b'"8"', 1))
    damaged = Store(tmp_path).load(game)
    assert (damaged.tags, damaged.tokens, damaged.damage) == (TAGS, ("5",), 2)
    for count in range(1, len(lines)):  # a power cut left a part: nothing that waits at the table
        file.write_bytes(b"".join(lines[:count]))
        part = Store(tmp_path).load(game)
        assert (part.tokens, part.damage) == (("5", "6", "7")[: count - 1], None)
        assert Store(tmp_path).waiting_games() == []
