"""Round robin: everybody meets everybody.

At tables of two by the circle method: one person stays, the others move round by one place each
round. As soon as somebody came late, left or changed places, a matching takes over, of those who
have most people left to meet. At larger tables, rounds are paired like all others until everybody
has met everybody.
"""

from collections.abc import Sequence
from itertools import combinations

from club.pairing.model import PairingError, PairingRequest, Round, Seating
from club.pairing.tables import Past, pair_tables

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
    met = Past(request.history).met
    if all(met[frozenset(pair)] for pair in combinations(request.people, 2)):
        raise PairingError("all-met", round=request.number)
    roster = request.roster or request.people
    if request.per_table > 2 or not _is_on_circle(request, roster):
        return pair_tables(request)
    pairs = circle(roster, request.number)
    game = request.games[(request.number - 1) % len(request.games)] if request.games else ""
    tables = tuple(Seating((one, two), game) for one, two in pairs if two is not None)
    return Round(request.number, tables, tuple(one for one, two in pairs if two is None))


def _is_on_circle(request: PairingRequest, roster: Sequence[str]) -> bool:
    """Tell whether the rounds so far were those of the circle, and everybody is there."""
    if set(roster) != set(request.people):
        return False
    rounds = sorted(request.history, key=lambda each: each.number)
    if [each.number for each in rounds] != list(range(1, request.number)):
        return False
    return all(
        {frozenset(table.present) for table in each.tables}
        == {frozenset(pair) for pair in circle(roster, each.number) if None not in pair}
        for each in rounds
    )
