"""`beisitzer play`: the companion itself."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

import click

from engines.notation import Fault, decode_text
from engines.record import GAME_TAGS, REMARK_TAGS, Record, write
from engines.seating import player_pairs
from hardware.keys import Key
from pi_app.commands.console import fault_words, no_file_words, refuse, why, write_file
from pi_app.commands.record_sentences import face_of, fault_reason
from pi_app.commands.stones import add_colours
from pi_app.past.evaluation import Evaluations
from pi_app.registry import SHIPPED, is_registered, load_all
from pi_app.run.extras import Start, UnavailableError, attach_extras, open_display
from pi_app.run.loop import Companion
from pi_app.run.opening import Wish, companion, open_context, store_path
from pi_app.run.session import Run, farewell
from pi_app.run.signals import on_ending_signal
from pi_app.run.systemd import POWER_STATUS, ServiceOutput, is_appliance, is_service
from pi_app.screens.context import Context
from pi_app.screens.empty_chair.seat import find_strength
from pi_app.screens.playing.games import SCREENS, companion_of
from pi_app.settings.file import SettingsError, save
from pi_app.settings.last_good import load_or_last
from pi_app.store import StoreInUseError
from pi_app.system.regular import NotAFileError, read_file_or_pipe
from pi_app.table.setup_draft import STRENGTHS, Strength
from pi_app.texts.language import LANGUAGES, Texts, language_for
from pi_app.texts.printable import printable, shorten
from pi_app.view.inputs import KeyQueue
from pi_app.view.key_script import KeyScriptError, read_keys

log = logging.getLogger(__name__)

_OPTIONS = {"Players": "--players", "Start": "--start", "Board": "--board", "Rules": "--rules"}
"""The tags that have an option of their own, and that option."""


SCRIPT_LIMIT_BYTES = 1 << 20
"""Limit of a key script's file, and the size of the parts read from standard input."""


class DisplayName(click.Choice[str]):
    """A display's name; other distributions are searched only for unknown names."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices and is_registered("displays", value):
            return value
        return super().convert(value, param, ctx)


class PlayCommand(click.Command):
    """The command with the options of all extras and displays."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *own, last = super().get_params(ctx)  # last: --help
        extras = [option for extra in load_all("extras") for option in extra.options]
        displays = [option for display in load_all("displays") for option in display.options]
        return [*own, *extras, *displays, last]


class Options(NamedTuple):
    """The options of the command line, each as its help describes it."""

    game: str | None
    players: str | None
    bot_seats: tuple[str, ...]
    start: str | None
    board: str | None
    rules: str | None
    extra: tuple[str, ...]
    new_game: bool
    lang: str | None
    store: Path | None
    script: Path | None
    record: Path | None
    display: str | None

    @property
    def keys(self) -> list[Key] | None:
        """The keys of a script in a file; None where keys are pressed or piped."""
        if self.script is None or str(self.script) == "-":
            return None
        return _read_script(self.script)


@click.command(cls=PlayCommand)
@click.argument("game", required=False)
@click.option("--players", help='Who plays, clockwise: "Anna yellow, Ben red", or "Anna, Ben".')
@click.option(
    "--chair",
    "bot_seats",
    multiple=True,
    metavar="NAME=LEVEL",
    help='A player whom the companion plays, and how well: "Ben=club" (beginner, club or best).',
)
@click.option("--start", help="NAME of the player who moves first.")
@click.option("--board", help="NAME of the board.")
@click.option("--rules", help='House rules: "rounds=20, secured=closed".')
@click.option("--tag", "extra", multiple=True, help="Add a tag to the record, such as Open=24.")
@click.option(
    "--new", "new_game", is_flag=True, help="Begin a new game even if one is still unfinished."
)
@click.option(
    "--lang", type=click.Choice(sorted(LANGUAGES)), is_eager=True, help="Language of the table."
)
@click.option("--store", type=click.Path(path_type=Path), help="FOLDER of the games.")
@click.option(
    "--keys",
    "script",
    type=click.Path(path_type=Path),
    help="Read a key script from FILE; -: from standard input.",
)
@click.option("--record", type=click.Path(path_type=Path), help="Write the record at the end.")
@click.option(
    "--display",
    type=DisplayName(["auto", *SHIPPED["displays"], "none"]),
    help="Where to show frames in addition to the rig's own display; plain prints lines of JSON.",
)
def play(**options: Any) -> None:
    """Referee a game at the table, or continue the latest one."""
    core = {name: options[name] for name in Options._fields}
    _play_with(Options(**core), options)


def _play_with(options: Options, given: Mapping[str, Any]) -> None:
    queue = KeyQueue()
    loaded, mistake = load_or_last()
    settings = loaded.settings
    keys = options.keys
    tx = Texts(language_for(options.lang or settings.language))
    tags = _tags_of(tx, options)
    wish = Wish(tags, _bot_seats(options.bot_seats, tags), new_game=options.new_game)
    # a key script stores nothing, unless a folder is named
    store_folder = options.store or (store_path(settings) if options.script is None else None)
    # as text, because failed starts with other settings or versions do not count
    run = _open_run(store_folder, repr((Path(__file__), settings)))
    program = None
    try:
        settings = run.settings(settings)
        ctx = open_context(settings, store_folder or ":memory:", options.lang)
        ctx.before, ctx.appliance, ctx.save = run.before, is_appliance(), save
        # a script in a file plays its keys and ends, so it needs no evaluation
        ctx.evaluations = Evaluations(ctx.worker) if keys is None else None
        program = companion(ctx, None, queue)
        start = Start(
            given,
            scripted=options.script is not None,
            ends=keys is not None,
            fresh=not (options.script or tags or run.safe),
        )
        attach_extras(program, start)
        program.begin(run.first_screen(ctx, wish))
        open_display(program, start)
    except (Fault, UnavailableError) as error:
        _close(program)
        run.note_refusal()
        refuse(_refusal_words(error, (tags or {}).get("Game")))
    # any fault becomes a sentence at the table and a traceback in the log
    except Exception as error:
        log.critical("the start failed", exc_info=True)
        refuse(fault_words(error), 1)
    # the first frame proves the settings, which are then kept
    ready = partial(run.note_ready, None if mistake else loaded)
    program.follow(ServiceOutput(ready, ctx.clock))
    _tell_start(program, run, mistake)
    try:
        # a script that is not a file comes from standard input
        status = _play(program, keys, piped=options.script is not None and keys is None)
    except Exception as error:  # every confirmed move is stored; systemd restarts the program
        log.critical("the loop failed", exc_info=True)
        refuse(fault_words(error), 1)
    if options.record:
        _write_record(ctx, options.record)
    ctx.store.close()
    run.end()
    if ctx.store.trouble is not None:
        # systemd ended the service, perhaps to power off, which is no failure
        failed = 0 if is_service() else 1
        refuse(
            f"{store_folder} could not be written: the last moves are lost, free some space",
            status or failed,
        )
    raise SystemExit(status)


def _open_run(store_folder: Path | None, settings: str) -> Run:
    """Lock the store and return the run; one line and status 2 if another companion has it."""
    try:
        return Run(store_folder, settings)
    except StoreInUseError:
        refuse(
            f"another companion is using {store_folder}: end that one, "
            "or name another --store FOLDER"
        )
    except NotAFileError as error:
        refuse(no_file_words(error))


def _refusal_words(error: Exception, game: str | None) -> str:
    """Say why the game cannot start; for the tag `Open`, which has no option, add an example."""
    if not isinstance(error, Fault):
        return str(error)
    hint = " (here: --tag Open=24)" if error.place == "Open" else ""
    tag, _, reason = fault_reason(error, game).partition(": ")
    return f"{_OPTIONS.get(tag, tag)}: {reason}{hint}"


def _close(program: Companion | None) -> None:
    """Release the devices of a program that does not start."""
    for output in reversed(program.outputs if program else ()):
        output.close()


def _tell_start(program: Companion, run: Run, mistake: SettingsError | None) -> None:
    """Announce an unusual start; announce a mistake in the settings until it is mended."""
    run.tell(program)
    if mistake is None:
        return
    ctx, save_setting, mended = program.ctx, program.ctx.save, Event()
    log.error("the last settings that worked count: %s", mistake)

    def save_and_mend(key: str, value: object) -> object:
        saved = save_setting(key, value)  # fails while any file has a mistake
        mended.set()
        return saved

    def notice() -> str:
        if mended.is_set():
            return ""
        place = mistake.place(ctx.texts)
        return ctx.texts("alert", "Mend {place}: until then the file does not count.", place=place)

    ctx.save = save_and_mend
    ctx.notices.insert(0, notice)
    program.bulletin.tell(notice())


def _play(program: Companion, keys: list[Key] | None, *, piped: bool) -> int:
    """Run the companion to its end; return the exit status."""
    last_frame = None
    try:
        if keys is not None:
            program.play_script(keys)
        else:
            on_ending_signal(program.keys.stop)
            if piped:
                Thread(target=program.keys.feed, args=(_piped_keys(),), daemon=True).start()
            power = program.run().power
            last_frame = farewell(program.ctx, power) if power in POWER_STATUS else None
    finally:
        # the last chance to write moves that a failing store holds in memory
        program.ctx.store.retry()
        for output in reversed(program.outputs):
            output.leave(last_frame) if last_frame else output.close()
    return POWER_STATUS[power] if last_frame else 0


def _piped_keys() -> Iterator[Key]:
    """Yield the keys of a script on standard input line by line; a mistake ends it."""
    # avoids `sys.stdin`: Python aborts if it ends while a thread reads that
    lines = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115  # never closed
    try:
        # limited, because a line may have no end
        while part := lines.readline(SCRIPT_LIMIT_BYTES):
            yield from read_keys(decode_text(part))
    except (KeyScriptError, UnicodeDecodeError) as error:
        click.echo(f"beisitzer: standard input: {error}", err=True)


def _read_script(path: Path) -> list[Key]:
    try:
        data = read_file_or_pipe(path, SCRIPT_LIMIT_BYTES + 1)
        if len(data) > SCRIPT_LIMIT_BYTES:
            refuse(f"{path} is longer than any key script")
        return read_keys(decode_text(data))
    except KeyScriptError as error:
        refuse(f"{path}: {error}")
    except UnicodeDecodeError:
        refuse(f"{path} is not text")
    except (OSError, ValueError) as error:
        refuse(f"{path}: {why(error)}")


def _tags_of(tx: Texts, options: Options) -> dict[str, str] | None:
    """Return the record tags for the options; None without a game.

    Players without names get the names of their colours in the language of `tx`.
    """
    game, players = options.game, options.players
    options_given = {"Start": options.start, "Board": options.board, "Rules": options.rules}
    if game is None:
        if players or options.bot_seats or any(options_given.values()) or options.extra:
            refuse("name the game first: beisitzer play GAME --players ...")
        return None
    presentation = face_of(game, SCREENS)
    if players is None:
        seats = presentation.seats(tx, min(presentation.game.player_counts), None)
        players = ", ".join(f"{name} {colour}" for name, colour in seats)
    tags = {"Game": game, "Players": add_colours(tx, presentation, players)}
    tags |= {name: value for name, value in options_given.items() if value}
    known = GAME_TAGS | REMARK_TAGS | presentation.game.own_tags
    for tag in options.extra:
        name, equals, value = tag.partition("=")
        if not equals:
            refuse(f"--tag wants NAME=VALUE, not {tag}")
        if name not in known:
            refuse(f"there is no tag {shorten(name, 40)}; there are {', '.join(sorted(known))}")
        if name in tags:
            refuse(f"--tag {name}: this is said already, so leave one out")
        if '"' in value:
            refuse(f'--tag {name}: no " may be in it')
        tags[name] = value
    return {name: printable(value) for name, value in tags.items()}


def _bot_seats(words: tuple[str, ...], tags: Mapping[str, str] | None) -> dict[str, Strength]:
    """Return the strength of each seat that the companion plays, by the seat's name.

    `words` are written like "Ben=club".
    """
    bot_seats: dict[str, Strength] = {}
    if not words or tags is None:
        return bot_seats
    if companion_of(tags["Game"]) is None:
        refuse(f"nobody has taught the companion to think about {tags['Game']}")
    names = [name for name, _ in player_pairs(tags["Players"])]
    for bot_seat in words:
        name, _, word = (part.strip() for part in printable(bot_seat).partition("="))
        strength = find_strength(word or "club")
        if strength is None:
            refuse(f"how well is {word}? Say {', '.join(STRENGTHS)}")
        if name not in names:
            refuse(f"nobody here is called {name}, only {', '.join(names)}")
        bot_seats[name] = strength
    return bot_seats


def _write_record(ctx: Context, path: Path) -> None:
    game = ctx.store.latest_game()
    if game is None:
        refuse("no game was played, so there is no record to write")
    stored = ctx.store.load(game)
    write_file(path, write(Record(stored.tags, stored.tokens)))
