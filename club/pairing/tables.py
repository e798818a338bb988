"""Tables of two to four: people meet again only if it is unavoidable.

A seating has one total cost, and `search.py` minimises it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from random import Random

from club.pairing.model import PairingRequest, Round, Seating, TableResult
from club.pairing.search import Costs, Groups, search
from club.pairing.standings import standings

AGAIN = 1_000_000
"""The cost of two people meeting again, higher than any gain by all costs below."""
OFTEN = 20_000
"""The added cost of each further earlier meeting of the two."""
SMALL = 6_000
"""The cost of sitting at a smaller table once more than others."""
SEATS = 2
"""The cost of two at one table who are owed the same seat, for each twelfth of a game."""
OTHER_GAMES = 100
"""The cost of each game that only one of two has played."""
NEAR = 500
"""The cost of each evening point a game by which two differ, if points decide."""
NEW = 20_000
"""The cost of sitting out for somebody who has played a game less than others."""
BYE = 10**9
"""The cost of sitting out once more than others."""
PATIENCE, PATIENCE_EACH = 300, 6
"""Swaps in a row without an improvement that end a search, and the number added for each person."""
TRIES = 12
"""How many more searches are tried after the last improvement, if people meet again."""
LOOKS = 20
"""How many candidates for a round are compared in a small field."""
AHEAD = 5
"""How many rounds the comparison looks ahead at most."""
QUICK = 120
"""The patience of a search that only looks ahead."""


def sizes(people: int, per_table: int) -> list[int]:
    """Return the sizes of the tables, largest first, with as many full tables as possible.

    The others have one person fewer. Nobody sits alone: of an odd number at tables of two, one sits
    out. Still smaller tables exist only if nothing else fits (5 at tables of 4).
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
    """Counts of earlier rounds: meetings, seats, smaller tables, sitting out.

    `owed` is a person's share of their games for a seat, minus the games they had it, in twelfths
    of a game.
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

    def count_again(self, paired: Round) -> int:
        """Return how many pairs of people meet again in a round."""
        return sum(self.met[pair] > 0 for table in paired.tables for pair in table.meetings())


def pair_tables(request: PairingRequest) -> Round:
    """Return a round of tables; the fewest possible pairs of people meet again.

    Of equally good rounds, a small field gets one that leaves good rounds for later. With results,
    people with similar points sit together.
    """
    is_full = len(request.people) % request.per_table == 0
    in_turn = _seat_in_turn(request) if is_full and not request.results else None
    return in_turn or _look_ahead(request)


def _seat_in_turn(request: PairingRequest) -> Round | None:
    """Return a round with full tables, of a series of as many rounds as a table has seats.

    In the series everybody has each seat once. Its rounds are paired in order, as if nobody came or
    left, and get their seats together. None if an earlier round was paired differently.
    """
    size = request.per_table
    first = request.number - (request.number - 1) % size
    last = max(request.number, min(first + size - 1, request.rounds or first + size - 1))
    played = [each for each in request.history if each.number >= first]
    if sorted(each.number for each in played) != [*range(first, request.number)]:
        return None
    if any({*each.everybody} != {*request.people} for each in played):
        return None
    history = tuple(map(_without_seats, request.history))
    for number in range(request.number, last + 1):
        asked = replace(request, number=number, history=history)
        history = (*history, _without_seats(_look_ahead(asked, by_seats=False)))
    together = [each for each in history if each.number >= first]
    tables = [table.people for each in together for table in each.tables]
    if any(len(people) != size for people in tables):
        return None
    seats = iter(give_each_seat_once(tables))
    seated = {each.number: _with_people(each, lambda _: next(seats)) for each in together}
    is_so = all(each.tables == seated[each.number].tables for each in played)
    return seated[request.number] if is_so else None


def _without_seats(paired: Round) -> Round:
    """Return a round with the people of each table in the order of their names."""
    return _with_people(paired, lambda people: tuple(sorted(people)))


def _with_people(paired: Round, order: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Round:
    tables = tuple(replace(table, people=order(table.people)) for table in paired.tables)
    return replace(paired, tables=tables)


def give_each_seat_once(tables: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the people of each table by seat, so that nobody has a seat twice.

    All tables have equally many people, and nobody is at more tables than a table has seats. This
    is an edge colouring of people and tables, which always exists: if the two ends of an edge have
    no free colour in common, two colours are exchanged along a path.
    """
    seats = range(len(tables[0]))
    at_table: list[dict[int, str]] = [{} for _ in tables]
    of_person: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for number, people in enumerate(tables):
        for p in people:
            mine = next(seat for seat in seats if seat not in of_person[p])
            free = next(seat for seat in seats if seat not in at_table[number])
            # the person with this seat gets the free one, and so on along the path
            path = [(p, number, mine)]
            place = number
            while mine in at_table[place]:
                q = at_table[place][mine]
                path.append((q, place, free))
                if free not in of_person[q]:
                    break
                place = of_person[q][free]
                path.append((q, place, mine))
            for q, where, _ in path:
                for seat in (mine, free):
                    if at_table[where].get(seat) == q:
                        del at_table[where][seat], of_person[q][seat]
            for q, where, seat in path:
                at_table[where][seat], of_person[q][seat] = q, where
    return [tuple(at[seat] for seat in seats) for at in at_table]


@lru_cache(64)
def _look_ahead(request: PairingRequest, *, by_seats: bool = True) -> Round:
    """Return the best of several candidate rounds, judged with the rounds after it."""
    past = Past(request.history)
    best = _pair(request, past, by_seats=by_seats)
    if not request.history or not _is_tight(request):
        return best
    fewest, least = past.count_again(best), _count_later(request, best, by_seats=by_seats)
    for attempt in range(1, LOOKS):
        if not least:
            break
        other = _pair(request, past, attempt, by_seats=by_seats)
        if past.count_again(other) > fewest:
            continue
        later = _count_later(request, other, by_seats=by_seats)
        if later < least:
            best, least = other, later
    return best


def _is_tight(request: PairingRequest) -> bool:
    """Tell whether people meet so many others in the evening that early rounds matter."""
    met = _last(request) * (request.per_table - 1)
    return request.number < _last(request) and 2 * met >= len(request.people)


def _last(request: PairingRequest) -> int:
    """Return the last round to look ahead to."""
    return min(request.rounds or request.number + 3, request.number + AHEAD)


def _count_later(request: PairingRequest, paired: Round, *, by_seats: bool) -> int:
    """Return how many pairs meet again in the next rounds, as far as they are planned."""
    again = 0
    history = (*request.history, paired)
    for number in range(request.number + 1, _last(request) + 1):
        past = Past(history)
        asked = replace(request, number=number, history=history)
        following = _pair(asked, past, ahead=True, by_seats=by_seats)
        again += past.count_again(following)
        history = (*history, following)
    return again


def _pair(
    request: PairingRequest, past: Past, attempt: int = 0, *, by_seats: bool, ahead: bool = False
) -> Round:
    """Return a round; each attempt has its own seed. Looking ahead, a quick search is enough."""
    chance = Random(f"{request.seed} {request.number} {attempt}")
    people = list(request.people)
    chance.shuffle(people)
    pool: list[str | None] = [*people]
    if request.per_table == 2 and len(pool) % 2:
        pool.append(None)
    table_sizes = sizes(len(pool), request.per_table)
    costs = _costs(pool, table_sizes, past, request.results, SEATS if by_seats else 0)
    if ahead:
        found = search(costs, chance, QUICK)
    else:
        found = _search(costs, chance, tries=0 if attempt else TRIES)
    groups = [[pool[index] for index in sorted(group)] for group in found]
    tables = [seat(group, past) for group in groups if None not in group]
    byes = tuple(p for group in groups if None in group for p in group if p is not None)
    return Round(request.number, tuple(_with_games(tables, request.games, past)), byes)


def _search(costs: Costs, chance: Random, tries: int) -> Groups:
    """Search; if people meet again, search again until there is no improvement."""
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
    seats: int,
) -> Costs:
    places = range(1, max(table_sizes) + 1)
    owed = [[past.owed[p, seat] for seat in places] for p in pool]
    points = _points(pool, results)
    fewest_byes = min(past.byes[p] for p in pool if p is not None)
    pairs = [[0] * len(pool) for _ in pool]
    for one, two in combinations(range(len(pool)), 2):
        cost = _pair_cost(pool[one], pool[two], past, fewest_byes)
        # seats people who had a seat too seldom with people who had it too often
        cost += seats * sum(
            mine * theirs for mine, theirs in zip(owed[one], owed[two], strict=True)
        )
        # seats people together who played the same games
        cost += OTHER_GAMES * len(past.played_games[pool[one]] ^ past.played_games[pool[two]])
        cost += round(NEAR * abs(points[one] - points[two]))
        pairs[one][two] = pairs[two][one] = cost
    least = min((past.small[p] for p in pool if p is not None), default=0)
    small = [SMALL * (past.small[p] - least) if p is not None else 0 for p in pool]
    return Costs(table_sizes, pairs, small, AGAIN // 2)


def _points(pool: Sequence[str | None], results: Iterable[TableResult]) -> list[Fraction]:
    """Return each person's evening points a game; people without games are in the middle."""
    lines = {line.p: line for line in standings((), results) if line.games}
    average = {p: line.points / line.games for p, line in lines.items()}
    middle = sum(average.values(), Fraction(0)) / max(1, len(average))
    return [average.get(p or "", middle) for p in pool]


def _pair_cost(first: str | None, second: str | None, past: Past, fewest_byes: int) -> int:
    if first is None or second is None:
        p = first or second or ""
        # people who have played most sit out first: latecomers have waited enough
        return BYE * (past.byes[p] - fewest_byes) + NEW * max(0, 20 - past.played[p])
    times = past.met[frozenset((first, second))]
    return AGAIN + OFTEN * min(times - 1, 20) if times else 0


def seat(group: Sequence[str | None], past: Past) -> tuple[str, ...]:
    """Return a table's people by seat: each on their rarest seat, if possible."""

    def owed(order: Sequence[str]) -> int:
        return sum(past.owed[p, place] for place, p in enumerate(order, 1))

    return max(permutations([p for p in group if p is not None]), key=owed)


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
