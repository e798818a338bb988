"""A side of a duel as its opponent sees it: a bot whose moves another process chooses."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from typing import IO, Any

from bench.strength import StrengthError
from bench.strength.checkout import Checkout
from engines.game import AnyPosition, Move

PROGRAM = Path(__file__).with_name("side_process.py")


@dataclass(frozen=True, slots=True)
class Thinking:
    """How a side chooses: its level, its seconds of thinking, play-outs as Python if `plain`."""

    level: str = "best"
    seconds: float = 0.02
    plain: bool = False


class Side:
    """A checkout's AI in a process of its own.

    `cpu_s` is the processor time of all its choices, `moves` how many there were.
    """

    def __init__(
        self, checkout: Checkout, thinking: Thinking, pipes: tuple[IO[str], IO[str]], log: IO[bytes]
    ) -> None:
        self.cpu_s = 0.0
        self.moves = 0
        self._checkout, self._thinking = checkout, thinking
        self._questions, self._answers = pipes
        self._log = log
        imported = self._hear()
        if Path(imported["from"]) != checkout.folder.resolve():
            raise StrengthError(
                f"{checkout.folder} has no package ai: {imported['from']} was imported instead"
            )
        if imported["compiled"] == thinking.plain:
            raise StrengthError(
                f"the play-outs in {checkout.folder} are not compiled; compile them there with"
                " python setup.py -q build_ext --inplace, or ask for plain ones"
            )

    def watch(self, position: AnyPosition, move: Move | None) -> None:
        """Follow the game, as an `ai.match.Watcher`."""
        if move is not None:
            self._say({"played": move.token})
            return
        players = [(player.name, player.colour) for player in position.players]
        start = {"players": players, "start": position.seat, "position": position.describe()}
        self._say({"begin": start})

    def choose(self, position: AnyPosition, given: Any, rng: Random) -> str:
        """Return the chosen move's token, as an `ai.match.Bot`."""
        del position  # the process has followed the game
        level, seconds = self._thinking.level, self._thinking.seconds
        seed = str(rng.getrandbits(64))
        self._say({"choose": given, "level": level, "seconds": seconds, "seed": seed})
        answer = self._hear()
        self.cpu_s += answer["cpu_s"]
        self.moves += 1
        return str(answer["move"])

    def _say(self, message: dict[str, Any]) -> None:
        try:
            self._questions.write(json.dumps(message) + "\n")
            self._questions.flush()
        except BrokenPipeError:
            raise self._ended() from None

    def _hear(self) -> dict[str, Any]:
        line = self._answers.readline()
        if not line:
            raise self._ended()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _ended(self) -> StrengthError:
        self._log.seek(0)
        said = self._log.read().decode("utf-8", "replace").strip().splitlines() or ["no reason"]
        return StrengthError(f"the AI in {self._checkout.folder} stopped: {said[-1]}")


@contextmanager
def open_side(checkout: Checkout, game: str, thinking: Thinking) -> Iterator[Side]:
    """Start a side's process inside the block; StrengthError if it cannot play."""
    kind = "plain" if thinking.plain else "compiled"
    # -P: this file's folder must not be searched for modules
    command = [sys.executable, "-P", str(PROGRAM), game, kind]
    environment = os.environ | {"PYTHONPATH": str(checkout.folder.resolve())}
    with (
        TemporaryFile() as log,
        subprocess.Popen(  # noqa: S603  # our own interpreter
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=checkout.folder,
            env=environment,
            text=True,
        ) as process,
    ):
        if process.stdin is None or process.stdout is None:
            raise StrengthError("the AI's process has no pipes")
        try:
            yield Side(checkout, thinking, (process.stdin, process.stdout), log)
        finally:
            process.kill()
