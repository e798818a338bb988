"""The sentences of numeri: events, refusals, results, help."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engines.game import CORRECTED, Event, Facts, Result, Step
from engines.notation import Fault
from engines.numeri.notation import SIDES, STAR
from engines.numeri.rules import GAME, NumeriPosition, Way
from pi_app.games.numeri.keying import TrackCells
from pi_app.games.numeri.picture import track_picture
from pi_app.table.places import Part, Slot, Slots
from pi_app.table.presentation import Presentation, RuleText
from pi_app.table.words import GameWords, Guide, MoveWords
from pi_app.texts.common import points_line
from pi_app.texts.language import Text, Texts
from pi_app.view.frame import STAR_SIGN, Picture


def in_words(_tx: Texts, facts: Facts) -> Facts:
    """Return facts with a sentence's number and names.

    Only the later edition has a barrier, a star, and no 6.
    """
    roll = facts.get("roll")
    n = STAR_SIGN if roll == STAR else facts.get("roll", facts.get("fields"))
    words = {**facts, "names": ", ".join(facts.get("winners", ())), "n": n}
    variant = "barrier" if "barrier" in facts else roll
    return {**words, "variant": variant} if variant in ("barrier", STAR, SIDES) else words


WORDS = GameWords(
    refusals={
        "bad-die": Text("verdict", "a die has 1 to 6"),
        "bad-die 6": Text("verdict", "this die has a star, no 6"),
        "bad-split *": Text("verdict", "a star moves one stone, 1 to 5"),
        "bad-split": Text("verdict", "these stones do not make a {n}"),
        "split-too-early": Text("verdict", "split only with all 6 in play"),
        "split-too-early barrier": Text("verdict", "no split: nobody is past {barrier}"),
        "stone-stuck": Text("verdict", "stone {stone}: no free field ahead"),
        "must-move": Text("verdict", "{n} can move: you must"),
    },
    reasons={
        "ends-game": Text("line", "Ends the game; it wins: {names}."),
        "rolls-again": Text("line", "Makes a chain and rolls again."),
        "most-points": Text("line", "Gains the most points, {points}."),
        "large-field": Text("line", "Stone {stone} takes the large field {field}."),
        "long-hop": Text("line", "Stone {stone} goes {n} fields at once."),
    },
    faults={
        "no-stone-on-field": Text(
            "verdict", "{item}: stones on fields of this track, such as 3:17"
        ),
        "wrong-track": Text("line", "it is no track of {edition} for {n} players"),
        "bad-barrier": Text(
            "line", "a barrier is for 2, 3 or 4 players, after one of the fields 1 to {most}"
        ),
        "stone-twice": Text("verdict", "{colour}: stone {stone} is named twice"),
        "two-stones": Text("verdict", "two stones are on field {field}"),
    },
    events={
        "turn-lost": Text("line", "turn lost."),
        "finish": Text("line", "The last three fields are taken."),
    },
    in_words=in_words,
    calls=frozenset({"chain", "finish"}),
    wished_rules=frozenset({"bad-die", "must-move", "split-too-early"}),
)
GUIDE = Guide(
    how=(
        Text(
            "line",
            "Goal: your stones on valuable fields, the high numbers on the highest values.",
        ),
        Text(
            "line",
            "Your turn: the die says which stone moves, not how far: to the next free field.",
        ),
        Text("line", "1973: with all six in play you may split a roll among several stones."),
        Text("line", "2009: a star moves one stone of your choice, also from the start."),
        Text("line", "2009: once a stone is past the barrier, all may split 3, 4 or 5 in two."),
        Text("line", "A chain, three or more of yours side by side, gives another roll."),
        Text("line", "2009: a stone still at the start counts its number times -5."),
        Text(
            "line",
            "End: the last three fields are taken. A stone counts times its field's value.",
        ),
    ),
    edition=(Text("line", "Editions: 1973, six stones each, and 2009, five stones and a star."),),
    keys=(
        Text("line", "Roll the die on the table, press its number."),
        Text("line", "The stone of that number goes to the next free field."),
        Text("line", "A roll may be split? Choose with A, B and #."),
        Text("line", "2009: 6 is the star. Then press the number of the stone."),
        Text("line", "Three of yours side by side: roll again."),
        Text("line", "Wrong number? Hold C to take it back."),
        Text("line", "It ends when the last three fields are taken."),
        Text("line", "Board: yellow framed, red filled, green underlined, blue plain."),
        Text("line", "D: menu."),
    ),
)


class NumeriPlaces(Slots[NumeriPosition]):
    """The fields of each player's stones."""

    stones_sign = "@"
    stones_examples = ("6:36 5:30", "6:35")

    def slots(self, tx: Texts, position: NumeriPosition) -> tuple[Slot, ...]:
        """Return the players, each with the fields of their stones; 0 is not in play."""
        most = len(position.track.values)
        fields = (tx("item", "start"), *map(str, range(1, most + 1)))
        return tuple(
            Slot(
                player.name,
                tuple(
                    Part(tx("item", "stone {stone}:", stone=stone), field, most, fields)
                    for stone, field in enumerate(position.stones(seat), 1)
                ),
            )
            for seat, player in enumerate(position.players)
        )

    def objection(
        self, position: NumeriPosition, values: Sequence[tuple[int, ...]]
    ) -> Fault | None:
        stones_on = Counter(field for fields in values for field in fields if field)
        for field, stones in stones_on.items():
            if stones > 1:
                return Fault("two-stones", field=field)
        return None

    def placement(self, position: NumeriPosition, values: Sequence[tuple[int, ...]]) -> str:
        return "; ".join(
            " ".join(
                [player.colour, *(f"{stone}@{field}" for stone, field in enumerate(fields, 1))]
            )
            for player, fields in zip(position.players, values, strict=True)
        )


class NumeriMoves(MoveWords):
    """Moves are the ways of stones; the first sentence after one names its player.

    A correction is nobody's.
    """

    def line(self, tx: Texts, step: Step) -> str:
        ways = ways_of(step)
        roll = step.token.partition(":")[0].replace(STAR, STAR_SIGN)
        if ways:
            return f"{STAR_SIGN} {write_ways(ways)}" if roll == STAR_SIGN else write_ways(ways)
        if any(event.code == "turn-lost" for event in step.events):
            return tx("line", "{n} lost", n=roll)
        return tx("line", "correction")

    def reason(self, tx: Texts, step: Step, code: str, facts: Facts) -> str:
        if code == "keeps-place":
            return tx.many(
                "line",
                "Stone {stone} keeps its field {field}, {n} point.",
                "Stone {stone} keeps its field {field}, {n} points.",
                facts["points"],
                stone=facts["stone"],
                field=facts["field"],
            )
        return super().reason(tx, step, code, facts)

    def said(self, tx: Texts, step: Step) -> Iterator[tuple[str, str]]:
        name = "" if CORRECTED in step.events else f"{step.player.name}: "
        for code, line in super().said(tx, step):
            yield code, f"{name}{line}"
            name = ""

    def event_lines(self, tx: Texts, step: Step, event: Event) -> tuple[str, ...]:
        facts = event.facts
        match event.code:
            case "moved":
                return (say_way(tx, Way(facts["stone"], facts["from"], facts["to"])),)
            case "chain" if step.after.result is not None:
                return ()  # it gives no other roll
            case "chain":
                return (say_chain(tx, facts["fields"]),)
            case _:
                return super().event_lines(tx, step, event)

    def spoken(self, tx: Texts, step: Step) -> str:
        return ""  # its stones have sentences

    def closing(self, tx: Texts, step: Step) -> tuple[str, ...]:
        return self.to_do(tx, step)


class NumeriPresentation(Presentation[NumeriPosition]):
    """Describes the game of the stones that jump to the next free field."""

    game = GAME
    words = WORDS
    moves = NumeriMoves(WORDS)
    guide = GUIDE
    places = NumeriPlaces()
    cells = TrackCells()

    def name(self, tx: Texts) -> str:
        return "numeri"

    def picture(self, tx: Texts, position: NumeriPosition) -> Picture:
        return track_picture(tx, position)

    def result_lines(self, tx: Texts, position: NumeriPosition, result: Result) -> tuple[str, ...]:
        points: dict[str, int] = result.facts["points"]
        lines = [points_line(tx, name, total) for name, total in points.items()]
        if len(result.winners) > 1:
            lines.append(tx("line", "Equal sums share the win."))
        lines.append(tx("line", "Field by field:"))
        for name, rows in result.facts["stones"].items():
            lines.append(f"{name}:")
            # the field comes first, to sort by it; 0 is a stone that is not in play
            on_track = [(field, stone, gain) for stone, field, gain in rows if field]
            lines += [
                f"{field}: {position.track.values[field - 1]} × {stone} = {gain}"
                for field, stone, gain in sorted(on_track)
            ]
            waiting = [(stone, gain) for stone, field, gain in rows if not field]
            if position.edition.in_hand:
                start, value = tx("item", "start"), position.edition.in_hand
                lines += [f"{start}: {value} × {stone} = {gain}" for stone, gain in waiting]
            elif waiting:
                stones = ", ".join(str(stone) for stone, _ in waiting)
                lines.append(tx("line", "not in play: {stones}", stones=stones))
        return tuple(lines)

    def rules(self, tx: Texts) -> tuple[RuleText, ...]:
        return (
            RuleText(
                "edition",
                tx("title", "Which numeri?"),
                tx("line", "Which of its editions lies on the table?"),
                values=(
                    ("1973", tx("item", "with the six (1973)")),
                    ("2009", tx("item", "with the star (2009)")),
                ),
                rows=(
                    tx("line", "It is the edition of 1973, with six stones each"),
                    tx("line", "It is the edition of 2009, with five stones and a star"),
                ),
                asked_first=True,
            ),
        )

    def details(self, tx: Texts, position: NumeriPosition) -> tuple[str, ...]:
        return tuple(
            points_line(tx, player.name, position.points(seat))
            for seat, player in enumerate(position.players)
        )

    def standings(self, tx: Texts, position: NumeriPosition) -> Sequence[tuple[str, str]]:
        """Return everybody's points and stones on the track."""
        return [
            (
                str(position.points(seat)),
                tx("seat", "{n} in play", n=sum(field > 0 for field in position.stones(seat))),
            )
            for seat in range(len(position.players))
        ]

    def opening_notice(
        self, tx: Texts, start: NumeriPosition, tags: Mapping[str, str]
    ) -> tuple[str, ...]:
        if not start.track.is_sample:
            return ()
        return (
            tx("line", "The field values are only an example. Key your own: D, New game, Boards."),
        )


PRESENTATION = NumeriPresentation()


def ways_of(step: Step) -> tuple[Way, ...]:
    """Return how each stone went in this move, in order."""
    return tuple(
        Way(event.facts["stone"], event.facts["from"], event.facts["to"])
        for event in step.events
        if event.code == "moved"
    )


def chain_fields(step: Step) -> tuple[int, ...]:
    """Return the fields of the chains that this move made."""
    return tuple(
        field for event in step.events if event.code == "chain" for field in event.facts["fields"]
    )


def write_ways(ways: Iterable[Way]) -> str:
    """Write stones and where they go in digits only."""
    return " ".join(f"{way.stone}→{way.end}" for way in ways)


def say_way(tx: Texts, way: Way) -> str:
    """Say which stone goes from where to where."""
    facts: dict[str, Any] = {"stone": way.stone, "field": way.start, "target": way.end}
    if way.start:
        return tx("line", "stone {stone} from field {field} to field {target}", **facts)
    return tx("line", "stone {stone} from the start to field {target}", **facts)


def say_chain(tx: Texts, fields: Iterable[int]) -> str:
    """Say which fields are a chain; they are adjacent."""
    run = tuple(fields)
    return tx("line", "Chain {field}-{target}: roll again!", field=run[0], target=run[-1])
