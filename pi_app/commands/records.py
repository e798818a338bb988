"""`beisitzer check`, `legal` and `score`: what a game record says."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import click

from engines.game import AnyPosition, Game, GivenError, Result
from engines.record import Record, RecordError, Step, begin, board_name, decode, parse, replay
from pi_app import wording

MOST_BYTES = 1024 * 1024
"""A longer file is no record of a game: 200 moves take some 2,000 bytes."""

file_argument = click.argument("file")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, as programs like.")


class LoadedRecord:
    """A record that could be read: its game, and what every token did."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game: Game
        self.start: AnyPosition
        self.game, self.start = begin(record)
        self.steps: list[Step] = list(replay(self.start, record.tokens))
        self.position: AnyPosition = self.steps[-1].position if self.steps else self.start


def _fail(name: str, reason: str, line: int | None = None) -> NoReturn:
    """End with status 2 and one line that says which file, where and why."""
    place = f"{name}:{line}" if line is not None else name
    click.echo(" ".join(f"{place}: {reason}".split()), err=True)
    sys.exit(2)


def _read(name: str) -> bytes:
    if name == "-":
        data: bytes = sys.stdin.buffer.read(MOST_BYTES + 1)
        return data
    with Path(name).open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _load(file: str) -> LoadedRecord:
    """Read a record, or end with status 2."""
    # click's form of a name can be printed whatever bytes it has
    name = "standard input" if file == "-" else click.format_filename(file)
    try:
        data = _read(file)
    except (OSError, ValueError) as error:
        # ValueError: a NUL in the name
        _fail(name, getattr(error, "strerror", None) or "this is no file name")
    if len(data) > MOST_BYTES:
        _fail(name, f"more than {MOST_BYTES} bytes: this is no game record")
    try:
        return LoadedRecord(parse(decode(data)))
    except RecordError as error:
        _fail(name, error.reason, error.line)


def _print(text: str) -> None:
    """Write a line, also where the terminal lacks some of its characters."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(text.encode(encoding, "replace").decode(encoding))


def _print_json(value: Mapping[str, Any]) -> None:
    _print(json.dumps(value))


@click.command()
@file_argument
@json_option
def check(file: str, *, as_json: bool) -> None:
    """Replay the record FILE (- for standard input) and report every illegal move.

    Exit status 0: every move is legal. 1: at least one is not. 2: FILE cannot be read.
    """
    loaded = _load(file)
    (_check_json if as_json else _check_text)(loaded)
    sys.exit(1 if any(step.refusal for step in loaded.steps) else 0)


def _check_json(loaded: LoadedRecord) -> None:
    _print_json(
        {
            "game": loaded.game.name,
            "players": [{"name": p.name, "colour": p.colour} for p in loaded.start.players],
            "board": board_name(loaded.game, loaded.record.tags),
        }
    )
    for number, step in enumerate(loaded.steps, 1):
        line: dict[str, Any] = {
            "n": number,
            "player": step.player.name if step.player else None,
            "move": step.token,
            "ok": step.refusal is None,
        }
        if step.refusal is None:
            line["events"] = [{"event": event.code, **event.facts} for event in step.events]
        else:
            line["violation"] = step.refusal.code
            line["message"] = wording.refusal_sentence(loaded.game.name, step.refusal)
            line["facts"] = dict(step.refusal.facts)
        _print_json(line)
    player, result = loaded.position.to_move, loaded.position.result
    _print_json(
        {
            "to_move": player.name if player else None,
            "result": _result_json(result) if result else None,
        }
    )


def _result_json(result: Result) -> dict[str, Any]:
    return {"winners": list(result.winners), "reason": result.reason, **result.facts}


def _check_text(loaded: LoadedRecord) -> None:
    board = board_name(loaded.game, loaded.record.tags)
    who = ", ".join(f"{player.name} ({player.colour})" for player in loaded.start.players)
    _print(f"{loaded.game.name}{f' on {board}' if board else ''}: {who}")
    for number, step in enumerate(loaded.steps, 1):
        player = step.player.name if step.player else "nobody"
        if step.refusal is None:
            said = "; ".join(wording.event_words(event) for event in step.events)
        else:
            line = loaded.record.lines[number - 1]
            sentence = wording.refusal_sentence(loaded.game.name, step.refusal)
            said = f"NOT LEGAL (line {line}): {sentence}"
        _print(f"{number:4}  {player}  {wording.shown(step.token)}  {said}")
    _print(_standing(loaded.position))
    wrong = sum(step.refusal is not None for step in loaded.steps)
    _print(f"{len(loaded.steps)} moves, {wrong} not legal")


def _standing(position: AnyPosition) -> str:
    if position.result is not None:
        return wording.result_sentence(position.result)
    return f"{position.players[position.seat].name} is to move."


@click.command()
@file_argument
@click.option("--hand", help="The cards of the player to move: 3,5,11,13.")
@click.option("--roll", help="What the player to move rolled.")
@json_option
def legal(file: str, hand: str | None, roll: str | None, *, as_json: bool) -> None:
    """List every legal move after the record FILE (- for standard input).

    Exit status 2: FILE cannot be read, the game is over, or the hand or roll that the game
    needs is missing or impossible.
    """
    loaded = _load(file)
    game, position = loaded.game, loaded.position
    player = position.to_move
    if player is None:
        _fail(file, "the game is over, nobody is to move")
    try:
        given = game.given(position, hand, roll)
        moves = [move.token for move in position.legal(given)]
        facts = game.legal_facts(position, given)
    except GivenError as error:
        _fail(file, str(error))
    if as_json:
        _print_json({"player": player.name, "moves": moves, **facts})
        return
    _print(f"{player.name} may play:")
    for token in moves:
        _print(f"  {token}")
    for entry in facts.get("sums", ()):
        cards = "+".join(map(str, entry["cards"]))
        verdict = "free" if entry["ok"] else wording.code_words(entry["violation"])
        _print(f"  {entry['sum']:3} = {cards}: {verdict}")


@click.command()
@file_argument
@json_option
def score(file: str, *, as_json: bool) -> None:
    """Settle the record FILE (- for standard input) as if the game ended now.

    Exit status 2: FILE cannot be read, or its game has no points.
    """
    loaded = _load(file)
    settle = loaded.game.score
    if settle is None:
        _fail(file, f"{loaded.game.name} is played without points")
    result = settle(loaded.position)
    if as_json:
        _print_json(_result_json(result))
        return
    for line in wording.settling_lines(result):
        _print(line)
    _print(wording.result_sentence(result))
