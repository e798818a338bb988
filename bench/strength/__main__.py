"""`python -m bench.strength duel GAME --against COMMIT`: measures how well the AI plays."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ai import AI
from ai.match import BotError
from bench.strength import duel
from bench.strength.checkout import prepare
from bench.strength.duel import Duel
from bench.strength.errors import StrengthError
from bench.strength.side import Thinking

FOLDER = Path("build/strength")


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
    return parser.parse_args(words)


def _duel(asked: argparse.Namespace) -> None:
    seconds = asked.seconds
    their_seconds = seconds if asked.their_seconds is None else asked.their_seconds
    what = Duel(
        asked.game,
        asked.games,
        asked.seed,
        Thinking(asked.level, seconds, asked.plain),
        Thinking(asked.their_level, their_seconds, asked.plain),
    )
    duel.check(what)
    ours, theirs = (prepare(word, what.game) for word in (asked.ours, asked.against))
    name = f"duel-{what.game}-{ours.content}-{theirs.content}-{seconds:g}-{what.seed}.jsonl"
    path = asked.file or FOLDER / name
    sys.stdout.write(f"{ours.name} against {theirs.name}, results in {path}\n")
    sys.stdout.flush()
    pairs = duel.run(what, (ours, theirs), path)
    sys.stdout.write(duel.HEADER + duel.row(what, pairs))


def main(words: Sequence[str] | None = None) -> int:
    """Run one verb; return the exit status."""
    try:
        _duel(_read(words))
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
