"""Names for rules: the position, its moves and refusals, boards, positions as text."""

from engines.board import BoardError, BoardKind, cells_of_words, is_list, words_of_cells
from engines.game import (
    Correction,
    Event,
    Facts,
    Game,
    GivenError,
    HouseRule,
    IllegalMoveError,
    Move,
    Player,
    Position,
    Refusal,
    Result,
    Setup,
    SetupError,
)
from engines.notation import ImpossibleError, number, position_parts
from engines.seating import board_of, check_table

__all__ = [
    "BoardError",
    "BoardKind",
    "Correction",
    "Event",
    "Facts",
    "Game",
    "GivenError",
    "HouseRule",
    "IllegalMoveError",
    "ImpossibleError",
    "Move",
    "Player",
    "Position",
    "Refusal",
    "Result",
    "Setup",
    "SetupError",
    "board_of",
    "cells_of_words",
    "check_table",
    "is_list",
    "number",
    "position_parts",
    "words_of_cells",
]
