"""The set-up form of Sequence: number of teams, dealer, orientation of the board."""

from functools import partial

from engines.sequence.board import BOARD
from engines.sequence.rules import HAND_SIZES
from pi_app.games.sequence.cards import TWO_OR_THREE, seats
from pi_app.screens.base import ChoiceScreen, PageScreen, Screen
from pi_app.screens.context import Context
from pi_app.screens.playing.games import FormItem
from pi_app.table.setup_draft import SetupDraft
from pi_app.texts.language import Texts


def form_items(ctx: Context, draft: SetupDraft) -> tuple[FormItem, ...]:
    """Return the items: teams (if there is a choice), dealer, cards to deal, board."""
    tx = ctx.texts
    count = len(draft.players)
    items = []
    if count in TWO_OR_THREE:
        teams = len({colour for _, colour in draft.players})  # a team is a colour
        items.append(
            FormItem(tx("item", "Teams: {n}", n=teams), partial(_teams_screen, ctx, draft))
        )
    dealt = HAND_SIZES[count]
    deals = tuple(
        tx("line", "{n} players: {cards} each", n=players, cards=cards)
        for players, cards in HAND_SIZES.items()
    )
    items += [
        FormItem(tx("item", "Dealer"), partial(_dealer_screen, ctx, draft)),
        FormItem(
            tx("item", "Cards each: {n}", n=dealt),
            lambda: PageScreen(ctx, tx("title", "Cards to deal"), deals),
        ),
        FormItem(tx("item", "Board lies"), partial(_board_screen, ctx, draft)),
    ]
    return tuple(items)


def _teams_screen(ctx: Context, draft: SetupDraft) -> Screen:
    tx = ctx.texts
    words = {n: tx("item", "{n} teams", n=n) for n in (2, 3)}
    current = len({colour for _, colour in draft.players})
    line = tx("line", "Teams sit in turn. 2 teams: 2 sequences win, 3 teams: 1.")
    take = partial(_seat_teams, tx, draft)
    screen = ChoiceScreen(ctx, tx("title", "How many teams?"), words, current, take, line)
    screen.digits = tuple(map(str, words))
    return screen


def _seat_teams(tx: Texts, draft: SetupDraft, teams: int) -> None:
    draft.players = seats(tx, len(draft.players), draft, teams)


def _dealer_screen(ctx: Context, draft: SetupDraft) -> Screen:
    tx, count = ctx.texts, len(draft.players)
    # the dealer's left neighbour starts
    words = {(seat + 1) % count: name for seat, (name, _) in enumerate(draft.players)}
    line = tx("line", "Lowest card deals, the left neighbour starts.")
    take = partial(setattr, draft, "start")
    return ChoiceScreen(ctx, tx("title", "Who deals?"), words, draft.start, take, line)


def _board_screen(ctx: Context, draft: SetupDraft) -> Screen:
    tx = ctx.texts
    name, _ = draft.players[0]
    current = draft.tags.get("Board", BOARD.default)
    base = current.partition("/")[0]  # without the degrees by which it is turned
    words = {
        base: tx("item", "far"),
        f"{base}/90": tx("item", "to the right"),
        f"{base}/180": tx("item", "near"),
        f"{base}/270": tx("item", "to the left"),
    }
    line = tx("line", "The row from 2♠ to 9♠, seen by {name}:", name=name)
    take = partial(_turn_board, draft)
    return ChoiceScreen(ctx, tx("title", "2♠ to 9♠ lie"), words, current, take, line)


def _turn_board(draft: SetupDraft, board: str) -> None:
    draft.tags.pop("Position", None)  # it was entered on the board in its old orientation
    draft.tags["Board"] = board
    if board == BOARD.default:  # a record does not name it
        del draft.tags["Board"]
