"""What the documentation tells people to type exists, and what exists is documented."""

import re
import shlex

import click
import pytest

from pi_app.commands.cli import COMMANDS, HIDDEN, added_commands, main
from tests.docs.pages import ROOT, Page, page, pages

_CALL = re.compile(r"(?:^|[\s/])beisitzer ([a-z][^\n]*)")
_MAKE = re.compile(r"(?:^|sudo )make ([a-z-]+)")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))


def calls(on: Page) -> list[list[str]]:
    """Return the words of every call of the command on a page."""
    found = []
    for line in on.code_lines:
        call = _CALL.search(re.split(r"\s#(?:\s|$)", line)[0])
        if call is not None:
            found.append(shlex.split(call[1]))
    return found


def command(name: str, *words: str) -> click.Command:
    """Return the command of a call, or the one inside a group that its next word names."""
    found = main.get_command(click.Context(main), name)
    assert found is not None, f"there is no command {name}"
    inner = found.commands.get(words[0]) if isinstance(found, click.Group) and words else None
    return inner or found


def options(*words: str) -> set[str]:
    asked = command(*words)
    params = asked.get_params(click.Context(asked))  # those of extras too
    return {"--help"} | {text for param in params for text in (*param.opts, *param.secondary_opts)}


def commands() -> list[str]:
    """Return all commands, the hidden ones too."""
    return [*COMMANDS, *HIDDEN, *added_commands()]


def names() -> list[tuple[str, ...]]:
    """Return every command, those inside groups with the group's name."""
    groups = [(name, command(name)) for name in commands()]
    inner = [
        (name, word)
        for name, group in groups
        if isinstance(group, click.Group)
        for word in group.commands
    ]
    return [*((name,) for name in commands()), *inner]


@pytest.mark.parametrize("each", pages(), ids=str)
def test_commands_and_options_on_a_page_exist(each: Page) -> None:
    for name, *words in calls(each):
        used = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert used <= options(name, *words), f"beisitzer {name}"
        if isinstance(command(name), click.Group) and words and words[0].islower():
            assert (name, words[0]) in names()


def test_calls_are_found_in_spans_and_blocks() -> None:
    found = calls(
        Page(ROOT / "x.md", "See `beisitzer check\nFILE --json`.\n\n    x/beisitzer play\n")
    )
    assert found == [["check", "FILE", "--json"], ["play"]]


def test_people_are_told_of_every_command_that_is_for_them() -> None:
    told = {name for each in pages() for name, *_ in calls(each)}
    assert told >= {*COMMANDS, *added_commands()}


@pytest.mark.parametrize("each", pages(), ids=str)
def test_make_targets_on_a_page_exist(each: Page) -> None:
    used = {found for line in each.code_lines for found in _MAKE.findall(line)}
    assert used <= TARGETS


@pytest.mark.parametrize("name", ["README.md", "README.de.md"])
def test_the_readme_is_short_and_begins_with_the_two_commands(name: str) -> None:
    assert len(page(name).text.splitlines()) < 150
    blocks = page(name).blocks
    assert [line.split("#")[0].split() for line in blocks[0].splitlines()] == [
        ["make", "run"],
        ["make", "test"],
    ]
