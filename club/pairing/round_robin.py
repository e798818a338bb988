"""Round robin: everybody meets everybody.

At tables of two by the circle method: one person stays, the others move round by one place each
round. As soon as somebody came late, left or changed places, a matching takes over, of those who
have most people left to meet. At larger tables, rounds are paired like all others until everybody
has met everybody.
"""

from collections.abc import Sequence
from itertools import combinations

from club.pairing.matching import heaviest
from club.pairing.model import PairingError, PairingRequest, Round, Seating
from club.pairing.seating.tables import Past, pair_tables, seat

Circle = list[tuple[str, str | None]]
"""Who has the first move and their opponent, None for who sits out."""


def circle(people: Sequence[str], number: int) -> Circle:
    """Return a round of the circle method; rounds after the last begin again at the first.

    Nobody has the first move more than once more, or less, often than the second one.
    """
    ring: list[str | None] = [*people]
    if len(ring) % 2:
        ring.append(None)
    last = len(ring) - 1
    stays, turn = ring[last], (number - 1) % last
    pairs = [(ring[turn], stays) if turn % 2 else (stays, ring[turn])]
    for step in range(1, len(ring) // 2):
        one, two = ring[(turn + step) % last], ring[(turn - step) % last]
        pairs.append((one, two) if step % 2 else (two, one))
    return [
        (two, one) if one is None and two is not None else (one or "", two) for one, two in pairs
    ]


def pair_round_robin(request: PairingRequest) -> Round:
    """Return the next round; PairingError `all-met` if all who are there have met."""
    past = Past(request.history)
    to_meet = {
        frozenset(pair) for pair in combinations(request.people, 2) if not past.met[frozenset(pair)]
    }
    if not to_meet:
        raise PairingError("all-met")
    if request.per_table > 2:
        return pair_tables(request)
    roster = request.roster or request.people
    if set(roster) == set(request.people) and _is_on_circle(request, roster):
        pairs = circle(roster, request.number)
    else:
        pairs = _matching(request, past, to_meet)
    game = request.games[(request.number - 1) % len(request.games)] if request.games else ""
    tables = tuple(Seating((one, two), game) for one, two in pairs if two is not None)
    return Round(request.number, tables, tuple(one for one, two in pairs if two is None))


def _is_on_circle(request: PairingRequest, roster: Sequence[str]) -> bool:
    """Tell whether the rounds so far were those of the circle, and everybody played."""
    rounds = sorted(request.history, key=lambda each: each.number)
    if [each.number for each in rounds] != list(range(1, request.number)):
        return False
    return all(
        {frozenset(table.present) for table in each.tables}
        == {frozenset(pair) for pair in circle(roster, each.number) if None not in pair}
        for each in rounds
    )


def _matching(request: PairingRequest, past: Past, to_meet: set[frozenset[str]]) -> Circle:
    """Return as many pairs as can be, first of those with most people to meet or most byes."""
    left = {p: sum(p in pair for pair in to_meet) for p in request.people}
    order = {p: number for number, p in enumerate(request.people)}
    weights: dict[tuple[int, int], int] = {}
    for one, two in sorted(sorted(pair, key=order.__getitem__) for pair in to_meet):
        waited = past.byes[one] + past.byes[two]
        weight = 1 + left[one] + left[two] + 2 * len(left) * waited
        weights[order[one], order[two]] = weight
    found = [
        seat(sorted((request.people[p], request.people[q])), past)
        for p, q in heaviest(weights, all_of_them=True).items()
        if p < q
    ]
    pairs: Circle = sorted((one, two) for one, two in found)
    paired = {p for pair in pairs for p in pair}
    return [*pairs, *((p, None) for p in request.people if p not in paired)]
