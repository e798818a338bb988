"""Builds the companion: store, texts, outputs, the first screen."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from engines.notation import Fault
from engines.record import begin_game, setup_of
from pi_app.run.loop import Companion, home, table_screen
from pi_app.screens.base import OK, Action, Reset, Screen
from pi_app.screens.context import Context
from pi_app.screens.playing.games import SCREENS, missing_screen
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.system.host import utc_now
from pi_app.table.players import BotSeats, save_seated, stored_bot_seats
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.setup_draft import SetupDraft, Strength
from pi_app.table.table import Table
from pi_app.texts.language import Texts, language_for
from pi_app.view.inputs import KeyQueue
from pi_app.view.output import FaultTolerantOutput, Output

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wish:
    """The game wanted on the command line, if any: its tags.

    `bot_seats` maps the names of the companion's own seats to their strengths.
    `new_game`: begin one even if another one is unfinished.
    """

    tags: Mapping[str, str] | None = None
    bot_seats: Mapping[str, Strength] = field(default_factory=dict)
    new_game: bool = False


def open_context(
    settings: Settings,
    store: Path | str,
    language: str | None = None,
    now: Callable[[], datetime] = utc_now,
) -> Context:
    """Return a table's context; `language` overrides the setting."""
    texts = Texts(language_for(language or settings.language))
    return Context(texts, settings, Store(store, now), time.monotonic, now=now)


def store_path(settings: Settings) -> Path:
    """Return the store's folder: that in the settings, else one in the user's data folder."""
    if settings.store.path != "auto":
        return Path(settings.store.path).expanduser()
    import platformdirs

    return platformdirs.user_data_path("beisitzer", appauthor=False) / "games"


def first_screen(ctx: Context, wish: Wish) -> Screen:
    """Return the first screen: the unfinished game, the wished one, or the menu.

    An unfinished game with the wished tags is resumed, so the same command can start the companion
    again after a power cut. If the game needs one more tag, a screen asks for it. Fault if the
    tags contradict the game.
    """
    unfinished = ctx.store.game_on_table()
    if wish.tags is None:
        return home(ctx) if unfinished is None or wish.new_game else _resume(ctx, unfinished)
    from pi_app.table.boards import embed_board  # not needed for a resumed game

    tags, missing = embed_board(wish.tags), _missing(wish.tags)
    if unfinished is not None and not wish.new_game:
        stored = ctx.store.load(unfinished).tags
        asked = {missing.place: stored.get(missing.place)} if missing else {}
        if stored == tags | asked:
            BotSeats(ctx.store, unfinished).give(wish.bot_seats)
            return _resume(ctx, unfinished)
    if missing is not None:
        return _ask_for_missing(ctx, replace(wish, tags=tags), missing)
    table = Table.begin(ctx.store, tags, stored_bot_seats(wish.bot_seats))
    save_seated(ctx.store, tags, wish.bot_seats)
    return table_screen(ctx, table)


def _missing(tags: Mapping[str, str]) -> Fault | None:
    """Return the error that names a missing tag; None if no tag is missing."""
    try:
        begin_game(tags)
    except Fault as error:
        presentation = PRESENTATIONS.get(tags.get("Game", ""))
        if presentation and error.place in presentation.stand_in.keys() - tags.keys():
            return error
    return None


def _ask_for_missing(ctx: Context, wish: Wish, error: Fault) -> Screen:
    """Return the form's screen for the missing tag, which then begins the game.

    Fault if the other tags contradict the game.
    """
    tags = wish.tags or {}
    presentation = PRESENTATIONS[tags["Game"]]
    game, setup = setup_of({**presentation.stand_in, **tags})
    game.begin(setup)  # only to raise its error
    players = [(player.name, player.colour) for player in setup.players]
    draft = SetupDraft(players, setup.start, dict(setup.rules), dict(tags))

    def done() -> Action:
        answered = {**tags, error.place: draft.tags[error.place]}
        return Reset(first_screen(ctx, replace(wish, tags=answered)), signals=OK)

    form = SCREENS[game.name].form(ctx, draft)
    if not any(item.tag == error.place for item in form):
        raise error
    return missing_screen(ctx, presentation, draft, error, form, done)


def _resume(ctx: Context, game: int) -> Screen:
    try:
        return table_screen(ctx, Table.resume(ctx.store, ctx.store.load(game)))
    except (Fault, KeyError) as error:
        log.warning("game %s cannot be resumed and is no longer offered: %s", game, error)
        ctx.store.put_on_table(None)
        return home(ctx)


def companion(
    ctx: Context, first: Screen | None, keys: KeyQueue, outputs: Sequence[Output] = ()
) -> Companion:
    """Return the companion with each output guarded against its own failures."""
    return Companion(
        ctx, first, keys, [FaultTolerantOutput(output, ctx.clock) for output in outputs]
    )
