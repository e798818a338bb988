"""Names for rules: the position, its moves and refusals, boards, positions as text."""

from engines.board import BoardKind, cells_of_words, is_list, words_of_cells
from engines.game import (
    Correction,
    Event,
    Facts,
    Game,
    HouseRule,
    Move,
    Player,
    Position,
    Refusal,
    Result,
    Setup,
)
from engines.notation import Fault, number, position_parts
from engines.seating import board_of, check_table

__all__ = [
    "BoardKind",
    "Correction",
    "Event",
    "Facts",
    "Fault",
    "Game",
    "HouseRule",
    "Move",
    "Player",
    "Position",
    "Refusal",
    "Result",
    "Setup",
    "board_of",
    "cells_of_words",
    "check_table",
    "is_list",
    "number",
    "position_parts",
    "words_of_cells",
]
