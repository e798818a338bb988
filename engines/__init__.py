r"""The rules of the games: values in, values out; only the standard library.

Referees of Just 4 Fun, numeri, Sequence and Einmaleins, as a library.
A record is a text; its game begins in a position; a token played gives the next position:

>>> from engines import GAMES, Step, begin, parse, replay
>>> record = parse('[Game "just4fun"] \n [Players "Anna yellow, Ben red"] \n 5+11+13 40 7')
>>> game, position = begin(record)
>>> position
<Just4Fun '', to move: Anna>
>>> for step in replay(position, record.tokens):
...     print(step.after if isinstance(step, Step) else step.refusal.code)
<Just4Fun 'yellow 29x1', to move: Ben>
unknown-card
<Just4Fun 'yellow 29x1; red 7x1', to move: Anna>

Positions never change. A hand or a roll is an argument and is never stored:

>>> [move.token for move in position.legal((3, 5, 11, 13))][:4]
['3', '5', '3+5', '11']

Without a record a game begins with its players; a token can also say how the table lies:

>>> from engines import Player, Setup
>>> numeri = GAMES["numeri"].begin(Setup((Player("Anna", "yellow"), Player("Ben", "red"))))
>>> after, events = numeri.play(numeri.parse("<yellow 1@36; red 6@2; to-move=Ben>"))
>>> after
<NumeriPosition 'yellow 1@36; red 6@2', to move: Ben>
>>> after.verdict("7").code
'bad-die'
"""

from engines.game import (
    Correction,
    Event,
    Game,
    Move,
    Player,
    Position,
    Refusal,
    Result,
    Setup,
    Step,
    Violation,
    replay,
)
from engines.games import GAMES, Plugin
from engines.notation import Fault
from engines.record import Record, begin, begin_game, parse, write

__all__ = [
    "GAMES",
    "Correction",
    "Event",
    "Fault",
    "Game",
    "Move",
    "Player",
    "Plugin",
    "Position",
    "Record",
    "Refusal",
    "Result",
    "Setup",
    "Step",
    "Violation",
    "begin",
    "begin_game",
    "parse",
    "replay",
    "write",
]
