"""Every command explains itself in the table's language, whoever wrote the words: we or click."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from pi_app.commands.cli import commands as all_commands
from pi_app.commands.cli import example, groups, main
from pi_app.commands.help_words import WORDS_OF_CLICK, paragraphs
from pi_app.commands.usage import PLACEHOLDERS
from pi_app.texts.language import Texts

DE = Texts("de")


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield each command, and each within another, with the words that call it."""
    context = click.Context(main)
    yield (), main
    for name in all_commands():
        command = main.get_command(context, name)
        assert command is not None
        yield (name,), command
        inner = command.commands if isinstance(command, click.Group) else {}
        for word, one in inner.items():
            yield (name, word), one


def english(command: click.Command) -> Iterator[str]:
    """Yield what a command says of itself and its options."""
    yield from paragraphs(command.help or "")
    if command.short_help:
        yield command.short_help
    yield from (p.help for p in command.params if isinstance(p, click.Option) and p.help)


ALL = list(commands())
EVERY_TEXT = {text for _, command in ALL for text in english(command)} | {
    *(short for _, _, short, _ in all_commands().values()),
    *groups(),
    *WORDS_OF_CLICK,
    *PLACEHOLDERS,
}


ALIKE = {"TEXT", "NAME", "BOT", "URL"}
"""Words that are the same in German."""


def helped(*words: str) -> str:
    """Return the help of a command, wrapped nowhere."""
    result = CliRunner().invoke(main, [*words, "--help"], terminal_width=1000)
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


@pytest.mark.parametrize("text", sorted(EVERY_TEXT - ALIKE))
def test_what_a_command_says_of_itself_has_a_german_text(text: str) -> None:
    assert DE("cli", text) != text


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("words", [words for words, _ in ALL], ids=" ".join)
def test_the_help_of_a_command_has_no_english_sentence_in_a_german_session(
    words: tuple[str, ...],
) -> None:
    said = helped(*words)
    assert said.startswith("Aufruf: ")
    assert not [text for text in EVERY_TEXT - ALIKE if text in said]
    left = re.findall(r"(?<!-)\b(?:the|of|and|this|with|Usage|Options|Commands|Show|RANGE)\b", said)
    assert not left, said


@pytest.mark.usefixtures("german")
def test_the_help_is_said_in_the_language_that_the_command_line_asks_for() -> None:
    assert helped("check", "--lang", "en").startswith("Usage: ")


def test_the_help_of_an_english_session_is_english() -> None:
    said = helped("check")
    assert said.startswith("Usage: ")
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


def test_the_list_of_commands_imports_none_of_them() -> None:
    code = "import sys; from pi_app.commands.cli import main; main(['--help'])"
    modules = "print([name for name in sys.modules if name in sys.argv[1:]])"
    script = f"import atexit; atexit.register(lambda: {modules}); {code}"
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys; {script}",
            *{module for module, *_ in all_commands().values()},
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert said.stdout.splitlines()[-1] == "[]"
