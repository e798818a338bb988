"""My tables and practice by keys: what is asked, what is kept, what is shown."""

from beisitzer.testing.pilot import NOW
from hardware.keys import Key
from pi_app.displays.terminal_board import table_rows
from pi_app.past.times_tables import TASKS, Task, store_answer, tables_of
from pi_app.screens.players_and_settings.players import PlayerScreen
from pi_app.screens.players_and_settings.times_tables import TablesScreen
from pi_app.store import Store
from pi_app.table.players import KnownPlayer, list_players, save_players
from pi_app.view.frame import Entry, Frame, Signal, Tone
from tests.pi_app.learnt import learn
from tests.pi_app.pilot import Pilot, entry_of, picture_of


def home(*, learning: bool = True) -> Pilot:
    """Return a pilot without a game, at which Anna is known, and maybe learns for some weeks."""
    store = Store(":memory:")
    save_players(store, [KnownPlayer("Anna")])
    if learning:
        learn(store)
    return Pilot(store=store)


def practising(*, learning: bool = True) -> Pilot:
    pilot = home(learning=learning)
    pilot.choose("History", "Players", "Anna", "Practise")
    return pilot


def asked(frame: Frame) -> Task:
    """Return the factors that are asked, as they stand there."""
    a, b = entry_of(frame).text.partition(" ")[0].split("×")
    return int(a), int(b)


def solve(pilot: Pilot) -> Frame:
    a, b = asked(pilot.frame)
    return pilot.key(f"{a * b}#")


def test_the_ten_weakest_are_asked_and_each_first_answer_is_kept() -> None:
    pilot = practising()
    before = tables_of(pilot.ctx.store, "Anna")
    expected = before.weakest(NOW)
    seen = []
    for _ in range(10):
        a, b = asked(pilot.frame)
        seen.append((min(a, b), max(a, b)))
        solve(pilot)
    assert tuple(seen) == expected
    after = tables_of(pilot.ctx.store, "Anna")
    for task in TASKS:
        known, now = before.tasks.get(task), after.tasks.get(task)
        if task in expected:
            assert now is not None
            assert now.right == (0 if known is None else known.right) + 1
        else:
            assert now == known
    assert (pilot.frame.body.big, pilot.frame.body.lines) == ("", ("Right at once: 10 of 10",))


def test_a_wrong_answer_has_a_second_try_then_it_is_told() -> None:
    pilot = practising(learning=False)
    assert asked(pilot.frame) == (10, 10)
    frame = pilot.key("90#")
    assert frame.body.entry == Entry("10×10 = 90", "No. Try once more.", Tone.BAD)
    assert pilot.recorder.signals[-1] is Signal.BAD
    frame = pilot.key("99#")
    assert (frame.body.big, frame.body.entry) == ("10×10 = 100", None)
    learnt = tables_of(pilot.ctx.store, "Anna").tasks[10, 10]
    assert (learnt.right, learnt.wrong) == (0, 2)
    assert asked(pilot.key("#")) == (2, 10)
    for _ in range(9):
        solve(pilot)
    assert pilot.frame.body.lines[0] == "Right at once: 9 of 10"
    assert pilot.frame.body.lines[2:] == ("10×10 = 100",)


def test_a_right_second_try_goes_on_and_is_not_right_at_once() -> None:
    pilot = practising(learning=False)
    frame = pilot.key("90#100#")
    assert frame.header.corner == "2/10"
    assert frame.body.lines == ("Right: 10×10 = 100",)
    learnt = tables_of(pilot.ctx.store, "Anna").tasks[10, 10]
    assert (learnt.right, learnt.wrong) == (0, 1)


def test_what_was_wrong_comes_first_in_the_next_round_the_other_way_round() -> None:
    pilot = practising(learning=False)
    solve(pilot)
    assert asked(pilot.frame) == (2, 10)
    pilot.key("12#20#")
    for _ in range(8):
        solve(pilot)
    assert asked(pilot.key("#")) == (10, 2)


def test_leaving_in_mid_round_loses_no_answer() -> None:
    pilot = practising(learning=False)
    solve(pilot)
    solve(pilot)
    pilot.key("5")
    pilot.key([Key.BACK, Key.BACK, Key.BACK])
    assert isinstance(pilot.program.screen, PlayerScreen)
    assert tables_of(pilot.ctx.store, "Anna").tasks.keys() == {(10, 10), (2, 10)}


def test_leaving_before_the_first_answer_leaves_at_once() -> None:
    pilot = practising()
    pilot.key("5")
    pilot.key([Key.BACK, Key.BACK])
    assert isinstance(pilot.program.screen, PlayerScreen)


def test_keys_that_mean_nothing_in_practice_change_nothing() -> None:
    pilot = practising()
    before = pilot.frame
    for keys in ("#", "*", "0", "^", "v", "d2", "?"):
        assert pilot.key(keys) == before
        assert pilot.recorder.signals[-1] is Signal.BAD
    assert pilot.key("123").body.entry == pilot.key("4").body.entry


# --- my tables


def tables(pilot: Pilot) -> Frame:
    return pilot.choose("History", "Players", "Anna", "My tables")


def test_my_tables_count_and_show_how_each_task_stands() -> None:
    pilot = home(learning=False)
    for task, right in (((4, 9), True), ((4, 9), True), ((7, 8), False), ((2, 2), True)):
        store_answer(pilot.ctx.store, "Anna", task, NOW, right=right)
    frame = tables(pilot)
    assert frame.body.lines == ("+ known: 1", "~ shaky: 1", "- practise: 1", "not asked: 52")
    assert frame.header.corner == "1/55"
    texts = [cell.text for cell in picture_of(frame).cells]
    assert [texts.count(text) for text in ("36+", "56-", "4~")] == [2, 2, 1]


def test_what_sits_wavers_when_days_have_passed() -> None:
    pilot = home()
    known = int(tables(pilot).header.corner.partition("/")[0])
    pilot.today = NOW.replace(year=NOW.year + 1)
    pilot.key("*")
    later = int(pilot.frame.header.corner.partition("/")[0])
    assert known > 20
    assert later == 0


def test_a_tap_on_a_product_tells_about_its_task() -> None:
    pilot = home(learning=False)
    for right in (True, False, False):
        store_answer(pilot.ctx.store, "Anna", (7, 8), NOW, right=right)
    tables(pilot)
    pilot.program.tap("8x7")
    assert pilot.frame.body.lines[0] == "7×8 = 56: practise, right 1, wrong 2"
    pilot.program.tap("10x10")
    assert pilot.frame.body.lines[0] == "10×10 = 100: not asked yet"
    before = pilot.frame
    pilot.program.tap("nothing")
    assert pilot.recorder.signals[-1] is Signal.BAD
    assert pilot.frame == before


def test_star_shows_how_it_went_day_by_day_and_the_table_again() -> None:
    pilot = home()
    table = tables(pilot)
    frame = pilot.key("*")
    assert frame.board.picture is None
    assert [curve.name for curve in frame.board.curves] == ["known", "shaky", "practise"]
    history = tables_of(pilot.ctx.store, "Anna").history
    assert frame.board.curves[0].points == (0, *(day.known for day in history))
    assert [seat.score for seat in frame.extras.seats] == [
        str(c.points[-1]) for c in frame.board.curves
    ]
    assert pilot.key("*") == table


# --- forgetting


def test_forgetting_somebody_who_learnt_asks_first_and_forgets_all() -> None:
    pilot = home()
    pilot.choose("History", "Players", "Anna", "Forget")
    assert pilot.frame.body.lines == ("What was learnt is forgotten too.",)
    pilot.choose("Keep")
    assert pilot.frame.header.title == "Anna"
    assert tables_of(pilot.ctx.store, "Anna").tasks
    pilot.choose("Forget", "Forget")
    assert list_players(pilot.ctx.store) == []
    assert tables_of(pilot.ctx.store, "Anna").tasks == {}
    assert pilot.frame.header.title == "Players"


def test_the_table_of_products_has_its_columns_and_rows_numbered_in_a_terminal() -> None:
    picture = picture_of(tables(home()))
    heads, *rows = table_rows(picture, 80).rows
    assert heads.split() == [str(column) for column in range(1, 11)]
    assert [row.split("|")[0].strip() for row in rows] == heads.split()
    assert [row.split("|")[1].split()[0].strip("+~!") for row in rows] == heads.split()
    assert heads.index("4") == rows[0].index("4")
    narrow = table_rows(picture, 40)
    assert len(narrow.rows) == 10, "where there is no room, there are no heads"
    assert all(len(row) <= 40 for row in narrow.rows)


def test_my_tables_are_for_the_display_at_the_table_alone() -> None:
    pilot = home()
    pilot.choose("History", "Players", "Anna")
    assert not pilot.frame.secret
    shown = pilot.choose("My tables")
    assert isinstance(pilot.program.screen, TablesScreen)
    assert shown.secret
    assert pilot.key("*").secret
    assert not pilot.key("<").secret
