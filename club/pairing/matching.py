"""Pairs with the greatest weight, and whether people can be paired at all, by networkx."""

from collections.abc import Iterable, Mapping
from typing import Any

from club.pairing.model import library_error

Edge = tuple[int, int]
"""Two different people by their numbers."""


def heaviest(weights: Mapping[Edge, int], *, all_of_them: bool = False) -> dict[int, int]:
    """Return everybody's partner in the pairs with the greatest weight together.

    Who is in no pair is not in it; with `all_of_them`, as many as can be are. Weights may have any
    number of digits.
    """
    graph = _graph()
    graph.add_weighted_edges_from((one, two, weight) for (one, two), weight in weights.items())
    partners: dict[int, int] = {}
    for one, two in _networkx().max_weight_matching(graph, maxcardinality=all_of_them):
        partners[one], partners[two] = two, one
    return partners


def pairing(companions: Mapping[int, Iterable[int]]) -> dict[int, int] | None:
    """Return a partner for everybody, None if that is impossible.

    Given is with whom each may be paired.
    """
    left = {p: set(others) for p, others in companions.items()}
    if len(left) % 2:
        return None
    partners: dict[int, int] = {}
    while left:  # the one with the fewest companions first: nearly always enough
        p = min(left, key=lambda each: len(left[each]))
        possible = left.pop(p)
        if not possible:
            return _pairing(companions)
        q = min(possible, key=lambda each: len(left[each]))
        partners[p], partners[q] = q, p
        for other in possible:
            left[other].discard(p)
        for other in left.pop(q):
            left[other].discard(q)
    return partners


def _pairing(companions: Mapping[int, Iterable[int]]) -> dict[int, int] | None:
    weights = {(p, q): 1 for p, others in companions.items() for q in others if p < q}
    partners = heaviest(weights, all_of_them=True)
    return partners if len(partners) == len(companions) else None


def _graph() -> Any:
    """Return a graph of networkx that finds weights quickly: half its time is spent on that."""
    nx = _networkx()

    class Graph(nx.Graph):  # type: ignore[name-defined, misc]
        def __getitem__(self, node: int) -> Any:
            return self._adj[node]

    return Graph()


def _networkx() -> Any:
    try:
        import networkx
    except ImportError as error:
        raise library_error(error, "networkx") from None
    return networkx
