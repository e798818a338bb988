"""Duels of two checkouts: the same luck for both, files that resume, errors in one sentence."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from bench.strength import StrengthError
from bench.strength.__main__ import main
from bench.strength.checkout import digest, prepare
from bench.strength.intervals import interval_of, student
from bench.strength.results import Results
from tests.ai.play_outs import needs_compiled

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "bench.strength"]
WORDS = ["duel", "einmaleins", "--against", ".", "--seconds", "0", "--games", "6", "--plain"]


def lines_of(path: Path) -> list[dict[str, object]]:
    """Return a file's documents without what no two runs have in common: the times."""
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for document in found:
        document.pop("cpu_s", None)
    return found


@pytest.mark.parametrize("game", ["just4fun", "sequence", "numeri", "einmaleins"])
def test_an_ai_against_itself_has_exactly_half_of_every_pair(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both games of a pair have the same luck, and so has the thinking of whoever moves."""
    path = tmp_path / "duel.jsonl"
    words = ["duel", game, "--against", ".", "--seconds", "0", "--games", "4", "--plain"]
    assert main([*words, "--file", str(path)]) == 0
    head, *pairs = lines_of(path)
    assert (head["seed"], head["games"], len(pairs)) == (1, 4, 2)
    for pair in pairs:
        shares, moves = pair["shares"], pair["moves"]
        assert isinstance(shares, list)
        assert isinstance(moves, list)
        assert sum(shares) == 1
        assert moves[0] == moves[1] > 0
    row = capsys.readouterr().out.splitlines()[-1]
    assert row.startswith(f"| {game} | 0 | 4 | 50.0 % |")


def test_equal_seeds_give_equal_games_and_others_give_others(tmp_path: Path) -> None:
    # the sides differ, so that results can differ
    words = [*WORDS, "--their-level", "beginner"]
    for name, seed in (("one", "3"), ("same", "3"), ("other", "4")):
        assert main([*words, "--seed", seed, "--file", str(tmp_path / name)]) == 0
    one, same, other = (lines_of(tmp_path / name) for name in ("one", "same", "other"))
    assert one == same
    assert one[1:] != other[1:]


def test_a_run_that_is_killed_resumes_and_plays_no_seed_twice(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    words = [*WORDS, "--seed", "5"]
    assert main([*words, "--file", str(whole)]) == 0
    with subprocess.Popen([*COMMAND, *words, "--file", str(cut)], cwd=ROOT) as process:
        until = time.monotonic() + 60
        while not cut.exists() or cut.read_bytes().count(b"\n") < 2:
            assert time.monotonic() < until, "no pair was played"
            assert process.poll() is None or cut.exists()
        os.kill(process.pid, signal.SIGKILL)
    played = cut.read_bytes()
    with cut.open("ab") as file:
        file.write(b'{"round": 2, "sha')  # half a line
    assert main([*words, "--file", str(cut)]) == 0
    assert cut.read_bytes().startswith(played[: played.rfind(b"\n") + 1])
    assert lines_of(cut) == lines_of(whole)


def test_a_file_of_another_duel_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "duel"
    assert main([*WORDS, "--file", str(path)]) == 0
    before = path.read_bytes()
    words = [*WORDS, "--file", str(path), "--seed"]
    assert main([*words, "9"]) == 1
    said = capsys.readouterr().err
    assert said.endswith("was begun with seed 1, not 9: name another file, or delete it\n")
    assert path.read_bytes() == before


def test_the_head_is_written_before_the_first_game(tmp_path: Path) -> None:
    path = tmp_path / "new" / "results"
    Results(path, {"seed": 1, "commits": ["a"]})
    assert lines_of(path) == [{"seed": 1, "commits": ["a"]}]
    again = Results(path, {"seed": 1, "commits": ["b"]})  # only for the reader
    kept = again.complete(2, lambda: nullcontext(lambda number: {"shares": [number]}))
    assert kept == [{"round": 0, "shares": [0]}, {"round": 1, "shares": [1]}]
    assert Results(path, {"seed": 1, "commits": ["b"]}).rounds == dict(enumerate(kept))


def rival(folder: Path, lines: str) -> str:
    """Write a checkout whose AI of Einmaleins is these lines; return its folder."""
    room = folder / "ai" / "einmaleins"
    room.mkdir(parents=True)
    (folder / "engines").symlink_to(ROOT / "engines")
    (room / "__init__.py").touch()
    (room / "playouts.py").touch()
    (folder / "ai" / "pace.py").write_text("def is_compiled(module):\n    return False\n", "utf-8")
    (folder / "ai" / "__init__.py").write_text(lines, "utf-8")
    return str(folder)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("raise OSError('no weights')", "stopped: OSError: no weights"),
        ("AI = {}", "stopped: KeyError: 'einmaleins'"),
        (
            "class Broken:\n def choose(*_): raise ValueError('no move')\n"
            "AI = {'einmaleins': Broken()}",
            "stopped: ValueError: no move",
        ),
        (
            "class Move:\n token = '99'\nclass Wrong:\n def choose(*_): return Move\n"
            "print('loud')\nAI = {'einmaleins': Wrong()}",
            "side 2 made a move that is not legal: 99: bad-move",
        ),
    ],
)
def test_a_broken_opponent_is_one_sentence(
    lines: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*WORDS, "--file", str(tmp_path / "duel"), "--against", rival(tmp_path, lines)]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["duel", "numeri", "--against", "no-commit"], "no-commit is neither a folder with an AI"),
        (["duel", "chess", "--against", "."], "chess is no game: name one of"),
        (["duel", "numeri", "--against", ".", "--games", "7"], "7 games are no pairs"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 1
    assert capsys.readouterr().err.startswith(says)


@needs_compiled
def test_a_side_that_is_compiled_is_not_taken_for_a_plain_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "duel",
        "einmaleins",
        "--seconds",
        "0",
        "--games",
        "2",
        "--file",
        str(tmp_path / "duel"),
    ]
    assert main([*words, "--against", rival(tmp_path, "AI = {'einmaleins': None}")]) == 1
    assert "are not compiled" in capsys.readouterr().err


def test_a_commit_is_unpacked_and_compiled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    (tmp_path / "ai").mkdir()
    (tmp_path / "ai" / "__init__.py").write_text("AI = 1\n", "utf-8")
    (tmp_path / "setup.py").write_text("open('built', 'w').write('once')\n", "utf-8")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "First"]):
        subprocess.run([*git, *words], check=True)
    (tmp_path / "ai" / "__init__.py").write_text("AI = 2\n", "utf-8")
    found = prepare("HEAD", "numeri", tmp_path)
    assert (found.folder / "ai" / "__init__.py").read_text("utf-8") == "AI = 1\n"
    assert found.content == digest(found.folder, "numeri") != digest(tmp_path, "numeri")
    (found.folder / "built").write_text("kept", "utf-8")
    assert prepare("HEAD", "numeri", tmp_path) == found
    assert (found.folder / "built").read_text("utf-8") == "kept"
    (tmp_path / "setup.py").write_text("raise SystemExit('no compiler')\n", "utf-8")
    subprocess.run([*git, "commit", "-q", "-am", "Second"], check=True)
    with pytest.raises(StrengthError, match="compiling failed: no compiler"):
        prepare("HEAD", "numeri", tmp_path)


def test_what_another_game_plays_by_does_not_change_a_checkout(tmp_path: Path) -> None:
    before = digest(tmp_path, "numeri")
    for part, changes in (("ai/einmaleins", False), ("ai/numeri", True), ("engines", True)):
        (tmp_path / part).mkdir(parents=True, exist_ok=True)
        (tmp_path / part / "rules.py").touch()
        found = digest(tmp_path, "numeri")
        assert (found != before) is changes
        before = found


def test_the_interval_of_rounds_is_the_one_of_the_table() -> None:
    """Student's t from printed tables; ten rounds worked out by hand."""
    for freedom, printed in ((4, 2.776), (9, 2.262), (19, 2.093), (299, 1.968)):
        assert student(freedom) == pytest.approx(printed, rel=0.003)
    rounds = [1.0] * 4 + [0.5] * 4 + [0.0] * 2
    # mean 0.6, variance (4 * 0.16 + 4 * 0.01 + 2 * 0.36) / 9 = 0.15556, error 0.12472
    assert interval_of(rounds) == pytest.approx((0.6 - 0.2821, 0.6 + 0.2821), abs=1e-3)
    assert interval_of([0.5] * 9 + [1.0]) == pytest.approx((0.4369, 0.6631), abs=1e-3)


def test_rounds_that_are_all_alike_are_no_certainty() -> None:
    low, high = interval_of([1.0] * 10)
    assert (low, high) == pytest.approx((0.6915, 1.0), abs=1e-4)  # Clopper and Pearson's tables
    low, high = interval_of([0.5] * 500)
    assert (low, high) == pytest.approx((0.4963, 0.5037), abs=1e-4)
    assert interval_of([]) == (0, 1)
