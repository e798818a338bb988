"""The sentences and the picture of NewGame.

The German of each text is in `locale/de/LC_MESSAGES/newgame.po`. The first argument of `tx` is the
text's slot: it sets how much room there is.
"""

from collections.abc import Sequence
from dataclasses import replace

from beisitzer.plugin.presentation import (
    Cell,
    GameWords,
    Guide,
    Part,
    Picture,
    Presentation,
    Slot,
    Slots,
    Stroke,
    Text,
    Texts,
    Token,
    colour_word,
    stone_letters,
)
from beisitzer.plugin.rules import Result
from newgame.rules import COLUMNS, FIELDS, GAME, NewGamePosition

REFUSALS = {"field-taken": Text("verdict", "{field} is taken")}
WORDS = GameWords(
    refusals=REFUSALS,
    events={"placed": Text("line", "{name} places {field}.")},
    faults={
        "no-field": Text("verdict", "{item} is no field"),
        "field-twice": Text("verdict", "{item} is named twice"),
    },
    results={"row": Text("word", "row"), "full": Text("word", "draw")},
)


class NewGamePlaces(Slots[NewGamePosition]):
    """The fields with the owners of their stones."""

    def slots(self, tx: Texts, position: NewGamePosition) -> tuple[Slot, ...]:
        """Return the fields in the order of the board check."""
        who = (tx("word", "nobody"), *(colour_word(tx, p.colour) for p in position.players))
        values = (0 if owner is None else owner + 1 for owner in position.stones)  # of `who`
        return tuple(
            Slot(field, (Part("", value, len(who) - 1, who),))
            for field, value in zip(FIELDS, values, strict=True)
        )

    def placement(self, position: NewGamePosition, values: Sequence[tuple[int, ...]]) -> str:
        # the values of `slots`: 0 for nobody, 1 for the first seat
        stones = tuple(owner - 1 if owner else None for (owner,) in values)
        return replace(position, stones=stones).describe()


class NewGamePresentation(Presentation[NewGamePosition]):
    """Describes NewGame to the people at the table."""

    game = GAME
    words = WORDS
    guide = Guide(how=(Text("line", "Place a stone each in turn. Three in a row win."),))
    places = NewGamePlaces()

    def name(self, tx: Texts) -> str:
        return "NewGame"

    def picture(self, tx: Texts, position: NewGamePosition) -> Picture:
        letters = stone_letters(tx, position.players)
        pairs = zip(position.players, letters, strict=True)
        stones = [(Token(player.colour, letter),) for player, letter in pairs]
        owned = zip(FIELDS, position.stones, strict=True)
        cells = [Cell(at, at, tokens=() if seat is None else stones[seat]) for at, seat in owned]
        result = position.result or Result((), "")
        colours = {player.name: player.colour for player in position.players}
        # a full board has no winner
        strokes = [Stroke(colours[name], tuple(result.facts["row"])) for name in result.winners]
        return Picture("grid", COLUMNS, tuple(cells), tuple(strokes))

    def result_lines(self, tx: Texts, position: NewGamePosition, result: Result) -> tuple[str, ...]:
        if result.reason == "row":
            return (tx("line", "Row: {fields}", fields=", ".join(result.facts["row"])),)
        return (tx("line", "Every field is taken."),)


PRESENTATION = NewGamePresentation()
