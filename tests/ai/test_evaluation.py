"""The evaluation of a game: chances move by move, turning points above two standard errors."""

import io
import json
import os
import sys
import tomllib
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from ai import AI, worker
from ai.evaluation import (
    MOST_MOMENTS,
    SEED,
    Evaluation,
    Point,
    Turn,
    evaluate,
    find_mistake,
    find_turns,
    measure_points,
    no_pause,
)
from engines import begin, parse
from engines.game import AnyPosition
from engines.replay import Step, steps

TEXT = (
    '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n[Position "yellow 6@35; red 5@36 4@37"]\n'
)


def point(move: int, *chances: float, error: float = 0.01) -> Point:
    return Point(move, chances, (error,) * len(chances))


def test_a_point_for_the_start_and_one_a_move_the_last_one_certain() -> None:
    record = parse(TEXT + "1. 6")
    _, start = begin(record)
    played = steps(start, record.tokens)
    found = list(measure_points(AI["numeri"], start, played, 20))
    assert [each.move for each in found] == [0, 1]
    assert found[-1].errors == (0, 0)
    assert found[-1].chances == (0, 1)
    assert found == list(measure_points(AI["numeri"], start, played, 20))


def test_no_chance_of_a_few_play_outs_is_certain() -> None:
    record = parse(TEXT)
    _, start = begin(record)
    first = next(measure_points(AI["numeri"], start, [], 5))
    assert all(error > 0 for error in first.errors)


def test_the_three_largest_falls_turn_a_game_in_its_order() -> None:
    falls = [0.9, 0.7, 0.65, 0.3, 0.2, 0.05]
    found = [point(at, chance, 1 - chance) for at, chance in enumerate(falls)]
    assert [(turn.move, turn.seat, round(turn.fell, 2)) for turn in find_turns(found)] == [
        (1, 0, 0.2),
        (3, 0, 0.35),
        (5, 0, 0.15),
    ]


def test_a_fall_within_two_standard_errors_turns_nothing() -> None:
    assert find_turns([point(0, 0.6, error=0.05), point(1, 0.47, error=0.05)]) == []
    assert len(find_turns([point(0, 0.6, error=0.05), point(1, 0.44, error=0.05)])) == 1


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
    errors = (0.03,) * len(before)
    found = [Point(0, before, errors), Point(1, after, (0.0,) * len(after))]
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
    mistake = find_mistake(ai, start, step, 1, 200, SEED)
    assert mistake is not None
    assert mistake.right[0] == "5:2,3"
    best = played(NUMERI + "5:2,3")[1][0]
    assert find_mistake(ai, start, best, 1, 200, SEED) is None
    move = start.parse("5:2,3")
    assert mistake.reasons == tuple(ai.reasons(start, move, 5)) != ()


def test_what_is_as_good_as_the_best_is_no_mistake_and_has_one_token_each() -> None:
    start, (step,) = played(NUMERI + "5")
    mistake = find_mistake(AI["numeri"], start, step, 1, 200, SEED)
    assert mistake is not None
    afters = []
    for token in mistake.right:
        _, (other,) = played(NUMERI + token)
        afters.append(other.after)
        assert find_mistake(AI["numeri"], start, other, 1, 200, SEED) is None
    assert step.after not in afters
    assert all(afters.count(after) == 1 for after in afters)


def test_moments_are_each_players_largest_mistakes_in_the_order_of_the_game() -> None:
    text = (Path(__file__).parents[1] / "scenes" / "course.toml").read_text()
    start, moves = played(tomllib.loads(text)["games"][0])
    ai = AI["numeri"]
    evaluation = evaluate(ai, start, moves, 60, SEED, [])
    found = evaluation.moments
    assert [each.move for each in found] == sorted(each.move for each in found)
    befores = [start, *(step.after for step in moves)]
    every = [
        mistake
        for n, step in enumerate(moves, 1)
        if (mistake := find_mistake(ai, befores[n - 1], step, n, 60, SEED)) is not None
    ]
    for seat in range(2):
        own = [each for each in found if each.seat == seat]
        lost = sorted((each.lost for each in every if each.seat == seat), reverse=True)
        assert sorted((each.lost for each in own), reverse=True) == lost[:MOST_MOMENTS]
    assert Evaluation.from_text(evaluation.as_text()) == evaluation


def test_a_game_without_a_mistake_has_no_moment() -> None:
    start, moves = played(NUMERI + "5:2,3")
    assert evaluate(AI["numeri"], start, moves, 200, SEED, []).moments == ()


def test_a_move_with_unseen_cards_is_never_judged() -> None:
    start, (step,) = played(
        '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
        '[Position "yellow 1x2 14x2 30x2; red 7x1"]\n3'
    )
    assert find_mistake(AI["just4fun"], start, step, 1, 40, SEED) is None


def test_only_who_played_can_have_made_a_mistake() -> None:
    start, moves = played(NUMERI + "5 4")
    ai = AI["numeri"]
    one = [point(0, 0.4, 0.6), point(1, 0.7, 0.3), point(2, 0.71, 0.29)]
    assert evaluate(ai, start, moves, 200, SEED, one).turns[0].better == "5:2,3"
    other = [point(0, 0.6, 0.4), point(1, 0.3, 0.7), point(2, 0.31, 0.69)]
    assert not evaluate(ai, start, moves, 200, SEED, other).turns[0].better


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
    found = [
        *(Point(n, lost, (0.0,) * len(won)) for n in range(len(moves))),
        Point(len(moves), won, (0.0,) * len(won)),
    ]
    assert find_turns(found)
    assert not evaluate(AI["einmaleins"], start, moves, 40, SEED, found).turns


def test_unseen_hands_make_a_band_in_sequence() -> None:
    text = '[Game "sequence"]\n[Players "Anna blue, Ben green"]\n'
    spreads = AI["sequence"].spreads
    assert spreads is not None
    near = played(text + '[Position "blue r1c2 r1c3 r1c4; green r8c8"]\n')[0]
    wide = spreads(near, 40, Random(1))
    assert wide == spreads(near, 40, Random(1))
    assert all(0 < spread < 0.5 for spread in wide)
    assert wide[0] == pytest.approx(wide[1])
    assert all(AI[game].spreads is None for game in ("just4fun", "numeri", "einmaleins"))


def test_a_band_leaves_out_what_play_outs_differ_by_chance() -> None:
    """Twenty deals of so few play-outs lie far apart; hands alone explain much less."""
    start, _ = played('[Game "sequence"]\n[Players "Anna blue, Ben green"]\n')
    spreads = AI["sequence"].spreads
    assert spreads is not None
    by_chance = sqrt(0.25 / 2)
    assert max(spreads(start, 20, Random(2))) < by_chance


def test_a_course_reads_back_and_nothing_else_does() -> None:
    told = Evaluation(40, (point(0, 0.5, 0.5), point(1, 0.0, 1.0)), (Turn(1, 0, 0.5, "5:2,3"),))
    assert Evaluation.from_text(told.as_text()) == told
    for text in ("", "[]", "{}", '{"tries":1,"points":[{}],"turns":[]}', '{"tries":"x"}'):
        with pytest.raises(ValueError, match=r"evaluation|Expecting"):
            Evaluation.from_text(text)


def test_the_worker_counts_the_moves_and_ends_with_the_course() -> None:
    record = parse(TEXT + "1. 6")
    asked = json.dumps({"tags": dict(record.tags), "tokens": list(record.tokens)})
    said = io.StringIO()
    worker.work(io.StringIO(asked), said)
    *counted, last = said.getvalue().splitlines()
    assert counted == ["0", "1"]
    found = Evaluation.from_text(last)
    assert found.tries == AI["numeri"].tries
    assert found.points[-1].chances == (0, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows idle processes")
def test_the_worker_takes_what_time_nobody_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(os, "nice", lambda more: asked.append((more,)))
    monkeypatch.setattr(os, "sched_setscheduler", lambda pid, kind, _: asked.append((pid, kind)))
    assert worker.lower_priority() is no_pause
    assert asked == [(19,), (0, os.SCHED_IDLE)]


def test_where_priorities_are_forbidden_it_rests_half_of_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "nice", forbidden)
    assert worker.lower_priority() is not no_pause
    now, slept = [10.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    breaks = worker.Breaks(lambda: now[0], sleep)
    for worked in (3.0, 0.5):
        now[0] += worked
        breaks.take()
    assert slept == [3.0, 0.5]


def test_the_worker_rests_after_each_point_and_each_judged_move() -> None:
    record = parse(TEXT + "1. 6")
    asked = json.dumps({"tags": dict(record.tags), "tokens": list(record.tokens)})
    rests: list[int] = []
    worker.work(io.StringIO(asked), io.StringIO(), lambda: rests.append(1))
    assert len(rests) == 3
