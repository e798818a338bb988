"""The hand helper of Sequence: key the cards in hand, see what each of them can do.

It hides again by itself, and the hand is not stored unless it is shown to pass.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from engines.game import GivenError
from engines.sequence import HAND_SIZES
from engines.sequence.board import COPIES, JACKS, ONE_EYED, SQUARES
from engines.sequence.moves import Pass, Place, SequenceMove, Take, TurnIn, read_move
from engines.sequence.position import SequencePosition
from hardware.keys import Key
from pi_app.games.sequence.cards import SUIT_SIGNS, card_text, different_fives, fives_words
from pi_app.games.sequence.keying import CardKeys
from pi_app.games.sequence.picture import board_picture, seat_side
from pi_app.games.sequence.presentation import place_words
from pi_app.screens.base import BAD, TICK, Action, Pop, Stay, Wheel
from pi_app.screens.context import Context
from pi_app.screens.playing.games import HandError, HandOption, HandOptions, Picked
from pi_app.screens.secret import SecretScreen
from pi_app.screens.tips import gives_tips, show_tip, tip_key
from pi_app.settings.schema import HelpLevel
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.choosing import Marked, choose
from pi_app.view.frame import Board, Body, Choices, Entry, Frame, Header, Mark, Picture, Tone, soft

MOST = max(HAND_SIZES.values())


class HandScreen(SecretScreen):
    """Takes cards one after the other, then lists what each can do; ENTER chooses one.

    `key_card` acts as if the card had been keyed in the turn, `play` plays a token.
    """

    def __init__(
        self,
        ctx: Context,
        table: Table,
        side: int,
        play: Callable[[str], Action],
        key_card: Callable[[str], Action],
    ) -> None:
        super().__init__(ctx)
        self.table = table
        self.position = cast(SequencePosition, table.position)
        self.tips = gives_tips(ctx, table)
        self.side = side
        self.play = play
        self.key_card = key_card
        self.cards: list[str] = []
        """The cards keyed so far."""
        self.keys = CardKeys()
        """The keys of the next card."""
        self.refused = ""
        """The card that was keyed last, if the deck has no more of it."""
        self.shown = False
        """Whether the cards are listed; False while they are keyed."""
        self.marked = Marked()

    def wheel(self) -> Wheel | None:
        return None if self.shown else self.keys.wheel()

    # --- what is shown

    def secret_frame(self) -> Frame:
        tx = self.tx
        player = self.position.players[self.position.seat]
        frame = Frame(
            Header(tx("title", "Hand {name}", name=player.name), colour=player.colour),
            board=Board(picture=board_picture(tx, self.position, self.side)),
            keys=soft(
                (Key.ENTER, tx("soft", "show")),
                (Key.BACK, tx("soft", "delete") if self.cards or self.keys else tx("soft", "back")),
            ),
        )
        return self._list_frame(frame) if self.shown else self._keying_frame(frame)

    def _keying_frame(self, frame: Frame) -> Frame:
        tx = self.tx
        cards = " ".join(map(card_text, self.cards))
        prompt = tx("line", "Key your cards, such as 12*2 for Q♥, then #.")
        choices = self.keys.choices(tx)
        if self.keys:
            return replace(frame, body=Body(entry=self.keys.entry(tx), choices=choices))
        why = tx("verdict", "the deck has only {copies} of it", copies=COPIES)
        return replace(
            frame,
            body=Body(
                entry=Entry(card_text(self.refused), why, Tone.BAD) if self.refused else None,
                lines=(cards,) if cards else (prompt,),
            ),
        )

    def _list_frame(self, frame: Frame) -> Frame:
        """Show the cards next to the board, with the chosen card's squares marked on it."""
        tx = self.tx
        chosen = self._card(self.marked.selected)
        uses = self._uses(chosen)[1] if chosen else tx("item", "show and pass")
        return replace(
            frame,
            body=Body(
                lines=(uses,),
                choices=self._choices(),
            ),
            board=replace(frame.board, picture=self._picture(), close_up=True),
            keys=soft(
                (Key.ENTER, tx("soft", "play")),
                (Key.BACK, tx("soft", "back")),
                *((tip_key(tx),) if self.tips else ()),
            ),
        )

    def _choices(self) -> Choices:
        items, sentences = [], []
        for card in self.distinct_cards():
            word, few_words = self._uses(card)
            items.append(f"{card_text(card)} {word}")
            sentences.append(f"{card_text(card)}: {few_words}")
        if self.stuck():
            items.insert(0, self.tx("soft", "pass"))
            sentences.insert(0, self.tx("item", "show and pass"))
        return Choices(tuple(items), self.marked.selected, sentences=tuple(sentences))

    def _uses(self, card: str) -> tuple[str, str]:
        """Return what a card can do now as (word, few words), such as ("2", "free: 2")."""
        tx, position = self.tx, self.position
        if card in ONE_EYED:
            count = len(position.removable_squares())
            return str(count), tx("item", "to take away: {n}", n=count)
        if card not in JACKS and position.is_dead(card):
            return tx("soft", "dead"), tx("item", "dead card")
        count = len(position.free_squares(card))
        return str(count), tx("item", "free: {n}", n=count)

    def _picture(self) -> Picture:
        """Mark where the chosen card can be played."""
        position = self.position
        picture = board_picture(self.tx, position, self.side)
        card = self._card(self.marked.selected)
        squares = position.removable_squares() if card in ONE_EYED else position.free_squares(card)
        return picture.with_mark(Mark.LEGAL, squares)

    def distinct_cards(self) -> tuple[str, ...]:
        """Return the cards keyed so far without duplicates."""
        return tuple(dict.fromkeys(self.cards))

    def _pass(self) -> str:
        """Return the token of passing, which shows all cards."""
        return f"pass:{','.join(self.cards)}"

    def stuck(self) -> bool:
        """Whether none of these cards can be played or turned in."""
        return self.table.refusal(self._pass()) is None

    def _card(self, row: int) -> str:
        """Return the card in a row of the list; "" for the pass."""
        index = row - int(self.stuck())  # the pass is the first row
        return self.distinct_cards()[index] if index >= 0 else ""

    # --- what keys do

    def key(self, key: Key) -> Action:
        return self._choose(key) if self.shown else self._collect(key)

    def _collect(self, key: Key) -> Action:
        self.refused = ""
        if not self.keys:
            if key is Key.ENTER:
                self.shown = bool(self.cards)
                self.marked = Marked()
                return Stay(TICK if self.shown else BAD)
            if key is Key.BACK:
                if not self.cards:
                    return Pop(TICK)
                self.cards.pop()
                return Stay(TICK)
            if len(self.cards) == MOST:
                return Stay(BAD)
        answer = self.keys.after(key)
        if not isinstance(answer, str):
            self.keys = self.keys if answer is None else answer
            return Stay(TICK if answer is not None and answer.possible else BAD)
        self.keys = CardKeys()
        if self.cards.count(answer) == COPIES:
            self.refused = answer
            return Stay(BAD)
        self.cards.append(answer)
        return Stay(TICK)

    def _choose(self, key: Key) -> Action:
        chosen = choose(self._choices(), self.marked, key)
        if isinstance(chosen, int):
            card = self._card(chosen)
            return Pop(TICK, lambda: self.key_card(card) if card else self.play(self._pass()))
        if chosen is not None:
            self.marked = chosen
        elif key is Key.BACK:
            self.shown = False
        elif key is Key.STAR and self.tips:
            picture = board_picture(self.tx, self.position, self.side)
            return show_tip(self, self.table, tuple(self.cards), self.play, picture)
        else:
            return Stay(BAD)
        return Stay(TICK)


_LETTERS = str.maketrans({sign: letter for letter, sign in SUIT_SIGNS.items()})


def find_options(
    tx: Texts, position: SequencePosition, seat: int, level: HelpLevel, cards: str
) -> HandOptions:
    """Return every square that the cards can be played on, dead cards, and passing."""
    hand = _read(cards)
    # another player has turned in no dead card yet in the turn to come
    turn = position if seat == position.seat else replace(position, seat=seat, turned_in=0)
    if not hand or len(hand) > MOST:
        raise HandError
    try:
        moves = turn.legal(hand)
    except GivenError as error:
        raise HandError from error
    side = seat_side(seat, len(position.players))
    legal = True if level.tells_legal else None  # None: this player is not told
    options = [option for move in moves for option in _options(tx, turn, move, side)]
    return HandOptions(hand, tuple(replace(option, legal=legal) for option in options))


def _read(cards: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\s,]+", cards.upper().translate(_LETTERS)))


def trial(tx: Texts, position: SequencePosition, picked: Picked) -> tuple[HandOption, ...]:
    """Return the picked card on the square or as a dead one; without a card the pass."""
    hand, cards = _read(picked.hand), _read(picked.cards)
    if not cards and hand:
        return (HandOption(f"pass:{','.join(hand)}", tx("item", "show and pass")),)
    if len(cards) != 1:  # one card is played at a time
        return ()
    sign = "-" if cards[0] in ONE_EYED else "@"  # takes a chip away or places one
    token = f"{cards[0]}!"  # without a square: a dead card is turned in
    if picked.cell:
        token = f"{cards[0]}{sign}{picked.cell}"
    move = read_move(token)
    side = seat_side(position.seat, len(position.players))
    return () if move is None else _options(tx, position, move, side)


def _options(
    tx: Texts, position: SequencePosition, move: SequenceMove, side: int
) -> tuple[HandOption, ...]:
    """Return a move as an option, or as one for each choice of the five chips of a sequence."""
    option = _option(tx, move, side)
    if not isinstance(move, Place) or position.refusal(move) is not None:
        return (option,)
    fives = different_fives(position, move)
    choices = (
        replace(option, token=choice.token, then=words)
        for (choice, _), words in zip(fives, fives_words(tx, position, fives), strict=True)
    )
    return tuple(choices) or (option,)


def _option(tx: Texts, move: SequenceMove, side: int) -> HandOption:
    if isinstance(move, Place | Take):
        square = SQUARES[move.square]
        text = f"{card_text(move.card)}: {place_words(tx, square, side)}"
        return HandOption(move.token, text, square, (move.card,))
    if isinstance(move, TurnIn):
        text = f"{card_text(move.card)}: {tx('item', 'dead card')}"
        return HandOption(move.token, text, uses=(move.card,))
    shown_cards = move.cards if isinstance(move, Pass) else ()
    return HandOption(move.token, tx("item", "show and pass"), uses=shown_cards)
