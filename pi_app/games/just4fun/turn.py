"""Keying a turn of Just 4 Fun: cards, a live verdict, playing or exchanging."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import cast

from engines.game import Refusal
from engines.just4fun.position import Just4Fun
from hardware.keys import Key
from pi_app.games.just4fun.bot_seat import BOT_SEAT
from pi_app.games.just4fun.hand import Cards, HandScreen, find_options, trial
from pi_app.games.just4fun.presentation import PRESENTATION
from pi_app.screens.base import BAD, TICK, Action, Stay, Wheel
from pi_app.screens.context import Context
from pi_app.screens.playing.games import GameScreens
from pi_app.screens.playing.turn import TurnScreen
from pi_app.settings.schema import HelpLevel
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import Body, Entry, Frame, Heed, Mark, Picture, Speech, Tone, Utterance, soft


class Just4FunTurn(TurnScreen):
    """The turn: a live verdict while the cards are keyed, ENTER plays."""

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx, table)
        self.cards = Cards()
        self.refused = False
        """Whether ENTER was pressed for cards that cannot be played: then everybody sees why."""
        self.tapped = ""
        """The field that was tapped last; "" after a key."""

    @property
    def position(self) -> Just4Fun:
        return cast(Just4Fun, self.table.position)

    def clear(self) -> None:
        self.cards = Cards()
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
        return self.refused or self.help is not HelpLevel.NONE or not self.cards.possible

    def turn_frame(self) -> Frame:
        tx = self.tx
        keying = bool(self.cards)
        entry = self._entry() if keying else None
        # keys that would be refused have no label
        play = () if entry and entry.tone is Tone.BAD else ((Key.ENTER, tx("soft", "play")),)
        more = ((Key.STAR, tx("soft", "next")),) if self.cards.possible else ()
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
            field = sum(map(int, self.cards.complete))
            refused = self._refusal() is not None
            return picture.with_mark(Mark.BLOCKED if refused else Mark.SELECTED, (str(field),))
        return picture.with_mark(Mark.SELECTED, (self.tapped,))

    def _entry(self) -> Entry:
        text = self.cards.text()
        if not self._judges():
            return Entry(text)
        refusal = self._refusal()
        total = sum(map(int, self.cards.complete))
        result = str(total) if len(self.cards.complete) > 1 else ""  # one card shows its sum
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
        return partial(refused_sentences, self.tx, self.cards.text(), refusal)

    def _token(self) -> str:
        return "+".join(self.cards.complete)

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
            return self.open_part(HandScreen(self.ctx, self.table, self.play_token))
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
        self.cards = self.cards if cards is None else cards
        return Stay(TICK if cards is not None and cards.possible else BAD)

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


SCREENS = GameScreens(Just4FunTurn, hand=find_options, trial=trial, bot_seat=BOT_SEAT)
