"""The names that a game of your own uses, and where to find them.

A game is a separate Python package. `beisitzer new-game halma` writes a small one that works at
once; change it step by step and run the suite after each step:

    pip install -e ./halma 'beisitzer[testing]'
    pytest --pyargs beisitzer.testing --game halma
    beisitzer play halma

Its `pyproject.toml` says where the game is, and the package has a `Plugin` that says where each
part is. A part is imported when it is needed: replaying a record loads no screen.

    [project.entry-points."beisitzer.games"]
    halma = "halma:PLUGIN"

    PLUGIN = Plugin(
        "halma", "halma.rules:GAME", "halma.presentation:PRESENTATION", "halma.turn:SCREENS"
    )

Each part imports from one module:

- engine: `halma.rules:GAME`, a `Game` whose `begin` makes the first `Position`. Names of
  `beisitzer.plugin.rules`
- presentation: `halma.presentation:PRESENTATION`, a `Presentation`: the game's sentences in
  English, its picture, the places of its board check. Names of `beisitzer.plugin.presentation`.
  The German texts are in `halma/locale/de/LC_MESSAGES/halma.po`
- screens: `halma.turn:SCREENS`, `GameScreens` with the `GameTurn` that takes keys. Names of
  `beisitzer.plugin.screens`
- ai: `halma.ai:AI`, a `GameAI`, for better opponents, tips and courses. Names of
  `beisitzer.plugin.ai`
- samples: `halma.samples:SAMPLES`, sample moves for the suite: `beisitzer.testing.samples`

All other modules may change with any version. The guide is `docs/own-game.md`.
"""

from engines.games import Plugin

__all__ = ["Plugin"]
