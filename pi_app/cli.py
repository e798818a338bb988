"""The command line: a thin list of commands, each imported only when it is called."""

from importlib import import_module

import click

COMMANDS = {
    "play": "pi_app.commands.play",
}
"""The commands by name, each a click command of the same name in its module."""


class LazyGroup(click.Group):
    """A group whose commands are modules of their own, so that starting one stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[name]), name)
        return command


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="beisitzer")
def main() -> None:
    """Referee, score and remember the games on the table."""
