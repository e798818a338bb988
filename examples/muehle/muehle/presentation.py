"""The sentences of Nine Men's Morris: events, refusals, results, help."""

from collections.abc import Mapping, Sequence

from beisitzer.plugin.presentation import (
    GameWords,
    Guide,
    MoveWords,
    Part,
    Picture,
    Presentation,
    RuleText,
    Slot,
    Slots,
    Step,
    Text,
    Texts,
    colour_word,
)
from beisitzer.plugin.rules import Facts, Result
from muehle.picture import board_picture
from muehle.rules import GAME
from muehle.rules.moves import AGREED
from muehle.rules.position import MuehlePosition


def in_words(_tx: Texts, facts: Facts) -> Facts:
    """Return the facts with `from` renamed, which is a Python keyword."""
    return {**facts, "start": facts.get("from")}


WORDS = GameWords(
    refusals={
        "must-place": Text("verdict", "place first: {stones} in hand"),
        "no-stone-left": Text("verdict", "all are placed: move one"),
        "not-own": Text("verdict", "{field}: not your stone"),
        "point-taken": Text("verdict", "{field} is taken"),
        "too-far": Text("verdict", "{start} to {to}: too far"),
        "no-mill": Text("verdict", "no mill: take nothing"),
        "must-take": Text("verdict", "mill! take a stone"),
        "nothing-to-take": Text("verdict", "{field}: nothing to take"),
        "in-mill": Text("verdict", "{field} is in a mill"),
    },
    events={
        "placed": Text("line", "{name} places {field}."),
        "moved": Text("line", "{name}: {start} to {to}."),
        "mill": Text("line", "A mill!"),
        "taken": Text("line", "Take {player}'s stone off {field}."),
        "agreed": Text("line", "Both agree on a draw."),
    },
    faults={
        "left-twice": Text("verdict", "left= is given twice"),
        "no-left": Text("verdict", "{item}: stones in hand are 0 to {most}"),
        "no-point": Text("verdict", "{item} is no point of this board"),
        "point-twice": Text("verdict", "{item} is named twice"),
        "too-many": Text("verdict", "{colour} has more than {most} stones"),
        "few-both": Text("verdict", "both have fewer than three stones"),
        "few-points": Text("line", "must have at least {least} points"),
        "lonely-point": Text("line", "the point {point} is on no line of three"),
    },
    results={
        "few-stones": Text("word", "few stones"),
        "blocked": Text("word", "blocked"),
        "repetition": Text("word", "draw"),
        "agreed": Text("word", "draw"),
    },
    in_words=in_words,
)
GUIDE = Guide(
    keys=(
        Text("line", "A point is two digits: the column, a is 1, then the row. d6 is 4 6."),
        Text("line", "Placing: the point, then #."),
        Text("line", "Moving: from where, where to, then #."),
        Text("line", "A mill: key the stone that you take as well."),
        Text("line", "* and #: both agree on a draw."),
        Text("line", "Hold C to take a move back. D: menu."),
    )
)


class MuehlePlaces(Slots[MuehlePosition]):
    """The points with the owners of their stones, and the stones in hand."""

    def slots(self, tx: Texts, position: MuehlePosition) -> tuple[Slot, ...]:
        """Return the points, row by row, then the stones in hand."""
        who = (tx("word", "nobody"), *(colour_word(tx, p.colour) for p in position.players))
        points = [
            Slot(point, (Part("", position.stones.get(point, -1) + 1, len(who) - 1, who),))
            for point in position.grid.points
        ]
        hands = tuple(
            Part(player.name, position.in_hand[seat], position.grid.stones)
            for seat, player in enumerate(position.players)
        )
        return (*points, Slot(tx("big", "HANDS"), hands))

    def placement(self, position: MuehlePosition, values: Sequence[tuple[int, ...]]) -> str:
        *owners, hands = values
        parts: list[str] = []
        for seat, player in enumerate(position.players):
            own = [
                point
                for point, (owner,) in zip(position.grid.points, owners, strict=True)
                if owner == seat + 1
            ]
            parts.append(" ".join([player.colour, *own, f"left={hands[seat]}"]))
        return "; ".join(parts)


class MuehleMoves(MoveWords):
    """Moves are the tokens of the record."""

    def line(self, tx: Texts, step: Step) -> str:
        return tx("line", "draw") if step.token == AGREED else super().line(tx, step)

    def closing(self, tx: Texts, step: Step) -> tuple[str, ...]:
        return () if step.token == AGREED else self.to_do(tx, step)


class MuehlePresentation(Presentation[MuehlePosition]):
    """Describes Nine Men's Morris, or, with another board, a relative of it."""

    game = GAME
    words = WORDS
    moves = MuehleMoves(WORDS)
    guide = GUIDE
    places = MuehlePlaces()

    def name(self, tx: Texts) -> str:
        return tx("word", "Morris")

    def picture(self, tx: Texts, position: MuehlePosition) -> Picture:
        return board_picture(tx, position)

    def result_lines(self, tx: Texts, position: MuehlePosition, result: Result) -> tuple[str, ...]:
        loser = next((p.name for p in position.players if p.name not in result.winners), "")
        match result.reason:
            case "few-stones":
                return (tx("line", "{name} has fewer than three stones.", name=loser),)
            case "blocked":
                return (tx("line", "{name} cannot move.", name=loser),)
            case "repetition":
                return (tx("line", "This position was there for the third time."),)
            case _:
                return (tx("line", "Both agree on a draw."),)

    def rules(self, tx: Texts) -> tuple[RuleText, ...]:
        return (
            RuleText(
                "flying",
                tx("item", "Flying"),
                tx("line", "With three stones left one may go to any free point."),
                (("yes", tx("word", "yes")), ("no", tx("word", "no"))),
            ),
        )

    def standings(self, tx: Texts, position: MuehlePosition) -> Sequence[tuple[str, str]]:
        """Return everybody's stones in hand; no number decides the game."""
        return [
            ("", tx("line", "{n} in hand", n=left) if left else "") for left in position.in_hand
        ]

    def opening_notice(
        self, tx: Texts, start: MuehlePosition, tags: Mapping[str, str]
    ) -> tuple[str, ...]:
        return (tx("line", "A point is two digits: d6 is 4 6. Then #."),)


PRESENTATION = MuehlePresentation()
