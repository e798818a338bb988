"""Saying a task by keys: the number is laid, and its task is judged before the card counts."""

from collections.abc import Callable
from dataclasses import replace

from engines.einmaleins.cards import FACTORS, Pair
from engines.einmaleins.rules import EinmaleinsPosition
from hardware.keys import Key
from pi_app.games.einmaleins.booking import Booking
from pi_app.games.einmaleins.picture import card_words, pair_words
from pi_app.screens.base import BAD, TICK, Action, DeclinedError, Open, Pop, Screen, Stay
from pi_app.screens.context import Context
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import Body, Entry, Frame, Tone, soft
from pi_app.view.keying import KeyedCards, NumberKeying


class Saying:
    """Asks for the task of one card that fits, in one turn, at the keys or on a phone.

    After a wrong first answer there is a second try, then the task is revealed. A right task
    without a common factor is no mistake and is not counted. `Booking` decides what is booked.
    """

    def __init__(
        self, ctx: Context, position: EinmaleinsPosition, number: int, *, free: bool
    ) -> None:
        self.ctx = ctx
        self.position = position
        self.number = number
        self.words = card_words(number, free=free)
        """The card as it is written."""
        self.booking = Booking(ctx.store, position.players[position.seat].name, ctx.now)

    def judge_factors(self, tx: Texts, a: int, b: int) -> Pair:
        """Judge two factors; return the task that can be laid, DeclinedError if none can."""
        pair = (a, b) if a <= b else (b, a)
        if not {*pair} <= {*FACTORS}:
            raise DeclinedError(beyond(tx))
        if a * b != self.number:
            self.booking.book_wrong(pair, self.position.fitting_pairs(self.number))
            revealed = self.booking.revealed_pair
            if revealed is not None:
                it_is = pair_words(revealed)
                raise DeclinedError(tx("verdict", "It is {pair}. Say it, then key it.", pair=it_is))
            words = {"pair": f"{a}×{b}", "card": str(self.number)}
            raise DeclinedError(tx("verdict", "{pair} is not {card}. Try once more.", **words))
        if not self.position.shared_factors(pair):
            other = pair_words(self.position.open.pair or self.position.announced)
            words = {"pair": pair_words((a, b)), "other": other}
            raise DeclinedError(tx("verdict", "{pair} has no factor of {other}", **words))
        self.booking.book_right(pair)
        return pair


def beyond(tx: Texts, factor: int = 0) -> str:  # noqa: ARG001  # any factor has this sentence
    """Say that a factor is beyond ten."""
    return tx("verdict", "Tasks go from 1×1 to 10×10.")


_FACTOR = NumberKeying(FACTORS, beyond, then=Key.STAR)
_NOTHING = KeyedCards(_FACTOR, _FACTOR, 2, sign="×")


class SayScreen(Screen):
    """Asks for the task of a number that fits: first factor, STAR, second factor, ENTER.

    The card counts only when a task that fits is keyed: `done(pair)` lays it.
    """

    def __init__(
        self, table: Table, saying: Saying, bare: Frame, done: Callable[[Pair], Action]
    ) -> None:
        """Ask for the task of `saying` on a turn's bare frame."""
        super().__init__(saying.ctx)
        self.table = table
        self.saying = saying
        self.bare = bare
        self.done = done
        self._clear()

    def _clear(self) -> None:
        self.factors = _NOTHING
        self.verdict = ""

    def frame(self) -> Frame:
        tx, current = self.tx, self.factors.current
        task = self.factors.text
        verdict = self.verdict or current.verdict(tx)[0]
        keys = [(Key.BACK, tx("soft", "delete") if task else tx("soft", "back"))]
        if current and not verdict:
            forward = (Key.ENTER, tx("soft", "ok")) if self.factors.complete else (Key.STAR, "×")
            keys.insert(0, forward)
        hint = tx("line", "Say the task and key it: * between, then #.")
        return replace(
            self.bare,
            body=Body(
                entry=Entry(
                    f"{self.saying.words}={task or '?'}",
                    verdict,
                    Tone.BAD if verdict else Tone.PLAIN,
                ),
                lines=() if verdict or task else (hint,),
            ),
            keys=soft(*keys),
        )

    def press(self, key: Key) -> Action:
        if key in (Key.MENU, Key.MENU_HELD):
            return Open((), "menu", table=self.table)
        if key is Key.BACK_HELD or (key is Key.BACK and not (self.verdict or self.factors)):
            self._clear()
            return Pop(TICK)
        if key is Key.ENTER:
            if self.verdict or len(self.factors.words) < 2:
                return Stay(BAD)
            a, b = map(int, self.factors.words)
            try:
                task = self.saying.judge_factors(self.tx, a, b)
            except DeclinedError as why:
                self.verdict = str(why)
                return Stay(BAD)
            return Pop(then=lambda: self.done(task))
        if self.verdict:
            # the next key begins a new try; BACK has nothing else to delete
            self._clear()
            if key is Key.BACK:
                return Stay(TICK)
        factors = self.factors.after(key)
        if factors is None:
            return Stay(BAD)
        self.factors = factors
        return Stay(TICK)
