"""The view of one seat's player on a phone, except the hand, which only the page knows."""

from dataclasses import dataclass

from pi_app.screens.context import Context
from pi_app.settings.schema import HelpLevel
from pi_app.table.given import Given, Hand
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.common import winners_line
from pi_app.view.frame import Mark, Picture


@dataclass(frozen=True, slots=True)
class Laid:
    """A move, as one player's hand needs it."""

    n: int
    """Index of the move in the game, from 0."""
    token: str
    cards: tuple[str, ...]
    """The cards that it took from this hand: () for another player's move."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The table as one player sees it."""

    game: int
    """The game's number in the store."""
    help: HelpLevel
    hold: str
    """Which cards to tap at first, in a sentence; "" in a game without cards."""
    moves: int
    """The number of moves so far."""
    laid: tuple[Laid, ...]
    """All moves, since any of them may be taken back; () in a game without cards."""
    edits: int
    """Counts changes of earlier moves since the companion started."""
    last: str
    """The last move, anybody's, in words."""
    told: tuple[str, ...]
    """The actions at the table after the last move."""
    doubts: tuple[str, ...]
    """The sentences of `told` that ask whether the move was keyed right."""
    undo: str
    """The last move in words if this player may take it back, else ""."""
    result: tuple[str, ...]
    """Who won and why; () until the end."""
    picture: Picture


def place_of(ctx: Context, table: Table, seat: int, given: Given) -> PlayerView:
    """Return the view of a seat's player."""
    tx, position, presentation = ctx.texts, table.position, PRESENTATIONS[table.game.name]
    name = position.players[seat].name
    cards = given if isinstance(given, Hand) else None
    size = None if cards is None else cards.size(position, seat)
    last = table.steps[-1] if table.steps else None
    last_words = "" if last is None else presentation.moves.line(tx, last)
    changed_cells = () if last is None else last.places
    # no single player owns an edit of the history: it is taken back at the table
    own = last is not None and last.player.name == name and table.last_edit is None
    return PlayerView(
        game=table.id,
        help=ctx.help_level(name),
        hold=tx.many("page", "Tap your {n} card.", "Tap your {n} cards.", size) if size else "",
        moves=len(table.steps),
        laid=_laid(table, name, cards) if cards else (),
        edits=table.edits,
        last="" if last is None else f"{last.player.name}: {last_words}",
        told=() if last is None else presentation.moves.to_do(tx, last),
        doubts=() if last is None else presentation.moves.doubts(tx, last),
        undo=last_words if own else "",
        result=_result(ctx, table),
        picture=presentation.seen_by(tx, position, seat).with_mark(Mark.LAST, changed_cells),
    )


def _laid(table: Table, name: str, game: Hand) -> tuple[Laid, ...]:
    """Return all moves, also of others, as this player draws a card after some of these."""
    return tuple(
        Laid(n, step.token, game.spent(step.token) if step.player.name == name else ())
        for n, step in enumerate(table.steps)
    )


def _result(ctx: Context, table: Table) -> tuple[str, ...]:
    """Return who won and why; () before the end."""
    tx, position, presentation = ctx.texts, table.position, PRESENTATIONS[table.game.name]
    result = position.result
    if result is None:
        return ()
    closing = presentation.moves.closing(tx, table.steps[-1]) if table.steps else ()
    return (
        winners_line(tx, result.winners),
        *closing,
        *presentation.result_lines(tx, position, result),
    )
