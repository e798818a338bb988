"""Tables of two to four: nobody meets anybody again while that can be avoided.

A local search swaps people between tables (`search.py`). Where it leaves somebody meeting again, an
exact answer is looked for: of tables of two by a matching, of larger ones by trying all of them
while they are few.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from random import Random

from club.pairing.model import PairingRequest, Round, Seating
from club.pairing.seating.exact import best_pairs, best_tables, tables_without_costs
from club.pairing.seating.first_moves import levels, missing, share_first_moves
from club.pairing.seating.search import Costs, Groups, improve

AGAIN = 10_000
"""What it costs that two people meet again: more than a swap can gain by all below."""
OFTEN = 200
"""What each further earlier meeting of the two adds."""
SMALL = 150
"""What it costs to sit once more at a smaller table than others do."""
TRIES = 12
"""How many more searches are tried after the last that found something better."""
OTHER_GAMES = 4
"""What it costs for each game that only one of two has played."""
NEW = 50
"""What it costs that somebody sits out who has played a game less than others."""
LOOKS = 12
"""How many ways to go on are compared in a small field."""
FAIR_TRIES = 12
"""How many more searches are tried where somebody else should have the first move."""
AHEAD = 5
"""How many rounds such a look goes ahead at most."""
QUICK = 120
"""The patience of a search that only looks ahead."""
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
    """What earlier rounds did: who met whom how often, who moved first, sat small or out.

    `debt` is how much less often somebody moved first than their share of the games they played.
    """

    def __init__(self, rounds: Sequence[Round]) -> None:
        self.met: Counter[frozenset[str]] = Counter()
        self.seats: Counter[tuple[str, int]] = Counter()
        self.small: Counter[str] = Counter()
        self.byes: Counter[str] = Counter()
        self.games: Counter[tuple[str, str]] = Counter()
        self.played_games: defaultdict[str | None, set[str]] = defaultdict(set)
        self.played: Counter[str] = Counter()
        self.debt: defaultdict[str, float] = defaultdict(float)
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
        for seat, p in enumerate(there, 1):
            self.played_games[p].add(table.game)
            self.debt[p] += 1 / len(there) - (seat == 1)

    def again(self, paired: Round) -> int:
        """Return how many pairs of people meet again in a round."""
        return sum(self.met[pair] > 0 for table in paired.tables for pair in table.meetings())


def pair_tables(request: PairingRequest) -> Round:
    """Return a round of tables; the fewest possible pairs of people meet again.

    Of rounds that are equally good, a small field takes one after which the next rounds can be
    good too.
    """
    past = Past(request.history)
    best = _pair(request, past)
    if not request.history or not _is_tight(request):
        return best
    fewest, least = past.again(best), _again_later(request, best)
    for attempt in range(1, LOOKS):
        if least == 0:
            break
        other = _pair(request, past, attempt)
        if past.again(other) <= fewest and (later := _again_later(request, other)) < least:
            best, least = other, later
    return best


def _is_tight(request: PairingRequest) -> bool:
    """Tell whether so many people are met in the evening that it matters how one begins."""
    met = _last(request) * (request.per_table - 1)
    return request.number < _last(request) and 2 * met >= len(request.people)


def _last(request: PairingRequest) -> int:
    """Return the last round that is thought of."""
    return min(request.rounds or request.number + 3, request.number + AHEAD)


def _again_later(request: PairingRequest, paired: Round) -> int:
    """Return how many pairs meet again in the rounds after this one, as far as can be seen."""
    again = 0
    history = (*request.history, paired)
    for number in range(request.number + 1, _last(request) + 1):
        past = Past(history)
        following = _pair(replace(request, number=number, history=history), past, attempt=1)
        again += past.again(following)
        history = (*history, following)
    return again


def _pair(request: PairingRequest, past: Past, attempt: int = 0) -> Round:
    """Return a round; attempts after the first are quick ones, each with other chances."""
    chance = Random(f"{request.seed} {request.number} {attempt}")
    people = list(request.people)
    chance.shuffle(people)
    pool: list[str | None] = [*people]
    if request.per_table == 2 and len(pool) % 2:
        pool.append(None)
    costs = _costs(pool, sizes(len(pool), request.per_table), past)
    found = improve(costs, chance, patience=QUICK if attempt else None)
    if not attempt and costs.of_faults(found):
        found = _exactly(costs, found, chance)
    found = _fair(costs, found, pool, past, chance, tries=0 if attempt else FAIR_TRIES)
    groups = [[pool[index] for index in sorted(group)] for group in found]
    tables = [seat(group, past) for group in groups if None not in group]
    byes = tuple(p for group in groups if None in group for p in group if p is not None)
    return Round(request.number, tuple(_with_games(tables, request.games, past)), byes)


def _fair(
    costs: Costs, found: Groups, pool: Sequence[str | None], past: Past, chance: Random, tries: int
) -> Groups:
    """Return groups with no more faults whose first moves are shared out as well as can be."""
    owed = levels([past.debt[p] if p is not None else 0 for p in pool], costs.sizes[0])
    nobody = pool.index(None) if None in pool else None
    found = share_first_moves(costs, found, owed, chance, nobody)
    least, lack = costs.of_faults(found), missing(found, owed, nobody)
    for _ in range(tries):
        if not lack:
            break
        other = improve(costs, chance, patience=QUICK)
        other = share_first_moves(costs, other, owed, chance, nobody)
        if costs.of_faults(other) <= least and missing(other, owed, nobody) < lack:
            found, lack = other, missing(other, owed, nobody)
    return found


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
    debts = [past.debt[p] if p is not None else 0 for p in pool]
    fewest_byes = min(past.byes[p] for p in pool if p is not None)
    pairs = [[0] * len(pool) for _ in pool]
    for one, two in combinations(range(len(pool)), 2):
        # who moved first too seldom sits with those who did too often, so that all come to it
        nice = max(-8, min(round(4 * debts[one] * debts[two]), 8))
        cost = _pair_cost(pool[one], pool[two], past, fewest_byes) + 8 + nice
        # who played the same games can play the same one next
        cost += OTHER_GAMES * len(past.played_games[pool[one]] ^ past.played_games[pool[two]])
        pairs[one][two] = pairs[two][one] = cost
    least = min((past.small[p] for p in pool if p is not None), default=0)
    small = [SMALL * (past.small[p] - least) if p is not None else 0 for p in pool]
    return Costs(table_sizes, pairs, small, AGAIN)


def _pair_cost(first: str | None, second: str | None, past: Past, fewest_byes: int) -> int:
    if first is None or second is None:
        p = first or second or ""
        # who has played most sits out first: somebody who came late has waited enough
        return BYE * (past.byes[p] - fewest_byes) + NEW * max(0, 20 - past.played[p])
    times = past.met[frozenset((first, second))]
    return AGAIN + OFTEN * min(times - 1, 20) if times else 0


def seat(group: Sequence[str | None], past: Past) -> tuple[str, ...]:
    """Return a table's people by seats: first whoever was it least, for the games they played."""
    people = [p for p in group if p is not None]

    def cost(order: tuple[str, ...]) -> tuple[float, int]:
        # the square: rather two people once more than one person twice
        return -past.debt[order[0]], sum(
            past.seats[p, seat] ** 2 for seat, p in enumerate(order, 1)
        )

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
