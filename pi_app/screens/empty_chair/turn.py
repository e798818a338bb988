"""The companion's own turn: asks for its cards or roll, thinks, says its move."""

from dataclasses import replace
from functools import partial
from typing import Protocol

from engines.game import AnyPosition, Move
from hardware.keys import Key
from pi_app.screens.base import BAD, OK, TICK, Action, Item, MenuScreen, Pop, Push, Stay
from pi_app.screens.context import Context
from pi_app.screens.empty_chair.cards import BotCardsScreen
from pi_app.screens.empty_chair.seat import BotHand, OwnTurn, StrengthScreen, strength_word
from pi_app.screens.empty_chair.thoughts import Choice, Thoughts
from pi_app.table.given import Die, Given, Hand
from pi_app.table.players import BotSeats
from pi_app.table.setup_draft import Strength
from pi_app.table.table import Table
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts
from pi_app.view.frame import (
    Body,
    Entry,
    Frame,
    Header,
    Heed,
    Mark,
    Picture,
    SoftKey,
    Tone,
    Utterance,
    soft,
)

SHORTEST_S = 0.3
LONGEST_S = 2.2
"""The companion announces its move after at least and at most this long, in seconds.

At once would be too soon: people look up from the key they pressed. On a slow machine half a second
more passes until the move is seen, and nobody waits longer than three.
"""


class SeatTurn(Protocol):
    """The turn screen that the companion plays on."""

    ctx: Context
    table: Table

    def play(self, move: Move) -> Action:
        """Play a move."""

    def key(self, key: Key) -> Action:
        """Act on a person's key."""

    def tell(self, *notice: str) -> None:
        """Show these sentences in place of the last move's notice."""

    def cached_picture(self) -> Picture:
        """Return the board as it is."""


class BotTurn(OwnTurn):
    """A turn screen's frames and answers while the companion is to move or needs cards.

    All state except the cards is for one position only: a correction or a restart begins the
    companion's turn again.
    """

    def __init__(
        self,
        turn: SeatTurn,
        game: Given,
        bot_seats: BotSeats,
    ) -> None:
        self.turn = turn
        self.ctx = turn.ctx
        self.table = turn.table
        self.game = game
        self.bot_seats = bot_seats
        self._thoughts = Thoughts(turn.ctx, turn.table, bot_seats)
        self._hands_by_seat: dict[int, BotHand] = {}
        self._position: AnyPosition | None = None
        """The position that the state below belongs to."""
        self._reset()

    def _reset(self) -> None:
        """Forget what belongs to one position, and end all thinking about it."""
        self._thoughts.stop()
        self._by_hand = False
        """Whether a person plays this move."""
        self._later = False
        """Whether people postponed keying the cards that this move does not need."""
        self._choice: Choice | None = None
        self._move: Move | None = None
        """The announced move: ENTER plays it."""
        self._wrong: int | None = None
        """A keyed number that no die shows."""
        self._top = 0
        """How often DOWN was pressed: each press shows the sentences from the next one on."""

    @property
    def tx(self) -> Texts:
        return self.ctx.texts

    # --- the seat to move, and its needs

    def _follow(self) -> None:
        """Begin again if the table has changed; start thinking once everything is known."""
        position = self.table.position
        if position is not self._position:
            self._position = position
            self._reset()
        if self._choice is None and self._companion_moves() and self._hand_to_key() is None:
            hand = self.hand_of(position.seat)
            if hand is not None:
                self._choice = self._thoughts.choose(hand.game.given(hand.cards()))
            elif not isinstance(self.game, Die):  # otherwise `_roll` starts it
                self._choice = self._thoughts.choose(None)

    def _companion_moves(self) -> bool:
        """Tell whether the companion is to move, and no person plays this move for it."""
        player = self.table.position.to_move
        return (
            player is not None
            and self.bot_seats.strength(player.name) is not None
            and not self._by_hand
        )

    def hand_of(self, seat: int) -> BotHand | None:
        """Return the cards of a seat; None in a game without cards."""
        if isinstance(self.game, Hand) and seat not in self._hands_by_seat:
            self._hands_by_seat[seat] = BotHand(self.table, self.bot_seats, self.game, seat)
        return self._hands_by_seat.get(seat)

    def _hands(self) -> tuple[BotHand, ...]:
        """Return the companion's hands in the order of turns, the player to move first."""
        players = self.table.start.players
        first, strengths = self.table.position.seat, self.bot_seats.strengths()
        seats = ((first + step) % len(players) for step in range(len(players)))
        hands = (self.hand_of(seat) for seat in seats if players[seat].name in strengths)
        return tuple(hand for hand in hands if hand is not None)

    def _hand_to_key(self) -> BotHand | None:
        """Return the first hand that lacks cards, that of the player to move before others."""
        if self.table.position.result is not None or self._by_hand:
            return None
        # only the cards of the player to move cannot be postponed
        hands = (hand for hand in self._hands() if not self._later or self._is_to_move(hand))
        return next((hand for hand in hands if hand.lacks()), None)

    def close(self) -> None:
        self._thoughts.stop()

    # --- the time it takes

    def deadline(self) -> float | None:
        choice = self._choice
        if choice is None or self._move is not None or not self._companion_moves():
            return None
        return choice.began + (SHORTEST_S if choice.ended else LONGEST_S)

    def expire(self) -> Action:
        choice = self._choice
        if choice is None or self._move is not None:
            return Stay()  # the position has changed, or the move is announced already
        self._move = self._thoughts.best_of(choice)
        if self._move is None:  # the AI failed: the game must go on
            self._let_person_play()
            return Stay(TICK)
        return Stay(OK)

    # --- frames

    def frame(self, bare: Frame, notice: tuple[str, ...]) -> Frame | None:
        self._follow()
        hand = self._hand_to_key()
        if hand is not None:
            return self._cards_frame(bare, notice, hand)
        if not self._companion_moves():
            return None
        if self._move is not None:
            return self._move_frame(bare, notice, self._move)
        name = bare.header.title
        if self._choice is not None:
            thinks = self.tx("line", "{name} thinks ...", name=name)
            keys = ((Key.ENTER, self.tx("soft", "hurry")),)
            return self._turn_frame(bare, (thinks, *notice), keys)
        roll = self.tx("line", "Roll for {name} and press the number.", name=name)
        # light the die's numbers, and refuse a number that no die shows
        frame = self._turn_frame(bare, (*notice, roll), ())
        game, wrong = self.game, self._wrong
        if not isinstance(game, Die):
            return frame
        entry = None
        if wrong is not None:
            entry = Entry(str(wrong), game.refusal(self.tx, wrong), Tone.BAD)
        return replace(
            frame,
            body=replace(frame.body, entry=entry),
            keys=replace(
                frame.keys,
                dice=tuple(range(1, game.faces + 1)),
                star=game.star(self.table.position),
            ),
        )

    def _cards_frame(self, bare: Frame, notice: tuple[str, ...], hand: BotHand) -> Frame:
        """Ask for the cards that the hand lacks."""
        tx, lacks = self.tx, hand.lacks()
        player = self.table.start.players[hand.seat]
        facts = {"name": player.name}
        if lacks > 0:
            ask = tx.many(
                "line",
                "Key {n} card of {name}, seen by nobody else.",
                "Key {n} cards of {name}, seen by nobody else.",
                lacks,
                **facts,
            )
        else:
            ask = tx("line", "Which card of {name} went? Key it.", **facts)
        take = (Key.ENTER, tx("soft", "cards"))
        if self._is_to_move(hand):
            return self._turn_frame(bare, (*notice, ask), (take,))
        later = (Key.BACK, tx("soft", "later"))
        frame = self._turn_frame(bare, (*notice, ask), (take, later))
        corner = colour_word(tx, player.colour)
        # no score: it begins with the player to move, and this is another one
        return replace(frame, header=Header(player.name, player.colour, corner))

    def _move_frame(self, bare: Frame, notice: tuple[str, ...], move: Move) -> Frame:
        """Say the companion's move, and where its cards lie."""
        tx, position = self.tx, self.table.position
        game, picture = self.game, bare.board.picture
        lines = game.to_do(tx, position, move)
        hand = self.hand_of(position.seat)
        if hand is not None:
            lines = (*lines, *self._card_places(hand, move))
        keys = ((Key.ENTER, tx("soft", "done")),)
        if picture is not None:
            picture = picture.with_mark(Mark.SELECTED, game.places(position, move))
        frame = self._turn_frame(bare, (*lines, *notice), keys, close_up=game.close_up)
        roll_again = SoftKey(Key.BACK, tx("soft", "roll"), spare=True)  # the number was wrong
        return replace(
            frame,
            body=replace(frame.body, big=game.big(position, move)),
            board=replace(frame.board, picture=picture),
            keys=frame.keys.with_keys(roll_again) if isinstance(game, Die) else frame.keys,
        )

    def _card_places(self, hand: BotHand, move: Move) -> tuple[str, ...]:
        """Say which cards in its row to take, so that nobody needs to turn the others."""
        tx, row = self.tx, list(hand.cards())
        numbers = []
        for card in hand.game.spent(move.token):
            index = row.index(card)
            row[index] = ""  # a second copy of this card has another number
            numbers.append(index + 1)
        if not numbers:
            return ()
        return (
            tx.many(
                "line",
                "In the row of {name}: card no. {numbers}.",
                "In the row of {name}: cards no. {numbers}.",
                len(numbers),
                name=hand.name,
                numbers=", ".join(map(str, sorted(numbers))),
            ),
        )

    def _turn_frame(
        self,
        bare: Frame,
        lines: tuple[str, ...],
        keys: tuple[tuple[Key, str], ...],
        *,
        close_up: bool = False,
    ) -> Frame:
        """Return a frame with these sentences and keys; `close_up` shows the board as well."""
        tx = self.tx
        # next to a board there is room for little more than the first key
        other = SoftKey(Key.UP, tx("soft", "other"), spare=close_up or len(keys) > 1)
        menu = SoftKey(Key.MENU, tx("soft", "menu"), spare=close_up)
        frame = replace(
            bare,
            body=Body(lines=lines, top=self._top % len(lines)),
            board=replace(bare.board, close_up=close_up),
            keys=soft(*keys, other, menu),
        )
        return replace(frame, speech=partial(to_calls, lines)) if self.ctx.speaks else frame

    def _is_to_move(self, hand: BotHand) -> bool:
        position = self.table.position
        return position.result is None and position.seat == hand.seat

    # --- keys

    def key(self, key: Key) -> Action | None:
        self._follow()
        hand = self._hand_to_key()
        if hand is None and not self._companion_moves():
            return None
        if key is Key.DOWN:
            self._top += 1
            return Stay(TICK)
        self._top = 0
        if key is Key.UP:
            seat = self.table.position.seat if hand is None else hand.seat
            return Push(BotMenu(self, seat))
        if hand is not None:
            return self._key_cards(hand, key)
        if self._move is not None:
            if key is Key.ENTER:
                return self.turn.play(self._move)
            if key is Key.BACK and isinstance(self.game, Die):
                self._reset()  # the number was wrong: ask for the roll again
                return Stay(TICK)
            return Stay(BAD)
        if self._choice is not None:
            return self.expire() if key is Key.ENTER else Stay(BAD)
        return self._roll(key)

    def _key_cards(self, hand: BotHand, key: Key) -> Action:
        """Open the screen for its cards; a digit or STAR is already the first key of a card."""
        if key is Key.BACK and not self._is_to_move(hand):
            self._later = True
            return Stay(TICK)
        begins_card = key.digit is not None or key is Key.STAR
        if not begins_card and key is not Key.ENTER:
            return Stay(BAD)
        others = tuple(other for other in self._hands() if other.seat != hand.seat)
        screen = BotCardsScreen(
            self.ctx, hand, others, self.turn.cached_picture(), self._after_cards
        )
        if not begins_card:
            return Push(screen)
        action = screen.press(key)
        if isinstance(action, Pop):  # this key was the whole card, and it was the last one
            self._after_cards()
            return Stay(action.signals)
        return Push(screen, signals=action.signals)

    def _after_cards(self) -> Action:
        """Dismiss the last move's notice once all cards are known."""
        if self._hand_to_key() is None:
            self.turn.tell()
        return Stay()

    def _roll(self, key: Key) -> Action:
        self._wrong = None
        number = key.die if key.digit is None else key.digit  # None for any other key
        if number is None or not isinstance(self.game, Die):
            return Stay(BAD)
        if not 1 <= number <= self.game.faces:
            self._wrong = number
            return Stay(BAD)
        self._choice = self._thoughts.choose(number)
        return Stay(TICK)

    def play_by_hand(self) -> Action:
        """Let a person key this move, with the number that was rolled."""
        choice = self._choice
        self._let_person_play()
        if choice is None or not isinstance(self.game, Die):
            return Stay(TICK)
        return self.turn.key(
            Key(str(choice.question.given))
        )  # the turn screen takes the roll as keyed

    def _let_person_play(self) -> None:
        self._reset()
        self._by_hand = True

    def give(self, name: str, strength: Strength | None) -> Action:
        """Let a person or the companion play a seat from now on."""
        self.bot_seats.give({name: strength})
        self._reset()
        return Stay(OK)

    def key_again(self, hand: BotHand) -> Action:
        """Forget a hand and ask for its cards again."""
        hand.forget()
        self._reset()
        return self._key_cards(hand, Key.ENTER)


class BotMenu(MenuScreen):
    """Other actions during the companion's turn."""

    def __init__(self, turn: BotTurn, seat: int) -> None:
        self.turn = turn
        self.seat = seat
        player = turn.table.start.players[seat]
        self.name = player.name
        super().__init__(turn.ctx, player.name)
        self.colour = player.colour

    def entries(self) -> tuple[Item, ...]:
        tx, turn = self.tx, self.turn
        strength = strength_word(tx, turn.bot_seats.strength(self.name))
        entries: list[Item] = [
            (tx("item", "Key a move for it"), lambda: Pop(then=turn.play_by_hand)),
            (tx("item", "Plays: {level}", level=strength), self._strength),
        ]
        hand = turn.hand_of(self.seat)
        if hand is not None:
            entries.append(
                (tx("item", "Key its cards again"), lambda: Pop(then=lambda: turn.key_again(hand)))
            )
        return tuple(entries)

    def _strength(self) -> Action:
        def done(strength: Strength | None) -> Action:
            return Pop(then=lambda: self.turn.give(self.name, strength))

        strength = self.turn.bot_seats.strength(self.name)
        return Push(StrengthScreen(self.ctx, self.name, strength, done))


def to_calls(lines: tuple[str, ...]) -> tuple[Utterance, ...]:
    """Return sentences as calls, which everybody hears."""
    return tuple(Utterance(line, Heed.CALL) for line in lines)
