"""Moments of games: what is kept for whom, when it is asked again, and what becomes of it."""

import json
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.evaluation import Evaluation, Mistake
from beisitzer.testing.pilot import NOW
from engines.game import Step, attempt
from engines.record import begin_game
from pi_app.past.moments import (
    GAME_LIMIT,
    MOST,
    ROUND,
    Moment,
    days_until_next,
    due_moments,
    forget_moments,
    games_looked_through,
    moments_of,
    question_of,
    store_answer,
    take_moments,
)
from pi_app.store import Store
from pi_app.table.players import BotSeats
from pi_app.table.table import Table

TAGS = {"Game": "numeri", "Players": "Anna yellow, Ben red"}
MOVES = "2 5 5 2 3 5 4 6 5 1 5:3,2 3 4 5 1 4:1,3 1 3 1 4 3 4 1 1 5:3,2 5 5:3,2 1 4:3,1 6"
COLOURS = ("yellow", "red", "green", "blue")
WHY = (("rolls-again", {"fields": [17, 18, 19]}),)


def played(store: Store, tokens: str = MOVES, tags: dict[str, str] = TAGS) -> Table:
    table = Table.begin(store, tags)
    for token in tokens.split():
        move = table.position.parse(token)
        table.play(move)  # type: ignore[arg-type]
    return table


def by_chance(rng: Random, tags: dict[str, str], most: int) -> Table:
    """Return a game of at most so many moves that chance played."""
    game, position = begin_game(tags)
    table = Table(None, 1, tags, game, position)
    while position.result is None and len(table.steps) < most:
        move = rng.choice(position.legal(rng.randint(1, 6)))
        step = attempt(position, move.token)
        assert isinstance(step, Step)
        table.steps.append(step)
        position = step.after
    return table


def mistake(table: Table, move: int, lost: float = 0.1, *right: str) -> Mistake:
    """Return a mistake in this move; the same move stands for a better one unless told."""
    before = table.steps[move - 2].after
    tokens = right or (table.steps[move - 1].token,)
    return Mistake(move, before.seat, lost, tokens, WHY)


def evaluated(*mistakes: Mistake) -> Evaluation:
    return Evaluation((), (), mistakes)


def taken(store: Store, *moves: int, tokens: str = MOVES) -> Table:
    """Play a game and take these moves as moments."""
    table = played(store, tokens)
    take_moments(store, table, evaluated(*(mistake(table, move) for move in moves)))
    return table


def moves_of(store: Store, name: str = "Anna") -> list[int]:
    return [moment.move for moment in moments_of(store, name)]


# --- what is kept


def test_each_person_gets_the_moments_of_their_own_moves() -> None:
    store = Store(":memory:")
    table = taken(store, 11, 12, 17)
    seats = [table.steps[move - 2].after.seat for move in (11, 12, 17)]
    for seat, name in enumerate(("Anna", "Ben")):
        expected = [move for move, each in zip((11, 12, 17), seats, strict=True) if each == seat]
        assert moves_of(store, name) == expected
    assert set(seats) == {0, 1}


def test_the_companion_gets_none() -> None:
    store = Store(":memory:")
    table = played(store)
    BotSeats(store, table.id).give({"Ben": "club"})
    bens = next(n for n, step in enumerate(table.steps, 1) if n > 1 and step.player.name == "Ben")
    take_moments(store, table, evaluated(mistake(table, 11), mistake(table, bens)))
    assert moves_of(store, "Anna") == [11]
    assert moves_of(store, "Ben") == []
    assert games_looked_through(store, "Ben") == []


def test_taking_a_game_again_writes_nothing() -> None:
    store = Store(":memory:")
    table = taken(store, 11, 12)
    before = store.stamp
    take_moments(store, table, evaluated(mistake(table, 11), mistake(table, 12)))
    assert store.stamp == before


def test_a_moment_holds_all_that_asking_needs_so_that_its_game_may_go() -> None:
    store, other = Store(":memory:"), Store(":memory:")
    table = taken(store, 11)
    name = table.steps[10].player.name
    other.remember_all(
        {
            f"moments/{name}/{key}": text
            for key, text in store.recall_under(f"moments/{name}/").items()
        }
    )
    (moment,) = moments_of(other, name)
    question = question_of(moment)
    assert question is not None
    assert question.table.position == table.steps[9].after
    assert question.played.after == table.steps[10].after
    assert (moment.game, moment.move, moment.reasons) == (table.id, 11, WHY)
    assert not question.table.stored


def test_a_game_that_is_corrected_loses_the_moments_it_had_and_keeps_what_is_as_before() -> None:
    store = Store(":memory:")
    table = taken(store, 11, 17, 25)
    name = table.steps[10].player.name
    (first, *_) = moments_of(store, name)
    answered = store_answer(store, name, first, NOW, right=True)
    take_moments(store, table, evaluated(mistake(table, 11), mistake(table, 25)))
    assert 17 not in moves_of(store, name)
    assert next(each for each in moments_of(store, name) if each.move == 11) == answered


def test_of_too_many_moments_the_one_known_best_goes() -> None:
    store = Store(":memory:")
    first = taken(store, 11)
    name = first.steps[10].player.name
    for _ in range(MOST - 1):
        taken(store, 11)
    assert len(moments_of(store, name)) == MOST
    known = moments_of(store, name)[5]
    for day in (0, 3):
        known = store_answer(store, name, known, NOW + timedelta(days=day), right=True)
    wrong = moments_of(store, name)[7]
    store_answer(store, name, wrong, NOW, right=False)
    last = taken(store, 11)
    games = [each.game for each in moments_of(store, name)]
    assert known.game not in games
    assert {first.id, wrong.game, last.id} <= {*games}
    assert len(games) == MOST
    assert len(games_looked_through(store, name)) == MOST + 1 <= GAME_LIMIT


def test_a_row_fits_on_a_page_of_the_store() -> None:
    store = Store(":memory:")
    tags = TAGS | {
        "Players": ", ".join(f"Maximilian of {colour} {colour}" for colour in COLOURS),
        "Board": "our own long track",
        "BoardData": " ".join(str(25 * (n % 5)) for n in range(38)),
    }
    table = by_chance(Random(1), tags, 70)
    move = len(table.steps)
    take_moments(store, table, evaluated(mistake(table, move, 0.1, *["6:1,2,3"] * 6)))
    rows = store.recall_under("moments/")
    assert any(key.endswith("/0") for key in rows)
    assert max(map(len, rows.values())) < 1024 - 150  # the progress and the key


@given(st.integers(0, 10**6), st.integers(2, 4))
def test_every_position_of_a_game_can_be_asked_again(seed: int, players: int) -> None:
    colours = COLOURS[:players]
    tags = {
        "Game": "numeri",
        "Players": ", ".join(f"P{colour} {colour}" for colour in colours),
        "Start": f"P{colours[seed % players]}",
    }
    rng = Random(seed)
    table = by_chance(rng, tags, 40)
    store = Store(":memory:")
    move = rng.randrange(2, len(table.steps) + 1)
    take_moments(store, table, evaluated(mistake(table, move)))
    before = table.steps[move - 2].after
    name = before.players[before.seat].name
    (moment,) = moments_of(store, name)
    question = question_of(moment)
    assert question is not None
    assert question.table.position == before
    assert question.best.after == table.steps[move - 1].after


# --- when it is asked


def due(store: Store, name: str, days: float = 0) -> list[int]:
    now = NOW + timedelta(days=days)
    return [each.move for each in due_moments(moments_of(store, name), now)]


def test_new_moments_are_asked_in_the_order_of_the_game_after_those_that_are_due() -> None:
    store = Store(":memory:")
    taken(store, 11, 17, 25)
    name = "Anna" if moves_of(store, "Anna") else "Ben"
    own = moves_of(store, name)
    assert due(store, name) == own
    moments = moments_of(store, name)
    store_answer(store, name, moments[-1], NOW, right=False)
    assert due(store, name) == own[:-1]
    assert due(store, name, days=30) == [own[-1], *own[:-1]]


@pytest.mark.parametrize(("right", "at_least"), [(True, 2), (False, 1)])
def test_an_answer_brings_a_moment_back_after_days(*, right: bool, at_least: int) -> None:
    store = Store(":memory:")
    table = taken(store, 11)
    name = table.steps[10].player.name
    (moment,) = moments_of(store, name)
    after = store_answer(store, name, moment, NOW, right=right)
    assert moments_of(store, name) == [after]
    assert due(store, name) == []
    days = days_until_next(moments_of(store, name), NOW)
    assert days is not None
    assert days >= at_least
    assert due(store, name, days=days) == [11]
    assert days_until_next(moments_of(store, name), NOW + timedelta(days=days)) is None


@given(st.lists(st.booleans(), min_size=1, max_size=8))
def test_right_answers_come_back_ever_later_and_a_wrong_one_sooner(answers: list[bool]) -> None:
    store = Store(":memory:")
    table = taken(store, 11)
    name = table.steps[10].player.name
    now, before = NOW, 0
    for right in answers:
        (moment,) = moments_of(store, name)
        store_answer(store, name, moment, now, right=right)
        days = days_until_next(moments_of(store, name), now)
        assert days is not None
        assert 1 <= days <= 180
        assert days >= before if right else days <= max(before, 1)
        now, before = now + timedelta(days=days), days


def test_only_so_many_are_asked_in_one_go_and_of_one_game_only_its_own() -> None:
    store = Store(":memory:")
    tables = [taken(store, 11, 17, 25) for _ in range(8)]
    name = "Anna" if len(moves_of(store, "Anna")) > ROUND else "Ben"
    moments = moments_of(store, name)
    assert len(moments) > ROUND
    assert len(due_moments(moments, NOW)) == ROUND
    own = due_moments(moments, NOW, tables[3].id)
    assert {each.game for each in own} == {tables[3].id}


# --- what goes wrong


def test_an_answer_counts_on_top_of_one_that_was_given_elsewhere_meanwhile() -> None:
    store = Store(":memory:")
    table = taken(store, 11)
    name = table.steps[10].player.name
    (moment,) = moments_of(store, name)
    store_answer(store, name, moment, NOW, right=False)
    after = store_answer(store, name, moment, NOW, right=True)
    assert after.progress is not None
    assert (after.progress.right, after.progress.wrong) == (1, 1)


def test_an_answer_to_what_is_no_longer_kept_is_stored_nowhere() -> None:
    store = Store(":memory:")
    table = taken(store, 11)
    name = table.steps[10].player.name
    (moment,) = moments_of(store, name)
    forget_moments(store, name)
    assert store_answer(store, name, moment, NOW, right=True) == moment
    assert moments_of(store, name) == []
    other = taken(store, 17, 25)
    before = moments_of(store, name)
    store_answer(store, name, moment, NOW, right=True)
    assert moments_of(store, name) == before
    assert {each.game for each in before} <= {other.id}


def test_forgetting_somebody_forgets_their_moments_only() -> None:
    store = Store(":memory:")
    table = taken(store, 11, 12)
    bens = next(n for n, step in enumerate(table.steps, 1) if n > 1 and step.player.name == "Ben")
    taken(store, bens)
    others = moments_of(store, "Ben")
    forget_moments(store, "Anna")
    assert moments_of(store, "Anna") == []
    assert games_looked_through(store, "Anna") == []
    assert moments_of(store, "Ben") == others != []


def test_a_moment_of_rules_that_are_gone_is_not_asked() -> None:
    store = Store(":memory:")
    table = taken(store, 11)
    (moment,) = moments_of(store, table.steps[10].player.name)
    assert question_of(replace(moment, tags={**moment.tags, "Game": "gone"})) is None
    assert question_of(replace(moment, played="9")) is None
    assert question_of(replace(moment, right=("9",))) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(Moment.__slots__), JSON))
def test_no_altered_row_stops_the_program(fields: dict[str, Any]) -> None:
    store = Store(":memory:")
    table = taken(store, 11)
    name = table.steps[10].player.name
    key = f"moments/{name}/0"
    row = json.loads(store.recall(key) or "")
    store.remember(key, json.dumps(row | fields))
    for moment in moments_of(store, name):
        question_of(moment)
        due_moments([moment], NOW)
        store_answer(store, name, moment, NOW, right=False)
    for text in ("[", "[]", "7", "null", "{}", "[" * 100_000):
        store.remember(key, text)
        store.remember(f"moments/{name}/games", text)
        assert moments_of(store, name) == []
        games_looked_through(store, name)
