"""`beisitzer link`: carries results to a club's hub, and what the table does into the house."""

import asyncio
import logging
from pathlib import Path
from time import monotonic

import click

from pi_app.commands.console import refuse
from pi_app.phones.protocol import socket_path
from pi_app.run.signals import ENDING
from pi_app.settings.schema import ENGLISH
from pi_app.system import log as logs
from pi_app.system.host import state_folder

log = logging.getLogger(__name__)

PATIENCE_S = 60.0
"""How long the service waits for the companion, which can start it again."""
RETRIES_S = (0.2, 0.5, 1.0, 2.0)
"""The pauses between attempts to reach the companion; the last one repeats."""


ENDS = {"club": "club", "home": "smart home"}
TABLE_WORDS = {
    "off": "the companion has the link switched off: System, Club and home",
    "forbidden": "the companion does not let this user be its link",
    "taken": "another link runs already: end it first",
    "lost": "the companion has ended: waiting for it",
}
"""Why the link is not needed, and what to do."""


@click.command()
@click.option(
    "--socket",
    "path",
    type=click.Path(path_type=Path),
    help="FILE of the companion's socket.",
)
def link(path: Path | None) -> None:
    """Connect this table with a club's hub and with a smart home.

    Carries what the companion has to say; you may restart it at any time. The settings are in
    the tables club and home.
    """
    _set_up_log()
    asyncio.run(_run(path or socket_path()))


async def _run(path: Path) -> None:
    """Work until a signal comes, or the link is switched off."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    for number in ENDING:
        loop.add_signal_handler(number, ended.set)
    tasks = [asyncio.create_task(_serve(path)), asyncio.create_task(ended.wait())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def _serve(path: Path) -> None:
    from pi_app.link.ends.companion import CompanionError
    from pi_app.link.ends.credentials import LinkFolder
    from pi_app.link.ends.process import LinkProcess
    from pi_app.link.words import why_words

    def report(end: str, place: str, why: str) -> None:
        if why:
            _say(f"{ENDS[end]}: {place}: {why_words(ENGLISH, end, why)}")
        else:
            click.echo(f"{ENDS[end]}: connected to {place}")

    own = state_folder() or logs.log_file().parent
    process = LinkProcess(path, LinkFolder(own / "link"), report)
    tries, told, since = 0, "", monotonic()
    while True:
        try:
            if await process.serve():
                return
            tries, code, since = 0, "lost", monotonic()
        except CompanionError as error:
            code = error.code
        words = TABLE_WORDS.get(code, "no companion is there: waiting for it")
        if code == "forbidden":
            refuse(words)
        if words != told:
            _say(words)
            told = words
        if state_folder() is not None and (code == "off" or monotonic() - since > PATIENCE_S):
            return
        await asyncio.sleep(RETRIES_S[min(tries, len(RETRIES_S) - 1)])
        tries += 1


def _set_up_log() -> None:
    # a file of its own: the companion writes the other one
    if logs.to_journal():
        logs.set_up()
    else:
        logs.set_up(logs.log_file().with_name("link.log"))


def _say(line: str) -> None:
    """Write a line to standard error, which the journal keeps."""
    click.echo(f"beisitzer: {line}", err=True)
