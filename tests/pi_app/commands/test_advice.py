"""`beisitzer advise`, `analyse` and `match`, as people and programs call them."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image

from ai.evaluation import Evaluation, Point, Turn
from ai.match import BotError
from engines.game import Refusal
from engines.record import parse
from pi_app.commands import match as match_module
from pi_app.past.evaluation import content_key, store_evaluation, stored_evaluation
from pi_app.store.derived import Derived
from pi_app.store.store import Store
from tests.pi_app.commands.called import lines, refused, run
from tests.pi_app.pilot import store_games

PROGRAM = (sys.executable, "-m", "pi_app")
J4F = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
NUMERI = '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n[Position "red 6@36 5@37"]\n'
ENDING = NUMERI.replace("red 6@36 5@37", "yellow 1@36; red 6@35 5@37")


def test_advice_is_three_moves_with_chance_and_reasons() -> None:
    text = J4F + '[Position "yellow 1x2 14x2 30x2; red 7x1"]\n'
    words = ["advise", "-", "--hand", "12,12,9,3", "--seconds", "0.01"]
    said = run(*words, "--lang", "en", text=text).stdout.splitlines()
    assert said[0] == "Best for Anna:"
    assert len(said) == 4
    assert said[1].split(maxsplit=2) == ["12+12", "100%", "Wins with the row 1, 14, 24, 30."]
    told = lines(run(*words, "--json", text=text))[0]
    assert told["player"] == "Anna"
    assert told["best"][0]["reasons"] == [{"reason": "wins-row", "row": [1, 14, 24, 30]}]
    assert [best["move"] for best in told["best"]] == [line.split()[0] for line in said[1:]]


def test_an_analysis_is_a_line_a_move_then_the_turning_points() -> None:
    text = ENDING + "3 6\n"
    told = lines(run("analyse", "-", "--json", "--tries", "20", text=text))
    assert [line.get("n") for line in told] == [0, 1, 2, None]
    assert told[2]["chances"] == {"Anna": 0, "Ben": 1}
    assert told[2]["errors"] == {"Anna": 0, "Ben": 0}
    assert {turn["whose"] for turn in told[3]["turning_points"]} <= {"Anna", "Ben"}
    said = run("analyse", "-", "--tries", "20", "--lang", "en", text=text).stdout.splitlines()
    assert said[2].split() == ["2", "Ben", "6", "Anna", "0%,", "Ben", "100%"]
    assert len(said) == 3 + len(told[3]["turning_points"])


def test_an_analysis_names_whose_chance_fell() -> None:
    text = J4F + '[Position "yellow 1x2 14x2 30x2; red 33x2 11x2 9x2"]\n8 3+9+12\n'
    said = run("analyse", "-", "--tries", "40", "--lang", "en", text=text).stdout.splitlines()
    assert said[-1].startswith("move 1: Anna (8): Anna's chance fell by ")
    assert said[-1].endswith(" percentage points")


def test_an_analysis_of_a_win_that_all_expected_names_no_turning_point() -> None:
    text = J4F + '[Position "yellow 1x2 14x2 30x2; red 7x1"]\n9 8 3+9+12\n'
    said = run("analyse", "-", "--tries", "40", "--lang", "en", text=text).stdout.splitlines()
    assert said[-1].split()[:3] == ["3", "Anna", "3+9+12"]


def test_an_analysis_calls_a_worse_move_a_mistake_where_all_is_open() -> None:
    text = NUMERI.replace(
        "red 6@36 5@37",
        "yellow 1@24 2@28 3@16 4@17 5@13 6@4; red 1@31 2@12 3@26 4@11 5@22 6@9",
    )
    text = text.replace("[Position", '[Start "Ben"]\n[Position') + "5\n"
    told = lines(run("analyse", "-", "--json", "--tries", "200", text=text))[-1]["turning_points"]
    assert [turn.get("better") for turn in told] == ["5:2,3"]
    said = run("analyse", "-", "--tries", "200", "--lang", "en", text=text).stdout.splitlines()[-1]
    assert "a mistake:" in said
    assert said.endswith("Better: 2→14 3→27")


SEQUENCE = (
    '[Game "sequence"]\n[Players "Anna blue, Ben green"]\n[Rules "sequences=1"]\n'
    '[Position "blue r1c2 r1c3 r1c4; green r8c8"]\n5S@r1c5\n'
)


def test_an_analysis_of_hands_has_spreads_and_never_a_mistake() -> None:
    told = lines(run("analyse", "-", "--json", "--tries", "20", text=SEQUENCE))
    assert set(told[0]["spreads"]) == {"Anna", "Ben"}
    assert told[1]["spreads"] == {"Anna": 0, "Ben": 0}
    said = run("analyse", "-", "--tries", "20", "--lang", "de", text=SEQUENCE).stdout
    assert "Fehler" not in said


def test_an_analysis_is_drawn_with_its_words(tmp_path: Path) -> None:
    shapes = []
    for text in (ENDING + "3 6\n", SEQUENCE):
        picture = tmp_path / "new" / "chances.png"
        assert run("analyse", "-", "--tries", "20", "--picture", str(picture), text=text).stdout
        with Image.open(picture) as image:
            shapes.append(image.size)
    assert all(width == 960 and height > 540 for width, height in shapes)
    (tmp_path / "file").touch()
    failed = run("analyse", "-", "--tries", "20", "--picture", f"{tmp_path}/file/x.png", text=text)
    assert failed.exit_code == 2
    assert failed.stderr.count("\n") == 1


def test_what_was_found_out_of_a_game_is_not_worked_out_again(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    record = parse(ENDING + "3 6\n")
    points = tuple(Point(at, (0.25, 0.75), (0.1, 0.1)) for at in range(3))
    known = Evaluation(33, points, (Turn(2, 0, 0.5),))
    derived = Derived.of_store(store)
    store_evaluation(derived, content_key(record.tags, record.tokens), known)
    words = ["analyse", "-", "--json", "--store", str(store)]
    for more, kept in (((), True), (("--tries", "33"), True), (("--tries", "20"), False)):
        told = lines(run(*words, *more, text=ENDING + "3 6\n"))
        assert (told[0]["chances"] == {"Anna": 0.25, "Ben": 0.75}) is kept
    told = lines(run(*words, "--seed", "2", text=ENDING + "3 6\n"))
    assert told[0]["chances"] != {"Anna": 0.25, "Ben": 0.75}


def test_analyse_closes_the_file_of_what_was_worked_out(
    tmp_path: Path, open_databases: Callable[[], int]
) -> None:
    path = tmp_path / "games.db"
    Derived.of_store(path).put("kind", 1, "key", b"value")  # there is a file to look into
    before = open_databases()
    run("analyse", "-", "--tries", "20", "--store", str(path), text=SEQUENCE)
    assert open_databases() == before


def test_what_is_worked_out_of_a_stored_game_is_kept_for_the_companion(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    record = parse(ENDING + "3 6\n")
    words = ["analyse", "-", "--json", "--store", str(path)]
    key = content_key(record.tags, record.tokens)
    assert run(*words, text=ENDING + "3 6\n").exit_code == 0
    assert not list(tmp_path.iterdir())
    store = Store(path)
    store_games(store, ENDING + "3 6\n")
    store.close()
    for text, more in ((ENDING + "3\n", ()), (ENDING + "3 6\n", ("--tries", "20"))):
        assert run(*words, *more, text=text).exit_code == 0
    assert stored_evaluation(Derived.of_store(path), key) is None
    told = lines(run(*words, text=ENDING + "3 6\n"))
    kept = stored_evaluation(Derived.of_store(path), key)
    assert kept is not None
    assert kept.points[0].chances == tuple(told[0]["chances"].values())


@pytest.mark.parametrize("wins", [0, 3, 7, 10])
def test_a_match_prints_its_interval_from_the_lower_to_the_higher_share(
    wins: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = [[1.0, 0.0]] * wins + [[0.0, 1.0]] * (10 - wins)
    monkeypatch.setattr(match_module, "play_matches", lambda *_: iter(shares))
    words = ("match", "numeri", "best", "random", "--games", "10")
    told = lines(run(*words, "--json"))
    printed = run(*words, "--lang", "en").stdout.splitlines()
    for line, text in zip(told, printed, strict=True):
        assert line["low"] < line["high"]
        share, low, high = (f"{100 * line[name]:.1f} %" for name in ("won", "low", "high"))
        assert re.split(r"  +", text)[2] == share
        assert text.endswith(f"({low} – {high})")


@pytest.mark.parametrize("seat", [0, 1])
def test_of_several_bots_the_one_is_named_whose_move_was_illegal(
    seat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: object) -> Iterator[list[float]]:
        yield [1.0, 0.0]
        raise BotError(seat, Refusal("unreadable", "xyz"))

    monkeypatch.setattr(match_module, "play_matches", play)
    said = refused("match", "numeri", "best", "random", "--games", "2", "--lang", "en")
    assert said.startswith(f"beisitzer: xyz by {('best', 'random')[seat]} is not legal: ")


def test_a_match_says_on_a_terminal_alone_how_many_games_are_played() -> None:
    words = [*PROGRAM, "match", "numeri", "random", "random", "--games", "3", "--lang", "en"]
    line, far = pty.openpty()
    with os.fdopen(line, "rb", buffering=0) as seen:
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=far) as process:
            os.close(far)
            shares, _ = process.communicate(timeout=60)
        shown = b""
        with suppress(OSError):  # the far end of a terminal that is closed
            while more := seen.read(4096):
                shown += more
    counted = [b"%d of 3 games played" % played for played in range(3)]
    assert shown == b"".join(b"\r\x1b[K" + text for text in [*counted, b""])
    piped = subprocess.run(words, capture_output=True, timeout=60, check=True)
    assert (piped.stdout, piped.stderr) == (shares, b"")


def test_a_bot_of_ones_own_is_a_callable_of_a_module_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = "def first(position, given, rng):\n    return position.legal(given)[0].token\n"
    (tmp_path / "own_bot.py").write_text(bot, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    said = run("match", "einmaleins", "own_bot:first", "random", "random", "--games", "3")
    assert said.stdout.splitlines()[0].startswith("1  own_bot:first ")


@pytest.mark.parametrize(
    "words",
    [
        ("chess", "best", "best"),
        ("muehle", "best", "best"),
        ("numeri", "best"),
        ("numeri", "best", "nobody"),
        ("numeri", "best", "no_such_module:bot"),
        ("numeri", "best", "sys:maxsize"),
        ("numeri", "random", "json:dumps"),
    ],
)
def test_what_cannot_be_played_is_one_line_and_status_2(words: tuple[str, ...]) -> None:
    refused("match", *words, "--games", "2", "--lang", "en")
