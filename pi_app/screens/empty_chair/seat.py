"""The companion's own seats: its turn, its cards, how well it plays."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from engines.game import AnyPosition, Step
from hardware.keys import Key
from pi_app.screens.base import TICK, Action, ListScreen, Pop
from pi_app.screens.context import Context
from pi_app.table.given import Hand
from pi_app.table.players import BotSeats, DealtCard, token_at
from pi_app.table.setup_draft import STRENGTHS, Strength
from pi_app.table.table import Table
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.view.frame import Frame


class OwnTurn(ABC):
    """The part of a turn screen that plays the companion's seats."""

    @abstractmethod
    def frame(self, bare: Frame, notice: tuple[str, ...]) -> Frame | None:
        """Return the frame; None if a person is to move and no card is needed.

        `bare` is the frame of any turn, `notice` says what the last move requires at the table.
        """

    @abstractmethod
    def key(self, key: Key) -> Action | None:
        """Answer a key; None if a person is to move and no card is needed."""

    @abstractmethod
    def deadline(self) -> float | None:
        """Return when to call `expire`, in seconds on the context's clock; None: never."""

    @abstractmethod
    def expire(self) -> Action:
        """Announce the companion's move: its time is over."""

    @abstractmethod
    def close(self) -> None:
        """End all thinking: the table is left."""


class BotHand:
    """The cards of one of the companion's seats, derived from keyed cards and played moves."""

    def __init__(self, table: Table, bot_seats: BotSeats, game: Hand, seat: int) -> None:
        self.table = table
        self.bot_seats = bot_seats
        self.game = game
        self.seat = seat
        self.name = table.start.players[seat].name
        self._cache: tuple[AnyPosition, tuple[DealtCard, ...], tuple[str, ...]] | None = None
        """The position and the keyed cards of the last replay, and the hand that it gave."""

    def cards(self) -> tuple[str, ...]:
        """Return its cards in the order in which they lie; () if they are unknown.

        They are unknown if a card was played that was never keyed: then all are keyed again.
        """
        position, dealt = self.table.position, self.bot_seats.dealt(self.name)
        if self._cache is not None:
            cached_position, cached_dealt, hand = self._cache
            if cached_position is position and cached_dealt is dealt:
                return hand
        hand = self._replay()
        self._cache = position, dealt, hand
        return hand

    def _replay(self) -> tuple[str, ...]:
        """Apply keyed cards and played moves in the order in which they happened; () if unknown."""
        steps, dealt = self.table.steps, self._valid_cards()
        hand: list[str] = []
        # moves before the first card need no cards: the hand was keyed (again) after them
        applied = dealt[0].moves if dealt else len(steps)
        for dealt_card in dealt:
            if not self._remove_played(hand, steps[applied : dealt_card.moves]):
                return ()
            applied = dealt_card.moves
            if not _add_or_remove(hand, dealt_card.card, came=dealt_card.came):
                return ()
        return tuple(hand) if self._remove_played(hand, steps[applied:]) else ()

    def lacks(self) -> int:
        """Return how many cards people still have to key.

        A negative number counts cards that left the hand without being named: key which ones.
        """
        size = self._size(len(self.table.steps))
        return 0 if size is None else size - len(self.cards())

    def add(self, card: str) -> None:
        """Add a card that was drawn."""
        self._note(card, came=True)

    def leave(self, card: str) -> None:
        """Remove a card that left the hand other than by a move."""
        self._note(card, came=False)

    def undo(self) -> bool:
        """Forget the card keyed last; tell whether there was one since the last move."""
        if not self.can_undo():
            return False
        self.bot_seats.set_dealt(self.name, self._valid_cards()[:-1])
        return True

    def can_undo(self) -> bool:
        """Tell whether a card was keyed since the last move."""
        dealt = self._valid_cards()
        return bool(dealt) and dealt[-1].moves >= self._moves_at_draw()

    def forget(self) -> None:
        """Forget all cards, so that they are keyed again."""
        self.bot_seats.set_dealt(self.name, ())

    def _valid_cards(self) -> tuple[DealtCard, ...]:
        """Return the keyed cards that still apply: the moves before them were not changed."""
        steps = self.table.steps
        return tuple(card for card in self.bot_seats.dealt(self.name) if card.still_applies(steps))

    def _note(self, card: str, *, came: bool) -> None:
        # if the hand is unknown, the cards keyed before are void and keying begins anew
        dealt = self._valid_cards() if self.cards() else ()
        moves = self._moves_at_draw()
        if dealt:
            moves = max(moves, dealt[-1].moves)  # the order of the cards is that of their moves
        token = token_at(self.table.steps, moves)
        self.bot_seats.set_dealt(self.name, (*dealt, DealtCard(moves, token, card, came)))

    def _moves_at_draw(self) -> int:
        """Return the number of moves before the last draw: the hand's size is the same since."""
        steps = self.table.steps
        moves = len(steps)
        while (
            moves
            and steps[moves - 1].player.name != self.name
            and self._size(moves - 1) == self._size(moves)
        ):
            moves -= 1
        return moves

    def _size(self, moves: int) -> int | None:
        """Return how many cards the seat held after this many moves; None if it needs none."""
        table = self.table
        position = table.steps[moves - 1].after if moves else table.start
        return self.game.size(position, self.seat)

    def _remove_played(self, hand: list[str], steps: Sequence[Step]) -> bool:
        """Remove the cards of its own moves from the hand; tell whether all were there."""
        own = (step for step in steps if step.player.name == self.name)
        cards = (card for step in own for card in self.game.spent(step.token))
        return all(_add_or_remove(hand, card, came=False) for card in cards)


def _add_or_remove(hand: list[str], card: str, *, came: bool) -> bool:
    """Add a card at the end, or remove one; tell whether that was possible."""
    if came:
        hand.append(card)
    elif card in hand:
        hand.remove(card)
    else:
        return False
    return True


def strength_word(tx: Texts, strength: Strength | None) -> str:
    """Return a word for how well the companion plays a seat, or for a person."""
    match strength:
        case None:
            return tx("word", "a person")
        case "beginner":
            return tx("word", "beginner")
        case "club":
            return tx("word", "club")
        case "best":
            return tx("word", "best")


def find_strength(word: str) -> Strength | None:
    """Return the strength that a word means in any language; None for other words."""
    for strength in STRENGTHS:
        translations = [strength_word(Texts(language), strength) for language in LANGUAGES]
        if word.casefold() in (name.casefold() for name in (strength, *translations)):
            return strength
    return None


class StrengthScreen(ListScreen):
    """Asks who plays a seat: a person, or the companion, and how well."""

    def __init__(
        self,
        ctx: Context,
        name: str,
        current: Strength | None,
        done: Callable[[Strength | None], Action],
    ) -> None:
        answers: tuple[Strength | None, ...] = (None, *STRENGTHS)
        tx = ctx.texts
        super().__init__(
            ctx,
            name,
            tuple(strength_word(tx, answer) for answer in answers),
            lambda index: Pop(TICK, lambda: done(answers[index])),
            selected=answers.index(current),
            lines=(tx("line", "Who plays: a person, or the companion, and how well?"),),
        )
