"""Rounds and standings as JSON, CSV and TRF; pure functions that return text or plain values."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from club.pairing.model import Round, TableResult
from club.pairing.standings import StandingLine, points_number


def round_json(
    each: Round,
    *,
    era: int = 1,
    rev: int = 1,
    tables: Sequence[str | None] = (),
) -> dict[str, Any]:
    """Return a round as the contract's `rounds` has it; `tables` are the tables' ids in order."""
    named = [*tables, *[None] * len(each.tables)]
    return {
        "round": each.number,
        "era": era,
        "rev": rev,
        "tables": [
            {
                "table": name,
                "seats": [{"seat": seat, "p": p} for seat, p in enumerate(table.people, 1)],
            }
            for name, table in zip(named, each.tables, strict=False)
        ],
        "byes": list(each.byes),
    }


def standings_json(lines: Iterable[StandingLine]) -> list[dict[str, Any]]:
    """Return standings as the contract's `standings` has them."""
    return [
        {
            "p": line.p,
            "points": points_number(line.points),
            "wins": line.wins,
            "rank": line.rank,
            "decided_by": line.decided_by,
        }
        for line in lines
    ]


def standings_csv(lines: Iterable[StandingLine], names: Mapping[str, str]) -> str:
    """Return `rank,p,name,points,wins,decided_by` with a heading; names may be missing."""
    raise NotImplementedError


def round_csv(each: Round, names: Mapping[str, str], tables: Sequence[str] = ()) -> str:
    """Return `round,table,seat,p,name`, for a list on the wall; who sits out has no table."""
    raise NotImplementedError


def trf(
    title: str,
    people: Sequence[str],
    names: Mapping[str, str],
    rounds: Sequence[Round],
    results: Iterable[TableResult],
) -> str:
    """Return a Swiss evening as FIDE's TRF16; `people` in the order of their start numbers."""
    raise NotImplementedError
