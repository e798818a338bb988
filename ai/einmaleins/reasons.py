"""The reasons for a move in Einmaleins: facts of the positions before and after it."""

from collections.abc import Iterator, Sequence

from ai.api import Reason
from engines.einmaleins.cards import FOLLOWERS, FREE
from engines.einmaleins.notation import EinmaleinsMove, Lay
from engines.einmaleins.rules import EinmaleinsPosition
from engines.game import Event


def reasons(
    position: EinmaleinsPosition, move: EinmaleinsMove, given: tuple[str, ...]
) -> list[Reason]:
    """Return the reasons for a legal move, the most important first."""
    if not isinstance(move, Lay):
        return []
    after, events = position.play(move)
    rest = list(given)
    rest.remove(FREE if move.free else str(move.number))
    result = list(_event_reasons(position, after, events))
    if after.result is None:
        lays = [other for other in position.legal(given) if isinstance(other, Lay)]
        result += _hand_reasons(move, rest, [other for other in lays if other.pair != move.pair])
    return result


def _event_reasons(
    before: EinmaleinsPosition, after: EinmaleinsPosition, events: Sequence[Event]
) -> Iterator[Reason]:
    if after.result is not None:
        yield "wins", {}
        return
    if after.hands[before.seat] == 1:
        yield "last-card", {}
    names = [player.name for player in before.players]
    for event in events:
        if event.code == "skipped":
            player = event.facts["player"]
            if before.hands[names.index(player)] == 1:
                yield "stops-last-card", {"player": player}
            else:
                yield "misses-turn", {"player": player}


def _hand_reasons(move: Lay, rest: list[str], others: list[Lay]) -> Iterator[Reason]:
    followers = FOLLOWERS[move.pair]
    fitting = [card for card in rest if card == FREE or followers >> int(card) & 1]
    if len(rest) > 1 and len(fitting) == len(rest):
        yield "all-fit", {"cards": len(rest)}
    elif fitting:
        yield "keeps-going", {"cards": fitting}
    fewest = min([FOLLOWERS[other.pair].bit_count() for other in others], default=0)
    if followers.bit_count() < fewest:
        yield "hard-to-follow", {"cards": followers.bit_count()}
    if FREE in rest and not move.free:
        yield "keeps-free", {}
