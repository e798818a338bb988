"""Each game's last set-up, and beginning a game from it."""

import json
from dataclasses import replace

from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.boards import board_tags
from pi_app.table.boards import embed_board
from pi_app.table.players import (
    read_table,
    save_seated,
    seat_people,
    stored_bot_seats,
    table_texts,
)
from pi_app.table.presentation import AnyPresentation, RuleText
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
from pi_app.texts.printable import printable_json

_BOARD_TAGS = ("Board", "BoardData")
"""Tags of a draft that name the board; an own board's data are read again from its file."""


def load_draft(ctx: Context, presentation: AnyPresentation) -> SetupDraft:
    """Return the form as it was last left or played, with the people of the last game.

    If the game has fewer seats, the last people are left out.
    """
    seated, bot_seats = read_table(ctx.store)
    counts = presentation.game.player_counts
    count = max((count for count in counts if count <= len(seated)), default=min(counts))
    # default names are words for colours: the table's language may be another one now
    players = seat_people(ctx.texts, ctx.store, presentation, seated[:count], bot_seats)
    players = presentation.seats(ctx.texts, count, SetupDraft(players))
    draft = SetupDraft(players, bot_seats=bot_seats)
    # anything may be stored there: nothing, a form of an older version, or a damaged row
    try:
        stored = printable_json(ctx.store.recall(f"draft/{presentation.game.name}") or "null")
        draft.rules = {str(key): str(value) for key, value in stored["rules"].items()}
        # the board is read again: its file may have changed
        board = board_tags(presentation.game.name, stored["board"])
        draft.tags = {str(key): str(value) for key, value in stored["tags"].items()} | board
        draft.start = min(max(int(stored["start"]), 0), count - 1)
    except (TypeError, KeyError, ValueError, AttributeError):
        return SetupDraft(players, bot_seats=bot_seats)
    return draft


def save_draft(ctx: Context, presentation: AnyPresentation, draft: SetupDraft) -> None:
    """Save a form for the next time this game is chosen, and its people for all games."""
    board = draft.tags.get("Board")
    stored = {
        "start": draft.start,
        "rules": draft.rules,
        "board": board,
        "tags": {name: draft.tags[name] for name in draft.tags if name not in _BOARD_TAGS},
    }
    seated = table_texts(draft.players, draft.bot_seats)
    ctx.store.remember_all({**seated, f"draft/{presentation.game.name}": json.dumps(stored)})


def rule_value(presentation: AnyPresentation, draft: SetupDraft, rule: RuleText) -> str:
    """Return the value that a house rule has in a draft."""
    return draft.rules.get(rule.key, presentation.game.default_rules[rule.key])


def choose_edition(
    presentation: AnyPresentation, draft: SetupDraft, rule: RuleText, value: str
) -> None:
    """Give a draft this value of the rule that is asked first; another edition has other boards."""
    if value != rule_value(presentation, draft, rule):
        draft.rules[rule.key] = value
        for tag in (*_BOARD_TAGS, "Position"):
            draft.tags.pop(tag, None)


def draft_tags(presentation: AnyPresentation, draft: SetupDraft) -> dict[str, str]:
    """Return the tags of the drafted game, with the data of an own board."""
    tags = draft.record_tags(presentation.game)
    kind = presentation.game.board
    board = tags.get("Board", "").partition("/")[0]  # without the angle at which it lies
    # without a name it is a shipped board
    if kind is None or "Board" not in tags or board in kind.load_boards():
        tags.pop("BoardData", None)  # left from an own board that was chosen before
    return embed_board(tags)


def begin(ctx: Context, presentation: AnyPresentation, draft: SetupDraft) -> Table:
    """Begin the drafted game; Fault if its set-up is impossible."""
    names = {name for name, _ in draft.players}
    bot_seats = {name: strength for name, strength in draft.bot_seats.items() if name in names}
    record = draft_tags(presentation, draft)
    table = Table.begin(ctx.store, record, stored_bot_seats(bot_seats))
    # the next form keeps the board; position, deal and the like belong to this game only
    tags = {"Board": draft.tags["Board"]} if "Board" in draft.tags else {}
    save_draft(ctx, presentation, replace(draft, tags=tags, bot_seats=bot_seats))
    save_seated(ctx.store, record, bot_seats)
    return table
