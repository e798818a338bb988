"""`beisitzer boards`: the boards to play on, the shipped ones and your own."""

from pathlib import Path

import click

from engines.notation import Fault
from pi_app.commands.console import refuse, texts, why
from pi_app.table.boards import (
    OwnBoard,
    board_files,
    kind_of,
    load_board,
    own_board,
    save_board,
    shipped_boards,
)
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.language import Texts
from pi_app.texts.printable import printable, shorten
from pi_app.texts.refused import say_fault_at


def games_with_board() -> list[str]:
    """Return the games that are played on a board, including separately installed ones."""
    return [
        name for name, presentation in PRESENTATIONS.items() if presentation.game.board is not None
    ]


def _check_game(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Check the game's name only if one is given, so that showing the help loads no games."""
    games = games_with_board()
    if value is not None and value not in games:
        raise click.BadParameter(f"no game with a board: there are {', '.join(games)}")
    return value


file_argument = click.argument("file", type=click.Path(path_type=Path))


@click.group(invoke_without_command=True)
@click.pass_context
def boards(ctx: click.Context) -> None:
    """List, show, check and add boards to play on.

    Your own boards are files in your data folder.
    """
    if ctx.invoked_subcommand is not None:
        return
    shipped = [board for game in games_with_board() for board in shipped_boards(game)]
    files = board_files()
    own = [board_or_error for _, board_or_error in files if isinstance(board_or_error, OwnBoard)]
    tx = texts()
    origin = tx("cli", "comes with the program")
    for board in shipped + own:
        name = PRESENTATIONS[board.game].name(tx)
        click.echo(f"{name:10} {board.name:20} {board.path or origin}")
    for path, board_or_error in files:
        if not isinstance(board_or_error, OwnBoard):
            click.echo(f"{path}: {_error_words(tx, board_or_error)}", err=True)


def _error_words(tx: Texts, error: Exception) -> str:
    if not isinstance(error, Fault):
        return why(error)
    presentation = PRESENTATIONS.get(error.facts.get("game", ""))
    return say_fault_at(tx, error, presentation.words.faults if presentation else {})


@boards.command(short_help="Print a board.")
@click.argument("name", type=printable)
@click.option(
    "--game",
    metavar="GAME",
    callback=_check_game,
    help="Needed if two games have a board with this name.",
)
def show(name: str, game: str | None) -> None:
    """Print the board NAME, its fields row by row."""
    for each_game in [game] if game else games_with_board():
        shipped = (board for board in shipped_boards(each_game) if board.name == name)
        board = own_board(each_game, name) or next(shipped, None)
        if board is not None:
            click.echo(f"{board.name} ({PRESENTATIONS[board.game].name(texts())})")
            click.echo(draw_fields(board))
            return
    refuse(f"there is no board {shorten(name, 40)}: beisitzer boards lists them")


def draw_fields(board: OwnBoard) -> str:
    """Return the fields in rows, one below the other."""
    kind = kind_of(board.game)
    words = kind.cells(board.data.split())
    width, side = max(map(len, words)), kind.width
    rows = [words[start : start + side] for start in range(0, len(words), side)]
    return "\n".join(" ".join(word.rjust(width) for word in row) for row in rows)


@boards.command(short_help="Check a board for mistakes.")
@file_argument
def check(file: Path) -> None:
    """Check the board in FILE. If it has a mistake: exit status 2 and one line."""
    board = _load(file)
    tx = texts()
    facts = {"path": file, "name": board.name, "game": PRESENTATIONS[board.game].name(tx)}
    click.echo(tx("cli", "{path}: {name}, a board of {game} without mistakes", **facts))


def _load(file: Path) -> OwnBoard:
    try:
        return load_board(file)
    except (OSError, ValueError) as error:
        refuse(f"{file}: {_error_words(texts(), error)}")


@boards.command(short_help="Check a board and store it.")
@file_argument
@click.option("--replace", is_flag=True, help="Replace the board with the same name.")
def add(file: Path, *, replace: bool) -> None:
    """Check the board in FILE and copy it into your data folder."""
    board, tx = _load(file), texts()
    try:
        path = save_board(board, replace=replace)
    except Fault as error:
        refuse(say_fault_at(tx, error))
    except OSError as error:
        refuse(f"the board cannot be stored: {why(error)}")
    click.echo(tx("cli", "{name} is kept in {path}", name=board.name, path=path))
