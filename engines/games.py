"""The games the companion can referee, by the name of their `Game` tag."""

from engines import einmaleins, numeri, sequence
from engines.game import Game

GAMES: dict[str, Game] = {game.name: game for game in (numeri.GAME, einmaleins.GAME, sequence.GAME)}
