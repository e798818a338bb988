"""The figures on strength: their rows, files that resume, and what a copy of ours changes."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import Any

import pytest

from ai.match import Bot
from bench.strength import rows, table
from bench.strength.__main__ import main
from bench.strength.calibration import EVERY
from bench.strength.rows import (
    GAMES,
    ROWS,
    Calibration,
    Goal,
    Match,
    RowFigure,
    StrengthRow,
    Swap,
    at_least,
)
from bench.strength.side import Thinking
from bench.strength.table import file_of, line_of
from engines.einmaleins import DRAW
from tests.ai.opponents.einmaleins import greedy
from tests.ai.play_outs import needs_compiled

ROOT = Path(__file__).parents[3]
SCORE = Thinking(seconds=0.0)
LEARNT = Match("learnt", "einmaleins", 9, seats=("greedy", "greedy", "greedy"))


def draws(position: Any, given: Any, _: Random) -> Any:
    """Win nothing: draw where that is allowed."""
    moves = position.legal(given)
    return DRAW if DRAW in moves else moves[0]


def measure(row: StrengthRow, folder: Path) -> RowFigure:
    return table.measure(row, file_of(row, folder))


def test_every_row_has_a_name_of_its_own_and_whole_rounds() -> None:
    names = Counter(row.name for row in ROWS)
    assert [name for name, count in names.items() if count > 1] == []
    for row in ROWS:
        assert row.games % table.KINDS[type(row)].games_a_round(row) == 0, row.name
        assert row.name.startswith(row.game)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_every_kind_of_figure(game: str) -> None:
    own = [row for row in ROWS if row.game == game]
    assert {type(row) for row in own} == set(table.KINDS)
    matches = [row for row in own if isinstance(row, Match)]
    assert {len(row.seats) for row in matches} == {2, 3, 4}
    thinking = [seat for row in matches for seat in row.seats if isinstance(seat, Thinking)]
    assert {seat.plain for seat in thinking} == {True, False}
    assert game in EVERY


@pytest.mark.parametrize(
    ("goal", "low", "value", "high", "reached", "text"),
    [
        (at_least(50), 50, 55, 60, True, "50"),
        (at_least(50), 49, 55, 61, False, "50"),
        (Goal("low", most=0), -3, 1, 5, True, "at most 0"),
        (Goal("low", most=0), 1, 3, 5, False, "at most 0"),
        (Goal("value", 65, 75), 60, 66, 72, True, "65 to 75"),
        (Goal("value", 65, 75), 74, 77, 80, False, "65 to 75"),
    ],
)
def test_a_goal_is_for_the_figure_or_the_lower_end(
    goal: Goal, low: float, value: float, high: float, reached: bool, text: str
) -> None:
    assert goal.reached(RowFigure(100, value, low, high)) is reached
    assert str(goal) == text


def test_a_row_that_is_stopped_resumes_with_the_rounds_that_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = measure(LEARNT, tmp_path / "whole")
    moves = 0

    def stops(position: Any, given: Any, rng: Random) -> Any:
        nonlocal moves
        moves += 1
        if moves == 250:
            raise KeyboardInterrupt
        return greedy(position, given, rng)

    with monkeypatch.context() as patched:
        patched.setitem(rows.OPPONENTS["einmaleins"], "greedy", stops)
        with pytest.raises(KeyboardInterrupt):
            measure(LEARNT, tmp_path / "cut")
    cut = file_of(LEARNT, tmp_path / "cut").read_bytes()
    assert cut.count(b"\n") > 1, "no round was played before the stop"
    assert measure(LEARNT, tmp_path / "cut") == whole
    again = file_of(LEARNT, tmp_path / "cut").read_bytes()
    assert again.startswith(cut)
    assert again == file_of(LEARNT, tmp_path / "whole").read_bytes()
    monkeypatch.setitem(rows.OPPONENTS["einmaleins"], "greedy", None)  # nobody plays any more
    assert measure(LEARNT, tmp_path / "cut") == whole


def test_greedy_among_greedy_ones_has_its_share_of_every_round(tmp_path: Path) -> None:
    measured = measure(LEARNT, tmp_path)
    assert measured.value == pytest.approx(100 / 3)
    assert measured.low < 100 / 3 < measured.high
    line = line_of(LEARNT, measured)
    assert line.startswith("| `learnt` | 9 | 33.3 % |")


@pytest.mark.parametrize(("copy", "kind"), [(greedy, False), (draws, True)])
def test_a_copy_that_is_kind_to_its_original_is_noticed(
    copy: Bot, kind: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # made in this order: the one alone, then twice one with its copy, in either place
    made: Iterator[Bot] = iter([greedy, greedy, copy, greedy, copy])
    monkeypatch.setattr(table, "make_bot", lambda *_: next(made))
    monkeypatch.setattr(table, "is_compiled", lambda _: True)
    row = Swap("copy", "einmaleins", 90, Goal("low", most=0.0))
    measured = measure(row, tmp_path)
    assert row.goal is not None
    assert row.goal.reached(measured) is not kind, measured


@needs_compiled
@pytest.mark.parametrize("game", GAMES)
def test_ours_gains_nothing_from_a_copy_of_itself(game: str, tmp_path: Path) -> None:
    """The same few games every time; the table has the hundreds."""
    row = Swap(f"{game}-copy", game, 48, thinking=Thinking(seconds=0.001))
    measured = measure(row, tmp_path)
    assert measured.low <= 0, measured


def test_calibration_is_a_row_without_an_interval(tmp_path: Path) -> None:
    row = Calibration("einmaleins-calibration", "einmaleins", 2, Goal("value", most=100))
    measured = measure(row, tmp_path)
    assert 0 < measured.value == measured.low == measured.high
    assert line_of(row, measured).endswith("points |  | at most 100 | reached |\n")


def test_rows_are_picked_by_names_or_their_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "--list", "numeri-greedy-3p-0.02", "sequence-copy"]) == 0
    listed = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == ["numeri-greedy-3p-0.02", "sequence-copy-3p-0.02", "sequence-copy-4p-0.02"]
    assert main(["table", "--list", "sequence-greedy-0"]) == 0  # not its other times
    assert capsys.readouterr().out == "sequence-greedy-0: 1000 games\n"
    assert main(["table", "chess"]) == 1
    assert capsys.readouterr().err == "no row is called chess: --list names all\n"


def test_a_row_that_cannot_be_measured_is_a_sentence_and_takes_no_other_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = rows.AgainstCommit("numeri-lost", "numeri", 2, thinking=SCORE, commit="no-commit")
    monkeypatch.setattr("bench.strength.__main__.ROWS", (lost, LEARNT))
    monkeypatch.setattr(table.file_of, "__defaults__", (tmp_path,))
    assert main(["table"]) == 1
    said = capsys.readouterr()
    assert "| `learnt` | 9 | 33.3 % |" in said.out
    assert said.err.startswith("numeri-lost: no-commit is neither a folder with an AI nor a commit")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_table_ends_at_once_and_says_how_to_go_on(jobs: str, tmp_path: Path) -> None:
    """The signal of Ctrl-C goes to all processes of a terminal."""
    names = ["einmaleins-greedy-0.02-plain", "sequence-greedy-0.02-plain"]
    command = [sys.executable, "-m", "bench.strength", "table", *names, "--jobs", jobs]
    (tmp_path / "build").mkdir()
    for part in ("ai", "bench", "engines", "tests"):
        (tmp_path / part).symlink_to(ROOT / part)
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=PIPE, stderr=PIPE, text=True, start_new_session=True
    ) as process:
        until = time.monotonic() + 60
        while not any(path.read_bytes().count(b"\n") > 1 for path in tmp_path.rglob("*.jsonl")):
            assert time.monotonic() < until, "no game was played"
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert said == "stopped; the same command goes on\n"
    assert process.returncode == 130
