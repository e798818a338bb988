"""The names that a game of your own uses, and where to find them.

A game is a distribution of its own. `beisitzer new-game halma` writes a small one that can be
played at once; change it step by step and run the suite after each:

    pip install -e ./halma 'beisitzer[testing]'
    pytest --pyargs beisitzer.testing --game halma
    beisitzer play halma

Its `pyproject.toml` says where the game is, and the package has a `Plugin` that says where each
part is. A part is imported when it is needed: whoever replays a record loads no screen.

    [project.entry-points."beisitzer.games"]
    halma = "halma:PLUGIN"

    PLUGIN = Plugin("halma", "halma.rules:GAME", "halma.words:WORDS", "halma.turn:SCREENS")

Each part takes its names from one module, and from those above it:

- `beisitzer.plugin.rules`: `Position`, `Game`, moves, refusals, boards, words of a table
- `beisitzer.plugin.words`: `Face`, texts, the picture, places that are checked
- `beisitzer.plugin.screens`: `TurnScreen`, keys, what a frame is made of, set-up, seats of the
  companion
- `beisitzer.plugin.wits`: `Wits`, for a game that gives tips or that the companion can play

`docs/own-game.md` is the guide, and says what each part must do.
"""

from engines.games import Plugin

__all__ = ["Plugin"]
