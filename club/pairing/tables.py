"""Tables of two to four: nobody meets anybody again while that can be avoided.

What is good about a seating is one sum, and one search looks for the least (`search.py`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

from club.pairing.model import PairingRequest, Round, Seating, TableResult
from club.pairing.search import Costs, Groups, search
from club.pairing.standings import standings

AGAIN = 1_000_000
"""What it costs that two people meet again: more than a swap can gain by all below."""
OFTEN = 20_000
"""What each further earlier meeting of the two adds."""
SMALL = 6_000
"""What it costs to sit once more at a smaller table than others do."""
SEATS = 2
"""What it costs that two sit together who are owed the same seat, for each twelfth of either."""
OTHER_GAMES = 100
"""What it costs for each game that only one of two has played."""
NEAR = 500
"""What it costs for each evening point a game by which two differ, where points decide."""
NEW = 20_000
"""What it costs that somebody sits out who has played a game less than others."""
BYE = 10**9
"""What it costs to sit out once more than others."""
PATIENCE, PATIENCE_EACH = 300, 6
"""How many swaps in a row may bring nothing better, and how many more for each person."""
TRIES = 12
"""How many more searches are tried where people meet again, after the last that found better."""
LOOKS = 12
"""How many ways to go on are compared in a small field."""
AHEAD = 5
"""How many rounds such a look goes ahead at most."""
QUICK = 120
"""The patience of a search that only looks ahead."""


Faults = tuple[int, int]
"""How many pairs meet again, and how uneven seats are."""


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
    """What earlier rounds did: who met whom how often, who sat where, small or out.

    `owed` is how much less often somebody had a seat than their share of the games they played,
    in twelfths of a game.
    """

    def __init__(self, rounds: Sequence[Round]) -> None:
        self.met: Counter[frozenset[str]] = Counter()
        self.owed: Counter[tuple[str | None, int]] = Counter()
        self.small: Counter[str] = Counter()
        self.byes: Counter[str] = Counter()
        self.games: Counter[tuple[str, str]] = Counter()
        self.played_games: defaultdict[str | None, set[str]] = defaultdict(set)
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
        self.small.update(there if len(there) < largest else ())
        self.games.update((p, table.game) for p in there)
        self.played.update(there)
        for seat, p in enumerate(there, 1):
            self.played_games[p].add(table.game)
            self.owed.update({(p, each): 12 // len(there) for each in range(1, len(there) + 1)})
            self.owed[p, seat] -= 12

    def faults(self, paired: Round) -> Faults:
        """Return how many pairs of people meet again in a round, and how uneven its seats are."""
        again = sum(self.met[pair] > 0 for table in paired.tables for pair in table.meetings())
        return again, sum(seat(table.people, self)[0] for table in paired.tables)


def pair_tables(request: PairingRequest) -> Round:
    """Return a round of tables; the fewest possible pairs of people meet again.

    Of rounds that are equally good, a small field takes one after which the next rounds can be
    good too. With results, people of near points sit together.
    """
    past = Past(request.history)
    best = _pair(request, past)
    if not request.history or not _is_tight(request):
        return best
    fewest, least = past.faults(best), _faults_later(request, best)
    for attempt in range(1, LOOKS):
        if not any(least):
            break
        other = _pair(request, past, attempt)
        if past.faults(other) <= fewest and (later := _faults_later(request, other)) < least:
            best, least = other, later
    return best


def _is_tight(request: PairingRequest) -> bool:
    """Tell whether so many people are met in the evening that it matters how one begins."""
    met = _last(request) * (request.per_table - 1)
    return request.number < _last(request) and 2 * met >= len(request.people)


def _last(request: PairingRequest) -> int:
    """Return the last round that is thought of."""
    return min(request.rounds or request.number + 3, request.number + AHEAD)


def _faults_later(request: PairingRequest, paired: Round) -> Faults:
    """Return the faults of the rounds after this one, as far as can be seen."""
    again = uneven = 0
    history = (*request.history, paired)
    for number in range(request.number + 1, _last(request) + 1):
        past = Past(history)
        following = _pair(replace(request, number=number, history=history), past, ahead=True)
        faults = past.faults(following)
        # where points decide, they are worth more than seats later on
        again, uneven = again + faults[0], uneven + (0 if request.results else faults[1])
        history = (*history, following)
    return again, uneven


def _pair(request: PairingRequest, past: Past, attempt: int = 0, *, ahead: bool = False) -> Round:
    """Return a round; each attempt has other chances. Looking ahead, a quick search is enough."""
    chance = Random(f"{request.seed} {request.number} {attempt}")
    people = list(request.people)
    chance.shuffle(people)
    pool: list[str | None] = [*people]
    if request.per_table == 2 and len(pool) % 2:
        pool.append(None)
    costs = _costs(pool, sizes(len(pool), request.per_table), past, request.results)
    if ahead:
        found = search(costs, chance, QUICK)
    else:
        found = _search(costs, chance, tries=0 if attempt else TRIES)
    groups = [[pool[index] for index in sorted(group)] for group in found]
    tables = [seat(group, past)[1] for group in groups if None not in group]
    byes = tuple(p for group in groups if None in group for p in group if p is not None)
    return Round(request.number, tuple(_with_games(tables, request.games, past)), byes)


def _search(costs: Costs, chance: Random, tries: int) -> Groups:
    """Search, and where people meet again anew, until nothing better comes for some time."""
    patience = PATIENCE + PATIENCE_EACH * len(costs.pairs)
    found = search(costs, chance, patience)
    idle = 0
    while costs.has_faults(found) and idle < tries:
        idle += 1
        other = search(costs, chance, patience)
        if costs.of(other) < costs.of(found):
            found, idle = other, 0
    return found


def _costs(
    pool: Sequence[str | None],
    table_sizes: list[int],
    past: Past,
    results: Iterable[TableResult],
) -> Costs:
    places = range(1, max(table_sizes) + 1)
    owed = [[past.owed[p, seat] for seat in places] for p in pool]
    points = _points(pool, results)
    fewest_byes = min(past.byes[p] for p in pool if p is not None)
    pairs = [[0] * len(pool) for _ in pool]
    for one, two in combinations(range(len(pool)), 2):
        cost = _pair_cost(pool[one], pool[two], past, fewest_byes)
        # who had a seat too seldom sits with those who had it too often
        cost += SEATS * sum(
            mine * theirs for mine, theirs in zip(owed[one], owed[two], strict=True)
        )
        # who played the same games can play the same one next
        cost += OTHER_GAMES * len(past.played_games[pool[one]] ^ past.played_games[pool[two]])
        cost += round(NEAR * abs(points[one] - points[two]))
        pairs[one][two] = pairs[two][one] = cost
    least = min((past.small[p] for p in pool if p is not None), default=0)
    small = [SMALL * (past.small[p] - least) if p is not None else 0 for p in pool]
    return Costs(table_sizes, pairs, small, AGAIN // 2)


def _points(pool: Sequence[str | None], results: Iterable[TableResult]) -> list[Fraction]:
    """Return each person's evening points a game; who has none yet stands in the middle."""
    lines = {line.p: line for line in standings((), results) if line.games}
    average = {p: line.points / line.games for p, line in lines.items()}
    middle = sum(average.values(), Fraction(0)) / max(1, len(average))
    return [average.get(p or "", middle) for p in pool]


def _pair_cost(first: str | None, second: str | None, past: Past, fewest_byes: int) -> int:
    if first is None or second is None:
        p = first or second or ""
        # who has played most sits out first: somebody who came late has waited enough
        return BYE * (past.byes[p] - fewest_byes) + NEW * max(0, 20 - past.played[p])
    times = past.met[frozenset((first, second))]
    return AGAIN + OFTEN * min(times - 1, 20) if times else 0


def seat(group: Sequence[str | None], past: Past) -> tuple[int, tuple[str, ...]]:
    """Return a penalty, and a table's people by seat: each where they sat least, if possible.

    The penalty is the distance from the best seat for each of them alone, in twelfths of a game.
    """
    people = [p for p in group if p is not None]
    places = range(1, len(people) + 1)

    def owed(order: Sequence[str]) -> int:
        return sum(past.owed[p, place] for place, p in enumerate(order, 1))

    best = max(permutations(people), key=owed)
    return sum(max(past.owed[p, place] for place in places) for p in people) - owed(best), best


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
