"""Scores a finished game that was played without the companion, from its final position."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from engines.game import AnyPosition, Result
from engines.notation import Fault
from engines.record import begin_game
from hardware.keys import Key
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Item,
    MenuScreen,
    Open,
    PageScreen,
    Pop,
    Push,
    Screen,
    Stay,
)
from pi_app.screens.checking.counts import count_keying, count_lines, derive_counts, set_count
from pi_app.screens.context import Context
from pi_app.screens.playing.games import FormItem
from pi_app.screens.starting.set_up import SetupScreen, draft_tags
from pi_app.table.players import save_seated
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import SETTLED
from pi_app.texts.common import winners_line
from pi_app.texts.language import Texts
from pi_app.view.frame import (
    Board,
    Body,
    Entry,
    Extras,
    Frame,
    Header,
    Mark,
    Tone,
    clamp,
    scroll,
    soft,
)
from pi_app.view.keying import DIGITS, NumberKeying, Wheel


class SettleMenu(MenuScreen):
    """The kinds of game that can be scored from the stones on the table."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx, ctx.texts("title", "Only score"))

    def entries(self) -> tuple[Item, ...]:
        presentations = (
            presentation
            for presentation in PRESENTATIONS.values()
            if presentation.game.score is not None and presentation.lists_places()
        )
        return tuple(
            (presentation.name(self.tx), partial(self._open_form, presentation))
            for presentation in presentations
        )

    def _open_form(self, presentation: AnyPresentation) -> Action:
        return Push(TICK, screen=SettleForm(self.ctx, presentation))


class SettleForm(SetupScreen):
    """Who played, and on which board; nothing else of a set-up matters for the score."""

    plays = False

    def entries(self) -> tuple[Item, ...]:
        seats_and_board = super().entries()[1:]  # without "Start"
        return ((self.tx("item", "Key the stones"), self._enter), *seats_and_board)

    def _form(self) -> tuple[FormItem, ...]:
        return (*self._seat_items(), *self._board_items())

    def _enter(self) -> Action:
        try:
            return Push(TICK, screen=SettleScreen(self.ctx, self.presentation, self.draft))
        except Fault as error:
            why = self.presentation.fault(self.tx, error)
            return Push(BAD, screen=PageScreen(self.ctx, self.tx("title", "Not yet"), (why,)))


def _no_place(tx: Texts, number: int) -> str:
    return tx("verdict", "{item} is no field", item=number)


class SettleScreen(Screen):
    """Asks for the stones on each place, except for counts that follow from the others.

    Places with numbers (fields) are keyed in any order, and only those with stones; other places
    (a player's stones) come one after the other. A number is complete when no further digit fits,
    else ENTER completes it. ENTER without a number shows the score.
    """

    takes_digits = True

    def __init__(self, ctx: Context, presentation: AnyPresentation, draft: SetupDraft) -> None:
        super().__init__(ctx)
        self.presentation = presentation
        self.draft = draft
        self.tags = {**presentation.stand_in, **draft_tags(presentation, draft)}
        self.tags.pop("Position", None)  # the form may hold one: the stones are keyed again
        _, self.start = begin_game(self.tags)
        self.position: AnyPosition = self.start
        """The last keyed position that is possible."""
        self.places = presentation.slots(ctx.texts, self.start)
        self.values = [tuple(0 for _ in place.parts) for place in self.places]
        """The numbers of each place, in the order of its parts."""
        self._derive()
        derived = {index for index, _ in presentation.derive_counts(self.start, self.values)}
        self.asked = [index for index in range(len(self.places)) if index not in derived]
        """Indices of the places that are asked for."""
        self.numbered = all(self.places[index].label.isdigit() for index in self.asked)
        """Whether the places have numbers, by which they are keyed in any order."""
        self.current: int | None = None if self.numbered else self.asked[0]
        """Index of the place whose stones are keyed; None while its number is keyed."""
        self.part = 0
        """Index of the number that is keyed, among those of the current place."""
        numbers = tuple(sorted(map(int, self._labels()))) if self.numbered else ()
        self.place = NumberKeying(numbers, _no_place)
        """A place's number, while it is keyed."""
        self.number = count_keying(self.places[self.asked[0]].parts[0], 0)
        """The count that is keyed."""
        self.why = ""
        """Why the stones cannot be scored."""
        self.top = 0
        """The first line shown of those that say whose stones are where."""
        self._visited: list[int] = []
        """Indices of the places keyed so far, the last one last."""

    # --- what is shown

    def frame(self) -> Frame:
        top = self.top
        if self.current is not None:
            # the number that is keyed is the second line
            top = clamp(self.part - 1, self.places[self.current].parts)
        picture = self.presentation.picture(self.tx, self.position)
        if self.current is not None:
            place = self.places[self.current]
            picture = picture.with_mark(Mark.SELECTED, (place.cell_name,))
        return Frame(
            Header(self.tx("title", "Only score")),
            Body(
                entry=self._entry(),
                lines=self._lines(),
                top=top,
            ),
            board=Board(picture=picture),
            extras=Extras(seats=self.presentation.current_seats(self.tx, self.position)),
            keys=soft(*self._keys()),
        )

    def _keys(self) -> tuple[tuple[Key, str], ...]:
        tx = self.tx
        if self.current is None and not self.place:
            return (Key.ENTER, tx("soft", "done")), (Key.BACK, tx("soft", "back"))
        back = tx("soft", "delete") if self.place else tx("soft", "back")
        return (Key.ENTER, tx("soft", "on")), (Key.BACK, back), (Key.MENU, tx("soft", "done"))

    def _entry(self) -> Entry:
        tx = self.tx
        keyed = self.place if self.current is None else self.number
        why = self.why or keyed.verdict(tx)[0]
        why = why or self.presentation.objection(tx, self.start, self.values)
        text = (self.place.text or "_") if self.current is None else self.places[self.current].label
        asks = tx("verdict", "which field?") if self.current is None else ""
        return Entry(text, why or asks, Tone.BAD if why else Tone.PLAIN)

    def _lines(self) -> tuple[str, ...]:
        if self.current is not None:
            return count_lines(self.places[self.current], self.values[self.current], self.part)
        lines = tuple(self._place_line(index) for index in self.asked if any(self.values[index]))
        return lines or (self.tx("line", "A field's number, then the stones of each."),)

    def _place_line(self, index: int) -> str:
        """Return one line that says whose stones are on a place."""
        place = self.places[index]
        counts = (
            f"{part.label} {part.text(value)}"
            for part, value in zip(place.parts, self.values[index], strict=True)
            if value
        )
        return f"{place.label}: {', '.join(counts)}"

    # --- keys

    def wheel(self) -> Wheel:
        tx = self.tx
        word = tx("soft", "more") if self.current is None else tx("soft", "next")
        return replace(DIGITS, more=((Key.DOWN, word),)) if len(self._lines()) > 1 else DIGITS

    def press(self, key: Key) -> Action:
        self.why = ""
        if key is Key.MENU:
            return self._settle()
        if key is Key.BACK_HELD and self.place:
            self.place = self.place.cleared()
            return Stay(TICK)
        if key is Key.BACK_HELD:
            return Pop(TICK)
        return self._choose(key) if self.current is None else self._count(key, self.current)

    def tap(self, name: str) -> Action:
        """Go to the field that was touched."""
        return self._go(name) if self.numbered else Stay(BAD)

    def _choose(self, key: Key) -> Action:
        """Take the number of the next place."""
        if key.digit is not None:
            place = self.place.after(key)
            if place is None:
                return Stay(BAD)
            self.place = place
            if place.impossible:
                return Stay(BAD)
            return self._go(place.digits) if place.final and place.word else Stay(TICK)
        if key is Key.ENTER:
            return self._go(self.place.digits) if self.place else self._settle()
        if key is Key.BACK:
            return self._back()
        if key in (Key.UP, Key.DOWN):
            self.top = clamp(self.top + key.step, self._lines())
            return Stay(TICK)
        return Stay(BAD)

    def _labels(self) -> list[str]:
        return [self.places[index].label for index in self.asked]

    def _back(self) -> Action:
        """Delete a typed digit, else go to the place keyed last, else leave."""
        if self.place:
            self.place = self.place.after(Key.BACK) or self.place
        elif self._visited:
            self._visit(self._visited.pop())
        else:
            return Pop(TICK)
        return Stay(TICK)

    def _go(self, label: str) -> Action:
        """Go to the place with this label."""
        self.place = self.place.cleared()
        if label not in self._labels():
            return Stay(BAD)
        self._visit(self.asked[self._labels().index(label)])
        return Stay(TICK)

    def _visit(self, index: int, part: int = 0) -> None:
        self.current, self.part = index, part
        self.number = count_keying(self.places[index].parts[part], self.values[index][part])

    def _count(self, key: Key, index: int) -> Action:
        """Take the stones on a place, a number for each player."""
        if key.digit is not None:
            return self._digit(index, key)
        if key is Key.ENTER:
            return Stay(BAD) if self.number.impossible else self._next(index)
        if key in (Key.UP, Key.DOWN):
            self._visit(index, (self.part + key.step) % len(self.places[index].parts))
        elif key is Key.BACK and not self.number.fresh:
            self._set_value(index, 0)
            self._visit(index, self.part)
        elif key is Key.BACK:
            return self._leave(index)
        else:
            return Stay(BAD)
        return Stay(TICK)

    def _digit(self, index: int, key: Key) -> Action:
        number = self.number.after(key)
        if number is None:
            return Stay(BAD)
        self.number = number
        if number.impossible:
            return Stay(BAD)
        self._set_value(index, int(number.digits))
        return self._next(index) if number.final else Stay(TICK)

    def _set_value(self, index: int, value: int) -> None:
        set_count(self.values, index, self.part, value)
        self._derive()

    def _derive(self) -> None:
        """Derive the numbers that are not asked for, and show the position if it is possible."""
        derive_counts(self.presentation, self.start, self.places, self.values)
        position = self._build_position()
        if not isinstance(position, str):
            self.position = position

    def _build_position(self) -> AnyPosition | str:
        """Return the position that was keyed, or why it is impossible."""
        objection = self.presentation.objection(self.tx, self.start, self.values)
        if objection:
            return objection
        try:
            _, position = begin_game(self._record())
        except Fault as error:
            return self.presentation.fault(self.tx, error, self.start.players)
        return position

    def _record(self) -> dict[str, str]:
        """Return the tags of a record that begins with the keyed position."""
        return {**self.tags, "Position": self.presentation.placement(self.start, self.values)}

    def _next(self, index: int) -> Action:
        """Go to the next count of this place.

        After the last one to the next place, or, if places have numbers, let people key one.
        """
        if self.part + 1 < len(self.places[index].parts):
            self._visit(index, self.part + 1)
            return Stay(TICK)
        if self.numbered:
            self._visited.append(index)
            self.current = None
            self.top = max(0, len(self._lines()) - 2)  # the last places keyed stay in sight
            return Stay(TICK)
        later = self.asked[self.asked.index(index) + 1 :]
        if not later:
            return self._settle()
        self._visit(later[0])
        return Stay(TICK)

    def _leave(self, index: int) -> Action:
        """Go to the number before, or to the place before."""
        if self.part:
            self._visit(index, self.part - 1)
        elif self.numbered:
            self.current = None
        elif index == self.asked[0]:
            return Pop(TICK)
        else:
            before = self.asked[self.asked.index(index) - 1]
            self._visit(before, len(self.places[before].parts) - 1)
        return Stay(TICK)

    def _settle(self) -> Action:
        position = self._build_position()
        if not any(any(self.values[index]) for index in self.asked):
            position = self.tx("verdict", "no stone lies anywhere yet")
        if isinstance(position, str):
            self.why = position
            return Stay(BAD)
        screen = SettledScreen(self.ctx, self.presentation, self.draft, self._record(), position)
        return Push(OK, screen=screen)


class SettledScreen(PageScreen):
    """Who won and why: ENTER stores it in the history, BACK corrects the stones, MENU ends.

    Once it is stored the screen says so, and any key returns to the first screen.
    """

    def __init__(
        self,
        ctx: Context,
        presentation: AnyPresentation,
        draft: SetupDraft,
        tags: dict[str, str],
        position: AnyPosition,
    ) -> None:
        self.tags = {**tags, SETTLED: "yes"}
        self.draft = draft
        self.stored = False
        """Whether the game is in the history now."""
        self.result: Result = (
            presentation.game.score(position) if presentation.game.score else Result((), "draw")
        )
        self.winners_text = winners_line(ctx.texts, self.result.winners)
        keys = ctx.texts("line", "# keeps it in the history, D forgets it.")
        lines = (
            self.winners_text,
            *presentation.score_lines(ctx.texts, position, self.result),
            keys,
        )
        super().__init__(ctx, ctx.texts("title", "Score"), lines)
        self.picture = presentation.picture(ctx.texts, position)

    def frame(self) -> Frame:
        tx = self.tx
        if self.stored:
            return Frame(
                Header(self.title),
                Body(lines=(tx("line", "Kept in the history."), self.winners_text)),
                board=Board(picture=self.picture),
                keys=soft((Key.ENTER, tx("soft", "ok"))),
            )
        return Frame(
            Header(self.title),
            Body(lines=self.lines, top=self.top),
            board=Board(picture=self.picture),
            keys=soft(
                (Key.ENTER, tx("soft", "keep")),
                (Key.BACK, tx("soft", "back")),
                scroll(tx("soft", "more")),
            ),
        )

    def wheel(self) -> Wheel | None:
        return Wheel((), more=() if self.stored else ((Key.MENU, self.tx("soft", "discard")),))

    def press(self, key: Key) -> Action:
        if self.stored:
            return Open(TICK)
        if key is Key.ENTER:
            began = self.ctx.now().isoformat(timespec="seconds")
            self.ctx.store.add_all([(self.tags, (), began, self.result)], here=True)
            save_seated(self.ctx.store, self.draft.players)
            self.stored = True
            return Stay(OK)
        if key is Key.MENU:
            return Open(TICK)
        return super().press(key) if key in (Key.UP, Key.DOWN, Key.BACK) else Stay(BAD)
