"""What is possible at all, by other means than the pairing."""

from collections.abc import Collection, Sequence
from itertools import combinations

Pair = frozenset[str]


def table_sizes(people: int, per_table: int) -> list[int]:
    """Return the sizes that the rules ask for, largest first, by trying all of them."""
    options = [
        [*[per_table] * full, *[per_table - 1] * short]
        for full in range(people // per_table + 1)
        for short in range(people + 1)
        if full * per_table + short * (per_table - 1) == people and per_table > 2
    ]
    if per_table == 2:
        return [2] * (people // 2)
    if options:
        return max(options, key=lambda option: option.count(per_table))
    return {2: [2], 5: [3, 2]}[people]


def again(table: Collection[str], met: Collection[Pair]) -> int:
    """Return how many pairs at a table have met before."""
    return sum(frozenset(pair) in met for pair in combinations(table, 2))


def fewest_by_solver(
    people: Sequence[str], sizes: Sequence[int], met: Collection[Pair], *, seconds: float = 60
) -> int | None:
    """Return the fewest pairs that have to meet again, by an integer programme.

    Each possible table is a variable; each person sits at one. None: the time was up.
    """
    import highspy

    tables = [table for size in set(sizes) for table in combinations(people, size)]
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", seconds)
    solver.setOptionValue("threads", 1)
    chosen = [solver.addBinary() for _ in tables]
    at: dict[str, list[int]] = {person: [] for person in people}
    for number, table in enumerate(tables):
        for person in table:
            at[person].append(number)
    out = len(people) - sum(sizes)
    for person in people:
        sitting = solver.qsum([chosen[number] for number in at[person]])
        solver.addConstr(sitting <= 1 if out else sitting == 1)
    for size in set(sizes):
        of_size = [chosen[n] for n, table in enumerate(tables) if len(table) == size]
        solver.addConstr(solver.qsum(of_size) == sizes.count(size))
    costs = [again(table, met) for table in tables]
    solver.minimize(solver.qsum([cost * x for cost, x in zip(costs, chosen, strict=True) if cost]))
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    fewest: float = solver.getInfo().objective_function_value
    return round(fewest)


def fewest_byes_again(people: Sequence[str], met: Collection[Pair], out: Collection[str]) -> int:
    """Return the fewest pairs that meet again at tables of two, by the solver.

    Of an odd number one of `out` sits out.
    """
    options = [tuple(p for p in people if p != bye) for bye in out] if len(people) % 2 else [people]
    sizes = [2] * (len(people) // 2)
    found = [fewest_by_solver(option, sizes, met) for option in options]
    return min(best for best in found if best is not None)
