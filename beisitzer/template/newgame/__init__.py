"""NewGame for Beisitzer."""

from beisitzer.plugin import Plugin

PLUGIN = Plugin(
    "newgame", "newgame.rules:GAME", "newgame.presentation:PRESENTATION", "newgame.turn:SCREENS"
)
