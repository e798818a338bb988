"""Why a request was not carried out, in the table's language."""

from collections.abc import Callable, Mapping

from pi_app.texts.language import Texts

_SENTENCES: Mapping[str, Callable[[Texts], str]] = {
    "unpaired": lambda tx: tx(
        "page", "This browser is not paired: System, Phone at the table shows how."
    ),
    "epoch": lambda tx: tx(
        "page", "The companion was started anew: what was not confirmed is gone."
    ),
    "n": lambda tx: tx("page", "This was keyed in another window of this browser: reload it."),
    "old": lambda tx: tx("page", "This was keyed in another window of this browser: reload it."),
    "busy": lambda tx: tx("page", "The companion is busy: try again."),
    "wrong": lambda tx: tx("page", "This is not the code on show."),
    "wait": lambda tx: tx("page", "Wait a moment before you try again."),
    "closed": lambda tx: tx("page", "No code is on show: choose System, Phone at the table."),
    "claimed": lambda tx: tx("page", "Somebody else has this seat."),
    "unclaimed": lambda tx: tx("page", "Take your seat first."),
    "turn": lambda tx: tx("page", "It is somebody else's turn."),
    "elsewhere": lambda tx: tx(
        "page", "The table is busy with something else: go back to the game there."
    ),
    "none": lambda tx: tx("page", "There is no such thing at the table."),
    "cards": lambda tx: tx("page", "These cards cannot be a hand."),
    "help": lambda tx: tx("page", "Your level of help gives no tips."),
    "fault": lambda tx: tx("page", "This failed: beisitzer report collects what helps to mend it."),
}


def sentence(tx: Texts, error: str) -> str:
    """Say in one sentence why a request was not carried out."""
    said = _SENTENCES.get(error)
    return said(tx) if said else tx("page", "The companion does not understand this.")
