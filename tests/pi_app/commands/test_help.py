"""The help: fourteen commands, each found by what it is for, all of it in English."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from pi_app.commands.cli import COMMANDS, HIDDEN, main
from pi_app.store import Store
from tests.pi_app.commands.called import run
from tests.pi_app.pilot import store_games

RECORD = (
    '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow left=1 23x3 7x2; red left=0 23x2 7x2 33"]\n12\n'
)
MOST = 14
LONGEST_HELP = 60
"""The most characters of a command's line, which then stands whole in a terminal of 80 columns."""
GERMAN = re.compile(r"\b(?:der|die|das|und|nicht|mit|Aufruf|Optionen|Zeigt)\b")


def commands() -> Iterator[tuple[str, ...]]:
    """Yield the words that call each command, and each within another."""
    context = click.Context(main)
    yield ()
    for name in (*COMMANDS, *HIDDEN):
        command = main.get_command(context, name)
        assert command is not None
        yield (name,)
        inner = command.commands if isinstance(command, click.Group) else {}
        yield from ((name, word) for word in inner)


def listed(*words: str) -> dict[str, str]:
    """Return the commands that a help lists, with their lines."""
    said = run(*words, "--help").stdout.partition("Commands:\n")[2]
    return dict(re.findall(r"^  ([a-z-]+) +(.+)$", said, re.M))


def test_the_help_lists_fourteen_commands_and_then_those_of_other_packages() -> None:
    names = list(listed())
    assert names[:MOST] == list(COMMANDS)
    assert len(COMMANDS) == MOST
    assert not set(names) & set(HIDDEN)


@pytest.mark.parametrize("words", [(), ("show",), ("boards",)])
def test_each_command_has_a_whole_line_of_its_own(words: tuple[str, ...]) -> None:
    lines = listed(*words)
    assert lines
    assert not [line for line in lines.values() if line.endswith("...") or len(line) > LONGEST_HELP]
    assert len(set(lines.values())) == len(lines)


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("table that nobody recorded", "score"),
        ("past games", "show"),
        ("into a spreadsheet", "export"),
        ("each key you press", "doctor"),
    ],
)
def test_what_people_look_for_stands_in_the_list(wanted: str, name: str) -> None:
    assert [each for each, line in listed().items() if wanted in line] == [name]


def examples(*words: str) -> list[str]:
    """Return the calls that a help shows to copy."""
    calls = re.findall(r"^  (?:  |.*: +)(beisitzer .*)", run(*words, "--help").stdout, re.M)
    return [call.partition(" > ")[0] for call in calls]


def test_the_first_lines_of_the_help_say_how_to_do_what_most_people_look_for() -> None:
    first = run("--help").stdout.partition("Options:")[0]
    for wanted, called in (
        ("Last week's games", "show history --days 7"),
        ("spreadsheet", "export --csv"),
        ("table nobody recorded", "score just4fun"),
    ):
        assert re.search(f"{wanted}: +beisitzer {called}", first), wanted
    assert max(map(len, first.splitlines())) < 80


@pytest.mark.parametrize("words", [(), ("score",), ("show",), ("export",)])
def test_the_examples_in_a_help_work_as_they_are(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[store]\npath = "{tmp_path / "games"}"\n')
    monkeypatch.setenv("BEISITZER_CONFIG", str(settings))
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(RECORD)
    store = Store(tmp_path / "games")
    store_games(store, *[RECORD] * 12)
    store.close()
    called = [call for call in examples(*words) if call != "beisitzer play"]
    assert len(called) >= 2
    for call in called:
        assert run(*shlex.split(call)[1:]).exit_code == 0, call


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_no_help_mixes_languages(words: tuple[str, ...]) -> None:
    said = run(*words, "--help").stdout
    assert said.startswith("Usage: ")
    assert "Show this message and exit." in said
    assert not GERMAN.search(said)
