"""NewGame for Beisitzer."""

from beisitzer.plugin import Plugin

PLUGIN = Plugin("newgame", "newgame.rules:GAME", "newgame.words:WORDS", "newgame.turn:SCREENS")
