"""Settings: TOML files in the platform's folders, checked key by key, changed safely.

The later file wins: /etc/beisitzer.toml, the platform's site folder, the user's folder. If
BEISITZER_CONFIG names a file, only that one is read and written. It must exist, except for the
service (BEISITZER_APPLIANCE): there the menu creates it when it changes the first setting.
"""

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hardware.config import Devices, pins_in_use
from pi_app.settings.schema import (
    ENGLISH,
    NOT_ALLOWED,
    Settings,
    definition,
    describe_allowed,
    find_class,
    fit,
    hints,
    tables_of_settings,
    toml_value,
    with_value,
)
from pi_app.system.regular import NotAFileError, TooLongError, read_text
from pi_app.system.replace import write_safely
from pi_app.system.toml_text import fault_line, lines_of, pathological_line
from pi_app.texts.common import join_choices, join_names
from pi_app.texts.language import Text, Texts, language_for
from pi_app.texts.printable import shorten

ENVIRONMENT = "BEISITZER_CONFIG"
APPLIANCE = "BEISITZER_APPLIANCE"
SYSTEM_FILE = Path("/etc/beisitzer.toml")
FILE_LIMIT_BYTES = 1024 * 1024
"""Longer files are refused, such as devices and endless files."""
LONGEST = 188
"""The longest sentence about a mistake, in characters."""


@dataclass(frozen=True)
class Origin:
    """Where a value comes from: the file and its line, counted from 1."""

    file: Path
    line: int


@dataclass(frozen=True)
class Loaded:
    """The effective settings, and the texts that they were read from."""

    settings: Settings
    sources: Mapping[str, Path]
    """The file of each setting; a key that is missing has its default."""
    texts: Mapping[Path, str]
    """The files in the order in which they were read."""
    boards: Mapping[Path, str]
    """The file of the board that the settings name, if they do."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The settings files that were read."""
        return tuple(self.texts)

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where each value comes from; keys that are missing have their default."""
        lines = {file: lines_of(text) for file, text in (*self.boards.items(), *self.texts.items())}
        # a board's file switches off all parts that it does not name
        return {
            key: Origin(file, lines[file].get(tuple(key.split(".")), 1))
            for key, file in self.sources.items()
        }


class SettingsError(ValueError):
    """A mistake in a settings file, as one sentence.

    `line` is 0 for a mistake of the whole file, `key` empty without a key; `code` is one of
    unreadable, syntax, unknown-key, not-a-table, value, same-pin.
    """

    texts = ENGLISH
    """The language of the sentence."""

    def __init__(
        self, file: Path | None, line: int, key: str, code: str, say: Callable[[Texts], str]
    ) -> None:
        super().__init__(file, line, key, code)
        self.file = file
        self.line = line
        self.key = key
        self.code = code
        self._say = say

    def __str__(self) -> str:
        sentence = self._sentence(str(self.file))
        if len(sentence) > LONGEST:  # the end of a path distinguishes files
            sentence = self._sentence(f"…{str(self.file)[-40:]}")
        return shorten(sentence, LONGEST)

    def _sentence(self, path: str) -> str:
        return f"{self._place(self.texts, path)}: {self._say(self.texts)}"

    def place(self, tx: Texts) -> str:
        """Return file, line and key as briefly as a small display needs it."""
        return self._place(tx, self.file.name if self.file else "")

    def _place(self, tx: Texts, path: str) -> str:
        place = path if self.file else tx("cli", "settings")
        if self.line:
            place = tx("cli", "{path}, line {line}", path=place, line=self.line)
        return f"{place}: {shorten(self.key)}" if self.key else place


def user_file(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the file that changed settings are written to."""
    if environ.get(ENVIRONMENT):
        return Path(environ[ENVIRONMENT]).expanduser()
    import platformdirs

    return platformdirs.user_config_path("beisitzer", appauthor=False) / "settings.toml"


def candidates(environ: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Return the possible files, the winning one last."""
    if environ.get(ENVIRONMENT):
        return (user_file(environ),)
    import platformdirs

    site = platformdirs.site_config_path("beisitzer", appauthor=False) / "settings.toml"
    return (SYSTEM_FILE, site, user_file(environ))


def load(environ: Mapping[str, str] = os.environ) -> Loaded:
    """Read all settings files; SettingsError for the first mistake."""
    must_exist = bool(environ.get(ENVIRONMENT)) and environ.get(APPLIANCE) != "1"
    texts = {}
    try:
        for path in candidates(environ):
            text = _read_text(path, must_exist=must_exist)
            if text is not None:
                texts[path] = text
        return parse(texts)
    except SettingsError as error:
        # the language in an unreadable file is unknown: the system's is used
        error.texts = Texts(language_for("auto"))
        raise


def _read_text(path: Path, *, must_exist: bool) -> str | None:
    try:
        return read_text(path, FILE_LIMIT_BYTES)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL, or no text
        if isinstance(error, FileNotFoundError) and not must_exist:
            return None
        # an OSError's text begins with its number
        facts = {"why": getattr(error, "strerror", None) or str(error), "variable": ENVIRONMENT}
        kind = next(kind for kind in _UNREADABLE if isinstance(error, kind))
        raise SettingsError(
            path, 0, "", "unreadable", lambda tx: tx.say(_UNREADABLE, kind, **facts)
        ) from error


_UNREADABLE: Mapping[type[Exception], Text] = {
    FileNotFoundError: Text("cli", "there is no such file; create it or unset {variable}"),
    UnicodeDecodeError: Text("cli", "the file is not UTF-8 text; save it as UTF-8"),
    TooLongError: Text("cli", "the file is too long for settings; correct it or remove it"),
    NotAFileError: Text("cli", "this is no file but a link, a pipe or a device; remove it"),
    Exception: Text("cli", "cannot be read ({why}); correct it or remove it"),
}
"""The remedy for each error; the last one is for all others."""


def parse(texts: Mapping[Path, str], boards: Mapping[Path, str] | None = None) -> Loaded:
    """Return the settings in these files' texts; the later file wins.

    `boards` has texts that replace the boards' files.
    """
    tables = {path: _parse_toml(path, text) for path, text in texts.items()}
    settings, sources, board = _begin(tables, texts, boards or {})
    for path, table in tables.items():
        settings = _add(settings, path, texts[path], table, sources)
    loaded = Loaded(settings, sources, texts, board)
    owners: dict[int, str] = {}
    for key, pin in pins_in_use(settings):
        other = owners.setdefault(pin, key)
        # equal pins within one key were refused before
        if other != key:
            raise _same_pin(pin, other, key, loaded.origins)
    return loaded


def _begin(
    tables: Mapping[Path, Mapping[str, Any]], texts: Mapping[Path, str], boards: Mapping[Path, str]
) -> tuple[Settings, dict[str, Path], dict[Path, str]]:
    """Return the settings before any file is read: the defaults, or those of a board.

    Also return the origin of each, and the board's text.
    """
    rigs: list[tuple[Path, Any]] = [(path, table.get("rig")) for path, table in tables.items()]
    boards_named = [(path, rig.get("board")) for path, rig in rigs if isinstance(rig, dict)]
    wanted = [(path, word) for path, word in boards_named if isinstance(word, str)]
    if not wanted or wanted[-1][1] == "none":
        return Settings(), {}, {}
    path, word = wanted[-1]  # the later file wins
    from hardware.boards import ABOUT, board_path, board_words, without_parts

    place = board_path(word)
    if place is None:

        def say(tx: Texts) -> str:
            words = join_choices(tx, [toml_value(word) for word in ("none", *board_words())])
            return tx.say(_NOT_ALLOWED, "value", value=_value_text(word), allowed=words)

        line = lines_of(texts[path]).get(("rig", "board"), 0)
        raise SettingsError(path, line, "rig.board", "value", say)
    text = boards[place] if place in boards else _read_text(place, must_exist=True) or ""
    table = _parse_toml(place, text)
    table.pop(ABOUT, None)
    # parts that the board's file does not name are off
    sources = {f"{part.name}.enabled": place for part in fields(Devices)}
    settings = _add(without_parts(Settings()), place, text, table, sources)
    return settings, sources, {place: text}


def _add(
    settings: Settings,
    path: Path,
    text: str,
    table: Mapping[str, Any],
    sources: dict[str, Path],
) -> Settings:
    """Return the settings with a file's values; add their file to `sources`."""
    for keys, value in _leaves(table):
        settings = _apply(settings, path, text, keys, value)
        key = ".".join(keys)
        sources.pop(key, None)  # the last setting comes last
        sources[key] = path
    return settings


def _parse_toml(path: Path, text: str) -> dict[str, Any]:
    line = pathological_line(text)
    if line is None:
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            line = fault_line(error, text)

    def say(tx: Texts) -> str:
        return tx(
            "cli", "this is not TOML: write [table] or key = value, each once, texts in quotes"
        )

    raise SettingsError(path, line, "", "syntax", say)


def _leaves(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value with its path; only tables of settings are entered."""
    for name, value in table.items():
        if isinstance(value, dict) and find_class(name) is not None:
            for inner, inner_value in value.items():
                yield (name, inner), inner_value
        else:
            yield (name,), value


def _apply(
    settings: Settings, path: Path, text: str, keys: tuple[str, ...], value: object
) -> Settings:
    """Return the settings with one value changed."""
    key = ".".join(keys)
    found = definition(key) if len(keys) < 3 else None
    if found is None:
        code, say = _unknown(keys, value)
        raise SettingsError(path, lines_of(text).get(keys, 0), key, code, say)
    kind, says = found
    setting = fit(kind, says, value)
    if setting is NOT_ALLOWED:

        def why_not_allowed(tx: Texts) -> str:
            rule = describe_allowed(kind, says, tx) + (f" ({says.unit})" if says.unit else "")
            # repr, because lists are not hashable
            twice = isinstance(value, list) and len(set(map(repr, value))) != len(value)
            value_text = _value_text(value)
            return tx.say(
                _NOT_ALLOWED, "twice" if twice else "value", value=value_text, allowed=rule
            )

        raise SettingsError(path, lines_of(text).get(keys, 0), key, "value", why_not_allowed)
    return with_value(settings, key, value=setting)


_NOT_ALLOWED = {
    "value": Text("cli", "{value} is not allowed; it must be {allowed}"),
    "twice": Text("cli", "{value} is not allowed; it must be {allowed}, none of them twice"),
}


def _unknown(keys: tuple[str, ...], value: object) -> tuple[str, Callable[[Texts], str]]:
    """Return the code and the sentence for an unknown key."""
    tables = tables_of_settings()
    if keys[0] in tables and len(keys) == 1:
        facts = {"value": _value_text(value), "allowed": f"[{keys[0]}]"}
        return "not-a-table", lambda tx: tx.say(_NOT_ALLOWED, "value", **facts)
    # `language` is the only setting outside of tables
    table = tables.get(keys[0]) if len(keys) > 1 else None
    names = list(hints(table)) if table else ["language", *tables]
    import difflib  # only needed after a mistake

    # cut, because comparing a very long word takes seconds
    similar = difflib.get_close_matches(keys[-1][:40], names, 1, 0.5)
    if similar:
        return "unknown-key", lambda tx: tx(
            "cli", "there is no such setting; did you mean {near}?", near=similar[0]
        )
    return "unknown-key", lambda tx: tx(
        "cli", "there is no such setting; allowed are {names}", names=join_names(tx, names)
    )


def _value_text(value: object) -> str:
    """Return a refused value as one short line."""
    try:
        text = toml_value(tuple(value) if isinstance(value, list) else value)
    except ValueError:  # more digits than Python writes
        return "this number"
    return shorten(text)


def _same_pin(pin: int, one: str, two: str, origins: Mapping[str, Origin]) -> SettingsError:
    """Return the error for two keys with one pin, first the key that was set last."""
    order = list(origins)  # as they were set; a default counts as set before all files
    second, first = sorted((one, two), key=lambda key: order.index(key) if key in origins else -1)
    origin = origins.get(first)
    if origin is None:  # switched on by `enabled`, with the pins of the defaults
        switches = [
            f"{key.split('.')[0]}.{name}" for key in (one, two) for name in ("enabled", "bus")
        ]
        origin = next((origins[key] for key in switches if key in origins), None)

    def say(tx: Texts) -> str:
        why = ""  # explains a pin that belongs to a bus
        if "oled.bus" in (first, second):
            why = tx(
                "cli", " (an OLED on SPI takes GPIO7 to GPIO11: both chip selects, data and clock)"
            )
        elif "oled.port" in (first, second):
            why = tx("cli", " (the OLED's I2C bus has fixed pins)")
        return tx(
            "cli",
            "GPIO{pin} is taken by {key} as well{why}; give one of them another pin or switch one "
            "off ({first} or {last} = false)",
            pin=pin,
            key=second,
            why=why,
            first=f"{first.split('.')[0]}.enabled",
            last=f"{second.split('.')[0]}.enabled",
        )

    file, line = (origin.file, origin.line) if origin else (None, 0)
    return SettingsError(file, line, first, "same-pin", say)


# --- writing


def save(key: str, value: object, environ: Mapping[str, str] = os.environ) -> Path:
    """Write one changed setting to the user's file, keeping its comments; return the file.

    The whole file is replaced once the new one is on the disk, so that a power cut leaves the
    old or the new one. SettingsError if the value is not allowed or the file has
    a mistake, OSError if it cannot be written.
    """
    import tomlkit

    if definition(key) is None:
        raise SettingsError(None, 0, key, *_unknown(tuple(key.split(".")), value))
    path = user_file(environ)
    text = _read_text(path, must_exist=False) or ""
    _parse_toml(path, text)  # its errors have a line number, tomlkit's do not
    document = tomlkit.parse(text)
    table: Any = document
    *outer, name = key.split(".")
    for part in outer:
        if part not in table:
            table[part] = tomlkit.table()
        table = table[part]
    table[name] = list(value) if isinstance(value, tuple) else value
    new = tomlkit.dumps(document)
    # checked together with the other files, because a pin may clash with one of theirs
    others = {other: _read_text(other, must_exist=False) for other in candidates(environ)}
    parse(
        {file: old for file, old in others.items() if old is not None and file != path}
        | {path: new}
    )
    write_safely(path, new.encode())
    return path
