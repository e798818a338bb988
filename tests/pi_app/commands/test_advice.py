"""`beisitzer advise`, `show course` and `match`, as people and programs call them."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ai.match import BotError
from engines.game import Refusal
from pi_app.commands import match as match_module
from pi_app.store import Store
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


def test_a_course_says_how_likely_each_was_to_win_and_where_it_turned() -> None:
    said = run("show", "course", "-", "--lang", "en", text=ENDING + "3 6\n").stdout
    assert said.startswith("Chances in %\n")
    assert "o Anna 0%  x Ben 100%" in said
    assert "How likely each was to win, in percent." in said


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Path:
    path = tmp_path / "games"
    store = Store(path)
    store_games(store, ENDING + "3 6\n")
    store.close()
    return path


def test_the_course_of_a_stored_game_has_a_row_for_each_move_and_player(store: Path) -> None:
    rows = lines(run("export", "1", "--of", "course", "--json", "--store", store))[0]["course"]
    assert [(row["n"], row["name"]) for row in rows] == [
        (n, name) for n in range(3) for name in ("Anna", "Ben")
    ]
    assert [row["chance"] for row in rows[4:]] == [0, 1]
    assert (rows[0]["player"], rows[2]["player"], rows[2]["move"]) == (None, "Anna", "3")


@pytest.mark.parametrize("wins", [0, 3, 7, 10])
def test_a_match_prints_its_interval_from_the_lower_to_the_higher_share(
    wins: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = [[1.0, 0.0]] * wins + [[0.0, 1.0]] * (10 - wins)
    monkeypatch.setattr(match_module, "play_matches", lambda *_: iter(shares))
    words = ("match", "numeri", "best", "random", "--games", "10")
    told = lines(run(*words, "--json"))
    printed = run(*words).stdout.splitlines()
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
    said = refused("match", "numeri", "best", "random", "--games", "2")
    assert said.startswith(f"beisitzer: xyz by {('best', 'random')[seat]} is not legal: ")


def test_a_match_says_on_a_terminal_alone_how_many_games_are_played() -> None:
    words = [*PROGRAM, "match", "numeri", "random", "random", "--games", "3"]
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
        ("numeri", "best"),
        ("numeri", "best", "nobody"),
        ("numeri", "best", "no_such_module:bot"),
        ("numeri", "best", "sys:maxsize"),
        ("numeri", "random", "json:dumps"),
    ],
)
def test_what_cannot_be_played_is_one_line_and_status_2(words: tuple[str, ...]) -> None:
    refused("match", *words, "--games", "2")
