"""Who sits where in Sequence: teams in turn, seats that nobody named after their colour."""

from engines.sequence import COLOURS
from pi_app.table.draft import Draft
from pi_app.table.made_up import is_made_up, made_up
from pi_app.texts.language import Texts

TWO_OR_THREE = (6, 12)
"""Numbers of players that make two teams or three (printed: both possible; ruling: asked)."""


def team_count(players: int, wanted: int = 2) -> int:
    """Return how many teams so many players make, `wanted` where both are possible."""
    if players in TWO_OR_THREE:
        return wanted
    return 2 if players % 2 == 0 else 3


def seats(tx: Texts, count: int, draft: Draft | None, teams: int = 0) -> list[tuple[str, str]]:
    """Return (name, team) for `count` players, teams in turn; names people chose are kept.

    `teams` is 2 or 3, or 0 for as many as the draft has.
    """
    kept = draft.players if draft else []
    now = len({colour for _, colour in kept})
    colours = COLOURS[
        : team_count(count, teams or (3 if now == 3 and len(kept) in TWO_OR_THREE else 2))
    ]
    names = ["" if is_made_up(name) else name for name, _ in kept[:count]]
    names += [""] * (count - len(names))
    taken = set(names)
    for seat, name in enumerate(names):
        if not name:
            names[seat] = made_up(tx, colours[seat % len(colours)], taken)
            taken.add(names[seat])
    return [(name, colours[seat % len(colours)]) for seat, name in enumerate(names)]
