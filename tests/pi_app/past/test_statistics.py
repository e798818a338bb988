"""Statistics: what is counted, of whom, and that no game is played through twice."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pi_app.past.facts as facts_module
from engines.game import Result
from pi_app.past.facts import GameFacts, SeatFacts, board_tags, every_game
from pi_app.past.figures import heat_lines, heat_map, labels, overview_lines, player_lines
from pi_app.past.outcomes import outcome_of
from pi_app.past.statistics import LATEST, statistics, usual_board, wins
from pi_app.store.archive import GameEntry
from pi_app.store.derived import Derived
from pi_app.store.store import Store
from pi_app.table.boards import make_board
from pi_app.texts.language import Texts
from tests.pi_app.pilot import store_games

TWO = '[Game "just4fun"]\n[Players "{} yellow, {} red"]\n'
ROW = TWO + '[Position "yellow 1 14 30; red 2 3 4"]\n12+12\n'
POINTS = TWO + '[Position "yellow left=1 23x3 7x2; red left=0 23x2 7x2 33"]\n12\n'
RUNNING = '[Game "numeri"]\n[Players "{} yellow, {} red"]\n4 6 1 2\n'
MUEHLE = (Path(__file__).parents[3] / "examples/muehle/records/muehle-few-stones.txt").read_text()


def counted(store: Store, derived: Derived | None = None) -> list[GameFacts]:
    return list(every_game(store, derived or Derived(None)))


def stored(*records: str) -> Store:
    store = Store(":memory:")
    store_games(store, *records)
    return store


def game(
    *names: str, won: int | None = 0, starter: int = 0, colours: str = "YRGB", moves: int = 10
) -> GameFacts:
    """Return a game of players with these names; who won sits at `won`."""
    seats = tuple(
        SeatFacts(name, colour, at == won, None, {"9": 2, str(at): 1}, {"9": 1}, at)
        for at, (name, colour) in enumerate(zip(names, colours, strict=False))
    )
    return GameFacts("just4fun", "", "row", moves, None, starter, True, seats)


def test_facts_are_worked_out_of_the_moves() -> None:
    row, points = counted(stored(ROW.format("Anna", "Ben"), POINTS.format("Anna", "Ben")))
    anna, ben = row.seats
    assert (dict(anna.reached), dict(ben.reached)) == ({"24": 1}, {})
    assert (anna.row, anna.won, row.reason, row.starter, row.moves) == (4, True, "row", 0, 1)
    assert [seat.points for seat in points.seats] == [35, 33]


def test_a_field_is_barred_to_whoever_is_two_stones_behind() -> None:
    text = TWO.format("Anna", "Ben") + '[Position "yellow left=2 9; red left=1 33"]\n9 12+12+9 12\n'
    (found,) = counted(stored(text))
    assert dict(found.seats[1].barred) == {"9": 1}
    assert dict(found.seats[0].barred) == {"33": 1}


@pytest.mark.parametrize(
    ("record", "cells", "row"),
    [
        (MUEHLE, {"g7", "a4"}, 0),
        (
            '[Game "einmaleins"]\n[Players "Anna yellow, Ben red"]\n'
            '[Position "yellow 1; red 3; open 28=4x7"]\n36=4x9\n',
            {"36"},
            0,
        ),
    ],
)
def test_every_games_moves_name_its_cells(record: str, cells: set[str], row: int) -> None:
    (found,) = counted(stored(record))
    reached = {cell for seat in found.seats for cell in seat.reached}
    assert found.replayed
    assert cells & reached
    names = labels(Texts("en"), found.game, found.board)
    assert reached <= names.keys()
    (one,) = statistics([found])
    assert one.longest_row[0] == row
    picture = heat_map(Texts("en"), found.game, one.boards, barred=False)
    assert picture is not None
    notes = {cell.name: int(cell.note) for cell in picture.cells if cell.note}
    assert notes == dict(usual_board(one.boards)[1].reached)
    assert max(cell.shade for cell in picture.cells) == 4


def test_a_game_is_played_through_once_until_it_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "games.db")
    store_games(store, ROW.format("Anna", "Ben"), ROW.format("Ben", "Anna"))
    derived = Derived.of_store(store.path)
    first = counted(store, derived)
    played: list[int] = []
    worked_out = facts_module.facts_of

    def noted(store: Store, number: int) -> GameFacts | None:
        played.append(number)
        return worked_out(store, number)

    monkeypatch.setattr(facts_module, "facts_of", noted)
    assert counted(store, Derived.of_store(store.path)) == first
    assert played == []
    store.rewrite(2, ("12+12",), Result(("Ben",), "row", {"rows": [[1, 14, 24, 30]]}))
    assert len(counted(store, derived)) == 2
    assert played == [2]
    derived.close()
    (tmp_path / "games.db.derived").write_bytes(b"spoiled" * 999)
    assert counted(store, derived) == first
    assert played == [2, 1, 2]


def test_what_cannot_be_played_through_counts_without_its_fields() -> None:
    store = Store(":memory:")
    tags = {"Game": "halma", "Players": "Anna yellow, Ben red"}
    broken = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}
    over = Result(("Anna",), "somehow")
    store.add_all(
        [(which, ("nonsense",), "2026-03-01T20:00:00+00:00", over) for which in (tags, broken)]
    )
    for one in statistics(counted(store)):
        assert (one.length.games, one.players["Anna"].won, one.longest_row) == (1, 1, (0, []))
        assert heat_map(Texts("en"), one.game, one.boards, barred=False) is None
        assert overview_lines(Texts("de"), one)
        assert player_lines(Texts("de"), one.players["Anna"])


def test_a_game_that_is_not_installed_any_more_has_figures_without_words() -> None:
    kept = replace(game("Anna", "Ben"), game="halma")
    assert kept.seats[1].row == 1
    (one,) = statistics([kept])
    assert "1 game" in overview_lines(Texts("en"), one)
    assert "favourite: 9 (2×)" in player_lines(Texts("en"), one.players["Ben"])
    assert heat_map(Texts("en"), "halma", one.boards, barred=False) is None
    assert heat_lines(Texts("en"), "halma", one.boards, barred=False)[0] == "9: 4×"


def test_progress_is_told_and_may_stop_it() -> None:
    told: list[tuple[int, int]] = []
    store = stored(*[ROW.format("Anna", "Ben")] * 3)
    list(every_game(store, Derived(None), lambda done, total: told.append((done, total))))
    assert told == [(0, 3), (0, 3), (1, 3), (2, 3)]

    def stop(done: int, _: int) -> None:
        if done:
            raise InterruptedError

    derived = Derived(None)
    with pytest.raises(InterruptedError):
        list(every_game(store, derived, stop))
    told.clear()
    list(every_game(store, derived, lambda done, total: told.append((done, total))))
    assert told == [(0, 3), (1, 3), (2, 3)], "what was worked out before it stopped is kept"


@given(st.data())
def test_a_kept_game_reads_back(data: st.DataObject) -> None:
    texts = st.text(max_size=5)
    counts = st.dictionaries(texts, st.integers(1, 99), max_size=3)
    points = st.none() | st.integers()
    seat = st.builds(
        SeatFacts, texts, texts, st.booleans(), points, counts, counts, st.integers(0, 9)
    )
    one = data.draw(
        st.builds(
            GameFacts,
            texts,
            texts,
            texts,
            st.integers(0, 999),
            st.none() | st.integers(1, 99),
            st.just(0),
            st.booleans(),
            st.lists(seat, min_size=1, max_size=3).map(tuple),
        )
    )
    assert GameFacts.from_bytes(one.as_bytes()) == one


@given(
    st.lists(
        st.tuples(
            st.permutations(["Anna", "Ben", "Clara", "Yellow", "Gelb 2"]),
            st.integers(2, 4),
            st.none() | st.integers(0, 1),
            st.integers(0, 1),
        ),
        max_size=30,
    )
)
def test_counts_are_those_of_somebody_who_looks_at_each_game(
    drawn: list[tuple[list[str], int, int | None, int]],
) -> None:
    played = [
        game(*names[:count], won=won, starter=starter) for names, count, won, starter in drawn
    ]
    found = statistics(played)
    if not played:
        assert found == []
        return
    (one,) = found
    people = {"Anna", "Ben", "Clara"}
    assert one.players.keys() == people & {seat.name for each in played for seat in each.seats}
    for name, player in one.players.items():
        mine = [(each, seat) for each in played for seat in each.seats if seat.name == name]
        course = "".join("W" if seat.won else "." for _, seat in mine)
        assert (player.played, player.won) == (len(mine), course.count("W"))
        assert player.streak.most == max(map(len, course.split(".")))
        assert player.streak.now == len(course) - len(course.rstrip("W"))
        assert player.first == sum(each.seats[each.starter].name == name for each, _ in mine)
        assert player.boards[""].reached["9"] == 2 * len(mine)
    for (first, second), pair in one.pairs.items():
        both = [
            {seat.name: seat.won for seat in each.seats}
            for each in played
            if {first, second} <= {seat.name for seat in each.seats}
        ]
        assert pair.played == len(both)
        assert pair.won == [sum(each[name] for each in both) for name in (first, second)]
    decided = [each for each in played if any(seat.won for seat in each.seats)]
    assert one.decided == len(decided)
    assert one.first_won == sum(each.seats[each.starter].won for each in decided)
    everybody = sum(len(each.seats) for each in played)
    assert one.boards[""].reached["9"] == 2 * everybody


@pytest.mark.parametrize(("took", "minutes"), [(5, None), (60, None), (300, 5)])
def test_a_game_that_was_only_keyed_has_no_length_in_time(took: int, minutes: int | None) -> None:
    entry = GameEntry(
        1,
        "just4fun",
        ("Anna", "Ben"),
        "2026-03-01T20:00:00+00:00",
        f"2026-03-01T20:{took // 60:02}:{took % 60:02}+00:00",
        {"winners": [], "reason": "row"},
        False,
        {"Players": "Anna yellow, Ben red"},
    )
    assert facts_module._minutes(outcome_of(entry)) == minutes


def test_partners_are_no_opponents() -> None:
    both = GameFacts(
        "sequence",
        "",
        "sequences",
        40,
        30,
        0,
        True,
        tuple(
            SeatFacts(name, colour, colour == "blue", None, {}, {}, 5)
            for name, colour in zip("ABCD", ("blue", "green") * 2, strict=True)
        ),
    )
    (one,) = statistics([both])
    partners, rivals = one.pairs["A", "C"], one.pairs["A", "B"]
    assert (partners.played, partners.together, partners.won_together) == (0, 1, 1)
    assert (rivals.played, rivals.won, rivals.together) == (1, [1, 0], 0)
    assert (one.first_won, one.first_share) == (1, 0.5)
    assert one.length.average_minutes == 30.0


def test_the_chart_is_of_the_latest_games_and_of_four_players() -> None:
    chance = Random(3)
    names = ["Anna", "Ben", "Clara", "Dora", "Emil"]
    played = [game(*chance.sample(names[: 4 + (n > 290)], 2)) for n in range(300)]
    (one,) = statistics(played)
    curves = wins(one)
    assert {curve.name for curve in curves} == {"Anna", "Ben", "Clara", "Dora"}
    assert len({curve.colour for curve in curves}) == 4
    for curve in curves:
        latest = [each.seats[0].name == curve.name for each in played[-LATEST:]]
        assert curve.points == tuple(sum(latest[:n]) for n in range(LATEST + 1))
    assert [curve.name for curve in wins(one, ["Emil", "Zoe"])] == ["Emil"]


def test_the_board_that_was_used_most_is_drawn() -> None:
    numbers = list(range(1, 37))
    board = make_board("just4fun", "mine", tuple(map(str, numbers)))
    own = (
        '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n[Board "mine"]\n'
        f'[BoardData "{board.data}"]\n'
        '[Position "yellow 1 2 3; red 20 30"]\n4\n'
    )
    (one,) = statistics(counted(stored(own, own, ROW.format("Anna", "Ben"))))
    name, fields = usual_board(one.boards)
    assert board_tags(name)["Board"] == "mine"
    assert dict(fields.reached) == {"4": 2}
    picture = heat_map(Texts("en"), "just4fun", one.boards, barred=False)
    assert picture is not None
    assert [cell.name for cell in picture.cells[:6]] == ["1", "2", "3", "4", "5", "6"]
    assert heat_lines(Texts("en"), "just4fun", one.boards, barred=False) == ("4: 2×",)


def test_cards_that_are_there_twice_are_told_apart() -> None:
    names = labels(Texts("en"), "sequence", "")
    assert len(set(names.values())) == len(names)
    assert names["r1c2"] == "2♠ r1c2"
    assert labels(Texts("en"), "just4fun", "")["9"] == "9"
    assert labels(Texts("en"), "halma", "") == {}
