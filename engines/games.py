"""The games the companion can referee, by the name of their `Game` tag."""

from engines import einmaleins, just4fun, numeri, sequence
from engines.game import Game

GAMES: dict[str, Game] = {
    game.name: game for game in (just4fun.GAME, numeri.GAME, sequence.GAME, einmaleins.GAME)
}
