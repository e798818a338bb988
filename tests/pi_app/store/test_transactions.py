"""What belongs together is kept by one transaction: a power cut leaves all of it or nothing.

That a transaction outlives a power cut, and half of one does not, is shown of moves by
`tests/crash/test_states.py`; of results for a club by `tests/pi_app/link/test_outbox.py`.
"""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from ai.evaluation import Evaluation, Mistake
from engines.game import Refusal
from pi_app.past.moments import forget_moments, moments_of, store_answer, take_moments
from pi_app.past.times_tables import count_wrong_answer, forget_tables
from pi_app.past.times_tables import store_answer as store_product
from pi_app.store.store import Store
from pi_app.table.players import BotSeats, stored_bot_seats
from pi_app.table.table import Table

NOW = datetime(2026, 3, 1, 16, tzinfo=UTC)
TAGS = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}
OVER_SOON = TAGS | {"Position": "yellow 1 14 30; red 2 3 4"}
FOUND = Evaluation((), (), tuple(Mistake(n, (n + 1) % 2, 0.1, ("4",)) for n in (2, 3)))


def play(table: Table, token: str) -> None:
    move = table.judge(token)
    assert not isinstance(move, Refusal), (token, move)
    table.play(move)


def played(store: Store, tags: dict[str, str], *tokens: str) -> Table:
    table = Table.begin(store, tags)
    for token in tokens:
        play(table, token)
    return table


def move_after_a_tip(store: Store) -> Callable[[], object]:
    table = played(store, TAGS)
    table.note_tip_shown()
    return lambda: play(table, "5")


def other_move_than_before(store: Store) -> Callable[[], object]:
    table = played(store, TAGS, "5", "6")
    table.undo()
    return lambda: play(table, "7")


def last_move(store: Store) -> Callable[[], object]:
    table = played(store, OVER_SOON)
    return lambda: play(table, "12+12")


def correction(store: Store) -> Callable[[], object]:
    table = played(store, OVER_SOON, "12+12")
    return lambda: table.rewrite(["5", "6", "12+12"])


def game_with_a_chair(store: Store) -> Callable[[], object]:
    return lambda: store.begin(TAGS, stored_bot_seats({"Ben": "best"}))


def chair(store: Store) -> Callable[[], object]:
    seats = BotSeats(store, store.begin(TAGS))
    return lambda: seats.give({"Anna": "club", "Ben": "best"})


def product(store: Store) -> Callable[[], object]:
    return lambda: store_product(store, "Anna", (3, 8), NOW, right=True)


def wrong_product(store: Store) -> Callable[[], object]:
    store_product(store, "Anna", (3, 8), NOW, right=False)
    return lambda: count_wrong_answer(store, "Anna", (3, 8), NOW)


def numeri(store: Store) -> Table:
    tags = {"Game": "numeri", "Players": "Anna yellow, Ben red"}
    return played(store, tags, "2", "5", "5", "2", "3")


def moments_of_both(store: Store) -> Callable[[], object]:
    table = numeri(store)
    return lambda: take_moments(store, table, FOUND)


def answer_to_a_moment(store: Store) -> Callable[[], object]:
    take_moments(store, numeri(store), FOUND)
    moment = moments_of(store, "Anna")[0]
    return lambda: store_answer(store, "Anna", moment, NOW, right=True)


def forgotten_products(store: Store) -> Callable[[], object]:
    store_product(store, "Anna", (3, 8), NOW, right=True)
    return lambda: forget_tables(store, "Anna")


def forgotten_moments(store: Store) -> Callable[[], object]:
    take_moments(store, numeri(store), FOUND)
    return lambda: forget_moments(store, "Anna")


@pytest.mark.parametrize(
    "prepare",
    [
        move_after_a_tip, other_move_than_before, last_move, correction, game_with_a_chair, chair,
        product, wrong_product, moments_of_both, answer_to_a_moment,
        forgotten_products, forgotten_moments,
    ],
)  # fmt: skip
def test_what_belongs_together_is_kept_by_one_transaction(
    prepare: Callable[[Store], Callable[[], object]],
) -> None:
    store = Store(":memory:")
    act = prepare(store)
    statements: list[str] = []
    store._db._state.db.set_trace_callback(statements.append)
    act()
    assert [each for each in statements if each in ("COMMIT", "ROLLBACK")] == ["COMMIT"]
    begun, ended = statements.index("BEGIN IMMEDIATE"), statements.index("COMMIT")
    outside = [*statements[:begun], *statements[ended + 1 :]]
    assert [each for each in outside if not each.startswith("SELECT")] == []
