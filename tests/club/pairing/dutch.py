"""What FIDE's Dutch system demands of a round, checked by trying every way to pair.

Not the whole of its rules, but those that the others rest on, each written from the rule and not
from a program: who may meet, who may sit out, how many of each score group must leave it, by how
much the scores of opponents differ, and how many get the move that is due to them.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from club.pairing.swiss.person import Pairs, SwissPerson

Pair = tuple[SwissPerson, SwissPerson | None]


def difference(person: SwissPerson) -> int:
    """Return how many more first moves than second ones somebody had."""
    return sum(1 if first else -1 for first in person.first_moves if first is not None)


def due(person: SwissPerson) -> tuple[bool | None, bool]:
    """Return whether the first move is due to somebody (None: neither), and if absolutely."""
    played = [first for first in person.first_moves if first is not None]
    if not played:
        return None, False
    twice = len(played) > 1 and played[-1] == played[-2]
    balance = difference(person)
    if abs(balance) > 1 or twice:
        return (balance < 0 if abs(balance) > 1 else not played[-1]), True
    return (balance < 0 if balance else not played[-1]), False


def may_meet(one: SwissPerson, two: SwissPerson) -> bool:
    """Tell whether two may meet: never twice, and not if both absolutely need the same move."""
    (first, absolute), (other, too) = due(one), due(two)
    return two.number not in one.opponents and not (absolute and too and first == other)


def clash(one: SwissPerson, two: SwissPerson) -> bool:
    """Tell whether one of two must do without the move that is due to them."""
    mine, theirs = due(one)[0], due(two)[0]
    return mine is not None and mine == theirs


def all_pairings(people: Sequence[SwissPerson]) -> Iterator[tuple[Pair, ...]]:
    """Yield every way to pair these people in which nothing absolute is broken."""
    if not people:
        yield ()
        return
    one, *others = people
    if len(people) % 2 and one.byes == 0:
        for rest in all_pairings(others):
            yield ((one, None), *rest)
    for two in others:
        if may_meet(one, two):
            left = [p for p in others if p is not two]
            for rest in all_pairings(left):
                yield ((one, two), *rest)


Quality = tuple[float | tuple[float, ...], ...]


def quality(pairs: Sequence[Pair], scores: tuple[float, ...]) -> Quality:
    """Return how bad a pairing is by the rules that come first, the most important first.

    The score of who sits out; then for each of the two highest score groups how many leave it
    downwards and the differences in score, largest first; then how many in the highest do without
    the move that is due to them. For who leaves, the difference is to one point below the group.
    """
    found: list[float | tuple[float, ...]] = [
        next((one.score for one, two in pairs if two is None), 0.0)
    ]
    for score in scores[:2]:
        made = [(one, two) for one, two in pairs if two is not None and _in(one, two, score)]
        leaving = [p for pair in pairs if _low(pair) < score for p in pair if p is not None]
        leaving = [p for p in leaving if p.score >= score]
        differences = [abs(one.score - two.score) for one, two in made]
        differences += [p.score - (score - 1) for p in leaving]
        found += [len(leaving), tuple(sorted(differences, reverse=True))]
    top = [(one, two) for one, two in pairs if two is not None and _in(one, two, scores[0])]
    return (*found, sum(clash(one, two) for one, two in top))


def _low(pair: Pair) -> float:
    """Return the lower score of a pair; whoever sits out goes below everybody."""
    one, two = pair
    return -1.0 if two is None else min(one.score, two.score)


def _in(one: SwissPerson, two: SwissPerson, score: float) -> bool:
    """Tell whether a pair is made in the group of a score, where the lower of the two belongs."""
    return min(one.score, two.score) == score


@cache
def best_quality(people: tuple[SwissPerson, ...]) -> Quality | None:
    """Return the quality of the best pairing, None if there is none."""
    scores = tuple(sorted({p.score for p in people}, reverse=True))
    return min((quality(pairs, scores) for pairs in all_pairings(people)), default=None)


def faults(people: tuple[SwissPerson, ...], pairs: Pairs) -> list[str]:
    """Return what is wrong with a round."""
    by_number = {p.number: p for p in people}
    made: list[Pair] = [(by_number[one], by_number[two] if two else None) for one, two in pairs]
    paired = sorted(p.number for pair in made for p in pair if p is not None)
    if paired != sorted(by_number):
        return ["not everybody is paired once"]
    found = []
    for one, two in made:
        if two is None:
            found += [f"{one.number} sits out again"] if one.byes else []
            continue
        if not may_meet(one, two):
            found.append(f"{one.number} and {two.number} may not meet")
        mine, theirs = due(one), due(two)
        if mine == (False, True) or theirs == (True, True):
            found.append(f"{one.number} and {two.number} have each other's move")
        if mine[0] is False and theirs[0] is True:
            found.append(f"{one.number} and {two.number} both wanted the other way round")
    scores = tuple(sorted({p.score for p in people}, reverse=True))
    best = best_quality(people)
    if best is not None and quality(made, scores) != best:
        found.append(f"{quality(made, scores)} is worse than {best}")
    return found
