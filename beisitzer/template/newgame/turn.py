"""Keying a turn of NewGame: a digit is a field, ENTER places the stone."""

from beisitzer.plugin.presentation import Texts
from beisitzer.plugin.screens import GameScreens, KeyedTurn, NumberKeying, Viewers
from newgame.rules import FIELDS, NewGamePosition


def no_field(tx: Texts, number: int) -> str:
    """Say why a number cannot be keyed."""
    return tx("verdict", "{item} is no field", item=number)


class NewGameTurn(KeyedTurn[NewGamePosition]):
    """The turn: the keyed field is judged before ENTER plays it."""

    viewers = Viewers.ALL  # nothing of this game is secret
    blank = NumberKeying(tuple(map(int, FIELDS)), no_field)

    def prompt(self) -> tuple[str, ...]:
        return (self.tx("line", "Key a field, 1 is top left, 9 bottom right, then #."),)


SCREENS = GameScreens(NewGameTurn)
