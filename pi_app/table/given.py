"""The hand or roll that a player adds to a position, or nothing.

One class a game serves the hand helper at the keys, a player's phone, the companion's seat and
tips. It is stateless: everything comes in as an argument, positions and moves are the game's own.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from engines.game import Move, Refusal, Step, make_step
from engines.notation import Fault
from pi_app.settings.schema import HelpLevel
from pi_app.table.players import KnownPlayer
from pi_app.table.presentation import AnyPresentation
from pi_app.texts.language import Texts
from pi_app.view.keying import Keying


class HandError(ValueError):
    """The cards cannot be a hand."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that a hand or a roll forms, legal or not."""

    move: Move
    refusal: Refusal | None


@dataclass(frozen=True, slots=True)
class HandRow:
    """A line of the hand helper's list."""

    text: str
    token: str
    """The token of its move, or another text for the turn screen."""
    greyed: bool = False
    """Whether it is shown as impossible, if the player's help level allows that."""
    sentence: str = ""
    """The line in full words, for displays with room."""
    note: str = ""
    """Shown above the list while this line is marked."""
    cells: Collection[str] = ()
    """Its target cells on the board."""


@dataclass(frozen=True, slots=True)
class HandOption:
    """One possible move with a hand, for a phone."""

    token: str
    text: str
    """The move in words."""
    cell: str = ""
    """The move's target cell; "" without one."""
    uses: tuple[str, ...] = ()
    """The cards that it takes from the hand."""
    legal: bool | None = None
    """Whether it is legal; None if the player's help level hides that."""
    why: str = ""
    """Why it is illegal, or its consequence; "" if the help level hides that."""
    then: str = ""
    """Distinguishes options with the same text; the page asks for it afterwards."""


@dataclass(frozen=True, slots=True)
class Picked:
    """The choice of a player without help."""

    hand: str
    """The whole hand, or the roll, as keyed."""
    cards: str = ""
    """The cards to play."""
    cell: str = ""
    """The board's cell to play on, or ""."""
    player: KnownPlayer = field(default_factory=lambda: KnownPlayer(""))
    """Who wants it, with what this player chose of help."""


@dataclass(frozen=True, slots=True)
class HandOptions:
    """A hand, card by card, and its possible moves."""

    cards: tuple[str, ...]
    options: tuple[HandOption, ...]


class Given:
    """A game without hidden cards or dice; subclasses add them."""

    shows_refused = False
    """Whether refused moves are listed too, with the reason."""
    open_refusals: frozenset[str] = frozenset()
    """Codes of refusals that are shown at every help level, as the board shows the reason."""
    close_up = False
    """Whether small displays show the board beside the words, for people searching it."""

    def __init__(self, presentation: AnyPresentation) -> None:
        self.presentation = presentation

    # --- moves

    def read(self, position: Any, text: str) -> Any:
        """Read `legal`'s argument from words with spaces or commas; Fault if impossible."""
        del text
        return self.presentation.game.given(position, None, None)

    def turn_of(self, position: Any, seat: int) -> Any:
        """Return the position as if it were this seat's turn."""
        return position if seat == position.seat else replace(position, seat=seat)

    def moves(self, position: Any, given: Any) -> Iterable[Move]:
        """Return every move that these cards or this roll form, legal or not."""
        moves: Iterable[Move] = position.candidates(given)
        return moves

    def candidates(self, position: Any, given: Any) -> tuple[Candidate, ...]:
        """Return the moves to list for a player, the legal ones or all, as the game lists them."""
        if not self.shows_refused:
            return tuple(Candidate(move, None) for move in position.legal(given))
        found = (Candidate(move, position.refusal(move)) for move in self.moves(position, given))
        return tuple(found)

    def visible(self, refusal: Refusal | None, level: HelpLevel) -> Refusal | None:
        """Return a refusal if this help level shows it, else None."""
        told = refusal is not None and (level.tells_legal or refusal.code in self.open_refusals)
        return refusal if told else None

    # --- words

    def words(self, tx: Texts, position: Any, move: Any) -> str:
        """Say a move."""
        step = self.step(position, move)
        return move.token if step is None else self.presentation.moves.tip(tx, step)

    def said(self, tx: Texts, position: Any, given: str) -> str:  # noqa: ARG002  # some say more
        """Say the cards or the roll of a question about an earlier move."""
        return given

    def follows(self, tx: Texts, position: Any, move: Any) -> str:  # noqa: ARG002  # some have it
        """Say the consequence of a legal move; "" if there is none to mention."""
        return ""

    def places(self, position: Any, move: Any) -> tuple[str, ...]:
        """Return the picture's cells that a move changes; the last is the one to tap."""
        step = self.step(position, move)
        return () if step is None else step.places

    def to_do(self, tx: Texts, position: Any, move: Any) -> tuple[str, ...]:
        """Say in sentences what people must do at the table to play a move for the companion."""
        name = position.players[position.seat].name
        return (tx("line", "For {name}: {move}.", name=name, move=self.words(tx, position, move)),)

    def big(self, position: Any, move: Any) -> str:  # noqa: ARG002  # for those that have one
        """Return the move in a few large signs, or ""."""
        return ""

    def step(self, position: Any, move: Any) -> Step | None:
        """Return the step that a legal move would be, None for an illegal one."""
        try:
            return make_step(position, move)
        except Fault:
            return None

    # --- a player's phone

    def options(
        self, tx: Texts, position: Any, seat: int, level: HelpLevel, text: str
    ) -> HandOptions:
        """Return a seat's options with cards or a roll, as if it were its turn; HandError.

        It may be called in any thread and stores nothing. The level is never "none".
        """
        turn = self.turn_of(position, seat)
        try:
            given = self.read(turn, text)
            found = self.candidates(turn, given)
        except Fault as error:
            raise HandError from error
        options = (self._option(tx, turn, candidate, level) for candidate in found)
        return HandOptions(self.words_of(text), tuple(chain.from_iterable(options)))

    def _option(
        self, tx: Texts, turn: Any, candidate: Candidate, level: HelpLevel
    ) -> tuple[HandOption, ...]:
        move, refusal = candidate.move, self.visible(candidate.refusal, level)
        why = (
            self.presentation.words.refusal(tx, refusal)
            if refusal
            else self.follows(tx, turn, move)
        )
        option = HandOption(
            move.token,
            self.words(tx, turn, move),
            "".join(self.places(turn, move)[-1:]),
            self.spent(move.token),
            legal=refusal is None if refusal or level.tells_legal else None,
            why=why,
        )
        return self.expand(tx, turn, move, option)

    def expand(
        self, tx: Texts, position: Any, move: Any, option: HandOption
    ) -> tuple[HandOption, ...]:
        """Return an option, or several if the move needs another choice."""
        del tx, position, move
        return (option,)

    def tries(self, tx: Texts, position: Any, picked: Picked) -> tuple[HandOption, ...]:
        """Return the moves that the player may try, unjudged, for players without help; HandError.

        The referee judges the move when it is played.
        """
        del tx, position, picked
        return ()

    def words_of(self, text: str) -> tuple[str, ...]:
        """Return cards or a roll word by word."""
        return tuple(re.findall(r"[^\s,]+", text))

    def spent(self, token: str) -> tuple[str, ...]:  # noqa: ARG002  # for those with cards
        """Return the cards that a move takes from the hand."""
        return ()


class Die(Given, ABC):
    """A game in which people roll a die."""

    faces = 6
    """The highest number."""

    def star(self, position: Any) -> int:  # noqa: ARG002  # for those that have one
        """Return the face with a star instead of its number, 0 if there is none."""
        return 0

    def read(self, position: Any, text: str) -> Any:
        return self.presentation.game.given(position, None, text)

    def options(
        self, tx: Texts, position: Any, seat: int, level: HelpLevel, text: str
    ) -> HandOptions:
        del level  # the die is visible, so everybody gets the same options
        return super().options(tx, position, seat, HelpLevel.NONE, text)

    def tries(self, tx: Texts, position: Any, picked: Picked) -> tuple[HandOption, ...]:
        return self.options(tx, position, position.seat, HelpLevel.NONE, picked.hand).options

    @abstractmethod
    def refusal(self, tx: Texts, number: int) -> str:
        """Say why the die cannot show this number."""


class Hand(Given, ABC):
    """A game with cards in hand. Cards are words of the game's notation."""

    entry: Keying
    """The keying of one card, empty."""
    most = 40
    """The largest hand."""
    whole = False
    """Whether only a whole hand makes moves; the position knows its size."""
    sign = " "
    """Stands between cards that are keyed one after the other."""

    @abstractmethod
    def size(self, position: Any, seat: int) -> int | None:
        """Return how many cards a seat holds; None once it needs no more cards."""

    @abstractmethod
    def copies(self, position: Any, card: str) -> int:
        """Return how many of this card the deck has."""

    @abstractmethod
    def spent(self, token: str) -> tuple[str, ...]:
        """Return the cards that a move takes from the hand."""

    def face_up(self, position: Any, card: str) -> int:  # noqa: ARG002  # for those who know
        """Return how many copies of this card lie face up, so that nobody can hold them."""
        return 0

    def free(self, position: Any) -> int:  # noqa: ARG002  # for those that have some
        """Return how many cards of the deck may be played as any other card."""
        return 0

    def needs_cell(self, card: str) -> bool:  # noqa: ARG002  # for those that do
        """Tell whether a player names the cell on which this card is played."""
        return False

    def given(self, cards: tuple[str, ...]) -> Any:
        """Return cards as `legal` takes them; ValueError for words that are no cards."""
        return cards

    def read(self, position: Any, text: str) -> Any:
        return self.presentation.game.given(position, ",".join(self.words_of(text)), None)

    # --- words

    def text(self, card: str) -> str:
        """Return a card in words for people."""
        return card

    def prompt(self, tx: Texts) -> str:
        """Say how a hand is keyed."""
        return tx("line", "Key your cards, * between them, then #.")

    def hint(self, tx: Texts) -> str:
        """Say how one card is keyed."""
        return tx("line", "Key the card, then #.")

    def objection(self, tx: Texts, position: Any, cards: Sequence[str]) -> str:
        """Say why nobody can hold these cards together, or ""."""
        for card in dict.fromkeys(cards):
            copies = self.copies(position, card)
            if not copies:
                return tx("verdict", "there is no such card")
            if cards.count(card) > copies:
                return tx("verdict", "the deck has only {copies} of it", copies=copies)
        return ""

    # --- the list of the hand helper

    def rows(self, tx: Texts, position: Any, given: Any, level: HelpLevel) -> tuple[HandRow, ...]:
        """Return the hand helper's list; lines with the same text are one."""
        rows: dict[str, HandRow] = {}
        for candidate in self.candidates(position, given):
            move, refusal = candidate.move, self.visible(candidate.refusal, level)
            text = self.row_words(tx, position, move, refusal)
            why = self.presentation.words.refusal(tx, refusal) if refusal is not None else ""
            sentence = why and f"{why} ({move.token})"
            rows.setdefault(text, HandRow(text, move.token, refusal is not None, sentence))
        return tuple(rows.values())

    def row_words(self, tx: Texts, position: Any, move: Any, refusal: Refusal | None) -> str:
        """Say a move, or a refused one, in a line of the list."""
        del refusal
        return self.words(tx, position, move)

    # --- a player without help

    def tries(self, tx: Texts, position: Any, picked: Picked) -> tuple[HandOption, ...]:
        cards = self.words_of(picked.cards)
        try:
            given = self.given(cards or self.words_of(picked.hand))
            moves = tuple(self.moves(position, given))
        except ValueError as error:
            raise HandError from error
        names_cell = any(map(self.needs_cell, cards))
        options: list[HandOption] = []
        for move in moves:
            spent = self.spent(move.token)
            cell = "".join(self.places(position, move)[-1:]) if names_cell else ""
            if sorted(spent) == sorted(cards) and (not names_cell or cell == picked.cell):
                option = HandOption(move.token, self.try_words(tx, position, move), cell, spent)
                options += self.expand(tx, position, move, option)
        return tuple(options)

    def try_words(self, tx: Texts, position: Any, move: Any) -> str:
        """Say a move to a player without help."""
        return self.words(tx, position, move)
