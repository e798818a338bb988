"""The evaluation of a game, through keys: after its end and in the history."""

from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from ai.evaluation import Evaluation, Point, Turn
from engines.game import steps
from engines.record import Record, begin, parse
from hardware.keys import Key
from pi_app.displays.terminal_chart import chart_rows
from pi_app.past.evaluation import Evaluations, turn_words
from pi_app.store import Store
from pi_app.system.worker import Worker
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import Curve
from tests.pi_app.pilot import Pilot, at_once, choices_of
from tests.stand_ins.waiting import wait_for

ROOT = Path(__file__).parents[3]
NUMERI = '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
ENDING = NUMERI + '[Position "yellow 1@36; red 6@35 5@37"]\n3 6\n'
MISTAKE = (
    NUMERI + '[Start "Ben"]\n[Position "yellow 1@24 2@28 3@16 4@17 5@13 6@4;'
    ' red 1@31 2@12 3@26 4@11 5@22 6@9"]\n5\n'
)
TEAMS = (
    '[Game "sequence"]\n[Players "Anna blue, Ben green, Cora blue, Dan green"]\n'
    '[Rules "sequences=1"]\n[Position "blue r1c2 r1c3 r1c4; green r8c8"]\n'
)
MUEHLE = (ROOT / "examples/muehle/records/muehle-blocked.txt").read_text("utf-8")


class Kept(Evaluations):
    """Knows what was kept and cannot evaluate anything else."""

    def find(self, table: Table, pace: Callable[[], None] = lambda: None) -> Evaluation:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("ai.evaluation.evaluate", lambda *_: 1 / 0)
            return super().find(table, pace)


class Waiting:
    """A place for work that begins only when a test says so."""

    def __init__(self) -> None:
        self.works: list[Callable[[], None]] = []
        worker = Worker()
        worker.attach(at_once, self.works.append)
        self.evaluations = Kept(worker)

    def keep(self, record: Record, evaluation: Evaluation) -> None:
        self.evaluations.remember(record.tags, record.tokens, evaluation)

    def go_on(self) -> None:
        for work in self.works:
            work()
        self.works.clear()


def evaluation_of(
    *chances: tuple[float, ...], turns: tuple[Turn, ...] = (), band: float = 0
) -> Evaluation:
    points = []
    for move, each in enumerate(chances):
        spreads = tuple(band if 0 < chance < 1 else 0.0 for chance in each) if band else ()
        points.append(Point(move, each, spreads))
    return Evaluation(tuple(points), turns)


def at_the_end(text: str) -> tuple[Pilot, Waiting, Record]:
    """Return a pilot on which the last move of a record was just keyed."""
    record = parse(text)
    pilot = Pilot(dict(record.tags))
    waiting = Waiting()
    pilot.ctx.evaluations = waiting.evaluations
    pilot.play_tokens(record.tokens)
    return pilot, waiting, record


FELL = evaluation_of((0.6, 0.4), (0.52, 0.48), (0.0, 1.0), turns=(Turn(2, 0, 0.52),))


def test_a_result_waits_for_no_course() -> None:
    pilot, waiting, record = at_the_end(ENDING)
    frame = pilot.key("1")
    assert not frame.board.curves
    assert frame.body.lines == ("Thinks ...",)
    waiting.keep(record, FELL)
    waiting.go_on()
    pilot.program.show()
    assert pilot.frame.board.curves


def test_no_key_evaluates_anything() -> None:
    """Whatever is keyed at the end, the loop's own thread only asks."""
    pilot, waiting, _ = at_the_end(ENDING)
    for key in Key:
        pilot.program.press(key)
    assert waiting.works
    assert not any(frame.board.curves for frame in pilot.recorder.frames)


def test_the_loop_shows_the_course_without_a_key_as_soon_as_the_worker_is_done() -> None:
    record = parse(ENDING)
    pilot = Pilot(dict(record.tags))
    pilot.ctx.evaluations = Evaluations(pilot.ctx.worker)
    loop = Thread(target=pilot.program.run, daemon=True)
    loop.start()
    wait_for(lambda: pilot.program.keys.put(Key.DIE3))
    pilot.program.keys.put(Key.DIE6)
    wait_for(lambda: pilot.frame.header.title == "Game over")
    pilot.program.keys.put(Key.D1)
    wait_for(lambda: pilot.frame.board.curves)
    assert pilot.frame.board.curves[1].points[-1] == 100
    pilot.program.keys.stop()
    loop.join(60)
    assert not loop.is_alive()


def test_a_course_that_cannot_be_had_is_one_sentence() -> None:
    pilot, waiting, _ = at_the_end(ENDING)
    pilot.key("1")
    waiting.go_on()
    pilot.program.show()
    assert pilot.frame.body.lines == ("The course could not be worked out.",)
    assert pilot.key("<").header.title == "Game over"
    assert pilot.key("1").body.lines == ("Thinks ...",)


def test_only_where_all_is_open_a_move_is_called_a_mistake() -> None:
    record = parse(MISTAKE)
    start = begin(record)[1]
    moves = steps(start, record.tokens)
    presentation = PRESENTATIONS["numeri"]
    for better, words in (
        (
            "5:1,4",
            "move 1: Ben (5→23), a mistake: Ben's chance fell by 22 percentage points. "
            "Better: 1→32 4→14",
        ),
        ("", ""),
        ("no move", ""),
    ):
        found = turn_words(Texts("en"), presentation, Turn(1, 1, 0.22, better), start, moves)
        assert (found == words) is bool(words)
        assert ("mistake" in found) is bool(words)


def test_a_turning_point_is_a_sentence_also_where_no_card_was_laid() -> None:
    tags = '[Game "einmaleins"]\n[Players "Anna yellow, Ben red"]\n[Start "Ben"]\n[Open "24"]\n'
    record = parse(tags + "d\n")
    start = begin(record)[1]
    moves = steps(start, record.tokens)
    presentation = PRESENTATIONS["einmaleins"]
    said = turn_words(Texts("en"), presentation, Turn(1, 1, 0.22), start, moves)
    assert said == "move 1: Ben (draws a card): Ben's chance fell by 22 percentage points"


def history(text: str, evaluation: Evaluation | None) -> Pilot:
    record = parse(text)
    pilot = Pilot.after(text)
    pilot.ctx.evaluations = Evaluations(Worker())
    if evaluation is not None:
        pilot.ctx.evaluations.remember(record.tags, record.tokens, evaluation)
    pilot.choose("History", "Games")
    return pilot


def test_a_game_that_is_not_over_has_no_course_and_one_that_hides_nothing_has_one() -> None:
    for text, has_course in ((NUMERI + "3 6\n", False), (MUEHLE, True)):
        pilot = history(text, None)
        pilot.key("##")
        choices = choices_of(pilot.frame)
        assert ("The course" in choices.items) is has_course


def test_a_team_has_one_curve_its_band_and_both_names() -> None:
    record = parse(TEAMS + "5S@r1c5\n")
    pilot = history(
        TEAMS + "5S@r1c5\n",
        evaluation_of(
            (0.6, 0.4, 0.6, 0.4), (1.0, 0.0, 1.0, 0.0), turns=(Turn(1, 1, 0.4),), band=0.1
        ),
    )
    assert steps(begin(record)[1], record.tokens)
    pilot.key("##")
    frame = pilot.choose("The course")
    assert frame.board.curves == (
        Curve("Anna and Cora", "blue", (60, 100), "%", (10, 0)),
        Curve("Ben and Dan", "green", (40, 0), "%", (10, 0), (1,)),
    )
    assert "Anna (5♠): Anna and Cora's chance rose by 40 percentage points" in frame.body.lines[1]
    assert frame.body.lines[-1] == "Bands: as far as the unseen hands move it."


CURVES = (
    Curve("Anna", "blue", (50, 70, 100), "%", (10, 10, 0)),
    Curve("Ben", "green", (50, 30, 0), "%", (10, 10, 0), (2,)),
)


def test_the_rows_of_a_course_name_each_move_and_who_made_it() -> None:
    record = parse(ENDING)
    table = Table.begin(Store(":memory:"), record.tags)
    for token in record.tokens:
        table.play(table.judge(token))  # type: ignore[arg-type]
    waiting = Waiting()
    waiting.keep(record, evaluation_of((0.5, 0.5), (0.8, 0.2), (1.0, 0.0)))
    rows = waiting.evaluations.report(Texts("en"), table).rows
    moves = [(row["n"], row["player"], row["move"]) for row in rows if row["name"] == "Anna"]
    played = [(n, each.player.name, each.token) for n, each in enumerate(table.steps, 1)]
    assert moves == [(0, None, None), *played]
    assert [row["chance"] for row in rows if row["name"] == "Anna"] == [0.5, 0.8, 1.0]


def test_a_terminal_shows_bands_as_dots_and_an_arrow_where_it_turned() -> None:
    rows = chart_rows(CURVES, 60, 24)
    assert rows[-1] == "o Anna 100%  x Ben 0%  # = o/x"
    drawn = "\n".join(rows)
    assert "·" in drawn
    assert drawn.count("▼") == 1
    plain = "\n".join(chart_rows((Curve("Anna", "blue", (50, 70, 100)),), 60, 24))
    assert "·" not in plain
    assert "▼" not in plain
