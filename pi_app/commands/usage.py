"""Says in the table's language what is wrong with a command line."""

import re
from collections.abc import Sequence
from typing import Any

import click

from pi_app.texts.common import join_choices
from pi_app.texts.language import Texts
from pi_app.texts.printable import shorten

_PLACEHOLDER = re.compile(r"(?:FLOAT|INTEGER) RANGE|[A-Z]{2,}(?:_[A-Z]+)*")
"""The word for a value in usage lines and after options."""
NUMBERS = ("INTEGER", "INTEGER RANGE", "FLOAT RANGE")
"""Click's words for NUMBER."""
PLACEHOLDERS = (
    *("OPTIONS", "COMMAND", "ARGS", "FILE", "FILES", "PATH", "GAME", "PLAYER", "STONES"),
    *("MINUTES", "SECONDS", "LEVEL", "KEY", "VALUE", "NUMBER", "TEXT", "NAME", "BOT", "URL"),
    *("TABLE", "PLACE"),
)
"""The words that are translated; STORE and SEQ are the names of fields in exports."""


def usage_sentence(tx: Texts, error: click.ClickException) -> str:
    """Say in one sentence what is wrong, and which command shows the right usage."""
    problem = _problem_words(tx, error)
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
    return tx("cli", "{why}; {command} -h helps", why=problem, command=path or "beisitzer")


def _problem_words(tx: Texts, error: click.ClickException) -> str:
    match error:
        case click.NoSuchOption(option_name="--lang", ctx=click.Context(command=click.Group())):
            return tx("cli", "--lang belongs behind the command: beisitzer history --lang de")
        case click.NoSuchOption():
            name = shorten(error.option_name, 40)
            if error.possibilities:
                similar = error.possibilities[0]
                return tx(
                    "cli",
                    "there is no option {option}, did you mean {near}?",
                    option=name,
                    near=similar,
                )
            return tx("cli", "there is no option {option}", option=name)
        case click.MissingParameter() if error.param is not None:
            return tx("cli", "{option} is missing", option=_name(tx, error.param))
        case click.BadOptionUsage() if "requires" in error.message:
            return tx("cli", "{option} needs a value", option=error.option_name)
        case click.BadOptionUsage():
            return tx("cli", "{option} takes no value", option=error.option_name)
        case click.BadParameter() if error.param is not None:
            return _wrong_value(tx, error.param, error)
        case click.UsageError() if "No such command" in error.message:
            return _no_such_command(tx, error)
        case click.UsageError() if "extra argument" in error.message:
            return tx("cli", "these are more words than this command takes")
        case _:
            return shorten(error.format_message(), 150).rstrip(".")


def _no_such_command(tx: Texts, error: click.UsageError) -> str:
    import difflib  # for a mistake only

    # click gives the word only in its message, between quotes
    word = shorten(error.message.partition("'")[2].rpartition("'")[0], 40)
    group = error.ctx.command if error.ctx else None
    names = group.list_commands(error.ctx) if isinstance(group, click.Group) and error.ctx else []
    similar = difflib.get_close_matches(word, names, 1)
    if similar:
        return tx(
            "cli",
            "there is no command {command}, did you mean {near}?",
            command=word,
            near=similar[0],
        )
    return tx("cli", "there is no command {command}", command=word)


def _name(tx: Texts, param: click.Parameter) -> str:
    if isinstance(param, click.Option):
        return param.opts[0]
    context = click.Context(click.Command(param.name or ""))  # only because click wants one
    return placeholders(tx, param.make_metavar(context)).strip("[].")  # [FILE]... is FILE


def _wrong_value(tx: Texts, param: click.Parameter, error: click.BadParameter) -> str:
    name, kind = _name(tx, param), param.type
    match kind:
        case click.Choice():
            choices: Sequence[Any] = kind.choices
            return tx(
                "cli",
                "{option} must be {choices}",
                option=name,
                choices=join_choices(tx, [str(choice) for choice in choices]),
            )
        case click.IntRange() | click.FloatRange() if kind.min is not None and kind.max is not None:
            low, high = f"{kind.min:g}", f"{kind.max:g}"
            return tx(
                "cli", "{option} must be from {low} to {high}", option=name, low=low, high=high
            )
        case click.IntRange() | click.FloatRange() if kind.min is not None:
            return tx("cli", "{option} must be at least {low}", option=name, low=kind.min)
        case click.types.IntParamType():
            return tx("cli", "{option} must be a whole number", option=name)
        case _:
            return f"{name}: {shorten(error.message, 150).rstrip('.')}"


def placeholders(tx: Texts, line: str) -> str:
    """Translate the words for values in a usage line or in an option."""

    def translate(match: re.Match[str]) -> str:
        word = "NUMBER" if match[0] in NUMBERS else match[0]
        return tx("cli", word) if word in PLACEHOLDERS else word

    return _PLACEHOLDER.sub(translate, line)
