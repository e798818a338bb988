"""How a game is played, for anyone who hasn't read the rules, and which keys to press."""

from pi_app.screens.base import PageScreen
from pi_app.screens.context import Context
from pi_app.table.presentation import AnyPresentation, house_rules_line


def how_page(ctx: Context, presentation: AnyPresentation) -> PageScreen:
    """Return the page to read before a game: goal, turn and end first, then the keys."""
    lines = (*_rules(ctx, presentation), *_keys(ctx, presentation))
    return PageScreen(ctx, ctx.texts("title", "How it is played"), lines)


def help_page(ctx: Context, presentation: AnyPresentation) -> PageScreen:
    """Return the page to read during a game: the keys first, then the rules."""
    lines = (*_keys(ctx, presentation), *_rules(ctx, presentation))
    return PageScreen(ctx, ctx.texts("title", "Help"), lines)


def _rules(ctx: Context, presentation: AnyPresentation) -> tuple[str, ...]:
    tx = ctx.texts
    how = tx.each(presentation.guide.how)
    return (
        (*how, *tx.each(presentation.guide.edition), house_rules_line(tx, presentation))
        if how
        else ()
    )


def _keys(ctx: Context, presentation: AnyPresentation) -> tuple[str, ...]:
    tx = ctx.texts
    if ctx.appliance:
        return tx.each(presentation.guide.keys)
    return (
        *tx.each(presentation.guide.keys),
        tx("line", "Keyboard: Enter is #, + is *, arrows A and B, Esc C, Tab D."),
        tx("line", "U takes back the last move, F1 to F6 are the die."),
    )
