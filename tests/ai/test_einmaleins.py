"""Einmaleins' value: the features of a laying are those of the position, by the rules."""

from random import Random
from typing import Any

import pytest

from ai import AI
from ai.einmaleins.value import (
    ANSWER,
    CARD,
    DRAWING,
    EACH,
    FEATURES,
    FIT,
    LACK,
    SECTIONS,
    TABLES,
    HandFeatures,
    rate,
    reply,
    score_moves,
    table_of,
)
from ai.weights_file import read_weights
from engines import begin, parse
from engines.einmaleins.cards import FREE, PAIRS, SQUARES
from engines.einmaleins.notation import DRAW, EinmaleinsMove, Lay
from engines.einmaleins.rules import EinmaleinsPosition
from tests.ai.games import deals

NUMBERS = list(PAIRS)
HEAD = '[Game "einmaleins"]\n[Players "Anna yellow, Ben red"]\n'


def position_of(text: str) -> EinmaleinsPosition:
    _, position = begin(parse(HEAD + text))
    assert isinstance(position, EinmaleinsPosition)
    return position


def has(card: str, factor: int) -> bool:
    return card == FREE or any(factor in pair for pair in PAIRS[int(card)])


def fits(card: str, pair: tuple[int, int]) -> bool:
    return has(card, pair[0]) or has(card, pair[1])


def known_to_lack(position: EinmaleinsPosition, seat: int, factor: int) -> int:
    """Return 2 if all cards but one lack the factor, 1 if all but three do, else 0."""
    cards = position.lacking[seat] if position.lacking else ()
    count = sum(lacking >> factor & 1 for lacking in cards)
    if not count:
        return 0
    return 2 if count >= len(cards) - 1 else int(count >= len(cards) - 3)


def unseen_numbers(position: EinmaleinsPosition, hand: tuple[str, ...]) -> list[str]:
    numbers = [
        str(number)
        for number in PAIRS
        if not position.piles.numbers >> number & 1
        and not (number == position.open.number and not position.open.free)
    ]
    return [number for number in numbers if number not in hand]


def wanted(
    position: EinmaleinsPosition, hand: tuple[str, ...], move: EinmaleinsMove
) -> tuple[int, ...]:
    """Return a move's features, found by the rules."""
    players, seat = len(position.players), position.seat
    after = (seat + 1) % players
    if not isinstance(move, Lay):
        own, other = min(len(hand), 7), min(position.hands[after], 7)
        return (DRAWING + (min(hand.count(FREE), 2) * 8 + own) * 8 + other,)
    rest = list(hand)
    rest.remove(FREE if move.free else str(move.number))
    square = int(move.number in SQUARES)
    if square:
        after = (seat + 2) % players
    if after == seat:
        after = 1 - seat
    other, left = min(position.hands[after], 7), min(len(rest), 7)
    fitting = min(sum(fits(card, move.pair) for card in rest), 7)
    unseen = unseen_numbers(position, hand)
    count = 43 - len(hand) - position.discards
    follow = sum(fits(card, move.pair) for card in unseen) * (256 * 36 // count) >> 8
    fewer, more = sorted(min(sum(has(card, factor) for card in rest), 2) for factor in move.pair)
    less, surer = sorted(known_to_lack(position, after, factor) for factor in move.pair)
    stage = 0 if left < 2 else 1 if left < 4 else 2
    card = len(NUMBERS) if move.free else NUMBERS.index(move.number)
    return (
        FIT + ((min(other, 3) - 1) * 2 + square) * 64 + left * 8 + fitting,
        ANSWER + (square * 8 + other) * 21 + min(follow, 20),
        CARD + stage * 43 + card,
        EACH + (square * 8 + left) * 9 + fewer * 3 + more,
        LACK
        + (square * 8 + other) * 6
        + [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)].index((less, surer)),
    )


def test_the_features_are_those_of_the_position() -> None:
    for deal in deals("einmaleins"):
        hand = HandFeatures(deal.position, deal.given())
        for move in deal.position.legal(deal.given()):
            assert hand.features(move) == wanted(deal.position, deal.given(), move)


def test_every_table_has_its_weights() -> None:
    weights = read_weights("einmaleins")
    assert set(weights) == set(TABLES)
    for table in TABLES:
        assert {name: len(weights[table][name]) for name in SECTIONS} == SECTIONS
    assert [table_of(count) for count in range(2, 7)] == ["two", "three", "more", "more", "more"]
    assert sum(SECTIONS.values()) == FEATURES


def test_a_reply_keeps_a_free_card_from_most_layings_and_is_the_best_of_the_rest() -> None:
    for deal in deals("einmaleins", 1):
        position, given = deal.position, deal.given()
        found = reply(position, given)
        moves = [
            move
            for move in position.legal(given)
            if not isinstance(move, Lay)
            or not move.free
            or len(given) <= 3
            or move.number in SQUARES
        ]
        scores = score_moves(position, given, moves)
        if len(given) > 1:
            assert scores[moves.index(found)] == pytest.approx(max(scores))
        else:
            assert isinstance(found, Lay) == (len(moves) > 1)


def test_who_can_lay_the_last_card_has_won() -> None:
    position = position_of('[Position "yellow 1; red 4; open 24=4x6"]\n')
    (move, chance), *_, (draw, lost) = rate(position, ("36",))
    assert (move.token, chance) == ("36=4x9", 1.0)
    assert (draw, lost) == (DRAW, 0.0)
    assert AI["einmaleins"].chances(position, ("36",)) == [1, 0]
    ((only, usual),) = rate(position, ("35",))
    assert only == DRAW
    assert 0 < usual < 1


def test_a_hand_is_dealt_without_what_its_player_could_not_lay() -> None:
    position = position_of('[Position "yellow 5; red 4; open 24=4x6"]\n')
    position, _ = position.play(position.parse("d"))  # type: ignore[arg-type]
    for seed in range(200):
        world: Any = AI["einmaleins"].resume(position, ("35", "7", "9", "10"), Random(seed))
        hand = world.hands()[0]
        assert len(hand) == 6
        numbers = [card for card in hand if card != FREE]
        # the card drawn is one of which nothing is known
        assert sum(has(card, 4) or has(card, 6) for card in numbers) <= 1
