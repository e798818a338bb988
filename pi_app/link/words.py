"""Words for troubles of club and house, and for a game's verdict."""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.link.contract import Verdict
from pi_app.texts.language import Text, Texts

CLUB_WORDS: Mapping[str, Text] = {
    "": Text("line", "connected"),
    "unjoined": Text("line", "no club was joined"),
    "name": Text("line", "nobody knows the hub's name"),
    "away": Text("line", "the hub does not answer"),
    "certificate": Text("line", "another hub answers than the one that was joined"),
    "unconfirmed": Text("line", "the organiser has to confirm this table"),
    "token": Text("line", "the hub does not know this table: join again"),
    "twice": Text("line", "the same card is in two machines"),
    "hub": Text("line", "another hub answers than the one that was joined"),
    "version": Text("line", "the hub speaks another version: update both"),
    "busy": Text("line", "the hub has too much to do"),
    "fault": Text("line", "the hub fails"),
    "waiting": Text("line", "no hub has answered yet"),
}
HOME_WORDS: Mapping[str, Text] = {
    "": Text("line", "connected"),
    "extra": Text("line", "not installed: pip install 'beisitzer[link]'"),
    "name": Text("line", "nobody knows the broker's name"),
    "away": Text("line", "the broker does not answer"),
    "certificate": Text("line", "the certificate is not the broker's"),
    "version": Text("line", "the broker has no MQTT 5"),
    "login": Text("line", "the broker refuses name or password"),
    "refused": Text("line", "the broker refuses the connection"),
    "waiting": Text("line", "no broker has answered yet"),
}
WHY_WORDS: Mapping[str, Text] = {
    "unknown-round": Text("line", "the hub does not know this round"),
    "version": Text("line", "the hub is newer"),
    "second": Text("line", "this round has a game already"),
    "no-record": Text("line", "it has no record"),
    "slow": Text("line", "its record takes too long"),
    "record": Text("line", "its record is wrong"),
    "unknown-game": Text("line", "the hub does not know this game"),
    "not-seated": Text("line", "these people were not seated here"),
    "duplicate-person": Text("line", "somebody sits there twice"),
    "foreign": Text("line", "another table has sent it"),
    "organiser": Text("line", "the organiser has refused it"),
    "bad": Text("line", "it cannot be read"),
}
"""Why a result waits for the organiser or was refused; another word is shown as it is."""


def why_words(tx: Texts, end: str, why: str) -> str:
    """Return the trouble of the club or the house in words."""
    return tx.say(CLUB_WORDS if end == "club" else HOME_WORDS, why) or why


def standing(tx: Texts, evening: str | None, verdict: Verdict | None) -> str:
    """Return a game's verdict in words; without an evening it stays at home."""
    if evening is None:
        return tx("line", "stays at home: # sends it")
    if verdict is None:
        return tx("line", "waiting")
    if verdict.counts:
        return tx("line", "counts")
    if verdict.why == "older":
        return tx("line", "the hub has a newer correction")
    if verdict.verdict == "locked":
        why = tx("line", "the next round was paired")
    elif verdict.verdict == "disputed":
        why = tx("line", "it says something else than before")
    else:
        why = tx.say(WHY_WORDS, verdict.why) or verdict.why or "?"
    if verdict.verdict == "refused":
        return tx("line", "refused: {why}", why=why)
    return tx("line", "waits for the organiser: {why}", why=why)
