"""Names for words and pictures: the presentation, texts in two languages, cells, places."""

from engines.game import Step
from pi_app.table.cells import Cells
from pi_app.table.presentation import Part, Presentation, RuleText, Slot, Slots
from pi_app.texts.common import (
    colour_letter,
    colour_word,
    common_reason,
    common_refusal,
    join_names,
    points_line,
    stone_letters,
)
from pi_app.texts.language import Text, Texts
from pi_app.view.frame import Cell, Heed, Mark, Picture, Seat, Stroke, Token, Utterance

__all__ = [
    "Cell",
    "Cells",
    "Heed",
    "Mark",
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
    "common_reason",
    "common_refusal",
    "join_names",
    "points_line",
    "stone_letters",
]
