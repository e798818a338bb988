"""Names for words and pictures: the presentation, texts in two languages, cells, places."""

from engines.game import Step
from pi_app.table.places import Cells, Part, Slot, Slots
from pi_app.table.presentation import Presentation, RuleText
from pi_app.table.words import KEYS, GameWords, Guide, MoveWords
from pi_app.texts.common import (
    colour_letter,
    colour_word,
    join_names,
    points_line,
    stone_letters,
)
from pi_app.texts.language import Text, Texts
from pi_app.view.frame import Cell, Heed, Mark, Picture, Seat, Stroke, Token, Utterance

__all__ = [
    "KEYS",
    "Cell",
    "Cells",
    "GameWords",
    "Guide",
    "Heed",
    "Mark",
    "MoveWords",
    "Part",
    "Picture",
    "Presentation",
    "RuleText",
    "Seat",
    "Slot",
    "Slots",
    "Step",
    "Stroke",
    "Text",
    "Texts",
    "Token",
    "Utterance",
    "colour_letter",
    "colour_word",
    "join_names",
    "points_line",
    "stone_letters",
]
