"""Finds promises of the rules that a game breaks: a sentence for each says what is wrong.

Each function returns at most one sentence: its first example is enough.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from beisitzer.testing.samples import Samples
from beisitzer.testing.walks import Visit, Walks
from engines.game import AnyPosition, Correction, GivenError, Refusal
from pi_app.table.presentation import AnyPresentation
from pi_app.texts.language import Texts

MOST_TOKENS = 40
"""How many tokens are tried in one position."""
SEE = "see: python -m pydoc beisitzer.plugin.rules.Position"


def _where(position: AnyPosition, given: Any) -> str:
    """Return the call of `legal` and its position in words."""
    call = "legal()" if given is None else f"legal({given!r})"
    return f"{_name(position)} {call}"


def _name(position: AnyPosition) -> str:
    try:
        return f"in {position!r}"
    except Exception:  # noqa: BLE001  # `describe` is a game's; `find_unreadable` reports it
        return "in a position that describe() cannot put into words"


def find_illegal(walks: Walks) -> Iterator[str]:
    """Yield a sentence if `legal` lists a move that is refused, or none in a game that goes on."""
    for visit in walks.visits:
        if not visit.listed:
            where = _where(visit.position, visit.given)
            wants = "list a move, or let the move before it end the game with a result"
            yield f"{where} lists no move although the game is not over: {wants}; {SEE}"
            return
        for move in visit.listed:
            refusal = visit.position.refusal(move)
            if refusal is not None:
                where = _where(visit.position, visit.given)
                wants = "list only legal moves, or do not refuse this one"
                yield f"{where} lists {move.token!r}, which is refused: {refusal.code}; {wants}"
                return


def find_omitted(walks: Walks, samples: Samples) -> Iterator[str]:
    """Yield a sentence if `legal` leaves out a move that is legal with the same hand or roll."""
    chance = Random(1)
    unlisted = set(samples.unlisted.split())
    for visit in walks.visits:
        position = visit.position
        for given, tokens in _offers(visit, walks, chance):
            try:
                listed = {move.token for move in position.legal(given)}
            except GivenError:
                continue  # nobody can have this hand now
            for token in tokens:
                if token not in listed | unlisted and _is_legal(position, token):
                    wants = "list it, or write it into unlisted of the samples"
                    where = _where(position, given)
                    yield f"{where} leaves out {token!r}, which is not refused: {wants}; {SEE}"
                    return


def _offers(visit: Visit, walks: Walks, chance: Random) -> Iterator[tuple[Any, Sequence[str]]]:
    """Yield hands or rolls, each with tokens that fit it.

    A token fits the hand with which `legal` listed it elsewhere; without hands any token fits.
    """
    enough = 2  # every visit asks for others, so all pairs would take too long
    others = chance.sample(walks.visits, min(enough, len(walks.visits)))
    if visit.given is not None:
        for other in others:
            yield other.given, [move.token for move in other.listed]
        return
    tokens = {*walks.tokens, *(move.token for other in others for move in other.listed)}
    yield None, chance.sample(sorted(tokens), min(MOST_TOKENS, len(tokens)))


def _is_legal(position: AnyPosition, token: str) -> bool:
    move = position.parse(token)
    return not isinstance(move, Refusal | Correction) and position.refusal(move) is None


def find_unreadable(walks: Walks, presentation: AnyPresentation) -> Iterator[str]:
    """Yield a sentence if the words of `describe` do not read back as the same position."""
    for position in walks.positions:
        try:
            words = position.describe()
            fault = _read_back(position, words, presentation)
        except Exception as error:  # noqa: BLE001  # a game may raise anything
            yield f"describe() or reading its words fails ({type(error).__name__}: {error}); {SEE}"
            return
        if fault:
            wants = "_read_layout and _set must give back what describe says"
            yield f"describe() returns {words!r}, {fault}: {wants}; {SEE}"
            return


def find_misplaced(walks: Walks, presentation: AnyPresentation) -> Iterator[str]:
    """Yield a sentence if the values of `slots` do not give the same position by `placement`."""
    see = "see: python -m pydoc beisitzer.plugin.presentation.Presentation"
    tx = Texts("en")
    for position in walks.positions:
        try:
            slots = presentation.slots(tx, position)
            values = [tuple(part.value for part in slot.parts) for slot in slots]
            words = presentation.placement(position, values)
            fault = _read_back(position, words, presentation)
        except Exception as error:  # noqa: BLE001  # a game may raise anything
            yield f"slots() or placement() fails ({type(error).__name__}: {error}); {see}"
            return
        if fault:
            wants = 'for the values of slots() it must give that position: "Check table" plays it'
            yield f"{_name(position)} placement() returns {words!r}, {fault}: {wants}; {see}"
            return


def _read_back(position: AnyPosition, words: str, presentation: AnyPresentation) -> str:
    """Return what goes wrong when these words correct the position; "" if it stays as it is.

    The picture is compared too: words that leave something out read back as themselves.
    """
    move = position.parse(f"<{words}>")
    if isinstance(move, Refusal):
        return f"which cannot be read ({move.facts.get('reason', move.code)})"
    after, _ = position.play(move)
    if after.describe() != position.describe():
        return f"which reads as {after.describe()!r}"
    tx = Texts("en")
    same = presentation.picture(tx, after) == presentation.picture(tx, position)
    return "" if same else "which reads as another board: its picture differs"


def find_wrong_seats(walks: Walks) -> Iterator[str]:
    """Yield a sentence if a game is over and `seat` is not that of the last mover."""
    for ending in walks.endings:
        seat = ending.position.seat
        if seat != ending.mover:
            words = f"{ending.token!r} ends the game and leaves seat {seat}"
            yield f"{words}: it must stay that of the last mover, {ending.mover}; {SEE}"
            return
