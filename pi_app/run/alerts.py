"""Alerts that are not about the game: one after the other, over any screen."""

from collections.abc import Callable
from dataclasses import replace

from hardware.keys import Key
from pi_app.store import News
from pi_app.texts.language import Texts
from pi_app.view.frame import Alert, Frame, Tone

ALERT_S = 2.0
"""A key ends an alert that has been shown for at least this time."""


class Bulletin:
    """Alerts that wait to be shown. Keys still go to the screen below an alert."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.alerts: list[Alert] = []
        self._since: float | None = None
        """When the first alert was first shown; None: not yet."""

    def tell(self, text: str, tone: Tone = Tone.BAD) -> None:
        """Add an alert, unless the same one waits already."""
        alert = Alert(text, tone)
        if alert not in self.alerts:
            self.alerts.append(alert)

    def withdraw(self, text: str) -> None:
        """Remove an alert that is out of date, if it is still there."""
        kept = [alert for alert in self.alerts if alert.text != text]
        if self.alerts[:1] != kept[:1]:
            self._since = None
        self.alerts = kept

    def note_key(self) -> None:
        """Note that a key was pressed: it ends an alert that was shown long enough."""
        if self._since is not None and self._clock() - self._since >= ALERT_S:
            self.alerts.pop(0)
            self._since = None

    def lay_over(self, frame: Frame) -> Frame:
        """Return the frame with the current alert on top of it; a code that lets a phone in stays.

        People at a first start need that code, and may have no key yet that ends an alert.
        """
        if not self.alerts or frame.alert is not None or frame.board.code:
            return frame
        if self._since is None:
            self._since = self._clock()
        # the alert covers the screen, so its speech is left out
        return replace(frame, alert=self.alerts[0], speech=None)


def news_text(tx: Texts, news: News) -> tuple[str, Tone]:
    """Return the alert's text for news of the store, and its tone."""
    match news:
        case News.WRITTEN:
            return tx("alert", "Everything is stored again."), Tone.GOOD
        case News.FORGOTTEN:
            text = tx("alert", "What was known of people is damaged: check names and help.")
        case News.FULL:
            text = tx("alert", "The card is full. Leave it plugged in: free some space.")
        case News.READ_ONLY:
            text = tx("alert", "The card cannot be written. Leave it plugged in.")
        case News.GONE:
            text = tx("alert", "The file of games was gone: it is written anew.")
        case News.NO_FOLDER:
            text = tx("alert", "A file is where games go. Nothing is stored: see settings.")
        case News.FAILING:
            text = tx("alert", "The card is failing. Leave it plugged in.")
    return text, Tone.BAD


def fault_text(tx: Texts) -> str:
    """Return the alert's text for a screen that failed and was closed."""
    return tx("alert", "A fault: this page was closed. The game goes on.")


def lost_text(tx: Texts) -> str:
    """Return the alert's text for keys that were pressed and never arrived."""
    return tx("alert", "Keys were lost: check what you keyed last.")


def stuck_text(tx: Texts, key: Key) -> str:
    """Return the alert's text for a key that has been down too long for a finger."""
    if key.die is not None:
        return tx("alert", "Die button {face} is stuck: ignored until released.", face=key.die)
    return tx("alert", "Key {sign} is stuck: ignored until released.", sign=key.sign)
