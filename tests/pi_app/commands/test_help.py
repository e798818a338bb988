"""The help: fourteen commands, each found by what it is for, all of it in English."""

import re
from collections.abc import Iterator

import click
import pytest

from pi_app.commands.cli import COMMANDS, HIDDEN, main
from tests.pi_app.commands.called import run

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
        ("what keys send", "doctor"),
    ],
)
def test_what_people_look_for_stands_in_the_list(wanted: str, name: str) -> None:
    assert [each for each, line in listed().items() if wanted in line] == [name]


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_no_help_mixes_languages(words: tuple[str, ...]) -> None:
    said = run(*words, "--help").stdout
    assert said.startswith("Usage: ")
<<<<<<< HEAD
    assert "Show this message and exit." in said
    assert not GERMAN.search(said)
=======
    assert "[OPTIONS] FILE Replay the record FILE (- for standard input)" in said


def test_no_command_is_in_two_groups() -> None:
    assert len(all_commands()) == sum(map(len, groups().values()))


@pytest.mark.parametrize("name", all_commands())
def test_the_example_of_a_command_has_words_and_options_that_it_takes(name: str) -> None:
    said = example(name)
    assert said in helped(name)
    command = main.get_command(click.Context(main), name)
    assert command is not None
    _, first, *words = shlex.split(said)
    assert first == name
    command.make_context(name, words)  # raises UsageError for what the command does not take


def test_the_list_of_commands_has_an_example_in_each_group() -> None:
    said = helped()
    for heading, names in groups().items():
        _, there, after = said.partition(f" {heading}: ")
        assert there, heading
        assert f"Example: {example(next(iter(names)))}" in after
>>>>>>> 24cecdb1 (Try in one table what a fresh interpreter imports only once it is needed)
