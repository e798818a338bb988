"""The user's own boards: files in the user's data folder, embedded in records that use them."""

import logging
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from engines.board import QUARTER_TURNS, BoardKind, read_table
from engines.games import GAMES
from engines.notation import Fault, composed
from pi_app.system.regular import TooLongError, read_text
from pi_app.system.replace import write_safely
from pi_app.system.toml_text import pathological_line

log = logging.getLogger(__name__)

FILE_LIMIT_BYTES = 64 * 1024
"""Longer files are refused."""
NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """A valid board. `data` is the text of `BoardData`; `path` is None for a shipped board."""

    game: str
    name: str
    data: str
    path: Path | None = None


def boards_folder() -> Path:
    """Return the folder of the user's boards; BEISITZER_BOARDS names another one."""
    folder = os.environ.get("BEISITZER_BOARDS")
    if folder:
        return Path(folder).expanduser()
    import platformdirs

    return platformdirs.user_data_path("beisitzer", appauthor=False) / "boards"


def read_board(text: str) -> OwnBoard:
    """Check a board file's text; a Fault names the key at fault and what is allowed."""
    table = read_table(text)
    game, name = str(table["game"]), str(table["name"])
    with_boards = [key for key, entry in GAMES.items() if entry.board is not None]
    if game not in with_boards:
        # a faulty file may have a text of any length here
        raise Fault("no-such-game", "game", word=game[:40], names=", ".join(with_boards))
    _check_name(name)
    try:
        return OwnBoard(game, name, kind_of(game).data(table))
    except Fault as fault:
        fault.facts["game"] = game  # its presentation may have the words
        raise


def kind_of(game: str) -> BoardKind[Any]:
    """Return the kind of a game's boards; Fault for a game without boards."""
    kind = GAMES[game].board
    if kind is None:
        raise Fault("no-board", "game", game=game)
    return kind


def _check_name(name: str) -> None:
    if len(name) > NAME_LENGTH or not name.isprintable() or set(name) & set('"/'):
        raise Fault("bad-name", "name", most=NAME_LENGTH)
    if name != name.strip():
        raise Fault("spaces", "name")


def load_board(path: Path) -> OwnBoard:
    """Read and check a board file; Fault if it is invalid, OSError if it is unreadable."""
    try:
        text = read_text(path, FILE_LIMIT_BYTES)
    except TooLongError as error:
        raise Fault("too-large", most=FILE_LIMIT_BYTES) from error
    except UnicodeDecodeError as error:
        raise Fault("no-utf8") from error
    bad_line = pathological_line(text)
    if bad_line is not None:
        raise Fault("no-line", line=bad_line)
    board = read_board(text)
    return OwnBoard(board.game, board.name, board.data, path)


def make_board(game: str, name: str, words: Sequence[str]) -> OwnBoard:
    """Return a board with these fields, row by row; Fault if it is invalid."""
    name = composed(name)
    _check_name(name)
    if not name:
        raise Fault("no-text", "name")
    kind = kind_of(game)
    kind.make(words)  # only for its check: it raises the fault
    return OwnBoard(game, name, " ".join(words))


def board_toml(board: OwnBoard) -> str:
    """Return the text of a board file; reading it gives the board back."""
    return kind_of(board.game).toml(board.name, board.data.split())


def shipped_boards(game: str) -> list[OwnBoard]:
    """Return the boards that come with the program for a game."""
    kind = kind_of(game)
    return [OwnBoard(game, name, kind.data(table)) for name, table in kind.load_boards().items()]


def own_boards(game: str | None = None) -> list[OwnBoard]:
    """Return the user's boards of one game or all; files with mistakes are logged and skipped."""
    boards = []
    for path, board in board_files():
        if isinstance(board, Exception):
            log.warning("the board %s is left out: %s", path, board)
        elif game is None or board.game == game:
            boards.append(board)
    return boards


def boards_for(game: str, rules: Mapping[str, str]) -> list[OwnBoard]:
    """Return the boards of a game that fit these house rules."""
    kind = kind_of(game)
    chosen = GAMES[game].default_rules | dict(rules)
    return [
        board
        for board in (*shipped_boards(game), *own_boards(game))
        if kind.rules_of(board.data.split()).items() <= chosen.items()
    ]


def board_files() -> list[tuple[Path, OwnBoard | Fault | OSError]]:
    """Return every file in the user's folder with its board or its mistake."""
    files: list[tuple[Path, OwnBoard | Fault | OSError]] = []
    try:
        paths = sorted(boards_folder().glob("*.toml"))
    except OSError:  # a folder that cannot be read has no boards
        return []
    for path in paths:
        try:
            files.append((path, load_board(path)))
        except (Fault, OSError) as error:
            files.append((path, error))
    return files


def own_board(game: str, name: str) -> OwnBoard | None:
    """Return the user's board with this name, or None."""
    return next((board for board in own_boards(game) if board.name == composed(name)), None)


def save_board(board: OwnBoard, *, replace: bool = False) -> Path:
    """Store a board in the user's folder and return its file.

    Fault if a shipped board has this name, or one of the user's that must not be replaced;
    OSError if it cannot be written.
    """
    if board.name in kind_of(board.game).load_boards():
        raise Fault("shipped-name", "name", name=board.name)
    existing = own_board(board.game, board.name)
    if existing is not None and not replace:
        raise Fault("kept-name", "name", name=board.name)
    kept_path = None if existing is None else existing.path
    path = kept_path or _free_path(board)
    write_safely(path, board_toml(board).encode("utf-8"))
    return path


def _free_path(board: OwnBoard) -> Path:
    """Return GAME-NAME.toml, with a number after the name if there is such a file already."""
    plain = re.sub(r"[^a-z0-9]+", "-", board.name.lower()).strip("-") or "board"
    stem = f"{board.game}-{plain}"
    stems = (stem if n == 1 else f"{stem}-{n}" for n in count(1))
    paths = (boards_folder() / f"{numbered}.toml" for numbered in stems)
    return next(path for path in paths if not path.exists())


def embed_board(tags: Mapping[str, str]) -> dict[str, str]:
    """Return a game's tags, with the cells of the board in `BoardData` if it is the user's own.

    The tag `Board` is NAME, or NAME/90 for a board turned by 90 degrees. Readers of the record use
    `BoardData` and ignore the name, so the cells are turned here.
    """
    name = tags.get("Board")
    kind = GAMES[tags["Game"]].board if tags.get("Game") in GAMES else None
    if kind is None or name is None:
        return dict(tags)
    base, slash, angle = name.partition("/")
    can_turn = kind.turns and angle in QUARTER_TURNS
    if slash and not can_turn:  # `begin_game` refuses such a name
        return dict(tags)
    if base in kind.load_boards():  # a shipped board needs only its name
        return dict(tags)
    board = own_board(kind.game, base)
    if board is None:
        return dict(tags)
    words = kind.rotate(board.data.split(), QUARTER_TURNS.get(angle, 0))
    return {**tags, "BoardData": " ".join(words)}
