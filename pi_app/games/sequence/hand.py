"""Cards in Sequence: a hand's possible moves, and playing them for the companion."""

from dataclasses import replace
from typing import Any

from engines.sequence.board import CARD_BITS, COPIES, INDEX, JACKS, ONE_EYED, SIDE, SQUARES
from engines.sequence.notation import Place, SequenceMove, Take, TurnIn, make_pass, read_move
from engines.sequence.rules import HAND_SIZES, SequencePosition
from pi_app.games.sequence.cards import card_text, card_words_on, different_fives, fives_words
from pi_app.games.sequence.keying import CardKeying
from pi_app.games.sequence.picture import seat_side
from pi_app.games.sequence.presentation import PRESENTATION, place_words
from pi_app.settings.schema import HelpLevel
from pi_app.table.given import Hand, HandOption, HandRow
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts


class SequenceHand(Hand):
    """Each card can be played on its squares, or turned in; a jack on many more."""

    entry = CardKeying()
    most = max(HAND_SIZES.values())
    close_up = True

    def turn_of(self, position: SequencePosition, seat: int) -> SequencePosition:
        # another player has turned in no dead card yet in the turn to come
        return position if seat == position.seat else replace(position, seat=seat, turned_in=0)

    def size(self, position: SequencePosition, seat: int) -> int:
        return position.hands[seat]

    def copies(self, position: SequencePosition, card: str) -> int:
        return COPIES if card in CARD_BITS else 0

    def spent(self, token: str) -> tuple[str, ...]:
        move = read_move(token)
        return (move.card,) if isinstance(move, Place | Take | TurnIn) else ()

    def face_up(self, position: SequencePosition, card: str) -> int:
        return position.piles.count_discarded(card)

    def needs_cell(self, card: str) -> bool:
        return True

    def text(self, card: str) -> str:
        return card_text(card)

    def prompt(self, tx: Texts) -> str:
        return tx("line", "Key your cards, such as 12*2 for Q♥, then #.")

    def hint(self, tx: Texts) -> str:
        return tx("line", "Key the rank, * and the suit: 12*2 is Q♥.")

    # --- the list of the hand helper: a line for each card

    def rows(
        self, tx: Texts, position: SequencePosition, given: Any, level: HelpLevel
    ) -> tuple[HandRow, ...]:
        rows = [self._row(tx, position, card) for card in dict.fromkeys(given)]
        everything = make_pass(given)
        if position.refusal(everything) is None:
            words = tx("item", "show and pass")
            row = HandRow(tx("soft", "pass"), everything.token, sentence=words, note=words)
            rows.insert(0, row)
        return tuple(rows)

    def _row(self, tx: Texts, position: SequencePosition, card: str) -> HandRow:
        squares = position.free_squares(card)
        word, note = str(len(squares)), tx("item", "free: {n}", n=len(squares))
        if card in ONE_EYED:
            squares = position.removable_squares()
            word, note = str(len(squares)), tx("item", "to take away: {n}", n=len(squares))
        elif card not in JACKS and position.is_dead(card):
            word, note = tx("soft", "dead"), tx("item", "dead card")
        name = card_text(card)
        return HandRow(f"{name} {word}", card, sentence=f"{name}: {note}", note=note, cells=squares)

    # --- a player's phone

    def words(self, tx: Texts, position: SequencePosition, move: SequenceMove) -> str:
        if isinstance(move, Place | Take):
            side = seat_side(position.seat, len(position.players))
            return f"{card_text(move.card)}: {place_words(tx, SQUARES[move.square], side)}"
        if isinstance(move, TurnIn):
            return f"{card_text(move.card)}: {tx('item', 'dead card')}"
        return tx("item", "show and pass")

    def expand(
        self, tx: Texts, position: SequencePosition, move: SequenceMove, option: HandOption
    ) -> tuple[HandOption, ...]:
        """Return an option for each choice of the five chips of a sequence."""
        if not isinstance(move, Place) or position.refusal(move) is not None:
            return (option,)
        fives = different_fives(position, move)
        choices = (
            replace(option, token=choice.token, then=words)
            for (choice, _), words in zip(fives, fives_words(tx, position, fives), strict=True)
        )
        return tuple(choices) or (option,)

    # --- the companion

    def places(self, position: SequencePosition, move: SequenceMove) -> tuple[str, ...]:
        return (SQUARES[move.square],) if isinstance(move, Place | Take) else ()

    def to_do(self, tx: Texts, position: SequencePosition, move: SequenceMove) -> tuple[str, ...]:
        facts = {"name": position.players[position.seat].name}
        if not isinstance(move, Place | Take | TurnIn):
            return (tx("line", "No card of {name} can be played: show them all.", **facts),)
        facts["card"] = card_text(move.card)
        if isinstance(move, TurnIn):
            line = tx("line", "For {name}, turn in {card}, which is dead. Draw another.", **facts)
            return (line,)
        square = SQUARES[move.square]
        facts["square"] = card_words_on(tx, position, square)
        if isinstance(move, Place):
            line = tx("line", "For {name}, lay {card}. Put a chip on {square}.", **facts)
        else:
            facts["colour"] = colour_word(tx, position.chips_by_square()[square])
            line = tx(
                "line", "For {name}, lay {card}. Take the {colour} chip off {square}.", **facts
            )
        return (line, *_distinguish(tx, position, move))

    def big(self, position: SequencePosition, move: SequenceMove) -> str:
        return card_text(move.card) if isinstance(move, Place | Take | TurnIn) else ""


def _distinguish(tx: Texts, position: SequencePosition, move: Place | Take) -> tuple[str, ...]:
    """Name a card printed next to the square if people could take the wrong one.

    Each card is on two squares. Left or right would depend on the side where somebody sits, a
    neighbouring card does not.
    """
    square = SQUARES[move.square]
    chips = position.chips_by_square()
    # the other square of the card matters only if the same could be done there
    possible = position.removable_squares() if isinstance(move, Take) else set(SQUARES) - {*chips}
    card = position.codes[move.square]
    twins = {*position.squares_of(card)} & {*possible} - {square}
    elsewhere = {word for twin in twins for word in _neighbours(tx, position, twin)}
    # a neighbour that both squares have would not tell them apart
    unique = [word for word in _neighbours(tx, position, square) if word not in elsewhere]
    if not twins or not unique:
        return ()
    if unique[0] == tx("word", "corner"):
        return (tx("line", "The one beside the corner."),)
    return (tx("line", "The one beside {card}.", card=unique[0]),)


def _neighbours(tx: Texts, position: SequencePosition, square: str) -> list[str]:
    """Return the cards printed left, right, above and below a square."""
    row, column = divmod(INDEX[square], SIDE)
    around = [(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)]
    return [
        card_words_on(tx, position, SQUARES[y * SIDE + x])
        for y, x in around
        if 0 <= y < SIDE and 0 <= x < SIDE
    ]


HAND_OF_GAME = SequenceHand(PRESENTATION)
