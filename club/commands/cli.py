"""`beisitzer club`: eight verbs; their modules are imported when they run."""

import click

from club.commands import data, organising
from club.commands.round import round_
from club.commands.start import start


@click.group()
def club() -> None:
    """Hold a club's evening at many tables."""


VERBS = (
    start,
    organising.do,
    organising.status,
    organising.password,
    data.export,
    data.backup,
    data.restore,
    round_,
)
for each in VERBS:
    club.add_command(each)
