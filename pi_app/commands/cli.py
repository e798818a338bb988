"""The command line: a list of commands, each imported when it is called or listed.

Other packages add commands through the entry-point group `beisitzer.commands`. An entry names a
text "MODULE:FUNCTION" in a module that costs little to import:

    [project.entry-points."beisitzer.commands"]
    club = "club:COMMAND"
"""

import logging
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import click

from engines.games import entries
from pi_app.commands.console import run_command
from pi_app.system.host import version
from pi_app.texts.language import COMMAND_ENTRIES

log = logging.getLogger(__name__)

COMMANDS: Mapping[str, str] = {
    "play": "pi_app.commands.play:play",
    "check": "pi_app.commands.records:check",
    "legal": "pi_app.commands.records:legal",
    "advise": "pi_app.commands.advice:advise",
    "score": "pi_app.commands.records:score",
    "match": "pi_app.commands.match:match",
    "show": "pi_app.commands.show:show",
    "export": "pi_app.commands.export:export",
    "import": "pi_app.commands.import_:import_",
    "doctor": "pi_app.commands.doctor:doctor",
    "config": "pi_app.commands.config:config",
    "boards": "pi_app.commands.boards:boards",
    "new-game": "pi_app.commands.new_game:new_game",
    "report": "pi_app.commands.report:report",
}
HIDDEN: Mapping[str, str] = {
    "web": "pi_app.commands.web:web",
    "link": "pi_app.commands.link:link",
    "wifi": "pi_app.commands.wifi:wifi",
    "stopped": "pi_app.commands.stopped:stopped",
}
"""Commands for systemd and developers: `--help` does not list them."""


@cache
def added_commands() -> Mapping[str, str]:
    """Return the commands of other packages; one that cannot be loaded is logged and left out."""
    found: dict[str, str] = {}
    for name, value in sorted(entries(sys.path, COMMAND_ENTRIES)):
        if name in COMMANDS or name in HIDDEN:
            continue
        try:
            found[name] = str(pkgutil.resolve_name(value))
        except Exception:
            log.exception("the command %s is left out: %s cannot be loaded", name, value)
    return found


class LazyGroup(click.Group):
    """A group that imports each command when it is needed."""

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
        if not standalone_mode:  # the calling program handles errors itself
            return command(args, prog_name, complete_var, standalone_mode, **extra)
        # False: a standalone click prints its own sentences for errors and ends the program
        sys.exit(run_command(lambda: command(args, prog_name, complete_var, False, **extra)))  # noqa: FBT003  # click's

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib  # only needed after a mistake

            # click knows only the names of imported commands
            similar = difflib.get_close_matches(args[0], self.list_commands(ctx))
            vars(error)["possibilities"] = similar
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return [*COMMANDS, *added_commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's
        place = COMMANDS.get(cmd_name) or HIDDEN.get(cmd_name) or added_commands().get(cmd_name)
        command = pkgutil.resolve_name(place) if place else None
        return command if isinstance(command, click.Command) else None


def _show_version(ctx: click.Context, param: click.Parameter, value: object) -> None:  # noqa: ARG001  # click's
    if not value or ctx.resilient_parsing:  # the shell completes a word
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
    """Referee Just 4 Fun, numeri, Sequence and Einmaleins beside the board.

    \b
    At the table:            beisitzer play
    Last week's games:       beisitzer show history --days 7
    Games in a spreadsheet:  beisitzer export --csv > games.csv
    A table nobody recorded: beisitzer score just4fun "Anna 23:3 7:1; Ben 7:2"
    """  # noqa: D301  # click's mark
