"""Short words for settings and their values, for lists at the table."""

from collections.abc import Mapping

from pi_app.screens.context import Context
from pi_app.settings.schema import Settings, definitions, find_class, toml_value, value_of
from pi_app.texts.language import LANGUAGES, Text, Texts, language_name

VALUES: Mapping[object, Text] = {
    "auto": Text("item", "automatic"),
    "none": Text("item", "none"),
    "dark": Text("item", "dark"),
    "light": Text("item", "light"),
    "day": Text("item", "by time of day"),
    "fixed": Text("item", "as it lies"),
    "player": Text("item", "to who moves"),
    "off": Text("item", "nothing"),
    "never": Text("item", "never"),
    "needed": Text("item", "if needed"),
    "always": Text("item", "always"),
    "calls": Text("item", "calls"),
    "stable": Text("item", "stable"),
    "testing": Text("item", "testing"),
    "everything": Text("item", "everything"),
    "sums": Text("item", "sums"),
    "legal": Text("item", "legal fields"),
    "tips": Text("item", "tips"),
    "wins": Text("item", "games won"),
    "ranks": Text("item", "places"),
    "points": Text("item", "points"),
    "window": Text("item", "window"),
    "terminal": Text("item", "terminal"),
}
"""Words for values; any other value is shown as it is written."""


def table_words(tx: Texts, table: str) -> str:
    """Return the name of a table of settings; the language is a setting without a table."""
    kind = find_class(table)
    return name_of(tx, table) if kind is None else tx("item", getattr(kind, "called", table))


def name_of(tx: Texts, key: str) -> str:
    """Return the name of a setting; settings of the wiring keep the file's name."""
    called = definitions()[key][1].called
    return tx("item", called) if called else key.rpartition(".")[2]


def value_words(tx: Texts, key: str, value: object) -> str:
    """Return a value of a setting in words."""
    _, says = definitions()[key]
    if isinstance(value, bool):
        return tx("item", "yes") if value else tx("item", "no")
    if isinstance(value, tuple):
        return " ".join(value_words(tx, key, each) for each in value)
    if value == 0 and says.zero:
        return tx("item", says.zero)
    if isinstance(value, int):
        unit = {"degrees": "°"}.get(says.unit, f" {says.unit}" if says.unit else "")
        return f"{toml_value(value, says)}{unit}"
    if value in LANGUAGES:
        return language_name(str(value))
    return tx.say(VALUES, value) or str(value)


def describe(ctx: Context, key: str) -> str:
    """Return a setting and its value now, in the fewest words."""
    value: object = value_of(ctx.settings, key)
    return f"{name_of(ctx.texts, key)}: {value_words(ctx.texts, key, value)}"


def default_words(tx: Texts, key: str) -> str:
    """Return the default of a setting."""
    return value_words(tx, key, value_of(Settings(), key))
