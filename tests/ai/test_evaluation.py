"""The evaluation of a game: chances move by move, turning points, moments."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from ai import AI
from ai.evaluation import (
    CLEARLY,
    MOMENT_LIMIT,
    Point,
    evaluate,
    find_mistake,
    find_turns,
    point_of,
)
from ai.search import GameAI
from engines import begin, parse
from engines.game import AnyPosition, Step, steps

TEXT = (
    '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n[Position "yellow 6@35; red 5@36 4@37"]\n'
)


def point(move: int, *chances: float) -> Point:
    """Return a point of two seats; the second one's chance may be left out."""
    return Point(move, chances if chances[1:] else (chances[0], 1 - chances[0]))


def told(ai: GameAI, *chances: tuple[float, ...]) -> GameAI:
    """Return an AI that says these chances, one position after the other."""
    said = iter(chances)
    return replace(ai, value=lambda position, hand: next(said), spread=None, rate=None)


def test_a_point_for_the_start_and_one_a_move_the_last_one_certain() -> None:
    start, moves = played(TEXT + "1. 6")
    found = evaluate(AI["numeri"], start, moves).points
    assert [each.move for each in found] == [0, 1]
    assert found[-1].chances == (0, 1)
    assert found == evaluate(AI["numeri"], start, moves).points


def test_the_three_largest_falls_turn_a_game_in_its_order() -> None:
    falls = [0.9, 0.7, 0.65, 0.3, 0.2, 0.05]
    found = [point(at, chance, 1 - chance) for at, chance in enumerate(falls)]
    assert [(turn.move, turn.seat, round(turn.fell, 2)) for turn in find_turns(found)] == [
        (1, 0, 0.2),
        (3, 0, 0.35),
        (5, 0, 0.15),
    ]


def test_a_small_fall_turns_nothing() -> None:
    assert find_turns([point(0, 0.6), point(1, 0.6 - CLEARLY + 0.01)]) == []
    assert len(find_turns([point(0, 0.6), point(1, 0.6 - CLEARLY - 0.01)])) == 1


@pytest.mark.parametrize(
    ("before", "after", "moves"),
    [
        ((0.77, 0.23), (1, 0), []),
        ((0.23, 0.77), (1, 0), [1]),
        ((0.5, 0.5), (1, 0), [1]),
        ((0.77, 0.23), (0.5, 0.5), [1]),
        ((0.4, 0.3, 0.3), (1, 0, 0), []),
    ],
)
def test_a_last_move_turns_a_game_only_where_another_was_ahead(
    before: tuple[float, ...], after: tuple[float, ...], moves: list[int]
) -> None:
    found = [Point(0, before), Point(1, after)]
    assert [turn.move for turn in find_turns(found)] == moves


def test_a_table_that_was_put_right_is_no_turning_point() -> None:
    found = [point(0, 0.9), point(1, 0.3), point(2, 0.1)]
    assert [turn.move for turn in find_turns(found, {1})] == [2]


NUMERI = (
    '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n[Start "Ben"]\n'
    '[Position "yellow 1@24 2@28 3@16 4@17 5@13 6@4; red 1@31 2@12 3@26 4@11 5@22 6@9"]\n'
)


def played(text: str) -> tuple[AnyPosition, list[Step]]:
    record = parse(text)
    _, start = begin(record)
    return start, steps(start, record.tokens)


def test_where_all_is_open_a_move_is_judged_by_the_best_for_the_same_roll() -> None:
    start, (step,) = played(NUMERI + "5")
    ai = AI["numeri"]
    mistake = find_mistake(ai, start, step, 1)
    assert mistake is not None
    assert mistake.right[0] == "5:2,3"
    best = played(NUMERI + "5:2,3")[1][0]
    assert find_mistake(ai, start, best, 1) is None
    move = start.parse("5:2,3")
    assert mistake.reasons == tuple(ai.reasons(start, move, 5)) != ()


def test_what_is_as_good_as_the_best_is_no_mistake_and_has_one_token_each() -> None:
    start, (step,) = played(NUMERI + "5")
    mistake = find_mistake(AI["numeri"], start, step, 1)
    assert mistake is not None
    afters = []
    for token in mistake.right:
        _, (other,) = played(NUMERI + token)
        afters.append(other.after)
        assert find_mistake(AI["numeri"], start, other, 1) is None
    assert step.after not in afters
    assert all(afters.count(after) == 1 for after in afters)


def test_moments_are_each_players_largest_mistakes_in_the_order_of_the_game() -> None:
    text = (Path(__file__).parents[1] / "scenes" / "course.toml").read_text()
    start, moves = played(tomllib.loads(text)["games"][0])
    ai = AI["numeri"]
    found = evaluate(ai, start, moves).moments
    assert found
    assert [each.move for each in found] == sorted(each.move for each in found)
    befores = [start, *(step.after for step in moves)]
    every = [
        mistake
        for n, step in enumerate(moves, 1)
        if (mistake := find_mistake(ai, befores[n - 1], step, n)) is not None
    ]
    for seat in range(2):
        own = [each for each in found if each.seat == seat]
        lost = sorted((each.lost for each in every if each.seat == seat), reverse=True)
        assert sorted((each.lost for each in own), reverse=True) == lost[:MOMENT_LIMIT]


def test_the_reasons_of_every_moment_are_those_of_the_move_that_it_names() -> None:
    text = (Path(__file__).parents[1] / "scenes" / "course.toml").read_text()
    start, moves = played(tomllib.loads(text)["games"][0])
    ai, positions = AI["numeri"], [start, *(step.after for step in moves)]
    for moment in evaluate(ai, start, moves).moments:
        before = positions[moment.move - 1]
        given = ai.given_of(before.parse(moves[moment.move - 1].token)) if ai.given_of else None
        named = before.parse(moment.right[0])
        assert moment.reasons == tuple(ai.reasons(before, named, given))


def test_a_game_without_a_mistake_has_no_moment() -> None:
    start, moves = played(NUMERI + "5:2,3")
    assert evaluate(AI["numeri"], start, moves).moments == ()


def test_a_move_with_unseen_cards_is_never_judged() -> None:
    start, (step,) = played(
        '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
        '[Position "yellow 1x2 14x2 30x2; red 7x1"]\n3'
    )
    assert find_mistake(AI["just4fun"], start, step, 1) is None


def test_a_better_move_is_told_of_a_turning_point_that_its_player_made() -> None:
    start, moves = played(NUMERI + "5")
    turns = evaluate(AI["numeri"], start, moves).turns
    assert [(turn.seat, turn.better) for turn in turns] in ([], [(1, "5:2,3")])
    other = replace(AI["numeri"], given_of=None)
    assert not any(turn.better for turn in evaluate(other, start, moves).turns)


def test_a_last_move_that_wins_has_not_turned_the_game() -> None:
    start, moves = played(
        (Path(__file__).parents[1] / "records" / "einmaleins-out.txt").read_text()
    )
    result = moves[-1].after.result
    assert result is not None
    assert result.winners == (moves[-1].player.name,)
    winner = start.players.index(moves[-1].player)
    won = tuple(float(seat == winner) for seat in range(len(start.players)))
    lost = tuple((1 - chance) / (len(won) - 1) for chance in won)
    ai = told(AI["einmaleins"], *[lost] * len(moves))
    evaluation = evaluate(ai, start, moves)
    assert find_turns(evaluation.points)
    assert not evaluation.turns


def test_who_waits_is_asked_after_each_move() -> None:
    start, moves = played(NUMERI + "5 4")
    rests: list[int] = []
    evaluate(AI["numeri"], start, moves, lambda: rests.append(1))
    assert len(rests) == len(moves)


J4F = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'


def test_unseen_hands_make_a_band_in_sequence() -> None:
    text = '[Game "sequence"]\n[Players "Anna blue, Ben green"]\n'
    near = played(text + '[Position "blue r1c2 r1c3 r1c4; green r8c8"]\n')[0]
    wide = point_of(AI["sequence"], near, 0).spreads
    assert all(0 < spread < 0.5 for spread in wide)
    assert wide[0] == pytest.approx(wide[1])
    assert point_of(AI["just4fun"], played(J4F)[0], 0).spreads == ()
