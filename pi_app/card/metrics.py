"""Writes figures about the table for node_exporter, which reads `*.prom` files in a folder.

No name of a person is among them. Without a reader it costs a file a minute.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from hardware.probe import WARNINGS, temperature_c, throttling
from pi_app.files.host import PROC, version
from pi_app.files.log import known_errors
from pi_app.screens.context import Context
from pi_app.view.frame import Frame
from pi_app.view.output import Output

log = logging.getLogger(__name__)

EVERY_S = 60.0
FILE = "beisitzer.prom"
_GAMES = (
    "SELECT json_extract(tags, '$.Game'), result IS NOT NULL, count(*) FROM game GROUP BY 1, 2"
    " ORDER BY 1, 2"
)


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure with its meaning; a `gauge` goes up and down, a `counter` only up."""

    name: str
    kind: str
    text: str
    samples: Sequence[tuple[str, float]]
    """Labels as they are written, and the value."""

    def lines(self) -> Iterator[str]:
        """Yield it in the text format."""
        yield f"# HELP beisitzer_{self.name} {self.text}"
        yield f"# TYPE beisitzer_{self.name} {self.kind}"
        for labels, value in self.samples:
            yield f"beisitzer_{self.name}{labels} {value:.15g}"


@dataclass(slots=True)
class _Counts:
    """What the companion itself has counted."""

    keys: int = 0
    first_frame_s: float | None = None
    games: list[tuple[str, float]] = field(default_factory=list)


def since_process_start_s(proc: Path = PROC) -> float | None:
    """Return how many seconds ago this process was started; None if the system does not tell."""
    try:
        uptime_s = float((proc / "uptime").read_text("ascii").split()[0])
        # the name, in brackets, may contain anything; the start is field 22, two come before it
        ticks = int(
            (proc / "self/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
        )
    except (OSError, ValueError, IndexError):
        return None
    return uptime_s - ticks / os.sysconf("SC_CLK_TCK")


class Metrics(Output):
    """Counts keys, and writes all figures every minute, outside the loop."""

    name = "metrics"

    def __init__(
        self,
        ctx: Context,
        folder: Path,
        running_s: Callable[[], float | None] = since_process_start_s,
    ) -> None:
        self._ctx = ctx
        self._file = folder / FILE
        self._running_s = running_s
        self._counts = _Counts()
        self._due = ctx.clock()
        self._shown = False
        self._stamp: object = None
        """What was stored when the games were counted last."""
        self._failed = False

    def show(self, frame: Frame) -> None:
        del frame
        if not self._shown:
            self._shown = True
            self._counts.first_frame_s = self._running_s()

    def note_key(self) -> None:
        self._counts.keys += 1

    def poll_every_s(self) -> float | None:
        return EVERY_S

    def poll(self) -> None:
        if self._ctx.clock() < self._due:
            return
        self._due = self._ctx.clock() + EVERY_S
        store = self._ctx.store
        stamp = store.stamp
        count = None if stamp == self._stamp else store.for_another_thread()
        self._stamp = stamp
        self._ctx.worker.begin(lambda _: self._write(count), lambda _: None, idle=True)

    def close(self) -> None:
        with suppress(OSError):  # old figures would look like new ones
            self._file.unlink()

    def _write(self, opened: Callable[[], sqlite3.Connection] | None) -> None:
        try:
            if opened is not None:
                with closing(opened()) as db:
                    self._counts.games = list(_games(db))
            text = "".join(f"{line}\n" for metric in self._metrics() for line in metric.lines())
            temporary = self._file.with_name(f".{FILE}.{os.getpid()}")
            temporary.write_text(text, "utf-8")
            temporary.chmod(0o644)  # node_exporter is another user
            temporary.replace(self._file)
            self._failed = False
        except (OSError, sqlite3.Error) as error:
            if not self._failed:
                log.warning("%s cannot be written: %s", self._file, error)
            self._failed = True

    def _metrics(self) -> Iterator[Metric]:
        counts, store = self._counts, self._ctx.store
        yield Metric("info", "gauge", "The program.", [(f'{{version="{_escape(version())}"}}', 1)])
        yield Metric("games", "gauge", "Games stored, by kind and state.", counts.games)
        yield Metric("keys_total", "counter", "Keys handled.", [("", counts.keys)])
        yield Metric("errors_total", "counter", "Errors logged.", [("", known_errors().count)])
        trouble = store.trouble is not None
        yield Metric("store_failing", "gauge", "Whether games are in memory only.", [("", trouble)])
        yield from _optional(
            "first_frame_seconds",
            "From the start of the program to its first frame.",
            counts.first_frame_s,
        )
        if store.path is not None:
            yield from _store_metrics(store.path)
        yield from _optional("temperature_celsius", "The processor's temperature.", temperature_c())
        flags = throttling()
        if flags is not None:
            samples = [(f'{{warning="{flag}"}}', flag in flags) for flag in WARNINGS]
            yield Metric("power_warning", "gauge", "What the firmware warns of.", samples)


def _store_metrics(path: Path) -> Iterator[Metric]:
    with suppress(OSError):
        size = path.stat().st_size
        free = shutil.disk_usage(path.parent).free
        yield Metric("store_bytes", "gauge", "The size of the games' file.", [("", size)])
        yield Metric("free_bytes", "gauge", "Free space for the games.", [("", free)])


def _optional(name: str, text: str, value: float | None) -> Iterator[Metric]:
    if value is not None:
        yield Metric(name, "gauge", text, [("", value)])


def _games(db: sqlite3.Connection) -> Iterator[tuple[str, float]]:
    for kind, ended, count in db.execute(_GAMES):
        state = "finished" if ended else "unfinished"
        yield f'{{game="{_escape(str(kind))}",state="{state}"}}', count


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
