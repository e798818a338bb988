"""The sentences of Sequence: events, refusals, results, help."""

from collections.abc import Mapping, Sequence
from typing import cast

from engines.game import Event, Facts, Result, Step
from engines.sequence.board import INDEX
from engines.sequence.notation import Pass, Place, Take, Talk, TurnIn, read_move
from engines.sequence.rules import GAME, HAND_SIZES, SequencePosition
from pi_app.games.sequence import cards
from pi_app.games.sequence.cards import (
    card_text,
    card_text_on,
    card_words_on,
    cards_on,
    place_text,
    team_word,
)
from pi_app.games.sequence.keying import CardCells
from pi_app.games.sequence.picture import board_picture, seat_side, turn_to_side
from pi_app.games.sequence.slots import FAULTS, SequencePlaces
from pi_app.table.presentation import Presentation, RuleText
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.words import KEYS, GameWords, Guide, MoveWords
from pi_app.texts.common import colour_word
from pi_app.texts.language import Text, Texts
from pi_app.view.frame import Picture


def in_words(tx: Texts, facts: Facts) -> Facts:
    """Return facts with cards, teams and squares as people write them."""
    words = dict(facts)
    if "card" in facts:
        words["card"] = card_text(str(facts["card"]))
    if "team" in facts or "allowed" in facts:
        words["variant"] = facts.get("team", facts.get("allowed"))
    if facts.get("team") is not None:
        words |= {"colour": colour_word(tx, facts["team"]), "team": team_word(tx, facts["team"])}
    if "squares" in facts:
        ends = facts["squares"]
        words |= {"square": place_text(ends[0]), "target": place_text(ends[-1])}
    return words


WORDS = GameWords(
    reasons={
        "wins": Text("line", "Wins with the sequence {line}."),
        "makes-sequence": Text("line", "Makes the sequence {line}."),
        "stops-sequence": Text("line", "Stops a sequence of {team} on {squares}."),
        "two-ways": Text("line", "Then completes a sequence in two ways, on {squares}."),
        "four-in-line": Text("line", "Four in line, {line}."),
        "hinders": Text("line", "Spoils a line of {team}."),
        "three-in-line": Text("line", "Three in line, {line}."),
        "hand-completes": Text("line", "{card} in hand completes it on {square}."),
        "keeps-jack": Text("line", "Keeps the jack {card}."),
        "turns-in": Text("line", "{card} is dead: a new card comes for it."),
    },
    refusals={
        "corner": Text("verdict", "corners are everybody's"),
        "wrong-square": Text("verdict", "not a square of {card}"),
        "square-taken": Text("verdict", "taken by {colour}"),
        "not-opponent": Text("verdict", "your own chip"),
        "not-opponent None": Text("verdict", "no chip here"),
        "in-sequence": Text("verdict", "in a sequence: it stays"),
        "bad-choice": Text("verdict", "these five are no sequence"),
        "unknown-card": Text("verdict", "no such card"),
        "wrong-jack": Text("verdict", "{card} cannot do this"),
        "dead-jack": Text("verdict", "a jack is never dead"),
        "not-dead": Text("verdict", "{card} is not dead"),
        "one-dead-card": Text("verdict", "dead: only {allowed} a turn"),
        "one-dead-card 0": Text("verdict", "dead: stays in hand"),
        "must-play": Text("verdict", "{card} can be played"),
    },
    events={
        "placed": Text("line", "{name}: chip on {card}."),
        "removed": Text("line", "Take the {colour} chip off {card}."),
        "reshuffle": Text("line", "Draw pile empty: shuffle the discards."),
        "card-doubtful": Text("line", "Is card {card} right? All of them were played."),
        "dead-card": Text("line", "{card} is dead. {name} goes on."),
        "no-draw": Text("line", "{name} did not draw."),
        "passed": Text("line", "{name} cannot play."),
        "stalemate": Text("line", "Nobody can play."),
        "unnamed-five": Text(
            "line",
            "{team}: five in a line, {square} to {target}, count nothing: nobody named a sequence.",
        ),
    },
    faults=FAULTS,
    results={"sequences": Text("word", "sequences")},
    in_words=in_words,
    calls=frozenset({"sequence"}),
    moves=frozenset({"placed"}),
    wished_rules=frozenset(
        {
            "corner",
            "dead-jack",
            "in-sequence",
            "must-play",
            "one-dead-card",
            "unknown-card",
            "wrong-jack",
        }
    ),
)
GUIDE = Guide(
    how=(
        Text(
            "line",
            "Goal: fives in a line of your team's chips: two of two teams, one of three.",
        ),
        Text("line", "Your turn: lay a card, put a chip on one of its two squares, draw a card."),
        Text("line", "The four corners count for every team."),
        Text(
            "line",
            "Jacks with two eyes: any free square. "
            "With one eye: take away a chip of others that is in no sequence.",
        ),
        Text("line", "A card without a free square is dead: turn it in and draw another."),
        Text("line", "End: the team that has its sequences first wins."),
    ),
    edition=(Text("line", "Edition: Goliath."),),
    keys=(
        Text("line", "Key the card: 1 ace, 11 jack, 12 queen, 13 king, then * and the suit."),
        Text("line", "Suits: 1 ♠, 2 ♥, 3 ♦, 4 ♣."),
        Text("line", "12*2 is Q♥. Choose its square by number, # plays."),
        Text("line", "J♦ J♣: any free square. J♠ J♥: take a chip away. Key the card there."),
        Text("line", "Dead card: key it, # turns it in."),
        Text("line", "A: your hand, nothing to play, forgot to draw, table talk."),
        Text("line", "The board is turned to the side of who is to move."),
        Text("line", "Top right: sequences, yours first, and how many win."),
        Text("line", "Board: blue full, green a ring, red a cross; sequences inverted."),
        *KEYS,
    ),
)


class SequenceMoves(MoveWords):
    """Moves are cards, with their squares if needed."""

    def line(self, tx: Texts, step: Step) -> str:
        position = cast(SequencePosition, step.after)
        match read_move(step.token):
            case Place(card=card):
                square = square_of(step)
                printed = card_text_on(position, square) if square else ""
                laid = card_text(card)
                words = laid if printed == laid else f"{laid}→{printed}"  # a jack on any square
            case Take(card=card):
                words = f"{card_text(card)}×{card_text_on(position, square_of(step))}"
            case TurnIn(card=card):
                words = tx("line", "{card} dead", card=card_text(card))
            case Pass():
                return tx("line", "passes")
            case Talk(team=team):
                return tx("line", "table talk {colour}", colour=colour_word(tx, team))
            case _:
                return tx("line", "correction")
        return f"{words} ~" if step.token.endswith("~") else words  # ~: forgot to draw

    def tip(self, tx: Texts, step: Step) -> str:
        words, square = self.line(tx, step), square_of(step)
        return f"{words} {place_text(turn_to_side(square, side_of(step)))}" if square else words

    def reason(self, tx: Texts, step: Step, code: str, facts: Facts) -> str:
        position = cast(SequencePosition, step.after)
        words, squares = {**in_words(tx, facts)}, facts.get("squares", ())
        # names a line by its two ends; a reason may have no squares
        ends = (card_words_on(tx, position, end) for end in (*squares[:1], *squares[-1:]))
        words["line"] = "-".join(ends)
        words["squares"] = squares_words(tx, step, squares) if squares else ""
        if "square" in facts:
            words["square"] = squares_words(tx, step, (facts["square"],))
        return tx.say(self.words.reasons, code, **words)

    def draws(self, tx: Texts, step: Step) -> str:
        codes = {event.code for event in step.events}
        draws = codes & {"placed", "removed", "dead-card"} and "no-draw" not in codes
        if not draws or step.after.result is not None:
            return ""
        return tx("line", "{name} draws a card.", name=step.player.name)

    def event_lines(self, tx: Texts, step: Step, event: Event) -> tuple[str, ...]:
        facts, position = event.facts, cast(SequencePosition, step.after)
        if event.code == "sequence":
            return (sequence_line(tx, position, facts["team"], tuple(facts["squares"])),)
        if event.code == "placed" and any(each.code == "sequence" for each in step.events):
            return ()  # the sentence of the sequence names the square of the chip too
        if event.code == "talk":
            names = [player.name for player in position.players if player.colour == facts["team"]]
            colour = team_word(tx, facts["team"])
            return (
                tx("line", "{colour} talked. {names}:", colour=colour, names=", ".join(names)),
                tx("line", "discard one card each, draw none."),
            )
        if "square" in facts:  # named by the card printed there
            event = event._replace(facts={**facts, "card": position.codes[INDEX[facts["square"]]]})
        return super().event_lines(tx, step, event)

    def spoken(self, tx: Texts, step: Step) -> str:
        square = square_of(step)
        if not square:
            return super().spoken(tx, step)
        place = squares_words(tx, step, (square,))
        return tx("speech", "{name}: {move}.", name=step.player.name, move=place)


class SequencePresentation(Presentation[SequencePosition]):
    """Describes the game of five chips in a line."""

    game = GAME
    words = WORDS
    moves = SequenceMoves(WORDS)
    guide = GUIDE
    places = SequencePlaces()
    cells = CardCells()
    fixed_colours = True

    def name(self, tx: Texts) -> str:
        return "Sequence"

    def picture(self, tx: Texts, position: SequencePosition) -> Picture:
        return board_picture(tx, position)

    def seen_by(self, tx: Texts, position: SequencePosition, seat: int) -> Picture:
        return board_picture(tx, position, seat_side(seat, len(position.players)))

    def result_lines(
        self, tx: Texts, position: SequencePosition, result: Result
    ) -> tuple[str, ...]:
        if result.reason == "stalemate":
            return (tx.say(WORDS.events, "stalemate"),)
        lines = [
            sequence_line(tx, position, team, squares)
            for team, done in position.completed_sequences().items()
            for squares in done
        ]
        return (*self._sequence_counts(tx, position), *lines)

    def _sequence_counts(self, tx: Texts, position: SequencePosition) -> tuple[str, ...]:
        return tuple(
            tx.many(
                "line",
                "{colour}: {n} sequence, {count} needed",
                "{colour}: {n} sequences, {count} needed",
                len(lines),
                colour=team_word(tx, team),
                count=position.needed,
            )
            for team, lines in position.completed_sequences().items()
        )

    def rules(self, tx: Texts) -> tuple[RuleText, ...]:
        return (
            RuleText(
                "sequences",
                tx("item", "To win"),
                tx("line", "Sequences that win: 2 with two teams, 1 with three."),
                values=(("", tx("item", "normal")), *((str(n), str(n)) for n in (1, 2, 3))),
                rows=(
                    tx("line", "Two teams need two sequences, three teams one"),
                    *(
                        tx.many("line", "{n} sequence wins", "{n} sequences win", n)
                        for n in (1, 2, 3)
                    ),
                ),
            ),
            RuleText(
                "one_eyed_breaks",
                tx("item", "J♠♥ break"),
                tx("line", "May a one-eyed jack take a chip out of a completed sequence?"),
                values=(("no", tx("item", "no")), ("yes", tx("item", "yes"))),
                rows=(
                    tx("line", "A one-eyed jack leaves completed sequences alone"),
                    tx("line", "A one-eyed jack may break a completed sequence"),
                ),
            ),
            RuleText(
                "dead_cards",
                tx("item", "Dead"),
                tx("line", "Dead cards that may be turned in during one turn."),
                values=tuple((str(n), str(n)) for n in range(4)),
                rows=(
                    tx("line", "Dead cards are not turned in"),
                    *(
                        tx.many(
                            "line",
                            "{n} dead card may be turned in during a turn",
                            "{n} dead cards may be turned in during a turn",
                            n,
                        )
                        for n in range(1, 4)
                    ),
                ),
            ),
        )

    def details(self, tx: Texts, position: SequencePosition) -> tuple[str, ...]:
        dealt = HAND_SIZES[len(position.players)]
        fewer = [
            tx.many(
                "line", "{name}: only {n} card", "{name}: only {n} cards", cards, name=player.name
            )
            for player, cards in zip(position.players, position.hands, strict=True)
            if cards < dealt and position.result is None
        ]
        left = position.draw_pile
        pile = tx.many("line", "Draw pile: {n} card", "Draw pile: {n} cards", left)
        return (*self._sequence_counts(tx, position), pile, *fewer)

    def standings(self, tx: Texts, position: SequencePosition) -> Sequence[tuple[str, str]]:
        """Return the sequences of everybody's team, and everybody's number of cards."""
        done = {team: str(len(lines)) for team, lines in position.completed_sequences().items()}
        return [
            (done[player.colour], tx.many("seat", "{n} card", "{n} cards", cards))
            for player, cards in zip(position.players, position.hands, strict=True)
        ]

    def seats(self, tx: Texts, count: int, draft: SetupDraft | None) -> list[tuple[str, str]]:
        return cards.seats(tx, count, draft)

    def opening_notice(
        self, tx: Texts, start: SequencePosition, tags: Mapping[str, str]
    ) -> tuple[str, ...]:
        if "Position" in tags:  # the cards were dealt before
            return ()
        players = start.players
        return (
            # nobody is told to deal: the dealer may be the companion in somebody's chair
            tx("line", "Deal {n} cards each.", n=HAND_SIZES[len(players)]),
            tx(
                "line",
                "{name}, left of {other}, starts.",
                name=players[start.seat].name,
                other=players[start.seat - 1].name,  # sits before the first player
            ),
        )


PRESENTATION = SequencePresentation()


def square_of(step: Step) -> str:
    """Return the square on which a move placed a chip or from which it took one; "" for others."""
    for event in step.events:
        if event.code in ("placed", "removed"):
            return str(event.facts["square"])
    return ""


def side_of(step: Step) -> int:
    """Return the side of the table where the player of a move sits."""
    seats = [player.name for player in step.after.players]
    return seat_side(seats.index(step.player.name), len(seats))


def place_words(tx: Texts, square: str, side: int) -> str:
    """Return a square's row and place, as seen from this side of the table."""
    row, _, place = place_text(turn_to_side(square, side)).partition("-")
    return tx("speech", "row {row}, place {place}", row=row, place=place)


def squares_words(tx: Texts, step: Step, squares: Sequence[str]) -> str:
    """Name squares for the player of a move by their cards; a single one with its place too."""
    position = cast(SequencePosition, step.after)
    cards = ", ".join(card_words_on(tx, position, square) for square in squares)
    return f"{cards}, {place_words(tx, squares[0], side_of(step))}" if len(squares) == 1 else cards


def sequence_line(
    tx: Texts, position: SequencePosition, team: str, squares: tuple[str, ...]
) -> str:
    """Name a team's sequence by the cards printed on its five squares."""
    return tx(
        "line",
        "Sequence {colour}: {cards}",
        colour=colour_word(tx, team),
        cards=cards_on(tx, position, squares),
    )
