"""My tables and practice by keys: what is asked, what is kept, what is shown."""

import pytest

from beisitzer.testing.desk import NOW
from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.displays.terminal_board import board_rows, table_rows
from pi_app.past.times_tables import TASKS, Task, answered, tables_of
from pi_app.screens.keeping.players import PlayerScreen
from pi_app.screens.keeping.times_tables import PracticeScreen, TablesScreen
from pi_app.store.store import Store
from pi_app.table.players import KnownPlayer, keep, known_players
from pi_app.view.frame import Entry, Frame, Signal, Tone
from tests.pi_app.desk import Desk
from tests.pi_app.learnt import learn


def home(*, learning: bool = True, language: str = "en") -> Desk:
    """Return a desk without a game, at which Anna is known, and maybe learns for some weeks."""
    store = Store(":memory:")
    keep(store, [KnownPlayer("Anna")])
    if learning:
        learn(store)
    return Desk(language=language, store=store)


def practising(*, learning: bool = True, language: str = "en") -> Desk:
    desk = home(learning=learning, language=language)
    desk.choose("History", "Players", "Anna", "Practise")
    return desk


def asked(frame: Frame) -> Task:
    """Return the factors that are asked, as they stand there."""
    assert frame.body.entry is not None
    a, b = frame.body.entry.text.partition(" ")[0].split("×")
    return int(a), int(b)


def solve(desk: Desk) -> Frame:
    a, b = asked(desk.frame)
    return desk.key(f"{a * b}#")


def test_practice_is_four_keys_from_home() -> None:
    desk = home()
    at = next(n for n, item in enumerate(desk.frame.body.choices.items, 1) if item == "History")  # type: ignore[union-attr]
    desk.key(f"{at} 4 1 3")
    assert isinstance(desk.program.screen, PracticeScreen)
    assert desk.frame.header.corner == "1/10"


def test_the_ten_weakest_are_asked_and_each_first_answer_is_kept() -> None:
    desk = practising()
    before = tables_of(desk.ctx.store, "Anna")
    expected = before.weakest(NOW)
    seen = []
    for _ in range(10):
        a, b = asked(desk.frame)
        seen.append((min(a, b), max(a, b)))
        solve(desk)
    assert tuple(seen) == expected
    after = tables_of(desk.ctx.store, "Anna")
    for task in TASKS:
        known, now = before.tasks.get(task), after.tasks.get(task)
        if task in expected:
            assert now is not None
            assert now.right == (0 if known is None else known.right) + 1
        else:
            assert now == known
    assert (desk.frame.body.big, desk.frame.body.lines) == ("", ("Right at once: 10 of 10",))


@pytest.mark.parametrize(
    ("language", "first", "end"),
    [
        ("en", "No. Try once more.", "Right at once: 9 of 10"),
        ("de", "Nein. Noch ein Versuch.", "Auf Anhieb richtig: 9 von 10"),
    ],
)
def test_a_wrong_answer_has_a_second_try_then_it_is_told(
    language: str, first: str, end: str
) -> None:
    desk = practising(learning=False, language=language)
    assert asked(desk.frame) == (10, 10)
    frame = desk.key("90#")
    assert frame.body.entry == Entry("10×10 = 90", first, Tone.BAD)
    assert desk.recorder.signals[-1] is Signal.BAD
    frame = desk.key("99#")
    assert (frame.body.big, frame.body.entry) == ("10×10 = 100", None)
    learnt = tables_of(desk.ctx.store, "Anna").tasks[10, 10]
    assert (learnt.right, learnt.wrong) == (0, 2)
    assert asked(desk.key("#")) == (2, 10)
    for _ in range(9):
        solve(desk)
    assert desk.frame.body.lines[0] == end
    assert desk.frame.body.lines[2:] == ("10×10 = 100",)


def test_a_right_second_try_goes_on_and_is_not_right_at_once() -> None:
    desk = practising(learning=False)
    frame = desk.key("90#100#")
    assert frame.header.corner == "2/10"
    assert frame.body.lines == ("Right: 10×10 = 100",)
    learnt = tables_of(desk.ctx.store, "Anna").tasks[10, 10]
    assert (learnt.right, learnt.wrong) == (0, 1)


def test_what_was_wrong_comes_first_in_the_next_round_the_other_way_round() -> None:
    desk = practising(learning=False)
    solve(desk)
    assert asked(desk.frame) == (2, 10)
    desk.key("12#20#")
    for _ in range(8):
        solve(desk)
    assert asked(desk.key("#")) == (10, 2)


def test_leaving_in_mid_round_loses_no_answer() -> None:
    desk = practising(learning=False)
    solve(desk)
    solve(desk)
    desk.key("5")
    desk.key([Key.BACK, Key.BACK, Key.BACK])
    assert isinstance(desk.program.screen, PlayerScreen)
    assert tables_of(desk.ctx.store, "Anna").tasks.keys() == {(10, 10), (2, 10)}


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", ("Right at once: 1 of 2", "Not at once:")),
        ("de", ("Auf Anhieb richtig: 1 von 2", "Nicht auf Anhieb:")),
    ],
)
def test_leaving_in_mid_round_says_how_it_went(language: str, says: tuple[str, ...]) -> None:
    desk = practising(language=language, learning=False)
    solve(desk)
    desk.key("1#")
    frame = desk.key([Key.BACK])
    assert frame.body.lines == (*says, "2×10 = 20")
    desk.key([Key.BACK])
    assert isinstance(desk.program.screen, PlayerScreen)


def test_leaving_before_the_first_answer_leaves_at_once() -> None:
    desk = practising()
    desk.key("5")
    desk.key([Key.BACK, Key.BACK])
    assert isinstance(desk.program.screen, PlayerScreen)


def test_keys_that_mean_nothing_in_practice_change_nothing() -> None:
    desk = practising()
    before = desk.frame
    for keys in ("#", "*", "0", "^", "v", "d2", "?"):
        assert desk.key(keys) == before
        assert desk.recorder.signals[-1] is Signal.BAD
    assert desk.key("123").body.entry == desk.key("4").body.entry


def test_missed_tasks_scroll_at_the_end() -> None:
    desk = practising()
    for _ in range(10):
        desk.key("1#1##")
    assert desk.frame.body.lines[0] == "Right at once: 0 of 10"
    assert len(desk.frame.body.lines) == 12
    assert desk.key("v").body.top == 1
    assert desk.key("^^").body.top == 0


# --- my tables


def tables(desk: Desk) -> Frame:
    return desk.choose("History", "Players", "Anna", "My tables")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ("+ sits: 1", "~ wavers: 1", "- practise: 1", "not asked: 52")),
        ("de", ("+ sitzt: 1", "~ wackelt: 1", "- üben: 1", "neu: 52")),
    ],
)
def test_my_tables_count_and_show_how_each_task_stands(
    language: str, expected: tuple[str, ...]
) -> None:
    desk = home(learning=False, language=language)
    for task, right in (((4, 9), True), ((4, 9), True), ((7, 8), False), ((2, 2), True)):
        answered(desk.ctx.store, "Anna", task, NOW, right=right)
    frame = tables(desk)
    assert frame.body.lines == expected
    assert frame.header.corner == "1/55"
    assert frame.board.picture is not None
    texts = [cell.text for cell in frame.board.picture.cells]
    assert [texts.count(text) for text in ("36+", "56-", "4~")] == [2, 2, 1]


def test_what_sits_wavers_when_days_have_passed() -> None:
    desk = home()
    sits = int(tables(desk).header.corner.partition("/")[0])
    desk.today = NOW.replace(year=NOW.year + 1)
    desk.key("*")
    later = int(desk.frame.header.corner.partition("/")[0])
    assert sits > 20
    assert later == 0


def test_a_tap_on_a_product_tells_about_its_task() -> None:
    desk = home(learning=False)
    for right in (True, False, False):
        answered(desk.ctx.store, "Anna", (7, 8), NOW, right=right)
    tables(desk)
    desk.program.tap("8x7")
    assert desk.frame.body.lines[0] == "7×8 = 56: practise, right 1, wrong 2"
    desk.program.tap("10x10")
    assert desk.frame.body.lines[0] == "10×10 = 100: not asked yet"
    before = desk.frame
    desk.program.tap("nothing")
    assert desk.recorder.signals[-1] is Signal.BAD
    assert desk.frame.body.lines == before.body.lines[1:]


def test_star_shows_how_it_went_day_by_day_and_the_table_again() -> None:
    desk = home()
    table = tables(desk)
    frame = desk.key("*")
    assert frame.board.picture is None
    assert [curve.name for curve in frame.board.curves] == ["sits", "wavers", "practise"]
    history = tables_of(desk.ctx.store, "Anna").history
    assert frame.board.curves[0].points == (0, *(day.sits for day in history))
    assert [seat.score for seat in frame.extras.seats] == [
        str(c.points[-1]) for c in frame.board.curves
    ]
    assert desk.key("*") == table


def test_without_an_answer_there_is_no_course_but_practice() -> None:
    desk = home(learning=False)
    frame = tables(desk)
    assert Key.STAR not in {key.key for key in frame.keys.soft}
    assert desk.key("*").board.curves == ()
    desk.key("#")
    assert isinstance(desk.program.screen, PracticeScreen)
    desk.key("<")
    assert isinstance(desk.program.screen, TablesScreen)


def test_the_oled_tells_every_standing_apart() -> None:
    """Each cell's pixels are those of its shade and no other's."""
    desk = home()
    frame = tables(desk)
    image = paint(frame).to_image().convert("1")
    assert frame.board.picture is not None
    signs: dict[int, set[bytes]] = {}
    for index, cell in enumerate(frame.board.picture.cells):
        row, column = divmod(index, 10)
        x, y = 128 - 50 + 5 * column, 13 + 4 * row
        signs.setdefault(cell.shade, set()).add(image.crop((x, y, x + 4, y + 3)).tobytes())
    assert len(signs) == 4
    assert all(len(pixels) == 1 for pixels in signs.values())
    assert len(set.union(*signs.values())) == 4
    assert all(any(pixels) for shown in signs.values() for pixels in shown)


# --- forgetting


def test_forgetting_somebody_who_learnt_asks_first_and_forgets_all() -> None:
    desk = home()
    desk.choose("History", "Players", "Anna", "Forget")
    assert desk.frame.body.lines == ("What was learnt is forgotten too.",)
    desk.choose("Keep")
    assert desk.frame.header.title == "Anna"
    assert tables_of(desk.ctx.store, "Anna").tasks
    desk.choose("Forget", "Forget")
    assert known_players(desk.ctx.store) == []
    assert tables_of(desk.ctx.store, "Anna").tasks == {}
    assert desk.frame.header.title == "Players"


@pytest.mark.parametrize(("width", "heads"), [(40, 0), (60, 1), (80, 1)])
def test_the_terminal_shows_all_ten_rows_of_ten_numbers_with_their_signs(
    width: int, heads: int
) -> None:
    frame = tables(home())
    assert frame.board.picture is not None
    board = board_rows(frame, width, lambda _, text: text, 10)
    assert (len(board.rows), board.width <= width) == (10 + heads, True)
    assert {len(row) for row in board.rows} == {board.width}
    products = [row[row.find("|") + 1 :] for row in board.rows[heads:]]
    shown = "".join(products).replace(" ", "")
    assert shown == "".join(cell.text for cell in frame.board.picture.cells)
    ends = [row.rindex("0") for row in products]
    assert len(set(ends)) == 1, "numbers stand below each other"


def test_the_table_of_products_has_its_columns_and_rows_numbered_in_a_terminal() -> None:
    picture = tables(home()).board.picture
    assert picture is not None
    heads, *rows = table_rows(picture, 80).rows
    assert heads.split() == [str(column) for column in range(1, 11)]
    assert [row.split("|")[0].strip() for row in rows] == heads.split()
    assert [row.split("|")[1].split()[0].strip("+~!") for row in rows] == heads.split()
    assert heads.index("4") == rows[0].index("4")
    narrow = table_rows(picture, 40)
    assert len(narrow.rows) == 10, "where there is no room, there are no heads"
    assert all(len(row) <= 40 for row in narrow.rows)
