"""Boards at the table: look at them, choose one for a game, key the fields of a new one."""

from collections.abc import Callable, Mapping
from functools import partial

from engines.notation import Fault
from hardware.keys import Key
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Item,
    ListScreen,
    MenuScreen,
    PageScreen,
    Pop,
    Push,
    Replace,
    Screen,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.number import NumberScreen
from pi_app.screens.players_and_settings.names import NAME_LENGTH
from pi_app.screens.text_entry import TextEntry
from pi_app.table.boards import (
    OwnBoard,
    boards_for,
    embed_board,
    kind_of,
    make_board,
    own_board,
    own_boards,
    save_board,
    shipped_boards,
)
from pi_app.table.places import numbers_to
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.setup_draft import SetupDraft
from pi_app.texts.refused import say_fault, say_fault_at
from pi_app.view.frame import Body, Entry, Frame, Header, Picture, SoftKey, Tone, soft


def board_tags(game: str, name: object) -> dict[str, str]:
    """Return the tags of a board; {} if the board is unknown."""
    if not isinstance(name, str):
        return {}
    base = name.partition("/")[0]  # without the angle at which the board lies
    if base not in kind_of(game).load_boards() and own_board(game, base) is None:
        return {}
    tags = embed_board({"Game": game, "Board": name})
    del tags["Game"]  # only `embed_board` needed it
    return tags


class BoardsScreen(MenuScreen):
    """The games that have boards."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx, ctx.texts("title", "Boards"))

    def entries(self) -> tuple[Item, ...]:
        return tuple(
            (each.name(self.tx), partial(self._open, each))
            for each in PRESENTATIONS.values()
            if each.game.board is not None
        )

    def _open(self, presentation: AnyPresentation) -> Action:
        return Push(GameBoards(self.ctx, presentation))


class GameBoards(MenuScreen):
    """The boards of one game: look at one, or make a new one."""

    def __init__(self, ctx: Context, presentation: AnyPresentation) -> None:
        self.presentation = presentation
        super().__init__(ctx, presentation.name(ctx.texts))
        self._read_boards()

    def _read_boards(self) -> Action:
        """Read the boards' files: not in `entries`, which is called for every key and frame."""
        game = self.presentation.game.name
        self.boards = (*shipped_boards(game), *own_boards(game))
        return Stay()

    def entries(self) -> tuple[Item, ...]:
        looks = ((each.name, partial(self._look, each)) for each in self.boards)
        return (*looks, (self.tx("item", "New board"), self._ask_edition))

    def _look(self, board: OwnBoard) -> Action:
        return Push(LookScreen(self.ctx, board))

    def _ask_edition(self) -> Action:
        """Ask for a new board's edition if the game has editions, then for its name."""
        rule = self.presentation.first_rule(self.tx)
        if rule is None:
            return Push(self._new_board({}))
        words = tuple(word for _, word in rule.values)

        def choose(edition: int) -> Action:
            return Replace(self._new_board({rule.key: rule.values[edition][0]}))

        return Push(ListScreen(self.ctx, rule.label, words, choose))

    def _new_board(self, rules: Mapping[str, str]) -> Screen:
        def key_fields(name: str) -> Action:
            game = self.presentation.game.name
            return Push(FieldsScreen(self.ctx, game, name, self._read_boards, rules), signals=())

        return NewBoard(self.ctx, self.presentation, key_fields)


class BoardChoice(ListScreen):
    """Chooses the board for a game; the angle at which it lies on the table does not change."""

    def __init__(self, ctx: Context, presentation: AnyPresentation, draft: SetupDraft) -> None:
        game = presentation.game.name
        self.draft = draft
        self.boards = boards_for(game, draft.rules)
        self.default = kind_of(game).default_for(draft.rules)
        names = tuple(board.name for board in self.boards)
        board = draft.tags.get("Board", self.default)
        current, _, self.angle = board.partition("/")
        super().__init__(
            ctx,
            ctx.texts("title", "Board"),
            names,
            self._choose_board,
            selected=names.index(current) if current in names else 0,
            lines=ctx.texts.each(presentation.guide.edition),
        )

    def _choose_board(self, index: int) -> Action:
        board, tags = self.boards[index], self.draft.tags
        tags.pop("Position", None)  # entered for another board
        tags.pop("BoardData", None)
        tags["Board"] = f"{board.name}/{self.angle}" if self.angle else board.name
        if tags["Board"] == self.default:
            del tags["Board"]  # records do not name the default
        if board.path is not None:  # a board of the user's: a record must contain its fields
            tags["BoardData"] = board.data
        return Pop(TICK)


class LookScreen(PageScreen):
    """A board's fields, row by row, and its picture if there is room."""

    def __init__(self, ctx: Context, board: OwnBoard) -> None:
        rows = kind_of(board.game).rows(board.data.split())
        super().__init__(ctx, board.name, tuple(map(PRESENTATIONS[board.game].cells.text, rows)))
        self.picture = picture_of(ctx, board)


def picture_of(ctx: Context, board: OwnBoard) -> Picture:
    """Return the empty board as its game shows it."""
    tags = {"Board": board.name, "BoardData": board.data}
    rules = kind_of(board.game).rules_of(board.data.split())
    return PRESENTATIONS[board.game].empty_board(ctx.texts, tags, rules)


class NewBoard(TextEntry):
    """Asks for the name of a new board; then its fields are keyed."""

    def __init__(
        self, ctx: Context, presentation: AnyPresentation, done: Callable[[str], Action]
    ) -> None:
        self.presentation = presentation
        title = ctx.texts("title", "Board's name")
        super().__init__(ctx, title, "", NAME_LENGTH, self._objection_to, done)

    def _objection_to(self, name: str) -> str:
        name, game = name.strip(), self.presentation.game.name
        if name in kind_of(game).load_boards() or (name and own_board(game, name) is not None):
            return self.tx("verdict", "there is one called so")
        return ""


class FieldsScreen(Screen):
    """Asks for a board's fields row by row, from left to right.

    ENTER accepts a field, BACK deletes a digit or goes back to the field before. Fields that are
    the same on every board are skipped; an empty field ends a board of variable length. Then it
    asks any further questions about the board under these rules.
    """

    takes_digits = True

    def __init__(
        self,
        ctx: Context,
        game: str,
        name: str,
        done: Callable[[], Action],
        rules: Mapping[str, str],
    ) -> None:
        super().__init__(ctx)
        self.done = done
        self.game = game
        self.kind = kind_of(game)
        self.cells = PRESENTATIONS[game].cells.under(rules)
        self.name = name
        self.words: list[str] = []
        """The fields so far, as in a record's `BoardData`."""
        self.keyed = self.cells.blank
        """The next field so far."""
        self.why = ""
        """Why the board cannot be stored."""
        self._skip_fixed()

    @property
    def count(self) -> int | None:
        """How many fields every board has; None if that varies."""
        return self.kind.most if self.kind.least == self.kind.most else None

    def frame(self) -> Frame:
        tx, count = self.tx, self.count
        number = len(self.kind.cells(self.words)) + 1
        why = self._objection() or self.why
        return Frame(
            Header(
                self.name,
                corner=f"{number}/{count}" if count else str(number),
            ),
            Body(
                entry=Entry(self.keyed.text or "_", why, Tone.BAD if why else Tone.PLAIN),
                choices=self.keyed.choices(tx),
                lines=self._row() or (self.cells.hint(tx),),
            ),
            keys=soft(
                (Key.ENTER, tx("soft", "ok") if self.keyed or count else tx("soft", "done")),
                (Key.BACK, tx("soft", "delete")),
                *(SoftKey(key, word, spare=True) for key, word in self.cells.signs(tx)),
            ),
        )

    def _row(self) -> tuple[str, ...]:
        """Return the current row as far as it was keyed."""
        if self.words == [self.kind.fixed_word(0)]:
            return ()  # only the first field, alike on every board, is there: show the hint instead
        cells = self.kind.cells(self.words)
        last = max(0, len(cells) - 1)  # after a row's last field that row is still shown
        row_start = last - last % self.kind.width
        row = " ".join(cells[row_start:])
        return (self.cells.text(row),) if row else ()

    def _objection(self) -> str:
        """Say why the keyed word cannot be the next field; "" if it can."""
        word, tx = self.keyed.word, self.tx
        error = self.kind.objection(self.words, word) if word else None
        if error is not None:
            return say_fault(tx, error, self.cells.faults)
        return self.keyed.verdict(tx)[0] if self.keyed.impossible else ""

    def press(self, key: Key) -> Action:
        self.why = ""
        if key in (Key.BACK_HELD, Key.MENU):
            return Pop(TICK)
        if key is Key.ENTER:
            if not self.keyed:  # an empty field: the end of a board of variable length
                ends = self.count is None and len(self.kind.cells(self.words)) >= self.kind.least
                return self._ask_next() if ends else Stay(BAD)
            word = self.keyed.word
            if not word or self._objection() or len(self.words) >= self.kind.most:
                return Stay(BAD)
            self.words.append(word)
            self.keyed = self.cells.blank
            self._skip_fixed()
            return self._ask_next() if len(self.words) == self.count else Stay(TICK)
        if key is Key.BACK and not self.keyed:
            while self.words and self.kind.fixed_word(len(self.words) - 1) is not None:
                self.words.pop()  # these were not keyed
            if not self.words:
                return Pop(TICK)
            self.words.pop()  # the field that was keyed last
            self._skip_fixed()
            return Stay(TICK)
        keyed = self.keyed.after(key)
        if keyed is None:
            return Stay(BAD)
        self.keyed = keyed
        return Stay(BAD if keyed.impossible else TICK)

    def _skip_fixed(self) -> None:
        """Add the next fields that are the same on every board, such as corners."""
        while (word := self.kind.fixed_word(len(self.words))) is not None:
            self.words.append(word)

    def _ask_next(self, *answers: int) -> Action:
        """Ask the next question, or store the board if all are answered."""
        questions = self.cells.questions(self.tx)
        if len(answers) == len(questions):
            words = self.cells.with_answers(self.words, answers)
            try:
                save_board(make_board(self.game, self.name, words))
            except Fault as error:
                self.why = say_fault_at(self.tx, error, PRESENTATIONS[self.game].words.faults)
                return Stay(BAD)
            except OSError:
                self.why = self.tx("verdict", "the board cannot be stored")
                return Stay(BAD)
            return Pop(OK, self.done)
        most = len(self.words) - 1
        screen = NumberScreen(
            self.ctx,
            self.name,
            questions[len(answers)],
            numbers_to(most, least=1),
            lambda answer: Pop(TICK, partial(self._ask_next, *answers, answer)),
        )
        return Push(screen)
