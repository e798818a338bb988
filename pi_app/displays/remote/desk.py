"""The table as whoever listens to phones knows it."""

from typing import Protocol

from pi_app.displays.remote.wire import Reply
from pi_app.table.pairing import Browser
from pi_app.view.inputs import Input


class TableDesk(Protocol):
    """The table as clients meet it. Each method returns at once and answers later, in any thread.

    False: there is no room for one more request now, and `done` is not called.
    """

    def key(self, key: Input, done: Reply) -> bool:
        """Press a key, or tap the board."""

    def play(self, browser: Browser, seat: int, move: str, done: Reply) -> bool:
        """Play a move for a seat."""

    def seats(self, browser: Browser | None, done: Reply) -> bool:
        """Tell who sits where, and who claimed a seat."""

    def claim(self, browser: Browser, seat: int, done: Reply) -> bool:
        """Give a seat to a browser, in place of the one it had."""

    def release(self, browser: Browser, seat: int, done: Reply) -> bool:
        """Take a seat from the browser that has it."""

    def hand(self, browser: Browser, seat: int, cards: str, done: Reply) -> bool:
        """Tell what can be done with the cards of a seat."""

    def tip(self, browser: Browser, seat: int, cards: str, done: Reply) -> bool:
        """Tell what would be good with the cards of a seat."""

    def history(self, page: int, done: Reply) -> bool:
        """List games, the latest first."""

    def game(self, game: int, done: Reply) -> bool:
        """Tell all about one game of the history."""

    def statistics(self, game: str, done: Reply) -> bool:
        """Tell what the finished games say of one game; of none ("") which there are."""
