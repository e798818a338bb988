"""`python -m bench.strength`: measures how well the AI plays, and resumes where a run ended."""

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path

from ai import AI
from ai.match import BotError
from bench.strength import StrengthError, duel, table
from bench.strength.checkout import prepare
from bench.strength.duel import CommitDuel
from bench.strength.rows import ROWS, RowFigure, StrengthRow
from bench.strength.side import Thinking


def _read(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    duels = verbs.add_parser("duel", help="play against another commit at equal thinking time")
    duels.add_argument("game", help=", ".join(AI))
    duels.add_argument("--against", required=True, help="commit, or folder with compiled play-outs")
    duels.add_argument("--ours", default=".", help="the same for our side (default: this folder)")
    duels.add_argument("--seconds", type=float, default=0.02, help="thinking a move (0.02)")
    duels.add_argument(
        "--their-seconds", type=float, help="the same for the other side, to equal processor times"
    )
    duels.add_argument("--level", default="best", help="our level (best)")
    duels.add_argument("--their-level", default="best", help="the other side's level (best)")
    duels.add_argument("--games", type=int, default=600, help="an even number (600)")
    duels.add_argument("--seed", type=int, default=1)
    duels.add_argument("--plain", action="store_true", help="play-outs as Python on both sides")
    duels.add_argument("--file", type=Path, help="results; a run resumes where the last one ended")
    table = verbs.add_parser("table", help="measure the figures of docs/ai.md, or some of them")
    table.add_argument(
        "rows", nargs="*", help="names, or parts of names: every row that has one of them"
    )
    table.add_argument("--list", action="store_true", help="only say which rows there are")
    table.add_argument("--games", type=int, help="another number of games for every row")
    table.add_argument("--jobs", type=int, default=1, help="rows measured at the same time (1)")
    return parser.parse_args(words)


def _duel(asked: argparse.Namespace) -> None:
    seconds = asked.seconds
    their_seconds = seconds if asked.their_seconds is None else asked.their_seconds
    what = CommitDuel(
        asked.game,
        asked.games,
        asked.seed,
        Thinking(asked.level, seconds, asked.plain),
        Thinking(asked.their_level, their_seconds, asked.plain),
    )
    duel.check(what)
    ours, theirs = (prepare(word, what.game) for word in (asked.ours, asked.against))
    name = f"duel-{what.game}-{ours.content}-{theirs.content}-{seconds:g}-{what.seed}.jsonl"
    path = asked.file or table.FOLDER / name
    sys.stdout.write(f"{ours.name} against {theirs.name}, results in {path}\n")
    sys.stdout.flush()
    pairs = duel.run(what, (ours, theirs), path, what.game)
    sys.stdout.write(duel.HEADER + duel.row(what, pairs))


def _table(asked: argparse.Namespace) -> int:
    """Print rows as they are measured; return how many could not be."""
    words = asked.rows
    rows = [row for row in ROWS if not words or any(_names(word, row) for word in words)]
    if not rows:
        raise StrengthError(f"no row is called {' or '.join(words)}: --list names all")
    if asked.games:
        rows = [replace(row, games=asked.games) for row in rows]
    if asked.list:
        sys.stdout.write("".join(f"{row.name}: {row.games} games\n" for row in rows))
        return 0
    # before the first game, because the AI's files may change while games are played
    paths = [table.file_of(row) for row in rows]
    sys.stdout.write(table.HEADER)
    failed = 0
    for row, (measured, error) in zip(rows, _measured_all(rows, paths, asked.jobs), strict=True):
        if measured is None:
            failed += 1
            sys.stderr.write(f"{row.name}: {error}\n")
        else:
            sys.stdout.write(table.line_of(row, measured))
        sys.stdout.flush()
    return failed


def _names(word: str, row: StrengthRow) -> bool:
    """Tell whether a word is a row's name, or part of it and no other row's name."""
    return word == row.name or (word in row.name and all(word != each.name for each in ROWS))


def _measured_all(
    rows: Sequence[StrengthRow], paths: Sequence[Path], jobs: int
) -> Iterator[tuple[RowFigure | None, str]]:
    """Yield each row's figure, or None and why there is none."""
    tasks = zip(rows, paths, strict=True)
    if jobs < 2:
        yield from map(_measured, tasks)
        return
    # Ctrl-C is for this process: leaving the block ends the others, in the middle of a game
    with Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap(_measured, tasks)


def _measured(task: tuple[StrengthRow, Path]) -> tuple[RowFigure | None, str]:
    try:
        return table.measure(*task), ""
    except (StrengthError, BotError) as error:
        return None, str(error)


def main(words: Sequence[str] | None = None) -> int:
    """Run one verb; return the exit status."""
    try:
        asked = _read(words)
        if asked.verb == "table":
            return min(1, _table(asked))
        _duel(asked)
    except StrengthError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except BotError as error:
        sys.stderr.write(f"side {error.seat + 1} made a move that is not legal: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("stopped; the same command goes on\n")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
