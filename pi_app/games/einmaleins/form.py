"""The set-up form of Einmaleins: the cards to deal, and the first open card."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engines.einmaleins import default_hand_size, largest_hand_size
from engines.einmaleins.cards import PAIRS
from engines.notation import number
from hardware.keys import Key
from pi_app.screens.base import BAD, OK, TICK, Action, Pop, Screen, Stay, Wheel
from pi_app.screens.context import Context
from pi_app.screens.playing.games import FormItem
from pi_app.table.setup_draft import SetupDraft
from pi_app.view.frame import Body, Entry, Frame, Header, Tone, soft

DIGITS = 3


class NumberScreen(Screen):
    """Asks for a number; refused while `objection(number)` gives a reason against it.

    `done` takes the number. A dial begins at `likely`, or at the smallest number (0).
    """

    def __init__(
        self,
        ctx: Context,
        title: str,
        line: str,
        objection: Callable[[int], str],
        done: Callable[[int], None],
        likely: int = 0,
    ) -> None:
        super().__init__(ctx)
        self._numbers = tuple(n for n in range(1, 10**DIGITS) if not objection(n))
        """Every number that is accepted: what a dial turns through."""
        self._likely = self._numbers.index(likely) if likely in self._numbers else 0
        """The index of the likely number."""
        self.title = title
        self.line = line
        self.objection = objection
        self.done = done
        self.digits = ""

    def frame(self) -> Frame:
        tx = self.tx
        objection = self.objection(int(self.digits)) if self.digits else ""
        tone = Tone.BAD if objection else Tone.PLAIN
        back = tx("soft", "delete") if self.digits else tx("soft", "back")
        return Frame(
            Header(self.title),
            Body(
                entry=Entry(self.digits, objection, tone) if self.digits else None,
                lines=() if self.digits else (self.line,),
            ),
            keys=soft((Key.ENTER, tx("soft", "ok")), (Key.BACK, back)),
        )

    def wheel(self) -> Wheel:
        return Wheel(tuple(map(str, self._numbers)), self._likely, self.digits, Key.ENTER)

    def press(self, key: Key) -> Action:
        if key.digit is not None:
            if len(self.digits) == DIGITS or (not self.digits and key is Key.D0):
                return Stay(BAD)
            self.digits += key.value
        elif key is Key.BACK and self.digits:
            self.digits = self.digits[:-1]
        elif key is Key.BACK_HELD and self.digits:
            self.digits = ""
        elif key in (Key.BACK, Key.BACK_HELD):
            return Pop(TICK)
        elif key is Key.ENTER and self.digits and not self.objection(int(self.digits)):
            self.done(int(self.digits))
            return Pop(OK)
        else:
            return Stay(BAD)
        return Stay(TICK)


def form_items(ctx: Context, draft: SetupDraft) -> tuple[FormItem, ...]:
    """Return the items of the form: the open card and the cards to deal; none with a position."""
    tx = ctx.texts
    if "Position" in draft.tags:  # it says which cards lie on the table and how many are held
        return ()
    dealt = draft.tags.get("Hand", str(default_hand_size(len(draft.players))))
    card = draft.tags.get("Open", "?")
    return (
        FormItem(
            tx("item", "Open card: {card}", card=card),
            partial(_open_card_screen, ctx, draft),
            tag="Open",
        ),
        FormItem(
            tx("item", "Deal: {n} each", n=dealt),
            partial(_hand_size_screen, ctx, draft),
            tag="Hand",
        ),
    )


def _open_card_screen(ctx: Context, draft: SetupDraft) -> Screen:
    tx = ctx.texts

    def objection(card: int) -> str:
        return "" if card in PAIRS else tx("verdict", "{card} is on no number card", card=card)

    def done(card: int) -> None:
        draft.tags["Open"] = str(card)

    line = tx("line", "Turn the first card face up and key its number.")
    return NumberScreen(ctx, tx("title", "Open card"), line, objection, done)


def _hand_size_screen(ctx: Context, draft: SetupDraft) -> Screen:
    tx = ctx.texts
    most_free, free_by_default = 2, 2
    # the house rule for free cards; None if it was not chosen
    free = number(draft.rules.get("free", ""), most_free)
    most = largest_hand_size(len(draft.players), free_by_default if free is None else free)

    def objection(dealt: int) -> str:
        return "" if dealt <= most else tx("verdict", "at most {n} cards each", n=most)

    def done(dealt: int) -> None:
        draft.tags["Hand"] = str(dealt)

    line = tx("line", "How many cards for each player? From 1 to {n}.", n=most)
    likely = default_hand_size(len(draft.players))
    return NumberScreen(ctx, tx("title", "Cards each"), line, objection, done, likely)
