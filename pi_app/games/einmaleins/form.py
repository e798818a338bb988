"""The set-up form of Einmaleins: the cards to deal, and the first open card."""

from functools import partial

from engines.einmaleins.rules import default_hand_size, largest_hand_size
from engines.notation import number
from pi_app.games.einmaleins.hand import NUMBER
from pi_app.screens.base import OK, Action, Pop, Screen
from pi_app.screens.context import Context
from pi_app.screens.number import NumberScreen
from pi_app.screens.playing.games import FormItem
from pi_app.table.setup_draft import SetupDraft
from pi_app.view.keying import NumberKeying


def form_items(ctx: Context, draft: SetupDraft) -> tuple[FormItem, ...]:
    """Return the items of the form: the open card and the cards to deal; none with a position."""
    tx = ctx.texts
    if "Position" in draft.tags:  # the position has the open card and the numbers of cards in hand
        return ()
    dealt = draft.tags.get("Hand", str(default_hand_size(len(draft.players))))
    card = draft.tags.get("Open", "?")
    return (
        FormItem(
            tx("item", "Open card: {card}", card=card),
            partial(_open_card_screen, ctx, draft),
            tag="Open",
        ),
        FormItem(
            tx("item", "Deal: {n} each", n=dealt),
            partial(_hand_size_screen, ctx, draft),
            tag="Hand",
        ),
    )


def _open_card_screen(ctx: Context, draft: SetupDraft) -> Screen:
    tx = ctx.texts
    line = tx("line", "Turn the first card face up and key its number.")
    return NumberScreen(
        ctx, tx("title", "Open card"), line, NUMBER, partial(_set_tag, draft, "Open")
    )


def _hand_size_screen(ctx: Context, draft: SetupDraft) -> Screen:
    tx = ctx.texts
    most_free, free_by_default = 2, 2
    # the house rule for free cards; None if it was not chosen
    free = number(draft.rules.get("free", ""), most_free)
    most = largest_hand_size(len(draft.players), free_by_default if free is None else free)
    dealt = NumberKeying(
        range(1, most + 1),
        lambda tx, _: tx("verdict", "at most {n} cards each", n=most),
        default_hand_size(len(draft.players)) - 1,  # the numbers begin at 1
    )
    line = tx("line", "How many cards for each player? From 1 to {n}.", n=most)
    done = partial(_set_tag, draft, "Hand")
    return NumberScreen(ctx, tx("title", "Cards each"), line, dealt, done)


def _set_tag(draft: SetupDraft, tag: str, value: int) -> Action:
    draft.tags[tag] = str(value)
    return Pop(OK)
