"""Round robin: everybody meets everybody.

At tables of two by the circle method: one person stays, the others move round by one place each
round. As soon as somebody came late, left or changed places, a matching takes over, which prefers
people with most others left to meet. At larger tables, rounds are paired like all others until
everybody has met everybody.
"""

from collections.abc import Sequence
from itertools import combinations

from club.pairing.model import PairingError, PairingRequest, Round, Seating
from club.pairing.tables import Past, pair_tables

Circle = list[tuple[str, str | None]]
"""A person with the first move and the opponent; None instead of a person means sitting out."""


def circle(people: Sequence[str], number: int) -> Circle:
    """Return a round of the circle method; rounds after the last begin again at the first.

    Everybody's numbers of first and second moves differ by one at most.
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
    """Return the next round; PairingError `all-met` if all present people have met."""
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
    """Tell whether all rounds so far followed the circle, and everybody is present."""
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
