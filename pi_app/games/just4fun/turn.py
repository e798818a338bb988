"""Keying a turn of Just 4 Fun: cards, a live verdict, playing or exchanging."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import cast

from engines.game import Refusal
from engines.just4fun.cards import HAND
from engines.just4fun.position import Just4Fun
from hardware.keys import Key
from pi_app.games.just4fun.hand import CARD, HAND_OF_GAME
from pi_app.games.just4fun.presentation import PRESENTATION
from pi_app.screens.base import BAD, TICK, Action, Stay
from pi_app.screens.context import Context
from pi_app.screens.hand import HandScreen
from pi_app.screens.playing.games import GameScreens
from pi_app.screens.playing.turn import TurnScreen
from pi_app.settings.schema import HelpLevel
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import Body, Entry, Frame, Heed, Mark, Picture, Speech, Tone, Utterance, soft
from pi_app.view.keying import Cards, Wheel

_NO_CARDS = Cards(CARD, CARD, HAND_OF_GAME.most, HAND)


class Just4FunTurn(TurnScreen):
    """The turn: a live verdict while the cards are keyed, ENTER plays."""

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx, table)
        self.cards = _NO_CARDS
        self.refused = False
        """Whether ENTER was pressed for cards that cannot be played: then everybody sees why."""
        self.tapped = ""
        """The field that was tapped last; "" after a key."""

    @property
    def position(self) -> Just4Fun:
        return cast(Just4Fun, self.table.position)

    def clear(self) -> None:
        self.cards = _NO_CARDS
        self.tapped = ""
        self.refused = False

    def save_keyed(self) -> Callable[[], None]:
        return partial(setattr, self, "cards", self.cards)

    def keying(self) -> bool:
        return bool(self.cards)

    def _judges(self) -> bool:
        """Whether to judge what is keyed: at once, or, without help, after ENTER.

        An invalid card is reported immediately, at every help level.
        """
        return self.refused or self.help is not HelpLevel.NONE or self.cards.current.impossible

    def turn_frame(self) -> Frame:
        tx = self.tx
        keying = bool(self.cards)
        entry = self._entry() if keying else None
        # keys that would be refused have no label
        play = () if entry and entry.tone is Tone.BAD else ((Key.ENTER, tx("soft", "play")),)
        impossible = self.cards.current.impossible
        more = () if impossible else ((Key.STAR, tx("soft", "next")),)
        keys = (*play, *more, (Key.BACK, tx("soft", "delete")))
        return replace(
            self.bare(self._board()),
            body=Body(entry=entry, lines=() if keying else self._lines(), top=self.notice_top),
            keys=soft(*keys) if keying else soft(*self._hand_key(), (Key.MENU, tx("soft", "menu"))),
        )

    def _hand_key(self) -> tuple[tuple[Key, str], ...]:
        if self.help is HelpLevel.NONE:
            return ()
        return ((Key.UP, self.tx("soft", "hand")),)

    def _lines(self) -> tuple[str, ...]:
        """Return what to do or how to key, and the round if rounds are limited."""
        prompt = (
            self.tx("line", "Key your cards, * between them, then #."),
            self.tx("line", "29 with 3 cards: 5*11*13#"),
        )
        if self.ctx.dials:
            turn = self.tx("line", "Turn to your card, push takes it.")
            prompt = (turn, self.tx("line", "Hold the push to play."))
        return (*(self.notice or prompt), *PRESENTATION.round_line(self.tx, self.position))

    def _board(self) -> Picture:
        """Return the board with the keyed field marked, or the tapped one."""
        picture = self.cached_picture()
        if self.cards and self._judges():
            field = sum(self._values)
            refused = self._refusal() is not None
            return picture.with_mark(Mark.BLOCKED if refused else Mark.SELECTED, (str(field),))
        return picture.with_mark(Mark.SELECTED, (self.tapped,))

    def _entry(self) -> Entry:
        text = self.cards.text("+")
        if not self._judges():
            return Entry(text)
        refusal = self._refusal()
        total = sum(self._values)
        result = str(total) if len(self._values) > 1 else ""  # one card shows its sum
        if refusal is not None:
            if self._may_exchange():
                return Entry(text, self.tx("verdict", "no legal field: # exchanges"), Tone.GOOD)
            return Entry(text, self.presentation.refusal(self.tx, refusal), Tone.BAD, result)
        return Entry(text, self.tx("verdict", "{field} free", field=total), Tone.GOOD, result)

    def speech(self, frame: Frame) -> Speech:
        # without a verdict the entry is read out as it is; a refusal has words of its own
        if frame.body.entry is None or frame.body.entry.tone is Tone.GOOD or not self._judges():
            return super().speech(frame)
        refusal = self._refusal()
        if refusal is None:
            return super().speech(frame)
        return partial(refused_sentences, self.tx, self.cards.text("+"), refusal)

    def _token(self) -> str:
        return "+".join(map(str, self._values))

    @property
    def _values(self) -> tuple[int, ...]:
        """The keyed cards, also one that the deck does not have."""
        row = (*self.cards.complete, self.cards.current)
        return tuple(int(card.digits) for card in row if card.digits)

    def _refusal(self) -> Refusal | None:
        return self.table.refusal(self._token())

    def _may_exchange(self) -> bool:
        """Whether the keyed cards are a whole hand of which no sum can be played."""
        return self.table.refusal(f"x{self._token()}") is None

    def turn_wheel(self) -> Wheel | None:
        return self.cards.wheel()

    def key(self, key: Key) -> Action:
        self.refused = False
        if key is Key.UP and not self.cards:
            if not self._hand_key():
                return Stay(BAD)
            return self.open_part(HandScreen(self.ctx, self.table, HAND_OF_GAME, self.play_token))
        if key is Key.DOWN and not self.cards:
            return self.turn_notice(key.step, self._lines())
        if key is Key.ENTER:
            if not self.cards:
                return Stay(BAD)
            if self._refusal() is None:
                return self.play_token(self._token())
            if self._may_exchange():
                return self.play_token(f"x{self._token()}")
            self.refused = True
            return Stay(BAD)
        cards = self.cards.after(key)
        if cards is None:
            return Stay(BAD)
        self.cards = cards
        return Stay(BAD if cards.current.impossible else TICK)

    def tap(self, name: str) -> Action:
        """Say who leads the tapped field and whether the player may place there."""
        self.clear()
        tx, field = self.tx, int(name)
        refusal = self.position.placing_refusal(field)
        owner = self.position.owner(field)
        if refusal is not None:
            line = self.presentation.refusal(tx, refusal)
        elif owner is None:
            line = tx("line", "{field}: nobody leads, you may place there.", field=field)
        else:
            facts = {"field": field, "name": owner.name}
            line = tx("line", "{field}: {name} leads, you may place there.", **facts)
        self.tell(line)
        self.tapped = name
        return Stay(TICK)


def refused_sentences(tx: Texts, cards: str, refusal: Refusal) -> tuple[Utterance, ...]:
    """Return the speech for keyed cards that cannot be played, with the reason."""
    return Utterance(cards), Utterance(PRESENTATION.speak_refusal(tx, refusal), Heed.REFUSAL)


SCREENS = GameScreens(Just4FunTurn, given=HAND_OF_GAME)
