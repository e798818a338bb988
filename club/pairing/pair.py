"""Pairs the next round, in the evening's mode."""

from dataclasses import replace

from club.pairing.model import Mode, PairingError, PairingRequest, Round
from club.pairing.round_robin import pair_round_robin
from club.pairing.tables import pair_tables


def pair(mode: Mode, request: PairingRequest) -> Round:
    """Return the next round; PairingError if none is possible.

    `free` proposes tables to the given people, perhaps only the waiting ones; `tables` does the
    same for a round of everybody. Tables come in a stable order, in which the hub assigns them to
    its tables.
    """
    if len(request.people) < 2:
        raise PairingError("too-few", round=request.number, n=len(request.people))
    if mode != "swiss":
        request = replace(request, results=())
    return pair_round_robin(request) if mode == "round-robin" else pair_tables(request)
