"""`beisitzer check`, `legal` and `score`, as people and programs call them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pi_app.commands.called import lines, refused, run

RECORDS = Path(__file__).parents[2] / "records"
TAGS = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.txt")), ids=lambda path: path.stem)
def test_the_expected_lines_of_a_record_are_written_as_they_are_kept(
    path: Path, tmp_path: Path
) -> None:
    record = tmp_path / path.name
    record.write_bytes(path.read_bytes())
    usual = run("check", str(record))
    written = run("check", str(record), "--golden")
    golden = path.with_suffix(".jsonl").read_bytes()
    count = len(golden.splitlines())
    said = f"wrote {record.with_suffix('.jsonl')} ({count} lines)\n"
    assert (written.stdout, written.exit_code) == (usual.stdout + said, 0)
    assert record.with_suffix(".jsonl").read_bytes() == golden


def test_expected_lines_are_written_beside_a_record_alone(tmp_path: Path) -> None:
    assert "--golden needs a record in a file" in refused("check", "-", "--golden", text=TAGS)
    record = tmp_path / "game.jsonl"
    record.write_text(TAGS)
    assert "--golden needs a record in a file" in refused("check", str(record), "--golden")
    assert record.read_text() == TAGS
    (tmp_path / "game.txt").write_text(TAGS)
    record.unlink()
    record.mkdir()
    assert "directory" in refused("check", str(tmp_path / "game.txt"), "--golden")


def test_check_tells_a_person_the_same() -> None:
    result = run("check", str(RECORDS / "just4fun-violations.txt"))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0].startswith("Just 4 Fun (kosmos-2006): Anna (yellow), ")
    assert "NOT LEGAL (line 7): 18 blocked: Anna leads by 2." in result.stdout
    assert result.stdout.splitlines()[-2:] == ["Anna is to move.", "14 moves, 12 not legal"]
    won = run("check", str(RECORDS / "just4fun-row.txt"))
    assert "Anna Maria wins!\nRow: 1, 14, 30, 24\n" in won.stdout


def test_sentences_are_in_the_language_of_the_settings_even_of_broken_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "settings.toml"
    monkeypatch.setenv("BEISITZER_CONFIG", str(settings))
    settings.write_text('language = "de"\n')
    path = str(RECORDS / "just4fun-violations.txt")
    assert "Anna ist am Zug." in run("check", path).stdout
    settings.write_text("language = [\n")
    assert run("check", path).exit_code == 1


def test_an_impossible_correction_says_why() -> None:
    text = '[Game "sequence"]\n[Players "Anna blue, Ben green"]\n<blue r1c1>'
    message = lines(run("check", "-", "--json", text=text))[1]["message"]
    assert message.startswith("This position is impossible: ")
    assert "corner" in message


def test_legal_lists_moves_and_sums() -> None:
    path = str(RECORDS / "just4fun-violations.txt")
    (found,) = lines(run("legal", path, "--hand", "19,18,1,2", "--roll", "7", "--json"))
    assert (found["player"], found["moves"][:4]) == ("Anna", ["1", "2", "1+2", "19"])
    assert {"sum": 18, "cards": [18], "ok": False, "violation": "field-secured"} in found["sums"]
    assert found["sums"][-1]["violation"] == "sum-too-high"
    shown = run("legal", path, "--hand", "19,18,1,2")
    cards = [line.partition(" = ")[2].partition(":")[0] for line in shown.stdout.splitlines()[1:]]
    assert sorted(cards) == sorted(set(cards)), "each move is printed once"
    assert "1+19" in cards
    assert " 18 = 18: 18 is secured: closed\n" in shown.stdout


def test_cards_in_the_discard_pile_are_not_impossible_in_a_hand() -> None:
    found = run("legal", "-", "--hand", "19,18,17,16", text=TAGS + "19 18 17")
    assert found.exit_code == 0


def test_legal_of_a_game_that_is_over_fails() -> None:
    assert "over" in refused("legal", str(RECORDS / "just4fun-row.txt"), "--hand", "1,2,3,4")


def test_score_settles_field_by_field() -> None:
    text = TAGS.replace('red"', 'red, Caro white"')
    text += '[Position "yellow 23x3 7; red 23x2 7x2; white 23x2 7x2"]'
    (found,) = lines(run("score", "-", "--json", text=text))
    assert (found["winners"], found["reason"]) == (["Anna"], "points")
    assert found["points"] == {"Anna": 23, "Ben": 0, "Caro": 0}
    assert found["fields"] == {"Anna": [23], "Ben": [], "Caro": []}
    assert found["settled"][0] == {
        "field": 7,
        "stones": {"Anna": 1, "Ben": 2, "Caro": 2},
        "removed": {"Anna": 1, "Ben": 2, "Caro": 2},
        "counts": None,
    }
    shown = run("score", "-", text=text).stdout
    assert "23: Ben 2 off, Caro 2 off, counts for Anna\n" in shown
    assert shown.endswith("Anna wins!\n")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"", "standard input:1: Game"),
        (b"\xff\xfe\x00", "standard input:1: "),
        (b"\x7fELF\0\0\0", "standard input:1: "),
        (TAGS.encode() + b"[Oops]", "standard input:3: "),
        (TAGS.encode() + b"5\n{open", "standard input:4: "),
        (TAGS.encode() + b'\n[Board "x"]', "standard input:4: Board: "),
        (TAGS.encode() + b'[Position "yellow 1 14 30 24; red 28 7 23 4"]', "input:3: Position: "),
        (b"7 " * 5_000_000, "standard input: more than"),
    ],
    ids=lambda text: repr(text[:20]),
)
@pytest.mark.parametrize("command", [["check"], ["legal", "--hand", "1,2,3,4"], ["score"]])
def test_what_is_no_record_is_one_line_with_its_place(
    command: list[str], text: bytes, place: str
) -> None:
    assert place in refused(*command, "-", text=text)
    assert place in refused(*command, "-", "--json", text=text)


def test_junk_tokens_are_reported_one_by_one() -> None:
    text = TAGS + "9" * 5000 + " \0 ٣ 5\x1b[31m x" + "+".join(["1"] * 5000) + " [Game <> é"
    found = lines(run("check", "-", "--json", text=text))
    codes = [line.get("violation") for line in found[1:-1]]
    assert codes[:5] == ["unknown-card", *["bad-move"] * 3, "exchange-needs-four"]
    assert codes[5:] == ["bad-move", None, "bad-move"]
    assert "\x1b" not in run("check", "-", text=text).stdout


def test_the_program_runs_from_a_shell(tmp_path: Path) -> None:
    path = tmp_path / "jürgen.txt"
    path.write_text(TAGS.replace("Anna", "Jürgen") + "5+11+13 40", "utf-8")
    command = [sys.executable, "-m", "pi_app", "check", str(path)]
    # a terminal without umlauts still gets every line
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (1, "")
    assert "J?rgen  5+11+13  J?rgen: stone on 29. J?rgen draws 3 cards." in done.stdout
    listed = subprocess.run([*command[:3], "--help"], capture_output=True, text=True, check=True)
    assert all(word in listed.stdout for word in ("check", "legal", "score", "play"))


def test_a_reader_that_goes_away_causes_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(TAGS + "junk " * 20_000, "utf-8")
    command = [sys.executable, "-m", "pi_app", "check", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 2
