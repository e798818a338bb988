"""The end of a game: who won and why, field by field; undo still works."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from engines.game import AnyPosition, Step
from hardware.keys import Key
from pi_app.past.evening import Evening
from pi_app.screens.base import BAD, TICK, Action, Open, Push, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.evaluation import EvaluationScreen, can_evaluate
from pi_app.screens.playing.evening import EveningScreen, evening_after
from pi_app.screens.playing.games import has_moments, undo_move
from pi_app.screens.playing.rematch import StartsScreen, play_again, read_start_rule, starting_seat
from pi_app.table.players import people_of
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.table import Table
from pi_app.texts.common import winners_line
from pi_app.texts.language import Texts
from pi_app.view.frame import (
    Board,
    Body,
    Extras,
    Frame,
    Header,
    Heed,
    SoftKey,
    Tone,
    Utterance,
    clamp,
    scroll,
    soft,
)
from pi_app.view.keying import Wheel

if TYPE_CHECKING:
    from ai.evaluation import Evaluation


class ResultScreen(Screen):
    """Shows a finished game; ENTER begins another one at the same table, BACK lists the games.

    0 shows the evening, if these people played before this game. In a game with moments, 1 shows
    how it went, and 2 asks about its moments.
    """

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx)
        self.table = table
        self.presentation = PRESENTATIONS[table.game.name]
        self.top = 0
        people = people_of(ctx.store, table.id, table.start.players)
        self.has_evaluation = has_moments(table.game.name) and can_evaluate(ctx, table)
        self.has_moments = self.has_evaluation and bool(people)
        if self.has_moments and ctx.evaluations is not None:
            ctx.evaluations.begin(table, self._take_moments)

    @cached_property
    def evening(self) -> Evening | None:
        """The evening that this game continues, looked up once."""
        return evening_after(self.ctx, self.table.id)

    def _take_moments(self, evaluation: Evaluation | None) -> None:
        """Store the players' moments, also while another screen is shown."""
        from pi_app.past.moments import take_moments  # not needed at a start

        if evaluation is not None:
            take_moments(self.ctx.store, self.table, evaluation)

    def lines(self) -> tuple[str, ...]:
        """Return who won, why, what the last move requires, and who starts the next game."""
        tx, position = self.tx, self.table.position
        winners = position.result.winners if position.result else ()
        steps = self.table.steps
        result = position.result
        why = self.presentation.result_lines(tx, position, result) if result else ()
        again = []
        rule = read_start_rule(self.ctx)
        if rule is not None:
            name = self.table.start.players[starting_seat(self.table, rule)].name
            again.append(tx("line", "{name} starts the next game.", name=name))
        return (
            # above it a single winner's name is written large
            tx("line", "wins!") if len(winners) == 1 else winners_line(tx, winners),
            *why,
            *(self.presentation.moves.closing(tx, steps[-1]) if steps else ()),
            *again,
        )

    def score(self) -> str:
        """Return the points of each seat, in Sequence of each team, beginning with the winner."""
        seats = self.presentation.current_seats(self.tx, self.table.position)
        first = next((index for index, seat in enumerate(seats) if seat.winner), 0)
        # a team has one score, which each of its seats repeats
        scores = {seat.colour: seat.score for seat in (*seats[first:], *seats[:first])}
        return ":".join(filter(None, scores.values()))

    def frame(self) -> Frame:
        tx = self.tx
        position = self.table.position
        winners = position.result.winners if position.result else ()
        last = self.table.steps[-1] if self.table.steps else None
        colours = [player.colour for player in position.players if player.name in winners]
        evaluation = SoftKey(Key.D1, tx("soft", "course"), spare=True)
        moments = SoftKey(Key.D2, tx("soft", "train"), spare=True)
        starts = SoftKey(Key.STAR, tx("soft", "first"), spare=True)
        evening = ((Key.D0, tx("soft", "table")),) if self.evening else ()
        return Frame(
            Header(
                tx("title", "Game over"), colour=colours[0] if colours else None, score=self.score()
            ),
            Body(
                big=winners[0] if len(winners) == 1 else "",
                tone=Tone.WIN,
                lines=self.lines(),
                top=self.top,
            ),
            board=Board(picture=self.presentation.picture(tx, position)),
            extras=Extras(
                details=self.presentation.details(tx, position),
                seats=self.presentation.current_seats(tx, position),
            ),
            keys=soft(
                (Key.ENTER, tx("soft", "again")),
                scroll(tx("soft", "more")),
                (Key.BACK, tx("soft", "games")),
                *evening,
                starts,
                *((evaluation,) if self.has_evaluation else ()),
                *((moments,) if self.has_moments else ()),
            ),
            speech=partial(result_sentences, tx, self.presentation, position, last)
            if self.ctx.speaks
            else None,
        )

    def wheel(self) -> Wheel:
        tx = self.tx
        starts = (Key.STAR, tx("title", "Who starts now?"))
        undo, menu = (Key.BACK_HELD, tx("soft", "undo")), (Key.MENU, tx("soft", "menu"))
        return Wheel((), more=(starts, undo, menu))

    def press(self, key: Key) -> Action:
        if key in (Key.UP, Key.DOWN):
            self.top = clamp(self.top + key.step, self.lines())
            return Stay(TICK)
        if key is Key.BACK_HELD:
            return undo_move(self.ctx, self.table)
        if key is Key.ENTER:
            return play_again(self.ctx, self.table)
        if key is Key.D0 and self.evening is not None:
            again = partial(play_again, self.ctx, self.table)
            return Push(EveningScreen(self.ctx, self.evening, again))
        if key is Key.D1 and self.has_evaluation:
            return Push(EvaluationScreen(self.ctx, self.table))
        if key is Key.D2 and self.has_moments:
            return Open(TICK, "moments", table=self.table)
        if key is Key.STAR:
            return Push(StartsScreen(self.ctx, lambda: Stay(TICK)))
        if key is Key.BACK:
            return Open(TICK)
        if key in (Key.MENU, Key.MENU_HELD):
            return Open(TICK, "menu", table=self.table)
        return Stay(BAD)


def result_sentences(
    tx: Texts, presentation: AnyPresentation, position: AnyPosition, last: Step | None
) -> tuple[Utterance, ...]:
    """Return the speech at the end: the last move, who won, and why."""
    result = position.result
    winners = result.winners if result else ()
    return (
        *(presentation.moves.speech(tx, last) if last is not None else ()),
        Utterance(winners_line(tx, winners), Heed.CALL),
        *(presentation.result_speech(tx, position, result) if result else ()),
        Utterance(tx("speech", "Key # plays again, C leads to the games.")),
    )
