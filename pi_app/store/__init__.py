"""The store of games and of what is remembered; nothing outside imports its modules."""

from pi_app.store.disk import Trouble
from pi_app.store.game import (
    CLOCK_SET,
    DAY_ALONE,
    SESSION,
    GameEntry,
    StoredGame,
    fingerprint,
)
from pi_app.store.lock import StoreInUseError, StoreLock, check_place
from pi_app.store.people import NAME as PEOPLE_FILE
from pi_app.store.reader import Reader
from pi_app.store.store import (
    NOTHING,
    Follower,
    News,
    PlayedElsewhere,
    Store,
    is_stored_name,
)

__all__ = [
    "CLOCK_SET",
    "DAY_ALONE",
    "NOTHING",
    "PEOPLE_FILE",
    "SESSION",
    "Follower",
    "GameEntry",
    "News",
    "PlayedElsewhere",
    "Reader",
    "Store",
    "StoreInUseError",
    "StoreLock",
    "StoredGame",
    "Trouble",
    "check_place",
    "fingerprint",
    "is_stored_name",
]
