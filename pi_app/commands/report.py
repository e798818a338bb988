"""`beisitzer report`: writes a file for a bug report, with nothing but safe facts.

Names, paths, addresses and secrets are in texts written by people. None gets in: everything here is
a number or a word of the program's own.
"""

import builtins
import logging
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import click

from engines.game import Refusal
from engines.notation import Fault, correction, seat_of
from engines.record import Record, begin_game, write
from pi_app.commands.console import write_file
from pi_app.commands.reading import open_reader, store_option
from pi_app.run.opening import store_path
from pi_app.settings.file import SettingsError
from pi_app.settings.last_good import load_or_last
from pi_app.settings.schema import Settings, definitions, toml_value, value_of
from pi_app.system.host import version
from pi_app.system.log import log_file
from pi_app.system.own_process import own_command, own_environment
from pi_app.system.regular import open_regular
from pi_app.table.table import record_of

LOG_LINES = 200
SECONDS = 60
"""A part that takes longer is left out."""

CHECKED = ("Game", "Rules", "BoardData", "Position")
"""Tags in which a game accepts only its own words and numbers."""
PROGRAM = Path(__file__).parents[2]
PACKAGES = ("ai", "club", "engines", "hardware", "pi_app")

_RECORD = re.compile(
    r"(?P<at>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)\S* (?:(?P<level>[A-Z]+)|\S+ \S+:) "
    r"(?P<module>[\w.]+):(?P<line>\d+): "
)
"""The beginning of a log record, in the file or as journalctl prints it."""
_FRAME = re.compile(r'\s*File "(?P<path>[^"]+)", line (?P<line>\d+)')
_ERROR = re.compile(r"\s*(?P<module>(?:\w+\.)*)(?P<name>\w+)(?::|$)")


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@store_option
def report(file: Path | None, store: Path | None) -> None:
    """Write a FILE with what helps to repair a fault.

    That is: version, settings, doctor's codes, the latest game, and places in the log. No text that
    somebody has written gets in: no name, path, address or password. As FILE, - is standard output.
    """
    loaded, mistake = load_or_last()
    sections = {
        "Program": _program_lines(),
        "Settings": setting_lines(loaded.settings, mistake),
        "Rig": _rig_lines(),
        "Record": _game_lines(store or store_path(loaded.settings)),
        "Log": safe_log_lines(_log_lines()),
    }
    text = "\n".join("\n".join((f"== {name}", *lines, "")) for name, lines in sections.items())
    if str(file) == "-":
        click.echo(text)
        return
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    file = file or Path(f"beisitzer-report-{stamp}.txt")
    write_file(file, text)
    click.echo(f"{file}: read it, then attach it to the bug report")


def _program_lines() -> Iterator[str]:
    yield f"Beisitzer {version()}"
    release = re.match(r"[\d.]*", platform.release())  # the rest may be somebody's own word
    yield f"Python {platform.python_version()}, {platform.system()} {release and release[0]}"
    yield platform.machine()
    with suppress(OSError):
        yield Path("/proc/device-tree/model").read_text("ascii", "replace").strip("\0\n")


def setting_lines(settings: Settings, mistake: SettingsError | None) -> Iterator[str]:
    """Yield every setting that is not its default, without the content of texts."""
    if mistake is not None:
        key = mistake.key if mistake.key in definitions() else ""
        yield f"mistake: {mistake.code}, line {mistake.line} {key}"
    for key, (kind, says) in definitions().items():
        value = value_of(settings, key)
        if value != value_of(Settings(), key):
            yield f"{key} = {'(a text)' if _has_text(kind) else toml_value(value, says)}"


def _has_text(kind: Any) -> bool:
    """Tell whether values of this kind are free texts."""
    return kind is str or any(map(_has_text, get_args(kind)))


def _rig_lines() -> list[str]:
    """Run the doctor in its own process, as it may fail or hang; return the codes it prints."""
    try:
        process = subprocess.run(  # noqa: S603  # this program itself
            own_command("pi_app", "doctor", "--codes"),
            env=own_environment(),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return [type(error).__name__]
    return [*process.stdout.splitlines(), f"status {process.returncode}"]


def _game_lines(store: Path) -> list[str]:
    """Return the latest game as a record in which the players have numbers for names."""
    if not store.exists():
        return ["no game was stored"]
    try:
        games = open_reader(store)
        loaded = [games.load(entry.id) for entry in games.list_games(1)]
    except (OSError, ValueError) as error:
        return [f"the store cannot be read: {type(error).__name__}"]
    lines = [f"damaged at move {game.damage}" for game in loaded if game.damage]
    return [*lines, *(write(safe_record(record_of(game))) for game in loaded)]


def safe_record(record: Record) -> Record:
    """Return a record with only the game's own words, and P1, P2 ... for the players.

    A token that is not of the game's notation becomes "?".
    """
    try:
        _, position = begin_game(record.tags)
    except Fault as error:
        return Record({"Game": f"unreadable: {error.code}"}, ())
    names = [player.name for player in position.players]
    players = ", ".join(f"P{n} {each.colour}" for n, each in enumerate(position.players, 1))
    tags = {name: record.tags[name] for name in CHECKED if name in record.tags}
    # the other games ignore these two
    tags |= {name: record.tags[name] for name in ("Hand", "Open") if _is_number(record.tags, name)}
    tags["Players"] = players
    start = seat_of(record.tags.get("Start", ""), names)
    if start is not None:
        tags["Start"] = f"P{start + 1}"
    if "BoardData" not in tags and "Board" in record.tags:  # otherwise it is only a name
        tags["Board"] = record.tags["Board"]

    def safe(token: str) -> str:
        if isinstance(position.parse(token), Refusal):
            return "?"
        parts = correction(token, names)
        if parts is None or parts[1] is None:
            return token
        return f"<{parts[0]}; to-move=P{parts[1] + 1}>"

    return Record(tags, tuple(map(safe, record.tokens)))


def _is_number(tags: Mapping[str, str], name: str) -> bool:
    return re.fullmatch("[0-9]{1,3}", tags.get(name, "")) is not None


def _log_lines() -> list[str]:
    """Return the last lines of the log file, and of the service's journal."""
    lines: list[str] = []
    with suppress(OSError), open_regular(log_file()) as file:
        lines = file.read().decode("utf-8", "replace").splitlines()[-LOG_LINES:]
    journal = shutil.which("journalctl")
    if journal:
        options = f"-u beisitzer -n {LOG_LINES} --no-pager -o short-iso"
        with suppress(OSError, subprocess.TimeoutExpired):
            process = subprocess.run(  # noqa: S603  # found on the PATH, with our own arguments
                [journal, *options.split()],
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
            lines += process.stdout.splitlines()
    return lines


def safe_log_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield from a log the time and program line of each message, and the places of errors.

    With the version, these lead to each message's text, without the filled-in facts.
    """
    for line in lines:
        if record := _RECORD.match(line):
            if place := _place(record["module"].split("."), record["line"]):
                level = record["level"] if record["level"] in logging.getLevelNamesMapping() else ""
                yield f"{record['at']} {level or ''} {place}"
        elif frame := _FRAME.match(line):
            if place := _place(frame["path"].removesuffix(".py").split("/"), frame["line"]):
                yield f"  {place}"
        elif (error := _ERROR.match(line)) and _is_error(error["module"][:-1], error["name"]):
            yield f"  {error['module']}{error['name']}"


def _place(parts: list[str], line: str) -> str:
    """Return module and line if the path's end is a file of the program, else ""."""
    for at, part in enumerate(parts):
        if part in PACKAGES and ".." not in parts:
            name = "/".join(parts[at:])
            if any((PROGRAM / f"{name}{end}").is_file() for end in (".py", "/__init__.py")):
                return f"{name}:{line}"
    return ""


def _is_error(module: str, name: str) -> bool:
    """Tell whether an exception has this name."""
    if module and module.partition(".")[0] not in {*PACKAGES, *sys.stdlib_module_names}:
        return False
    kind = getattr(sys.modules.get(module) if module else builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)
