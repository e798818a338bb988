"""One side of a duel, in a process of its own: `python side_process.py GAME compiled|plain`.

It imports `ai` and `engines` from the checkout that PYTHONPATH names, and nothing else of ours, so
it runs with any commit. Standard input has a JSON document a line:

- `{"begin": {"players": [[name, colour], ...], "start": seat, "position": text}}` sets up a game,
- `{"played": token}` plays a move of anybody,
- `{"choose": given, "level": level, "seconds": seconds, "seed": text}` is answered by a line
  `{"move": token, "cpu_s": seconds}`: the processor time of the choice alone.

The first line of the output says what was imported: `{"from": folder, "compiled": bool}`.
"""

import json
import sys
import time
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any


class PlainPlayOuts(PathFinder):
    """Finds play-outs as Python, where they are compiled too."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of `ai.GAME.playouts`; None for any other module."""
        del target
        if not (fullname.startswith("ai.") and fullname.endswith(".playouts") and path):
            return None
        source = Path(next(iter(path)), "playouts.py")
        return spec_from_file_location(fullname, source) if source.exists() else None


def use_plain_play_outs() -> None:
    """Let everything that is imported from now on use play-outs as Python."""
    sys.meta_path.insert(0, PlainPlayOuts)


class SideProcess:
    """Follows a game and chooses moves in it."""

    def __init__(self, game: str) -> None:
        import ai
        from ai.pace import is_compiled
        from engines import GAMES, Player, Setup

        self._player, self._setup = Player, Setup
        self._game, self._ai = GAMES[game], ai.AI[game]
        self.imported = {
            "from": str(Path(str(ai.__file__)).parent.parent.resolve()),
            "compiled": is_compiled(import_module(f"ai.{game}.playouts")),
        }
        self._position: Any = None

    def begin(self, start: dict[str, Any]) -> None:
        """Set up a game."""
        players = tuple(self._player(name, colour) for name, colour in start["players"])
        setup = self._setup(players, start["start"], position=start["position"] or None)
        self._position = self._game.begin(setup)

    def follow(self, token: str) -> None:
        """Play a move that was made."""
        self._position, _ = self._position.play(self._position.parse(token))

    def choose(self, given: Any, level: str, seconds: float, seed: str) -> dict[str, Any]:
        """Return the chosen move's token and what it cost."""
        # a hand is a tuple, which JSON does not know
        held = tuple(given) if isinstance(given, list) else given
        rng = Random(seed)
        start = time.process_time()
        move = self._ai.choose(self._position, held, level, seconds, rng)
        return {"move": move.token, "cpu_s": time.process_time() - start}


def main(game: str, kind: str) -> None:
    """Serve one side until the input ends."""
    if kind == "plain":
        use_plain_play_outs()
    # nothing that a checkout prints can be taken for an answer
    answers, sys.stdout = sys.stdout, sys.stderr
    side = SideProcess(game)
    answers.write(json.dumps(side.imported) + "\n")
    answers.flush()
    for line in sys.stdin:
        asked = json.loads(line)
        if "begin" in asked:
            side.begin(asked["begin"])
        elif "played" in asked:
            side.follow(asked["played"])
        else:
            move = side.choose(asked["choose"], asked["level"], asked["seconds"], asked["seed"])
            answers.write(json.dumps(move) + "\n")
            answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
