"""Frames on terminals of all sizes: the keys stay in sight, nothing is wider than the terminal."""

import re
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.keys import Key
from pi_app.displays.terminal_board import board_rows, cell_text
from pi_app.displays.terminal_keys import keys_of
from pi_app.displays.text import paint
from pi_app.view.frame import (
    Board,
    Body,
    Cell,
    Choices,
    Entry,
    Extras,
    Frame,
    Header,
    KeySet,
    Mark,
    Picture,
    Token,
    Tone,
    scroll,
    soft,
)
from tests.pi_app.pilot import Pilot, frame_of
from tests.scenes import Scene, scenes

KEYS = soft((Key.ENTER, "play"), (Key.BACK, "back"))


def plain(frame: Frame, columns: int = 80, rows: int = 24) -> list[str]:
    """Return the rows as they would be read without any styles."""
    return [row.rstrip() for row in paint(frame, columns, rows, lambda _, text: text)]


def styled(frame: Frame) -> str:
    return "\n".join(paint(frame, 80, 24, lambda style, text: f"<{style}:{text}>"))


def board(columns: int, rows: int, kind: str = "grid") -> Picture:
    cells = tuple(Cell(str(n), str(n)) for n in range(1, columns * rows + 1))
    return Picture("grid" if kind == "grid" else "track", columns, cells)


FULL = Frame(
    Header("Anna", colour="yellow", corner="yellow"),
    Body(
        big="SEQUENCE",
        lines=tuple(f"Sentence {n} with a few words that fill a row." for n in range(9)),
        entry=Entry("5+11+13", "29 blocked: Ben leads by 2, and this is said at some length here"),
        choices=Choices(tuple(f"choice {n}" for n in range(30)), 17),
    ),
    board=Board(picture=board(10, 10)),
    extras=Extras(details=tuple(f"detail {n}" for n in range(12))),
    keys=KEYS,
)


@pytest.mark.parametrize("columns", [20, 40, 80, 100, 200])
@pytest.mark.parametrize("rows", [6, 10, 16, 24, 30, 60])
def test_any_size_holds_title_and_keys_and_no_more_than_fits(columns: int, rows: int) -> None:
    shown = plain(FULL, columns, rows)
    assert len(shown) <= rows
    assert max(map(len, shown)) <= columns
    assert shown[0].startswith(" Anna")
    assert "[Enter #] play" in "".join(shown)


def test_chosen_item_of_a_long_list_is_always_in_sight() -> None:
    items = tuple(f"move {n}" for n in range(1, 60))
    for selected in range(59):
        shown = plain(Frame(Header("Moves"), Body(choices=Choices(items, selected)), keys=KEYS))
        number = selected + 1
        assert f"> {number:>2} move {number}" in [row.rstrip(" ▲▼") for row in shown]


def test_page_that_fits_is_shown_whole_and_offers_no_scrolling() -> None:
    keys = soft(*KEYS.soft, scroll("more"))
    shown = plain(Frame(Header("Help"), Body(lines=("one", "two", "three"), top=2), keys=keys))
    assert shown[2:5] == ["one", "two", "three"]
    assert "more" not in shown[-1]


def test_page_that_does_not_fit_scrolls_to_its_last_line_and_says_so() -> None:
    lines = tuple(f"line {n}" for n in range(50))
    keys = soft(*KEYS.soft, scroll("more"))
    first = plain(Frame(Header("Help"), Body(lines=lines), keys=keys))
    last = plain(Frame(Header("Help"), Body(lines=lines, top=49), keys=keys))
    assert first[2] == "line 0"
    assert any(row.endswith("▼") for row in first)
    assert first[-1].endswith("[↓ B] more")
    assert "line 49" in last
    assert any(row.endswith("▲") for row in last)


def test_track_breaks_where_the_terminal_ends() -> None:
    shown = plain(Frame(Header("numeri"), board=Board(picture=board(9, 4, "track"))), 20)
    numbers = [int(n) for row in shown[1:] for n in re.findall(r"\d+", row)]
    assert numbers == list(range(1, 37))


def test_last_moves_stand_beside_the_board_where_there_is_room() -> None:
    frame = Frame(
        Header("Anna"),
        board=Board(picture=board(6, 6)),
        extras=Extras(details=("Anna: 7", "Ben: 9")),
    )
    assert any(re.search(r"6 +Anna: 7$", row) for row in plain(frame))
    assert "Anna: 7" in plain(frame, 40)


def whereabouts(scene: Scene, columns: int, rows: int) -> tuple[int, int] | None:
    """Return the row of a scene's whole board and its fourth cell's column; None without one."""
    frame = frame_of(scene, "de")
    picture = frame.board.picture
    if picture is None:
        return None
    picture = picture.turn_back() if picture.turned else picture
    table = [cell for cell in picture.cells if not cell.large or picture.kind == "track"]
    shown = plain(frame, columns, rows)
    begins = ".*?".join(rf"(?<!\S){re.escape(cell.text or '*')}(?!\S)" for cell in table[:4])
    for at, row in enumerate(shown):
        found = re.match(f" ?{begins}", row)
        if at and found:
            whole = " ".join(shown[at:])
            missing = [cell.text for cell in table if cell.text not in whole]
            assert not missing, missing
            return at, found.end()
    raise AssertionError(f"{scene.name} has no board:\n" + "\n".join(shown))


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
@pytest.mark.parametrize("game", ["just4fun", "numeri", "sequence", "einmaleins"])
def test_a_game_is_shown_whole_and_its_board_does_not_jump(
    game: str, columns: int, rows: int
) -> None:
    found = {
        scene.name: place
        for scene in scenes()
        if scene.name.startswith(f"{game}-") and "BoardData" not in scene.tags
        if (place := whereabouts(scene, columns, rows)) is not None
    }
    assert len(found) >= 10
    places = set(found.values())
    assert len(places) == 1, {place: [n for n in found if found[n] == place] for place in places}


def test_the_board_lies_still_and_the_score_keeps_its_order_whoever_is_to_move() -> None:
    pilot = Pilot.game("sequence", "Anna blue, Ben green")
    boards = []
    for keys in ("", "7*1#"):
        rows = board_rows(pilot.key(keys), 80, lambda _, text: text, 30).rows
        boards.append(re.sub(r" [AB] ", "   ", "\n".join(rows)).replace(" ", ""))
    assert boards[0] == boards[1]
    pilot = Pilot.game("numeri", Position="yellow 4@16; red 2@10 3@13 6@17")
    for name, keys in (("Anna", ""), ("Ben", "d4")):
        frame = pilot.key(keys)
        assert frame.header.title == name
        points = ":".join(seat.score for seat in frame.extras.seats)
        assert points.split(":") != points.split(":")[::-1]
        assert plain(frame)[0].endswith(f" {points}")


def test_stones_bear_their_owners_letter_and_colour() -> None:
    cells = (
        Cell("1", "1", tokens=(Token("green", "3", letter="Ü"),), note="5"),
        Cell("2", "2", tokens=(Token("red", "R", 2),), marks=frozenset({Mark.SECURED})),
        Cell("3", "", marks=frozenset({Mark.SELECTED})),
    )
    frame = Frame(Header("Anna"), board=Board(picture=Picture("grid", 3, cells)))
    assert any("1 Ü3 5" in row and "2 [R2]" in row for row in plain(frame))
    assert "<black_on_green:Ü3>" in styled(frame)
    assert "[<white_on_red:R2>]" in styled(frame)
    assert "<reverse: *" in styled(frame)


STONES_IN_A_CELL = {"just4fun": 4, "numeri": 1, "sequence": 1, "einmaleins": 0}
"""How many players' stones one cell of a game can have."""


@cache
def table_of(game: str) -> Picture:
    """Return a game's board as the first scene that has one shows it."""
    begun = (
        frame_of(scene, "en").board.picture
        for scene in scenes()
        if scene.name.startswith(f"{game}-")
    )
    return next(picture for picture in begun if picture is not None)


@given(seed=st.integers(0), width=st.integers(80, 132), room=st.integers(0, 40))
@pytest.mark.parametrize("game", STONES_IN_A_CELL)
def test_however_crowded_a_board_is_a_space_parts_its_cells_and_nothing_is_cut(
    game: str, seed: int, width: int, room: int
) -> None:
    picture = table_of(game)
    chance = Random(seed)

    def stones() -> tuple[Token, ...]:
        count = chance.randint(0, STONES_IN_A_CELL[game])
        if game == "numeri":
            return tuple(Token("red", "6", letter="R") for _ in range(count))
        most = 9 if game == "just4fun" else 1
        return tuple(Token("red", each, chance.randint(1, most)) for each in "ABCD"[:count])

    secured = frozenset({Mark.SECURED})
    crowd = [
        replace(cell, tokens=stones(), marks=secured if chance.random() < 0.3 else cell.marks)
        if cell.name
        else cell
        for cell in picture.cells
    ]
    frame = Frame(Header("Anna"), board=Board(picture=picture.with_cells(crowd)))
    drawn = board_rows(frame, width, lambda _, text: text, room)
    bare = picture.kind == "grid"
    below = [cell for cell in crowd if picture.kind != "cards" or not cell.large]
    expected = [cell_text(cell, bare=bare) for cell in below]
    shown = "".join(drawn.rows).replace(" ", "")
    assert shown.endswith("".join(expected).replace(" ", ""))
    assert max(map(len, drawn.rows)) <= width
    if bare:
        wide = drawn.width // picture.columns
        assert all(set(row[wide - 1 :: wide]) <= {" "} for row in drawn.rows)


def test_open_card_lies_apart_from_the_table_of_cards() -> None:
    cells = (Cell("open", "24", note="4×6", large=True), *(Cell(str(n), str(n)) for n in range(9)))
    shown = plain(Frame(Header("Anna"), board=Board(picture=Picture("cards", 3, cells))))
    assert "[ 24  (4×6) ]" in shown
    assert [row.split() for row in shown if row.startswith(" 3")] == [["3", "4", "5"]]


def test_letters_are_letters_only_while_a_name_is_typed() -> None:
    assert keys_of("b", KeySet()) == (Key.DOWN,)
    assert keys_of("b", KeySet(typing=True)) == (Key.D2, Key.D2, Key.STAR)
    assert keys_of("ß", KeySet(typing=True)) == (*[Key.D7] * 5, Key.STAR)
    assert keys_of("é", KeySet(typing=True)) == ()
    assert keys_of("2", KeySet(typing=True)) == (Key.D2,)


def test_name_screen_says_that_letters_can_be_typed() -> None:
    assert plain(Frame(Header("Name"), keys=replace(KEYS, typing=True)))[-1].endswith("[A-Z]")


def test_what_is_refused_changes_its_line() -> None:
    def bare(_: str, text: str) -> str:
        return text

    keyed, idle = (
        Frame(Header("Anna"), Body(entry=Entry("9*9", "blocked", Tone.BAD))),
        Frame(Header("Anna")),
    )
    assert "> 9*9   blocked" in paint(keyed, 60, 20, bare)
    assert "× 9*9   blocked" in paint(keyed, 60, 20, bare, refused=True)
    assert paint(idle, 60, 20, bare, refused=True)[0].startswith(" × Anna")
