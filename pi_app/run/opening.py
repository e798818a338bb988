"""Builds the companion: store, texts, outputs, the first screen."""

import logging
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from engines.notation import Fault
from engines.record import begin_game, setup_of
from engines.seating import player_pairs
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


class NoDisplayError(Exception):
    """There is no display; the text says which options exist."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for: a game with these tags, or nothing in particular.

    `bot_seats` maps the names of the companion's own seats to how well it plays them.
    `new_game`: begin one even if another one is unfinished.
    """

    tags: Mapping[str, str] | None = None
    bot_seats: Mapping[str, Strength] = field(default_factory=dict)
    new_game: bool = False


def open_context(
    settings: Settings,
    store: Path | str,
    language: str | None = None,
    clock: Callable[[], float] = time.monotonic,
    now: Callable[[], datetime] = utc_now,
) -> Context:
    """Return a table's context; `language` overrides the setting."""
    texts = Texts(language_for(language or settings.language))
    return Context(texts, settings, Store(store, now), clock, now=now)


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
    from pi_app.table.boards import embed_board  # a resumed game does not need it

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
    players = player_pairs(tags["Players"])
    people = [(name, colour) for name, colour in players if name not in wish.bot_seats]
    save_seated(ctx.store, people)
    return table_screen(ctx, table)


def _missing(tags: Mapping[str, str]) -> Fault | None:
    """Return the error that names a tag which the game needs; None if no tag is missing."""
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
        return Reset(OK, screen=first_screen(ctx, replace(wish, tags=answered)))

    form = SCREENS[game.name].form(ctx, draft)
    if not any(item.tag == error.place for item in form):
        raise error
    return missing_screen(ctx, presentation, draft, error, form, done)


def _resume(ctx: Context, game: int) -> Screen:
    try:
        return table_screen(ctx, Table.resume(ctx.store, ctx.store.load(game)))
    except (Fault, KeyError) as error:
        log.warning("game %s cannot be resumed and is no longer offered: %s", game, error)
        ctx.store.shelve(game)
        return home(ctx)


def companion(ctx: Context, first: Screen, keys: KeyQueue, outputs: Sequence[Output]) -> Companion:
    """Return the companion with each output guarded against its own failures."""
    return Companion(
        ctx, first, keys, [FaultTolerantOutput(output, ctx.clock) for output in outputs]
    )


def open_displays(
    wanted: str, keys: KeyQueue, tx: Texts, settings: Settings, *, rig: bool = False
) -> list[Output]:
    """Open the `wanted` display: "window", "terminal", "plain", "none", or "auto".

    "auto" tries the window, then the terminal. `rig` draws the rig in the window. NoDisplayError
    if there is no display.
    """
    if wanted == "none":
        return []
    if wanted == "plain":
        from pi_app.displays.plain import PlainDisplay

        return [PlainDisplay(sys.stdout)]
    if wanted == "window" or (wanted == "auto" and _asked_for_window(settings)):
        try:
            return [_window(keys, tx, settings, rig=rig)]
        except NoDisplayError as error:
            if wanted == "window":
                raise
            log.warning("no window: %s", error)
    if wanted != "window" and _at_terminal():
        from pi_app.displays.terminal import TerminalDisplay

        return [TerminalDisplay(keys.put, keys.stop)]
    raise NoDisplayError(
        tx(
            "cli",
            "there is neither a screen nor a terminal: use --display none with a rig, "
            "--keys FILE --shots DIR, or start it in a terminal",
        )
    )


def _asked_for_window(settings: Settings) -> bool:
    """Tell whether to try a window: the settings ask for it, or there is a desktop.

    Without a desktop only the settings count: every Pi has a screen device, and finding out
    whether a screen is connected would load a graphics library.
    """
    show = settings.display.show
    return has_screen() if show == "auto" else "window" in show


def _at_terminal() -> bool:
    """Tell whether somebody can type; output that goes elsewhere gets plain lines."""
    return sys.stdin.isatty()


def _window(keys: KeyQueue, tx: Texts, settings: Settings, *, rig: bool) -> Output:
    """Open the window, with or without a desktop; NoDisplayError says what is missing."""
    try:
        from pi_app.displays.window import (
            AwaitedWindow,
            DirectScreen,
            Look,
            NoWindowError,
            open_window,
        )
    except ImportError as error:
        from pi_app.texts.libraries import library_words  # for this fault only

        remedy = f"{sys.executable} -m pip install pygame-ce"
        raise NoDisplayError(library_words(tx, error, "pygame", remedy)) from None
    display, bare = settings.display, not has_screen()
    look = Look(
        theme=display.theme,
        fullscreen=display.fullscreen,
        rig=rig,
        size=(1280, 720) if rig else (800, 480),  # the rig is drawn beside the board
        fixed=display.board == "fixed",
        letters=tx.language,
        rotate=display.rotate if bare else 0,
        blank_after_s=display.blank_after_s,
    )
    if bare and (screen := DirectScreen()).awaits():
        log.info("no screen is plugged in yet: the window opens when there is one")
        return AwaitedWindow(screen, lambda: open_window(keys, look, tx, bare=True))
    try:
        return open_window(keys, look, tx, bare=bare)
    except NoWindowError as error:
        raise NoDisplayError(str(error)) from None


def open_shots(folder: Path) -> list[Output]:
    """Return outputs that write each new frame as pictures: the OLED's and perhaps the window's."""
    from pi_app.displays.shots import Shots

    outputs: list[Output] = [Shots(folder)]
    try:
        from pi_app.displays.window import WindowShots
    except ImportError as error:
        log.info("the window's pictures are left out: %s", error)
    else:
        outputs.append(WindowShots(folder))
    return outputs


def has_screen() -> bool:
    """Tell whether a display server can be reached."""
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
