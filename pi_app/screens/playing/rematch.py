"""Another game at the same table; who starts is asked once and remembered."""

from collections.abc import Callable
from typing import Literal, get_args

from engines.notation import Fault
from pi_app.screens.base import BAD, OK, TICK, Action, ListScreen, Open, Pop, Push
from pi_app.screens.context import Context
from pi_app.screens.playing.games import SCREENS, missing_screen
from pi_app.table.players import BotSeats, save_seated, stored_bot_seats
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table

StartRule = Literal["loser", "winner", "next"]
"""Who starts the next game: the loser of this one, its winner, or the next player in turn."""

_KEY = "rematch"
"""The store's name for the rule."""
_OF_ONE_GAME = ("Position", "Open", "Start", "Date", "Result")
"""Record tags that the next game at the same table does not copy."""


def read_start_rule(ctx: Context) -> StartRule | None:
    """Return the stored rule for who starts; None if nobody was asked yet."""
    stored = ctx.store.recall(_KEY)
    return next((rule for rule in get_args(StartRule) if rule == stored), None)


def starting_seat(table: Table, rule: StartRule) -> int:
    """Return the seat that starts the game after this finished one.

    The loser has the fewest points; without points it is the next player in turn who did not
    win. If nobody won, or nobody lost, the next player in turn starts.
    """
    players, result = table.start.players, table.position.result
    # in the order of turns, beginning with the player after the one who started
    seats = [(table.start.seat + step) % len(players) for step in range(1, len(players) + 1)]
    names = result.winners if result is not None else ()
    winners = [seat for seat in seats if players[seat].name in names]
    losers = [seat for seat in seats if players[seat].name not in names]
    if rule == "next" or not winners or not losers:
        return seats[0]
    if rule == "winner":
        return winners[0]
    points = result.facts.get("points", {}) if result is not None else {}
    return min(losers, key=lambda seat: points.get(players[seat].name, 0))


class StartsScreen(ListScreen):
    """Asks who starts when the same people play again; then calls `done`."""

    def __init__(self, ctx: Context, done: Callable[[], Action]) -> None:
        tx = ctx.texts
        self._done = done
        self.busy_with = tx("title", "Who starts now?")
        rows = (tx("item", "the loser"), tx("item", "the winner"), tx("item", "next in turn"))
        rule = read_start_rule(ctx)
        super().__init__(
            ctx,
            tx("title", "Who starts now?"),
            rows,
            self._store_rule,
            selected=get_args(StartRule).index(rule) if rule else 0,
        )

    def _store_rule(self, index: int) -> Action:
        self.ctx.store.remember(_KEY, get_args(StartRule)[index])
        return Pop(TICK, self._done)


def play_again(ctx: Context, table: Table) -> Action:
    """Begin the same game with the same players, rules and board; first ask what is missing."""
    rule = read_start_rule(ctx)
    if rule is None:
        return Push(StartsScreen(ctx, lambda: play_again(ctx, table)))
    return _begin(ctx, table, rematch_draft(table, rule))


def rematch_draft(table: Table, rule: StartRule) -> SetupDraft:
    """Return the same game with the same people, rules and board."""
    players = [(player.name, player.colour) for player in table.start.players]
    tags = {name: value for name, value in table.tags.items() if name not in _OF_ONE_GAME}
    return SetupDraft(players, starting_seat(table, rule), tags=tags)


def begin_rematch(ctx: Context, table: Table, draft: SetupDraft) -> Table:
    """Begin the drafted game at this table; Fault if something is missing."""
    # without the tag the first seat starts
    start = {"Start": draft.players[draft.start][0]} if draft.start else {}
    tags, bot_seats = {**draft.tags, **start}, BotSeats(ctx.store, table.id).strengths()
    again = Table.begin(ctx.store, tags, stored_bot_seats(bot_seats))
    save_seated(ctx.store, tags, bot_seats)
    return again


def _begin(ctx: Context, table: Table, draft: SetupDraft) -> Action:
    """Begin the drafted game, or open the item of its form that is missing."""
    game = table.game.name
    try:
        again = begin_rematch(ctx, table, draft)
    except Fault as error:
        form = SCREENS[game].form(ctx, draft)
        screen = missing_screen(
            ctx, PRESENTATIONS[game], draft, error, form, lambda: _begin(ctx, table, draft)
        )
        return Push(screen, signals=BAD)
    return Open(OK, "table", table=again)
