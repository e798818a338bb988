"""FIDE's Dutch system (C.04.3): brackets from the highest score to the lowest."""

from collections.abc import Sequence
from itertools import combinations, groupby

from club.pairing.matching import pairing
from club.pairing.model import PairingError
from club.pairing.swiss.brackets import Bracket, BracketPair
from club.pairing.swiss.criteria import Criteria
from club.pairing.swiss.person import Entrant, Pairs, SwissPerson, entrant, in_order, may_meet


def dutch(people: Sequence[SwissPerson], number: int, rounds: int) -> Pairs:
    """Pair a round by FIDE's Dutch system; PairingError `no-swiss` if that is impossible.

    `missing-library` without networkx.
    """
    ranked = sorted(map(entrant, people), key=lambda each: (-each.score, each.number))
    pairs, out = _Round(ranked, number, last=number == rounds).pair()
    tables = sorted(
        (in_order(ranked[one], ranked[two]) for one, two in pairs),
        key=lambda both: (-sum(p.score for p in both), min(p.number for p in both)),
    )
    found: list[tuple[int, int | None]] = [(one.number, two.number) for one, two in tables]
    return (*found, *((ranked[p].number, None) for p in out))


class _Round:
    def __init__(self, ranked: Sequence[Entrant], number: int, *, last: bool) -> None:
        self._entrants = ranked
        self._played = number - 1
        top = self._played / 2 if last else None
        self._companions: list[set[int]] = [set() for _ in ranked]
        for one, two in combinations(range(len(ranked)), 2):
            if may_meet(ranked[one], ranked[two], top):
                self._companions[one].add(two)
                self._companions[two].add(one)
        self._out: float | None = self._sits_out() if len(ranked) % 2 else None

    def _sits_out(self) -> float:
        """Add sitting out to the people; return the lowest score of which somebody can.

        Nobody does again before everybody had to.
        """
        ranks = sorted({(each.person.byes, each.score) for each in self._entrants})
        for byes, score in ranks:
            possible = {
                p
                for p, each in enumerate(self._entrants)
                if (each.person.byes, each.score) == (byes, score)
            }
            companions = [
                others | {len(self._entrants)} if p in possible else others
                for p, others in enumerate(self._companions)
            ]
            companions.append(possible)
            if pairing(dict(enumerate(companions))) is not None:
                self._companions = companions
                return score
        raise PairingError("no-swiss")

    def pair(self) -> tuple[list[BracketPair], list[int]]:
        """Return the pairs, and who sits out."""
        if pairing(dict(enumerate(self._companions))) is None:
            raise PairingError("no-swiss")
        groups = [
            list(group)
            for _, group in groupby(range(len(self._entrants)), lambda p: self._entrants[p].score)
        ]
        made: list[BracketPair] = []
        moved: list[int] = []
        for nth, group in enumerate(groups):
            following = groups[nth + 1] if nth + 1 < len(groups) else []
            rest = [p for later in groups[nth + 2 :] for p in later]
            rest += range(len(self._entrants), len(self._companions))
            pairs = self._bracket(moved, group, following, rest).pairs()
            made += pairs
            paired = {p for pair in pairs for p in pair}
            moved = [p for p in (*moved, *group) if p not in paired]
        return made, moved

    def _bracket(
        self,
        moved: Sequence[int],
        residents: Sequence[int],
        following: Sequence[int],
        rest: Sequence[int],
    ) -> Bracket:
        people = [*moved, *residents, *following]
        scores = [self._entrants[p].score for p in people]
        spares = self._spares(moved, residents)
        return Bracket(
            self._entrants,
            self._companions,
            moved,
            residents,
            following,
            rest,
            Criteria(scores, len(people), self._played, self._fewer_games() if spares else {}),
            spares,
        )

    def _spares(self, moved: Sequence[int], residents: Sequence[int]) -> bool:
        """Tell whether it is decided in a bracket who sits out, and not only that somebody does."""
        if self._out is None or self._out < self._entrants[residents[0]].score:
            return False
        if moved:
            return True
        there = {*residents, len(self._entrants)}
        return pairing({p: self._companions[p] & there for p in there}) is not None

    def _fewer_games(self) -> dict[tuple[float, int], int]:
        """Return by score and games who should rather not sit out: who played fewer games."""
        games = sorted(
            (len(each.person.opponents) for each in self._entrants if each.score == self._out),
            reverse=True,
        )
        return {(self._out or 0, count): rank for rank, count in enumerate(games)}
