"""Help, refusals and reports of every command in a third language: nothing is left in English."""

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.games import GAMES
from hardware.boards import known_boards
from pi_app.commands.cli import commands as all_commands
from pi_app.commands.cli import example, main
from pi_app.settings.schema import definitions
from tests.pi_app.commands import test_language, test_sentences
from tests.pi_app.commands.called import run
from tests.pi_app.commands.test_help import commands

RECORDS = Path(__file__).parents[2] / "records"
VERBS = {word for words, _ in commands() for name in words for word in name.split("-")}
NAMES = (
    "beisitzer Beisitzer main Anna Ben Sequence Einmaleins Just Fun Python JSON STORE SEQ GPIO "
    "kosmos classic sample nine twelve open closed"
)
"""Names of things and of people, boards, values of rules, fields of formats."""
KEPT = frozenset(re.findall(r"\w+", NAMES)) | {*GAMES}


def in_english(said: str, others: Iterable[str] = ()) -> list[str]:
    """Return the lines of what was said that have a word whose vowels have no accents.

    Options, file names, keys of settings, and what stands in quotes is the same in all languages.
    """
    allowed = KEPT | {*others}
    found = []
    for line in said.splitlines():
        plain = re.sub(
            r"\[\w+\] \w+ = |--?[a-z][\w-]*|\S*[/_=.]\w\S*|\"[^\"]*\"|\[[a-z|-]+\]", " ", line
        )
        words = re.findall(r"\b[^\W\d_]{3,}\b", plain)
        left = [word for word in words if re.search("[aeiouy]", word, re.I) and word not in allowed]
        found += [f"{' '.join(left)}: {line.strip()}"] if left else []
    return found


@pytest.fixture(autouse=True)
def _third(third_language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system's language be the third one, and give it settings and a store of its own."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", f"{third_language}.UTF-8")
    monkeypatch.setenv("BEISITZER_CONFIG", str(tmp_path / "settings.toml"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text("", "utf-8")


@pytest.mark.parametrize("words", [words for words, _ in commands()], ids=" ".join)
def test_the_help_of_a_command_has_no_english_word(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, [*words, "--help"], terminal_width=1000)
    assert result.exit_code == 0, result.output
    # an example is typed as it is
    calls = {word for name in (words[:1] or all_commands()) for word in shlex.split(example(name))}
    typed = {word for call in calls for word in re.findall(r"\w+", call)}
    assert in_english(result.output, VERBS | typed) == []


def _cases() -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the words, and the standard input, of all calls that the tests in German refuse."""
    for module in (test_sentences, test_language):
        for test in vars(module).values():
            for mark in getattr(test, "pytestmark", ()):
                if mark.name == "parametrize" and mark.args[0] == ("words", "says"):
                    yield from ((tuple(map(str, words)), "") for words, _ in mark.args[1])


@pytest.mark.parametrize(("words", "text"), [*_cases()])
def test_a_refusal_has_no_english_word(words: tuple[str, ...], text: str) -> None:
    result = run(*words, text=text)
    typed = re.findall(r"\w+", " ".join(words))
    assert result.exit_code != 0
    assert in_english(result.output, VERBS | {*typed}) == []


def _reports() -> Iterator[tuple[str, ...]]:
    """Yield calls whose answer is for people."""
    yield ("config",)
    yield ("config", "--explain")
    yield ("doctor",)
    yield ("boards",)
    yield ("boards", "show", "classic")
    yield ("history",)
    yield ("statistics",)
    for record in sorted(RECORDS.glob("*.txt")):
        yield ("check", str(record))
        yield ("score", str(record))
    yield ("score", "just4fun", "Anna yellow 23:3 7:1; Ben red 7:2")
    yield ("legal", str(RECORDS / "just4fun-example.txt"), "--hand", "3,5,11,13")
    yield (
        "advise",
        str(RECORDS / "just4fun-example.txt"),
        "--hand",
        "3,5,11,13",
        "--seconds",
        "0.1",
    )


@pytest.mark.parametrize(
    "words", [*_reports()], ids=lambda words: " ".join(map(os.path.basename, words))
)
def test_what_a_command_reports_has_no_english_word(words: tuple[str, ...], tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "t.db")) if words[0] in ("history", "statistics") else ()
    result = run(*words, *store)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    said, named = result.output, set(VERBS)
    if words[0] == "config":  # a setting is followed by what it means
        said = "\n".join(line.partition("#")[2] for line in said.splitlines())
        named |= {word for key in definitions() for word in re.findall(r"[^\W\d_]+", str(key))}
    if words[0] == "doctor":
        named |= {word for board in known_boards() for word in re.findall(r"\w+", board.name)}
    if Path(words[-1]).is_file():
        named |= {*re.findall(r"\w+", Path(words[-1]).read_text("utf-8"))}
    assert in_english(said, named) == []
