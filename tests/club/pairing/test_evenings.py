"""Whole evenings by chance, held to what is possible at all.

docs/decisions.md has what it found, "One search pairs all rounds".
"""

import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import product
from random import Random

import pytest

from club.pairing.model import Round, Seating
from tests.club.pairing.evenings import MOST, chance_evening
from tests.club.pairing.reference import (
    Pair,
    again,
    fewest_by_solver,
    fewest_byes_again,
    table_sizes,
)
from tests.options import Options
from tests.pi_app.commands.called import printed

SHARES = 8
"""The evenings are shared among so many tests, which may run side by side."""
IN_EACH_RUN = 1
"""How many of the shares are tried not only at night."""
SMALL_FIELD = 24
"""People of the evenings where it is hard: in a large field nobody has to meet again."""
SOLVED = 44
"""Up to how many people the solver is asked whether a better way exists."""


def fewest(
    there: tuple[str, ...], per_table: int, met: Collection[Pair], out: set[str]
) -> int | None:
    """Return the fewest second meetings; `out` are those who may sit out now."""
    sizes = table_sizes(len(there), per_table)
    if per_table == 2:
        return fewest_byes_again(there, met, out)
    return fewest_by_solver(there, sizes, met) if len(there) <= SOLVED else None


def check_evening(played: Iterable[tuple[tuple[str, ...], Round]], per_table: int) -> Counter[str]:
    """Hold an evening to the rules; return how many rounds were as good as can be.

    `played` are its rounds, with who was there.
    """
    met: set[Pair] = set()
    byes: Counter[str] = Counter()
    counted: Counter[str] = Counter(evenings=1)
    for there, paired in played:
        check_seats(there, paired, per_table)
        may_sit_out = {p for p in there if byes[p] == min(byes[q] for q in there)}
        assert may_sit_out >= {*paired.byes}, f"round {paired.number}"
        got = sum(again(table.people, met) for table in paired.tables)
        counted["rounds"] += 1
        if got:
            best = fewest(there, per_table, met, may_sit_out)
            counted["unknown"] += best is None
            counted["avoidable"] += best == 0
            counted["not the fewest"] += best is not None and 0 < best < got
            counted["unavoidable"] += best is not None and best > 0
        met.update(pair for table in paired.tables for pair in table.meetings())
        byes.update(paired.byes)
    return counted


def check_seats(there: tuple[str, ...], paired: Round, per_table: int) -> None:
    """Everybody who is there has one seat or sits out; the tables have the sizes of the rules."""
    seated = [p for table in paired.tables for p in table.people]
    assert sorted([*seated, *paired.byes]) == sorted(there)
    sizes = sorted((len(table.people) for table in paired.tables), reverse=True)
    assert sizes == table_sizes(len(there), per_table)
    assert len(paired.byes) == (len(there) % 2 if per_table == 2 else 0)


CASES = [(most, share) for most in (SMALL_FIELD, MOST) for share in range(SHARES)]


@pytest.mark.parametrize(
    ("most", "share"),
    [
        *CASES[:IN_EACH_RUN],
        *(pytest.param(*case, marks=pytest.mark.nightly) for case in CASES[IN_EACH_RUN:]),
    ],
)
@pytest.mark.timeout(6 * 3600)
def test_people_meet_again_only_where_it_cannot_be_avoided(
    most: int, share: int, pytestconfig: pytest.Config
) -> None:
    pytest.importorskip("highspy", reason="the solver has no wheel for this machine")
    counted: Counter[str] = Counter()
    for number in range(share, 40 * Options.of(pytestconfig).times, SHARES):
        evening = chance_evening(number, most)
        counted += check_evening(evening.played(), evening.per_table)
    sys.stdout.write(f"{dict(counted)}\n")
    best = counted["rounds"] - counted["unavoidable"] - counted["unknown"]
    assert counted["avoidable"] <= best / 100
    assert counted["not the fewest"] <= counted["unavoidable"] / 50


def paired_by_command(people: int, rounds: int, per_table: int, seed: int) -> list[Round]:
    """Return the rounds that `club round` prints."""
    words = {"people": people, "rounds": rounds, "per-table": per_table, "seed": seed}
    said = [part for name, value in words.items() for part in (f"--{name}", str(value))]
    rounds_told = json.loads(printed("club", "round", *said))["rounds"]
    return [
        Round(
            each["round"],
            tuple(Seating(tuple(seat["p"] for seat in t["seats"])) for t in each["tables"]),
            tuple(each["byes"]),
        )
        for each in rounds_told
    ]


def is_even(everybody: tuple[str, ...], rounds: Iterable[Round], per_table: int) -> bool:
    """Tell whether nobody had a seat two times more than somebody else."""
    had = Counter(
        (p, seat) for each in rounds for table in each.tables for seat, p in enumerate(table.people)
    )
    spread = [[had[p, seat] for p in everybody] for seat in range(per_table)]
    return all(max(each) - min(each) <= 1 for each in spread)


@pytest.mark.parametrize("evenings", [8, pytest.param(300, marks=pytest.mark.nightly)])
@pytest.mark.timeout(6 * 3600)
def test_the_command_pairs_evenings_as_promised(evenings: int) -> None:
    pytest.importorskip("highspy", reason="the solver has no wheel for this machine")
    counted: Counter[str] = Counter()
    for number in range(evenings):
        chance = Random(f"command {number}")
        people, rounds = chance.randint(4, 60), chance.randint(3, 8)
        per_table = chance.choice((2, 3, 4))
        everybody = tuple(f"p{n}" for n in range(1, people + 1))
        paired = paired_by_command(people, rounds, per_table, number)
        counted += check_evening(product([everybody], paired), per_table)
        if people % per_table == 0:
            counted["full"] += 1
            counted["even"] += is_even(everybody, paired, per_table)
    sys.stdout.write(f"{dict(counted)}\n")
    assert not counted["avoidable"]
    assert counted["not the fewest"] <= counted["unavoidable"] / 50
    assert counted["even"] == counted["full"]
