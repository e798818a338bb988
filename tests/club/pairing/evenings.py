"""Evenings by chance: how many people, tables, rounds, who comes late or leaves."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from club.pairing.model import PairingRequest, Round
from club.pairing.pair import pair

LATE_OR_LEAVING = 0.1
FEWEST, MOST = 4, 200


@dataclass(frozen=True)
class ChanceEvening:
    """An evening: people, and from which round to which (not included) each is there."""

    number: int
    people: tuple[str, ...]
    per_table: int
    rounds: int
    stay: dict[str, tuple[int, int]]

    def there(self, number: int) -> tuple[str, ...]:
        """Return who is there in a round."""
        return tuple(p for p in self.people if self.stay[p][0] <= number < self.stay[p][1])

    def played(self) -> Iterator[tuple[tuple[str, ...], Round]]:
        """Yield each round with who was there for it."""
        history: tuple[Round, ...] = ()
        for number in range(1, self.rounds + 1):
            there = self.there(number)
            if len(there) < 2:
                continue
            request = PairingRequest(
                number,
                there,
                history,
                per_table=self.per_table,
                rounds=self.rounds,
                seed=self.number,
                roster=self.people,
            )
            paired = pair("tables", request)
            yield there, paired
            history = (*history, paired)


def chance_evening(number: int, most: int = MOST) -> ChanceEvening:
    """Return an evening by its number: the same number always gives the same one."""
    chance = Random(number)
    people = tuple(f"p{n}" for n in range(1, chance.randint(FEWEST, most) + 1))
    rounds = chance.randint(3, 8)
    stay: dict[str, tuple[int, int]] = {}
    for p in people:
        stay[p] = 1, rounds + 1
        if chance.random() < LATE_OR_LEAVING:
            when = chance.randint(2, rounds)
            stay[p] = chance.choice(((when, rounds + 1), (1, when)))
    return ChanceEvening(number, people, chance.choice((2, 3, 4)), rounds, stay)
