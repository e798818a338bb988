"""What the AI of Sequence reads of a position, and which moves its score prefers."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from ai.match import play_matches, seat_players
from ai.sequence import AI
from ai.sequence.dealing import deal, resume
from ai.sequence.value import (
    CHIPS,
    JACKS_AT,
    KNOWN_AT,
    PILE_AT,
    chances,
    features,
    rate,
    reply,
    score_moves,
    spread,
)
from engines import GAMES, begin, parse
from engines.sequence.board import (
    BITS,
    CARD_BITS,
    CARDS,
    CORNERS,
    ONE_EYED,
    SQUARES,
    TWO_EYED,
    WINDOW_NAMES,
)
from engines.sequence.rules import SequencePosition
from tests.ai.opponents.sequence import greedy

TWO = "Anna blue, Ben green"
THREE = "Anna blue, Ben green, Cleo red"


def at_table(table: str, players: str = TWO, **rules: str) -> SequencePosition:
    """Return a position with these chips, the first player to move."""
    said = " ".join(f"{key}={value}" for key, value in rules.items())
    lines = ['[Game "sequence"]', f'[Players "{players}"]', f'[Position "{table}"]']
    _, position = begin(parse("\n".join([*lines, *([f'[Rules "{said}"]'] if said else [])]) + "\n"))
    assert isinstance(position, SequencePosition)
    return position


@pytest.mark.parametrize(
    ("table", "hand", "best"),
    [
        # r1c2 to r1c4 are 2S 3S 4S, r1c5 is 5S; the corner counts
        ("blue r1c2 r1c3 r1c4; green r9c9", "5S 9D KH", "5S@r1c5"),
        ("green r1c2 r1c3 r1c4; blue r9c9", "5S 9D KH", "5S@r1c5"),
        ("green r1c2 r1c3 r1c4; blue r9c9", "JS 9D KH", "JS-r1c"),
        ("blue r1c2 r1c3 r1c4; green r9c9", "JD 9D KH", "JD@r1c5"),
        ("blue r9c9; green r5c5", "JD 9D KH", "KH@"),
    ],
)
def test_the_score_completes_a_five_blocks_one_and_keeps_jacks(
    table: str, hand: str, best: str
) -> None:
    position = at_table(table)
    cards = tuple(hand.split())
    scored = score_moves(position, cards)
    assert {move for move, _ in scored} == set(position.legal(cards))
    assert scored[0][0].token.startswith(best)
    assert reply(position, cards) == scored[0][0] == rate(position, cards)[0][0]


def test_a_move_that_wins_is_certain_and_a_dead_card_goes_first() -> None:
    wins = at_table("blue r1c2 r1c3 r1c4; green r9c9", sequences="1")
    rated = {move.token: chance for move, chance in rate(wins, ("5S", "9D"))}
    assert [token for token, chance in rated.items() if chance == 1.0] == ["5S@r1c5"]
    dead = at_table("blue r1c2 r1c3 r1c4; green r9c9 " + " ".join(squares_of("9D")))
    assert str(rate(dead, ("5S", "9D"))[0][0].token) == "9D!"


def squares_of(card: str) -> tuple[str, ...]:
    return at_table("").squares_of(card)


def gone(position: SequencePosition, card: str) -> int:
    bit = CARD_BITS[card]
    return bool(position.piles.once & bit) + bool(position.piles.twice & bit)


def row_of(position: SequencePosition, team: int, hand: tuple[str, ...] | None) -> Counter[int]:
    """Return a team's features, found square by square; `hand` is its own, if it is known."""
    chips = position.chips[team]
    others = sum(own for other, own in enumerate(position.chips) if other != team)
    lines = position.sequences[team]
    closing = CHIPS * (len(lines) + 1 >= position.needed)
    held = Counter(hand or ())
    wilds, takers = (sum(held[jack] for jack in kind) for kind in (TWO_EYED, ONE_EYED))
    found: Counter[int] = Counter([PILE_AT + min(10, position.draw_pile // 10)])
    completes = 0
    for five, names in WINDOW_NAMES.items():
        if others & five or any((five & line).bit_count() >= 2 for line in lines):
            continue
        count = ((chips | CORNERS) & five).bit_count()
        missing = [
            position.codes[SQUARES.index(name)]
            for name in names
            if not (chips | CORNERS) & BITS[SQUARES.index(name)]
        ]
        if hand is None:
            lost = sum(gone(position, card) + known[card] >= 2 for card in missing)
            if count == 4:
                lost = min(2, gone(position, missing[0]) + known[missing[0]])
            found[(closing + count) * 3 + min(2, lost)] += 1
            continue
        filled = sum(card in held for card in missing)
        lost = sum(card not in held and gone(position, card) >= 2 for card in missing)
        completes += count == 4 and bool(filled or wilds)
        shape = ((closing + count) * 6 + filled) * 3 + (min(wilds, 2) if count >= 2 else 0)
        found[KNOWN_AT + shape * 3 + min(2, lost)] += 1
    if hand is not None:
        found[JACKS_AT + min(3, wilds)] += 1
        found[JACKS_AT + 4 + min(3, takers)] += 1
        found[JACKS_AT + 8 + min(2, completes)] += 1
    return found


known: Counter[str] = Counter()
"""Cards that are in the hand of the player to move, who knows them."""


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seen", [False, True])
def test_the_features_are_those_of_the_position(players: int, seen: bool) -> None:
    chance = Random(5)
    game = deal(seat_players(GAMES["sequence"], players), chance)
    while game.position.result is None:
        position, hand = game.position, game.given()
        known.clear()
        known.update(hand if seen else ())
        table, rows = features(position, hand if seen else None)
        assert table.endswith("-seen") is seen
        mover = position.terms.team_of[position.seat]
        for team, (role, row) in enumerate(rows):
            assert (mover + role) % len(rows) == team
            own = hand if seen and team == mover else None
            assert row == row_of(position, team, own), position
        game.play(reply(position, hand) if chance.random() < 0.7 else chance.choice(moves_of(game)))


def moves_of(game: Any) -> Any:
    return game.position.legal(game.given())


@pytest.mark.parametrize(
    ("table", "least", "most"),
    [
        ("blue r3c2 r3c3 r3c4 r3c5 r7c2-r7c6; green r9c9", 0.7, 1.0),
        ("green r3c2 r3c3 r3c4 r3c5 r7c2-r7c6; blue r9c9", 0.0, 0.35),
    ],
)
@pytest.mark.parametrize("hand", [None, ("AH", "KD", "2C")])
def test_the_model_sees_who_is_ahead(
    table: str, least: float, most: float, hand: tuple[str, ...] | None
) -> None:
    found = chances(at_table(table), hand)
    assert sum(found) == pytest.approx(1)
    assert least <= found[0] <= most


def test_hands_matter_most_where_both_may_win() -> None:
    even, ahead = (
        at_table(table) for table in ("", "blue r3c2 r3c3 r3c4 r3c5 r7c2-r7c6; green r9c9")
    )
    assert 0.02 < spread(ahead)[0] < spread(even)[0] < 0.4
    over = at_table("blue r1c1-r1c5 r7c2-r7c6; green r9c9")
    assert spread(over) == [0.0, 0.0]


def test_members_of_a_team_have_one_chance() -> None:
    found = chances(deal(seat_players(GAMES["sequence"], 6), Random(1)).position)
    assert found[:3] == found[3:]
    assert sum(found[:3]) == pytest.approx(1)


def test_a_deal_that_is_resumed_knows_what_the_position_shows_and_no_more() -> None:
    game = deal(seat_players(GAMES["sequence"], 3), Random(4))
    for number in range(60):
        position, hand = game.position, game.given()
        if position.result is not None:
            break
        world = resume(position, hand, Random(number))
        assert world.given() == hand
        assert [len(own) for own in world.hands()] == list(position.hands)
        held = Counter(card for own in world.hands() for card in own)
        assert all(held[card] + gone(position, card) <= 2 for card in CARDS)
        twin = world.copy()
        for each in (world, twin):
            each.play(reply(each.position, each.given()))
        assert world.hands() == twin.hands()
        assert world.position == twin.position
        game.play(reply(position, hand))


@pytest.mark.parametrize(
    ("players", "share"), [(2, 0.58), pytest.param(3, 0.38, marks=pytest.mark.nightly)]
)
def test_rating_alone_beats_greedy_players(players: int, share: float) -> None:
    bots = [lambda position, given, _: reply(position, given), *[greedy] * (players - 1)]
    won = [own for own, *_ in play_matches(GAMES["sequence"], AI, bots, 40 * players, 3)]
    assert sum(won) / len(won) > share
