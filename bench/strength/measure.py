"""Plays the rounds of a row that are not in its file yet, and works out its figures."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, NamedTuple

from ai import AI
from ai.api import final_shares
from ai.match import Bot, make_bot, play_rotation, seat_players
from ai.pace import looks_in
from bench.strength.rows import GREEDY, SEED, Honesty, Match, StrengthRow
from engines import GAMES

FOLDER = Path("build/strength")
NEWS_S = 60.0
EVERY = 7
"""Chances are noted after each so many moves: neighbours are nearly alike."""
TENTHS = 10


class Tenth(NamedTuple):
    """The positions within one tenth of chances: their number, mean chance, mean result."""

    positions: int
    said: float
    won: float


def digest(game: str, root: Path = Path()) -> str:
    """Return 12 hex digits that change with a game's AI, its rules and its greedy player."""
    hashed = sha256((root / "tests" / "ai" / "opponents" / f"{game}.py").read_bytes())
    for part in ("ai", "engines"):
        for path in sorted([*(root / part).glob("*.py"), *(root / part / game).glob("*.*")]):
            hashed.update(path.name.encode() + path.read_bytes())
    return hashed.hexdigest()[:12]


def rounds_of(row: StrengthRow, looks: int, folder: Path | None = None) -> list[Any]:
    """Return the result of every round of a row; play the rounds missing in its file.

    A file belongs to one AI and one number of looks, so a stopped run can go on later.
    """
    path = (folder or FOLDER) / f"{row.name}-{looks}-{digest(row.game)}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    # a run that was killed may have left half a line: it is cut off
    whole = path.read_text("utf-8") if path.exists() else ""
    whole = whole[: whole.rfind("\n") + 1]
    found: list[Any] = [json.loads(line) for line in whole.splitlines()]
    said = time.monotonic()
    with path.open("w", encoding="utf-8") as file:
        file.write(whole)
        for number in range(len(found), row.rounds):
            if isinstance(row, Match):
                found.append(play_round(row, looks, number))
            else:
                found.append(predict(row, number))
            file.write(json.dumps(found[-1]) + "\n")
            file.flush()
            if time.monotonic() - said > NEWS_S:
                said = time.monotonic()
                sys.stderr.write(f"{row.name}: {len(found)} of {row.rounds} rounds\n")
    return found[: row.rounds]


def play_round(row: Match, looks: int, number: int) -> float:
    """Return the share that the first seat won of the games of a round.

    Everybody sits in each seat once, with the same cards or dice.
    """
    setup = seat_players(GAMES[row.game], row.players)
    if row.edition:
        setup = replace(setup, rules={"edition": row.edition})
    bots = [_bot(row.game, row.first, looks)]
    bots += [_bot(row.game, row.others, looks)] * (row.players - 1)
    games = range(number * row.players, (number + 1) * row.players)
    return mean(play_rotation(AI[row.game], setup, bots, SEED, game)[0] for game in games)


def _bot(game: str, seat: str, looks: int) -> Bot:
    return GREEDY[game] if seat == "greedy" else make_bot(AI[game], seat, looks)


def predict(row: Honesty, number: int) -> list[tuple[float, float]]:
    """Return the chances stated during a game, each with its outcome."""
    ai, rng = AI[row.game], Random(f"{SEED} {row.name} {number}")
    deal = ai.deal(seat_players(GAMES[row.game], row.players), rng)
    said: list[Sequence[float]] = []
    wait = rng.randrange(EVERY)
    while deal.position.result is None:
        if not wait:
            said.append(ai.chances(deal.position))
        wait = (wait - 1) % EVERY
        deal.play(ai.choose(deal.position, deal.given(), "best", 0, rng))
    # everybody of a side has the same chance
    sides = {player.colour: seat for seat, player in enumerate(deal.position.players)}
    shares = final_shares(deal.position)
    return [(chances[seat], shares[seat]) for chances in said for seat in sides.values()]


def tenths(pairs: Sequence[tuple[float, float]]) -> list[Tenth]:
    """Return stated and actual results by tenth of the chance; zeros for an empty tenth."""
    by_tenth: list[list[tuple[float, float]]] = [[] for _ in range(TENTHS)]
    for said, won in pairs:
        by_tenth[min(TENTHS - 1, int(said * TENTHS))].append((said, won))
    return [
        Tenth(len(each), mean(said for said, _ in each), mean(won for _, won in each))
        if each
        else Tenth(0, 0.0, 0.0)
        for each in by_tenth
    ]


def lines(row: StrengthRow, looks: int | None = None) -> Iterator[str]:
    """Yield the lines of a row in a table of Markdown; seconds are turned into looks if need be."""
    if isinstance(row, Match):
        if looks is None:
            looks = looks_in(row.game, row.seconds)
        shares = rounds_of(row, looks)
        error = 100 * stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 0.0
        games = f"{len(shares) * row.players:,}"
        yield f"| `{row.name}` | {looks} | {games} | {100 * mean(shares):.1f} ± {error:.1f} |"
        return
    found = tenths([tuple(pair) for each in rounds_of(row, 0) for pair in each])
    for at, each in enumerate(found):
        if each.positions:
            yield (
                f"| `{row.name}` | {10 * at} to {10 * at + 10} | {each.positions:,} |"
                f" {100 * each.said:.1f} | {100 * each.won:.1f} |"
            )
