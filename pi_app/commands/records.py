"""`beisitzer check`, `legal` and `score`: replay, continue and score a game record."""

import errno
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click

from engines.game import AnyPosition, Game, Player, Result, Step, Violation, attempt
from engines.notation import Fault
from engines.record import Reading, Record, begin, board_name, decode, write
from pi_app.commands.console import fail, json_option, lang_option, refuse, texts, why, write_file
from pi_app.commands.record_sentences import face_of, fault_reason, refusal_sentence
from pi_app.commands.stones import stones_example, tags_of_stones
from pi_app.system.regular import read_file_or_pipe
from pi_app.table.boards import embed_board
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.texts.common import colour_word, winners_line
from pi_app.texts.language import Texts
from pi_app.texts.printable import printable, shorten

RECORD_LIMIT_BYTES = 8 * 1024 * 1024
"""A longer file is not a game record: 200 moves take some 2,000 bytes.

The limit protects a Pi's memory from devices and endless streams.
"""

file_argument = click.argument("file")


@dataclass(frozen=True)
class LoadedRecord:
    """A readable record, its game, and the position before its first move."""

    reading: Reading
    game: Game
    start: AnyPosition

    @cached_property
    def record(self) -> Record:
        """The whole record, with its comments."""
        return self.reading.record()

    @cached_property
    def presentation(self) -> AnyPresentation:
        """The game's presentation; ends with status 2 without one."""
        return face_of(self.game.name)

    def steps(self) -> Iterator[tuple[int, Step | Violation]]:
        """Yield the effect of every token, with the token's line."""
        position = self.start
        for line, token in self.reading.moves():
            step = attempt(position, token)
            if isinstance(step, Step):
                position = step.after
            yield line, step

    def end(self) -> AnyPosition:
        """Return the position after the last legal move."""
        position = self.start
        for _, step in self.steps():
            if isinstance(step, Step):
                position = step.after
        return position


def _fail(name: str, reason: str, line: int | None = None) -> NoReturn:
    """End with status 2 and one line that names the file, the line and the reason."""
    fail(f"{name}:{line}: {reason}" if line is not None else f"{name}: {reason}")


def file_name(file: str) -> str:
    """Return a file's name in printable form, whatever bytes it has."""
    return "standard input" if file == "-" else click.format_filename(file)


def read_bytes(file: str) -> bytes:
    """Read a file or standard input, or end with status 2."""
    name = file_name(file)
    try:
        # one byte more than allowed shows that a file is too long
        if file != "-":
            data = read_file_or_pipe(Path(file), RECORD_LIMIT_BYTES + 1)
        elif sys.stdin is not None:  # None if it was closed before the program began
            data = sys.stdin.buffer.read(RECORD_LIMIT_BYTES + 1)
        else:
            _fail(name, os.strerror(errno.EBADF))
    except (OSError, ValueError) as error:
        _fail(name, why(error))
    if len(data) > RECORD_LIMIT_BYTES:
        _fail(name, f"more than {RECORD_LIMIT_BYTES} bytes: this is no game record")
    return data


def load_record(file: str) -> LoadedRecord:
    """Read a record, or end with status 2."""
    game = None
    try:
        reading = Reading(decode(read_bytes(file)))
        game = reading.tags.get("Game")
        return LoadedRecord(reading, *begin(reading))
    except Fault as fault:
        _fail(file_name(file), fault_reason(fault, game), fault.facts["line"])


class NextTurn(NamedTuple):
    """The turn after a record, with the hand or roll of the player to move."""

    game: Game
    position: AnyPosition
    player: Player
    given: Any


@contextmanager
def open_turn(file: str, hand: str | None, roll: str | None) -> Iterator[NextTurn]:
    """Yield the turn after a record; end with status 2 if it has none, or for a wrong hand."""
    loaded, name = load_record(file), file_name(file)
    game, position = loaded.game, loaded.end()
    if position.to_move is None:
        fail(f"{name}: the game is over, nobody is to move")
    try:
        yield NextTurn(game, position, position.to_move, game.given(position, hand, roll))
    except Fault as fault:
        option = "--roll" if fault.code in ("roll-needed", "no-die") else "--hand"
        reason = fault_reason(Fault(fault.code, **fault.facts), game.name)
        fail(f"{name}: {reason} ({option})")


def turn_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the argument and the options that name a turn."""
    for option in (
        click.option("--roll", help="What the player to move rolled."),
        click.option("--hand", help="The cards of the player to move: 3,5,11,13."),
        file_argument,
    ):
        command = option(command)
    return command


def _print_json(value: Mapping[str, Any]) -> None:
    # written raw: ASCII needs no cleaning, and this saves copying a long line
    write = getattr(sys.stdout, "write_raw", sys.stdout.write)
    write(json.dumps(value))
    write("\n")


@click.command()
@file_argument
@click.option(
    "--golden",
    is_flag=True,
    help="Also write what check --json prints now, as .jsonl next to FILE, to compare with later.",
)
@json_option
@lang_option
def check(file: str, lang: str | None, *, golden: bool, as_json: bool) -> None:
    """Replay a record and report every illegal move.

    As FILE, - is standard input.
    Exit status 0: every move is legal, or --golden has written. 1: at least one move is illegal.
    2: FILE cannot be read.
    """
    loaded, tx = load_record(file), texts(lang)
    written = _write_golden(file, loaded, tx) if golden else ""
    wrong = 0
    if as_json:
        for line in _replay(loaded, tx):
            wrong += line.get("ok") is False  # the first and the last line have no `ok`
            _print_json(line)
    else:
        wrong = _check_text(loaded, tx)
    if written:
        click.echo(written, err=as_json)  # standard output is for the JSON alone
    sys.exit(1 if wrong and not written else 0)


def _write_golden(file: str, loaded: LoadedRecord, tx: Texts) -> str:
    """Write the lines of `--json` next to the record; return a sentence that says so.

    Sentences are left out: their wording changes.
    """
    path = Path(file).with_suffix(".jsonl")
    if file == "-" or path == Path(file):
        refuse("--golden needs a record in a file whose name does not end in .jsonl")
    lines = [
        {key: value for key, value in line.items() if key != "message"}
        for line in _replay(loaded, tx)
    ]
    write_file(path, "".join(f"{json.dumps(line)}\n" for line in lines))
    return f"wrote {file_name(str(path))} ({len(lines)} lines)"


def _replay(loaded: LoadedRecord, tx: Texts) -> Iterator[dict[str, Any]]:
    """Yield the lines of the record format: the players, each token's effect, the final state."""
    players = [{"name": player.name, "colour": player.colour} for player in loaded.start.players]
    board = board_name(loaded.game, loaded.reading.tags)
    position = loaded.start
    first = {"game": loaded.game.name, "players": players, "board": board}
    yield first | _remarks(loaded.game, None, position)
    for number, (_, step) in enumerate(loaded.steps(), 1):
        line: dict[str, Any] = {
            "n": number,
            "player": step.player.name if step.player else None,
            "move": step.token,
            "ok": isinstance(step, Step),
        }
        if isinstance(step, Step):
            line["events"] = [{"event": event.code, **event.facts} for event in step.events]
            line |= _remarks(loaded.game, position, step.after)
            position = step.after
        else:
            line["violation"] = step.refusal.code
            line["message"] = refusal_sentence(tx, loaded.presentation, step.refusal)
            line["facts"] = dict(step.refusal.facts)
        yield line
    player, result = position.to_move, position.result
    end = result.as_json() if result else None
    yield {"to_move": player.name if player else None, "result": end}


def _remarks(game: Game, before: AnyPosition | None, after: AnyPosition) -> dict[str, Any]:
    """Return the key `remarks` with surprises in this position; {} without any."""
    remarks = [{"remark": event.code, **event.facts} for event in game.remarks(before, after)]
    return {"remarks": remarks} if remarks else {}


def _check_text(loaded: LoadedRecord, tx: Texts) -> int:
    """Print every token's effect in words; return how many tokens were illegal."""
    game, face = loaded.game, loaded.presentation
    board = board_name(game, loaded.reading.tags)
    players = loaded.start.players
    names = ", ".join(f"{player.name} ({colour_word(tx, player.colour)})" for player in players)
    click.echo(f"{face.name(tx)} ({board}): {names}" if board else f"{face.name(tx)}: {names}")
    position, wrong = loaded.start, 0
    for event in game.remarks(None, position):
        click.echo(face.words.event(tx, event))
    for number, (line, step) in enumerate(loaded.steps(), 1):
        if isinstance(step, Step):
            remarks = (face.words.event(tx, event) for event in game.remarks(position, step.after))
            sentences = (*face.moves.to_do(tx, step), *face.moves.closing(tx, step), *remarks)
            said = " ".join(dict.fromkeys(sentences))  # the end may repeat sentences
            position = step.after
        else:
            wrong += 1
            reason = refusal_sentence(tx, face, step.refusal)
            said = tx("cli", "NOT LEGAL (line {line}): {why}", line=line, why=reason)
        name = step.player.name if step.player else tx("item", "nobody")
        # click.echo would flush after every line
        sys.stdout.write(f"{number:4}  {name}  {shorten(step.token)}  {said}\n")
    if (result := position.result) is None:
        click.echo(tx("cli", "{name} is to move.", name=position.players[position.seat].name))
    else:
        end = (winners_line(tx, result.winners), *face.result_lines(tx, position, result))
        click.echo("\n".join(end))
    count = loaded.reading.count
    click.echo(
        tx.many(
            "cli", "{n} move, {wrong} not legal", "{n} moves, {wrong} not legal", count, wrong=wrong
        )
    )
    return wrong


@click.command()
@turn_options
@json_option
@lang_option
def legal(
    file: str, hand: str | None, roll: str | None, lang: str | None, *, as_json: bool
) -> None:
    """List every legal move after a record.

    As FILE, - is standard input.
    Exit status 2: FILE cannot be read, the game is over, or the hand or roll that the game
    needs is missing or impossible.
    """
    with open_turn(file, hand, roll) as turn:
        moves = [move.token for move in turn.position.legal(turn.given)]
        facts = turn.game.legal_facts(turn.position, turn.given)
    if as_json:
        _print_json({"player": turn.player.name, "moves": moves, **facts})
        return
    tx, face = texts(lang), face_of(turn.game.name)
    click.echo(tx("cli", "{name} may play:", name=turn.player.name))
    # a game of sums lists legal and illegal sums below
    sums = {"+".join(map(str, entry["cards"])): entry for entry in facts.get("sums", ())}
    for token in moves:
        if token not in sums:
            click.echo(f"  {token}")
    for cards, entry in sums.items():
        refusal = turn.position.verdict(cards)
        said = tx("cli", "free") if refusal is None else face.words.refusal(tx, refusal)
        click.echo(f"  {entry['sum']:3} = {cards}: {said}")


@click.command()
@click.argument("file", metavar="GAME|FILE")
@click.argument("stones", required=False, type=printable)
@click.option(
    "--board", metavar="NAME", type=printable, help="NAME of the board that the STONES lie on."
)
@click.option(
    "--rules", metavar="TEXT", type=printable, help="Rules of the table, such as edition=2009."
)
@json_option
@lang_option
def score(
    file: str,
    stones: str | None,
    board: str | None,
    rules: str | None,
    lang: str | None,
    *,
    as_json: bool,
) -> None:
    """Score a table that nobody recorded, or a record.

    \b
    A table: the name of its GAME, then each player and field:stones.
      beisitzer score just4fun "Anna yellow 23:3 7:1; Ben red 7:2"
    In numeri it is stone:field.
      beisitzer score numeri "Anna yellow 6:36 5:30; Ben red 6:35"
    A record: its FILE (- for standard input), scored as if it ended now.
      beisitzer score game.txt

    A player without a colour gets the next free one. Exit status 2: FILE or STONES cannot be read,
    or the game has no points.
    """  # noqa: D301  # click's mark
    tx = texts(lang)
    if stones is None and file in PRESENTATIONS and not Path(file).exists():
        presentation = face_of(file)
        settler_of(presentation.game)  # refuses a game without points
        example = stones_example(presentation)  # FILE names the game
        refuse(f'the STONES are missing, as in beisitzer score {file} "{example}"')
    given = {"Board": board, "Rules": rules}
    loaded = load_record(file) if stones is None else record_of_stones(tx, file, stones, given)
    settle = settler_of(loaded.game)
    position = loaded.end()
    result = settle(position)
    if as_json:
        _print_json(result.as_json())
        return
    for line in loaded.presentation.result_lines(tx, position, result):
        click.echo(line)
    click.echo(winners_line(tx, result.winners))


def settler_of(game: Game) -> Callable[[AnyPosition], Result]:
    """Return a game's function for scoring, or end with status 2 if it has no points."""
    if game.score is None:
        refuse(f"{game.name} is played without points")
    return game.score


def record_of_stones(
    tx: Texts, game: str, stones: str, given: Mapping[str, str | None]
) -> LoadedRecord:
    """Return a record that begins with these stones and tags, or end with status 2."""
    presentation = face_of(game)
    settler_of(presentation.game)
    try:
        tags = tags_of_stones(tx, presentation, stones)
        tags |= {tag: value for tag, value in given.items() if value}
        reading = Reading(write(Record(embed_board(tags))))
        return LoadedRecord(reading, *begin(reading))
    except Fault as fault:
        reason = fault_reason(fault, game)
        refuse(f"{reason}; it is written as in {stones_example(presentation)}")
    except ValueError as error:  # no stones, or a name that is impossible in a record
        refuse(str(error))
