"""Whole tables of a club: `beisitzer play` and `beisitzer link` as processes, played by keys.

Everything goes the way it goes in a hall: an assignment comes from the broker to the table's
screen and is taken with a key, moves are keyed, and the link carries the result away. Both
processes can be killed at any moment; `read_table` says what the table's file has.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

from pi_app.view.keying import keys_of_character
from tests.crash.process import Process
from tests.pi_app.link.test_process import environment
from tests.stand_ins.waiting import PATIENCE_S, wait_for

WAIT_S = 180.0
"""How long a table may take for anything: ten of them start at once on a busy machine."""
_ON_ANOTHER_BOARD = (
    "import sys; from pi_app.link.mqtt import link, process; from pi_app.commands.cli import main; "
    "number = sys.argv.pop(1); process.machine = lambda: number; link.TAKEN_S = 3.0; main()"
)
"""What runs the program as on a board with this number, because tests have but one; with another
link in its place it waits for three seconds, not for thirty."""
OFFER = "Start?"
"""What a table asks that is assigned a round."""
PROGRAM = (sys.executable, "-m", "pi_app")


class RealCompanion:
    """A table with the access that its club gave it; its folder's name must be short (a socket).

    Without an access its link is off, and it has to join at its screen. `machine` is the number of
    its board, if that must be another than of other tables.
    """

    def __init__(self, folder: Path, access: Mapping[str, Any] | None, machine: str = "") -> None:
        folder.mkdir(exist_ok=True)
        board = (sys.executable, "-c", _ON_ANOTHER_BOARD, machine) if machine else PROGRAM
        self._link_words = [*board, "link"]
        self.store = folder / "games.db"
        self._log = (folder / "link.log").open("a", encoding="utf-8")
        self._table: Process | None = None
        self._link: subprocess.Popen[str] | None = None
        if access is None:
            self.id = ""
            self.variables = environment(folder)
            return
        self.id = str(access["user"])
        (folder / "ca.pem").write_text(access["ca_pem"], "ascii")
        secret = folder / "password"
        secret.touch(0o600)
        secret.write_text(f"{access['password']}\n", "ascii")
        self.variables = environment(
            folder,
            enabled=True,
            host=access["host"],
            port=access["port"],
            user=self.id,
            password_file=secret,
            ca=folder / "ca.pem",
        )

    # --- the two processes

    def start(self) -> Self:
        """Start what does not run, and wait until the table shows something."""
        if self.id:
            self.start_link()
        if self._table is not None and self._table.is_over:
            self.kill()
        if self._table is None:
            self._table = Process(self.store, environ=self.variables)
            self.see(lambda: bool(self.frame), f"{self.id}'s first frame")
        return self

    def start_link(self) -> None:
        if self._link is None or self._link.poll() is not None:
            self._link = subprocess.Popen(
                self._link_words,
                env=self.variables,
                stdout=self._log,
                stderr=self._log,
                text=True,
            )

    def kill(self) -> None:
        """Pull the plug of the companion; its link lives on."""
        if self._table is not None:
            self._table.kill()
            self._table = None

    def kill_link(self) -> None:
        self._end_link(signal.SIGKILL)

    def end(self) -> None:
        """End both; the link says goodbye."""
        self._end_link(signal.SIGTERM)
        self.kill()
        self._log.close()

    def _end_link(self, number: int) -> None:
        if self._link is not None:
            self._link.send_signal(number)
            self._link.wait(PATIENCE_S)
            self._link = None

    def link_log(self) -> str:
        return Path(self._log.name).read_text("utf-8")

    # --- people at the table

    @property
    def frame(self) -> Mapping[str, Any]:
        """What the table shows; {} while it does not run."""
        return self._table.frames[-1] if self._table is not None and self._table.frames else {}

    @property
    def shown(self) -> int:
        """How many frames were shown since the companion started."""
        return len(self._table.frames) if self._table is not None else 0

    def shows(self, words: str) -> bool:
        return self._table is not None and self._table.shows(words)

    def choose(self, *rows: str) -> None:
        """Choose rows of lists by their words."""
        assert self._table is not None
        self._table.choose(*rows)

    def write(self, text: str) -> None:
        """Key a text of which every character counts, and ENTER."""
        keys = [key.value for character in text for key in keys_of_character(character)]
        self.keys(" ".join([*keys, "ENTER"]))

    def keys(self, script: str) -> None:
        """Press keys as a key script has them."""
        if self._table is not None:
            self._table.keys(script)

    def see(self, seen: Callable[[], object], what: str) -> None:
        """Wait until the table shows something, or does not run any more."""
        table = self._table
        try:
            wait_for(lambda: seen() or table is None or table.is_over, what, WAIT_S)
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.frame}\n{self.link_log()}") from None
