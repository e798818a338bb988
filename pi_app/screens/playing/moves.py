"""The board at full size, and the list of moves: look at one, change, insert or remove it."""

from collections.abc import Callable
from dataclasses import replace

from engines.game import AnyPosition, Step, attempt
from hardware.keys import Key
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Item,
    ListScreen,
    MenuScreen,
    Open,
    Pop,
    Push,
    Screen,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.playing.games import turn_screen
from pi_app.table.players import display_name_in
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.revision import Revision, keep_movers, movers_of, revise
from pi_app.table.table import Table
from pi_app.texts.common import winners_line
from pi_app.view.frame import Board, Body, Choices, Extras, Frame, Header, Mark, clamp, scroll, soft


class MovesScreen(ListScreen):
    """The list of moves, the last one marked; digits mark a move, ENTER opens its menu."""

    def __init__(self, ctx: Context, table: Table) -> None:
        self.table = table
        self.presentation = PRESENTATIONS[table.game.name]
        self.display_name = display_name_in(ctx.store, table.id)
        super().__init__(
            ctx,
            ctx.texts("title", "Moves"),
            self._labels,
            self._open_menu,
            selected=max(0, len(table.steps) - 1),
        )

    def _labels(self) -> tuple[str, ...]:
        rows = enumerate(self.table.steps, 1)
        line, name = self.presentation.moves.line, self.display_name
        return tuple(f"{n} {name(step.player.name)} {line(self.tx, step)}" for n, step in rows)

    @property
    def position(self) -> AnyPosition:
        """The position after the marked move."""
        steps = self.table.steps
        return steps[clamp(self.selected, steps)].after if steps else self.table.start

    def frame(self) -> Frame:
        frame = super().frame()
        steps = self.table.steps
        picture = self.presentation.picture(self.tx, self.position)
        if not steps:
            line = self.tx("line", "No move was made yet.")
            return replace(
                frame, body=replace(frame.body, lines=(line,)), board=Board(picture=picture)
            )
        step = steps[clamp(self.selected, steps)]
        return replace(
            frame,
            header=replace(frame.header, colour=step.player.colour),
            board=Board(picture=picture.with_mark(Mark.LAST, step.places)),
        )

    def choices(self) -> Choices:
        return replace(super().choices(), numbered=False)  # each begins with its number

    def press(self, key: Key) -> Action:
        """Mark the move whose number is keyed; ENTER then opens its menu."""
        if key.digit is None:
            typed, self.typed = self.typed, ""
            if typed and key is Key.BACK:  # BACK only deletes the number; the next one leaves
                return Stay(TICK)
            return super().press(key)
        # the digit continues the number; if no move has that one, it begins a new number
        for typed in (self.typed + key.value, key.value):
            if 0 < int(typed) <= len(self.table.steps):
                self.typed, self.selected = typed, int(typed) - 1
                return Stay(TICK)
        return Stay(BAD)

    def _open_menu(self, index: int) -> Action:
        self.selected = index
        return Push(MoveMenu(self))

    def look(self) -> Action:
        """Show the board after the chosen move."""
        sketch = Table.sketch(self.table, self.position)
        title = self.tx("title", "After move {n}", n=self.selected + 1)
        return Push(BoardScreen(self.ctx, sketch, title))

    def change(self) -> Action:
        """Let people key the chosen move again."""
        return self._key_move(self._review_change)

    def _review_change(self, token: str) -> Action:
        tx, new = self.tx, self._token_words(token)
        old = self._step_words(self.table.steps[self.selected])
        lines = (tx("line", "Now: {new}", new=new), tx("line", "Before: {old}", old=old))
        title = tx("title", "Change move {n}?", n=self.selected + 1)
        return self._review([token], 1, title, lines)

    def insert(self) -> Action:
        """Let people key a move that is missing before the chosen one."""
        return self._key_move(self._review_insertion)

    def _review_insertion(self, token: str) -> Action:
        lines = (self.tx("line", "Added: {new}", new=self._token_words(token)),)
        title = self.tx("title", "Insert move {n}?", n=self.selected + 1)
        return self._review([token], 0, title, lines)

    def remove(self) -> Action:
        """Ask whether the chosen move is to be removed."""
        tx, index = self.tx, self.selected
        lines = (tx("line", "Removed: {old}", old=self._step_words(self.table.steps[index])),)
        title = tx("title", "Remove move {n}?", n=index + 1)
        return self._review([], 1, title, lines)

    @property
    def _before(self) -> AnyPosition:
        """The position before the chosen move."""
        return self.table.steps[self.selected - 1].after if self.selected else self.table.start

    def _step_words(self, step: Step) -> str:
        return f"{step.player.name}, {self.presentation.moves.line(self.tx, step)}"

    def _token_words(self, token: str) -> str:
        """Describe a token as it is played before the chosen move."""
        step = attempt(self._before, token)
        return self._step_words(step) if isinstance(step, Step) else token

    def _key_move(self, done: Callable[[str], Action]) -> Action:
        """Open a turn at the position before the chosen move; `done` takes the token."""
        screen = turn_screen(self.ctx, Table.sketch(self.table, self._before))
        screen.turn.answer = done
        screen.busy_with = self.title
        screen.turn.tell(self.tx("line", "Key move {n} as it should be.", n=self.selected + 1))
        return Push(screen)

    def _review(
        self, tokens: list[str], replaced: int, title: str, changes: tuple[str, ...]
    ) -> Action:
        """Show the game after `tokens` took the place of so many moves from the selected one on."""
        table, index = self.table, self.selected
        later = table.steps[index + replaced :]
        moves = [*table.tokens()[:index], *tokens, *(step.token for step in later)]
        movers = movers_of(later)
        revision = revise(table.position, table.start, moves, movers)
        kept = revise(table.position, table.start, *keep_movers(table.start, moves, movers))
        # only offered if corrections let everybody keep their moves
        offers = len(kept.tokens) + len(kept.casualties) > len(moves) and not kept.reassigned
        screen = ReviewScreen(self, revision, title, changes)
        screen.other = kept if offers else None
        return Push(screen)


class MoveMenu(MenuScreen):
    """Actions with the chosen move."""

    def __init__(self, moves: MovesScreen) -> None:
        self.moves = moves
        super().__init__(moves.ctx, moves.tx("title", "Move {n}", n=moves.selected + 1))
        self.undoing = (self.tx("item", "Remove"),)

    def press(self, key: Key) -> Action:
        taken_back = self.moves.selected >= len(self.moves.table.steps)  # from a phone
        return Pop(BAD) if taken_back else super().press(key)

    def entries(self) -> tuple[Item, ...]:
        tx, moves = self.tx, self.moves
        return (
            (tx("item", "Look"), moves.look),
            (tx("item", "Change"), moves.change),
            (tx("item", "Insert before"), moves.insert),
            (tx("item", "Remove"), moves.remove),
        )


class ReviewScreen(Screen):
    """Shows the consequences of a changed move before they are accepted; BACK changes nothing.

    `title` is the question, `changes` describe the change. STAR switches to the same change with
    corrections that let everybody keep their moves, if it is offered as `other`.
    """

    def __init__(
        self, moves: MovesScreen, revision: Revision, title: str, changes: tuple[str, ...]
    ) -> None:
        super().__init__(moves.ctx)
        self.title = title
        self.busy_with = self.tx("title", "Moves")
        self.changes = changes
        self.table = moves.table
        self.presentation = moves.presentation
        self.revision = revision
        self.other: Revision | None = None
        """The revision that STAR shows."""
        self.keeps = False
        """Whether everybody keeps their moves in the revision that is shown."""
        self.top = 0

    def lines(self) -> tuple[str, ...]:
        tx, revision = self.tx, self.revision
        lines = list(self.changes)
        if self.keeps:
            lines.append(tx("line", "Everybody keeps their moves, by a correction."))
        lines += self._reassigned()
        if not (revision.casualties or revision.reassigned or revision.new_outcome):
            lines.append(tx("line", "All later moves stay legal."))
        if revision.new_outcome:
            after = revision.after
            name = after.players[after.seat].name
            if after.result is not None:
                winners = winners_line(tx, after.result.winners)
                lines.append(tx("line", "The end changes: {winners}", winners=winners))
            elif revision.before.result is not None:  # it was over before the change
                lines.append(tx("line", "The game goes on: {name} is to move.", name=name))
            else:
                lines.append(tx("line", "Now {name} is to move.", name=name))
        if revision.casualties:
            lines.append(
                tx.many(
                    "line",
                    "{n} move becomes illegal and falls away:",
                    "{n} moves become illegal and fall away:",
                    len(revision.casualties),
                )
            )
        for casualty in revision.casualties:
            why = self.presentation.words.refusal(tx, casualty.refusal)
            lines.append(f"{casualty.number}. {casualty.token}: {why}")
        return tuple(lines)

    def _reassigned(self) -> list[str]:
        """Name the moves that another player makes after the change."""
        tx, reassigned = self.tx, self.revision.reassigned
        if not reassigned:
            return []
        lines = [
            tx.many("line", "{n} move changes hands:", "{n} moves change hands:", len(reassigned))
        ]
        for each in reassigned:
            words = self.presentation.moves.line(tx, each.step)
            names = f"{each.before.name} → {each.step.player.name}"
            lines.append(f"{each.number}. {words}: {names}")
        if self.other is not None:
            lines.append(tx("line", "* lets everybody keep their moves."))
        return lines

    def frame(self) -> Frame:
        tx = self.tx
        star = tx("soft", "shift") if self.keeps else tx("soft", "theirs")
        # the board after the change; cells with other stones than before are marked
        now = self.presentation.picture(tx, self.revision.after)
        before = self.presentation.picture(tx, self.revision.before)
        tokens = {cell.name: cell.tokens for cell in before.cells}
        changed = (cell.name for cell in now.cells if tokens.get(cell.name) != cell.tokens)
        return Frame(
            Header(self.title),
            Body(lines=self.lines(), top=self.top),
            board=Board(picture=now.with_mark(Mark.LAST, changed)),
            keys=soft(
                (Key.ENTER, tx("soft", "yes")),
                *(((Key.STAR, star),) if self.other is not None else ()),
                (Key.BACK, tx("soft", "no")),
                replace(scroll(tx("soft", "more")), spare=self.other is not None),
            ),
        )

    def press(self, key: Key) -> Action:
        if key in (Key.UP, Key.DOWN):
            self.top = clamp(self.top + key.step, self.lines())
            return Stay(TICK)
        if key is Key.STAR and self.other is not None:
            self.revision, self.other = self.other, self.revision
            self.keeps, self.top = not self.keeps, 0
            return Stay(TICK)
        if key is Key.ENTER:
            self.table.rewrite(self.revision.tokens)
            return Open(OK, "table", table=self.table)
        return Pop(TICK) if key in (Key.BACK, Key.BACK_HELD, Key.MENU) else Stay(BAD)


class BoardScreen(Screen):
    """Shows the board and what players have left; `title` names the moment if it is not now."""

    def __init__(self, ctx: Context, table: Table, title: str = "") -> None:
        super().__init__(ctx)
        self.table = table
        self.title = title
        self.presentation = PRESENTATIONS[table.game.name]

    def frame(self) -> Frame:
        position = self.table.position
        return Frame(
            Header(self.title or self.tx("title", "Board")),
            board=Board(picture=self.presentation.picture(self.tx, position), close_up=True),
            extras=Extras(
                details=self.presentation.details(self.tx, position),
                seats=self.presentation.current_seats(self.tx, position),
            ),
            keys=soft((Key.BACK, self.tx("soft", "back"))),
        )

    def press(self, key: Key) -> Action:
        del key
        return Pop(TICK)
