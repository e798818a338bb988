"""The rules agree with themselves: listed moves are legal, and described positions read back."""

from random import Random

import pytest

from beisitzer.testing.parts import Candidate
from beisitzer.testing.walks import visits
from engines.game import AnyPosition, Correction, Refusal
from engines.notation import Fault
from pi_app.texts.language import Texts

TOKEN_LIMIT = 40
"""How many tokens are tried in one position."""


def test_every_listed_move_is_legal(candidate: Candidate) -> None:
    for visit in visits(candidate):
        position, given, listed = visit.position, visit.given, visit.listed
        if listed is None:
            continue
        where = f"in {position!r} legal({given!r}) lists"
        assert listed, (
            f"{where} no move although the game is not over: "
            "list one, or let the move before it end the game with a result"
        )
        formed = {move.token for move in position.candidates(given)}
        for move in listed:
            refusal = position.refusal(move)
            assert refusal is None, f"{where} {move.token!r}, which is refused: {refusal.code}"
            assert move.token in formed, f"{where} {move.token!r}, which candidates() leaves out"


def test_every_legal_move_is_listed(candidate: Candidate) -> None:
    samples, chance = candidate.samples, Random(1)
    played = [visit for visit in visits(candidate) if visit.listed is not None]
    tokens = {*samples.tokens, samples.other[1], *(visit.token for visit in visits(candidate))}
    for visit in played:
        # a token fits the hand with which `legal` listed it elsewhere; without hands any token fits
        for other in chance.sample(played, min(2, len(played))):
            try:
                listed = {move.token for move in visit.position.legal(other.given)}
            except Fault:
                continue  # nobody can have this hand now
            tried = {move.token for move in other.listed or ()}
            if other.given is None:
                tried |= {*chance.sample(sorted(tokens), min(TOKEN_LIMIT, len(tokens)))}
            for token in sorted(tried - listed - {*samples.unlisted.split()}):
                move = visit.position.parse(token)
                refused = isinstance(move, Refusal | Correction) or visit.position.refusal(move)
                assert refused, (
                    f"in {visit.position!r} legal({other.given!r}) leaves out {token!r}, which is "
                    "not refused: list it, or write it into unlisted of the samples"
                )


def check_words(candidate: Candidate, position: AnyPosition, words: str, source: str) -> None:
    """Fail if these words, as a correction, change the position.

    The picture is compared too, as incomplete words would still read back as themselves.
    """
    tx, draw = Texts("en"), candidate.presentation.picture
    where = f"in {position!r} {source} returns {words!r}, which"
    move = position.parse(f"<{words}>")
    assert not isinstance(move, Refusal), f"{where} cannot be read: {move.facts or move.code}"
    after, _ = position.play(move)
    wants = "_read_layout and _set must give the position back"
    assert after.describe() == position.describe(), f"{where} reads as {after!r}: {wants}"
    same = draw(tx, after) == draw(tx, position)
    assert same, f"{where} reads as another board, its picture differs: {wants}"


def test_a_described_position_reads_back(candidate: Candidate) -> None:
    for visit in visits(candidate):
        if visit.position.result is None:
            check_words(candidate, visit.position, visit.position.describe(), "describe()")


def test_the_places_of_a_position_give_it_back(candidate: Candidate) -> None:
    presentation = candidate.presentation
    if presentation.places is None:
        pytest.skip('the game has no places for "Check table": that is fine')
    for position in [visit.position for visit in visits(candidate)]:
        if position.result is None:
            slots = presentation.places.slots(Texts("en"), position)
            values = [tuple(part.value for part in slot.parts) for slot in slots]
            words = presentation.places.placement(position, values)
            check_words(candidate, position, words, "placement() of the values of slots()")


def test_the_seat_of_a_game_that_is_over_is_the_last_movers(candidate: Candidate) -> None:
    for visit in visits(candidate):
        if visit.position.result is not None and visit.mover is not None:
            words = f"{visit.token!r} ends the game: the seat must stay that of the last mover"
            assert visit.position.seat == visit.mover, words
