"""Setting up Sequence: teams that sit in turn, who deals, how the board lies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engines.sequence import COLOURS, HAND_SIZES
from engines.sequence_board import CLASSIC
from pi_app.screens.base import TICK, Action, ListScreen, PageScreen, Pop, Screen
from pi_app.table.faces import Draft, FormItem
from pi_app.texts.common import colour_word

if TYPE_CHECKING:
    from pi_app.screens.context import Context
    from pi_app.texts.language import Texts

_BOTH = (6, 12)
"""Numbers of players that make two teams or three (printed: both possible; ruling: asked)."""


def team_count(players: int, wanted: int = 2) -> int:
    """Return how many teams so many players make, `wanted` where both are possible."""
    if players in _BOTH:
        return wanted
    return 2 if players % 2 == 0 else 3


def seats(tx: Texts, count: int, draft: Draft | None, teams: int = 0) -> list[tuple[str, str]]:
    """Return (name, team) for `count` players, teams in turn; names people chose are kept.

    `teams` is 2 or 3, or 0 for as many as the draft has.
    """
    kept = draft.players if draft else []
    now = len({colour for _, colour in kept})
    colours = COLOURS[: team_count(count, teams or (3 if now == 3 and len(kept) in _BOTH else 2))]
    names = [name if not _automatic(tx, name) else "" for name, _ in kept[:count]]
    names += [""] * (count - len(names))
    taken = set(names)
    for seat, name in enumerate(names):
        if not name:
            names[seat] = _free_name(tx, colours[seat % len(colours)], taken)
            taken.add(names[seat])
    return [(name, colours[seat % len(colours)]) for seat, name in enumerate(names)]


def _automatic(tx: Texts, name: str) -> bool:
    word, _, number = name.partition(" ")
    words = {colour_word(tx, colour).capitalize() for colour in COLOURS}
    return word in words and (not number or (number.isascii() and number.isdigit()))


def _free_name(tx: Texts, colour: str, taken: set[str]) -> str:
    word = colour_word(tx, colour).capitalize()
    number = 1
    while (name := word if number == 1 else f"{word} {number}") in taken:
        number += 1
    return name


def form_items(ctx: Context, draft: Draft) -> tuple[FormItem, ...]:
    """Return teams (where there is a choice), the dealer, the cards to deal, the board."""
    tx = ctx.texts
    count = len(draft.players)
    items = []
    if count in _BOTH:
        teams = len({colour for _, colour in draft.players})
        items.append(FormItem(tx("item", "Teams: {n}", n=teams), _teams_screen(ctx, draft)))
    dealt = HAND_SIZES[count]
    items += [
        FormItem(tx("item", "Dealer"), _dealer_screen(ctx, draft)),
        FormItem(tx("item", "Cards each: {n}", n=dealt), _hands_screen(ctx)),
        FormItem(tx("item", "Board lies"), _board_screen(ctx, draft)),
    ]
    return tuple(items)


def _teams_screen(ctx: Context, draft: Draft) -> Callable[[], Screen]:
    tx = ctx.texts

    def choose(index: int) -> Action:
        draft.players = seats(tx, len(draft.players), draft, index + 2)
        return Pop(TICK)

    return lambda: ListScreen(
        ctx,
        tx("title", "How many teams?"),
        tuple(tx("item", "{n} teams", n=n) for n in (2, 3)),
        choose,
        selected=len({colour for _, colour in draft.players}) - 2,
        lines=(tx("line", "Teams sit in turn. 2 teams: 2 sequences win, 3 teams: 1."),),
    )


def _dealer_screen(ctx: Context, draft: Draft) -> Callable[[], Screen]:
    tx = ctx.texts
    count = len(draft.players)

    def choose(index: int) -> Action:
        draft.start = (index + 1) % count
        return Pop(TICK)

    return lambda: ListScreen(
        ctx,
        tx("title", "Who deals?"),
        tuple(name for name, _ in draft.players),
        choose,
        selected=(draft.start - 1) % count,
        lines=(tx("line", "Lowest card deals, the left neighbour starts."),),
    )


def _hands_screen(ctx: Context) -> Callable[[], Screen]:
    tx = ctx.texts
    lines = tuple(
        tx("line", "{n} players: {cards} each", n=count, cards=cards)
        for count, cards in HAND_SIZES.items()
    )
    return lambda: PageScreen(ctx, tx("title", "Cards to deal"), lines)


def _board_screen(ctx: Context, draft: Draft) -> Callable[[], Screen]:
    tx = ctx.texts
    name, _ = draft.players[0]
    current = draft.tags.get("Board", CLASSIC)
    base = current.partition("/")[0]
    boards = (base, f"{base}/90", f"{base}/180", f"{base}/270")

    def choose(index: int) -> Action:
        draft.tags.pop("Position", None)  # it was entered on the board as it lay
        draft.tags["Board"] = boards[index]
        if boards[index] == CLASSIC:
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
