"""Nine Men's Morris (Mühle) for Beisitzer, an example of a game of your own."""

from beisitzer.plugin import Plugin

PLUGIN = Plugin(
    "muehle", "muehle.rules:GAME", "muehle.presentation:PRESENTATION", "muehle.turn:SCREENS"
)
