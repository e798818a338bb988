"""The cost of a key with phones, or with a hub that hangs, as a multiple of that without.

All tables are measured in turn in one run, so that a busy machine is busy for each.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from statistics import mean

from bench.figure import Figure, most_memory_mib
from bench.phones import BenchTable, ServedPages
from pi_app.link.settings import ClubSettings
from pi_app.view.key_script import read_keys

KEYS = "5 < 5# <<"
"""Keys each of which changes the frame: two digits, a move that is stored, and its undo."""
ROUNDS = 60
PAUSE_S = 0.01
"""The pause between two keys: the table's work after a key is done by then."""
BUDGET = 1.25
PATIENCE_S = 60.0


def _link(folder: Path, hub: socket.socket, stack: ExitStack) -> int:
    """Run `beisitzer link` with a hub that takes its connection and says nothing."""
    (own := folder / "beisitzer" / "link").mkdir(parents=True)
    access = {"hub": "hub", "table": "table-07-x3k9", "token": "0" * 40, "ca_pem": None}
    (own / "club.json").write_text(json.dumps(access), "utf-8")
    variables = {
        **os.environ,
        "BEISITZER_REMOTE": str(folder / "r.sock"),
        "XDG_STATE_HOME": str(folder),
    }
    command = [sys.executable, "-m", "pi_app", "link"]
    link = subprocess.Popen(command, env=variables)  # noqa: S603  # our own
    stack.callback(link.wait)
    stack.callback(link.kill)
    near, _ = hub.accept()  # the link has joined the table, and waits for the hub's answer
    stack.callback(near.close)
    return link.pid


def _lower_quartile(times: list[float]) -> float:
    """Return the lower quartile: the slower keys show how busy the machine was."""
    return sorted(times)[len(times) // 4]


def figures() -> list[Figure]:
    """Return the ratios of the times from a key to its frame, and the link's memory."""
    with ExitStack() as stack:

        def folder() -> Path:
            return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="b")))

        alone = BenchTable(folder(), socket=False)
        with_phones = BenchTable(folder(), socket=True)
        linked = folder()
        hub = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        hub.settimeout(PATIENCE_S)
        club = ClubSettings(enabled=True, port=hub.getsockname()[1])
        with_link = BenchTable(linked, club, socket=True)
        tables = (alone, with_phones, with_link)
        for table in tables:
            stack.enter_context(closing(table))
        ServedPages(with_phones.socket, stack, browsers=1).read_on()
        link = _link(linked, hub, stack)
        keys, chance = read_keys(KEYS), Random(1)
        times: dict[BenchTable, list[list[float]]] = {table: [[] for _ in keys] for table in tables}
        for _ in range(ROUNDS):
            for number, key in enumerate(keys):
                for table in chance.sample(tables, len(tables)):
                    times[table][number].append(table.press(key))
                    time.sleep(PAUSE_S)
        memory = most_memory_mib(link)
    plain, phones, hung = (1e3 * mean(map(_lower_quartile, times[table])) for table in tables)
    return [
        Figure("key to frame", plain, "ms"),
        Figure("key to frame with phones: times that without", phones / plain, "", BUDGET),
        Figure("key to frame with a hub that hangs: times that without", hung / plain, "", BUDGET),
        Figure("memory, link", memory, "MiB", 30),
    ]
