"""The command line: a list of commands, each imported when it is called.

Other packages add commands through the entry-point group `beisitzer.commands`. An entry names a
tuple as in `GROUPS`, in a module that costs little to import:

    [project.entry-points."beisitzer.commands"]
    club = "club:COMMAND"
"""

import logging
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import click

from engines.games import entries
from pi_app.commands.console import run_command
from pi_app.commands.help_words import PROGRAM, HelpContext, add_help
from pi_app.files.host import version
from pi_app.texts.language import COMMAND_ENTRIES

log = logging.getLogger(__name__)

CommandLine = tuple[str, str, str, str]
"""Module, function, first line of its help, example."""

# heading of a group: {name: (module, function, first line of its help, example)}
GROUPS: Mapping[str, Mapping[str, CommandLine]] = {
    "Play": {
        "play": (
            "pi_app.commands.play",
            "play",
            "Play at the table: the companion itself.",
            'play just4fun --players "Anna, Ben"',
        ),
        "web": (
            "pi_app.commands.web",
            "web",
            "Show the table on phones in the same network.",
            "web --port 8080",
        ),
        "link": (
            "pi_app.commands.link",
            "link",
            "Carry results to a club, and into the house.",
            "link",
        ),
        "match": (
            "pi_app.commands.match",
            "match",
            "Let programs play against each other.",
            "match just4fun best club --games 100",
        ),
    },
    "Records": {
        "check": (
            "pi_app.commands.records",
            "check",
            "Replay a record and report illegal moves.",
            "check game.txt",
        ),
        "legal": (
            "pi_app.commands.records",
            "legal",
            "List what the player to move may do.",
            "legal game.txt --hand 3,5,11,13",
        ),
        "advise": (
            "pi_app.commands.advice",
            "advise",
            "Say which moves are best, and why.",
            "advise game.txt --hand 3,5,11,13",
        ),
        "score": (
            "pi_app.commands.records",
            "score",
            "Score a record as if the game ended now.",
            'score just4fun "Anna yellow 23:3 7:1; Ben red 7:2"',
        ),
        "export": (
            "pi_app.commands.export",
            "export",
            "Write stored games as records.",
            "export 12 --to games",
        ),
        "import": (
            "pi_app.commands.import_",
            "import_",
            "Check records and store their games.",
            "import games/*.txt",
        ),
    },
    "After the game": {
        "history": (
            "pi_app.commands.history",
            "history",
            "List the games played, and their points.",
            "history 12 --chart points.png",
        ),
        "analyse": (
            "pi_app.commands.advice",
            "analyse",
            "Say where the turning points were.",
            "analyse game.txt --picture chances.png",
        ),
        "evening": (
            "pi_app.commands.evening",
            "evening",
            "Show who leads over several games.",
            "evening --list",
        ),
        "statistics": (
            "pi_app.commands.statistics",
            "statistics_command",
            "Count games: players, pairs, fields.",
            "statistics just4fun --player Anna",
        ),
        "tables": (
            "pi_app.commands.times_tables",
            "tables",
            "Show which times tables are known.",
            "tables Anna",
        ),
    },
    "Set-up": {
        "doctor": (
            "pi_app.commands.doctor",
            "doctor",
            "Check every device of the rig.",
            "doctor --test",
        ),
        "config": (
            "pi_app.commands.config",
            "config",
            "Print the settings and their origin.",
            "config --explain",
        ),
        "boards": (
            "pi_app.commands.boards",
            "boards",
            "List, show, check and make boards.",
            "boards new numeri ours",
        ),
        "new-game": (
            "pi_app.commands.new_game",
            "new_game",
            "Write a small game to build on.",
            "new-game halma",
        ),
        "panel": (
            "pi_app.commands.panel",
            "panel",
            "Show what the serial panel sends.",
            "panel --pongs",
        ),
        "pads": (
            "pi_app.commands.pads",
            "pads",
            "Show what number pads send; key chart.",
            "pads --chart pad.html",
        ),
        "report": (
            "pi_app.commands.report",
            "report",
            "Collect what helps to repair a fault.",
            "report report.txt",
        ),
        "stopped": (
            "pi_app.commands.stopped",
            "stopped",
            "Show on the OLED that the service ended.",
            "stopped",
        ),
        "wifi": (
            "pi_app.commands.wifi",
            "wifi",
            "Keep the table's own Wi-Fi; systemd starts it.",
            "wifi",
        ),
    },
}
COMMANDS = {name: line for names in GROUPS.values() for name, line in names.items()}


@cache
def added_commands() -> Mapping[str, CommandLine]:
    """Return the commands of other packages; one that cannot be loaded is logged and left out."""
    found: dict[str, CommandLine] = {}
    for name, value in sorted(entries(sys.path, COMMAND_ENTRIES)):
        if name in COMMANDS:
            continue
        try:
            module, function, first_line, words = pkgutil.resolve_name(value)
        except Exception:
            log.exception("the command %s is left out: %s cannot be loaded", name, value)
        else:
            found[name] = (module, function, first_line, words)
    return found


def groups() -> Mapping[str, Mapping[str, CommandLine]]:
    """Return all commands by the heading of their group, those of other packages last."""
    added = added_commands()
    return {**GROUPS, "More": added} if added else GROUPS


def commands() -> Mapping[str, CommandLine]:
    """Return all commands by name."""
    return {**COMMANDS, **added_commands()}


def find_command(name: str) -> CommandLine | None:
    """Return a command's line, or None; entries are read only if it is not one of ours."""
    return COMMANDS.get(name) or added_commands().get(name)


class LazyGroup(click.Group):
    """A group whose commands are imported one by one, only when they are needed."""

    context_class = HelpContext

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT002  # click's signature
        **extra: Any,
    ) -> Any:
        """Run a command and end the program with its status, even after an unexpected error."""
        command = super().main
        if not standalone_mode:  # a program calls this and handles errors itself
            return command(args, prog_name, complete_var, standalone_mode, **extra)
        # False: a standalone click prints its own sentences for errors and ends the program
        sys.exit(run_command(lambda: command(args, prog_name, complete_var, False, **extra)))  # noqa: FBT003  # click's

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return list(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's
        line = find_command(cmd_name)
        if line is None:
            return None
        module, function, *_ = line
        command = getattr(import_module(module), function)
        return add_help(command, _example(line)) if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's
        """Write the groups of commands, each with an example, without importing any command."""
        for heading, names in groups().items():
            with formatter.section(heading):
                formatter.write_dl(
                    [(name, first_line) for name, (_, _, first_line, _) in names.items()]
                )
                formatter.write_paragraph()
                formatter.write_text(_example(next(iter(names.values()))))


def example(name: str) -> str:
    """Return an example of a command as a user types it; KeyError if there is no such command."""
    return _example(commands()[name])


def _example(line: CommandLine) -> str:
    *_, words = line
    return f"{PROGRAM} {words}"


def _show_version(ctx: click.Context, param: click.Parameter, value: object) -> None:  # noqa: ARG001  # click's
    if not value or ctx.resilient_parsing:  # the shell only completes a word
        return
    click.echo(f"beisitzer {version()}")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Referee Just 4 Fun, numeri, Sequence and Einmaleins beside the board."""
