"""A child that has learnt the times tables for some weeks: for tests and the documentation."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache

from beisitzer.testing.pilot import NOW
from pi_app.past.times_tables import ROUND, store_answer, tables_of
from pi_app.settings.schema import HelpLevel
from pi_app.store import Store
from pi_app.table.players import KnownPlayer, save_players

DAYS = 10


def learn(store: Store, name: str = "Anna", now: datetime = NOW) -> None:
    """Let a player that says each task practise once a day; greater factors are often wrong.

    The store must know nobody yet.
    """
    store.remember_all(_practise(name, now))


@cache
def _practise(name: str, now: datetime) -> Mapping[str, str]:
    """Return what a store remembers then: a hundred answers take their time, scenes need them."""
    store = Store(":memory:")
    save_players(store, [KnownPlayer(name, "yellow", HelpLevel.NONE, says=True)])
    for day in range(DAYS, 0, -1):
        moment = now - timedelta(days=day)
        for task in tables_of(store, name).weakest(moment, ROUND):
            easy = min(task) in (1, 2, 5) or max(task) == 10
            store_answer(store, name, task, moment, right=easy or (sum(task) + day) % 3 > 0)
    return store.recall_under("")
