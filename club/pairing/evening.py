"""Pairs several rounds one after the other, assuming that every game is played."""

from dataclasses import replace

from club.pairing.model import Mode, PairingRequest, Round, Sheet
from club.pairing.pair import pair


def plan(mode: Mode, first: PairingRequest, sheet: Sheet) -> tuple[Round, ...]:
    """Return all rounds: the sheet's unchanged, the others paired in order.

    `first` is the request of a first round without a sheet. PairingError if a round is impossible.
    """
    history = sheet.rounds
    for number in range(len(history) + 1, first.rounds + 1):
        people = sheet.present(first.people, number)
        asked = replace(first, number=number, people=people, history=history, results=sheet.results)
        history = (*history, pair(mode, asked))
    return history
