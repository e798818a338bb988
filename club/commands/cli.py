"""`beisitzer club`: each verb is in a module of its own."""

import click

from club.commands.round import round_


@click.group()
def club() -> None:
    """Hold a club's evening at many tables."""


club.add_command(round_)
