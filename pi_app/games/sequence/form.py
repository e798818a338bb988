"""The set-up form of Sequence: number of teams, dealer, orientation of the board."""

from __future__ import annotations

from collections.abc import Callable

from engines.sequence.board import BOARD
from engines.sequence.rules import HAND_SIZES
from pi_app.games.sequence.cards import TWO_OR_THREE, seats
from pi_app.screens.base import TICK, Action, ListScreen, PageScreen, Pop, Screen
from pi_app.screens.context import Context
from pi_app.screens.playing.games import FormItem
from pi_app.table.setup_draft import SetupDraft


def form_items(ctx: Context, draft: SetupDraft) -> tuple[FormItem, ...]:
    """Return the items: teams (if there is a choice), dealer, cards to deal, board."""
    tx = ctx.texts
    count = len(draft.players)
    items = []
    if count in TWO_OR_THREE:
        teams = len({colour for _, colour in draft.players})  # a team is a colour
        items.append(FormItem(tx("item", "Teams: {n}", n=teams), _teams_screen(ctx, draft)))
    dealt = HAND_SIZES[count]
    deals = tuple(
        tx("line", "{n} players: {cards} each", n=players, cards=cards)
        for players, cards in HAND_SIZES.items()
    )
    items += [
        FormItem(tx("item", "Dealer"), _dealer_screen(ctx, draft)),
        FormItem(
            tx("item", "Cards each: {n}", n=dealt),
            lambda: PageScreen(ctx, tx("title", "Cards to deal"), deals),
        ),
        FormItem(tx("item", "Board lies"), _board_screen(ctx, draft)),
    ]
    return tuple(items)


def _teams_screen(ctx: Context, draft: SetupDraft) -> Callable[[], Screen]:
    tx = ctx.texts

    def choose(index: int) -> Action:
        teams = index + 2  # the first row is two teams
        draft.players = seats(tx, len(draft.players), draft, teams)
        return Pop(TICK)

    return lambda: ListScreen(
        ctx,
        tx("title", "How many teams?"),
        tuple(tx("item", "{n} teams", n=n) for n in (2, 3)),
        choose,
        digits=("2", "3"),
        selected=len({colour for _, colour in draft.players}) - 2,  # the first row is two teams
        lines=(tx("line", "Teams sit in turn. 2 teams: 2 sequences win, 3 teams: 1."),),
    )


def _dealer_screen(ctx: Context, draft: SetupDraft) -> Callable[[], Screen]:
    tx = ctx.texts
    count = len(draft.players)

    def choose(index: int) -> Action:
        draft.start = (index + 1) % count  # the dealer's left neighbour
        return Pop(TICK)

    return lambda: ListScreen(
        ctx,
        tx("title", "Who deals?"),
        tuple(name for name, _ in draft.players),
        choose,
        selected=(draft.start - 1) % count,
        lines=(tx("line", "Lowest card deals, the left neighbour starts."),),
    )


def _board_screen(ctx: Context, draft: SetupDraft) -> Callable[[], Screen]:
    tx = ctx.texts
    name, _ = draft.players[0]
    current = draft.tags.get("Board", BOARD.default)
    base = current.partition("/")[0]  # without the degrees by which it is turned
    boards = (base, f"{base}/90", f"{base}/180", f"{base}/270")

    def choose(index: int) -> Action:
        draft.tags.pop("Position", None)  # it was entered on the board in its old orientation
        draft.tags["Board"] = boards[index]
        if boards[index] == BOARD.default:  # a record does not name it
            del draft.tags["Board"]
        return Pop(TICK)

    return lambda: ListScreen(
        ctx,
        tx("title", "2♠ to 9♠ lie"),
        (
            tx("item", "far"),
            tx("item", "to the right"),
            tx("item", "near"),
            tx("item", "to the left"),
        ),
        choose,
        selected=boards.index(current) if current in boards else 0,
        lines=(tx("line", "The row from 2♠ to 9♠, seen by {name}:", name=name),),
    )
