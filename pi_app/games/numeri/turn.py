"""A turn of numeri: one press of a die button is a move, unless there is a choice."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

from engines.game import Step
from engines.numeri.notation import SIDES, NumeriMove
from engines.numeri.rules import NumeriPosition, Preview
from hardware.keys import Key
from pi_app.games.numeri.die import DIE
from pi_app.games.numeri.presentation import chain_fields, say_chain, say_way, ways_of, write_ways
from pi_app.screens.base import BAD, ROW, TICK, Action, Open, Stay
from pi_app.screens.context import Context
from pi_app.screens.playing.game_turn import GameTurn
from pi_app.screens.playing.games import GameScreens
from pi_app.screens.tips import OpenTipScreen, gives_tips, tip_key
from pi_app.settings.schema import HelpLevel
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import (
    Body,
    Choices,
    Entry,
    Frame,
    Heed,
    Mark,
    Picture,
    Signal,
    Speech,
    Tone,
    Utterance,
    scroll,
    soft,
)
from pi_app.view.keying import Marked, Wheel, choose, waiting
from pi_app.view.reading import read_out

DICE = tuple(range(1, SIDES + 1))
"""The die buttons that act while nothing is rolled."""

SMALLEST_SPLIT = 3
"""The smallest roll that two different stones add up to."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll that was keyed at this position and needs a second key.

    `options` are the moves to choose from; if there are none, the next key loses the turn.
    """

    position: NumeriPosition
    roll: int
    options: tuple[Preview, ...]
    marked: Marked = field(default_factory=Marked)

    @property
    def selected(self) -> int:
        return self.marked.selected

    @property
    def sign(self) -> str:
        """The roll as people read it."""
        return DIE.sign(self.position, self.roll)

    @property
    def starred(self) -> bool:
        """Whether it is a star, which moves any one stone."""
        return self.roll == self.position.edition.star

    def choices(self, tx: Texts) -> Choices:
        """Return every distinct move; those that make a chain, and so roll again, say so.

        After a star a digit chooses the stone of that number.
        """
        chain = tx("word", "chain")
        return Choices(
            tuple(
                write_ways(option.steps)
                + (f" {chain}" if option.chains and not option.finish else "")
                for option in self.options
            ),
            self.selected,
            digits=tuple(str(option.steps[0].stone) for option in self.options)
            if self.starred
            else (),
        )


class NumeriTurn(GameTurn[NumeriPosition]):
    """The turn: a rolled number is played at once if there is only one move with it."""

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx, table)
        self._rolled: Rolled | None = None
        self.big = ""
        """The last move in digits."""
        self.prompt: str | None = None
        """Who rolls, or which number is asked for again; None before the first move."""
        self.wrong: int | None = None
        """The number of the last key, if no die has it."""
        if table.steps:
            self.tell_move(table.steps[-1])

    @property
    def rolled(self) -> Rolled | None:
        """The roll that needs a second key, unless the table has changed since it was keyed."""
        rolled = self._rolled
        return rolled if rolled is not None and rolled.position is self.position else None

    def clear(self) -> None:
        self._rolled = None
        self.wrong = None

    def keying(self) -> bool:
        # A roll that waits for a choice has not moved anything: the move before it stays.
        return self.rolled is not None or self.wrong is not None

    def tell(self, *notice: str, about: Step | None = None) -> None:
        super().tell(*notice, about=about)
        self.big = ""
        self.prompt = self.tx("line", "{name}: roll!", name=self.title())

    # --- what is shown

    def turn_frame(self) -> Frame:
        tx, rolled = self.tx, self.rolled
        if rolled is not None:
            return self._choice_frame(rolled) if rolled.options else self._stuck_frame(rolled)
        star = self.position.edition.star
        keys = soft(
            (Key.MENU, tx("soft", "menu")), scroll(tx("soft", "more")), dice=DICE, star=star
        )
        if self.wrong is not None:
            entry = Entry(str(self.wrong), DIE.refusal(tx, self.wrong), Tone.BAD)
            return replace(self.bare(), body=Body(entry=entry), keys=keys)
        body = Body(big=self.big, lines=self._lines(), top=self.notice_top)
        return replace(self.bare(), body=body, keys=keys)

    def _lines(self) -> tuple[str, ...]:
        """Return what to do; before the first move, the opening notice."""
        if self.prompt is None:
            return (self.tx("line", "Roll and press the number."), *self.notice)
        return (*self.notice, self.prompt)

    def speech(self, frame: Frame) -> Speech:
        rolled = self.rolled
        if rolled is None:
            return super().speech(frame)
        if rolled.options:
            return partial(choice_sentences, self.tx, rolled)
        return partial(stuck_sentences, self.tx, rolled, frame.body.lines)

    def _choice_frame(self, rolled: Rolled) -> Frame:
        """Show every distinct move, and what follows from the marked one."""
        tx, bare = self.tx, self.bare(self._mark_targets(rolled))
        option = rolled.options[rolled.selected]
        consequence = tx("line", "Marked: no chain")
        if option.finish:
            consequence = tx("line", "This ends the game.")
        elif option.chains:
            consequence = say_chain(tx, option.chains[0])
        return replace(
            bare,
            header=replace(bare.header, score=waiting(rolled.marked.typed) or bare.header.score),
            body=Body(lines=(consequence,), choices=rolled.choices(tx)),
            keys=soft(
                (Key.ENTER, tx("soft", "play")),
                (Key.BACK, tx("soft", "back")),
                *((tip_key(tx),) if self._gives_tips() else ()),
                dice=(rolled.roll,),
                star=self.position.edition.star,
            ),
        )

    def _stuck_frame(self, rolled: Rolled) -> Frame:
        """Say that nothing can move, and why."""
        tx, position = self.tx, self.position
        if rolled.starred:
            lines = [tx("line", "No stone has a free field ahead.")]
        else:
            field = position.stones(position.seat)[rolled.roll - 1]
            lines = [tx("line", "No free field ahead of {field}.", field=field)]
            if rolled.roll >= SMALLEST_SPLIT and position.may_split(position.seat):
                lines.append(tx("line", "No split can move."))
            elif rolled.roll >= SMALLEST_SPLIT and position.edition.star:
                lines.append(tx("line", "No split: nobody is past the barrier."))
            elif rolled.roll >= SMALLEST_SPLIT:
                lines.append(tx("line", "No split: not all in play."))
        return replace(
            self.bare(self._mark_targets(rolled)),
            body=Body(big=tx("big", "{n} STUCK", n=rolled.sign), lines=tuple(lines)),
            keys=soft(
                (Key.ENTER, tx("soft", "go on")),
                (Key.BACK, tx("soft", "back")),
                dice=(rolled.roll,),
                star=position.edition.star,
            ),
        )

    def draw_board(self) -> Picture:
        """Draw the track and mark where the last stones went."""
        marks = []
        if self.table.steps:
            step = self.table.steps[-1]
            marks += [(field, Mark.ROW) for field in chain_fields(step)]
            marks += [(way.end, Mark.LAST) for way in ways_of(step)]
        return self._mark_fields(marks)

    def _mark_targets(self, rolled: Rolled) -> Picture:
        """Draw the track and mark where stones may go."""
        return self._mark_fields(
            (way.end, Mark.SELECTED if index == rolled.selected else Mark.LEGAL)
            for index, option in enumerate(rolled.options)
            for way in option.steps
        )

    def _mark_fields(self, marks: Iterable[tuple[int, Mark]]) -> Picture:
        """Draw the track with these (number of the field, mark) pairs."""
        picture = self.presentation.picture(self.tx, self.position)
        cells = list(picture.cells)
        for number, mark in marks:
            cells[number - 1] = cells[number - 1].with_mark(mark)
        return picture.with_cells(cells)

    # --- what keys do

    def turn_wheel(self) -> Wheel | None:
        return None  # the frame has the die's buttons, or a list

    def key(self, key: Key) -> Action:
        if self.position.result is not None:
            return Open(TICK, "table", table=self.table)
        if self.rolled is None:
            self.clear()
            if key in (Key.UP, Key.DOWN):
                return self.turn_notice(key.step, self._lines())
            number = _number(key)
            if number is None:
                return Stay(BAD)
            if not 1 <= number <= SIDES:
                self.wrong = number
                return Stay(BAD)
            options = self.position.previews(number)
            if len(options) == 1:
                return self.play(options[0].move)
            # several moves to choose from, or none: then the next key loses the turn
            # a dial has no digits: it begins at an option with a chain
            good = (at for at, option in enumerate(options) if option.chains or option.finish)
            marked = Marked(next(good, 0) if self.ctx.dials else 0)
            self._rolled = Rolled(self.position, number, options, marked)
            return Stay(TICK if options else BAD)
        if key is Key.BACK and not self.rolled.marked.typed:
            self.clear()
            return Stay(TICK)
        if not self.rolled.options:
            # Any other key loses the turn, the only legal move: die buttons have no ENTER.
            return self.play(self.position.legal(self.rolled.roll)[0])
        return self._choose(key, self.rolled)

    def _choose(self, key: Key, rolled: Rolled) -> Action:
        """Play the option with the number of a digit or die button, or the marked one."""
        if key is Key.STAR and self._gives_tips():
            # open: the die lies on the table, so the tip tells no secret
            tip = OpenTipScreen(self.ctx, self.table, rolled.roll, self.play_token)
            return self.open_part(tip)
        number = _number(key)
        digit_key = key if number is None else Key(str(number))  # a die button acts as its digit
        chosen = choose(rolled.choices(self.tx), rolled.marked, digit_key)
        if isinstance(chosen, int):
            return self.play(rolled.options[chosen].move)
        if chosen is not None:
            self._rolled = replace(rolled, marked=chosen)
        return Stay(BAD if chosen is None else TICK)

    def _gives_tips(self) -> bool:
        return self.help is HelpLevel.TIPS and gives_tips(self.ctx, self.table)

    def signals_of(self, step: Step) -> tuple[Signal, ...]:
        return ROW if chain_fields(step) else super().signals_of(step)

    def tell_move(self, step: Step) -> None:
        """Show what to do after a move, with the stones and their fields in big digits."""
        super().tell_move(step)
        self.big = write_ways(ways_of(step))
        if chain_fields(step):
            self.big += " " + self.tx("big", "AGAIN!")

    def show_undone(self, step: Step) -> None:
        if not ways_of(step):
            super().show_undone(step)
            return
        tx, lines = self.tx, []
        # backwards: a stone goes back to a field that a later one may have reached
        for way in reversed(ways_of(step)):
            line = tx("line", "Stone {stone} back to the start.", stone=way.stone)
            if way.start:
                facts = {"stone": way.stone, "field": way.start}
                line = tx("line", "Stone {stone} back to field {field}.", **facts)
            lines.append(line)
        self.tell(*lines)
        self.prompt = self.tx("line", "{name}: which number?", name=self.title())

    def tap(self, name: str) -> Action:
        """Mark the move that ends on the tapped field, or say the field's value."""
        if self.rolled is not None:
            for index, option in enumerate(self.rolled.options):
                if any(str(way.end) == name for way in option.steps):
                    self._rolled = replace(self.rolled, marked=Marked(index))
                    return Stay(TICK)
            return Stay(BAD)
        value = self.position.track.values[int(name) - 1]
        self.tell(self.tx("line", "Field {field} counts {value}.", field=name, value=value))
        return Stay(TICK)


class NumeriMomentTurn(NumeriTurn):
    """Asks what to play with a roll of a finished game: first the board, then the moves.

    STAR shows the board at full size, on small displays too.
    """

    def __init__(self, ctx: Context, table: Table, token: str, corner: str) -> None:
        super().__init__(ctx, table)
        self.words = DIE.said(self.tx, self.position, *DIE.spent(token))
        self.roll = cast(NumeriMove, self.position.parse(token)).roll
        self.place = corner
        self.close_up = False

    def turn_frame(self) -> Frame:
        if self.rolled is not None:
            return super().turn_frame()
        tx, bare = self.tx, self.bare()
        question = tx("line", "What would you play?")
        return replace(
            bare,
            header=replace(bare.header, corner=self.place, score=self.place),
            body=Body() if self.close_up else Body(lines=(self.words, question)),
            board=replace(bare.board, close_up=self.close_up),
            keys=soft(
                (Key.ENTER, tx("soft", "play")),
                (Key.STAR, tx("soft", "board")),
                (Key.BACK, tx("soft", "back")),
                dice=(self.roll,),
                star=self.position.edition.star,
            ),
        )

    def speech(self, frame: Frame) -> Speech:
        return (
            super().speech(frame)
            if self.rolled is not None
            else partial(read_out, frame, titled=False)
        )

    def key(self, key: Key) -> Action:
        if self.rolled is not None:
            return super().key(key)
        if key is Key.STAR:
            self.close_up = not self.close_up
        elif key is Key.ENTER or key.die == self.roll:
            self._offer_moves()
        else:
            return Stay(BAD)
        return Stay(TICK)

    def _offer_moves(self) -> None:
        self._rolled = Rolled(self.position, self.roll, self.position.previews(self.roll))

    def tap(self, name: str) -> Action:
        """Mark the move that ends on the tapped field."""
        if self.rolled is None:
            self._offer_moves()
        return super().tap(name)


def _number(key: Key) -> int | None:
    """Return the number on a digit key or a die button."""
    return key.die if key.digit is None else key.digit


def choice_sentences(tx: Texts, rolled: Rolled) -> tuple[Utterance, ...]:
    """Return the speech for a choice: the number of ways to play the roll, then the marked one."""
    chosen = rolled.options[rolled.selected]
    many = tx("speech", "Rolled {n}: {count} ways.", n=rolled.sign, count=len(rolled.options))
    # after a star the stone's own number chooses it
    number = [] if rolled.starred else [f"{rolled.selected + 1}:"]
    sentences = [*number, *(f"{say_way(tx, way)}." for way in chosen.steps)]
    if chosen.finish:
        sentences.append(tx("line", "This ends the game."))
    elif chosen.chains:
        sentences.append(say_chain(tx, chosen.chains[0]))
    return Utterance(many), Utterance(" ".join(sentences))


def stuck_sentences(tx: Texts, rolled: Rolled, why: tuple[str, ...]) -> tuple[Utterance, ...]:
    """Return the speech for a roll that cannot move, and why, as a call to everybody."""
    said = [Utterance(tx("speech", "Stone {n} is stuck.", n=rolled.roll), Heed.CALL)]
    if rolled.starred:
        said = [Utterance(tx("speech", "Rolled {n}.", n=rolled.sign), Heed.CALL)]
    return *said, *(Utterance(line) for line in why)


SCREENS = GameScreens(NumeriTurn, given=DIE, moments=NumeriMomentTurn)
