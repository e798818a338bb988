"""`beisitzer club`: a list of verbs; what they need is imported when they run."""

import click

from club.commands import data, evening, joining, members, overview, pages
from club.commands.ratings import ratings
from club.commands.round import round_
from club.commands.start import start


@click.group()
def club() -> None:
    """Hold a club's evening at many tables."""


VERBS = (
    start,
    pages.pages,
    pages.password,
    joining.join,
    joining.tables,
    joining.smart_home,
    members.add_table,
    members.remove_table,
    members.people,
    members.leave,
    members.arrive,
    members.forget,
    evening.evening,
    evening.pair,
    overview.status,
    overview.results,
    evening.clock,
    evening.say,
    evening.result,
    evening.accept,
    evening.refuse,
    evening.undo,
    evening.close,
    data.export,
    data.journal,
    ratings,
    data.backup,
    data.restore,
    round_,
)
for each in VERBS:
    club.add_command(each)
