"""How long a result of a club's table takes to the hall's pages: `python -m bench.club_pages`.

Two hundred tables of four finish one after the other. The same is measured with one page and with
many, all on this machine, and the ratio is what counts: the browsers cost processor time here too.
On a busy machine the server's own processor time and the bytes that it sent say more.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import quantiles
from time import perf_counter

import click

from club.evening import acts
from club.store.database import ClubDatabase, sqlite_url
from pi_app.phones.web.sockets import opened

SEATS = 4
PAUSE_S = 0.05
"""Between two results: two hundred tables need ten seconds."""
OVER = b'"ranks":['
CHANGE = b'"frame":{"change":'
"""What begins with this has only the tables that changed."""
ADDRESSES = 200


@dataclass(frozen=True, slots=True)
class Measured:
    """Times in seconds: 99th percentiles of commits and pages, the pages' median."""

    commit: float
    page: float
    median: float
    processor: float
    """What the server cost from its start to its end."""
    sent: int
    """Bytes to all pages."""


class Followed:
    """A page: when it was first sent that so many tables have finished, and all bytes it got."""

    def __init__(self) -> None:
        self.seen: list[float] = []
        self.bytes = 0

    async def follow(self, port: int, number: int) -> None:
        own = (f"127.0.1.{number % ADDRESSES + 1}", 0)
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, limit=2**21, local_addr=own
        )
        writer.write(f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        while line := await reader.readline():
            self.bytes += len(line)
            if line.startswith(b'data: {"n"'):
                before = len(self.seen) if CHANGE in line[:50] else 0
                over = before + line.count(OVER)
                self.seen += [perf_counter()] * (over - len(self.seen))


def prepare(folder: Path, tables: int) -> list[tuple[str, ...]]:
    """Pair a round of so many tables; return who sits together."""
    database = ClubDatabase(sqlite_url(folder))
    database.prepare()
    people = [acts.Registered(f"p{n}", f"Person {n}", present=True) for n in range(tables * SEATS)]
    with database.write() as writing:
        acts.register(writing, "bench", people)
        acts.open_evening(writing, "bench", ["just4fun"], "tables", per_table=SEATS)
        return [group.seats for group in acts.pair_next(writing, "bench").groups]


def finish(folder: Path, seats: tuple[str, ...]) -> tuple[float, float]:
    """Key a table's result; return when that began, and when it was committed."""
    database = ClubDatabase(sqlite_url(folder))
    begun = perf_counter()
    with database.write() as writing:
        acts.key_result(writing, "bench", 1, {p: rank for rank, p in enumerate(seats, 1)})
    committed = perf_counter()
    database.close()
    return begun, committed


async def measure(
    folder: Path, port: int, count: int, tables: int
) -> tuple[list[float], list[float], int]:
    """Return how long results took to their commit, and to each page, and the bytes sent."""
    groups = prepare(folder, tables)
    followed = [Followed() for _ in range(count)]
    tasks = [asyncio.create_task(each.follow(port, number)) for number, each in enumerate(followed)]
    await asyncio.sleep(3)
    times = []
    for seats in groups:
        times.append(await asyncio.to_thread(finish, folder, seats))
        await asyncio.sleep(PAUSE_S)
    while any(len(each.seen) < tables for each in followed):
        await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    commits = [committed - begun for begun, committed in times]
    pages = [
        max(0.0, seen - committed)
        for each in followed
        for (_, committed), seen in zip(times, each.seen, strict=True)
    ]
    return commits, pages, sum(each.bytes for each in followed)


def run(count: int, tables: int) -> Measured:
    """Serve so many pages while so many tables finish."""
    before = getrusage(RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        probe = opened(0)
        port = int(probe.getsockname()[1])
        probe.close()
        words = ["--state", folder, "--port", str(port), "--tls-port", "0"]
        server = subprocess.Popen(  # noqa: S603  # this program
            [sys.executable, "-m", "pi_app", "club", "pages", *words],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None  # noqa: S101  # it is a pipe
            for _ in range(3):
                server.stdout.readline()
            commits, pages, sent = asyncio.run(measure(Path(folder), port, count, tables))
        finally:
            server.terminate()
            server.communicate()
    cuts, after = quantiles(pages, n=100), getrusage(RUSAGE_CHILDREN)
    cost = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(quantiles(commits, n=100)[98], cuts[98], cuts[49], cost, sent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--tables", type=int, default=200)
    asked = parser.parse_args()
    found = {count: run(count, asked.tables) for count in (1, asked.pages)}
    for count, each in found.items():
        times = f"commit p99 {each.commit:.3f} s, page p99 {each.page:.3f} s"
        cost = f"server {each.processor:.1f} s of processor time, {each.sent / 1e6:.1f} MB sent"
        click.echo(f"{count:4} pages: {times}, median {each.median:.3f} s, {cost}")
    ratio = found[asked.pages].page / found[1].page
    click.echo(f"a page of {asked.pages} waits {ratio:.1f} times as long as a single one (p99)")


if __name__ == "__main__":
    main()
