"""Boards at the table: look at them, choose one for a game, make one by keying its fields."""

from __future__ import annotations

from collections.abc import Callable

from engines.board import BoardError
from engines.numeri.board import LARGE, MOST_FIELDS
from engines.record import begin_game
from engines.sequence.board import CARDS, CORNER, CORNER_SQUARES, JACKS
from hardware.keys import Key
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    ListScreen,
    PageScreen,
    Pop,
    Push,
    Screen,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.keeping.players import NAME_LENGTH
from pi_app.screens.text_entry import TextEntry
from pi_app.table.boards import (
    OwnBoard,
    embedded,
    kind_of,
    make_board,
    own_board,
    own_boards,
    save_board,
    shipped_boards,
)
from pi_app.table.draft import Draft
from pi_app.table.faces import FACES, AnyFace
from pi_app.view.frame import Entry, Frame, Picture, Tone, soft

FIELDS = {"just4fun": 36, "sequence": 100}
"""Fields of a board; a numeri track may have from LARGE to MOST_FIELDS."""
SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SIGNS = str.maketrans("SHDC", "♠♥♦♣")


def board_tags(game: str, name: object) -> dict[str, str]:
    """Return the tags of a board that is known here; nothing where it is not."""
    if not isinstance(name, str):
        return {}
    base = name.partition("/")[0]
    if base not in kind_of(game).known() and own_board(game, base) is None:
        return {}
    tags = embedded({"Game": game, "Board": name})
    del tags["Game"]
    return tags


class BoardsScreen(ListScreen):
    """The games that have boards."""

    def __init__(self, ctx: Context) -> None:
        self.faces = [face for face in FACES.values() if face.game.board is not None]
        names = tuple(face.name(ctx.texts) for face in self.faces)
        super().__init__(ctx, ctx.texts("title", "Boards"), names, self._chosen)

    def _chosen(self, index: int) -> Action:
        return Push(TICK, screen=GameBoards(self.ctx, self.faces[index]))


class GameBoards(ListScreen):
    """The boards of one game: look at one, or make a new one."""

    def __init__(self, ctx: Context, face: AnyFace) -> None:
        self.face = face
        self.boards: list[OwnBoard] = []
        super().__init__(ctx, face.name(ctx.texts), self._labels, self._chosen)
        self._read()

    def _read(self) -> None:
        game = self.face.game.name
        self.boards = [*shipped_boards(game), *own_boards(game)]

    def _labels(self) -> tuple[str, ...]:
        return (*(board.name for board in self.boards), self.tx("item", "New board"))

    def _chosen(self, index: int) -> Action:
        if index < len(self.boards):
            return Push(TICK, screen=LookScreen(self.ctx, self.boards[index]))
        return Push(TICK, screen=NewBoard(self.ctx, self.face, self._new))

    def _new(self, name: str) -> Action:
        """Let the fields of a board be keyed that was given a name."""
        return Push(screen=FieldsScreen(self.ctx, self.face.game.name, name, self._made))

    def _made(self) -> Action:
        self._read()
        return Stay()


class BoardChoice(ListScreen):
    """Which board a game is set up on; choosing one keeps how it lies."""

    def __init__(self, ctx: Context, face: AnyFace, draft: Draft) -> None:
        game = face.game.name
        self.draft = draft
        self.boards = [*shipped_boards(game), *own_boards(game)]
        names = tuple(board.name for board in self.boards)
        current, _, self.angle = draft.tags.get("Board", face.game.default_board or "").partition(
            "/"
        )
        super().__init__(
            ctx,
            ctx.texts("title", "Board"),
            names,
            self._board,
            selected=names.index(current) if current in names else 0,
        )
        self.default = face.game.default_board

    def _board(self, index: int) -> Action:
        board, tags = self.boards[index], self.draft.tags
        if "Position" in tags:
            del tags["Position"]  # it was entered on another board
        tags.pop("BoardData", None)
        tags["Board"] = f"{board.name}/{self.angle}" if self.angle else board.name
        if tags["Board"] == self.default:
            del tags["Board"]
        if board.path is not None:
            tags["BoardData"] = board.data
        return Pop(TICK)


class LookScreen(PageScreen):
    """A board's fields, row by row; where there is room, its picture too."""

    def __init__(self, ctx: Context, board: OwnBoard) -> None:
        super().__init__(ctx, board.name, rows_of(board.game, board.data.split()))
        self.picture = picture_of(ctx, board)

    def frame(self) -> Frame:
        frame = super().frame()
        return Frame(
            frame.title,
            lines=frame.lines,
            top=frame.top,
            softkeys=frame.softkeys,
            picture=self.picture,
        )


def rows_of(game: str, words: list[str]) -> tuple[str, ...]:
    """Return fields in rows to read."""
    rows = kind_of(game).rows(words)
    return tuple(row.translate(_SIGNS) for row in rows) if game == "sequence" else rows


def picture_of(ctx: Context, board: OwnBoard) -> Picture:
    """Return the empty board as its game shows it."""
    face = FACES[board.game]
    draft = Draft(face.seats(ctx.texts, min(face.game.player_counts), None))
    tags = {**draft.record_tags(face.game), "Board": board.name, "BoardData": board.data}
    _, position = begin_game(tags)
    return face.picture(ctx.texts, position)


class NewBoard(TextEntry):
    """The name of a board that is being made; then its fields are keyed."""

    def __init__(self, ctx: Context, face: AnyFace, done: Callable[[str], Action]) -> None:
        self.face = face
        title = ctx.texts("title", "Board's name")
        super().__init__(ctx, title, "", NAME_LENGTH, self._taken, done)

    def _taken(self, name: str) -> str:
        name, game = name.strip(), self.face.game.name
        if name in kind_of(game).known() or (name and own_board(game, name) is not None):
            return self.tx("verdict", "there is one called so")
        return ""


class FieldsScreen(Screen):
    """A board's fields, keyed one after the other in the order of reading.

    ENTER takes a field, BACK deletes a digit and then goes back to the field before. Sequence's
    cards are keyed as rank STAR suit (1 to 4: ♠ ♥ ♦ ♣); a numeri track ends with an empty one.
    """

    def __init__(self, ctx: Context, game: str, name: str, made: Callable[[], Action]) -> None:
        super().__init__(ctx)
        self.made = made
        self.game = game
        self.name = name
        self.words: list[str] = []
        self.keyed = ""
        self.why = ""
        self._corner()

    def frame(self) -> Frame:
        tx = self.tx
        count = FIELDS.get(self.game)
        objection = self._objection() if self.keyed else ""
        text = self._shown() if self.keyed else "_"
        return Frame(
            self.name,
            corner=f"{len(self.words) + 1}/{count}" if count else str(len(self.words) + 1),
            entry=Entry(
                text, objection or self.why, Tone.BAD if objection or self.why else Tone.PLAIN
            ),
            lines=self._row() or (self._hint(),),
            softkeys=soft(
                (Key.ENTER, tx("soft", "ok") if self.keyed or count else tx("soft", "done")),
                (Key.BACK, tx("soft", "delete")),
            ),
        )

    def _hint(self) -> str:
        tx = self.tx
        if self.game == "sequence":
            return tx("line", "Row by row: rank, *, suit: 1 ♠ 2 ♥ 3 ♦ 4 ♣. 1 is the ace.")
        if self.game == "numeri":
            return tx("line", "Each field's value, # after each. # alone ends the track.")
        return tx("line", "Row by row, # after each number.")

    def _row(self) -> tuple[str, ...]:
        """Return what was keyed of the current row."""
        side = kind_of(self.game).width
        at = max(0, len(self.words) - 1) // side * side
        row = "" if self.words == [CORNER] else " ".join(self.words[at:])
        return (row.translate(_SIGNS) if self.game == "sequence" else row,) if row else ()

    def _shown(self) -> str:
        return self._card().translate(_SIGNS) if self._card() else self.keyed

    def _card(self) -> str:
        """Return the card keyed so far, or "" while it is none."""
        rank, star, suit = self.keyed.partition("*")
        if self.game != "sequence" or not star or suit not in ("1", "2", "3", "4"):
            return ""
        number = int(rank)
        return RANKS[number - 1] + SUITS[int(suit) - 1] if 1 <= number <= len(RANKS) else ""

    def _objection(self) -> str:
        tx = self.tx
        if self.game == "numeri":
            return ""
        if self.game == "sequence":
            card = self._card()
            if "*" in self.keyed and self.keyed[-1] != "*" and card not in CARDS:
                return tx("verdict", "there is no such card")
            if card in JACKS:
                return tx("verdict", "jacks are not on the board")
            return tx("verdict", "there twice already") if self.words.count(card) >= 2 else ""
        if not 1 <= int(self.keyed) <= FIELDS["just4fun"]:
            return tx("verdict", "numbers from 1 to 36")
        return tx("verdict", "there already") if str(int(self.keyed)) in self.words else ""

    def press(self, key: Key) -> Action:
        self.why = ""
        if key.digit is not None:
            if len(self.keyed) >= 5:
                return Stay(BAD)
            self.keyed += key.value
        elif key is Key.STAR and self.game == "sequence" and self.keyed and "*" not in self.keyed:
            self.keyed += "*"
        elif key is Key.ENTER:
            return self._next()
        elif key is Key.BACK:
            return self._back()
        elif key in (Key.BACK_HELD, Key.MENU):
            return Pop(TICK)
        else:
            return Stay(BAD)
        return Stay(TICK)

    def _back(self) -> Action:
        if self.keyed:
            self.keyed = self.keyed[:-1]
            return Stay(TICK)
        while self.words and self.words[-1] == CORNER:
            self.words.pop()
        if not self.words:
            return Pop(TICK)
        self.words.pop()
        self._corner()
        return Stay(TICK)

    def _next(self) -> Action:
        if not self.keyed:
            ends = self.game == "numeri" and len(self.words) >= LARGE
            return self._save() if ends else Stay(BAD)
        word = self._card() if self.game == "sequence" else str(int(self.keyed))
        if not word or self._objection() or len(self.words) >= MOST_FIELDS:
            return Stay(BAD)
        self.words.append(word)
        self.keyed = ""
        self._corner()
        return self._save() if len(self.words) == FIELDS.get(self.game) else Stay(TICK)

    def _corner(self) -> None:
        """Go past corners: nobody keys them."""
        while self.game == "sequence" and len(self.words) in CORNER_SQUARES:
            self.words.append(CORNER)

    def _save(self) -> Action:
        try:
            save_board(make_board(self.game, self.name, self.words))
        except BoardError as error:
            self.why = error.reason
            return Stay(BAD)
        except OSError:
            self.why = self.tx("verdict", "the board cannot be stored")
            return Stay(BAD)
        return Pop(OK, self.made)
