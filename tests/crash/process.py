"""The companion as a process: keys go in line by line, its frames come back, it is killed."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pi_app.store import Reader

GAME = ("just4fun", "--players", "Anna yellow, Ben red")


class Process:
    """`beisitzer play` on a store; `frames` grows while it runs."""

    def __init__(
        self,
        store: Path,
        *arguments: str,
        before: Callable[[], None] | None = None,
        environ: dict[str, str] | None = None,
    ) -> None:
        command = [sys.executable, "-m", "pi_app", "play", *arguments, "--store", str(store)]
        command += ["--keys", "-", "--display", "plain", "--lang", "en"]
        # all of it is alive until `end`; a with statement would wait for the killed one
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=before,  # noqa: PLW1509  # it only sets a limit
            env=os.environ | {"XDG_STATE_HOME": str(store.parent)} | (environ or {}),
        )
        self.frames: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            if line.endswith("\n"):  # a line cut off was not shown
                with self._news:
                    self.frames.append(json.loads(line))
                    self._news.notify()
        with self._news:
            self._news.notify()

    @property
    def frame(self) -> dict[str, Any]:
        """The frame on show; empty before the first one."""
        return self.frames[-1] if self.frames else {}

    def wait_for(self, seen: Callable[[], bool], timeout_s: float = 120) -> bool:
        """Wait until something was shown; tell whether it was."""
        with self._news:
            return (
                self._news.wait_for(lambda: seen() or self.process.poll() is not None, timeout_s)
                and seen()
            )

    def shows(self, words: str) -> bool:
        """Tell whether the table shows these words now."""
        return words in json.dumps(self.frame, ensure_ascii=False)

    def keys(self, line: str) -> None:
        """Send keys; a process that is gone takes none."""
        if self.process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):
                self.process.stdin.write(line + "\n")
                self.process.stdin.flush()

    def choose(self, *names: str) -> None:
        """Choose rows of lists by their words, one after the other, with the digits they have."""
        for name in names:
            assert self.wait_for(lambda: self._digits(name) is not None), self.frames[-1:]  # noqa: B023  # called at once
            self.keys(str(self._digits(name)))

    def _digits(self, name: str) -> str | None:
        """Return the digits of the row with these words on show now."""
        rows = self.frame.get("choices", {"items": []})["items"]
        return next((row["digit"] for row in rows if name in row["text"]), None)

    def shows_move(self, name: str, text: str) -> bool:
        """Tell whether this is among the last moves on show now."""
        return {"name": name, "text": text} in self.frame.get("moves", [])

    def marked(self) -> str:
        """Return the marked row of the list on show now; "" without a list."""
        choices = self.frame.get("choices")
        return str(choices["items"][choices["selected"]]["text"]) if choices else ""

    def kill(self) -> None:
        """Pull the plug."""
        self.process.send_signal(signal.SIGKILL)
        self.end()

    def end(self) -> tuple[int, str]:
        """Close its keys, wait for its end, return exit status and standard error."""
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        self._reader.join(60)
        status = self.process.wait(60)
        error = self.process.stderr.read() if self.process.stderr else ""
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        return status, error


def stored(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the moves, and those taken back, of the game on the table."""
    store = Reader.of(path)
    game = store.latest_game()
    loaded = None if game is None else store.load(game)
    return (loaded.tokens, loaded.undone) if loaded else ((), ())
