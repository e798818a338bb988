"""How good a pair is, as one whole number: FIDE's criteria of quality, the first one in front.

Each criterion is a count that is to be as high as possible over all pairs of a bracket together.
It has enough binary digits that no sum of a later one reaches it.
"""

from collections.abc import Iterable, Mapping, Sequence

from club.pairing.swiss.person import ABSOLUTE, STRONG, Entrant


class Criteria:
    """Weighs pairs of one bracket and the next."""

    def __init__(
        self,
        scores: Iterable[float],
        people: int,
        played: int,
        unplayed_rank: Mapping[tuple[float, int], int],
    ) -> None:
        """Take the bracket's scores, its people, how many rounds were played.

        `unplayed_rank` says by score and number of games who should rather not sit out.
        """
        self._bits = people.bit_length() + 1
        self._score = {
            score: 1 << (place * self._bits) for place, score in enumerate(sorted(set(scores)))
        }
        self._score_bits = self._bits * len(self._score)
        self._looks_back = min(played, 2)
        self._unplayed_rank = unplayed_rank

    @property
    def bits(self) -> int:
        """How many binary digits a count has."""
        return self._bits

    def here(self, one: Entrant, two: Entrant) -> int:
        """Return the weight of a pair in the bracket; the first has the higher score or rank."""
        weight = 1 << self._score_bits | self._score[one.score]
        weight <<= self._bits + self._score_bits
        weight = self._spared(weight, one, two)
        for good in _moves(one, two):
            weight = weight << self._bits | good
        return self._floats(weight, one, two)

    def below(self, one: Entrant, two: Entrant) -> int:
        """Return the weight of a pair that the next bracket could have."""
        weight = self._spared(1 << self._score_bits | self._score[one.score], one, two)
        return weight << (4 + 2 * self._looks_back) * self._bits + (
            2 * self._looks_back * self._score_bits
        )

    def _spared(self, weight: int, one: Entrant, two: Entrant) -> int:
        """Add who does not sit out: rather those with fewer games."""
        ranks = (
            self._unplayed_rank.get((each.score, len(each.person.opponents)), 0)
            for each in (one, two)
        )
        return weight << 2 * self._bits | sum(ranks)

    def _floats(self, weight: int, one: Entrant, two: Entrant) -> int:
        """Add that nobody meets a lower or a higher score again so soon, and which scores."""
        higher = one.score > two.score
        down, up = [], []
        for ago in range(1, self._looks_back + 1):
            down.append((one.floated("down", ago), two.floated("down", ago)))
            up.append(higher and two.floated("up", ago))
        for (mine, theirs), again in zip(down, up, strict=True):
            weight = weight << self._bits | (theirs + (mine and not higher))
            weight = weight << self._bits | (not again)
        for (mine, theirs), again in zip(down, up, strict=True):
            scores = mine * self._score[one.score] + theirs * self._score[two.score]
            weight = weight << self._score_bits | scores
            weight = weight << self._score_bits | (0 if again else self._score[one.score])
        return weight


def _moves(one: Entrant, two: Entrant) -> Sequence[bool]:
    """Return what is good about the moves that are due, the most important first."""
    if one.due is None or one.due != two.due:
        return True, True, True, True
    unbalanced = abs(one.balance) > 1 and abs(two.balance) > 1
    both = one.strength == two.strength == ABSOLUTE
    strong = min(one.strength, two.strength) >= STRONG
    return not unbalanced, not (both and _third_time(one, two)), False, both or not strong


def _third_time(one: Entrant, two: Entrant) -> bool:
    """Tell whether one of two who need the same move gets the other one three times in a row."""
    if abs(one.balance) == abs(two.balance):
        return two.again is not None and two.again == one.again
    denied = one if abs(two.balance) > abs(one.balance) else two
    return denied.again is not None and denied.again != two.due
