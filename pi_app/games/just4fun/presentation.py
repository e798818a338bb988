"""The sentences of Just 4 Fun: events, refusals, results, help."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from engines.game import Event, Facts, Result, Step
from engines.just4fun.board import FIELDS, SIDE, STONES, standing
from engines.just4fun.rules import GAME, Just4Fun
from engines.just4fun.settling import points_facts
from engines.notation import Fault
from pi_app.table.places import Part, Slot, Slots
from pi_app.table.presentation import Presentation, RuleText
from pi_app.table.words import KEYS, GameWords, Guide, MoveWords
from pi_app.texts.common import points_line, stone_letters
from pi_app.texts.language import Text, Texts
from pi_app.view.frame import Cell, Mark, Picture, Token, Utterance

_ROUNDS = (10, 15, 20, 25)
"""The numbers of rounds to choose from."""


def in_words(_tx: Texts, facts: Facts) -> Facts:
    """Return facts with their lists as people write them, and the player they are about."""
    words = dict(facts)
    words |= {fact: ", ".join(map(str, facts[fact])) for fact in ("row", "fields") if fact in facts}
    cards = facts.get("cards", 0)  # the cards, or how many there are
    words["cards"] = cards if isinstance(cards, int) else "+".join(map(str, cards))
    if "fields" in facts:
        words.setdefault("field", facts["fields"][0])  # a field that makes an exchange needless
    for somebody in ("leader", "player"):
        if somebody in facts:
            words["name"] = facts[somebody]
    card = str(facts.get("card", ""))
    if card.isdecimal() and int(card) <= FIELDS:
        words["variant"] = "field"  # its number, keyed as if it were a card
    return words


WORDS = GameWords(
    refusals={
        "too-many-cards": Text("verdict", "at most 4 cards"),
        "unknown-card": Text("verdict", "no card has the value {card}"),
        "unknown-card field": Text(
            "verdict", "no card is worth {card}: key the cards, not the sum"
        ),
        "more-than-deck": Text("verdict", "the deck has only {copies} of card {card}"),
        "sum-too-high": Text("verdict", "{sum}: too high"),
        "field-blocked": Text("verdict", "{field} blocked: {name} leads by {lead}"),
        "field-secured": Text("verdict", "{field} is secured: closed"),
        "exchange-needs-four": Text("verdict", "an exchange shows all 4 cards"),
        "exchange-not-allowed": Text("verdict", "no exchange: {field} is free"),
    },
    reasons={
        "wins-row": Text("line", "Wins with the row {row}."),
        "wins-points": Text("line", "Wins by points, {points}."),
        "stops-row": Text("line", "Stops {name}'s row on {field}."),
        "two-ways": Text("line", "Then wins in two ways, on {fields}."),
        "makes-three": Text("line", "Makes three: only {field} is missing."),
        "hinders": Text("line", "Spoils a row of {name} on {field}."),
        "secures": Text("line", "Secures {field} for good."),
        "takes-lead": Text("line", "Takes the majority on {field}."),
        "ties": Text("line", "Ends the majority of {name} on {field}."),
        "keeps-card": Text("line", "Keeps {cards}, which completes a row on {field} next time."),
    },
    faults={
        "two-rows": Text("verdict", "two players have a row of four"),
        "left-twice": Text("verdict", "{colour}: left= stands there twice"),
        "field-twice": Text("verdict", "{colour}: field {field} is named twice"),
        "too-many-stones": Text("verdict", "{colour} would have {stones} stones"),
        "no-stones-left": Text("verdict", "{item}: stones in hand are 0 to {most}"),
        "no-stones": Text(
            "verdict", "{item}: field 1 to {fields}, at most {most} stones, like 23x3"
        ),
    },
    events={
        "card-doubtful": Text("line", "Is card {card} right? All of them were played."),
        "placed": Text("line", "{name}: stone on {field}."),
        "exchanged": Text("line", "{name} lays down 4 cards and draws 4."),
        "secured": Text("line", "{field} is secured: stack to the middle."),
        "reshuffle": Text("line", "Draw pile empty: shuffle the discards."),
        "stones-out": Text("line", "All stones are placed."),
        "rounds-over": Text("line", "The last round is over."),
    },
    results={"row": Text("word", "row"), "highest-field": Text("word", "high field")},
    in_words=in_words,
    calls=frozenset({"row"}),
    moves=frozenset({"placed"}),
    wished_rules=frozenset(
        {"exchange-needs-four", "exchange-not-allowed", "field-secured", "too-many-cards"}
    ),
)
GUIDE = Guide(
    how=(
        Text(
            "line",
            "Goal: four fields in a line, across, down or diagonal, with most stones on each.",
        ),
        Text(
            "line",
            "Your turn: lay one to four cards; their sum is your stone's field. Draw as many.",
        ),
        Text("line", "Somebody is two stones ahead of you: that field is barred to you."),
        Text(
            "line",
            "Two ahead of everybody: the field is secured, others' stones go into the box.",
        ),
        Text(
            "line",
            "End: a row of four wins; else, with all stones placed, the sum of one's fields.",
        ),
    ),
    edition=(Text("line", "Edition: Kosmos, 2006."),),
    keys=(
        Text("line", "Digits: a card. * next card. # plays the sum."),
        Text("line", "A: your hand. Key 4 cards and see every sum."),
        Text("line", "No legal field: key all 4 cards, then # exchanges them."),
        *KEYS,
    ),
)


class Just4FunPlaces(Slots[Just4Fun]):
    """The fields with the stones of each player, and the stones in hand."""

    def slots(self, tx: Texts, position: Just4Fun) -> tuple[Slot, ...]:
        """Return the fields row by row, then the stones in hand."""
        names = [player.name for player in position.players]
        fields = [
            Slot(
                str(field),
                tuple(
                    Part(name, position.stones(field, seat), STONES)
                    for seat, name in enumerate(names)
                ),
            )
            for field in position.terms.board.fields
        ]
        hands = tuple(
            Part(name, left, STONES) for name, left in zip(names, position.stones_left, strict=True)
        )
        return (*fields, Slot(tx("item", "in hand"), hands))

    def derive_counts(
        self, position: Just4Fun, values: Sequence[tuple[int, ...]]
    ) -> Mapping[tuple[int, int], int]:
        """Return the stones in hand: all of them except those on the board or out of the game."""
        removed = position.removed_stones()
        *fields, _ = values  # the last slot is the stones in hand, which are counted here
        # that slot's index is the number of fields; it has a part for each seat
        return {
            (len(fields), seat): STONES - removed[seat] - sum(counts[seat] for counts in fields)
            for seat in range(len(position.players))
        }

    def objection(self, position: Just4Fun, values: Sequence[tuple[int, ...]]) -> Fault | None:
        removed = position.removed_stones()
        # the last slot is the stones in hand: together with the fields these are all
        for seat, player in enumerate(position.players):
            stones = sum(counts[seat] for counts in values) + removed[seat]
            if stones > STONES:
                return Fault("too-many-stones", colour=player.colour, stones=stones)
        return None

    def placement(self, position: Just4Fun, values: Sequence[tuple[int, ...]]) -> str:
        *fields, hands = values  # in the order of `slots`
        # written in ascending order, whatever their order on the board
        ascending = sorted(zip(position.terms.board.fields, fields, strict=True))
        parts = []
        for seat, player in enumerate(position.players):
            stones = [f"{field}x{counts[seat]}" for field, counts in ascending if counts[seat]]
            parts.append(" ".join([player.colour, f"left={hands[seat]}", *stones]))
        return "; ".join(parts)


class Just4FunMoves(MoveWords):
    """Moves are sums of cards; what follows for the stones is told field by field."""

    def line(self, tx: Texts, step: Step) -> str:
        for event in step.events:
            if event.code == "placed":
                field = event.facts["field"]
                # a single card and its field are the same number
                return f"{step.token} = {field}" if "+" in step.token else str(field)
            if event.code == "exchanged":
                return tx("line", "exchange")
        return tx("line", "correction")

    def draws(self, tx: Texts, step: Step) -> str:
        placed = any(event.code == "placed" for event in step.events)
        if not placed or step.after.result is not None:
            return ""
        cards, name = step.token.count("+") + 1, step.player.name  # as many cards as were laid
        return tx.many(
            "line", "{name} draws {n} card.", "{name} draws {n} cards.", cards, name=name
        )

    def event_lines(self, tx: Texts, step: Step, event: Event) -> tuple[str, ...]:
        if event.code == "row":
            return row_lines(tx, cast(Just4Fun, step.after), event.facts["rows"])
        taken = (
            tx.many(
                "line",
                "Take away {n} stone of {name}.",
                "Take away {n} stones of {name}.",
                count,
                name=owner,
            )
            for owner, count in event.facts.get("removed", {}).items()
        )
        return (*super().event_lines(tx, step, event), *taken)


class Just4FunPresentation(Presentation[Just4Fun]):
    """Describes the game of sums on a 6x6 board."""

    game = GAME
    words = WORDS
    moves = Just4FunMoves(WORDS)
    guide = GUIDE
    places = Just4FunPlaces()

    def name(self, tx: Texts) -> str:
        return "Just 4 Fun"

    def picture(self, tx: Texts, position: Just4Fun) -> Picture:
        """Return the fields row by row, stones on the side that faces their owner."""
        rows = position.result.facts.get("rows", ()) if position.result else ()
        winning = {field for row in rows for field in row}
        letters = stone_letters(tx, position.players)
        stones = tuple(
            (player.colour, letter)
            for player, letter in zip(position.players, letters, strict=True)
        )
        cells = tuple(
            _cell(field, stones, position.counts[field], winning=field in winning)
            for field in position.terms.board.fields
        )
        return Picture("grid", SIDE, cells)

    def result_speech(self, tx: Texts, position: Just4Fun, result: Result) -> tuple[Utterance, ...]:
        """Speak how the game was decided; a row was announced with the move that made it."""
        return () if result.reason == "row" else super().result_speech(tx, position, result)

    def result_lines(self, tx: Texts, position: Just4Fun, result: Result) -> tuple[str, ...]:
        """Say the totals, why they decide, and field by field what goes and what counts."""
        if result.reason == "row":
            return row_lines(tx, position, result.facts["rows"])
        names = [player.name for player in position.players]
        points = result.facts["points"]
        lines = [points_line(tx, name, count) for name, count in points.items()]
        if result.reason == "highest-field":
            lines.append(tx("line", "Equal sums: the highest field decides."))
        settling = position.settle_fields()
        if settling:
            lines.append(tx("line", "Field by field:"))
        for settled in settling:
            parts = [
                tx("line", "{name} {n} off", name=name, n=count)
                for name, count in zip(names, settled.removed, strict=True)
                if count
            ]
            parts.append(
                tx("line", "counts for nobody")
                if settled.owner is None
                else tx("line", "counts for {name}", name=names[settled.owner])
            )
            lines.append(f"{settled.field}: {', '.join(parts)}")
        return tuple(lines)

    def rules(self, tx: Texts) -> tuple[RuleText, ...]:
        unlimited = ("", tx("item", "all"))
        return (
            RuleText(
                "rounds",
                tx("item", "Rounds"),
                tx("line", "Ends after so many turns each, or when all stones are placed."),
                values=(unlimited, *((str(n), str(n)) for n in _ROUNDS)),
                rows=(
                    tx("line", "The game goes on until all stones are placed"),
                    *(tx("line", "The game ends after {n} rounds", n=n) for n in _ROUNDS),
                ),
            ),
            RuleText(
                "secured",
                tx("item", "Secured"),
                tx("line", "May the owner add stones to a secured field?"),
                values=(("open", tx("item", "open")), ("closed", tx("item", "closed"))),
                rows=(
                    tx("line", "A secured field is open to its owner"),
                    tx("line", "A secured field is closed to its owner, too"),
                ),
            ),
        )

    def standings(self, tx: Texts, position: Just4Fun) -> Sequence[tuple[str, str]]:
        """Return everybody's points if the game ended now, and their stones in hand."""
        points = points_facts(position.counts, position.players)["points"]
        return [
            (str(points[player.name]), tx("seat", "{left} in hand", left=left))
            for player, left in zip(position.players, position.stones_left, strict=True)
        ]

    def round_line(self, tx: Texts, position: Just4Fun) -> tuple[str, ...]:
        """Return the round and how many there are; nothing if rounds are not limited."""
        rounds = position.terms.rounds
        if rounds is None or position.result is not None:
            return ()
        # while others catch up on turns, the next one to move again sees the last round
        current = min(rounds, position.turns[position.seat] + 1)
        return (tx("line", "Round {n} of {most}", n=current, most=rounds),)

    def details(self, tx: Texts, position: Just4Fun) -> tuple[str, ...]:
        return self.round_line(tx, position) + tuple(
            tx.many(
                "line",
                "{name}: {left} left, {n} field",
                "{name}: {left} left, {n} fields",
                position.owned[seat].bit_count(),  # a bit for each field
                name=player.name,
                left=position.stones_left[seat],
            )
            for seat, player in enumerate(position.players)
        )


def row_lines(tx: Texts, position: Just4Fun, rows: Iterable[Iterable[int]]) -> tuple[str, ...]:
    """Name the fields of each row, in the order of the board."""
    return tuple(
        tx("line", "Row: {fields}", fields=fields) for fields in rows_words(position, rows)
    )


def rows_words(position: Just4Fun, rows: Iterable[Iterable[int]]) -> tuple[str, ...]:
    """Return the fields of each row as text, in the order of the board."""
    place = position.terms.board.fields.index
    return tuple(", ".join(map(str, sorted(row, key=place))) for row in rows)


@lru_cache(maxsize=256)
def _cell(
    field: int,
    stones: tuple[tuple[str, str], ...],
    counts: tuple[int, ...],
    *,
    winning: bool,
) -> Cell:
    """Return a field; `stones` are each seat's colour and letter, `counts` its stones there."""
    secured = standing(counts).secured
    # the stones on a secured field are stacked in its middle, not on the owner's side
    tokens = tuple(
        Token(colour, letter, count, None if secured else seat_side(seat, len(stones)))
        for seat, ((colour, letter), count) in enumerate(zip(stones, counts, strict=True))
        if count
    )
    marks = set()
    if secured:
        marks.add(Mark.SECURED)
    if winning:
        marks.add(Mark.ROW)
    shade = min(4, 1 + field // 10)  # darker with every ten
    return Cell(str(field), str(field), shade, tokens, frozenset(marks))


def seat_side(seat: int, count: int) -> int:
    """Return the side of the table a seat faces, 0 to 3; two players sit opposite each other."""
    return seat * 2 if count == 2 else seat


PRESENTATION = Just4FunPresentation()
