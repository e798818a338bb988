"""Keying a turn of Just 4 Fun, looking at one's hand, exchanging cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from engines.game import GivenError, Refusal
from engines.just4fun import Just4Fun
from hardware.keys import Key
from pi_app.screens.base import BAD, TICK, Action, Pop, Push, Stay
from pi_app.screens.playing.turn import TurnScreen
from pi_app.screens.secret import SecretScreen
from pi_app.table.faces import AnyFace
from pi_app.table.players import help_level
from pi_app.texts.common import colour_word
from pi_app.view.frame import Choices, Entry, Frame, Mark, Picture, Tone, clamp, soft

if TYPE_CHECKING:
    from pi_app.screens.context import Context
    from pi_app.table.table import Table

HAND = 4


class Cards:
    """Up to four card values as they are keyed: digits, and STAR for the next card."""

    def __init__(self) -> None:
        self.values: list[str] = [""]

    def __bool__(self) -> bool:
        return self.values != [""]

    @property
    def complete(self) -> tuple[str, ...]:
        """The cards keyed so far, without one that has no digit yet."""
        return tuple(value for value in self.values if value)

    def text(self) -> str:
        return "+".join(self.values)

    def press(self, key: Key) -> bool:
        """Take a digit, STAR or BACK; tell whether it fitted."""
        if key is Key.BACK:
            return self._delete()
        if key is Key.STAR:
            if not self.values[-1] or len(self.values) == HAND:
                return False
            self.values.append("")
            return True
        if key.digit is None or len(self.values[-1]) == 2:
            return False
        if key is Key.D0 and not self.values[-1]:
            return False
        self.values[-1] += key.value
        return True

    def _delete(self) -> bool:
        if not self:
            return False
        if self.values[-1]:
            self.values[-1] = self.values[-1][:-1]
        else:
            self.values.pop()
        return True


class Just4FunTurn(TurnScreen):
    """The turn: a live verdict while the cards are keyed, ENTER plays."""

    def __init__(self, ctx: Context, table: Table, face: AnyFace) -> None:
        super().__init__(ctx, table, face)
        self.cards = Cards()
        self.refused = False
        """Whether ENTER was pressed for cards that cannot be played: then everybody is told why."""
        self.asked = ""

    @property
    def position(self) -> Just4Fun:
        return cast(Just4Fun, self.table.position)

    def clear(self) -> None:
        self.cards = Cards()
        self.asked = ""
        self.refused = False

    def _tells(self) -> bool:
        """Whether what is keyed is judged: live, or without help once ENTER was pressed."""
        return self.refused or help_level(self.ctx, self.title()) != "none"

    def turn_frame(self) -> Frame:
        tx = self.tx
        player = self.position.players[self.position.seat]
        keying = bool(self.cards)
        keys = [(Key.ENTER, tx("soft", "play")), (Key.STAR, tx("soft", "next"))]
        return Frame(
            player.name,
            colour=player.colour,
            corner=colour_word(tx, player.colour),
            entry=self._entry() if keying else None,
            lines=() if keying else self.notice or self._prompt(),
            top=self.notice_top,
            softkeys=soft(*keys)
            if keying
            else soft(*self._hand_key(), (Key.MENU, tx("soft", "menu"))),
            picture=self._marked(),
        )

    def _hand_key(self) -> tuple[tuple[Key, str], ...]:
        if help_level(self.ctx, self.title()) == "none":
            return ()
        return ((Key.UP, self.tx("soft", "hand")),)

    def _prompt(self) -> tuple[str, ...]:
        return (
            self.tx("line", "Key your cards, * between them, then #."),
            self.tx("line", "29 with 3 cards: 5*11*13#"),
        )

    def _marked(self) -> Picture:
        """Return the board with the field that is being keyed, or was asked about."""
        picture = self.pictured()
        if self.cards and self._tells():
            field = sum(map(int, self.cards.complete))
            refused = self._refusal() is not None
            return picture.marked(Mark.BLOCKED if refused else Mark.SELECTED, (str(field),))
        return picture.marked(Mark.SELECTED, (self.asked,))

    def _entry(self) -> Entry:
        text = self.cards.text()
        if not self._tells():
            return Entry(text)
        refusal = self._refusal()
        if refusal is not None:
            if self._may_exchange():
                return Entry(text, self.tx("verdict", "no legal field: # exchanges"), Tone.GOOD)
            return Entry(text, self.face.refusal(self.tx, refusal), Tone.BAD)
        total = sum(map(int, self.cards.complete))
        return Entry(text, self.tx("verdict", "{field} free", field=total), Tone.GOOD)

    def _token(self) -> str:
        return "+".join(self.cards.complete)

    def _refusal(self) -> Refusal | None:
        return self.table.refusal(self._token())

    def _may_exchange(self) -> bool:
        return self.table.refusal(f"x{self._token()}") is None

    def key(self, key: Key) -> Action:
        self.refused = False
        if key is Key.UP and not self.cards:
            if not self._hand_key():
                return Stay(BAD)
            return Push(TICK, screen=HandScreen(self.ctx, self))
        if key is Key.DOWN and not self.cards:
            self.notice_top = clamp(self.notice_top + 1, (*self.notice, ""))
            return Stay(TICK)
        if key is Key.ENTER:
            return self._enter()
        return Stay(TICK if self.cards.press(key) else BAD)

    def _enter(self) -> Action:
        if not self.cards:
            return Stay(BAD)
        if self._refusal() is None:
            return self.play_token(self._token())
        if self._may_exchange():
            return self.play_token(f"x{self._token()}")
        self.refused = True
        return Stay(BAD)

    def tap(self, name: str) -> Action:
        """Say about a tapped field who leads it and whether the player may place there."""
        self.clear()
        self.tell(self._about(int(name)))
        self.asked = name
        return Stay(TICK)

    def _about(self, field: int) -> str:
        tx, position = self.tx, self.position
        refusal = position.verdict(field)
        if refusal is not None:
            return self.face.refusal(tx, refusal)
        owner = position.owner(field)
        if owner is None:
            return tx("line", "{field}: nobody leads, you may place there.", field=field)
        return tx(
            "line",
            "{field}: {name} leads, you may place there.",
            field=field,
            name=owner.name,
        )

    def returned(self, value: Any) -> Action:
        if isinstance(value, str):
            return self.play_token(value)
        return super().returned(value)


class HandScreen(SecretScreen):
    """The hand helper: key the four cards, see every sum, pick one to play it.

    It hides again by itself, and nothing of the hand is kept.
    """

    def __init__(self, ctx: Context, turn: Just4FunTurn) -> None:
        super().__init__(ctx)
        self.turn = turn
        self.cards = Cards()
        self.hand: tuple[int, ...] | None = None
        self.selected = 0

    def frame(self) -> Frame:
        tx = self.tx
        player = self.turn.position.players[self.turn.position.seat]
        hand = self.hand
        return Frame(
            tx("title", "Hand {name}", name=player.name),
            colour=player.colour,
            entry=self._entry() if self.cards and not hand else None,
            lines=() if hand else (tx("line", "Key your 4 cards, * between them, then #."),),
            choices=Choices(self._items(hand), self.selected) if hand else None,
            softkeys=soft(
                (Key.ENTER, tx("soft", "play") if hand else tx("soft", "show")),
                (Key.BACK, tx("soft", "back")),
            ),
            seats=self.turn.face.sitting(tx, self.turn.position),
        )

    def _entry(self) -> Entry:
        """Say at once what keeps these cards from being a hand."""
        text, keyed = self.cards.text(), self.cards.complete
        refusal = self.turn.table.refusal("+".join(keyed))
        if refusal is not None and refusal.code in ("unknown-card", "more-than-deck"):
            return Entry(text, self.turn.face.refusal(self.tx, refusal), Tone.BAD)
        missing = HAND - len(keyed)
        if not missing:
            return Entry(text)
        return Entry(text, self.tx.many("verdict", "{n} more card", "{n} more cards", missing))

    def _items(self, hand: tuple[int, ...]) -> tuple[str, ...]:
        tx = self.tx
        items = []
        judged = help_level(self.ctx, self.turn.title()) == "legal"
        for entry in self.turn.position.sums(hand):
            total = entry.move.total
            if not judged:
                items.append(f"{total}: {entry.move.token}")
            elif entry.refusal is None:
                items.append(tx("item", "{sum} free: {cards}", sum=total, cards=entry.move.token))
            elif entry.refusal.code == "sum-too-high":
                items.append(tx("item", "{sum} too high", sum=total))
            else:
                items.append(tx("item", "{sum} blocked", sum=total))
        if self._exchange(hand):
            items.insert(0, tx("item", "exchange all"))
        return tuple(items)

    def _exchange(self, hand: tuple[int, ...]) -> bool:
        return not any(entry.refusal is None for entry in self.turn.position.sums(hand))

    def key(self, key: Key) -> Action:
        return self._keying(key) if self.hand is None else self._choosing(key, self.hand)

    def _keying(self, key: Key) -> Action:
        if key is Key.ENTER:
            return self._show(tuple(map(int, self.cards.complete)))
        if key is Key.BACK and not self.cards:
            return Pop(TICK)
        return Stay(TICK if self.cards.press(key) else BAD)

    def _show(self, values: tuple[int, ...]) -> Action:
        try:
            self.turn.position.sums(values)
        except GivenError:
            return Stay(BAD)
        self.hand = values
        self.selected = 0
        return Stay(TICK)

    def _choosing(self, key: Key, hand: tuple[int, ...]) -> Action:
        if key in (Key.UP, Key.DOWN):
            self.selected = (self.selected + key.step) % len(self._items(hand))
            return Stay(TICK)
        if key is Key.BACK:
            self.hand = None
            return Stay(TICK)
        return self._play(hand) if key is Key.ENTER else Stay(BAD)

    def _play(self, hand: tuple[int, ...]) -> Action:
        if self._exchange(hand):
            return Pop(TICK, "x" + "+".join(map(str, hand)))
        chosen = self.turn.position.sums(hand)[self.selected]
        return Stay(BAD) if chosen.refusal is not None else Pop(TICK, chosen.move.token)
