"""The hand helper of Just 4 Fun: key the four cards, see every sum they make."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from engines.game import GivenError, Refusal
from engines.just4fun.cards import DECK
from engines.just4fun.moves import Sum
from engines.just4fun.position import Just4Fun
from hardware.keys import Key
from pi_app.games.just4fun.presentation import PRESENTATION
from pi_app.screens.base import BAD, TICK, Action, Pop, Stay, Wheel
from pi_app.screens.context import Context
from pi_app.screens.playing.games import HandError, HandOption, HandOptions, Picked
from pi_app.screens.secret import SecretScreen
from pi_app.screens.tips import gives_tips, show_tip, tip_key
from pi_app.settings.schema import HelpLevel
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.choosing import Marked, choose, waiting
from pi_app.view.frame import Body, Choices, Entry, Extras, Frame, Header, Tone, soft

HAND = 4
_MIDDLE = 6
"""The index of the card in the middle of the deck, the 7."""
_IMPOSSIBLE = ("too-many-cards", "unknown-card", "more-than-deck")
"""Codes of refusals of cards that nobody can hold together, whatever lies on the board."""


@dataclass(frozen=True, slots=True)
class Cards:
    """Card values as they are keyed: digits, and STAR for the next card.

    A fifth card and a digit that makes a card impossible stay too, so that people read what is
    wrong with them.
    """

    values: tuple[str, ...] = ("",)
    """The digits of each card; those of the last one, "" at first, are still being keyed."""

    def __bool__(self) -> bool:
        return self.values != ("",)

    @property
    def complete(self) -> tuple[str, ...]:
        """The cards keyed so far, without one that has no digit yet."""
        return tuple(value for value in self.values if value)

    @property
    def possible(self) -> bool:
        """Whether the deck has a card of the value that was keyed last."""
        last = self.values[-1]
        return not last or int(last) in DECK

    def text(self) -> str:
        return "+".join(self.values)

    def after(self, key: Key) -> Cards | None:
        """Return the cards after a digit, STAR or BACK; None if the key does not fit."""
        *before, last = self.values
        if key is Key.BACK:
            return self._shorter()
        if key is Key.STAR:
            # after the fourth card too: the fifth stays, see above
            more = last and self.possible and len(self.values) <= HAND
            return Cards((*self.values, "")) if more else None
        if key.digit is None or not self.possible or (key is Key.D0 and not last):
            return None
        return Cards((*before, last + key.value))

    def wheel(self) -> Wheel:
        """Return what a dial chooses from: the deck's cards, from the middle one of them on."""
        then = Key.STAR if len(self.values) < HAND else Key.ENTER
        return Wheel(tuple(map(str, DECK)), _MIDDLE, self.values[-1], then)

    def _shorter(self) -> Cards | None:
        *before, last = self.values
        if last:
            return Cards((*before, last[:-1]))
        return Cards(tuple(before)) if before else None


class HandScreen(SecretScreen):
    """The hand helper: key the four cards, see every sum, pick one to play it.

    It hides again by itself, and the hand is stored nowhere.
    """

    def __init__(self, ctx: Context, table: Table, play: Callable[[str], Action]) -> None:
        super().__init__(ctx)
        self.table = table
        self.position = cast(Just4Fun, table.position)
        self.player = self.position.players[self.position.seat]
        self.tips = gives_tips(ctx, table)
        self.shows_refusals = ctx.help_level(self.player.name).tells_legal
        """Whether this player's help level shows which sums are illegal, and why."""
        self.play = play
        self.seats = PRESENTATION.current_seats(ctx.texts, self.position)
        self.cards = Cards()
        self.hand: tuple[int, ...] | None = None
        """The cards whose sums are listed; None while cards are keyed."""
        self.marked = Marked()

    def secret_frame(self) -> Frame:
        tx = self.tx
        hand = self.hand
        entry = None
        if not hand:
            entry = self._entry() if self.cards else Entry("")
        return Frame(
            Header(
                tx("title", "Hand {name}", name=self.player.name),
                colour=self.player.colour,
                corner=waiting(self.marked.typed),
            ),
            Body(
                entry=entry,
                lines=() if hand else (tx("line", "Key your 4 cards, * between them, then #."),),
                choices=self._choices(hand) if hand else None,
            ),
            extras=Extras(seats=self.seats),
            keys=soft(*self._keys()),
        )

    def _keys(self) -> tuple[tuple[Key, str], ...]:
        """Return the key labels, without keys that would be refused."""
        tx = self.tx
        back = (Key.BACK, tx("soft", "back"))
        if self.hand is not None:
            greyed = self.marked.selected in self._choices(self.hand).greyed
            play = () if greyed else ((Key.ENTER, tx("soft", "play")),)
            return (*play, back, *((tip_key(tx),) if self.tips else ()))
        if not self.cards:
            return (back,)
        delete = (Key.BACK, tx("soft", "delete"))
        if self._impossible() is not None:
            return (delete,)
        if len(self.cards.complete) == HAND:
            return ((Key.ENTER, tx("soft", "show")), delete)
        return ((Key.STAR, tx("soft", "next")), delete)

    def _impossible(self) -> Refusal | None:
        """Return why nobody can hold these cards, or None."""
        refusal = self.table.refusal("+".join(self.cards.complete))
        return refusal if refusal is not None and refusal.code in _IMPOSSIBLE else None

    def _entry(self) -> Entry:
        """Say at once why these cards are no hand, or how many are missing."""
        text, cards = self.cards.text(), self.cards.complete
        refusal = self._impossible()
        if refusal is not None:
            return Entry(text, PRESENTATION.refusal(self.tx, refusal), Tone.BAD)
        missing = HAND - len(cards)
        if not missing:
            return Entry(text)
        return Entry(text, self.tx.many("verdict", "{n} more card", "{n} more cards", missing))

    def _choices(self, hand: tuple[int, ...]) -> Choices:
        """Return every choice of cards; if none can be played, the exchange comes first."""
        sums = self._rows(hand)
        items, sentences = tuple(map(self._item, sums)), tuple(map(self._sentence, sums))
        if self._must_exchange(hand):
            items = (self.tx("item", "exchange all"), *items)
            sentences = ("", *sentences)  # the exchange has no longer words
            refused = frozenset(range(1, len(items)))  # every sum after it
        else:
            refused = frozenset(n for n, sum_ in enumerate(sums) if self._refusal(sum_) is not None)
        return Choices(items, self.marked.selected, greyed=refused, sentences=sentences)

    def _item(self, sum_: Sum) -> str:
        tx, total = self.tx, sum_.move.total
        refusal = self._refusal(sum_)
        if refusal is None:
            return tx("item", "field {sum}: {cards}", sum=total, cards=sum_.move.token)
        if refusal.code == "sum-too-high":
            return tx("item", "{sum} too high", sum=total)
        return tx("item", "field {sum} blocked", sum=total)

    def _sentence(self, sum_: Sum) -> str:
        """Describe a sum, its cards and why it cannot be played, for a display with room."""
        tx, facts = self.tx, {"cards": sum_.move.token, "sum": sum_.move.total}
        refusal = self._refusal(sum_)
        if refusal is not None:
            return f"{PRESENTATION.refusal(tx, refusal)} ({sum_.move.token})"
        if not self.shows_refusals:
            return tx("line", "field {sum} with {cards}", **facts)
        return tx("line", "field {sum} is free, with {cards}", **facts)

    def _refusal(self, sum_: Sum) -> Refusal | None:
        """Return why a sum cannot be played, as far as this player's help level shows it."""
        return _visible_refusal(sum_, shows_refusals=self.shows_refusals)

    def _must_exchange(self, hand: tuple[int, ...]) -> bool:
        """Whether no sum of this hand can be played."""
        return not any(sum_.refusal is None for sum_ in self.position.sums(hand))

    def _rows(self, hand: tuple[int, ...]) -> tuple[Sum, ...]:
        """Return every choice of cards, but only one for each sum that is shown as illegal."""
        rows: dict[int | str, Sum] = {}
        for entry in self.position.combinations(hand):
            key = entry.move.token if self._refusal(entry) is None else entry.move.total
            rows.setdefault(key, entry)
        return tuple(rows.values())

    def wheel(self) -> Wheel | None:
        return self.cards.wheel() if self.hand is None else None

    def key(self, key: Key) -> Action:
        return self._collect(key) if self.hand is None else self._choose(key, self.hand)

    def _collect(self, key: Key) -> Action:
        if key is Key.ENTER:
            return self._show(tuple(map(int, self.cards.complete)))
        if key is Key.BACK and not self.cards:
            return Pop(TICK)
        cards = self.cards.after(key)
        self.cards = self.cards if cards is None else cards
        return Stay(TICK if cards is not None and cards.possible else BAD)

    def _show(self, values: tuple[int, ...]) -> Action:
        try:
            self.position.sums(values)
        except GivenError:
            return Stay(BAD)
        self.hand = values
        self.marked = Marked()
        return Stay(TICK)

    def _choose(self, key: Key, hand: tuple[int, ...]) -> Action:
        chosen = choose(self._choices(hand), self.marked, key)
        if isinstance(chosen, int):
            self.marked = Marked(chosen)
            return self._take(hand, chosen)
        if chosen is not None:
            self.marked = chosen
        elif key is Key.BACK:
            self.hand = None
        elif key is Key.STAR and self.tips:
            return show_tip(self, self.table, hand, self.play)
        else:
            return Stay(BAD)
        return Stay(TICK)

    def _take(self, hand: tuple[int, ...], row: int) -> Action:
        if self._must_exchange(hand):
            if row > 0:  # a sum, and none can be played
                return Stay(BAD)
            return self._answer("x" + "+".join(map(str, hand)))  # the token of the exchange
        chosen = self._rows(hand)[row]
        return Stay(BAD) if chosen.refusal is not None else self._answer(chosen.move.token)

    def _answer(self, token: str) -> Action:
        """Close this screen, then play the token."""
        return Pop(TICK, lambda: self.play(token))


def find_options(
    tx: Texts, position: Just4Fun, seat: int, level: HelpLevel, cards: str
) -> HandOptions:
    """Return every choice of the four cards; if none can be played, the exchange comes first."""
    hand = _read(cards)
    try:
        sums = replace(position, seat=seat).combinations(hand)
    except GivenError as error:
        raise HandError from error
    shows_refusals = level.tells_legal
    options = tuple(_option(tx, sum_, shows_refusals=shows_refusals) for sum_ in sums)
    if position.result is None and all(sum_.refusal is not None for sum_ in sums):
        token = "x" + "+".join(map(str, hand))
        exchange = HandOption(token, tx("item", "exchange all"), uses=tuple(map(str, hand)))
        options = (replace(exchange, legal=True if shows_refusals else None), *options)
    return HandOptions(tuple(map(str, hand)), options)


def _read(cards: str) -> tuple[int, ...]:
    """Return the values of cards; HandError if one is no number."""
    words = tuple(re.findall(r"[^\s,+*]+", cards))
    # isascii: int() also reads digits of other scripts; no card has three digits
    if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
        raise HandError
    return tuple(map(int, words))


def trial(tx: Texts, position: Just4Fun, picked: Picked) -> tuple[HandOption, ...]:
    """Return the picked cards as one sum; all four can be exchanged as well."""
    del position  # the board does not change which cards may be picked
    cards = tuple(map(str, _read(picked.cards)))
    if not cards:
        return ()
    token = "+".join(cards)
    option = HandOption(token, tx("item", "play {cards}", cards=token), uses=cards)
    if len(cards) < HAND:
        return (option,)
    return option, HandOption(f"x{token}", tx("item", "exchange all"), uses=cards)


def _option(tx: Texts, sum_: Sum, *, shows_refusals: bool) -> HandOption:
    move, refusal = sum_.move, _visible_refusal(sum_, shows_refusals=shows_refusals)
    cards = tuple(map(str, move.cards))
    # a single card is its own sum
    text = f"{move.total} ({move.token})" if len(cards) > 1 else str(move.total)
    option = HandOption(move.token, text, str(move.total), cards)
    if not shows_refusals and refusal is None:
        return option  # `legal` stays open: this player is not told
    return replace(
        option, legal=refusal is None, why=PRESENTATION.refusal(tx, refusal) if refusal else ""
    )


def _visible_refusal(sum_: Sum, *, shows_refusals: bool) -> Refusal | None:
    """Return why a sum cannot be played, or None.

    A help level without legal moves reveals only that a sum is too high: no field has its
    number, as the board shows anyway.
    """
    refusal = sum_.refusal
    if shows_refusals or refusal is None or refusal.code == "sum-too-high":
        return refusal
    return None
