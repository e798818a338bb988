"""How a game is played, for anyone who hasn't read the rules, and which keys to press."""

from pi_app.screens.base import PageScreen
from pi_app.screens.context import Context
from pi_app.table.presentation import AnyPresentation


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
    how = presentation.how_to_play(tx)
    return (*how, *presentation.edition(tx), presentation.house_rules(tx)) if how else ()


def _keys(ctx: Context, presentation: AnyPresentation) -> tuple[str, ...]:
    tx = ctx.texts
    if ctx.appliance:
        return presentation.help(tx)
    return (
        *presentation.help(tx),
        tx("line", "Keyboard: Enter is #, + is *, arrows A and B, Esc C, Tab D."),
        tx("line", "U takes back the last move, F1 to F6 are the die."),
    )
