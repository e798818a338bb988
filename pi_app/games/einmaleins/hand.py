"""Help for learners of Einmaleins: the rows of the open card's factors, and the hand helper."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import cast

from engines.einmaleins import GAME
from engines.einmaleins.cards import FREE, PAIRS
from engines.einmaleins.moves import DRAW, Draw, EinmaleinsMove
from engines.einmaleins.position import EinmaleinsPosition
from engines.game import GivenError
from hardware.keys import Key
from pi_app.games.einmaleins.picture import card_words, pair_words
from pi_app.screens.base import BAD, TICK, Action, PageScreen, Pop, Replace, Stay, Wheel
from pi_app.screens.context import Context
from pi_app.screens.playing.games import HandError, HandOption, HandOptions, Picked
from pi_app.screens.secret import SecretScreen
from pi_app.screens.tips import gives_tips, show_tip, tip_key
from pi_app.settings.schema import HelpLevel
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.choosing import Marked, choose, waiting
from pi_app.view.frame import Body, Choices, Entry, Frame, Header, Tone, scroll, soft

DIGITS = 3


def number_wheel(
    digits: str,
    then: Key,
    fitting: Collection[int] = (),
    more: tuple[tuple[Key, str], ...] = (),
) -> Wheel:
    """Return the number cards that a dial chooses from, beginning at the smallest `fitting` one.

    `digits` are keyed already; `then` and `more` are as in `Wheel`.
    """
    numbers = list(PAIRS)
    start = numbers.index(min(fitting)) if fitting else 0
    return Wheel(tuple(map(str, numbers)), start, digits, then, more=more)


class TableScreen(PageScreen):
    """Shows which numbers fit: a row for each announced factor; ENTER opens the hand helper."""

    def __init__(self, ctx: Context, table: Table, play: Callable[[str], Action]) -> None:
        position = cast(EinmaleinsPosition, table.position)
        by_factor = position.fitting_numbers().items()
        lines = tuple(f"{factor}: {' '.join(map(str, numbers))}" for factor, numbers in by_factor)
        player = position.players[position.seat]
        open_card = card_words(position.open.number, free=position.open.free)
        super().__init__(
            ctx, ctx.texts("title", "Fits on {card}", card=open_card), lines, player.colour
        )
        self.table = table
        self.play = play

    def frame(self) -> Frame:
        tx = self.tx
        return Frame(
            Header(self.title, colour=self.colour),
            Body(lines=self.lines, top=self.top),
            keys=soft(
                (Key.ENTER, tx("soft", "hand")),
                (Key.BACK, tx("soft", "back")),
                scroll(tx("soft", "more")),
            ),
        )

    def press(self, key: Key) -> Action:
        if key is Key.ENTER:
            return Replace(TICK, screen=HandScreen(self.ctx, self.table, self.play))
        return super().press(key)


class HandScreen(SecretScreen):
    """The hand helper: key the cards, see what each can be laid as, pick one to lay it.

    It hides again by itself, and the hand is stored nowhere.
    """

    def __init__(self, ctx: Context, table: Table, play: Callable[[str], Action]) -> None:
        super().__init__(ctx)
        self.play = play
        self.table = table
        self.position = cast(EinmaleinsPosition, table.position)
        self.tips = gives_tips(ctx, table)
        self.cards: list[str] = []
        """The cards keyed so far."""
        self.digits = ""
        """The digits of the card that is being keyed."""
        self.moves: tuple[EinmaleinsMove, ...] | None = None
        """The list of moves with these cards; None while cards are keyed."""
        self.marked = Marked()

    def secret_frame(self) -> Frame:
        tx = self.tx
        player = self.position.players[self.position.seat]
        header = Header(tx("title", "Hand {name}", name=player.name), player.colour)
        if self.moves is not None:
            return self._list_frame(header, self.moves)
        text = " ".join([*self.cards, self.digits]).strip()
        keys = [(Key.BACK, tx("soft", "back"))]
        entry = self._entry(text) if text else None
        if entry is not None:
            forward = [(Key.ENTER, tx("soft", "show")), (Key.STAR, tx("soft", "next"))]
            delete = (Key.BACK, tx("soft", "delete"))
            keys = [delete] if entry.tone is Tone.BAD else [*forward, delete]
        return Frame(
            header,
            Body(
                entry=entry or Entry(""),
                lines=(tx("line", "Key your cards, * between them, ** a free one, then #."),),
            ),
            keys=soft(*keys),
        )

    def _entry(self, text: str) -> Entry:
        """Say at once if a number is no card, or if the deck has no more of it."""
        tx = self.tx
        if not self.digits or self._possible(self.digits):
            return Entry(text)
        card = int(self.digits)
        if card in PAIRS:
            return Entry(text, tx("verdict", "there is one {card} only", card=card), Tone.BAD)
        return Entry(text, tx("verdict", "{card} is on no number card", card=card), Tone.BAD)

    def _list_frame(self, header: Header, moves: tuple[EinmaleinsMove, ...]) -> Frame:
        tx = self.tx
        return Frame(
            replace(header, corner=waiting(self.marked.typed)),
            Body(choices=self._choices(moves)),
            keys=soft(
                (Key.ENTER, tx("soft", "play")),
                (Key.BACK, tx("soft", "back")),
                *((tip_key(tx),) if self.tips else ()),
            ),
        )

    def _choices(self, moves: tuple[EinmaleinsMove, ...]) -> Choices:
        items = tuple(
            self.tx("item", "draw a card")
            if isinstance(move, Draw)
            else f"{card_words(move.number, free=move.free)} = {pair_words(move.pair)}"
            for move in moves
        )
        return Choices(items, self.marked.selected)

    def wheel(self) -> Wheel | None:
        free = () if self.digits else ((Key.STAR, self.tx("soft", "free")),)
        return number_wheel(self.digits, Key.STAR, (), free) if self.moves is None else None

    def key(self, key: Key) -> Action:
        return self._collect(key) if self.moves is None else self._choose(key, self.moves)

    def _collect(self, key: Key) -> Action:
        if key is Key.ENTER:
            return self._show()
        if key is Key.STAR:
            card = self.digits or FREE  # STAR before any digit is a free card
            return Stay(TICK if self._take(card) else BAD)
        if key is Key.BACK:
            return self._delete()
        if key.digit is None or len(self.digits) == DIGITS or (key is Key.D0 and not self.digits):
            return Stay(BAD)
        self.digits += key.value
        return Stay(TICK)

    def _take(self, card: str) -> bool:
        """Put a card into the hand; return whether the deck has it."""
        if not self._possible(card):
            return False
        self.cards.append(card)
        self.digits = ""
        return True

    def _possible(self, card: str) -> bool:
        """Whether the deck has all cards keyed so far and this one."""
        try:
            GAME.given(self.position, ",".join([*self.cards, card]), None)
        except GivenError:
            return False
        return True

    def _delete(self) -> Action:
        if self.digits:
            self.digits = self.digits[:-1]
        elif self.cards:
            self.cards.pop()
        else:
            return Pop(TICK)
        return Stay(TICK)

    def _show(self) -> Action:
        if self.digits and not self._take(self.digits):
            return Stay(BAD)
        if not self.cards:
            return Stay(BAD)
        self.moves = tuple(self.position.legal(tuple(self.cards)))
        self.marked = Marked()
        return Stay(TICK)

    def _choose(self, key: Key, moves: tuple[EinmaleinsMove, ...]) -> Action:
        chosen = choose(self._choices(moves), self.marked, key)
        if isinstance(chosen, int):
            return Pop(TICK, lambda: self.play(moves[chosen].token))
        if chosen is not None:
            self.marked = chosen
        elif key is Key.BACK:
            self.moves = None
        elif key is Key.STAR and self.tips:
            return show_tip(self, self.table, tuple(self.cards), self.play)
        else:
            return Stay(BAD)
        return Stay(TICK)


MOST_HELD = 40
"""Nobody holds more cards than this."""


def find_options(
    tx: Texts, position: EinmaleinsPosition, seat: int, level: HelpLevel, cards: str
) -> HandOptions:
    """Return every task with which a card fits on the open one, and drawing a card."""
    try:
        # the hand may be that of a player whose turn it is not
        hand = GAME.given(position, ",".join(_read(cards)), None)
        moves = replace(position, seat=seat).legal(hand)
    except GivenError as error:
        raise HandError from error
    legal = True if level.tells_legal else None  # None: this player is not told
    return HandOptions(
        tuple(hand), tuple(replace(_option(tx, move), legal=legal) for move in moves)
    )


def _read(cards: str) -> list[str]:
    # numbers, free cards, and any other character, which is then refused as no card
    return re.findall(r"\d+|\*|[^\s,]", cards)[:MOST_HELD]


def trial(tx: Texts, position: EinmaleinsPosition, picked: Picked) -> tuple[HandOption, ...]:
    """Return the moves that lay the picked card; without a card, the one that draws.

    A free card lies as the number of the picked cell. If two of its tasks fit, there is a move for
    each, and the player chooses; with `picked.says` the player keys the task instead. A card that
    cannot be laid is judged when it is played.
    """
    cards = _read(picked.cards)
    if not cards:
        return (_option(tx, DRAW),)
    free = cards[0] == FREE
    word = picked.cell if free else cards[0]
    number = int(word) if word.isdecimal() and len(word) <= DIGITS else 0  # 0 is on no card
    if len(cards) > 1 or number not in PAIRS:
        return ()
    fitting = position.fitting_pairs(number)
    name = card_words(number, free=free)
    text = tx("item", "play {cards}", cards=name)
    option = HandOption("", text, str(number), (cards[0],))
    if fitting and picked.says:
        # the two factors that the player keys complete the token
        return (replace(option, token=f"{name}=", task=True),)
    is_ambiguous = len(fitting) > 1
    pairs = fitting or PAIRS[number][:1]  # if none fits, the refusal of one task is enough
    return tuple(
        replace(option, token=f"{name}={a}x{b}", then=pair_words((a, b)) if is_ambiguous else "")
        for a, b in pairs
    )


def _option(tx: Texts, move: EinmaleinsMove) -> HandOption:
    if isinstance(move, Draw):
        return HandOption(move.token, tx("item", "draw a card"))
    text = f"{card_words(move.number, free=move.free)} = {pair_words(move.pair)}"
    card = "*" if move.free else str(move.number)
    return HandOption(move.token, text, str(move.number), (card,))
