"""The store of games and of facts about people; nothing outside imports its modules."""

from pi_app.store.disk import News as News
from pi_app.store.disk import StoreInUseError as StoreInUseError
from pi_app.store.disk import StoreLock as StoreLock
from pi_app.store.game import CLOCK_SET as CLOCK_SET
from pi_app.store.game import DAY_ALONE as DAY_ALONE
from pi_app.store.game import NOTHING as NOTHING
from pi_app.store.game import SESSION as SESSION
from pi_app.store.game import GameEntry as GameEntry
from pi_app.store.game import StoredGame as StoredGame
from pi_app.store.game import content_key as content_key
from pi_app.store.game import game_in as game_in
from pi_app.store.game import new_file as new_file
from pi_app.store.names import BOT_SEATS as BOT_SEATS
from pi_app.store.names import Renaming as Renaming
from pi_app.store.people import PEOPLE_FILE as PEOPLE_FILE
from pi_app.store.reader import Reader as Reader
from pi_app.store.store import Store as Store
from pi_app.store.store import is_stored_name as is_stored_name
