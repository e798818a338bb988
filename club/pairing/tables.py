"""Tables of two to four: nobody meets anybody again while that can be avoided.

A local search swaps people between tables (`search.py`). Where it leaves somebody meeting again, an
exact answer is looked for: of tables of two by a matching, of larger ones by trying all of them
while they are few.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

from club.pairing.exact import best_pairs, best_tables, tables_without_costs
from club.pairing.model import PairingRequest, Round, Seating
from club.pairing.search import Costs, Groups, improve

AGAIN = 10_000
"""What it costs that two people meet again: more than everything below together."""
OFTEN = 200
"""What each further earlier meeting of the two adds."""
SMALL = 20
"""What it costs to sit once more at a smaller table than others do."""
TRIES = 12
"""How many more searches are tried after the last that found something better."""
BYE = 10**8
"""What it costs to sit out once more than others."""


def sizes(people: int, per_table: int) -> list[int]:
    """Return the sizes of the tables, largest first: as many full ones as can be.

    The others have one person fewer, but never one alone: of an odd number at tables of two, one
    sits out and is in no size. A smaller table is only where nothing else fits (5 at tables of 4).
    """
    if per_table == 2:
        return [2] * (people // 2)
    for short in range(people // (per_table - 1) + 1):
        rest = people - short * (per_table - 1)
        if rest >= 0 and rest % per_table == 0:
            return [per_table] * (rest // per_table) + [per_table - 1] * short
    # 2 or 5 at tables of 4
    return [2] if people == 2 else [per_table - 1, *sizes(people - per_table + 1, per_table)]


class Past:
    """What earlier rounds did: who met whom how often, who moved first, sat small or out."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        self.met: Counter[frozenset[str]] = Counter()
        self.seats: Counter[tuple[str, int]] = Counter()
        self.small: Counter[str] = Counter()
        self.byes: Counter[str] = Counter()
        self.games: Counter[tuple[str, str]] = Counter()
        self.played: Counter[str] = Counter()
        for each in rounds:
            self.byes.update(each.byes)
            largest = max((len(table.present) for table in each.tables), default=0)
            for table in each.tables:
                self._add(table, largest)

    def _add(self, table: Seating, largest: int) -> None:
        there = table.present
        if len(there) < 2:  # nobody played
            return
        self.met.update(table.meetings())
        self.seats.update((p, seat) for seat, p in enumerate(there, 1))
        self.small.update(there if len(there) < largest else ())
        self.games.update((p, table.game) for p in there)
        self.played.update(there)


def pair_tables(request: PairingRequest) -> Round:
    """Return a round of tables; the fewest possible pairs of people meet again."""
    past = Past(request.history)
    chance = Random(f"{request.seed} {request.number}")
    people = list(request.people)
    chance.shuffle(people)
    groups = _groups(people, request.per_table, past, chance)
    tables = [_seat(group, past) for group in groups if None not in group]
    byes = tuple(p for group in groups if None in group for p in group if p is not None)
    return Round(request.number, tuple(_with_games(tables, request.games, past)), byes)


def _groups(
    people: list[str], per_table: int, past: Past, chance: Random
) -> list[list[str | None]]:
    """Return who sits together; None beside somebody means that they sit out."""
    pool: list[str | None] = [*people]
    if per_table == 2 and len(pool) % 2:
        pool.append(None)
    table_sizes = sizes(len(pool), per_table)
    costs = _costs(pool, table_sizes, past)
    found = improve(costs, chance)
    if costs.of(found) >= AGAIN:
        found = _exactly(costs, found, chance)
    return [[pool[index] for index in sorted(group)] for group in found]


def _exactly(costs: Costs, found: Groups, chance: Random) -> Groups:
    """Return better groups than those found if there are any."""
    if max(costs.sizes) == 2:
        return best_pairs(costs)
    without = tables_without_costs(costs, AGAIN)
    if without is not None:
        return improve(costs, chance, without)
    best = best_tables(costs, found)
    if best is not None:
        return best
    return _best_of_many(costs, found, chance)


def _best_of_many(costs: Costs, found: Groups, chance: Random) -> Groups:
    """Search anew until nothing better comes for some time."""
    least, idle = costs.of(found), 0
    while idle < TRIES:
        groups = improve(costs, chance)
        if costs.of(groups) < least:
            found, least, idle = groups, costs.of(groups), 0
        else:
            idle += 1
    return found


def _costs(pool: Sequence[str | None], table_sizes: list[int], past: Past) -> Costs:
    firsts = [past.seats[p, 1] if p is not None else 0 for p in pool]
    fewest = min(first for p, first in zip(pool, firsts, strict=True) if p is not None)
    extra = [min(first - fewest, 3) for first in firsts]
    pairs = [[0] * len(pool) for _ in pool]
    for one, two in combinations(range(len(pool)), 2):
        cost = _pair_cost(pool, one, two, past)
        # people who moved first are spread over the tables, so that each has one who did not
        pairs[one][two] = pairs[two][one] = cost + extra[one] * extra[two]
    least = min((past.small[p] for p in pool if p is not None), default=0)
    small = [SMALL * (past.small[p] - least) if p is not None else 0 for p in pool]
    return Costs(table_sizes, pairs, small, AGAIN)


def _pair_cost(pool: Sequence[str | None], one: int, two: int, past: Past) -> int:
    first, second = pool[one], pool[two]
    if first is None or second is None:
        p = first or second or ""
        byes = past.byes[p]
        # who has played most sits out first: somebody who came late has waited enough
        return BYE * byes + max(0, 90 - past.played[p])
    times = past.met[frozenset((first, second))]
    return AGAIN + OFTEN * min(times - 1, 20) if times else 0


def _seat(group: Sequence[str | None], past: Past) -> tuple[str, ...]:
    """Return a table's people by seats: first who moved first least, then as seldom as can be."""
    people = [p for p in group if p is not None]

    def cost(order: tuple[str, ...]) -> tuple[float, int]:
        first = order[0]
        share = past.seats[first, 1], -past.played[first]
        # the square: rather two people once more than one person twice
        rest = sum(past.seats[p, seat] ** 2 for seat, p in enumerate(order, 1))
        return share[0] - min(past.played[first], 900) / 1000, rest

    return min(permutations(people), key=cost)


def _with_games(
    tables: Sequence[tuple[str, ...]], games: tuple[str, ...], past: Past
) -> list[Seating]:
    """Give each table the game that its people played least, and every game as many tables."""
    used: Counter[str] = Counter()
    seatings = []
    for people in tables:
        often = {name: sum(past.games[p, name] for p in people) for name in games}
        game = min(games, key=lambda name: (often[name], used[name]), default="")
        used[game] += 1
        seatings.append(Seating(people, game))
    return seatings
