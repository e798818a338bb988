"""One screen for the stones on each place: the board check, a first position, a game to score."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace

from engines.game import AnyPosition, Refusal
from engines.notation import Fault
from engines.record import begin_game
from hardware.keys import Key
from pi_app.screens.base import BAD, OK, TICK, Action, DeclinedError, Open, Pop, Push, Screen, Stay
from pi_app.screens.context import Context
from pi_app.table.places import Part, numbers_to
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import (
    Board,
    Body,
    Entry,
    Frame,
    Header,
    Mark,
    SoftKey,
    Tone,
    clamp,
    scroll,
    soft,
)
from pi_app.view.keying import DIGITS, NumberKeying, Wheel

Values = list[tuple[int, ...]]
"""The numbers of each place, in the order of its parts."""

_TARGET_LIMIT_LETTERS = 6
"""The most characters of the keyed place: STAR and the longest label, such as *10-10."""


class PlacesScreen(Screen):
    """Shows one place after the other: ENTER confirms it, digits correct the chosen number.

    UP and DOWN choose among the numbers of a place, STAR and digits go to another place, BACK
    goes one place back, MENU shows the summary, and so does leaving after a correction.
    """

    takes_digits = True

    def __init__(
        self,
        ctx: Context,
        presentation: AnyPresentation,
        position: AnyPosition,
        title: str,
    ) -> None:
        super().__init__(ctx)
        if presentation.places is None:
            raise ValueError(f"{presentation.game.name} lists no places")
        self.presentation = presentation
        self.listing = presentation.places
        self.position = position
        self.title = title
        self.busy_with = ctx.texts("item", "Check table")
        self.places = self.listing.slots(ctx.texts, position)
        self.before: Values = [tuple(part.value for part in place.parts) for place in self.places]
        self.values: Values = list(self.before)
        self.current = 0
        """Index of the place that is shown."""
        self.part = 0
        """Index of its chosen number."""
        self.target = ""
        """The keys, from STAR on, of the place to go to."""
        self._number = _count_keying(self.places[0].parts[0], self.values[0][0])
        """The chosen number as it is keyed."""
        self._shown = position
        """The last keyed position that is possible."""
        self._keyed: set[tuple[int, int]] = set()
        """The keyed numbers (place, part), which are no longer derived from the others."""

    @abstractmethod
    def done(self, words: str) -> Action:
        """Take the text of `Position`; DeclinedError if that position is impossible."""

    def frame(self) -> Frame:
        tx = self.tx
        if self.target:
            return Frame(
                Header(self.title),
                Body(entry=Entry(self.target, tx("verdict", "go to this place with #"))),
                keys=soft((Key.ENTER, tx("soft", "go")), (Key.BACK, tx("soft", "delete"))),
            )
        place = self.places[self.current]
        objection = self._number.verdict(tx)[0] or self.objection()
        # the board with the numbers keyed so far, and the current place marked
        picture = self.presentation.picture(tx, self._shown)
        return Frame(
            Header(self.title, corner=f"{self.current + 1}/{len(self.places)}"),
            Body(
                big="" if objection else place.label,
                entry=Entry(place.label, objection, Tone.BAD) if objection else None,
                lines=tuple(
                    f"{'►' if index == self.part else ' '}{part.label} {part.text(count)}"
                    for index, (part, count) in enumerate(
                        zip(place.parts, self.values[self.current], strict=True)
                    )
                ),
                top=clamp(self.part - 2, place.parts),  # the chosen number is the third line
            ),
            board=Board(picture=picture.with_mark(Mark.SELECTED, (place.cell_name,))),
            keys=soft(
                (Key.ENTER, tx("soft", "right")),
                (Key.STAR, tx("soft", "go")),
                (Key.MENU, tx("soft", "done")),
                # four long words have no room, and C leads back everywhere
                SoftKey(Key.BACK, tx("soft", "back"), spare=True),
            ),
        )

    def tap(self, name: str) -> Action:
        """Ask for the place that was touched."""
        cells = [place.cell_name for place in self.places]
        if self.target or name not in cells:
            return Stay(BAD)
        self._visit(cells.index(name))
        return Stay(TICK)

    def wheel(self) -> Wheel | None:
        if self.target or len(self.places[self.current].parts) == 1:
            return None
        return replace(DIGITS, more=((Key.DOWN, self.tx("soft", "next")),))

    def press(self, key: Key) -> Action:
        if self.target:
            return self._key_target(key)
        if key.digit is not None:
            return self._key_digit(key)
        if key is Key.STAR:
            self.target = "*"
        elif key in (Key.UP, Key.DOWN):
            self._choose((self.part + key.step) % len(self.places[self.current].parts))
        elif key is Key.ENTER and self.current + 1 < len(self.places):
            self._visit(self.current + 1)
        elif key in (Key.MENU, Key.ENTER):
            return self._summary()
        elif key is Key.BACK and self.current:
            self._visit(self.current - 1)
        elif key in (Key.BACK, Key.BACK_HELD):
            return Pop(TICK) if self.values == self.before else self._summary()
        else:
            return Stay(BAD)
        return Stay(TICK)

    def _choose(self, part: int) -> None:
        self.part = part
        place = self.places[self.current]
        self._number = _count_keying(place.parts[part], self.values[self.current][part])

    def _visit(self, index: int) -> None:
        self.current = index
        self._choose(0)

    def _key_digit(self, key: Key) -> Action:
        """Append a digit to the number, or begin a new number with it."""
        number = self._number
        if number.final or number.impossible:  # no digit can follow: this one begins a new number
            number = replace(number, fresh=True)
        self._number = number = number.after(key) or number
        if number.impossible:
            return Stay(BAD)
        self._keyed.add((self.current, self.part))
        self._set_count(self.current, self.part, int(number.digits))
        derived = self.listing.derive_counts(self.position, self.values)
        for place_and_part, count in derived.items():
            if place_and_part not in self._keyed:
                self._set_count(*place_and_part, count)
        # the token of a correction
        attempt = self.position.attempt(f"<{self.words()}>")
        if isinstance(attempt, tuple):
            self._shown = attempt[0]
        return Stay(TICK)

    def _set_count(self, index: int, part: int, count: int) -> None:
        """Change one number of a place, limited to possible values."""
        counts, most = self.values[index], self.places[index].parts[part].most
        self.values[index] = (*counts[:part], max(0, min(count, most)), *counts[part + 1 :])

    def objection(self) -> str:
        """Return the contradiction in the numbers, "" without one."""
        fault = self.listing.objection(self.position, self.values)
        if fault is None:
            return ""
        return self.presentation.words.fault(self.tx, fault, self.position.players)

    def _key_target(self, key: Key) -> Action:
        """Accept a key of the place to go to: its label, or its number counted from 1."""
        if key is Key.ENTER:
            label, self.target = self.target[1:], ""
            labels = [place.label for place in self.places]
            if label in labels:
                self._visit(labels.index(label))
            elif label.isdigit() and 0 < int(label) <= len(labels):
                self._visit(int(label) - 1)
            else:
                return Stay(BAD)
        elif key is Key.BACK:
            self.target = self.target[:-1]
        elif key is Key.STAR and 1 < len(self.target) < _TARGET_LIMIT_LETTERS:  # after a digit
            self.target += "-"  # a square of Sequence: row, column
        elif key.digit is not None and len(self.target) < _TARGET_LIMIT_LETTERS:
            self.target += key.value
        else:
            return Stay(BAD)
        return Stay(TICK)

    def _summary(self) -> Action:
        lines = [
            f"{place.label}: {part.label} {part.text(old)} → {part.text(new)}"
            for place, before, values in zip(self.places, self.before, self.values, strict=True)
            for part, old, new in zip(place.parts, before, values, strict=True)
            if old != new
        ]
        return Push(SummaryScreen(self.ctx, self, tuple(lines)))

    def words(self) -> str:
        """Return the numbers keyed so far as the text of `Position`."""
        return self.listing.placement(self.position, self.values)


def _count_keying(part: Part, value: int) -> NumberKeying:
    """Return a part's number as it stands; the first digit replaces it."""
    return replace(numbers_to(part.most), digits=str(value), fresh=True)


class SummaryScreen(Screen):
    """Shows how the table differs from what the companion had recorded.

    ENTER applies the differences, STAR leaves without them, BACK returns to the places.
    """

    def __init__(self, ctx: Context, check: PlacesScreen, differences: tuple[str, ...]) -> None:
        super().__init__(ctx)
        self.check = check
        self.differences = differences
        self.top = 0
        self.why = ""
        """Why the differences cannot be applied."""

    def frame(self) -> Frame:
        tx = self.tx
        same = (tx("line", "Everything is as it was."),)
        keys = [(Key.ENTER, tx("soft", "ok"))]
        if self.differences:
            keys = [(Key.ENTER, tx("soft", "take")), (Key.STAR, tx("soft", "discard"))]
        return Frame(
            Header(tx("title", "Differences")),
            Body(
                entry=Entry(tx("big", "no"), self.why, Tone.BAD) if self.why else None,
                lines=self.differences or same,
                top=self.top,
            ),
            keys=soft(
                *keys,
                (Key.BACK, tx("soft", "back")),
                replace(scroll(tx("soft", "more")), spare=True),
            ),
        )

    def press(self, key: Key) -> Action:
        if key in (Key.UP, Key.DOWN):
            self.top = clamp(self.top + key.step, self.differences)
            return Stay(TICK)
        if key is Key.STAR and self.differences:
            return Pop(TICK, Pop)  # leave the summary, then the places
        if key is not Key.ENTER:
            return Pop(TICK)
        self.why = self.check.objection()
        if self.why:
            return Stay(BAD)
        try:
            return self.check.done(self.check.words())
        except DeclinedError as error:
            self.why = str(error)
            return Stay(BAD)


class TableCheck(PlacesScreen):
    """The board check of a running game; its differences become one correction."""

    def __init__(self, ctx: Context, table: Table) -> None:
        presentation = PRESENTATIONS[table.game.name]
        super().__init__(ctx, presentation, table.position, ctx.texts("title", "Check"))
        self.table = table

    def done(self, words: str) -> Action:
        if self.values != self.before:
            move = self.table.judge(f"<{words}>")  # the token of a correction
            if isinstance(move, Refusal):
                said, tx = self.presentation.words, self.tx
                if "fault" not in move.facts:
                    raise DeclinedError(said.refusal(tx, move))
                fault = Fault(move.facts["fault"], **move.facts)
                raise DeclinedError(said.fault(tx, fault, self.position.players))
            self.table.play(move)
        return Open(OK, "table", table=self.table)


class FirstPosition(PlacesScreen):
    """Asks for the position in which a game with these tags begins; Fault for wrong tags."""

    def __init__(
        self, ctx: Context, presentation: AnyPresentation, tags: Mapping[str, str], title: str
    ) -> None:
        _, start = begin_game({**presentation.stand_in, **tags})
        super().__init__(ctx, presentation, start, title)
        self.tags = tags

    def done(self, words: str) -> Action:
        record = {**self.tags, "Position": words}
        try:
            _, position = begin_game(record)
        except Fault as error:
            why = self.presentation.words.fault(self.tx, error, self.position.players)
            raise DeclinedError(why) from error
        return self.accept_position(record, position)

    @abstractmethod
    def accept_position(self, record: Mapping[str, str], position: AnyPosition) -> Action:
        """Go on with the tags, including that position; DeclinedError if it is declined."""


class PositionForm(FirstPosition):
    """Enters the first position of a game into the draft's tags."""

    def __init__(self, ctx: Context, presentation: AnyPresentation, draft: SetupDraft) -> None:
        title = ctx.texts("title", "Position")
        super().__init__(ctx, presentation, draft.record_tags(presentation.game), title)
        self.draft = draft

    def accept_position(self, record: Mapping[str, str], position: AnyPosition) -> Action:
        del position
        self.draft.tags["Position"] = record["Position"]
        return Pop(OK, Pop)  # leave the summary, then the places


def no_places_line(tx: Texts) -> str:
    """Say why this kind of game has no board check."""
    return tx("line", "This game does not list its places.")
