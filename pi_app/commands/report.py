"""`beisitzer report`: collects a file for a bug report, without private data."""

import getpass
import json
import platform
import re
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from pwd import getpwall
from urllib.parse import quote

import click

from engines.seating import player_pairs
from pi_app.commands.console import refuse, system_words, texts
from pi_app.commands.reading import open_reader, store_option
from pi_app.files.host import version
from pi_app.files.log import log_file
from pi_app.files.own_process import own_command, own_environment
from pi_app.files.regular import open_regular
from pi_app.files.replace import write_safely
from pi_app.network.names import code_text
from pi_app.run.opening import store_path
from pi_app.settings.file import SettingsError, load
from pi_app.settings.schema import LINK_PASSWORD, LinkSettings, Settings
from pi_app.store.check import PLIES, check_is_store, check_row, ids
from pi_app.store.database import Ask
from pi_app.store.migrations import VersionError
from pi_app.table.default_names import companion_display_name

LOG_LINES = 200
SECRET = "SECRET"  # noqa: S105  # what stands in the place of one
_LEAST_SECRET = 8
"""A shorter one is replaced only as a word: it may be a part of many."""
_MOST_PASSWORD = 10_000
"""The most bytes that are read of the file that should have one line with a password."""
SECONDS = 60
"""A part that takes longer is left out."""

REPLAYED = ("Game", "Players", "Start", "Board", "BoardData", "Rules", "Position", "Open")
"""The tags that a replay needs; the report has no others."""

_HOMES = re.compile(r"/(?:home|Users|var/home)/[^/\s:;,'\"]+|/root(?![\w.-])")
_PACKAGES = re.compile(
    r"(?:(?<=[\"'])[^\"'\n]*|[^\"'\s]*)/"
    r"(?:(?:site|dist)-packages/|(?=(?:engines|hardware|pi_app|ai)/))"
)
"""The part of a module's path that shows where the program or a library is installed."""
_FOLDERS = re.compile(
    r"(?<![\w.~/-])/(?!(?:boot|dev|etc|proc|run|sys|usr|var)/)"
    r"(?:(?<=[\"']/)(?:[^\"'/\n]+/)+|(?:[^\"'/\s:;,]+/)+)"
)
"""Folders made by people; the system's own folders are the same everywhere and stay."""
_SERIAL = re.compile(
    r"(?P<label>(?i:serial(?:[ _-]?n(?:umber|o))?)\.?\s*[:=]\s*)\S+"
    r"|(?<![0-9A-Za-z])(?=[0-9A-Fa-f]*[0-9])[0-9A-Fa-f]{12,}(?![0-9A-Za-z])"
)
"""A number after the word serial, and long hexadecimal numbers of boards, sticks and machines."""
_SECRET = re.compile(
    r"(?P<before>(?i:pass(?:word|wd|phrase|wort)?|kennwort|psk|secret|token|cookie)"
    r"[\"']?\s*[:=]\s*[\"']?|\b[a-z][a-z0-9+.-]*://[^\s/:@]*:)[^\s\"',;@]+"
)
"""What stands after a word for a secret, and the password in an address (mqtts://name:PASSWORD@)."""
_KEYS = re.compile(
    r"-----BEGIN (?P<kind>[A-Z0-9 ]*)PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)"
    r"|(?:ssh-[a-z0-9]+|ecdsa-[a-z0-9-]+) AAAA[^\s\"']+(?:[ \t]+\S+@\S+)?",
    re.DOTALL,
)
"""Private keys, also if their end is missing, and public ones, with the name of whose they are."""
_HASHES = re.compile(r"\bscrypt\$[0-9$]+[0-9a-f$]+|\$(?:[1-9]|2[aby]|y)\$[./0-9A-Za-z+=$]+")
"""Hashes of passwords, from which a short one can be guessed."""
_CODES = re.compile(r"(?P<before>(?i:code)[\"']?\s*[:=]?\s*[\"']?|/pair#)\d{6}(?!\d)")
"""The digits that let a phone or a table in."""
_JOINS = re.compile(r"(?P<before>\bWIFI:(?:\\.|[^\\\s])*?;P:)(?:\\.|[^\\;])+")
"""The text of a QR code that joins a Wi-Fi, from its password on."""
WIFI_STATE = Path("/var/lib/beisitzer-wifi/own.json")
"""What beisitzer-wifi.service keeps; only root and the service may read it."""
NETWORKS = Path("/etc/NetworkManager/system-connections")
"""The networks that the machine knows; only root may read them."""
_KEPT = re.compile(
    r"^\s*(?:psk|password|wep-key\d|leap-password|private-key-password|pin)\s*=\s*(.+?)\s*$",
    re.MULTILINE,
)
_ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F:]+\b")


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@store_option
def report(file: Path | None, store: Path | None) -> None:
    """Collect version, settings, log, doctor's findings and the current record in FILE.

    Names of players, people and machines, passwords, addresses and folders are left out. "-" writes
    to standard output.
    """
    settings = Settings()
    with suppress(SettingsError):  # the section Settings says what is wrong with them
        settings = load().settings
    record, names = current_record(store or store_path(settings))
    names |= link_secrets(settings.link, store or store_path(settings)) | wifi_secrets()
    sections = {
        "Program": _program_text(),
        "Settings": _command("config"),
        "Rig": _command("doctor"),
        "Record": record,
        "Log": _log_text(),
    }
    text = anonymize(
        "\n".join(f"== {name}\n{body.strip()}\n" for name, body in sections.items()), names
    )
    if str(file) == "-":
        click.echo(text)
        return
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    file = file or Path(f"beisitzer-report-{stamp}.txt")
    tx = texts()
    try:
        write_safely(file, text.encode())
    except OSError as error:
        why = system_words(tx, error)
        refuse(tx("cli", "{path}: {why}: name another FILE", path=file, why=why))
    click.echo(tx("cli", "{path}: read it, then attach it to the bug report", path=file))


def _program_text() -> str:
    model = ""
    with suppress(OSError):
        model = Path("/proc/device-tree/model").read_text("ascii", "replace").strip("\0\n")
    system = f"{platform.system()} {platform.release()}"
    python = f"Python {platform.python_version()}, {system}"
    return f"Beisitzer {version()}\n{python}\n{platform.machine()} {model}"


def _command(name: str) -> str:
    """Run another command in its own process, as it may fail or hang; return what it prints."""
    try:
        process = subprocess.run(  # noqa: S603  # this program itself
            own_command("pi_app", name),
            env=own_environment(),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"not to be had: {type(error).__name__}"
    return f"{process.stdout}{process.stderr}\n(status {process.returncode})"


def _log_text() -> str:
    """Return the last lines of the log file, or of the service's journal."""
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
    return "\n".join(lines)


def current_record(store: Path) -> tuple[str, dict[str, str]]:
    """Return the current game's record, and a replacement for the name of every known player."""
    if not store.exists():
        return "no game was stored", {}
    try:
        check_is_store(store)
        games = open_reader(store)
        tags, plies = games.read(_tags_and_plies)
        players = names_in(games.recall("players") or "")
    except (sqlite3.Error, OSError, ValueError, VersionError) as error:
        return f"the store cannot be read: {error}", {}
    names: dict[str, str] = {}
    # the players of all games, and those whom the table remembers
    for name in filter(is_private, (*chain(*map(players_in, tags)), *players)):
        names.setdefault(name, f"Player{len(names) + 1}")
    damaged = "" if games.whole else "the store is damaged: this is what can be read of it\n"
    moves = "\n".join(f"{token} {state}" for token, state in plies)
    latest = _replay_tags(tags[0]) if tags else "no game"
    return f"{damaged}{latest}\n{moves}", names


def _tags_and_plies(ask: Ask) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the tags of all games, the latest first, and the latest game's moves with states."""
    games = ask("SELECT id, tags FROM game ORDER BY id DESC", ())
    plies = ask(PLIES, ids(games[0][0])) if games else []
    for ply in plies:
        check_row("a move", ply)
    moves = [(token, state) for _, _, _, token, state, *_ in plies]  # as PLIES has its columns
    return [tags for _, tags in games], moves


def _replay_tags(text: str) -> str:
    """Return the tags that a replay needs; other tags may hold private data."""
    try:
        tags = json.loads(text)
        return "\n".join(f'[{name} "{tags[name]}"]' for name in REPLAYED if name in tags)
    except (ValueError, TypeError):
        return "the tags cannot be read"


def players_in(text: str) -> list[str]:
    """Return the names of the players in a game's tags."""
    with suppress(ValueError, KeyError, TypeError):
        return [name for name, _ in player_pairs(str(json.loads(text)["Players"]))]
    return []


def link_secrets(settings: LinkSettings, store: Path) -> dict[str, str]:
    """Return a replacement for the broker's password, its name, and the table's name there.

    A club's password next to the store counts even if the settings name another one, or none.
    """
    found = {settings.user: "TABLE"} if settings.user else {}
    if settings.host != LinkSettings.host:
        found[settings.host] = "BROKER"
    for path in (Path(settings.password_file).expanduser(), store.with_name(LINK_PASSWORD)):
        password = _read_private(path).strip()
        found |= {password: SECRET} if password else {}
    return found


def wifi_secrets() -> dict[str, str]:
    """Return a replacement for each password of a Wi-Fi that whoever reports may read."""
    found = []
    with suppress(ValueError, KeyError, TypeError):
        found.append(str(json.loads(_read_private(WIFI_STATE))["own"]["password"]))
    with suppress(OSError):
        for path in sorted(NETWORKS.iterdir()):
            found += _KEPT.findall(_read_private(path))
    return {password: SECRET for password in found if password}


def _read_private(path: Path) -> str:
    """Return the beginning of a file; "" if it is not there, or not for whoever reports."""
    with suppress(OSError), open_regular(path) as file:
        return file.read(_MOST_PASSWORD).decode("utf-8", "replace")
    return ""


def is_private(name: str) -> bool:
    """Return whether a name may be a person's, and not the companion's."""
    return companion_display_name(name) != name


def names_in(text: str) -> list[str]:
    """Return the names in the table's list of players."""
    try:
        return [str(row["name"]) for row in json.loads(text)]
    except (ValueError, KeyError, TypeError):
        return []


def anonymize(text: str, names: Mapping[str, str]) -> str:
    """Remove names of people and machines, secrets, addresses, serial numbers and folders."""
    for secret in (_KEYS, _HASHES):
        text = secret.sub(SECRET, text)
    text = _JOINS.sub(lambda match: f"{match['before']}SECRET", text)
    # the longest first, as Anna may be a part of Anna Maria
    for name, replacement in sorted(names.items(), key=lambda item: -len(item[0])):
        escaped = name.encode("unicode_escape").decode()  # as JSON and tracebacks write it
        if replacement == SECRET and len(name) >= _LEAST_SECRET:
            spelt = {name, escaped, json.dumps(name)[1:-1], quote(name, safe=""), code_text(name)}
            for spelling in sorted(spelt, key=len, reverse=True):
                text = text.replace(spelling, SECRET)  # within other words too
        text = _replace_words(text, (name, escaped), replacement)
    first_person_uid = 1000  # lower ones are the system's
    people = [user for user in getpwall() if user.pw_uid >= first_person_uid]
    for home in {str(Path.home()), *(user.pw_dir for user in people)}:
        text = text.replace(home, "~") if len(home) > 1 else text  # "/" is nobody's home
    text = _FOLDERS.sub("", _PACKAGES.sub("", _HOMES.sub("~", text)))
    with suppress(OSError, KeyError):
        text = _replace_words(text, (getpass.getuser(),), "USER")
    text = _replace_words(text, (socket.gethostname(),), "HOST")
    for secret in (_SECRET, _CODES):
        text = secret.sub(lambda match: f"{match['before']}SECRET", text)
    text = _SERIAL.sub(lambda match: f"{match['label'] or ''}SERIAL", text)
    return _ADDRESS.sub("ADDRESS", text)


def _replace_words(text: str, words: Iterable[str], replacement: str) -> str:
    for word in words:
        parts = word.split()
        # "root" tells nothing private; most names are not in the text, and the search is slow
        if parts and word != "root" and parts[0] in text:
            pattern = r"\s+".join(map(re.escape, parts))
            text = re.sub(rf"(?<!\w){pattern}(?!\w)", replacement, text)
    return text
