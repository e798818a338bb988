"""All settings with their meanings and allowed values: one place for files, checks and docs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from hardware.config import KEYPAD_ROW, Devices, Says, says_of
from pi_app.registry import all_tables, find_table, named_displays
from pi_app.texts.common import join_choices
from pi_app.texts.language import LANGUAGES, Texts

if TYPE_CHECKING:
    Language = str
    DisplayName = str
else:  # every language that has catalogues, every display that a setting may name
    Language = Literal[("auto", "de", "en", *LANGUAGES[2:])]
    DisplayName = Literal[("oled", *named_displays())]


class HelpLevel(StrEnum):
    """How much help a player gets before a move; each level includes the one before.

    SUMS shows the sums of cards, LEGAL what is legal, TIPS the best moves on request.
    """

    NONE = "none"
    SUMS = "sums"
    LEGAL = "legal"
    TIPS = "tips"

    @property
    def tells_legal(self) -> bool:
        """Whether this level says what is legal before anybody asks for it."""
        return self in (HelpLevel.LEGAL, HelpLevel.TIPS)


@dataclass(frozen=True)
class DisplaySettings:
    """The displays."""

    called = "Displays"

    show: Annotated[
        tuple[DisplayName, ...] | Literal["auto"],
        Says(
            'the displays; "auto": OLED and panel, a window on a desktop, else the terminal',
            called="Used",
        ),
    ] = "auto"
    fullscreen: Annotated[
        bool, Says("whether the window fills the screen", called="Fill screen")
    ] = False
    brightness: Annotated[int, Says("brightness of the OLED", 1, 100, "%", called="Brightness")] = (
        80
    )
    dim_brightness: Annotated[
        int, Says("brightness once dimmed", 0, 100, "%", called="When dimmed")
    ] = 5
    dim_after_s: Annotated[
        int,
        Says(
            "how long without a key until the OLED dims; 0: never",
            0,
            86400,
            "s",
            called="Dims after",
        ),
    ] = 60
    blank_after_s: Annotated[
        int,
        Says(
            "how long without a key until the OLED, or a screen without a desktop, goes dark;"
            " 0: never",
            0,
            86400,
            "s",
            called="Dark after",
        ),
    ] = 900
    shift_after_s: Annotated[
        int,
        Says(
            "how often the OLED's picture moves by a pixel; 0: never",
            0,
            86400,
            "s",
            called="Shifts after",
        ),
    ] = 120
    theme: Annotated[
        Literal["dark", "light", "day"],
        Says(
            "the window's background; \"day\": light from 7 to 20 o'clock", called="Window colours"
        ),
    ] = "dark"
    board: Annotated[
        Literal["fixed", "player"],
        Says(
            "how the window shows the board: as it lies, or turned to the player to move",
            called="Board in window",
        ),
    ] = "fixed"
    rotate: Annotated[
        Literal[0, 90, 180, 270],
        Says(
            "how far a screen without a desktop is turned clockwise",
            unit="degrees",
            called="Turned by",
        ),
    ] = 0


@dataclass(frozen=True)
class SoundSettings:
    """The signals' sounds, on the buzzer or, without one, on the loudspeaker."""

    called = "Sounds"

    tick: Annotated[bool, Says("a key was pressed", called="Key")] = True
    ok: Annotated[bool, Says("a move counts", called="Good move")] = True
    bad: Annotated[bool, Says("a move was refused", called="Refused")] = True
    win: Annotated[bool, Says("a game is over", called="The end")] = True
    turn: Annotated[bool, Says("it is the next player's turn", called="Your turn")] = True
    speaker: Annotated[
        bool | Literal["auto"],
        Says(
            'whether the loudspeaker sounds; "auto": in the service without a buzzer',
            called="Loudspeaker",
        ),
    ] = "auto"
    command: Annotated[
        str,
        Says(
            "what plays a sound, run without a shell; it reads a WAV file from its input",
            called="Command",
        ),
    ] = "aplay -q -"


@dataclass(frozen=True)
class VoiceSettings:
    """The voice."""

    called = "Voice"

    level: Annotated[
        Literal["off", "calls", "everything"],
        Says(
            "nothing; refusals, rows, wins and whose turn it is; or everything, for people who "
            "cannot look",
            called="Level",
        ),
    ] = "off"
    volume: Annotated[int, Says("the volume", 5, 100, "%", called="Volume")] = 80
    command: Annotated[
        str,
        Says(
            "what speaks, run without a shell; text, language (de or en) and volume in braces "
            "are filled in; without a text it reads the sentence from its input",
            called="Command",
        ),
    ] = "espeak-ng -v {language} -a {volume} -- {text}"


@dataclass(frozen=True)
class StoreSettings:
    """Where games are stored."""

    called = "Games"

    path: Annotated[
        str, Says('folder of the games; "auto": in the user\'s data folder', called="File")
    ] = "auto"


@dataclass(frozen=True)
class HelpSettings:
    """The help level of players who have not chosen one."""

    called = "Help"

    level: Annotated[
        HelpLevel,
        Says(
            "nothing, the sums of cards, the legal fields as well, or tips on top", called="Level"
        ),
    ] = HelpLevel.SUMS
    tips: Annotated[
        bool,
        Says(
            "whether players of the level tips get them; no: they get what legal gives",
            called="Tips",
        ),
    ] = True


@dataclass(frozen=True)
class EveningSettings:
    """Which games belong to an evening, and how its standings are counted."""

    called = "Evenings"

    count: Annotated[
        Literal["wins", "ranks", "points"],
        Says(
            "games won; places, a point for each player left behind; or the points of the games, "
            "one for a win where a game has none",
            called="Counts",
        ),
    ] = "wins"
    pause_h: Annotated[
        int,
        Says(
            "the longest pause between two games of the same people in it",
            1,
            48,
            "h",
            called="Pause",
        ),
    ] = 4


@dataclass(frozen=True)
class ExtraTable:
    """The settings of an extra; `table` is its name in settings files."""

    table: ClassVar[str]
    called: ClassVar[str]
    """Its name for people, in a word or two."""


E = TypeVar("E", bound=ExtraTable)


@dataclass(frozen=True)
class Settings(Devices):
    """Everything that can be set; the defaults are the reference rig."""

    language: Annotated[
        Language, Says('the language; "auto": as the system says', called="Language")
    ] = "auto"
    display: DisplaySettings = field(default_factory=DisplaySettings)
    sounds: SoundSettings = field(default_factory=SoundSettings)
    voice: VoiceSettings = field(default_factory=VoiceSettings)
    help: HelpSettings = field(default_factory=HelpSettings)
    evening: EveningSettings = field(default_factory=EveningSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    extras: Mapping[str, ExtraTable] = field(default_factory=dict)
    """The tables of extras by name, except those with defaults only."""

    def of(self, kind: type[E]) -> E:
        """Return the table of an extra, with the defaults if nobody set it."""
        table = self.extras.get(kind.table)
        return table if isinstance(table, kind) else kind()

    def plus(self, *tables: ExtraTable) -> "Settings":
        """Return the settings with these tables of extras."""
        tables_now = {**self.extras, **{each.table: each for each in tables}}
        extras = {name: each for name, each in tables_now.items() if each != type(each)()}
        return replace(self, extras=extras)


def keep_essentials(settings: Settings) -> Settings:
    """Return the defaults with the machine's own settings: devices, displays, store, language.

    The voice stays too: a blind player may depend on it.
    """
    devices = {part.name: getattr(settings, part.name) for part in fields(Devices)}
    return Settings(
        **devices,
        display=DisplaySettings(show=settings.display.show),
        voice=settings.voice,
        store=settings.store,
        language=settings.language,
    )


ENGLISH = Texts("en")


@dataclass(frozen=True)
class Setting:
    """The documentation of a setting: `key` is dotted, `default` as in TOML."""

    key: str
    text: str
    allowed: str
    default: str
    unit: str


@cache
def hints(kind: type) -> Mapping[str, Any]:
    """Return the fields of a settings class with their annotated types."""
    types: dict[str, Any] = get_type_hints(kind, include_extras=True)
    return types


@cache
def find_class(table: str) -> type | None:
    """Return the class of a table of settings, imported if it is an extra's; None if none is."""
    hint = hints(Settings).get(table)
    if isinstance(hint, type) and is_dataclass(hint):
        return hint
    found: type | None = find_table(table)
    return found


def tables_of_settings() -> Mapping[str, type]:
    """Return the tables a settings file may have: their classes by name."""
    own = [name for name in hints(Settings) if "." not in name and find_class(name)]
    devices = [item.name for item in fields(Devices)]
    # devices last: people change the others more often
    names = [*(name for name in own if name not in devices), *all_tables(), *devices]
    return {name: kind for name in names if (kind := find_class(name)) is not None}


def definition(key: str) -> tuple[Any, Says] | None:
    """Return type and meaning of a setting by its dotted key; None if there is none."""
    table, dot, name = key.partition(".")
    kind = find_class(table) if dot else Settings
    hint = None if kind is None else hints(kind).get(name if dot else key)
    says = says_of(hint)
    return None if says is None else (get_args(hint)[0], says)  # of Annotated: the type


@cache
def definitions() -> Mapping[str, tuple[Any, Says]]:
    """Return type and meaning of every setting by its dotted key."""
    keys = [
        *hints(Settings),
        *(f"{name}.{own}" for name, kind in tables_of_settings().items() for own in hints(kind)),
    ]
    return {key: found for key in keys if (found := definition(key)) is not None}


def entries(tx: Texts = ENGLISH) -> list[Setting]:
    """Return every setting with its meaning, in the order of a settings file."""
    plain = Settings()
    return [
        Setting(
            key,
            tx("cli", says.text),
            describe_allowed(kind, says, tx),
            toml_value(value_of(plain, key), says),
            # the only unit that is a word
            tx("cli", says.unit) if says.unit == "degrees" else says.unit,
        )
        for key, (kind, says) in definitions().items()
    ]


def value_of(settings: Settings, key: str) -> Any:
    """Return the value of a dotted key; KeyError if there is no such setting."""
    if definition(key) is None:
        raise KeyError(key)
    table, dot, name = key.partition(".")
    return getattr(_table_of(settings, table), name) if dot else getattr(settings, key)


def with_value(settings: Settings, key: str, *, value: Any) -> Settings:
    """Return the settings with another value of a dotted key."""
    table, dot, name = key.partition(".")
    if not dot:
        return replace(settings, **{key: value})
    changed = replace(_table_of(settings, table), **{name: value})
    if isinstance(changed, ExtraTable):
        return settings.plus(changed)
    whole: dict[str, Any] = {table: changed}
    return replace(settings, **whole)


def _table_of(settings: Settings, name: str) -> Any:
    """Return a table of settings by its name."""
    if name in hints(Settings):
        return getattr(settings, name)
    kind = find_class(name)
    return settings.extras.get(name) or (kind() if kind else None)


def describe_allowed(kind: Any, says: Says, tx: Texts = ENGLISH) -> str:
    """Return the allowed values of a setting in words."""
    if get_origin(kind) in (Union, UnionType):
        first, second = (describe_allowed(part, says, tx) for part in get_args(kind))
        return tx("cli", "{first} or {last}", first=first, last=second)
    if get_origin(kind) is Literal:
        return join_choices(tx, [toml_value(choice) for choice in get_args(kind)])
    if _is_enum(kind):
        return join_choices(tx, [toml_value(choice) for choice in kind])
    if get_origin(kind) is tuple:
        return _allowed_list(get_args(kind), says, tx)
    if kind is bool:
        return tx("cli", "true or false")
    if kind is int:
        write = hex if says.hexadecimal else toml_value
        low, high = write(int(says.low or 0)), write(int(says.high or 0))
        if says.pins:
            return tx("cli", "a pin, GPIO{low} to GPIO{high}", low=low, high=high)
        return tx("cli", "a whole number from {low} to {high}", low=low, high=high)
    return tx("cli", "a text")


def _allowed_list(kinds: tuple[Any, ...], says: Says, tx: Texts) -> str:
    """Return the allowed lists in words; `kinds` are the arguments of a tuple's type."""
    if kinds == (str, Ellipsis):  # tuple[str, ...]: any number of texts
        return tx("cli", 'a list of texts such as "KPDOT=BACK"')
    if kinds[-1] is Ellipsis:  # tuple[Literal[...], ...]: any number of these choices
        choices = join_choices(tx, [toml_value(choice) for choice in get_args(kinds[0])])
        return tx("cli", "a list of {choices}", choices=choices)
    count = len(kinds)
    if kinds[0] is str and says.pattern != KEYPAD_ROW:
        return tx("cli", "a list of {count} texts", count=count)
    if says.pins:
        facts = {"count": count, "low": says.low, "high": says.high}
        return tx("cli", "a list of {count} pins, GPIO{low} to GPIO{high}", **facts)
    return tx(
        "cli",
        "a list of {count} texts, each of 4 of the characters 0-9, A-D, * and #",
        count=count,
    )


def toml_value(value: object, says: Says | None = None) -> str:
    """Return a setting's value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return hex(value) if says is not None and says.hexadecimal else str(value)
    if isinstance(value, tuple):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    plain = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


NOT_ALLOWED = object()
"""`fit` returns it for a value that is not allowed."""


def fit(kind: Any, says: Says, value: object) -> Any:
    """Return the value in the setting's type (a list as a tuple), or NOT_ALLOWED."""
    if _is_enum(kind):
        return kind(value) if value in list(kind) else NOT_ALLOWED
    fitting = tuple(value) if isinstance(value, list) else value
    return fitting if _fits(kind, says, fitting) else NOT_ALLOWED


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _fits(kind: Any, says: Says, value: Any) -> bool:
    """Tell whether a value is of this kind, in its range and of its pattern."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(_fits(part, says, value) for part in parts)
    if origin is Literal:  # True is 1, but no choice of 1
        return any(type(choice) is type(value) and choice == value for choice in parts)
    if origin is tuple:
        return isinstance(value, tuple) and _fits_each(parts, says, value)
    if type(value) is not kind:  # not isinstance: True is an int
        return False
    if kind is int:
        return (says.low or 0) <= int(value) <= (says.high or 0)
    if kind is str:
        text = str(value)
        # no path and no command can contain a NUL
        return "\0" not in text and re.fullmatch(says.pattern or "(?s:.+)", text) is not None
    return True


def _fits_each(kinds: tuple[Any, ...], says: Says, values: tuple[Any, ...]) -> bool:
    """Tell whether all values of a list are allowed and different."""
    if kinds[-1] is Ellipsis:
        # tuple[X, ...]: X for each value
        kinds = kinds[:1] * len(values)
    if not values or len(kinds) != len(values):  # an empty list is never allowed
        return False
    fits = (_fits(kind, says, value) for kind, value in zip(kinds, values, strict=True))
    return all(fits) and len(set(values)) == len(values)
