"""The figures on strength: their rows, files that resume, pairs of games, and chances by tenth."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from statistics import mean

import pytest

from ai.match import seat_players
from bench.strength import measure
from bench.strength.__main__ import main
from bench.strength.measure import TENTHS, digest, lines, play_round, rounds_of, tenths
from bench.strength.rows import GREEDY, ROWS, Honesty, Match
from engines import GAMES
from engines.games import SHIPPED

GREEDY_ALONE = Match("einmaleins", 2, "greedy", "greedy", 0.0, 3)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "FOLDER", tmp_path)


def test_every_row_has_a_name_of_its_own_and_a_table_of_players() -> None:
    names = Counter(row.name for row in ROWS)
    assert [name for name, count in names.items() if count > 1] == []
    for row in ROWS:
        assert len(seat_players(GAMES[row.game], row.players).players) == row.players


@pytest.mark.parametrize("game", SHIPPED)
def test_a_game_has_every_kind_of_figure(game: str) -> None:
    own = [row for row in ROWS if row.game == game]
    assert {row.players for row in own if isinstance(row, Honesty)} == {2, 3, 4}
    matches = [row for row in own if isinstance(row, Match)]
    for first, others in (("best", "greedy"), ("best", "club"), ("club", "beginner")):
        players = {row.players for row in matches if (row.first, row.others) == (first, others)}
        assert players == {2, 3, 4}, (first, others)
    assert {0.03, 0.3} <= {row.seconds for row in matches}
    assert game in GREEDY


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", SHIPPED)
def test_who_plays_as_the_others_do_wins_what_is_due(game: str, players: int) -> None:
    row = Match(game, players, "greedy", "greedy", 0.0, 1)
    sides = {player.colour for player in seat_players(GAMES[game], players).players}
    # in each seat once with the same luck
    assert play_round(row, 0, 0) == pytest.approx(1 / len(sides))


def test_a_run_goes_on_where_it_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    path = measure.FOLDER / f"{GREEDY_ALONE.name}-0-{digest('einmaleins')}.jsonl"
    path.write_text("0.25\n0.75\n0.", "utf-8")  # the last line was being written
    played: list[int] = []

    def play(_row: Match, _looks: int, number: int) -> float:
        played.append(number)
        return 0.5

    monkeypatch.setattr(measure, "play_round", play)
    assert rounds_of(GREEDY_ALONE, 0, measure.FOLDER) == [0.25, 0.75, 0.5]
    assert played == [2]
    assert [json.loads(line) for line in path.read_text("utf-8").splitlines()] == [0.25, 0.75, 0.5]
    assert rounds_of(replace(GREEDY_ALONE, rounds=1), 0, measure.FOLDER) == [0.25]
    assert played == [2], "nothing is missing"


def test_another_ai_or_other_rules_have_another_file(tmp_path: Path) -> None:
    names = ("tests/ai/opponents/numeri.py", "ai/search.py", "ai/numeri/model.toml", "engines/x.py")
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", "utf-8")
    known = {digest("numeri", tmp_path)}
    for name in names:
        (tmp_path / name).write_text("changed", "utf-8")
        known.add(digest("numeri", tmp_path))
    assert len(known) == 1 + len(names)


def test_chances_are_compared_by_tenth() -> None:
    pairs = [(0.62, 1.0), (0.68, 0.0), (0.0, 0.0), (1.0, 1.0)]
    found = tenths(pairs)
    assert len(found) == TENTHS
    assert [each.positions for each in found] == [1, 0, 0, 0, 0, 0, 2, 0, 0, 1]
    assert found[6].said == pytest.approx(0.65)
    assert found[6].won == 0.5


@pytest.mark.parametrize("game", SHIPPED)
def test_the_chances_of_all_sides_are_said_and_come_true_together(game: str) -> None:
    pairs = measure.predict(Honesty(game, 3, 1), 0)
    assert len(pairs) % 3 == 0
    for first in range(0, len(pairs), 3):
        said, won = zip(*pairs[first : first + 3], strict=True)
        assert sum(said) == pytest.approx(1)
        assert sum(won) == pytest.approx(1)


def test_a_line_says_the_share_and_its_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "rounds_of", lambda _row, _looks: [0.5, 1.0, 0.5, 1.0])
    (line,) = lines(GREEDY_ALONE, 7)
    assert line == "| `einmaleins-greedy-greedy-2p-0` | 7 | 8 | 75.0 ± 14.4 |"
    monkeypatch.setattr(measure, "rounds_of", lambda _row, _looks: [[[0.62, 1.0], [0.68, 0.0]]])
    (line,) = lines(Honesty("einmaleins", 2, 1))
    assert line == "| `einmaleins-chances-2p` | 60 to 70 | 2 | 65.0 | 50.0 |"


def test_the_command_measures_the_rows_that_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(ROWS)
    assert main(["numeri-best-greedy-2p-0.03", "--rounds", "2", "--looks", "1"]) == 0
    assert "| 1 | 4 |" in capsys.readouterr().out
    assert main(["nothing"]) == 1
    assert "--list" in capsys.readouterr().err


def test_greedy_games_of_one_round_share_their_luck() -> None:
    shares = rounds_of(replace(GREEDY_ALONE, rounds=4), 0, measure.FOLDER)
    assert mean(shares) == pytest.approx(0.5)
