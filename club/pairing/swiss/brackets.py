"""One bracket of FIDE's Dutch system: a score group and those who moved down into it.

People are numbers from 0, the best first; one more number can stand for sitting out. The best way
to pair is a matching of the greatest weight. It has FIDE's criteria in front and, behind them, the
order in which the system tries ways to pair: whoever comes first gets the best opponent possible.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from club.pairing.matching import Edge, heaviest, pairing
from club.pairing.swiss.criteria import Criteria
from club.pairing.swiss.person import Entrant

BracketPair = tuple[int, int]
BracketOrder = Callable[[int, int], int]
"""What is added to the weight of a pair in the bracket for its place in the order."""


@dataclass(frozen=True)
class Bracket:
    """What one step of the system pairs: the moved down and the residents."""

    entrants: Sequence[Entrant]
    companions: Sequence[set[int]]
    """With whom each person may be paired, or may sit out."""
    moved: Sequence[int]
    """Those who found no opponent with their own score, the best first."""
    residents: Sequence[int]
    following: Sequence[int]
    """The next score group."""
    rest: Sequence[int]
    """Everybody after it, and sitting out."""
    criteria: Criteria
    spares: bool = False
    """Whether who sits out is chosen in this bracket."""

    def pairs(self) -> list[BracketPair]:
        """Return the bracket's pairs; who is in none moves down."""
        met = self._first_of_moved() if self.moved else []
        taken = {p for pair in met for p in pair}
        residents = [p for p in self.residents if p not in taken]
        limbo = [p for p in self.moved if p not in taken]
        return [*met, *self._among(residents, limbo)]

    def _first_of_moved(self) -> list[BracketPair]:
        """Return the pairs of those who moved down: the first ones, with the first residents."""
        many, width = len(self.moved), len(self.residents).bit_length()
        place = {p: many - 1 - nth for nth, p in enumerate(self.moved)}
        rank = {p: len(self.residents) - nth for nth, p in enumerate(self.residents)}

        def order(one: int, two: int) -> int:
            if one not in place:
                return 0
            return 1 << (many * width + place[one]) | rank[two] << (place[one] * width)

        here = self._legal(self.moved, self.residents)
        found = self._best([*self.moved, *self.residents], here, order, many * (width + 1))
        return [(p, found[p]) for p in self.moved if p in found]

    def _among(self, residents: Sequence[int], limbo: Sequence[int]) -> list[BracketPair]:
        """Return the pairs of residents: the upper half with the lower one, as far as possible."""
        half = len(residents) // 2
        if not limbo and (simple := self._simple(residents, half)) is not None:
            return simple
        while True:
            here = self._legal([], residents)
            found = self._best([*limbo, *residents], here, *_halves(residents, half))
            pairs = [(p, found[p]) for p in residents if found.get(p, -1) > p]
            if len(pairs) == half:
                return pairs
            half = len(pairs)

    def _simple(self, residents: Sequence[int], half: int) -> list[BracketPair] | None:
        """Return the first way to pair if nothing speaks against it, or for more sitting out."""
        pairs = list(zip(residents[:half], residents[half:], strict=False))
        if any(two not in self.companions[one] for one, two in pairs):
            return None
        if len(residents) % 2:
            new = not any(self.entrants[p].person.floats for p in residents)
            return (
                pairs
                if new and self._completes([*residents[-1:], *self.following, *self.rest])
                else None
            )
        dues = [(self.entrants[one].due, self.entrants[two].due) for one, two in pairs]
        if any(one is not None and one == two for one, two in dues):
            return None
        return pairs if self._completes([*self.following, *self.rest]) else None

    def _best(
        self, people: list[int], pairs: Iterable[Edge], order: BracketOrder, bits: int
    ) -> Mapping[int, int]:
        """Return the partners in the bracket, of the pairs that are possible there."""
        here = {
            pair: self.criteria.here(*self._both(pair)) << bits | order(*pair) for pair in pairs
        }
        found = None if self.spares else self._without_next(people, here, bits)
        if found is None:
            found = self._with_all(people, here, bits)
        return {p: q for p, q in found.items() if (min(p, q), max(p, q)) in here}

    def _without_next(
        self, people: Sequence[int], here: Mapping[Edge, int], bits: int
    ) -> Mapping[int, int] | None:
        """Return the best partners if all who move down then find opponents, as nearly always.

        The next group has no edges among itself here, and each who may move down one to nobody.
        """
        down = {
            (p, ~p): self.criteria.below(self.entrants[p], self.entrants[self.following[0]]) << bits
            for p in people
            if not self.companions[p].isdisjoint(self.following)
        }
        found = heaviest({**here, **down})
        moving = [p for p in people if found.get(p, -1) < 0]
        if any(p not in found for p in moving) or not self._goes_on(moving):
            return None
        return found

    def _goes_on(self, moving: Sequence[int]) -> bool:
        """Tell whether those who move down and the next group can be paired with each other.

        Of an odd number, one of the next group moves down too; then all others can be paired.
        """
        after = [*self.following, *self.rest]
        if not moving:
            return self._completes(after)
        following = set(self.following)
        companions = {p: self.companions[p] & following for p in moving}
        companions |= {p: self.companions[p] & {*following, *moving} for p in following}
        one = -1
        if len(companions) % 2:
            companions[one] = {p for p in following if not self.companions[p].isdisjoint(self.rest)}
            for p in companions[one]:
                companions[p].add(one)
        found = pairing(companions)
        if found is None:
            return False
        return self._completes([*self.rest, *([found[one]] if one in found else [])])

    def _with_all(
        self, people: Sequence[int], here: Mapping[Edge, int], bits: int
    ) -> Mapping[int, int]:
        """Return the best partners among the bracket, the next group and, if need be, others."""
        below = {
            pair: self.criteria.below(*self._both(pair)) << bits
            for pair in self._legal(people, self.following)
        }
        found = heaviest({**here, **below})
        there = [*people, *self.following]
        if self._completes([*(p for p in there if p not in found), *self.rest]):
            return found
        far = self._legal(there, self.rest)
        return heaviest({**dict.fromkeys(far, 0), **here, **below}, all_of_them=True)

    def _both(self, pair: Edge) -> tuple[Entrant, Entrant]:
        return self.entrants[pair[0]], self.entrants[pair[1]]

    def _legal(self, upper: Collection[int], lower: Sequence[int]) -> Iterator[Edge]:
        """Yield who may be paired of a lower group and with it."""
        for one, two in (*product(upper, lower), *combinations(lower, 2)):
            if two in self.companions[one]:
                yield one, two

    def _completes(self, people: Collection[int]) -> bool:
        """Tell whether these people can all be paired with each other."""
        there = set(people)
        return pairing({p: self.companions[p] & there for p in people}) is not None


def _halves(residents: Sequence[int], half: int) -> tuple[BracketOrder, int]:
    """Return the order of ways to pair residents, `half` of whom come first in their pairs.

    As few as can be change between the halves; then those near the middle; then the last of the
    upper and the first of the lower half. Then each gets the best opponent, the best one first.
    """
    count = len(residents)
    place = {p: nth for nth, p in enumerate(residents)}
    width, wide = count.bit_length(), (count * count).bit_length()

    def order(one: int, two: int) -> int:
        upper, lower = place[one], place[two]
        value = (upper < half) << wide | (count - upper)
        stays = (1 << half) - (1 << upper) if upper < half else 0
        rises = 0 if upper < half else 1 << (count - 1 - upper)
        value = (value << half + width | stays) << count | rises
        return value << count * width | (count - lower) << ((count - 1 - upper) * width)

    return order, 2 * wide + half + width + count + count * width
